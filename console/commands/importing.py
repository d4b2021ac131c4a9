"""``import``: reads foreign files and stages what they hold. Nothing becomes durable here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import import_progress, import_summary, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.import_summary import Told
from console.commands.telling import count, may_ask, say, say_escaped, tell_json

if TYPE_CHECKING:
    from console.identity import Tenant
    from importers.catalogue import Importer
    from importers.source import Source
    from review.desk import Desk
    from review.staging import Receipt

EXAMPLES: Final = """
memory-console import crm.jsonl
memory-console import export.json notes/ --tenant acme
memory-console import mem0.json --importer mem0 --json
"""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an import is done and shown."""

    verbatim: bool
    terminal: bool
    quiet: bool


def run(  # noqa: PLR0913 - each is an option of the command
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", show_default=False)],
    tenant: opening.TenantOption = None,
    importer: Annotated[
        str | None, typer.Option("--importer", metavar="NAME", help="The format, if you know it.")
    ] = None,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="The exact letters of every claim matter.")
    ] = False,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say only what went wrong.")] = False,
    no_input: opening.NoInputOption = False,
) -> None:
    """Stage the memories of files or folders for review. Nothing becomes durable by this.

    Importing the same file again stages nothing twice. Ctrl-C leaves whole batches only.
    """
    sources, unknown = _recognised(paths, importer, ask=may_ask(no_input=no_input))
    place = opening.workspace_or_new()
    into = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(into), seconds=wait)
    desk = place.desk(into)
    if desk.policy.problem:
        say_escaped(desk.policy.problem)
    silent = quiet or as_json
    manner = Manner(verbatim, terminal=sys.stderr.isatty(), quiet=silent)
    told: list[Told] = []
    try:
        for path, source, chosen in sources:
            told.append(_fresh(source, chosen, into))
            _stage(desk, (source, chosen), manner, told[-1])
            _explain(desk, path, told[-1])
    except KeyboardInterrupt:
        _stopped(told)
        raise typer.Exit(ExitCode.ERROR) from None
    finally:
        if as_json:
            tell_json({"imports": [one.as_json() for one in told]})
        elif not quiet:
            for one in told:
                import_summary.tell_summary(one)
    left = sum(one.left for one in told)
    if unknown:
        say(f"{count(unknown)} of {count(len(paths))} sources were not imported; see above.")
        raise typer.Exit(ExitCode.LEFT)
    if left:
        if quiet:
            say(f"{count(left)} records failed or were refused.")
        raise typer.Exit(ExitCode.LEFT)


def _recognised(
    paths: Sequence[Path], name: str | None, *, ask: bool
) -> tuple[list[tuple[Path, Source, Importer]], int]:
    """Every path with its importer, before anything is staged, and how many have none.

    One source in no known format does not hold up the others; a single one is an error.
    """
    missing = [path for path in paths if not path.exists()]
    if missing:
        sentence = f"There is no {missing[0]}. Nothing was imported. Check the path and try again."
        raise CommandError(sentence, ExitCode.NOT_FOUND)
    from importers import catalogue
    from importers.source import from_path

    if name is not None and name not in catalogue.IMPORTERS:
        known = ", ".join(catalogue.IMPORTERS)
        sentence = f"There is no importer {name}. Nothing was imported. Known ones: {known}."
        raise CommandError(sentence, ExitCode.USAGE)
    found, unknown = [], 0
    for path in paths:
        source = from_path(path)
        try:
            chosen = catalogue.named(name) if name else catalogue.detect(source)
        except catalogue.UnknownFormatError as error:
            if not ask and len(paths) == 1:
                raise
            say_escaped(str(error))
            if not ask:
                unknown += 1
                continue
            chosen = catalogue.named(_asked(tuple(catalogue.IMPORTERS)))
        found.append((path, source, chosen))
    return found, unknown


def _asked(known: tuple[str, ...]) -> str:
    while True:
        answer = str(typer.prompt("Read it as which importer", err=True))
        if answer in known:
            return answer
        say(f"Known importers: {', '.join(known)}. Ctrl-C to leave.")


def _fresh(source: Source, importer: Importer, into: Tenant) -> Told:
    return Told(
        name=source.name,
        tenant=into.name,
        importer=f"{importer.name}/{importer.version}",
        sha256="",
        remarks=dict.fromkeys(importer.cannot_tell, 0),
    )


def _stage(desk: Desk, what: tuple[Source, Importer], manner: Manner, told: Told) -> None:
    """Stage one source, keeping in ``told`` what is in the store after each batch."""
    from importers.catalogue import open_reading

    source, importer = what

    def progress(receipt: Receipt) -> None:
        told.import_id = receipt.import_id
        told.batches = receipt.batches
        told.items = list(receipt.items)
        told.counts = {outcome: receipt.counts[outcome] for outcome in told.counts}

    reading = open_reading(source, importer)
    told.sha256 = reading.origin.sha256
    stop = import_progress.Stop()
    shown = import_progress.shown(source.size, terminal=manner.terminal, quiet=manner.quiet)
    with stop.listening(), shown as watcher:
        watched = import_progress.watched(reading, watcher, stop)
        receipt = desk.stage(watched, verbatim=manner.verbatim, progress=progress)
    told.remarks |= receipt.remarks
    told.finished = True


def _explain(desk: Desk, path: Path, told: Told) -> None:
    """Write the list of what failed, beside the person, if there is anything to list."""
    if not told.left:
        return
    try:
        name = path.name or path.resolve().name
        rows = desk.outcomes_of(told.import_id)
        written = import_summary.write_errors(Path.cwd(), name, rows)
    except OSError as error:
        say(f"The list of failures could not be written here ({error.strerror}).")
    else:
        told.errors_file = written.name if written else None


def _stopped(told: Sequence[Told]) -> None:
    last = told[-1] if told else None
    if last is None or not last.batches:
        say("Stopped. Nothing of this file is in the store. Import it again to start over.")
        return
    batches = "batch" if last.batches == 1 else "batches"
    say(
        f"Stopped. {count(last.read)} records are in, in {last.batches} whole {batches}; "
        "the rest is not. Import it again to take up the rest."
    )
