"""Which Mem0 rows replace which, found in a first pass over the file.

The platform writes ``replaced_by`` on the old row; a supersession belongs on the new one, which
may stand earlier in the file. Memory grows with the number of replaced rows only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import parse_object

_NAMED: Final = re.compile(rb'"replaced_by"\s*+:\s*+"')


@dataclass(frozen=True, slots=True)
class Succession:
    """``replaces`` maps an id to the ids it replaces; ``present`` are replacers in the file."""

    replaces: dict[str, tuple[str, ...]] = field(default_factory=dict)
    present: frozenset[str] = frozenset()


def of(pieces: Callable[[], Iterable[Slice]]) -> Succession:
    """Read the file once for the links, and once more, if there are any, for their targets."""
    replaces: dict[str, tuple[str, ...]] = {}
    for piece in pieces():
        if _NAMED.search(piece.raw):
            old, new = _text(piece, "id"), _text(piece, "replaced_by")
            if old and new and old != new:
                replaces[new] = (*replaces.get(new, ()), old)
    if not replaces:
        return Succession()
    seen = (_text(piece, "id") for piece in pieces())
    return Succession(replaces, frozenset(one for one in seen if one in replaces))


def _text(piece: Slice, name: str) -> str:
    try:
        found = parse_object(piece.raw).get(name)
    except RecordFaultError:
        return ""
    return found if isinstance(found, str) else ""
