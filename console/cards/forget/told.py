"""The report of a request: what was erased, what is left and where, what nobody can know."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import streamlit as st

from console.cards import refusals
from console.cards.forget import confirm, downloads, places, timeline
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.locations import Location
from review.forget.report import Report
from review.forget.statuses import Bucket, Status
from review.identities import short

_ROWS = 200
_CHECKED = "forget-checked"


def draw(desk: Desk, visit: Visit, report: Report, *, kept: bool = True) -> None:
    """Draw a report; of one that was looked at again, what was found then.

    Args:
        desk: Whose request it is.
        visit: The visit.
        report: What is told.
        kept: Whether the report is here; about the places of another one nobody can say anything.
    """
    shown = (_checked(report) if kept else None) or report
    _head(visit, shown)
    left, unknown = st.columns([3, 2], border=True)
    with left:
        _left(desk, visit, shown, kept=kept)
    with unknown:
        _unknown(visit, shown)
    timeline.draw(visit, shown.left(), today=desk.now()[:10])
    _rows(visit, shown)
    with st.container(horizontal=True, vertical_alignment="center", key="forget-report-bar"):
        downloads.draw(visit, shown)
        if kept and st.button(visit.say("forget.check"), key="forget-check"):
            _check(desk, visit, report)


def _head(visit: Visit, report: Report) -> None:
    say, head = visit.say, report.head
    n = len(report.left())
    key = "forget.done" if report.outcome == "completed" else "forget.partial"
    with st.container(key="verdict"):
        st.header(say(key, n=n, when=moment(head.started)), anchor=False)
        downloads.headline(visit, report)
        st.caption(say("forget.by", who=visit.who(head.requested_by), id=short(head.forget_id)))
    counts, statuses = report.counts(), report.statuses()
    total = sum(counts.values())
    erased, left, unknown, scope = st.columns(4)
    erased.metric(say("forget.count.erased"), say.plain("start.count", n=counts[Bucket.ERASED]))
    left.metric(say("forget.count.left"), say.plain("start.count", n=counts[Bucket.LEFT]))
    unknown.metric(say("forget.count.unknown"), say.plain("start.count", n=counts[Bucket.UNKNOWN]))
    scope.metric(say("forget.count.scope"), say.plain("start.count", n=total))
    st.caption(say("forget.counted", when=moment(report.checked_at or head.ended)))
    if statuses[Status.ERASED_UNVERIFIED]:
        st.caption(say("forget.unverified", n=statuses[Status.ERASED_UNVERIFIED]))


def _left(desk: Desk, visit: Visit, report: Report, *, kept: bool) -> None:
    say = visit.say
    st.subheader(say("forget.left"), anchor=False)
    for status, count in report.statuses().items():
        if status not in (Status.ERASED, Status.ERASED_UNVERIFIED, Status.UNKNOWN_LINEAGE):
            st.text(f"{say.plain(f'forget.status.{status}')}: {count}")
    places_left = report.left()
    for n, one in enumerate(places_left, start=1):
        with st.container(border=True, key=f"forget-left-{n}"):
            st.text(f"{n}. {places.line(say, one)}")
            st.text(_state(visit, one))
            confirm.said(visit, one)
            if kept:
                confirm.draw(desk, visit, report, one)
    for one in report.always():
        if one.residual_reason in places.KEPT:
            st.text(places.reason(say, one.residual_reason))


def _state(visit: Visit, one: Location) -> str:
    say = visit.say
    parts = [say.plain(f"forget.status.{one.status}")]
    if one.residual_reason:
        parts.append(places.reason(say, one.residual_reason))
    if told := places.step(say, one.next_step):
        parts.append(told)
    return " · ".join(parts)


def _unknown(visit: Visit, report: Report) -> None:
    say = visit.say
    st.subheader(say("forget.cannot"), anchor=False)
    if report.head.needs_decision:
        st.text(say.plain("forget.undecided", n=report.head.needs_decision))
    if report.head.unlinked:
        st.text(say.plain("forget.unlinked", n=report.head.unlinked))
    for one in report.always():
        if one.residual_reason not in places.KEPT:
            st.text(places.reason(say, one.residual_reason))
    st.subheader(say("forget.file"), anchor=False)
    for one in report.locations:
        if one.location_id in ("store", "snapshot") or one.location_id.startswith("door:"):
            _searched(visit, one)


def _searched(visit: Visit, one: Location) -> None:
    """What was done to a place of ours, and what the search of its bytes says."""
    say, found = visit.say, one.evidence
    st.text(f"{places.line(say, one)} · {say.plain(f'forget.status.{one.status}')}")
    method = say.plain(f"forget.method.{one.method}")
    told = say.plain(
        "forget.searched" if found.patterns else "forget.searched.none",
        n=found.patterns,
        hits=found.hits,
        controls=found.control_hits,
        mib=f"{found.bytes / 2**20:.1f}",
    )
    st.text(f"{method} · {told}")


def _rows(visit: Visit, report: Report) -> None:
    say = visit.say
    with st.expander(say("forget.rows", n=len(report.rows))):
        frame = pd.DataFrame(
            [
                {
                    "id": short(row.id),
                    "kind": say.plain(f"forget.row.{row.kind}", n=1),
                    "why": say.plain(f"forget.why.{row.why}"),
                    "status": say.plain(f"forget.status.{row.status}"),
                    "gone": f"{row.gone} / {row.contents}",
                }
                for row in report.rows[:_ROWS]
            ],
            columns=["id", "kind", "why", "status", "gone"],
            dtype="str",
        )
        st.dataframe(
            frame,
            hide_index=True,
            key="forget-rows",
            height=min(38 + 35 * max(len(frame), 1), 320),
            column_config={
                "id": st.column_config.TextColumn(say("list.id"), width=130),
                "kind": st.column_config.TextColumn(say("forget.col.kind"), width=160),
                "why": st.column_config.TextColumn(say("forget.col.why"), width=240),
                "status": st.column_config.TextColumn(say("forget.col.fate"), width=300),
                "gone": st.column_config.TextColumn(say("forget.col.gone"), width=160),
            },
            alt=say("forget.rows", n=len(report.rows)),
        )
    tally = Counter(row.checked_by for row in report.rows if row.checked_by)
    for how, count in tally.items():
        st.caption(say(f"forget.checked.{how}", n=count))


def _check(desk: Desk, visit: Visit, report: Report) -> None:
    try:
        with st.spinner(visit.say("forget.checking")):
            st.session_state[_CHECKED] = desk.forget.check_again(report.head.forget_id)
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    st.rerun()


def _checked(report: Report) -> Report | None:
    """The last look at this very request in this session, with what was confirmed since."""
    found: Report | None = st.session_state.get(_CHECKED)
    if found is None or found.head.forget_id != report.head.forget_id:
        return None
    if len(_confirmed(found)) != len(_confirmed(report)):
        return None
    return found


def _confirmed(report: Report) -> list[str]:
    return [said.statement for one in report.locations for said in one.confirmed]
