"""``import``: reads foreign files and stages what they hold. Nothing becomes durable here."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console import identity
from console.commands import (
    import_choice,
    import_progress,
    import_sources,
    import_summary,
    opening,
)
from console.commands.faults import ExitCode, explained
from console.commands.telling import count, may_ask, say, say_escaped, tell, tell_json

if TYPE_CHECKING:
    from console.identity import Settings, Tenant
    from console.job_starting import Jobs
    from console.jobs import Job, Part
    from console.wiring import Workspace
    from importers.sandbox import Part as Piece

EXAMPLES: Final = """
memory-console import crm.jsonl
memory-console import export.zip notes/ --tenant acme
memory-console import big.jsonl --background
memory-console import table.csv --columns
memory-console import table.csv --map Text=claim --map Date=written_at --encoding cp1251
"""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an import is shown."""

    as_json: bool
    quiet: bool
    ask: bool

    @property
    def silent(self) -> bool:
        """Whether no progress is shown."""
        return self.quiet or self.as_json


def run(  # noqa: PLR0913 - each is an option of the command
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", show_default=False)],
    tenant: opening.TenantOption = None,
    importer: Annotated[
        str | None, typer.Option("--importer", metavar="NAME", help="The format, if you know it.")
    ] = None,
    columns: Annotated[
        bool, typer.Option("--columns", help="Show the columns of a table, and import nothing.")
    ] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="Which column is what. Repeatable."),
    ] = None,
    map_file: Annotated[
        Path | None,
        typer.Option("--map-file", metavar="FILE", help="The same, from a JSON file."),
    ] = None,
    encoding: Annotated[
        str, typer.Option("--encoding", metavar="NAME", help="Of text that is not UTF-8.")
    ] = "",
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="The exact letters of every claim matter.")
    ] = False,
    background: Annotated[
        bool, typer.Option("--background", help="Print the job's id and return at once.")
    ] = False,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say only what went wrong.")] = False,
    no_input: opening.NoInputOption = False,
) -> None:
    """Stage the memories of files, folders or archives for review. Nothing becomes durable.

    Importing the same file again stages nothing twice. Ctrl-C leaves whole batches only.
    """
    manner = Manner(as_json, quiet, ask=may_ask(no_input=no_input) and not background)
    import_sources.present(paths)
    chosen = import_choice.encoding(encoding)
    if columns:
        import_choice.tell_columns(paths, encoding=chosen, as_json=as_json)
        return
    sources = import_sources.asked(paths, importer, chosen, map_ or [], map_file)
    opened = {} if background else import_sources.recognised(sources, ask=manner.ask)
    if background:
        settings = opening.settings_or_new()
        into = settings.tenant(tenant or identity.tenant_name())
        jobs = jobs_of(settings, into)
        job = jobs.new(sources, verbatim=verbatim)
        jobs.start(job)
        if as_json:
            tell_json({"job": job.id, "tenant": into.name, "state": str(job.state)})
        else:
            tell(job.id)
            say(f"Begun in the background. Look with: memory-console jobs {job.id} --follow")
        return
    place = opening.workspace_or_new()
    into = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(into), seconds=wait)
    jobs = jobs_of(place.settings, into)
    job = jobs.new(sources, verbatim=verbatim)
    _in_front(place, into, (jobs, job), opened, manner)


def jobs_of(settings: Settings, tenant: Tenant) -> Jobs:
    """The jobs of one tenant."""
    from console.job_starting import Jobs

    return Jobs(
        settings.home,
        tenant.id,
        clock=identity.now,
        chance=identity.chance,
        environment=identity.keyless_environment(),
    )


def _in_front(
    place: Workspace,
    into: Tenant,
    work: tuple[Jobs, Job],
    opened: dict[int, tuple[Piece, ...]],
    manner: Manner,
) -> None:
    """Do the job in this process, and tell what became of it."""
    from console.job_running import Running
    from console.job_stopping import Stop, StoppedError

    jobs, job = work
    total = sum(piece.source.size for pieces in opened.values() for piece in pieces)
    shown = import_progress.shown(total, terminal=sys.stderr.isatty(), quiet=manner.silent)
    failure: Exception | None = None
    stopped = False
    handle = jobs.files.lock(job.id)
    try:
        with shown as watcher:

            def told(now: Job, _ended: Part | None) -> None:
                if now.records_read or not now.open:
                    watcher(now.bytes_read, now.records_read)

            running = Running(
                job,
                jobs.files,
                clock=identity.now,
                stop=Stop(said=import_progress.STOPPING),
                explain=_sentence,
                told=told,
            )
            desk = place.desk(into)
            if desk.policy.problem:
                say_escaped(desk.policy.problem)
            running.run(lambda: desk, pid=os.getpid(), opened=opened)
    except (StoppedError, KeyboardInterrupt):
        stopped = True
        _tell_stop(job)
    except Exception as error:
        if not manner.as_json:
            raise
        failure = error
    finally:
        os.close(handle)
        _report(job, into, jobs.files.errors(job.id), place.home, manner, failure)
    _leave(job, manner, stopped=stopped, failure=failure)


def _report(
    job: Job, into: Tenant, errors: Path, home: Path, manner: Manner, failure: Exception | None
) -> None:
    from console.job_words import PartState

    read = [part for part in job.parts if part.state is not PartState.UNREADABLE]
    begun = [part for part in read if part.state is not PartState.WAITING]
    if manner.as_json:
        tell_json(
            {
                "job": job.id,
                "state": str(job.state),
                "imports": [
                    import_summary.as_json(part, tenant=into.name, errors=errors, home=home)
                    for part in begun
                ],
                "unreadable": [
                    {"name": part.name, "problem": part.problem} for part in job.unreadable
                ],
                "error": _error(failure),
            }
        )
    elif not manner.quiet:
        for part in begun:
            import_summary.tell_summary(part, tenant=into.name, errors=errors, home=home)
        if len(begun) > 1:
            tell(f"{count(len(begun))} parts in all: {count(job.read)} records read ({job.id})")
            import_summary.tell_counts(job.totals, None, runs=sum(part.runs for part in begun))


def _error(failure: Exception | None) -> dict[str, Any] | None:
    fault = explained(failure) if failure is not None else None
    return None if fault is None else fault.as_json()


def _leave(job: Job, manner: Manner, *, stopped: bool, failure: Exception | None) -> None:
    """End with the exit code that says what became of it."""
    if failure is not None:
        fault = explained(failure)
        if fault is None:
            raise failure
        say_escaped(fault.sentence)
        raise typer.Exit(fault.code)
    if stopped:
        raise typer.Exit(ExitCode.ERROR)
    for part in job.unreadable:
        say_escaped(part.problem)
    if job.unreadable:
        if len(job.sources) == len(job.parts) == 1:
            raise typer.Exit(ExitCode.ERROR)
        numbers = {part.source for part in job.unreadable}
        of = count(len(job.sources))
        say(f"{count(len(numbers))} of {of} sources were not imported; see above.")
        raise typer.Exit(ExitCode.LEFT)
    if job.left:
        if manner.quiet:
            say(f"{count(job.left)} records failed or were refused.")
        raise typer.Exit(ExitCode.LEFT)


def _sentence(error: Exception) -> str:
    fault = explained(error)
    return fault.sentence if fault is not None else f"A defect here: {type(error).__name__}."


def _tell_stop(job: Job) -> None:
    if not job.read:
        say("Stopped. Nothing of this file is in the store. Import it again to start over.")
        return
    whole = sum(part.batches for part in job.parts)
    batches = "batch" if whole == 1 else "batches"
    say(
        f"Stopped. {count(job.read)} records are in, in {whole} whole {batches}; "
        "the rest is not. Import it again to take up the rest."
    )
