"""A preview as lines: the same words in the three columns of the page and in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from console.cards.forget import places
from console.words import Say
from review.forget.locations import Location
from review.forget.plan import Foreseen, Plan
from review.forget.statuses import Status

_KEPT_FATES: Final = (Foreseen.WITHDRAWN, Foreseen.RETAINED, Foreseen.GIVEN)
_CLEANED: Final = (Status.ERASED, Status.ERASED_UNVERIFIED)


def erased(say: Say, plan: Plan) -> Iterator[str]:
    """What would be erased: rows by what they are and why they are in the plan, and our places."""
    found = Counter((row.kind, row.why) for row in plan.erased)
    for (kind, why), count in found.items():
        what = say.plain(f"forget.row.{kind}", n=count)
        yield f"{what} · {say.plain(f'forget.why.{why}')}"
    if not found:
        yield say.plain("forget.none")
    for one in _ours(plan.locations):
        yield places.line(say, one)


def left(say: Say, plan: Plan) -> Iterator[str]:
    """What would be left, and where."""
    rows = plan.of(*_KEPT_FATES)
    for fate, count in Counter(row.foreseen for row in rows).items():
        yield say.plain(f"forget.foreseen.{fate}", n=count)
    for row in rows:
        if row.hold is not None:
            yield say.plain("forget.hold", basis=row.hold[0], until=row.hold[1])
    for one in plan.locations:
        if one.status not in _CLEANED and not places.is_always(one):
            yield places.line(say, one)
    for name in places.KEPT:
        yield places.reason(say, name)


def unknown(say: Say, plan: Plan) -> Iterator[str]:
    """What nobody can know, or what a person has to decide first."""
    for fate in (Foreseen.NEEDS_DECISION, Foreseen.UNKNOWN):
        if rows := plan.of(fate):
            yield say.plain(f"forget.foreseen.{fate}", n=len(rows))
    if plan.unlinked:
        yield say.plain("forget.unlinked", n=plan.unlinked)
    for name in places.UNSEEN:
        yield places.reason(say, name)


def effects(say: Say, plan: Plan) -> Iterator[str]:
    """What else changes: answers that lose evidence, records that go stale."""
    used = sum(row.used_in for row in plan.erased)
    if plan.stale:
        yield say.plain("forget.effect.stale", n=len(plan.stale))
    if used:
        yield say.plain("forget.effect.answers", n=used)


def told(say: Say, plan: Plan) -> Iterator[str]:
    """All of it, each part below its heading."""
    if plan.missing:
        yield say.plain("forget.missing", n=len(plan.missing))
    parts = (
        ("forget.will.erase", erased(say, plan)),
        ("forget.will.leave", left(say, plan)),
        ("forget.will.unknown", unknown(say, plan)),
        ("forget.effects", effects(say, plan)),
    )
    for key, lines in parts:
        found = list(lines)
        if found:
            yield say.plain(key)
            yield from (f"  {line}" for line in found)


def _ours(locations: Iterable[Location]) -> list[Location]:
    return [one for one in locations if one.status in _CLEANED and one.location_id != "store"]
