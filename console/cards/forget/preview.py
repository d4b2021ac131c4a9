"""What a request would do, in three columns: erased, left and known where, not to be known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.forget import places, tree
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.forget.locations import Location
from review.forget.plan import Foreseen, Plan, PlanRow
from review.forget.statuses import Status

_KEPT_FATES: Final = (Foreseen.WITHDRAWN, Foreseen.RETAINED, Foreseen.GIVEN)
_CLEANED: Final = (Status.ERASED, Status.ERASED_UNVERIFIED)


def draw(desk: Desk, visit: Visit, plan: Plan, *, expires: str) -> tuple[str, ...]:
    """Draw a plan; ids of the rows left to a person that he ticked."""
    say = visit.say
    if plan.empty:
        st.warning(say("forget.nothing", n=plan.unlinked), icon=":material/search_off:")
    if plan.missing:
        st.warning(say("forget.missing", n=len(plan.missing)))
    st.caption(say("forget.valid_until", when=expires))
    erased, left, unknown = st.columns(3, border=True)
    with erased:
        st.subheader(say("forget.will.erase"), anchor=False)
        _tally(say, plan.erased)
        for one in _ours(plan.locations):
            st.text(places.line(say, one))
    with left:
        st.subheader(say("forget.will.leave"), anchor=False)
        _left(say, plan)
    with unknown:
        st.subheader(say("forget.will.unknown"), anchor=False)
        _unknown(say, plan)
    _effects(say, plan)
    ticked = tree.undecided(desk, say, plan)
    tree.draw(desk, say, plan)
    st.download_button(
        say("forget.download.plan"),
        json.dumps(plan.as_json(), ensure_ascii=False, indent=1),
        file_name=f"forget-plan-{plan.forget}.json",
        mime="application/json",
        key="forget-plan-json",
        on_click="ignore",
    )
    return ticked


def _tally(say: Say, rows: Iterable[PlanRow]) -> None:
    """Rows by what they are and why they are in the plan."""
    found = Counter((row.kind, row.why) for row in rows)
    for (kind, why), count in found.items():
        what = say.plain(f"forget.row.{kind}", n=count)
        st.text(f"{what} · {say.plain(f'forget.why.{why}')}")
    if not found:
        st.text(say.plain("forget.none"))


def _left(say: Say, plan: Plan) -> None:
    rows = plan.of(*_KEPT_FATES)
    for fate, count in Counter(row.foreseen for row in rows).items():
        st.text(say.plain(f"forget.foreseen.{fate}", n=count))
    for row in rows:
        if row.hold is not None:
            st.text(say.plain("forget.hold", basis=row.hold[0], until=row.hold[1]))
    for one in plan.locations:
        if one.status not in _CLEANED and not places.is_always(one):
            st.text(places.line(say, one))
    for name in places.KEPT:
        st.text(places.reason(say, name))


def _unknown(say: Say, plan: Plan) -> None:
    undecided = plan.of(Foreseen.NEEDS_DECISION)
    if undecided:
        st.text(say.plain("forget.foreseen.needs_decision", n=len(undecided)))
    unknown = plan.of(Foreseen.UNKNOWN)
    if unknown:
        st.text(say.plain("forget.foreseen.unknown", n=len(unknown)))
    if plan.unlinked:
        st.text(say.plain("forget.unlinked", n=plan.unlinked))
    for name in places.UNSEEN:
        st.text(places.reason(say, name))


def _effects(say: Say, plan: Plan) -> None:
    """What else changes: answers and rules that lose evidence, records that go stale."""
    used = sum(row.used_in for row in plan.erased)
    told = []
    if plan.stale:
        told.append(say.plain("forget.effect.stale", n=len(plan.stale)))
    if used:
        told.append(say.plain("forget.effect.answers", n=used))
    if told:
        with st.container(border=True, key="forget-effects"):
            st.subheader(say("forget.effects"), anchor=False)
            for one in told:
                st.text(one)


def _ours(locations: Iterable[Location]) -> list[Location]:
    return [one for one in locations if one.status in _CLEANED and one.location_id != "store"]


def moved(visit: Visit, why: str) -> None:
    """Why a preview does not hold any more, and that nothing was erased."""
    st.warning(visit.say("forget.moved"), icon=":material/update:")
    untrusted.line(why)
