"""Imports at work, with real counts, and the receipts of those that somebody should still see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from console.cards import job_receipt, untrusted
from console.cards.visit import Visit
from console.job_files import JobBusyError, NoSuchJobError
from console.job_starting import Jobs, NothingToDoError, can_go_on
from console.job_words import PartState
from console.jobs import Job
from review.desk import Desk

_SHOWN: Final = 3
_EVERY: Final = 1.0
"""Seconds between two looks at a job that is at work."""


def draw(desk: Desk, visit: Visit) -> None:
    """The newest jobs that are at work or were not put away, each with its receipt.

    The newest and those at work are drawn whole, older ones are folded.
    """
    jobs = visit.jobs
    if jobs is None:
        return
    shown = [job for job in jobs.all(most=20) if job.open or not job.put_away][:_SHOWN]
    for place, job in enumerate(shown):
        if place == 0 or job.open:
            one(desk, visit, jobs, job)
    older = [job for job in shown[1:] if not job.open]
    if older:
        with st.expander(visit.say("job.older", n=len(older)), key="jobs-older"):
            for job in older:
                one(desk, visit, jobs, job)


def at_work(visit: Visit) -> None:
    """One line for each job at work, for pages where people decide."""
    jobs = visit.jobs
    if jobs is None:
        return
    for job in jobs.all(most=5):
        if job.open:
            _watch(visit, jobs, job, whole=False)


def one(desk: Desk, visit: Visit, jobs: Jobs, job: Job) -> None:
    """One job: its progress while it is at work, its receipt after that."""
    if st.session_state.pop("job-changed", None) == job.id:
        st.caption(visit.say("job.changed"))
    with st.container(border=True, key=f"job-{job.id}"):
        if job.open:
            _watch(visit, jobs, job, whole=True)
        else:
            _names(job)
            job_receipt.draw(desk, visit, job)
            _acts(visit, jobs, job)


def _watch(visit: Visit, jobs: Jobs, job: Job, *, whole: bool) -> None:
    """Draw a job again and again until it has ended."""

    def look() -> None:
        try:
            now = jobs.read(job.id)
        except NoSuchJobError:
            now = job
        if not now.open and whole:
            st.rerun()
        _progress(visit, now, whole=whole)
        if whole and now.open:
            st.button(
                visit.say("job.stop"),
                key=f"stop-{job.id}",
                on_click=_try,
                args=(jobs.stop, job.id),
                help=visit.say("job.stop.help"),
            )

    st.fragment(run_every=_EVERY, key=f"watch-{job.id}")(look)()


def _progress(visit: Visit, job: Job, *, whole: bool) -> None:
    say = visit.say
    if whole:
        _names(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        job_receipt.headline(visit, job)
        if not whole:
            visit.link("jobs", "job.open", to={"id": job.id})
    done = sum(part.state is PartState.DONE for part in job.parts)
    st.progress(
        min(job.bytes_read / job.size, 1.0) if job.size else 0.0,
        text=say("job.progress", n=job.records_read)
        + " "
        + say("job.progress.parts", done=done, parts=len(job.parts)),
    )
    if whole:
        job_receipt.outcomes(say, job.totals)


def _names(job: Job) -> None:
    names = [asked.name for asked in job.sources]
    for name in names[:_SHOWN]:
        if len(job.parts) != 1 or job.open:
            untrusted.line(name)
    if len(names) > _SHOWN:
        st.text(f"+{len(names) - _SHOWN}")


def _acts(visit: Visit, jobs: Jobs, job: Job) -> None:
    say = visit.say
    with st.container(horizontal=True, vertical_alignment="center"):
        if can_go_on(job):
            st.button(
                say("job.go_on"),
                key=f"go-on-{job.id}",
                on_click=_try,
                args=(jobs.again, job.id),
                help=say("job.go_on.help"),
            )
        if not job.put_away:
            st.button(
                say("job.put_away"),
                key=f"put-away-{job.id}",
                type="tertiary",
                on_click=_try,
                args=(jobs.put_away, job.id),
                help=say("job.put_away.help"),
            )


def _try(act: Callable[[str], object], job: str) -> None:
    """Do what a button says. A job that has changed meanwhile is drawn as it is now."""
    try:
        act(job)
    except (JobBusyError, NoSuchJobError, NothingToDoError):
        st.session_state["job-changed"] = job
