"""Reads a CSV, JSON or JSON Lines file of no known format, as a person mapped its columns.

``columns`` lists what there is to choose from, with a proposal; ``importer_for`` gives an importer
for the choice. One ``Read`` per row or object; the row of column names is no record.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import islice
from typing import Final

from importers import reads
from importers.catalogue import Importer
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.mapped import choice
from importers.mapped import rows as mapped_rows
from importers.mapped.choice import CSV, JSON, Column, Columns, Mapping
from importers.mapped.record import Maker, Values
from importers.mapped.rows import Row
from importers.runs import text_in
from importers.source import Head, Source, SourceRefusedError
from store.cells import Kind, Proposal, Span
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "2"
CANNOT_TELL: Final = (RemarkCode.MAPPED_BY_PERSON, RemarkCode.NO_WRITER)
_LOOKED_AT: Final = 50
_EXAMPLES: Final = 3
_SHOWN: Final = 80
_MOST: Final = 200
_LIST: Final = re.compile(rb'"([^"\\]{1,64})"\s{0,20}:\s{0,20}\[')
_NUMBER: Final = re.compile(r"[\d\s.,:/-]+")


def importer_for(mapping: Mapping) -> Importer:
    """An importer that reads a source as ``mapping`` says.

    Raises:
        ValueError: If no column holds the claim, or the choice would give a kind that only a
            review here can give.
    """
    if not mapping.claim:
        msg = "no column is chosen for the claim. Choose the one that holds what to remember."
        raise ValueError(msg)
    if mapping.kind_always is Kind.VALIDATED_FACT:
        msg = "validated_fact is what a review here makes of a fact. Choose another kind."
        raise ValueError(msg)
    if mapping.form not in (CSV, JSON) or mapping.delimiter not in mapped_rows.DELIMITERS:
        msg = f"form {mapping.form!r} with delimiter {mapping.delimiter!r} cannot be read."
        raise ValueError(msg)
    table = mapping.form == CSV
    return Importer(
        "mapped_csv" if table else "mapped_jsonl",
        "CSV with columns you choose" if table else "JSON Lines with fields you choose",
        VERSION,
        lambda _: False,
        lambda source: _read(source, mapping),
        CANNOT_TELL,
        "text/csv" if table else "application/jsonl",
    )


def suggest(head: Head) -> Mapping:
    """A proposal from names and content.

    Raises:
        SourceRefusedError: If the head holds no rows and no objects.
    """
    return columns(head).proposed


def _is_no_text(data: bytes) -> bool:
    """Whether zero bytes stand in the first line or among what is no UTF-8; a bad row is a row."""
    if b"\0" not in data:
        return False
    torn = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        torn.decode(data)
    except UnicodeDecodeError:
        return True
    return b"\0" in data.split(b"\n", 1)[0]


def columns(head: Head) -> Columns:
    """The columns at the head of a file, with three values each, and a proposal.

    Raises:
        SourceRefusedError: If it holds no rows and no objects, or is no text.
    """
    if _is_no_text(head.data):
        why = "It is no text: it holds zero bytes, as pictures and archives do."
        raise SourceRefusedError(head.name, why, "Choose a CSV, JSON or JSON Lines file.")
    begin = head.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin[:1] in (b"{", b"["):
        under, objects = _objects(head.data)
        start, table = Mapping(form=JSON, under=under), [_flat(one) for one in objects]
    else:
        start, table = _table(head.data)
    names = list(dict.fromkeys(name for one in table for name in one))[:_MOST]
    if not names:
        why = "It has neither rows with columns nor JSON objects."
        raise SourceRefusedError(head.name, why, "Choose a CSV, JSON or JSON Lines file.")
    found = tuple(Column(name, _examples(one.get(name) for one in table)) for name in names)
    return Columns(found, choice.proposed(found, start))


def _examples(values: Iterable[object]) -> tuple[str, ...]:
    texts = dict.fromkeys(str(one)[:_SHOWN] for one in values if one not in (None, ""))
    return tuple(islice(texts, _EXAMPLES))


def _table(data: bytes) -> tuple[Mapping, list[Values]]:
    mark = mapped_rows.delimiter(data)
    found = list(islice(mapped_rows.rows(BytesIO(data), mark), _LOOKED_AT))
    rows = [row for row in found if row.cells and mapped_rows.separator(row.piece.raw) is None]
    if not rows:
        return Mapping(), []
    first = [cell.decode("utf-8", "replace").strip() for cell in rows[0].cells]
    header = _names_columns(first)
    names = _names(first if header else [], len(first))
    table: list[Values] = []
    for row in rows[1:] if header else rows:
        cells = [cell.decode("utf-8", "replace") for cell in row.cells]
        table.append(dict(zip(names, cells, strict=False)))
    if header and not table:
        table = [dict.fromkeys(names, "")]
    return Mapping(delimiter=mark, header=header), table


def _names_columns(cells: Sequence[str]) -> bool:
    """Whether a first row looks like names: short, and no numbers."""
    told = [cell for cell in cells if cell]
    return bool(told) and all(
        len(cell) <= 64 and len(cell.split()) <= 5 and not _NUMBER.fullmatch(cell) for cell in told
    )


def _names(first: Sequence[str], width: int) -> list[str]:
    """A name for each column: its own, or its number; a repeated one gets its number, too."""
    names: list[str] = []
    for number in range(1, width + 1):
        own = first[number - 1] if number <= len(first) else ""
        name = own or str(number)
        names.append(f"{name} ({number})" if name in names else name)
    return names


def _objects(data: bytes) -> tuple[str, list[JsonObject]]:
    """The first objects: of the list under the first key that has one, of a list, or of lines."""
    keys = frozenset(key.decode("utf-8", "replace") for key in _LIST.findall(data))
    lines = [one for one in islice(json_slices.lines(BytesIO(data)), _LOOKED_AT) if one.raw]
    parsed = [made for one in lines if (made := _object(one)) is not None]
    if len(parsed) > 1 or (parsed and not keys):
        return "", parsed
    found: dict[str, list[JsonObject]] = {}
    for one in json_slices.elements(BytesIO(data), keys):
        if isinstance(one, Slice) and (made := _object(one)) is not None:
            of_key = found.setdefault(one.key, [])
            if len(of_key) < _LOOKED_AT:
                of_key.append(made)
    if not found:
        return "", parsed
    under = max(found, key=lambda key: len(found[key]))
    return under, found[under]


def _object(piece: Slice) -> JsonObject | None:
    try:
        return parse_object(piece.raw) if piece.fault is None else None
    except RecordFaultError:
        return None


def _flat(record: JsonObject) -> Values:
    """Fields, and those of objects in them with a dot between."""
    flat: Values = {}
    for name, value in record.items():
        if isinstance(value, dict) and value:
            flat |= {f"{name}.{inner}": told for inner, told in value.items()}
        else:
            flat[name] = value
    return flat


def _read(source: Source, mapping: Mapping) -> Iterator[Read | Remark]:
    yield from (Remark(code) for code in CANNOT_TELL)
    maker = Maker(mapping, source.name, source.modified_at)
    with source.open() as stream:
        if mapping.form == CSV:
            rows = mapped_rows.rows(stream, mapping.delimiter)
            yield from _rows(rows, mapping, maker)
        else:
            yield from reads.with_tail(_json_reads(source, mapping, maker))


def _rows(rows: Iterator[Row], mapping: Mapping, maker: Maker) -> Iterator[Read]:
    names: list[str] | None = None
    for row in rows:
        found: Proposal | Nothing | Failed
        if row.fault is not None:
            found = row.fault
        elif not row.cells:
            found = Nothing(NothingReason.BLANK_LINE)
        elif names is None and mapped_rows.separator(row.piece.raw) is not None:
            continue
        elif names is None and mapping.header:
            first = [cell.decode("utf-8", "replace").strip() for cell in row.cells]
            names = _names(first, len(first))
            continue
        else:
            names = names or _names([], len(row.cells))
            found = _row(row, names, mapping, maker)
        yield Read(reads.place_of(row.piece), row.piece.raw, found)


def _row(
    row: Row, names: Sequence[str], mapping: Mapping, maker: Maker
) -> Proposal | Nothing | Failed:
    if any(cell.strip() for cell in row.cells[len(names) :]):
        return Failed(FailReason.WRONG_SHAPE)
    values: Values = {}
    spans: dict[str, Span] = {}
    for name, cell, span in zip(names, row.cells, row.spans, strict=False):
        try:
            values[name] = cell.decode("utf-8")
        except UnicodeDecodeError as error:
            return Failed(FailReason.NOT_UTF8, span.start + error.start)
        spans[name] = span
    try:
        return maker.found(values, lambda _: spans.get(mapping.claim))
    except RecordFaultError as fault:
        return fault.failed


def _json_reads(source: Source, mapping: Mapping, maker: Maker) -> Iterator[Read]:
    def found(record: JsonObject, raw: bytes) -> Proposal | Nothing:
        return maker.found(record, lambda claim: text_in(raw, claim))

    begin = source.head(1_024).data.removeprefix(b"\xef\xbb\xbf").lstrip()
    with source.open() as stream:
        if begin.startswith(b"[") or mapping.under:
            for one in json_slices.elements(stream, frozenset({mapping.under} - {""})):
                if isinstance(one, Slice) and (one.key == mapping.under or one.fault):
                    yield reads.read_one(one, found)
        else:
            for line in json_slices.lines(stream):
                yield reads.read_one(line, found)
