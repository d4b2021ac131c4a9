"""A store in which people rejected the same act in several runs, and one insight was approved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from review.deciding import Wish
from review.desk import Desk
from review.queue import Wanted
from store.cells import Kind
from store.stages import DecisionKind
from tests.conftest import NOON
from tests.review.desks import desk_over, signer
from tests.review.run_worlds import reading, run

REASON = "In March we usually shipped jackets to Elektrostal when Koledino was full."
ACT = "ship jackets to Koledino"
PEOPLE = ("oleg", "anna", "petr", "vera", "ivan")
LONG_AGO = NOON - timedelta(days=24)


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def judged(
    name: str,
    *,
    verdict: str = "reject",
    reason: str | None = REASON,
    by: str = "",
    at: str | None = stamp(LONG_AGO),
    act: str = ACT,
    tool: str = "ship",
    session: str = "",
    **more,
):
    """One run in which one person judged one call of a tool."""
    steps = [
        ("input", f"Ship the jackets of order {name}."),
        ("action", act, {"name": tool, "call": "c1"}),
    ]
    decision = {"verdict": verdict, "step": 1, "reason": reason, "by": by, "at": at, **more}
    return run(name, steps, [decision], session=session or f"s-{name}")


def supporting(people=PEOPLE, **more):
    return [judged(f"for-{who}-{n}", by=who, **more) for n, who in enumerate(people)]


def later(**more):
    """A run after the insight was built, in which somebody else rejected the same act."""
    told = {"reason": "Wrong warehouse.", "by": "sofia", "at": stamp(NOON - timedelta(days=2))}
    return judged("later", **(told | more))


def learn(desk: Desk, reviewer, runs) -> str:
    """Import runs, build insights, and approve the one that the first run gives."""
    runs = list(runs)
    desk.stage(reading(runs))
    desk.experience.build()
    claim = runs[0].found.decisions[0].reason
    waiting = desk.waiting(Wanted(kind=str(Kind.INSIGHT))).rows
    (item,) = [row.item for row in waiting if row.claim == claim]
    approve(desk, reviewer, item)
    return item


def approve(desk: Desk, reviewer, *items: str) -> None:
    decide(desk, reviewer, DecisionKind.APPROVE, *items)


def decide(desk: Desk, reviewer, decision: DecisionKind, *items: str, **wish) -> None:
    for item in items:
        shown = desk.card_of(item)
        seen = tuple(str(flag.code) for flag in shown.flags)
        told = {"acknowledged": seen, "nonce": desk.new_nonce()} | wish
        desk.draft(shown, Wish(decision, **told))
    receipt = desk.sign(signer(reviewer))
    assert not receipt.set_aside, receipt.set_aside


def ready(store, reviewer, *, outside=True) -> tuple[Desk, str]:
    """A desk on which everything but the text is ready, and the insight."""
    desk = desk_over(store, reviewer)
    item = learn(desk, reviewer, supporting())
    if outside:
        desk.stage(reading([later()], name="later.jsonl"))
    return desk, item
