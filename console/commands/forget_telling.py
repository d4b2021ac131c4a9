"""How a plan and a report of a forget request look in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from console.commands.telling import count, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from review.forget.forgetting import Match
    from review.forget.plan import Plan
    from review.forget.report import Report

MOST: Final = 200
"""Rows of a plan that are told; all of them are in the JSON."""

_CLAIM: Final = 100


def matches(found: Sequence[Match], *, as_json: bool) -> None:
    """Records in which some words stand: a person chooses ids."""
    if as_json:
        told = [{"id": m.item, "kind": m.kind, "stage": m.stage, "claim": m.claim} for m in found]
        tell_json({"matches": told})
        return
    for one in found:
        tell(f"{one.item}  {one.stage:9}  {escape_line(one.claim[:200])}")
    say(f"{count(len(found))} records. Look at each, and name its id with --item.")


def plan(made: Plan, claims: Mapping[str, str | None]) -> None:
    """A preview in the words of the page: what goes, what is left, what nobody can know.

    Args:
        made: The plan.
        claims: What its records say, by id. Foreign text.
    """
    from console.cards.forget import plan_words
    from console.words import Say

    speak = Say("en")
    for line in plan_words.told(speak, made):
        tell(line)
    rows = made.rows[:MOST]
    if rows:
        tell()
        tell(speak.plain("forget.tree"))
    for row in rows:
        fate = speak.plain(f"forget.fate.{row.foreseen}")
        claim = escape_line((claims.get(row.id) or "")[:_CLAIM])
        what = claim or speak.plain(f"forget.row.{row.kind}", n=1)
        tell(f"  {'  ' * row.depth}{what}  ({row.id}, {fate})")
    if len(made.rows) > MOST:
        tell(speak.plain("forget.tree.first", n=len(made.rows), shown=MOST))
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
