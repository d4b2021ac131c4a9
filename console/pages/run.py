"""One run in full: its steps, what people decided, how it is read, and its bytes."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import address, heading, paging, refusals, steps, untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.identities import short
from review.runs import Kept, NoSuchRunError
from store.cells import Span

DEFAULTS: Final = {"id": "", "p": "1"}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, {})
    say = visit.say
    st.title(say("run.title"), anchor=False)
    heading.read_only(visit)
    try:
        kept = desk.experience.run(at["id"])
    except NoSuchRunError as error:
        refusals.show(error, say)
        visit.link("runs", "run.back")
        return
    st.caption(say("run.about"))
    if kept.run is None:
        st.info(say("happened.erased"))
        return
    left, right = st.columns([3, 2], border=True)
    with left:
        st.subheader(say("focus.happened"), anchor=False)
        count = len(kept.run.steps)
        number = min(at.page, -(-count // steps.PAGE))
        first = (number - 1) * steps.PAGE
        places = list(range(first, min(first + steps.PAGE, count)))
        steps.draw(kept.run, kept.analysis, say, places=places, marked={})
        paging.draw(count, number, say, per=steps.PAGE)
    with right:
        _head(visit, kept)
        st.subheader(say("focus.source"), anchor=False)
        _source(visit, kept, places)


def _head(visit: Visit, kept: Kept) -> None:
    say, run = visit.say, kept.run
    assert run is not None
    rows = [
        (say.plain("run.id"), short(kept.item)),
        (say.plain("run.source_id"), run.source_id),
        *((name, value) for name, value in run.run.items()),
        (say.plain("run.started"), moment(run.started_at) if run.started_at else "–"),
        (say.plain("run.ended"), moment(run.ended_at) if run.ended_at else "–"),
    ]
    if kept.analysis is not None:
        reading = kept.analysis
        rows.append((say.plain("run.ending"), say.plain(f"ending.{reading.ending}")))
        wrong = "–" if reading.first_wrong is None else str(reading.first_wrong + 1)
        if reading.cause is not None:
            wrong += f" ({say.plain(f'cause.{reading.cause}')})"
        rows.append((say.plain("run.first_wrong"), wrong))
        rows.append((say.plain("run.read_by"), reading.analyser))
    if run.branch_of:
        rows.append((say.plain("run.branch_of"), run.branch_of))
    untrusted.fields(rows)


def _source(visit: Visit, kept: Kept, places: list[int]) -> None:
    say = visit.say
    untrusted.fields(
        [
            (say.plain("source.file"), kept.source_name or say.plain("provenance.missing")),
            *([(say.plain("source.member"), kept.member)] if kept.member else []),
            (say.plain("source.place"), say.plain("source.bytes", start=kept.start, end=kept.end)),
            (say.plain("source.read_by"), kept.importer),
            (say.plain("source.imported"), moment(kept.recorded_at)),
        ]
    )
    told = kept.run.steps if kept.run is not None else ()
    spans = [span for place in places if (span := told[place].span) is not None]
    if not kept.raw:
        st.caption(say("run.bytes_apart"))
        return
    start = min((span.start for span in spans), default=0)
    stop = max((span.end for span in spans), default=len(kept.raw))
    window = kept.raw[max(start - 200, 0) : stop + 200][:60_000]
    base = max(start - 200, 0)
    untrusted.marked(
        window,
        [Span(s.start - base, s.end - base) for s in spans if s.end - base <= len(window)],
        tall=bool(st.session_state.get("tall")),
    )
