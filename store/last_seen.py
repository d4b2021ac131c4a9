"""What one reader of snapshots has seen, kept in its own folder: it never goes back behind it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from store import whole_files


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest snapshot and the newest deny list that were verified here."""

    store: str
    size: int
    """Events of the log that the snapshot shows."""

    root: str
    """Their Merkle root, hex."""

    denied: int = -1
    """Position that the deny list was signed at; -1 for none."""


class SeenUnreadableError(RuntimeError):
    """What was seen before cannot be told, so nothing can be compared with it."""


def read(path: Path) -> Seen | None:
    """What was seen, or None before the first time.

    Raises:
        SeenUnreadableError: If the file is not one that ``write`` wrote.
    """
    try:
        return _seen(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, KeyError, ValueError, TypeError, RecursionError) as error:
        msg = f"{path.name} cannot be read ({type(error).__name__})."
        raise SeenUnreadableError(msg) from error


def _seen(told: dict[str, object]) -> Seen:
    words, numbers = ("store", "root"), ("size", "denied")
    for names, kind in ((words, str), (numbers, int)):
        for name in names:
            if type(told[name]) is not kind:
                raise TypeError(name)
    return Seen(**told)  # type: ignore[arg-type]  # just looked at


def write(path: Path, seen: Seen) -> None:
    """Keep ``seen``."""
    whole_files.put(path, json.dumps(asdict(seen), indent=1).encode("ascii") + b"\n")
