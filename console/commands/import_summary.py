"""What became of an import, in the five words, and where the records that failed stand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console.commands.faults import INBOX
from console.commands.telling import count, tell
from review.visible import escape_line
from store.records import Outcome, RemarkCode

if TYPE_CHECKING:
    from review.journal import RecordOutcome

_LABELS: Final = {
    Outcome.WRITTEN: ("Written", "staged, waiting for a person"),
    Outcome.NOTHING_EXTRACTED: ("Nothing extracted", "read, and no claim was found"),
    Outcome.PARSE_FAILED: ("Parse failed", "could not be read"),
    Outcome.REFUSED: ("Refused", "by the policy"),
    Outcome.ALREADY_KNOWN: ("Already known", "same content, skipped"),
}
LEFT: Final = (Outcome.PARSE_FAILED, Outcome.REFUSED)
"""Outcomes of which a list is written, and which end an import with exit code 4."""

_SENTENCES: Final[Mapping[RemarkCode, str]] = {
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


@dataclass
class Told:
    """One import as the command reports it. ``name`` is foreign text."""

    name: str
    tenant: str
    importer: str
    sha256: str
    import_id: str = ""
    counts: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    batches: int = 0
    items: list[str] = field(default_factory=list)
    remarks: dict[RemarkCode, int] = field(default_factory=dict)
    """How often each was noticed; 0 for what no file of this format can tell."""

    errors_file: str | None = None
    finished: bool = False

    @property
    def read(self) -> int:
        """Records read, of which the outcomes are the sum."""
        return sum(self.counts.values())

    @property
    def left(self) -> int:
        """Records that failed or were refused."""
        return sum(self.counts[outcome] for outcome in LEFT)

    @property
    def review(self) -> str:
        """Where a person looks at it."""
        return f"{INBOX}?batch={self.import_id}" if self.import_id else INBOX

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "name": self.name,
            "tenant": self.tenant,
            "importer": self.importer,
            "sha256": self.sha256,
            "import": self.import_id or None,
            "read": self.read,
            "outcomes": {str(outcome): n for outcome, n in self.counts.items()},
            "batches": self.batches,
            "items": self.items,
            "remarks": {str(code): n for code, n in self.remarks.items()},
            "errors_file": self.errors_file,
            "finished": self.finished,
            "made_durable": 0,
            "review": self.review,
        }


def tell_summary(told: Told) -> None:
    """Print one import."""
    name, tenant = escape_line(told.name), escape_line(told.tenant)
    cut = "" if told.finished else ", not finished"
    noun = "record" if told.read == 1 else "records"
    tell(f"{name} ({told.importer}) into {tenant}: {count(told.read)} {noun} read{cut}")
    width = max(len(count(n)) for n in told.counts.values())
    for outcome, (label, gloss) in _LABELS.items():
        n = told.counts[outcome]
        tell(f"  {label:<17}  {count(n):>{width}}  {gloss}{_where(outcome, told)}")
    for code, n in told.remarks.items():
        often = f" ({count(n)})" if n else ""
        tell(f"  Note: {_SENTENCES[code]}{often}")
    tell(f"  Nothing was made durable. Review: {told.review}")


def _where(outcome: Outcome, told: Told) -> str:
    if not told.counts[outcome]:
        return ""
    if outcome in LEFT and told.errors_file:
        return f"  -> {escape_line(told.errors_file)}"
    if outcome == Outcome.NOTHING_EXTRACTED:
        return "  -> memory-console list --outcome nothing_extracted"
    return ""


def write_errors(folder: Path, name: str, rows: Sequence[RecordOutcome]) -> Path | None:
    """Write which records failed or were refused: places and codes, never text. None: nothing to.

    A file of that name that this program did not write is left alone; a number is added.
    """
    lines = [
        json.dumps(
            {
                "line": row.line,
                "start": row.start,
                "end": row.end,
                "column": row.column,
                "outcome": row.outcome,
                "reason": row.reason,
                "field": row.field,
            }
        )
        for row in rows
        if row.outcome in LEFT
    ]
    if not lines:
        return None
    path = _free_place(folder, name)
    path.write_text("\n".join([*lines, ""]), encoding="ascii")
    return path


def _free_place(folder: Path, name: str) -> Path:
    number, path = 1, folder / f"{name}.errors.jsonl"
    while path.exists() and not _is_ours(path):
        number += 1
        path = folder / f"{name}.errors.{number}.jsonl"
    return path


def _is_ours(path: Path) -> bool:
    try:
        with path.open(encoding="ascii") as file:
            first = json.loads(file.readline(1024))
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and {"line", "start", "outcome", "reason"} <= set(first)
