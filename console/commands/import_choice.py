"""What a person says about a file that the file does not: its columns and its encoding."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell, tell_json
from review.text.visible import clip, escape_line

if TYPE_CHECKING:
    from importers.mapped.choice import Columns, Mapping

ONE: Final = (
    *("claim", "kind", "source_id", "written_at", "valid_from", "valid_until"),
    *("confidence", "review_id"),
)
MANY: Final = ("entities", "scope")
FIELDS: Final = (*ONE, *MANY)
"""What a column can be."""

_SHOWN: Final = 40


def encoding(name: str) -> str:
    """The encoding called ``name``; empty for UTF-8.

    Raises:
        CommandError: If it is none that can be read.
    """
    from importers.encodings import ENCODINGS

    if name.lower() in ("", "utf-8", "utf8"):
        return ""
    if name.lower() not in ENCODINGS:
        known = ", ".join(("utf-8", *ENCODINGS))
        sentence = f"There is no encoding {name}. Nothing was imported. Known ones: {known}."
        raise CommandError(sentence, ExitCode.USAGE)
    return name.lower()


def mapping(path: Path, told: Sequence[str], file: Path | None, *, encoding: str) -> Mapping:
    """Which column of ``path`` is what, as the person says it.

    Only the form of the file - its separator, its row of names - is taken from the proposal.

    Raises:
        CommandError: If a field or column is unknown, or there is no column for the claim.
        importers.source.SourceRefusedError: If the file has no columns.
    """
    found = _columns(path, encoding)
    plain = _form_of(found)
    chosen = plain if file is None else _from_file(file, plain)
    known = [one.name for one in found.columns]
    for one in told:
        column, sign, field = one.rpartition("=")
        if not sign or field not in FIELDS:
            sentence = (
                f"--map {one} is not COLUMN=FIELD. Nothing was imported. "
                f"Fields: {', '.join(FIELDS)}."
            )
            raise CommandError(sentence, ExitCode.USAGE)
        value = (*getattr(chosen, field), column) if field in MANY else column
        chosen = replace(chosen, **{field: value})  # type: ignore[arg-type]  # a field of that type
    _check(path, chosen, known, hint="" if encoding else _hint(path))
    return chosen


def tell_columns(paths: Sequence[Path], *, encoding: str, as_json: bool) -> None:
    """Print the columns of each file with examples and what is proposed for them."""
    known = [(path, encoding or likely(path)) for path in paths]
    found = [(path, told, _columns(path, told)) for path, told in known]
    if as_json:
        tell_json({"files": [_as_json(path, told, one) for path, told, one in found]})
        return
    for path, told, one in found:
        noun = "column" if len(one.columns) == 1 else "columns"
        tell(f"{escape_line(path.name)}: {len(one.columns)} {noun}")
        if told and not encoding:
            say(
                f"It is not UTF-8. It is shown as {told}, which is the likeliest; {_others(told)}."
            )
        width = max(len(_cut(column.name)) for column in one.columns)
        for column in one.columns:
            field = _field_of(column.name, one.proposed) or "-"
            examples = "   ".join(_cut(example) for example in column.examples)
            tell(f"  {_cut(column.name):<{width}}  {field:<11}  {examples}")
        options = " ".join(
            f"--map {shlex.quote(f'{column.name}={field}')}"
            for column in one.columns
            if (field := _field_of(column.name, one.proposed))
        )
        if one.proposed.claim:
            say("Proposed; nothing is taken without being asked:")
            begin = f"memory-console import {shlex.quote(str(path))}"
            tell(escape_line(f"{begin}{f' --encoding {told}' if told else ''} {options}"))
        else:
            say("No column looks like the text to remember. Choose one: --map COLUMN=claim")


def likely(path: Path) -> str:
    """The likeliest encoding of a file whose beginning is not UTF-8; empty if it is."""
    from importers.encodings import guess
    from importers.source import from_path

    source = from_path(path)
    return "" if source.is_folder else guess(source.head().data) or ""


def _others(told: str) -> str:
    from importers.encodings import ENCODINGS

    return f"or --encoding {' or '.join(one for one in ENCODINGS if one != told)}"


def _columns(path: Path, encoding: str) -> Columns:
    from importers import sandbox
    from importers.source import from_path

    return sandbox.columns(from_path(path), encoding=encoding)


def _form_of(found: Columns) -> Mapping:
    from importers.mapped.choice import Mapping

    proposed = found.proposed
    return Mapping(
        form=proposed.form,
        delimiter=proposed.delimiter,
        header=proposed.header,
        under=proposed.under,
    )


def _from_file(file: Path, plain: Mapping) -> Mapping:
    import msgspec

    try:
        told = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        unknown = set(told) - {one.name for one in fields(plain)}
        if unknown:
            msg = f"no field {min(unknown)}"
            raise msgspec.ValidationError(msg)
        return msgspec.convert(msgspec.to_builtins(plain) | told, type=type(plain))
    except msgspec.DecodeError as error:
        sentence = (
            f"{file.name} is no mapping ({error}). Nothing was imported. It is what "
            "memory-console import FILE --columns --json gives under proposed."
        )
        raise CommandError(sentence, ExitCode.USAGE) from error


def _hint(path: Path) -> str:
    told = likely(path)
    return f" The text is not UTF-8: try --encoding {told}." if told else ""


def _check(path: Path, chosen: Mapping, known: Sequence[str], *, hint: str) -> None:
    from importers.mapped.importer import importer_for

    named = [getattr(chosen, field) for field in ONE] + [*chosen.entities, *chosen.scope]
    for name in named:
        if name and name not in known:
            shown = ", ".join(_cut(one) for one in known[:20])
            sentence = f"{path.name} has no column {name}. Nothing was imported. It has: {shown}."
            raise CommandError(sentence + hint, ExitCode.USAGE)
    try:
        importer_for(chosen)
    except ValueError as error:
        told = str(error)
        sentence = f"{told[:1].upper()}{told[1:]} Nothing was imported."
        raise CommandError(sentence, ExitCode.USAGE) from error


def _field_of(column: str, proposed: Mapping) -> str:
    for field in ONE:
        if getattr(proposed, field) == column:
            return field
    return next((field for field in MANY if column in getattr(proposed, field)), "")


def _as_json(path: Path, encoding: str, found: Columns) -> dict[str, Any]:
    import msgspec

    return {
        "name": path.name,
        "encoding": encoding or "utf-8",
        "columns": [{"name": one.name, "examples": list(one.examples)} for one in found.columns],
        "proposed": msgspec.to_builtins(found.proposed),
    }


def _cut(text: str) -> str:
    head, left = clip(escape_line(text), _SHOWN)
    return f"{head}…" if left else head
