"""The headline of a report, computed from its rows and places, never typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from review.forget.databases import JOURNAL
from review.forget.locations import LOST, TYPED
from review.forget.report import Report
from review.forget.sentences import PHRASES, counted
from review.forget.statuses import LocationKind, Status

_GONE = (Status.ERASED, Status.ERASED_UNVERIFIED)


def headline(report: Report, lang: str = "en") -> str:
    """What was erased and what remains, in one or two sentences.

    Args:
        report: Of which request.
        lang: ``en`` or ``ru``.
    """
    erased = sum(row.status in _GONE for row in report.rows)
    told = counted("erased", erased, lang, of=len(report.rows))
    if derived := report.head.derivatives_erased:
        told += f", {PHRASES[lang]['of_them']} {counted('derived', derived, lang)}"
    parts = list(remains(report, lang))
    if not parts:
        return f"{told}. {PHRASES[lang]['nothing_known']}"
    return f"{told}. {PHRASES[lang]['remains']}: {', '.join(parts)}."


def remains(report: Report, lang: str) -> Iterator[str]:
    """Everything that is left or cannot be known, each as a count. Empty without any."""
    yield from _rows(report, lang)
    yield from _places(report, lang)
    if report.location(LOST) is not None:
        yield PHRASES[lang]["lost"]


def _rows(report: Report, lang: str) -> Iterator[str]:
    statuses = report.statuses()
    for status, key in (
        (Status.FAILED, "failed"),
        (Status.ERASED_UNVERIFIED, "unproven"),
        (Status.WITHDRAWN_PENDING_REVIEW, "withdrawn"),
        (Status.UNKNOWN_LINEAGE, "unknown"),
        (Status.RETAINED_BY_DUTY, "retained"),
    ):
        if statuses[status]:
            yield counted(key, statuses[status], lang)


def _places(report: Report, lang: str) -> Iterator[str]:
    left = report.left()
    backups = Counter(
        (one.delete_by, one.status is Status.PUT_BEYOND_USE)
        for one in left
        if one.kind is LocationKind.BACKUP
    )
    for (day, beyond), n in sorted(backups.items()):
        yield counted("backup_beyond" if beyond else "backup", n, lang, day=day or "?")
    rest = [one for one in left if one.kind is not LocationKind.BACKUP]
    exports = sum(one.location_id.startswith("export:") for one in rest)
    if exports:
        yield counted("export", exports, lang)
    if report.head.answers_given:
        yield counted("answers", report.head.answers_given, lang)
    files = sum(one.location_id.startswith("other:") for one in rest)
    if files:
        yield counted("file", files, lang)
    if journal := sum(one.evidence.hits for one in rest if one.location_id == JOURNAL):
        yield counted("journal", journal, lang)
    if typed := sum(one.items for one in rest if one.location_id == TYPED):
        yield counted("typed", typed, lang)
    unsettled = sum(one.status is Status.FAILED for one in rest)
    if unsettled:
        yield counted("place", unsettled, lang)
