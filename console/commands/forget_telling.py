"""How a plan and a report of a forget request look in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from console.commands.telling import count, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from review.desk import Desk
    from review.forget.forgetting import Matches
    from review.forget.plan import Plan
    from review.forget.report import Report
    from review.forget.requests import Ended

MOST: Final = 200
"""Rows of a plan that are told; all of them are in the JSON."""

_CLAIM: Final = 100


def matches(found: Matches, *, as_json: bool) -> None:
    """Records in which some words stand: a person chooses ids."""
    if as_json:
        told = [
            {"id": m.item, "kind": m.kind, "stage": m.stage, "claim": m.claim}
            for m in found.records
        ]
        tell_json({"matches": told, "found": found.found})
        return
    for one in found.records:
        tell(f"{one.item}  {one.stage:9}  {escape_line(one.claim[:200])}")
    shown = len(found.records)
    if shown < found.found:
        say(f"The newest {count(shown)} of {count(found.found)} records. More words find fewer.")
    say(f"{count(found.found)} records. Look at each, and name its id with --item.")


def discarded(forget: str, *, as_json: bool) -> None:
    """That the file about a request which nobody signed is gone."""
    if as_json:
        tell_json({"discarded": forget})
    else:
        tell(f"{forget}  thrown away. Nobody had signed it, and nothing of it was erased.")


def plan(made: Plan, claims: Mapping[str, str | None]) -> None:
    """A preview in the words of the page: what goes, what is left, what nobody can know.

    Args:
        made: The plan.
        claims: What its records, and questions typed to a model, say, by id. Foreign text.
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
        if claim and row.kind == "content":
            claim = f"{speak.plain('forget.row.typed')}: {claim}"
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


def open_requests(desk: Desk) -> None:
    """What of earlier requests is left to do, each with the way to do it."""
    at_work = desk.forget.at_work()
    if at_work:
        say("A forget request, a backup or a restore is being carried out on this store now.")
    for forget in () if at_work else desk.forget.unfinished():
        say(f"{forget} is not carried out in full: memory-console forget --request {forget}")
    for one in desk.forget.unsigned():
        when = f"begun {one.started_at[:16]}, " if one.started_at else ""
        say(f"{one.forget} {when}was never signed; nothing of it was erased.")
        if one.withdrawn:
            say(f"Up to {one.withdrawn} records may have been taken out of use for it already.")
        say(f"Preview again, and throw it away: memory-console forget --discard {one.forget}")
    for ended in desk.forget.unreported():
        say(without_report(ended))
    for forget in desk.forget.strange():
        say(f"The report of {forget} here is none that the log names: it was altered or replaced.")


def without_report(ended: Ended) -> str:
    """What the log says of a request whose report is not here, and what can be done."""
    from console.words import Say

    speak = Say("en")
    told = [
        f"{speak.plain(f'forget.status.{status}')} {number}"
        for status, number in ended.counts.items()
    ]
    how = "in full" if ended.completed else "in part"
    return (
        f"{ended.forget} was carried out {how} {ended.at[:16]} ({', '.join(told)}), and its "
        "report is not here. Whoever has the file brings it: memory-console forget-report --bring "
        f"FILE. What can be told without it: memory-console forget-verify {ended.forget}"
    )


def something_left(done: Report) -> bool:
    """Whether a record or a place is left, cannot be known, or is not shown to be gone."""
    from review.forget.statuses import Status

    rows = any(row.status is not Status.ERASED for row in done.rows)
    return rows or bool(done.left()) or done.outcome != "completed"
