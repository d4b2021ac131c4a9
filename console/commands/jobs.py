"""``jobs``: the imports of a workspace, how far they are, and what became of every record."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console import identity
from console.commands import import_progress, opening
from console.commands.faults import ExitCode
from console.commands.importing import jobs_of
from console.commands.surface import Group
from console.commands.telling import say, tell_json

if TYPE_CHECKING:
    from console.identity import Tenant
    from console.job_starting import Jobs
    from console.jobs import Job

EXAMPLES: Final = """
memory-console jobs
memory-console jobs JOB --follow
memory-console jobs stop JOB
memory-console jobs go-on JOB
"""
SHOW_EXAMPLES: Final = """
memory-console jobs JOB
memory-console jobs JOB --json
"""
STOP_EXAMPLES: Final = "memory-console jobs stop JOB"
GO_ON_EXAMPLES: Final = "memory-console jobs go-on JOB --follow"
DROP_EXAMPLES: Final = "memory-console jobs drop JOB"
_BETWEEN: Final = 0.3
"""Seconds between two looks at a job that is followed."""

JobArgument = Annotated[str, typer.Argument(metavar="JOB", show_default=False)]
FollowOption = Annotated[
    bool, typer.Option("--follow", help="Wait for its end; the exit code is that of the import.")
]


class JobsGroup(Group):
    """``jobs JOB`` shows one job; what is no command here can only be the id of one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - typer keeps it private
        """The command that ``args`` name; an id of a job stands for ``show``."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


def list_(
    ctx: typer.Context,
    tenant: opening.TenantOption = None,
    most: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = 20,
    as_json: opening.JsonOption = False,
) -> None:
    """List the imports that were begun, newest first, with what became of their records."""
    if ctx.invoked_subcommand is not None:
        return
    from console.commands import jobs_telling

    jobs, into = _jobs(tenant)
    found = jobs.all(most=most)
    if as_json:
        tell_json({"jobs": [jobs_telling.as_json(job, jobs, into.name) for job in found]})
        return
    jobs_telling.tell_list(found, into.name)


def show(
    job: JobArgument,
    tenant: opening.TenantOption = None,
    follow: FollowOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Show one import: each part with its steps, its five outcomes and its first failing rows."""
    from console.commands import jobs_telling

    jobs, into = _jobs(tenant)
    found = jobs.read(job)
    if follow:
        found = _followed(jobs, found, quiet=as_json)
    if as_json:
        tell_json(jobs_telling.as_json(found, jobs, into.name))
    else:
        jobs_telling.tell(found, jobs, into.name)
    if follow:
        _leave(found)


def stop(job: JobArgument, tenant: opening.TenantOption = None) -> None:
    """Ask a running import to stop. Whole batches stay; the rest can be taken up again."""
    jobs, _ = _jobs(tenant)
    if not jobs.stop(job).open:
        say(f"{job} has ended already. Nothing was changed.")
        return
    say(f"Asked {job} to stop after the batch that is being written.")


def go_on(
    job: JobArgument, tenant: opening.TenantOption = None, follow: FollowOption = False
) -> None:
    """Take up an import that was interrupted or stopped, or that failed, in the background."""
    from console.commands import jobs_telling

    jobs, into = _jobs(tenant)
    found = jobs.again(job)
    say(f"{job} goes on. What is in the store is not staged twice.")
    if follow:
        found = _followed(jobs, found, quiet=False)
        jobs_telling.tell(found, jobs, into.name)
        _leave(found)


def drop(job: JobArgument, tenant: opening.TenantOption = None) -> None:
    """Remove what is kept of an import that has ended: its receipt, not its records."""
    jobs, _ = _jobs(tenant)
    jobs.files.erase(jobs.read(job))
    say(f"Removed {job}. What it staged is in the store as before.")


def _jobs(name: str | None) -> tuple[Jobs, Tenant]:
    settings = opening.settings()
    into = settings.tenant(name or identity.tenant_name())
    return jobs_of(settings, into), into


def _followed(jobs: Jobs, job: Job, *, quiet: bool) -> Job:
    """Wait for the job's end, saying how far it is."""
    told, size = import_progress.tenths(1), 0
    while job.open:
        if job.size and not quiet:
            if job.size != size:
                told, size = import_progress.tenths(job.size), job.size
            told(job.bytes_read, job.records_read)
        time.sleep(_BETWEEN)
        job = jobs.read(job.id)
    return job


def _leave(job: Job) -> None:
    from console.job_words import JobState

    if job.state is not JobState.FINISHED:
        raise typer.Exit(ExitCode.ERROR)
    if job.left or job.unreadable:
        raise typer.Exit(ExitCode.LEFT)
