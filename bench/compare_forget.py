"""The same hundred canaries through Mem0's local store and through ours: what the bytes say.

Mem0 keeps a history of every memory by design, deleted ones too, so that its users can see what
changed; nobody promised there that ``delete`` takes a text out of the files. The comparison says
what a person who is asked to forget has to expect of each, not that one is broken.

Mem0 is never a part of this program: it runs in an interpreter of its own that has it, named by
the caller, with ``infer=False``, an embedder without a model, and Qdrant in a folder.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench import forget_acts, forget_world
from bench.rows import Row
from store import needles, scanning
from store.scans import Scan
from store.vault import Payload, Role

CANARIES: Final = 100
STAYING: Final = 100
_SCRIPT: Final = Path(__file__).with_name("mem0_canaries.py")
_WAIT: Final = 600

NOTE: Final = (
    "Mem0 keeps a history of every memory by design, deleted ones too. That is no fault of it; it "
    "is what a person who is asked to forget has to know."
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two, after 100 canaries were added and deleted."""

    name: str
    listed: int
    """Canaries that its own listing still gives."""

    history: int
    """Canaries that its own history gives back."""

    found: int
    """Canaries in the bytes of its files, in any spelling."""

    controls: int
    """Of the texts that stay, how many the same search found: else it proves nothing."""

    files: Mapping[str, tuple[int, int]]
    """Canaries, and texts that stay, in each file that has any of either. In a file without texts
    that stay nothing is proved."""


def measure(python: Path | None) -> list[Row]:
    """Rows of both sides; of Mem0's without a value where no interpreter with it was named."""
    gone = [
        f"Canary {n} of client 4411 sings at gate {n * 7919} ({forget_world.MARK} {n})."
        for n in range(CANARIES)
    ]
    stays = [f"An ordinary sentence, number {n}, that stays where it is." for n in range(STAYING)]
    with tempfile.TemporaryDirectory(prefix="memory-console-compare-") as folder:
        sides = [_ours(Path(folder) / "ours", gone, stays)]
        if python is not None:
            (Path(folder) / "mem0").mkdir()
            sides.append(_mem0(python, Path(folder) / "mem0", gone, stays))
    rows = [row for side in sides for row in _rows(side)]
    if python is None:
        rows += [
            Row("F1", "Mem0, not run: no --mem0-python", measure, None, None, "", None, 0)
            for measure in ("listed", "given back by its history", "found in the bytes")
        ]
    return rows


def _rows(side: Side) -> list[Row]:
    ours = side.name == "ours"
    target, holds = ("0", side.found == 0) if ours else ("", None)
    rows = [
        Row("F1", side.name, "listed after deletion", side.listed, None, "", None, CANARIES),
        Row("F1", side.name, "given back by its history", side.history, None, "", None, CANARIES),
        Row("F1", side.name, "found in the bytes", side.found, None, target, holds, CANARIES),
        Row("F1", side.name, "texts that stay, found", side.controls, None, "", None, STAYING),
    ]
    rows += [
        Row("F1", side.name, f"in {_short(name)}: canaries, staying", gone, stays, "", None)
        for name, (gone, stays) in sorted(side.files.items())
    ]
    return rows


def _ours(home: Path, gone: Sequence[str], stays: Sequence[str]) -> Side:
    world = forget_world.of_texts(home, gone, stays)
    forget_acts.forget(world)
    store = world.store
    left = store.rows("select item from proj_item")
    standing = store.standing()
    listed = sum(
        row["item"] in set(world.items) and str(standing.stage_of(row["item"], 1)) != "erased"
        for row in left
    )
    return _side("ours", listed, 0, home, gone, stays)


def _mem0(python: Path, folder: Path, gone: Sequence[str], stays: Sequence[str]) -> Side:
    """Run Mem0 in its own interpreter, without a network to speak of, and search its files.

    Raises:
        RuntimeError: If it does not run there, with what it said.
    """
    nowhere = "http://127.0.0.1:9"
    done = subprocess.run(
        [str(python), str(_SCRIPT), str(folder)],
        input=json.dumps({"gone": gone, "stays": stays}),
        env={"HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=_WAIT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    name = f"Mem0 {told['version']}"
    return _side(name, told["listed"], told["history"], folder, gone, stays)


def _side(
    name: str,
    listed: int,
    history: int,
    folder: Path,
    gone: Sequence[str],
    stays: Sequence[str],
) -> Side:
    """What one search finds under ``folder``: of what has to be gone, and of what stays."""
    canaries, controls = (_payloads(texts) for texts in (gone, stays))
    sought = [one for payload in (*canaries, *controls) for one in _spelled(payload)]
    scan = scanning.scan(folder, sought, controls={})
    wanted, staying = ({payload.commitment for payload in some} for some in (canaries, controls))
    files = {
        one.path: (len(hits & wanted), len(hits & staying))
        for one in scan.files
        if (hits := {hit.of for hit in one.hits})
    }
    return Side(
        name=name,
        listed=listed,
        history=history,
        found=len(_found(scan) & wanted),
        controls=len(_found(scan) & staying),
        files=files,
    )


def _short(path: str) -> str:
    """The last two parts of a path: what is before is an id of this run."""
    return "/".join(Path(path).parts[-2:]) if "stores" not in path else Path(path).name


def _payloads(texts: Sequence[str]) -> list[Payload]:
    return [
        Payload(Role.TEXT, n.to_bytes(32, "big"), text.encode("utf-8"))
        for n, text in enumerate(texts)
    ]


def _spelled(payload: Payload) -> list[needles.Needle]:
    """Spellings of the whole text: not its first and last bytes, which others have too."""
    pieces = (needles.Form.START, needles.Form.END)
    told = needles.spellings(payload.commitment, payload.body)
    return [one for one in told if one.form not in pieces]


def _found(scan: Scan) -> set[str]:
    return {hit.of for one in scan.files for hit in one.hits}
