"""What became of an import, in the five words, and where the records that failed stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console.commands.telling import count, tell
from review.text.visible import escape_line
from store.records import FailReason, Outcome, RemarkCode

if TYPE_CHECKING:
    from console.jobs import Part, Row

LABELS: Final = {
    Outcome.WRITTEN: ("Written", "staged, waiting for a person"),
    Outcome.NOTHING_EXTRACTED: ("Nothing extracted", "read, and no claim was found"),
    Outcome.PARSE_FAILED: ("Parse failed", "could not be read"),
    Outcome.REFUSED: ("Refused", "by the policy"),
    Outcome.ALREADY_KNOWN: ("Already known", "same content, skipped"),
}
_START: Final = "memory-console run"
_LISTED: Final = (Outcome.PARSE_FAILED, Outcome.REFUSED)
_FEW: Final = 5
SENTENCES: Final[Mapping[RemarkCode, str]] = {
    RemarkCode.TRUNCATED_AT_20: "exactly 20 rows: the export may have been cut at its default",
    RemarkCode.NO_TIMES: "it does not say when anything was written",
    RemarkCode.NO_WRITER: "it does not say who wrote anything",
    RemarkCode.NO_OWNER: "it names no user, agent or writer",
    RemarkCode.NO_BYTE_RANGES: "a record's place is a table and a row, not a range of bytes",
    RemarkCode.WRITTEN_AT_ASSUMED: "times of writing are the file's own time",
    RemarkCode.TIME_ZONE_ASSUMED: "times have no zone; UTC was assumed",
    RemarkCode.MODEL_MADE: "the text was produced by a model",
    RemarkCode.REFERENCE_ONLY: "rules people govern elsewhere; the shipped policy stages none",
    RemarkCode.DANGLING_LINK: "links that lead nowhere in this source",
    RemarkCode.LATER_VERSION_EXISTS: "records of which it holds a later version",
    RemarkCode.TAIL_CUT: "its end is cut off",
    RemarkCode.SOURCE_CHANGED: "it was changed while it was read: import it again",
    RemarkCode.EDGE_TARGET_UNKNOWN: "links to records that it does not hold",
    RemarkCode.FOREIGN_TENANT: "it names another tenant; that sets nothing here",
    RemarkCode.MARKED_STALE: "records that it marks as stale",
    RemarkCode.MARKED_SUPERSEDED: "records that it marks as superseded",
    RemarkCode.MARKED_STABLE: "records that it marks as stable; that sets nothing here",
    RemarkCode.NO_IDS: "its records have no ids of their own",
    RemarkCode.NEXT_PAGE_EXISTS: "it is one page of a list, and there is a next one",
    RemarkCode.ENTITY_REPEATED: "entities that occur more than once",
    RemarkCode.EVIDENCE_ONLY: "it tells what happened: runs, no memories",
    RemarkCode.INSIGHT_ONLY: "a model's conclusions without sources: insights only",
    RemarkCode.NO_DECISIONS: "it records no decisions of people",
    RemarkCode.MACHINE_VERDICTS: "verdicts of machines; they are nobody's decision",
    RemarkCode.UNKNOWN_TYPES: "lines of types that are not known here; kept",
    RemarkCode.ARCHIVAL_ABSENT: "archival memory is not in such a file",
    RemarkCode.ONLY_RECENT: "it holds only the latest messages",
    RemarkCode.SEARCH_RESULT: "the result of a search, not a full export",
    RemarkCode.CONTENT_ABSENT: "content is left out by default; empty steps are normal",
    RemarkCode.TIMES_MADE_UP: "times of messages that the exporter computed",
    RemarkCode.REWRITTEN_TEXT: "texts that a model merged or rewrote",
    RemarkCode.SOURCE_LINK_ABSENT: "records that name no message or episode",
    RemarkCode.COPIED_LINES: "lines that stand in it more than once",
    RemarkCode.OTHER_BRANCHES: "branches beside the one that was followed",
    RemarkCode.OTHER_SESSION: "summaries of sessions in other files",
    RemarkCode.BULK_REPLACED: "base64 contents replaced by pointers",
    RemarkCode.VECTORS_DROPPED: "embeddings that are not kept",
    RemarkCode.ENCODED_TWICE: "JSON inside JSON strings, opened",
    RemarkCode.CONTENT_REDACTED: "records whose content the exporter removed",
    RemarkCode.DIGEST_DIFFERS: "contents that differ from the file's own digest",
    RemarkCode.COUNTS_DIFFER: "the file's own counts do not agree with what it holds",
    RemarkCode.IDS_REPEATED: "different records under one id",
    RemarkCode.REFERENCES_MALFORMED: "references to evidence that name nothing",
    RemarkCode.VALID_TIME_ASSUMED: "validity taken from dates given for something else",
    RemarkCode.SECRETS_MASKED: "runs in which secrets were masked",
    RemarkCode.STEPS_CUT: "runs with steps over 64 KiB, cut with a digest",
    RemarkCode.RENDERED_NUMBERS: "texts with printed line numbers, taken off",
    RemarkCode.MAPPED_BY_PERSON: "which column is what was chosen by a person",
    RemarkCode.MEMBERS_PASSED_OVER: "members that hold no memory",
    RemarkCode.ENCODING_GUESSED: "text in an older encoding",
}


def as_json(part: Part, *, tenant: str, errors: Path, home: Path) -> dict[str, Any]:
    """One part of an import as plain values. ``errors`` is where its list of errors would be."""
    from console.job_words import PartState

    return {
        "name": part.name,
        "tenant": tenant,
        "importer": f"{part.importer}/{part.version}" if part.importer else None,
        "sha256": part.sha256,
        "import": part.import_id or None,
        "read": part.read,
        "outcomes": {str(outcome): n for outcome, n in part.totals.items()},
        "batches": part.batches,
        "items": part.items,
        "remarks": {str(code): n for code, n in part.remarks.items()},
        "steps": {
            str(step): {"state": str(told.state), "records": told.records}
            for step, told in part.steps.items()
        },
        "state": str(part.state),
        "problem": part.problem or None,
        "errors_file": str(errors) if part.left and errors.exists() else None,
        "finished": part.state is PartState.DONE,
        "made_durable": 0,
        "runs": part.runs,
        "review": where(part, home),
    }


def where(part: Part, home: Path) -> str | None:
    """The page on which a person looks at a part; ``None`` if no console serves the workspace."""
    from console import served

    address = served.address(home)
    if address is None:
        return None
    page = "runs" if part.runs and part.runs == part.totals[Outcome.WRITTEN] else "inbox"
    batch = f"?batch={part.import_id}" if part.import_id else ""
    return f"{address}/{page}{batch}"


def tell_summary(part: Part, *, tenant: str, errors: Path, home: Path, rows: int = _FEW) -> None:
    """Print one part, and the first ``rows`` of its records that failed or were refused."""
    from console.job_words import PartState

    name, into = escape_line(part.name), escape_line(tenant)
    if part.state is PartState.UNREADABLE:
        tell(f"{name} into {into}: not read")
        tell(f"  {escape_line(part.problem)}")
        return
    cut = "" if part.state is PartState.DONE else ", not finished"
    noun = "record" if part.read == 1 else "records"
    by = escape_line(f"({part.importer}/{part.version})")
    of = f" of {count(part.records_read)}" if part.state is PartState.RUNNING else ""
    behind = "in the store so far" if part.state is PartState.RUNNING else f"read{cut}"
    tell(f"{name} {by} into {into}: {count(part.read)}{of} {noun} {behind}")
    if part.members:
        more = ", …" if part.files > len(part.members) else ""
        named = ", ".join(escape_line(one) for one in part.members)
        tell(f"  {count(part.files)} of its files: {named}{more}")
    tell_counts(part.totals, errors if part.left and errors.exists() else None, runs=part.runs)
    for row in part.rows[:rows]:
        tell(f"  {_row(row)}")
    rest = part.left - len(part.rows[:rows])
    if part.rows and rest:
        tell(f"  and {count(rest)} more")
    for line in _advice(part.rows):
        tell(f"  {line}")
    for code, n in part.remarks.items():
        often = f" ({count(n)})" if n else ""
        tell(f"  Note: {SENTENCES[code]}{often}")
    tell(f"  Nothing was made durable. {_look(part, home)}")


def tell_counts(counts: Mapping[Outcome, int], errors: Path | None, *, runs: int) -> None:
    """Print the five outcomes, a line each. ``runs`` of those that were written are runs."""
    width = max(len(count(n)) for n in counts.values())
    for outcome, (label, gloss) in LABELS.items():
        n = counts[outcome]
        told = _written(n, runs, gloss) if outcome is Outcome.WRITTEN and runs else gloss
        tell(f"  {label:<17}  {count(n):>{width}}  {told}{_where(outcome, n, errors)}")


def _written(n: int, runs: int, gloss: str) -> str:
    """What became of records of which some are runs, which wait for nobody."""
    evidence = f"{count(runs)} {'run' if runs == 1 else 'runs'} kept as evidence"
    return evidence if runs == n else f"{count(n - runs)} {gloss}; {evidence}"


def _look(part: Part, home: Path) -> str:
    """Where to look at it, or how to open the console first."""
    runs = part.runs and part.runs == part.totals[Outcome.WRITTEN]
    page = where(part, home)
    if page is None:
        return f"{'Look at the runs' if runs else 'Review'}: {_START}"
    return f"{'Runs' if runs else 'Review'}: {escape_line(page)}"


def _advice(rows: Sequence[Row]) -> Iterator[str]:
    """What the fields at fault take, and how text in another encoding is read."""
    from console import accepted
    from console.words import Say

    failed = [row for row in rows if row.outcome is Outcome.PARSE_FAILED]
    for key, params in accepted.hints((row.reason, row.field) for row in failed):
        yield Say("en").plain(key, **params)
    if any(row.reason == FailReason.NOT_UTF8 for row in failed):
        yield "Text that is not UTF-8: --encoding cp1251, utf-16 or latin-1."


def _row(row: Row) -> str:
    place = f"line {row.line}, " if row.line else ""
    member = f"{escape_line(row.member)}: " if row.member else ""
    column = f" at byte {row.column} of it" if row.column else ""
    field = f" ({escape_line(row.field)})" if row.field else ""
    label, reason = LABELS[row.outcome][0].lower(), _reason(row)
    return f"{member}{place}bytes {row.start}-{row.end}: {label}{field}{column}. {reason}"


def _reason(row: Row) -> str:
    from console.words import Say

    family = "rule" if row.outcome is Outcome.REFUSED else "failed"
    return Say("en").plain(f"{family}.{row.reason}")


def _where(outcome: Outcome, n: int, errors: Path | None) -> str:
    if not n:
        return ""
    if outcome in _LISTED and errors is not None:
        return f"  -> {escape_line(str(errors))}"
    if outcome == Outcome.NOTHING_EXTRACTED:
        return "  -> memory-console list --outcome nothing_extracted"
    return ""
