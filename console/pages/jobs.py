"""The imports of this tenant: at work, ended, and what became of every record."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import address, heading, job_receipt, job_strip, paging, untrusted
from console.cards.address import ANY_ID
from console.cards.model_help import backlog
from console.cards.times import moment
from console.cards.visit import Visit
from console.job_files import NoSuchJobError
from console.jobs import Job
from review.desk import Desk

DEFAULTS: Final = {"id": "", "p": "1"}
ALLOWED: Final = {"id": ANY_ID}
_PER: Final = 20


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    say, jobs = visit.say, visit.jobs
    heading.draw(visit, "jobs")
    address.note_unknown(at, say)
    if jobs is None:
        st.info(say("jobs.none"))
        return
    if at["id"]:
        st.button(
            say("jobs.all"), key="all", type="tertiary", on_click=address.put, kwargs={"id": ""}
        )
        try:
            job_strip.one(desk, visit, jobs, jobs.read(at["id"]))
        except NoSuchJobError:
            st.info(say("jobs.no_such"))
        return
    backlog.draw(desk, visit)
    found = jobs.all()
    visit.link("ledger", "jobs.all_imports")
    if not found:
        st.info(say("jobs.none"))
        return
    first = (at.page - 1) * _PER
    for job in found[first : first + _PER]:
        _line(visit, job)
    paging.draw(len(found), at.page, say, per=_PER)


def _line(visit: Visit, job: Job) -> None:
    say = visit.say
    with st.container(border=True, key=f"job-{job.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            job_receipt.headline(visit, job)
            st.caption(say("job.when", when=moment(job.created_at)), width="content")
            # A link to the page one is on leaves the address as it was.
            st.button(
                say("job.open"),
                key=f"open-{job.id}",
                type="tertiary",
                on_click=address.put,
                kwargs={"id": job.id, "p": ""},
            )
        for asked in job.sources[:3]:
            untrusted.line(asked.name)
        if len(job.sources) > 3:
            st.caption(say("job.more_parts", n=len(job.sources) - 3))
        job_receipt.outcomes(say, job.totals)
