"""The records of a JSON file that is a list, a list inside an object, lines, or one object alone.

For formats whose one record may be larger than all that is looked at before a format is chosen:
keys are told by their depth, also of a record that is cut. Whatever the form, a record comes as a
slice with its own place, and one over the limit of ``json_slices`` as a slice that has failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple, cast

from importers.json_reading import extent
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.tokens import STRING
from importers.source import Source
from store.records import FailReason

_BOM: Final = b"\xef\xbb\xbf"
_TOKEN: Final = re.compile(rb"(" + STRING + rb")(\s*+:)?+|[{}\[\]]|\"[^\n]*+")
"""The last: a string that does not close is passed over to the end of its line, in one step."""

_ANOTHER: Final = re.compile(rb'\n\{"')
_RECORDS: Final = 5


class Form(NamedTuple):
    """How the records of a file stand in it, and the keys of the first few."""

    name: str = ""
    """``list``, ``wrapped``, ``lines`` or ``one``; empty when it does not begin like JSON."""

    records: tuple[frozenset[str], ...] = ()
    wrapper: str = ""
    """The key of the list, where the list is inside an object."""

    def any_record(self, *names: str) -> bool:
        """Whether some record among the first has all these keys."""
        return any(keys.issuperset(names) for keys in self.records)


def of(data: bytes, wrappers: frozenset[str] = frozenset()) -> Form:
    """The form of a file that begins with ``data``.

    Args:
        data: The beginning of the file, which may end anywhere.
        wrappers: Keys under which a list of records may stand in an object.
    """
    begin = data.removeprefix(_BOM).lstrip()
    if begin.startswith(b"["):
        return Form("list", _keys(begin, "[{")[0])
    if not begin.startswith(b"{"):
        return Form()
    own, lists = _keys(begin, "{")
    for key in lists:
        if key in wrappers:
            return Form("wrapped", _keys(begin, "{[{", key)[0], key)
    first = begin.split(b"\n", 1)[0]
    whole = extent.end_of_value(begin, 0)
    alone = b"\n" not in begin or 0 <= whole <= len(first) or _ANOTHER.search(begin)
    return Form("lines" if alone else "one", own)


def slices(source: Source, form: Form) -> Iterator[Slice]:
    """Every record of the source, in its order."""
    with source.open() as stream:
        if form.name == "lines":
            yield from json_slices.lines(stream)
        elif form.name == "one":
            yield from _alone(stream)
        else:
            found = json_slices.elements(stream, frozenset({form.wrapper} - {""}))
            yield from (one for one in found if isinstance(one, Slice))


def _alone(stream: BinaryIO) -> Iterator[Slice]:
    """One object that is the whole file, found as the only element of a list around it."""
    begin = stream.read(len(_BOM))
    before = len(_BOM) if begin == _BOM else 0
    around = _Prefixed(b"[" + begin[before:], stream)
    for one in json_slices.elements(cast(BinaryIO, around), frozenset()):
        assert isinstance(one, Slice)
        unclosed = one.fault is not None and one.fault.reason is FailReason.CUT_SHORT
        if not unclosed or one.raw:
            yield one._replace(start=one.start - 1 + before, end=one.end - 1 + before)


class _Prefixed:
    """A stream with some bytes before it."""

    def __init__(self, before: bytes, stream: BinaryIO) -> None:
        self._before, self._stream = BytesIO(before), stream

    def read(self, size: int) -> bytes:
        return self._before.read(size) or self._stream.read(size)


def _keys(data: bytes, at: str, under: str = "") -> tuple[tuple[frozenset[str], ...], list[str]]:
    """Keys of the first objects on the path ``at``, and keys of lists of a top-level object."""
    path, top = "", ""
    found: list[set[str]] = []
    lists: list[str] = []
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in (b"{", b"["):
            if path == "{" and mark == b"[":
                lists.append(top)
            path += mark.decode()
            if path == at and top == under:
                if len(found) == _RECORDS:
                    break
                found.append(set())
        elif mark in (b"}", b"]"):
            path = path[:-1]
        elif token[2] is not None:
            name = token[1][1:-1].decode("utf-8", "replace")
            if path == at and found and (not under or top == under):
                found[-1].add(name)
            if path == "{":
                top = name
    return tuple(frozenset(one) for one in found), lists
