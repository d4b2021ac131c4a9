"""Looks for erased contents in the bytes of every file under a folder.

One pass over each file and its name, with every spelling of every content and every control at
once. Links are not followed; what cannot be read is said and claims nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from store.needles import Needle
from store.scan_targets import FileTarget, Stream, Target
from store.scans import Control, FileScan, Hit, Scan, Unread
from store.searching import Search

_BATCH: Final = 1 << 20
_SAMPLE: Final = 1 << 17
_SAMPLES: Final = 32
_MOST_HITS: Final = 100
"""Places of one spelling in one file that are kept: more change nothing."""


def scan(  # noqa: PLR0913 - each says of what nothing may be claimed, or why
    folder: Path,
    needles: Sequence[Needle],
    *,
    controls: Mapping[str, Sequence[bytes]],
    kept: Iterable[bytes] = (),
    too_short: Iterable[str] = (),
    unsought: Iterable[str] = (),
    leave_out: Container[str] = (),
    streams: Sequence[Stream] = (),
) -> Scan:
    """Search every file under ``folder``.

    Args:
        folder: Where to look, with everything below it.
        needles: What to look for: see ``store.needles``.
        controls: For each file that is not plain text, by its path relative to ``folder`` with
            forward slashes: texts of at least 12 bytes that stay in it, as its reader tells them.
        kept: Contents that stay in the store. A spelling that was found and occurs in one of them
            is no sign of what was erased; it is told apart.
        too_short: Commitments of contents of which only the salt is among ``needles``.
        unsought: Commitments of contents whose bytes nobody knows any more.
        leave_out: Folders and files that are not searched, by their paths relative to ``folder``:
            what belongs to others.
        streams: What is searched besides, and is no file under ``folder``.

    Raises:
        RuntimeError: If this very thread holds a store under ``folder`` open.
        NotADirectoryError: If there is no such folder.
    """
    if not folder.is_dir():
        msg = f"there is no folder {folder.name} to search through."
        raise NotADirectoryError(msg)
    spelled: dict[bytes, list[Needle]] = {}
    for needle in needles:
        spelled.setdefault(needle.data, []).append(needle)
    targets: list[Target] = [
        *(FileTarget(path, told) for path, told in _walk(folder, leave_out)),
        *streams,
    ]
    for target in targets:
        target.prepare(controls.get(target.name, ()))
    own = (one for target in targets for one in target.controls)
    search = Search(list(dict.fromkeys((*spelled, *own))), like=_sample(targets))
    searched = [_searched(target, search, spelled) for target in targets]
    stays = _staying({data for one in searched for data in one.found}, kept)
    return Scan(
        files=tuple(one.told(spelled, stays) for one in searched),
        patterns=len(spelled),
        contents=len({needle.of for needle in needles}),
        too_short=tuple(sorted(too_short)),
        unsought=tuple(sorted(unsought)),
        shared=tuple(sorted({(one.of, one.form) for data in stays for one in spelled[data]})),
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    """What stood in one file, before it is known what stays elsewhere."""

    path: str
    size: int
    sha256: str
    found: Mapping[bytes, Sequence[int]]
    control: Control
    controls: int
    control_hits: int
    unread: Unread | None

    def told(self, spelled: Mapping[bytes, Sequence[Needle]], stays: Container[bytes]) -> FileScan:
        """The result, without the bytes."""
        hits = [
            Hit(needle.of, needle.form, offset)
            for data, offsets in self.found.items()
            if data not in stays
            for offset in offsets
            for needle in spelled[data]
        ]
        return FileScan(
            path=self.path,
            size=self.size,
            sha256=self.sha256,
            hits=tuple(sorted(hits, key=lambda hit: (hit.offset, hit.of, hit.form))),
            control=self.control,
            controls=self.controls,
            control_hits=self.control_hits,
            unread=self.unread,
        )


def _searched(target: Target, search: Search, spelled: Container[bytes]) -> _Searched:
    digest, size = hashlib.sha256(), 0
    found = {data: [0] for data in _in_name(target.name, search) if data in spelled}
    due, seen = set(target.controls), set[bytes]()

    def taken(chunk: bytes) -> None:
        nonlocal size
        digest.update(chunk)
        size += len(chunk)

    if target.unread is None:
        try:
            for data, offset in target.found(search, taken):
                if data in due:
                    seen.add(data)
                if data in spelled and len(found.setdefault(data, [])) < _MOST_HITS:
                    found[data].append(offset)
        except OSError:
            target.unread = Unread.UNREADABLE
    due &= set(target.controls)
    return _Searched(
        path=target.name,
        size=size,
        sha256="" if target.unread == Unread.NOT_A_FILE else digest.hexdigest(),
        found=found,
        control=target.control,
        controls=len(due),
        control_hits=len(due & seen),
        unread=target.unread,
    )


def _in_name(name: str, search: Search) -> set[bytes]:
    """What stands in the name of a file itself: it is told as found at the file's first byte."""
    return {data for data, _ in search.in_bytes(name.encode("utf-8", "surrogateescape"))}


def _sample(targets: Sequence[Target]) -> bytes:
    """Some of the largest file, from all over it: what is common in it costs much to look up."""
    readable = [one for one in targets if one.unread is None]
    if not readable:
        return b""
    largest = max(readable, key=lambda one: one.size)
    step = max(largest.size // _SAMPLES, _SAMPLE)
    try:
        return b"".join(largest.piece(at, _SAMPLE) for at in range(0, largest.size, step))
    except OSError:
        return b""


def _staying(found: Collection[bytes], kept: Iterable[bytes]) -> set[bytes]:
    """Which of the byte strings occur in something that stays."""
    left, stays = list(found), set[bytes]()
    search = Search(left)
    for batch in _batches(kept) if left else ():
        seen = {data for data, _ in search.in_bytes(batch)}
        if seen:  # what is known to stay is not looked for again
            stays |= seen
            left = [data for data in left if data not in seen]
            search = Search(left)
            if not left:
                break
    return stays


def _batches(bodies: Iterable[bytes]) -> Iterator[bytes]:
    """Bodies joined into pieces of about a megabyte, with a byte between that no text has."""
    waiting, size = list[bytes](), 0
    for body in bodies:
        waiting.append(body)
        size += len(body)
        if size >= _BATCH:
            yield b"\xff".join(waiting)
            waiting, size = [], 0
    yield b"\xff".join(waiting)


def _walk(folder: Path, leave_out: Container[str] = ()) -> Iterator[tuple[Path, str]]:
    """Everything under ``folder`` that is no folder, and folders that cannot be looked into."""
    closed: list[Path] = []
    for base, folders, names in os.walk(
        folder, onerror=lambda error: closed.append(Path(str(error.filename)))
    ):
        own = Path(base)
        at = "" if own == folder else f"{own.relative_to(folder).as_posix()}/"
        folders[:] = sorted(name for name in folders if f"{at}{name}" not in leave_out)
        links = [name for name in folders if (own / name).is_symlink()]
        for name in sorted([*names, *links]):
            if f"{at}{name}" not in leave_out:
                yield own / name, f"{at}{name}"
    for path in closed:
        yield path, path.relative_to(folder).as_posix()
