"""Records that were not staged: what happened, where in which file, its bytes, what to do next."""

from __future__ import annotations

import streamlit as st

from console.cards import paging, untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from review.queue import Lane, RecordRow, Records


def draw(visit: Visit, lane: Lane, records: Records, number: int) -> None:
    """One page of a lane of records that were not staged."""
    say = visit.say
    st.info(say(f"lane.{lane}.about"))
    for row in records.rows:
        _record(visit, lane, row)
    paging.draw(records.total, number, say)


def _record(visit: Visit, lane: Lane, row: RecordRow) -> None:
    say = visit.say
    with st.container(border=True):
        left, right = st.columns([2, 3])
        with left:
            st.text(say.plain(f"{_FAMILY[lane]}.{row.reason}"))
            place = say.plain("source.bytes", start=row.start, end=row.end)
            if row.line:
                place = say.plain("source.line", line=row.line) + ", " + place
            rows = [(say.plain("source.file"), row.source_name or "–")]
            if row.member:
                rows.append((say.plain("source.member"), row.member))
            rows.append((say.plain("source.place"), place))
            if row.field:
                rows.append((say.plain("record.field"), row.field))
            if row.column:
                rows.append((say.plain("record.column"), str(row.column)))
            if row.kind:
                rows.append((say.plain("stored.kind"), say.plain(f"kind.{row.kind}")))
            if row.source_type:
                source = say.plain(f"source.{row.source_type}")
                rows.append((say.plain("provenance.source_type"), source))
            rows.append((say.plain("source.imported"), moment(row.recorded_at)))
            untrusted.fields(rows)
            st.caption(say(f"lane.{lane}.next"))
        with right:
            if row.raw is None:
                st.info(say("source.erased"))
            else:
                shown = row.raw.decode("utf-8", "replace")
                untrusted.show(shown, say, key=f"raw-{row.seq}-{row.n}")


_FAMILY = {Lane.NOTHING: "nothing", Lane.FAILED: "failed", Lane.REFUSED: "rule"}
