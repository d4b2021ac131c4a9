"""``runs`` and ``insights build``: what happened, and what could be learned from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from review.desk import Desk
    from review.runs import Kept

RUNS_EXAMPLES: Final = """
memory-console runs
memory-console runs --ending rejected --json
memory-console runs 01M8N99H18M4HHV12TN4FZ2JXW
"""
BUILD_EXAMPLES: Final = """
memory-console insights build
"""
_LONGEST: Final = 200


def runs(
    run: Annotated[str, typer.Argument(metavar="[RUN]", help="One run in full.")] = "",
    tenant: opening.TenantOption = None,
    ending: Annotated[
        str, typer.Option("--ending", metavar="WORD", help="rejected, corrected, failed, …")
    ] = "",
    page: Annotated[int, typer.Option("--page", min=1, help="Page of the list.")] = 1,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List the runs that are kept as evidence, newest first, or show one with all its steps."""
    from review.analysis import Ending
    from review.runs import NoSuchRunError, RunsWanted

    if ending and ending not in list(Ending):
        known = ", ".join(Ending)
        sentence = f"There is no ending {ending}. Known ones: {known}."
        raise CommandError(sentence, ExitCode.USAGE)
    desk = _desk(tenant, wait)
    if run:
        try:
            kept = desk.experience.run(run)
        except NoSuchRunError as error:
            raise CommandError(str(error), ExitCode.NOT_FOUND) from error
        tell_json(_whole(kept)) if as_json else _tell_whole(kept)
        return
    found = desk.experience.page(RunsWanted(ending=ending), page)
    if as_json:
        tell_json({"total": found.total, "runs": [_brief(one) for one in found.runs]})
        return
    for one in found.runs:
        told = _brief(one)
        asked = escape_line(told["asked"])[:80]
        judged = told["decisions"] or "undecided"
        tell(f"{one.item}  {told['ending']:<10}  {judged:<12}  {told['steps']:>4} steps  {asked}")
    say(f"{count(found.total)} runs.")


def build(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    again: Annotated[
        bool, typer.Option("--read-again", help="Read every run again first, by these rules.")
    ] = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Propose insights: what people rejected with a reason, and what they put right.

    The proposals are staged like any import and wait for a person. Runs never change.
    """
    from store.records import Outcome

    desk = _desk(tenant, wait)
    changed = desk.experience.read_again() if again else 0
    found = desk.experience.build()
    counts = {str(o): found.receipt.counts[o] if found.receipt else 0 for o in Outcome}
    told = {
        "runs": found.built.runs,
        "read_again": changed,
        "decisions": found.built.decided,
        "rejections_without_reason": found.built.unexplained,
        "edits_of_style_only": found.built.style_only,
        "outcomes": counts,
        "made_durable": 0,
    }
    if as_json:
        tell_json(told)
        return
    tell(f"{count(found.built.runs)} runs, {count(found.built.decided)} decisions of people")
    tell(f"  rejections without a reason  {count(found.built.unexplained)}")
    tell(f"  edits of style only          {count(found.built.style_only)}")
    tell(f"  insights, new                {count(counts['written'])}")
    tell(f"  insights, already known      {count(counts['already_known'])}")
    tell("Nothing was made durable. They wait in the inbox.")


def _desk(tenant: str | None, wait: float) -> Desk:
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    return place.desk(which)


def _brief(kept: Kept) -> dict[str, Any]:
    from store.trajectories import StepKind

    run = kept.run
    steps = run.steps if run else ()
    asked = next((step.text for step in steps if step.kind is StepKind.INPUT), "")
    judged = [str(one.verdict) for one in (run.decisions if run else ()) if not one.weak]
    return {
        "run": kept.item,
        "source_id": run.source_id if run else None,
        "importer": kept.importer,
        "asked": asked[:_LONGEST],
        "steps": len(steps),
        "decisions": ", ".join(judged),
        "ending": str(kept.analysis.ending) if kept.analysis else "",
        "first_wrong": kept.analysis.first_wrong if kept.analysis else None,
        "started_at": run.started_at if run else None,
        "erased": run is None,
    }


def _whole(kept: Kept) -> dict[str, Any]:
    run = kept.run
    told = _brief(kept)
    if run is not None:
        told["steps"] = [
            {
                "kind": str(step.kind),
                "text": step.text,
                "who": step.who,
                "at": step.at,
                "name": step.name,
                "failed": step.failed,
                "line": step.line,
                "start": step.start,
                "end": step.end,
            }
            for step in run.steps
        ]
        told["decisions"] = [
            {
                "verdict": str(one.verdict),
                "step": one.step,
                "reason": one.reason,
                "edit": one.edit,
                "by": one.by,
                "weak": one.weak,
            }
            for one in run.decisions
        ]
    return told


def _tell_whole(kept: Kept) -> None:
    told = _brief(kept)
    tell(f"{kept.item}  {escape_line(str(told['source_id']))}  {told['ending']}")
    if kept.run is None:
        tell("Its content was erased.")
        return
    for place, step in enumerate(kept.run.steps):
        wrong = kept.analysis is not None and kept.analysis.first_wrong == place
        mark = " (first wrong step)" if wrong else ""
        head = " ".join(part for part in (str(step.kind), step.name, step.at or "") if part)
        tell(f"{place + 1:>4}  {escape_line(head)}{mark}")
        tell(f"      {escape_line(step.text)[:_LONGEST]}")
        for one in kept.run.decisions:
            if one.step == place:
                tell(
                    f"      a person: {one.verdict}, {escape_line(one.reason or 'reason unknown')}"
                )
    if not kept.run.decisions:
        say("Nobody decided. That is not an accept.")
