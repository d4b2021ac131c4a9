"""``list``: what waits for a person, and what was read but not staged. It writes nothing."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, say, tell, tell_json, tell_raw
from review.text.visible import clip, escape_line

if TYPE_CHECKING:
    from review.queue import RecordRow, Row
    from store.log import Store

EXAMPLES: Final = """
memory-console list
memory-console list --lane needs-eyes --json
memory-console list --outcome parse_failed
"""
_LONGEST: Final = 600
"""Characters of a text that are shown."""


class LaneName(StrEnum):
    """The lanes of the inbox; equal to ``review.queue.Lane``, which is slow to import."""

    NEEDS_EYES = "needs-eyes"
    DUPLICATES = "duplicates"
    ROUTINE = "routine"
    NOTHING = "nothing"
    FAILED = "failed"
    REFUSED = "refused"


class OutcomeName(StrEnum):
    """Outcomes that can be listed. Of what was already known only the count is kept."""

    WRITTEN = "written"
    NOTHING_EXTRACTED = "nothing_extracted"
    PARSE_FAILED = "parse_failed"
    REFUSED = "refused"


_LANE_OF: Final = {
    OutcomeName.NOTHING_EXTRACTED: LaneName.NOTHING,
    OutcomeName.PARSE_FAILED: LaneName.FAILED,
    OutcomeName.REFUSED: LaneName.REFUSED,
}
_STAGED: Final = (None, LaneName.NEEDS_EYES, LaneName.DUPLICATES, LaneName.ROUTINE)


def run(
    lane: Annotated[LaneName | None, typer.Option("--lane", help="One lane of the inbox.")] = None,
    outcome: Annotated[
        OutcomeName | None, typer.Option("--outcome", help="By what became of the records.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most.")] = 50,
    raw: Annotated[
        bool, typer.Option("--raw", help="Texts as they are. Refused on a terminal.")
    ] = False,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List what is staged, or read but not staged. Hidden characters are made visible."""
    if raw and sys.stdout.isatty():
        sentence = (
            "--raw prints texts as they are, which could take over this terminal. Nothing was "
            "printed. Send it to a file or a pipe, or leave out --raw."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    if lane is not None and outcome is not None:
        sentence = "Choose --lane or --outcome, not both."
        raise CommandError(sentence, ExitCode.USAGE)
    wanted = _LANE_OF.get(outcome) if outcome is not None else lane
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    if not place.has_store(which):
        _nothing_yet(which.name, as_json=as_json)
        return
    opening.wait_for(place.store_path(which), seconds=wait)
    store = place.store(which)
    with store.held():
        if wanted in _STAGED:
            rows, total = _staged(store, wanted, limit)
            told = [_row_json(row) for row in rows]
            lines = [line for row in rows for line in _row_lines(row, raw=raw)]
        else:
            assert wanted is not None
            records, total = _records(store, wanted, limit)
            told = [_record_json(record) for record in records]
            lines = [line for record in records for line in _record_lines(record, raw=raw)]
    if as_json:
        tell_json({"tenant": which.name, "total": total, "records": told})
        return
    for line in lines:
        (tell_raw if raw else tell)(line)
    say(f"{count(len(told))} of {count(total)} shown.")


def _nothing_yet(name: str, *, as_json: bool) -> None:
    if as_json:
        tell_json({"tenant": name, "total": 0, "records": []})
    say("Nothing is staged. Begin with: memory-console import FILE")


def _staged(store: Store, lane: LaneName | None, limit: int) -> tuple[list[Row], int]:
    from review import queue

    wanted = queue.Wanted(lane=str(lane or ""))
    rows: list[Row] = []
    total = 0
    for number in _pages(limit, queue.PAGE):
        page = queue.page(store, [], wanted, number)
        rows += page.rows
        total = max(total, page.total)
        if not page.rows:
            break
    return rows[:limit], total


def _records(store: Store, lane: LaneName, limit: int) -> tuple[list[RecordRow], int]:
    from review import queue

    rows: list[RecordRow] = []
    total = 0
    for number in _pages(limit, queue.PAGE):
        page = queue.records(store, queue.Lane(lane), number)
        rows += page.rows
        total = max(total, page.total)
        if not page.rows:
            break
    return rows[:limit], total


def _pages(limit: int, size: int) -> range:
    """The numbers of the pages that hold the first ``limit`` rows."""
    return range(1, 2 + (limit - 1) // size)


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "item": row.item,
        "rev": row.rev,
        "artifact": row.artifact,
        "lane": row.lane,
        "stage": row.stage,
        "kind": row.kind,
        "source_type": row.source_type,
        "validation_state": "unverified",
        "flags": [
            {"code": str(f.code), "level": str(f.level), "count": f.count} for f in row.flags
        ],
        "claim": row.claim,
        "import": row.import_id,
        "recorded_at": row.recorded_at,
    }


def _row_lines(row: Row, *, raw: bool) -> tuple[str, str]:
    flags = ", ".join(f"{flag.level}:{flag.code}" for flag in row.flags) or "-"
    head = f"{row.item}  {row.lane:<10}  {row.kind}  {row.source_type}  {flags}"
    return head, f"    {_shown(row.claim, raw=raw)}"


def _record_json(record: RecordRow) -> dict[str, Any]:
    return {
        "outcome": record.outcome,
        "reason": record.reason,
        "field": record.field or None,
        "source": record.source_name,
        "member": record.member or None,
        "line": record.line,
        "start": record.start,
        "end": record.end,
        "column": record.column,
        "raw": None if record.raw is None else record.raw.decode("utf-8", "replace"),
        "recorded_at": record.recorded_at,
    }


def _record_lines(record: RecordRow, *, raw: bool) -> tuple[str, str]:
    where = f"line {record.line}, " if record.line else ""
    member = f"/{escape_line(record.member)}" if record.member else ""
    at_fault = f" ({record.field})" if record.field else ""
    head = (
        f"{escape_line(record.source_name)}{member}  {where}bytes {record.start}-{record.end}  "
        f"{record.outcome}  {record.reason}{at_fault}"
    )
    text = None if record.raw is None else record.raw.decode("utf-8", "replace")
    return head, f"    {_shown(text, raw=raw)}"


def _shown(text: str | None, *, raw: bool) -> str:
    if text is None:
        return "(erased)"
    if raw:
        return text
    shown, left_out = clip(escape_line(text), _LONGEST)
    return f"{shown} … {count(left_out)} characters more" if left_out else shown
