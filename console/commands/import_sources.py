"""What an import command is to read: the paths, and what the person says about each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from console.commands import import_choice
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, say_escaped

if TYPE_CHECKING:
    from console.jobs import Asked
    from importers.catalogue import UnknownFormatError
    from importers.sandbox import Part

_MAPPED: Final = ("mapped_csv", "mapped_jsonl", "mapped")
"""Importers that read by columns of the person's choice, which no name says."""


def present(paths: Sequence[Path]) -> None:
    """Go on.

    Raises:
        CommandError: If a path leads nowhere.
    """
    missing = [path for path in paths if not path.exists()]
    if missing:
        sentence = f"There is no {missing[0]}. Nothing was imported. Check the path and try again."
        raise CommandError(sentence, ExitCode.NOT_FOUND)


def asked(
    paths: Sequence[Path],
    importer: str | None,
    encoding: str,
    told: Sequence[str],
    file: Path | None,
) -> list[Asked]:
    """The sources, and what the person says about each, before anything is staged.

    Raises:
        CommandError: If a choice is none, or two of them say different things.
    """
    from console.jobs import Asked
    from importers import catalogue
    from importers.source import told as named

    if importer in _MAPPED:
        sentence = (
            f"{importer} reads columns that you choose. Nothing was imported. "
            "Look with --columns, then say --map COLUMN=FIELD instead of --importer."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    if importer is not None and importer not in catalogue.IMPORTERS:
        known = ", ".join(catalogue.IMPORTERS)
        sentence = f"There is no importer {importer}. Nothing was imported. Known ones: {known}."
        raise CommandError(sentence, ExitCode.USAGE)
    mapped = bool(told) or file is not None
    if mapped and importer is not None:
        sentence = "--map and --importer say different things. Nothing was imported. Give one."
        raise CommandError(sentence, ExitCode.USAGE)
    return [
        Asked(
            name=named(path.name or path.resolve().name),
            path=os.fsdecode(path.resolve()),
            importer=importer or "",
            encoding=encoding,
            mapping=import_choice.mapping(path, told, file, encoding=encoding) if mapped else None,
        )
        for path in paths
    ]


def recognised(sources: Sequence[Asked], *, ask: bool) -> dict[int, tuple[Part, ...]]:
    """The parts of every source that can be read, before anything is staged.

    One source in no known format does not hold up the others; a single one is an error.

    Raises:
        CommandError: If the only source is in no known format.
        importers.source.SourceRefusedError: If the only source cannot be opened.
    """
    from console import job_parts
    from importers import catalogue
    from importers.source import SourceRefusedError

    found = {}
    for number, source in enumerate(sources):
        try:
            try:
                found[number] = job_parts.apart(source, uploaded=False)
            except catalogue.UnknownFormatError as error:
                if not ask or error.is_empty:
                    raise
                say_escaped(_unknown(error, source))
                source.importer = _answer(tuple(catalogue.IMPORTERS))
                found[number] = job_parts.apart(source, uploaded=False)
        except catalogue.UnknownFormatError as error:
            if len(sources) == 1:
                raise CommandError(_unknown(error, source)) from error
        except SourceRefusedError:
            if len(sources) == 1:
                raise
    return found


def _unknown(error: UnknownFormatError, source: Asked) -> str:
    """Why it cannot be read, and what can be done, the likeliest first."""
    if error.is_empty:
        return str(error)
    likely = "" if source.encoding else import_choice.likely(Path(source.path))
    encoded = f" --encoding {likely}" if likely else ""
    return (
        f"{error.source} is in no format that is known here ({error.looked_at}). "
        f"Nothing was imported. "
        f"{'Its text is not UTF-8. ' if likely else ''}"
        f"If it is a table, or JSON of your own: memory-console import FILE{encoded} --columns. "
        f"If you know its format: --importer NAME, one of {', '.join(error.known)}."
    )


def _answer(known: tuple[str, ...]) -> str:
    while True:
        answer = str(typer.prompt("Read it as which importer", err=True))
        if answer in known:
            return answer
        say(f"Known importers: {', '.join(known)}. Ctrl-C to leave.")
