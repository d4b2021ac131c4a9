"""What the first bytes of a file look like: lines or a list, and the keys of its first records.

Used to recognise a format by its content. It must not fail on broken content, so a record that
does not parse still tells its keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import parse_object

_LOOKED_AT: Final = 5
_KEY: Final = re.compile(rb'"([A-Za-z_]{1,40})"\s*+:')


@dataclass(frozen=True, slots=True)
class Shape:
    """``list``, ``object`` or ``lines``; empty when the bytes do not begin like JSON."""

    form: str = ""
    keys: frozenset[str] = frozenset()
    """Keys of the top-level object, when the file is one."""

    records: tuple[frozenset[str], ...] = ()
    """Keys of each of the first few records that are objects."""

    beside: frozenset[tuple[str, bytes]] = frozenset()
    """Small top-level members as written, without white space around them."""

    def any_record(self, *names: str) -> bool:
        """Whether some record among the first has all these keys."""
        return any(keys.issuperset(names) for keys in self.records)


def of(data: bytes, lists: frozenset[str]) -> Shape:
    """The shape of ``data``, where records may stand in a top-level list under ``lists``."""
    begin = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"["):
        found = islice(json_slices.elements(BytesIO(data), lists), _LOOKED_AT)
        return Shape("list", records=_keys(one for one in found if isinstance(one, Slice)))
    if not begin.startswith(b"{"):
        return Shape()
    whole = json_slices.elements(BytesIO(data), lists)
    keys: set[str] = set()
    records: list[Slice] = []
    beside: set[tuple[str, bytes]] = set()
    more = False  # another object after the first: lines, whatever their keys
    for one in islice(whole, 2_000):
        if isinstance(one, Slice):
            if one.key and len(records) < _LOOKED_AT:
                records.append(one)
            more = more or (not one.key and one.raw.startswith(b"{"))
        else:
            keys.add(one.key)
            beside.add((one.key, one.raw[:64].strip()))
    if keys & lists and not more:
        return Shape("object", frozenset(keys), _keys(records), frozenset(beside))
    rows = (row for row in json_slices.lines(BytesIO(data)) if row.raw.strip())
    return Shape("lines", frozenset(keys), _keys(islice(rows, _LOOKED_AT)), frozenset(beside))


def _keys(pieces: Iterable[Slice]) -> tuple[frozenset[str], ...]:
    found: list[frozenset[str]] = []
    for piece in pieces:
        try:
            found.append(frozenset(parse_object(piece.raw)))
        except RecordFaultError:
            names = json_tokens.members(piece.raw) if not piece.fault else {}
            seen = (key.decode() for key in _KEY.findall(piece.raw))
            found.append(frozenset(names) | frozenset(seen))
    return tuple(found)
