"""How a plan and a report of a forget request look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from console.commands.telling import count, say, tell, tell_json
from review.visible import escape_line

if TYPE_CHECKING:
    from review.forget.forgetting import Match
    from review.forget.plan import Plan
    from review.forget.report import Report

MOST: Final = 200
"""Rows of a plan that are told; all of them are in the JSON."""


def matches(found: Sequence[Match], *, as_json: bool) -> None:
    """Records in which some words stand: a person chooses ids."""
    if as_json:
        told = [{"id": m.item, "kind": m.kind, "stage": m.stage, "claim": m.claim} for m in found]
        tell_json({"matches": told})
        return
    for one in found:
        tell(f"{one.item}  {one.stage:9}  {escape_line(one.claim[:200])}")
    say(f"{count(len(found))} records. Look at each, and name its id with --item.")


def plan(made: Plan) -> None:
    """A preview, in three groups and with the number to type."""
    from review.forget.plan import Foreseen

    names = {
        Foreseen.ERASED: "would be erased",
        Foreseen.WITHDRAWN: "withdrawn until a person approves it again",
        Foreseen.NEEDS_DECISION: "left to you: name its id with --also, or it stays",
        Foreseen.RETAINED: "kept for a duty",
        Foreseen.UNKNOWN: "of unknown lineage",
        Foreseen.GIVEN: "answers already given",
    }
    counted = made.counted()
    for foreseen, words in names.items():
        if not counted[foreseen]:
            continue
        tell(f"{count(counted[foreseen]):>7}  {words}")
        for row in made.of(foreseen)[:MOST]:
            why = f"{row.why}, {row.depth} away" if row.depth else str(row.why)
            tell(f"         {'  ' * row.depth}{row.id}  {row.kind}  {why}")
    for place in made.locations:
        if not place.location_id.startswith("always:"):
            day = f", until {place.delete_by}" if place.delete_by else ""
            tell(f"{count(place.items):>7}  in {place.location_id}: {place.status}{day}")
    tell(f"{count(made.unlinked):>7}  records do not say what they were made from")
    if made.missing:
        tell(f"{count(len(made.missing)):>7}  ids were not found")
    if made.stale:
        tell(f"{count(len(made.stale)):>7}  durable records would become STALE")
    say(f"To run it: --preview > plan.json, then --plan plan.json --type-count {made.typed}")


def report(done: Report) -> None:
    """The headline, the three numbers, and where the whole report is."""
    from review.forget.headline import headline
    from review.forget.statuses import Bucket

    counts = done.counts()
    tell(headline(done))
    tell(
        f"Erased {count(counts[Bucket.ERASED])}. Left {count(counts[Bucket.LEFT])}. "
        f"Cannot know {count(counts[Bucket.UNKNOWN])}, and {len(done.always())} kinds of places."
    )
    tell(f"request  {done.head.forget_id}")
    say(f"The report: memory-console forget-report {done.head.forget_id} --md")


def something_left(done: Report) -> bool:
    """Whether a record or a place is left, cannot be known, or is not shown to be gone."""
    from review.forget.statuses import Status

    rows = any(row.status is not Status.ERASED for row in done.rows)
    return rows or bool(done.left()) or done.outcome != "completed"
