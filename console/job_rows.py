"""The records of a part that failed or were refused, by place and code."""

from __future__ import annotations

import json

from console.job_words import LEFT
from console.jobs import Row
from review.desk import Desk
from store.records import Outcome


def left(desk: Desk, import_id: str) -> list[Row]:
    """Those of one import, in file order, as the log has them."""
    return [
        Row(
            Outcome(one.outcome),
            one.reason,
            one.line,
            one.start,
            one.end,
            one.field,
            one.column,
            one.member,
        )
        for one in desk.journal.outcomes_of(import_id)
        if one.outcome in LEFT
    ]


def line(name: str, row: Row) -> str:
    """One line of the list of errors, for programs: never the text of a record."""
    return json.dumps(
        {
            "source": name,
            "member": row.member,
            "line": row.line,
            "start": row.start,
            "end": row.end,
            "column": row.column,
            "outcome": row.outcome,
            "reason": row.reason,
            "field": row.field,
        }
    )
