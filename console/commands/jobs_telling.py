"""A job in words and as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from console.commands import import_summary
from console.commands.import_summary import LABELS
from console.commands.telling import count
from console.commands.telling import tell as tell_line
from console.job_words import JobState, PartState, Step, StepState, Verdict
from console.jobs import ROWS
from review.text.visible import escape_line
from store.records import Outcome

if TYPE_CHECKING:
    from console.job_starting import Jobs
    from console.jobs import Job, Row

VERDICTS: Final = {
    Verdict.WRITTEN: "written",
    Verdict.LEFT: "written, with something left",
    Verdict.KNOWN: "nothing new: already known",
    Verdict.KNOWN_LEFT: "nothing new; the rest failed or was refused",
    Verdict.EMPTY: "nothing extracted",
    Verdict.REFUSED: "nothing written: refused",
    Verdict.FAILED: "nothing written: failed",
}
STEPS: Final = {
    Step.READ: "read",
    Step.CHECKED: "policy and secrets",
    Step.FACTS: "facts",
    Step.WRITTEN: "recorded",
}
_STEP_STATES: Final = {
    StepState.WAITING: "waiting",
    StepState.RUNNING: "at it",
    StepState.DONE: "done",
    StepState.FAILED: "not finished",
    StepState.NOT_DONE: "not done",
}
_ADVICE: Final = {
    JobState.INTERRUPTED: "Its process is gone. Take it up with: memory-console jobs go-on {job}",
    JobState.STOPPED: "Take it up with: memory-console jobs go-on {job}",
    JobState.FAILED: "After mending that: memory-console jobs go-on {job}",
}


def as_json(job: Job, jobs: Jobs, tenant: str) -> dict[str, Any]:
    """A job as plain values."""
    errors = jobs.files.errors(job.id)
    return {
        "job": job.id,
        "tenant": tenant,
        "state": str(job.state),
        "verdict": None if job.open else str(job.verdict),
        "created_at": job.created_at,
        "started_at": job.started_at or None,
        "ended_at": job.ended_at or None,
        "attempts": job.attempts,
        "verbatim": job.verbatim,
        "sources": [asked.name for asked in job.sources],
        "bytes": {"read": job.bytes_read, "of": job.size},
        "records_read": job.records_read,
        "outcomes": {str(outcome): n for outcome, n in job.totals.items()},
        "problem": job.problem or None,
        "errors_file": str(errors) if errors.exists() else None,
        "made_durable": 0,
        "parts": [
            import_summary.as_json(part, tenant=tenant, errors=errors, home=jobs.home)
            | {
                "bytes": {"read": part.bytes_read, "of": part.size},
                "records_read": part.records_read,
                "earlier_imports": [one.import_id for one in part.earlier],
                "rows": [_row_json(row) for row in part.rows],
            }
            for part in job.parts
        ],
    }


def tell_list(jobs: list[Job], tenant: str) -> None:
    """Print a line for each job."""
    into = escape_line(tenant)
    if not jobs:
        tell_line(f"No import was begun in {into}.")
        return
    for job in jobs:
        names = ", ".join(escape_line(asked.name) for asked in job.sources[:3])
        more = f" and {len(job.sources) - 3} more" if len(job.sources) > 3 else ""
        tell_line(f"{job.id}  {escape_line(job.created_at[:16])}Z  {state_of(job)}")
        behind = "in the store so far" if job.open else "read"
        tell_line(f"  {names}{more}: {count(job.read)} {behind}, {_counts(job.totals)}")


def tell(job: Job, jobs: Jobs, tenant: str) -> None:
    """Print one job with all its parts."""
    errors = jobs.files.errors(job.id)
    tell_line(f"{job.id} into {escape_line(tenant)}: {state_of(job)}")
    if job.problem:
        tell_line(f"  {escape_line(job.problem)}")
    if job.state in _ADVICE:
        tell_line(f"  {_ADVICE[job.state].format(job=job.id)}")
    for part in job.parts:
        import_summary.tell_summary(part, tenant=tenant, errors=errors, home=jobs.home, rows=ROWS)
        if part.state is not PartState.UNREADABLE:
            steps = (
                f"{name} {count(part.steps[step].records)}"
                f" ({_STEP_STATES[part.steps[step].state]})"
                for step, name in STEPS.items()
            )
            tell_line(f"  Steps: {', '.join(steps)}")


def state_of(job: Job) -> str:
    """Where a job is, and what it came to if it has ended."""
    if job.open:
        share = f" {100 * job.bytes_read // job.size} %" if job.size else ""
        return f"{job.state}{share}, {count(job.records_read)} records read so far"
    if job.state is JobState.FINISHED:
        return f"{job.state}: {VERDICTS[job.verdict]}"
    return str(job.state)


def _counts(counts: dict[Outcome, int]) -> str:
    told = [f"{label.lower()} {count(counts[one])}" for one, (label, _) in LABELS.items()]
    return ", ".join(told)


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "member": row.member,
        "line": row.line,
        "start": row.start,
        "end": row.end,
        "outcome": str(row.outcome),
        "reason": row.reason,
        "field": row.field,
        "column": row.column,
    }
