"""Dates and times as values: "deadline 15 October", "meeting on Tuesday at 3 pm".

Normal forms: ``2026-10-15``, ``2026-10``, ``2026``, with a time ``2026-10-15 15:00``, a time alone
``15:00``. A date whose year nobody knows is ``--10-15``, as ISO 8601 wrote it once.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from review.facts import values
from review.facts.moments import Moment
from review.facts.protocol import ValueType
from review.facts.sayings import ARTICLES, AUXILIARIES, FILLERS, word_set
from review.facts.sentences import COMMA, HARD, LINK, Phrase, Reading, Sentence
from store.cells import Precision

_YEAR: Final = re.compile(r"\d{4}")
_DIGIT: Final = re.compile(r"\d")
_DAYS: Final = (
    ("monday", "понедельник"),
    ("tuesday", "вторник"),
    ("wednesday", "среда"),
    ("thursday", "четверг"),
    ("friday", "пятница"),
    ("saturday", "суббота"),
    ("sunday", "воскресенье"),
)
_DAY: Final = re.compile(
    r"\b(?:(mondays?|понедельник\w*)|(tuesdays?|вторник\w*)|(wednesdays?|сред[аыеу]м?)"
    r"|(thursdays?|четверг\w*)|(fridays?|пятниц\w*)|(saturdays?|суббот\w*)"
    r"|(sundays?|воскресень\w*))\b",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"[\s,(]*(?:[A-Z]{2,4}\s+)?(?:at|on|from|в|во|на|с|around|около)?\s*$")
_BEFORE: Final = (
    FILLERS
    | ARTICLES
    | AUXILIARIES
    | word_set(
        "on at for by to in until till of around from as soon end в во на к ко до с около конец "
        "конца конце"
    )
)
_MONTH: Final = timedelta(days=31)
_REACH: Final = 4
"""How many words may stand before a date: "is set for the 15th"."""


def value(
    reading: Reading,
    sentence: Sentence,
    at: int,
    last: int,
    written_at: datetime | None,
    *,
    lasting: bool = False,
) -> Phrase | None:
    """The date or time that begins among the next few words from ``at``.

    A day without its year is the next one to come, give or take a month, for a deadline or a
    meeting; for what is ``lasting``, such as a birthday, it stays the nearest one.
    """
    stop = min(last, at + _REACH)
    for place in range(at + 1, stop):
        if reading.gaps[place] in (COMMA, HARD, LINK):
            stop = place
            break
    low, high = reading.starts[at], reading.ends[stop - 1]
    pieces = _pieces(reading, sentence, written_at, lasting=lasting)
    first = next((p for p in pieces if low <= p[0] < high), None)
    limit = reading.ends[last - 1]
    wide = first is not None and first[1] > limit
    if wide or (first is None and any(p[0] < low < p[1] for p in pieces)):
        # "From 15 October to 16 October" is one period, but here its end is the value.
        rest = Sentence(at, last, low, reading.ends[last - 1], asks=False)
        pieces = _pieces(reading, rest, written_at, lasting=lasting)
        first = next((p for p in pieces if low <= p[0] < high), None)
    if first is None:
        return None
    before = reading.forms[at : reading.word_at(first[0], at, last)]
    if not all(form in _BEFORE for form in before):
        return None
    start, end, keys = first[0], first[1], [first[2]]
    for piece in pieces:
        if end <= piece[0] < limit and _JOINED.match(reading.text, end, piece[0]):
            end = piece[1]
            if (":" in piece[2]) is not (":" in keys[0]):
                keys.append(piece[2])
    key = " ".join(sorted(set(keys), key=lambda k: (":" in k[:3], keys.index(k))))
    return Phrase(start, end, key, reading.word_at(end, at, last))


def key(moment: Moment, *, known: bool, ahead: datetime | None = None) -> str:
    """The normal form of one moment.

    Args:
        moment: A moment of a text.
        known: There was something to resolve it against, so its year is not a guess.
        ahead: A day without a year is the first one not a month before this.
    """
    start = moment.start
    named = moment.precision is Precision.DAY and _DIGIT.search(moment.text)
    leap_day = (start.month, start.day) == (2, 29)
    behind = ahead is not None and start < ahead - _MONTH and not leap_day
    if behind and named and not _YEAR.search(moment.text):
        start = start.replace(year=start.year + 1)
    if not known and not _YEAR.search(moment.text):
        if named:
            return start.strftime("--%m-%d")
        return values.name_key(moment.text)
    match moment.precision:
        case Precision.YEAR:
            return start.strftime("%Y")
        case Precision.MONTH:
            return start.strftime("%Y-%m")
        case Precision.INSTANT:
            return start.strftime("%Y-%m-%d %H:%M")
    return start.strftime("%Y-%m-%d")


def _pieces(
    reading: Reading, sentence: Sentence, written_at: datetime | None, *, lasting: bool
) -> list[tuple[int, int, str]]:
    """Dates, times of day and days of the week in order, as ``(start, end, key)``."""
    found = [
        (
            m.span.start + sentence.start,
            m.span.end + sentence.start,
            key(m, known=bool(written_at), ahead=None if lasting else written_at),
        )
        for m in sentence.moments(reading.text, written_at)
    ]
    found += [
        (q.span.start, q.span.end, q.key)
        for q in sentence.quantities(reading.text)
        if q.value_type is ValueType.DATE
    ]
    found += [
        (m.start(), m.end(), _DAYS[(m.lastindex or 1) - 1][0])
        for m in _DAY.finditer(reading.text, sentence.start, sentence.end)
    ]
    found.sort()
    apart: list[tuple[int, int, str]] = []
    for piece in found:
        if not apart or piece[0] >= apart[-1][1]:
            apart.append(piece)
    return apart
