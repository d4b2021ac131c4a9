"""What the tables that pages query should hold, derived again from canonical bytes.

A listing is compared as a whole: a count and a sum of row digests, which does not depend on the
order of rows. Used by verification alone; the tables themselves are made elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from store import canonical
from store.events import Event
from store.links import LinkStatement
from store.statements import DecisionStatement

COLUMNS: Final = {
    "proj_item": (
        "item, rev, seq, n, import, importer, kind, source_type, digest, text_c, provenance_c,"
        " scope_c, facts_c, conclusion_c, raw_c, place_c, valid_from, valid_to, expires_at,"
        " verbatim, immutable, content_key, source_key, look_key, line, start_byte, end_byte,"
        " flags, worst, lane_hint, work_order, recorded_at"
    ),
    "proj_record": (
        "seq, n, import, importer, outcome, reason, item, kind, source_type, field,"
        " place_column, raw_c, place_c, line, start_byte, end_byte, recorded_at"
    ),
    "proj_run": (
        "item, seq, n, import, importer, run_c, analysis_c, analyser, raw_c, place_c,"
        " content_key, source_key, session_key, steps, accepts, rejects, edits, ending, line,"
        " start_byte, end_byte, recorded_at"
    ),
    "proj_edge": "item, rev, kind, target, strength, asserter",
    "proj_import": (
        "seq, import, importer, importer_version, source_c, policy, written, nothing_extracted,"
        " already_known, refused, parse_failed, last, recorded_at"
    ),
    "proj_decision": (
        "item, rev, seq, decision, from_stage, to_stage, reason, note_c, reviewer, signed_at,"
        " mode, list_sha256, statement, nonce"
    ),
    "proj_link": (
        "seq, place, kind, item, rev, target, target_rev, verdict, strength, reviewer, signed_at,"
        " statement"
    ),
}
"""The columns that are compared, in this order."""

_FLAGS: Final = COLUMNS["proj_item"].split(", ").index("flags")


@dataclass
class Listing:
    """How many rows, and the sum of their digests."""

    count: int = 0
    total: int = 0

    def add(self, values: tuple[Any, ...]) -> None:
        """Take one more row in."""
        digest = canonical.sha256(canonical.encode(list(values)))
        self.count += 1
        self.total = (self.total + int.from_bytes(digest, "big")) % 2**256


def item_row(event: Event, n: int, leaf: Mapping[str, Any]) -> tuple[Any, ...]:
    """The row of ``proj_item`` for one staged record."""
    told = leaf["artifact"]
    parts = ("text", "provenance", "scope", "facts", "conclusion")
    return (
        *(leaf["item"], leaf["rev"], event.seq, n, event.body["import"], event.body["importer"]),
        *(told["kind"], told["source_type"], leaf["digest"], *(told[part] for part in parts)),
        *(leaf["raw"], leaf["place"], told["valid_from"], told["valid_to"], told["expires_at"]),
        *(told["verbatim"], told["immutable"], leaf["key"], leaf["ext"], leaf["look"]),
        *(leaf["line"], leaf["start"], leaf["end"], leaf["flags"], leaf["worst"]),
        *(leaf.get("lane"), leaf.get("order"), event.recorded_at),
    )


def edge_rows(leaf: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of ``proj_edge`` for one staged record."""
    return [(leaf["item"], leaf["rev"], *edge) for edge in leaf["artifact"]["edges"]]


def record_row(event: Event, n: int, leaf: Mapping[str, Any]) -> tuple[Any, ...]:
    """The row of ``proj_record`` for one record that was not staged."""
    body, outcome = event.body, str(leaf["type"]).removeprefix("write.")
    names = ("reason", "item", "kind", "source_type", "field", "column", "raw", "place")
    return (
        *(event.seq, n, body["import"], body["importer"], outcome),
        *(leaf.get(name) for name in names),
        *(leaf["line"], leaf["start"], leaf["end"], event.recorded_at),
    )


def run_row(event: Event, n: int, leaf: Mapping[str, Any]) -> tuple[Any, ...]:
    """The row of ``proj_run`` for one trajectory."""
    names = ("run", "analysis", "analyser", "raw", "place", "key", "ext", "session", "steps")
    return (
        *(leaf["item"], event.seq, n, event.body["import"], event.body["importer"]),
        *(leaf[name] for name in names),
        *(*leaf["decisions"], leaf["ending"], leaf["line"], leaf["start"], leaf["end"]),
        event.recorded_at,
    )


def import_row(event: Event) -> tuple[Any, ...]:
    """The row of ``proj_import`` for one batch."""
    body, counts = event.body, event.body["counts"]
    outcomes = ("written", "nothing_extracted", "already_known", "refused", "parse_failed")
    return (
        *(event.seq, body["import"], body["importer"], body["importer_version"], body["source"]),
        *(body["policy"], *(counts[name] for name in outcomes), body["last"], event.recorded_at),
    )


def decision_rows(
    event: Event, statement: DecisionStatement, sha256: str
) -> list[tuple[Any, ...]]:
    """The rows of ``proj_decision`` for one signed batch."""
    return [
        (
            *(v.item, v.rev, event.seq, str(v.decision), str(v.came_from), str(v.goes_to)),
            *(v.reason, v.note, statement.reviewer, statement.signed_at, v.mode, v.list_sha256),
            *(sha256, v.nonce),
        )
        for v in statement.verdicts
    ]


def link_rows(event: Event, statement: LinkStatement, sha256: str) -> list[tuple[Any, ...]]:
    """The rows of ``proj_link`` for one signed batch of links."""
    return [
        (
            *(event.seq, place, str(link.kind), link.start.item, link.start.rev),
            *(link.target.item, link.target.rev, str(link.verdict), link.strength),
            *(statement.reviewer, statement.signed_at, sha256),
        )
        for place, link in enumerate(statement.links)
    ]


def stored_row(table: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row as the database gives it, in the form of the ones above.

    Raises:
        ValueError: If its flags are not JSON.
    """
    if table != "proj_item":
        return row
    flags = json.loads(row[_FLAGS])
    return (*row[:_FLAGS], flags, *row[_FLAGS + 1 :])
