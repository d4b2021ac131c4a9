"""What became of an import: the five outcomes in words, shapes and colours, part by part.

Only what was written is green. An import of which nothing came says so: "nothing extracted" is
neither success nor failure, and is the most common way to lose a record.
"""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from console import accepted
from console.cards import untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from console.job_words import JobState, PartState, Step, Verdict
from console.jobs import Job, Part, Row
from console.words import Say
from review.desk import Desk
from review.queue import Lane, Wanted
from store.records import Outcome

_PARTS: Final = 12
"""Parts that are drawn; a folder may have hundreds."""

_LOOKED_UP: Final = 6
"""Parts up to which the lanes of each are counted."""

_OUTCOMES: Final = {
    Outcome.WRITTEN: (":material/check_circle:", "green"),
    Outcome.NOTHING_EXTRACTED: (":material/radio_button_unchecked:", "orange"),
    Outcome.PARSE_FAILED: (":material/warning:", "red"),
    Outcome.REFUSED: (":material/block:", "violet"),
    Outcome.ALREADY_KNOWN: (":material/repeat:", "blue"),
}
_VERDICTS: Final = {
    Verdict.WRITTEN: (":material/check_circle:", "green"),
    Verdict.LEFT: (":material/rule:", "orange"),
    Verdict.KNOWN: (":material/repeat:", "blue"),
    Verdict.KNOWN_LEFT: (":material/checklist:", "blue"),
    Verdict.EMPTY: (":material/radio_button_unchecked:", "orange"),
    Verdict.REFUSED: (":material/block:", "violet"),
    Verdict.FAILED: (":material/warning:", "red"),
}
_STATES: Final = {
    JobState.QUEUED: (":material/hourglass_empty:", "gray"),
    JobState.RUNNING: (":material/hourglass_top:", "blue"),
    JobState.FAILED: (":material/warning:", "red"),
    JobState.STOPPED: (":material/stop_circle:", "orange"),
    JobState.INTERRUPTED: (":material/power_off:", "orange"),
}
_LANES: Final = {
    Outcome.NOTHING_EXTRACTED: Lane.NOTHING,
    Outcome.PARSE_FAILED: Lane.FAILED,
    Outcome.REFUSED: Lane.REFUSED,
}
_WAITING: Final = (Lane.NEEDS_EYES, Lane.DUPLICATES, Lane.ROUTINE)


def headline(visit: Visit, job: Job) -> None:
    """Where a job is, or what it came to."""
    say = visit.say
    if job.state in _STATES:
        icon, colour = _STATES[job.state]
        st.badge(say(f"job.state.{job.state}"), icon=icon, color=colour)  # type: ignore[arg-type]  # a closed list of colours
    else:
        icon, colour = _VERDICTS[job.verdict]
        st.badge(say(f"job.verdict.{job.verdict}"), icon=icon, color=colour)  # type: ignore[arg-type]  # as above


def outcomes(say: Say, told: dict[Outcome, int]) -> None:
    """The five counts. A count of nothing is grey, whatever it counts."""
    with st.container(horizontal=True, gap="small"):
        for outcome, (icon, colour) in _OUTCOMES.items():
            n = told[outcome]
            st.badge(
                say(f"job.outcome.{outcome}", n=n),
                icon=icon,
                color=colour if n else "gray",  # type: ignore[arg-type]  # as above
            )


def draw(desk: Desk, visit: Visit, job: Job) -> None:
    """The whole receipt of a job that has ended, or what there is of one that has not."""
    say = visit.say
    with st.container(horizontal=True, vertical_alignment="center"):
        headline(visit, job)
        st.caption(say("job.when", when=moment(job.created_at)), width="content")
    if job.problem:
        st.text(untrusted.cell(job.problem, 600))
    if not job.open and job.state is JobState.FINISHED and job.verdict is not Verdict.WRITTEN:
        st.caption(say(f"job.verdict.{job.verdict}.about"))
    if job.state in (JobState.INTERRUPTED, JobState.STOPPED, JobState.FAILED):
        st.caption(say(f"job.state.{job.state}.about"))
    if len(job.parts) > 1:
        st.text(say.plain("job.parts", n=len(job.parts)))
        st.text(say.plain("import.read", n=job.read))
        outcomes(say, job.totals)
    for part in job.parts[:_PARTS]:
        with st.container(border=len(job.parts) > 1):
            _part(desk, visit, part, few=len(job.parts) <= _LOOKED_UP)
    if len(job.parts) > _PARTS:
        st.caption(say("job.more_parts", n=len(job.parts) - _PARTS))
    if not job.open and job.totals[Outcome.WRITTEN] > sum(part.runs for part in job.parts):
        st.caption(say("import.nothing_durable"))


def _part(desk: Desk, visit: Visit, part: Part, *, few: bool) -> None:
    say = visit.say
    untrusted.line(part.name)
    if part.state is PartState.UNREADABLE:
        st.badge(say("job.unreadable"), icon=":material/warning:", color="red")
        st.text(untrusted.cell(part.problem, 600))
        return
    st.caption(say(f"importer.{part.importer}"))
    if part.members:
        st.caption(say("job.files", n=part.files))
        untrusted.line(", ".join(part.members) + (", …" if part.files > len(part.members) else ""))
    st.text(say.plain("import.read", n=part.read))
    outcomes(say, part.totals)
    if part.runs:
        st.caption(say("job.runs", n=part.runs))
    st.caption(_steps(say, part))
    for code, n in part.remarks.items():
        if n:
            st.caption(say("import.remark", n=n) + " " + say(f"remark.{code}"))
    _rows(say, part)
    _links(desk, visit, part, few=few)


def _steps(say: Say, part: Part) -> str:
    def told() -> str:
        return say(
            "job.steps",
            read=part.steps[Step.READ].records,
            read_state=say.plain(f"job.step.{part.steps[Step.READ].state}"),
            checked=part.steps[Step.CHECKED].records,
            checked_state=say.plain(f"job.step.{part.steps[Step.CHECKED].state}"),
            facts=part.steps[Step.FACTS].records,
            facts_state=say.plain(f"job.step.{part.steps[Step.FACTS].state}"),
            written=part.steps[Step.WRITTEN].records,
            written_state=say.plain(f"job.step.{part.steps[Step.WRITTEN].state}"),
        )

    return told()


def _rows(say: Say, part: Part) -> None:
    if not part.rows:
        return
    members = any(row.member for row in part.rows)
    columns = ["outcome", "line", "bytes", "reason", "field"] + ["member"] * members
    told = [[*_cells(say, row), *([untrusted.cell(row.member)] * members)] for row in part.rows]
    st.dataframe(
        pd.DataFrame(told, columns=columns, dtype="str"),
        hide_index=True,
        height=min(38 + 34 * len(told), 260),
        row_height=34,
        column_config={
            "outcome": st.column_config.TextColumn(say("record.outcome"), width=130),
            "line": st.column_config.TextColumn(say("record.line"), width=70),
            "bytes": st.column_config.TextColumn(say("record.bytes"), width=130),
            "reason": st.column_config.TextColumn(say("record.reason"), width=330),
            "field": st.column_config.TextColumn(say("record.field"), width=130),
            "member": st.column_config.TextColumn(say("source.member"), width=250),
        },
        alt=say("job.rows.alt", n=len(told)),
    )
    failed = (row for row in part.rows if row.outcome is Outcome.PARSE_FAILED)
    for key, params in accepted.hints((row.reason, row.field) for row in failed):
        st.caption(say(key, **params))
    if part.left > len(part.rows):
        st.caption(say("job.rows.more", n=part.left - len(part.rows)))


def _cells(say: Say, row: Row) -> list[str]:
    family = "rule" if row.outcome is Outcome.REFUSED else "failed"
    return [
        say.plain(f"outcome.{row.outcome}"),
        str(row.line) if row.line else "–",
        f"{row.start}–{row.end}",
        say.plain(f"{family}.{row.reason}"),
        untrusted.cell(row.field),
    ]


def _links(desk: Desk, visit: Visit, part: Part, *, few: bool) -> None:
    with st.container(horizontal=True):
        if part.runs:
            visit.link("runs", "import.go.runs", to={"batch": part.import_id}, n=part.runs)
        if part.totals[Outcome.WRITTEN] > part.runs and few:
            for import_id in (part.import_id, *(one.import_id for one in part.earlier)):
                for lane in _WAITING:
                    n = desk.waiting(Wanted(lane=lane, batch=import_id)).total
                    if n:
                        to = {"lane": str(lane), "batch": import_id, "view": "focus"}
                        visit.link("inbox", f"import.go.{lane}", to=to, n=n)
        for outcome, lane in _LANES.items():
            if part.counts[outcome]:
                visit.link(
                    "inbox",
                    f"import.go.{lane}",
                    to={"lane": str(lane)},
                    n=part.counts[outcome],
                )
