"""The first page: what waits, what needs attention, and where a file comes in."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import streamlit as st

from console.cards import heading, importing, press, result_line, signed, signing_bar, stale
from console.cards.explain import pasting
from console.cards.forget import due
from console.cards.publishing import now as publish_now
from console.cards.times import moment
from console.cards.visit import Visit
from console.job_words import JobState, Verdict
from console.jobs import Job
from review.desk import Desk
from review.queue import Counts, Lane
from store.stages import DecisionKind

_JOBS: Final = 50
_NEEDS: Final = ("open", "unfinished", "failed", "empty", "left")
_STAGED = (Lane.NEEDS_EYES, Lane.DUPLICATES, Lane.ROUTINE)


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    press.keep_dialog(publish_now.DIALOG)
    heading.draw(visit, "start")
    heading.read_only(visit)
    with desk.held():
        counts = desk.counts()
        if result_line.told()[0]:
            signing_bar.said(visit)
        publish_now.draw(visit)
        due.draw(desk, visit)
        _jobs(visit)
        if sum(counts.outcomes.values()):
            _doors(desk, visit, counts)
            _attention(desk, visit, counts)
            _week(desk, visit)
            signed.receipt(visit)
        else:
            st.info(visit.say("start.empty"), icon=":material/inbox:")
        with st.container(border=True, key="door-import"):
            st.subheader(visit.say("start.import"), anchor=False)
            importing.draw(desk, visit)


def _doors(desk: Desk, visit: Visit, counts: Counts) -> None:
    say = visit.say
    review, explain, facts = st.columns(3, border=True)
    with explain:
        pasting.draw(desk, visit)
        st.caption(say("start.explain.about"))
        visit.link("answers", "start.explain.all")
    with review:
        st.subheader(say("start.review"), anchor=False)
        waiting = sum(counts.lanes[lane] for lane in _STAGED)
        st.metric(
            say("start.waiting"),
            say.plain("start.count", n=waiting),
            help=say("start.waiting.help", n=waiting),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            first = next((lane for lane in _STAGED if counts.lanes[lane]), None)
            begun = counts.drafted or desk.standing().items
            if first is not None and st.button(
                say("start.continue") if begun else say("start.begin"),
                key="continue",
                type="primary",
            ):
                visit.go("inbox", {"lane": str(first), "view": "focus"})
            for lane in _STAGED:
                if counts.lanes[lane]:
                    to = {"lane": str(lane), "view": "focus"}
                    visit.link("inbox", f"lane.{lane}", to=to, n=counts.lanes[lane])
        if counts.drafted:
            visit.link("inbox", "start.drafted", n=counts.drafted)
    with facts:
        st.subheader(say("start.durable"), anchor=False)
        durable = desk.durable_count()
        st.metric(
            say("start.durable.count"),
            say.plain("start.count", n=durable),
            help=say("start.durable.help", n=durable),
        )
        visit.link("facts", "start.facts")
        _stale(desk, visit)
        st.caption(say("start.durable.note"))


def _stale(desk: Desk, visit: Visit) -> None:
    """Durable cells that lost what they rest on; counted where it costs little."""
    graph = desk.graph
    if not graph.is_light:
        visit.link("inbox", "lane.stale.uncounted", to={"lane": stale.LANE})
        return
    n, open_ = graph.stale().total, len(graph.at().conflicts)
    if n:
        visit.link("inbox", "start.stale", to={"lane": stale.LANE}, n=n)
    if open_:
        visit.link("conflicts", "start.conflicts", n=open_)


def _attention(desk: Desk, visit: Visit, counts: Counts) -> None:
    say = visit.say
    lanes = [lane for lane in (Lane.FAILED, Lane.NOTHING, Lane.REFUSED) if counts.lanes[lane]]
    st.subheader(say("start.attention"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        for lane in lanes:
            visit.link("inbox", f"start.{lane}", to={"lane": str(lane)}, n=counts.lanes[lane])
        if not lanes:
            st.caption(say("start.attention.none"), width="content")
        head = desk.head()
        st.caption(say("start.log", n=head.size, head=head.chain[:8]), width="content")


def _jobs(visit: Visit) -> None:
    """Imports that need somebody: at work, unfinished, failed, or with nothing to show."""
    if visit.jobs is None:
        return
    told: dict[str, list[Job]] = {}
    for job in visit.jobs.all(most=_JOBS):
        if job.needs_a_person:
            told.setdefault(_need(job), []).append(job)
    if not told:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="jobs-need"):
        for need in _NEEDS:
            if need in told:
                to = {"id": told[need][0].id} if len(told[need]) == 1 else {}
                visit.link("jobs", f"start.jobs.{need}", to=to, n=len(told[need]))


def _need(job: Job) -> str:
    if job.open:
        return "open"
    if job.state in (JobState.STOPPED, JobState.INTERRUPTED):
        return "unfinished"
    if job.state is JobState.FAILED or job.verdict is Verdict.FAILED:
        return "failed"
    return "empty" if job.verdict is Verdict.EMPTY else "left"


def _week(desk: Desk, visit: Visit) -> None:
    say, now = visit.say, desk.now()
    since = date.fromisoformat(now[:10]) - timedelta(days=6)
    days = desk.journal.by_day(since.isoformat())
    st.subheader(say("start.week"), anchor=False)
    if not days:
        st.caption(say("start.week.none"))
        return
    tally = [
        f"{say.plain(f'decision.{kind}')} {sum(day.get(kind, 0) for day in days.values())}"
        for kind in DecisionKind
    ]
    st.text("   ·   ".join(tally))
    st.caption(say("start.counted", when=moment(now)))
