"""The values in a claim that are of the sort a question asks for: durations, money, dates.

Only the form is judged here, with the words right around the value. Whether the claim is about
the thing asked for is judged in ``answer_offers``.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from typing import Final

from review.answer.counts import counts, found_values, rejected, times
from review.answer.kinds import AnswerSort, AskedKind
from review.answer.senses import Senses, sense
from review.answer.told import Told
from review.answer.words import Reading
from review.facts import moments, units, values
from review.facts.protocol import ValueType
from review.facts.tables import word_set
from review.facts.words import is_cyrillic
from store.cells import Span

_AGO: Final = re.compile(
    r"\s*(?:ago|later|before|after|earlier|from now|away|old|early|late|назад|спустя|до|после"
    r"|тому)\b",
    re.IGNORECASE,
)
_NOT_LASTING: Final = re.compile(
    r"\b(?:(?<!put )(?<!spent )(?<!been )in|within|every|each|next|another|after|через|каждые"
    r"|каждый|спустя|после|следующие)(?: the)?(?: (?:next|first|following|about|around))?\s*$",
    re.IGNORECASE,
)
_A_UNIT: Final = re.compile(
    r"\b(?:been|for|about|around|almost|nearly|over|spent|took|takes?|past|last)\s+"
    r"(?:about |around |almost |over |just |only )?a\s+(?P<english>day|week|month)\b"
    r"|\b(?:уже|почти|около|примерно|всего)\s+(?:целый |целую )?"
    r"(?P<russian>год|месяц|неделю|день|час)\b",
    re.IGNORECASE,
)
_OFTEN: Final = re.compile(r"([<>=]*[\d.-]+)(?: (?:time|day|night))?/(.+)")
_GONE_BY: Final = re.compile(
    r"\b(?:ago|last|yesterday|past|previous|назад|вчера|позавчера|прошл\w+|минувш\w+)\b",
    re.IGNORECASE,
)
_ANY_MOMENT: Final = datetime(2001, 1, 1, 12, tzinfo=UTC)
"""Only whether two dates differ is looked at, not which they are."""

_WEEK: Final = (
    "monday понедельник",
    "tuesday вторник",
    "wednesday среда",
    "thursday четверг",
    "friday пятница",
    "saturday суббота",
    "sunday воскресенье",
)
_EVERY: Final = word_set("every по каждый каждую каждое")
_RATIO: Final = re.compile(r"(?<![\w/:-])\d{1,3}\s?[-–:]\s?\d{1,3}(?![\w/:-])")
_SAID_BY: Final = {
    unit: Senses(words)
    for named, words in (
        ("kg g pound tonne ounce", "weight вес килограмм"),
        ("km m mile foot yard", "distance mileage расстояние пробег"),
        ("cm inch", "height size рост размер"),
        ("l ml gallon", "water volume вода объем"),
        ("gb tb mb", "storage space memory место память"),
        ("°C °F degree", "temperature температура"),
    )
    for unit in named.split()
}
_TERM: Final = Senses("term срок")
"""What is told by a date or by a length of time."""

_SHARES: Final = Senses("rate discount fee commission ставка скидка комиссия")


@lru_cache(maxsize=1)
def _weekday_of() -> dict[str, int]:
    return {sense(name): i for i, names in enumerate(_WEEK) for name in names.split()}


def told(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """The values of the asked sort in a claim, in order."""
    read_as = _READERS.get(kind.sort)
    if read_as is not None:
        yield from read_as(kind, reading)


def _made(one: values.Found, at: int, unit: str, key: str = "") -> Told:
    return Told(key or one.key, one.text, one.span, at, unit)


def _durations(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for one, at in found_values(reading):
        unit, _, period = one.unit.partition("/")
        if one.value_type is not ValueType.DURATION or unit in {"", "time"}:
            continue
        before = reading.text[max(0, one.span.start - 30) : one.span.start]
        if not _AGO.match(reading.text, one.span.end) and not _NOT_LASTING.search(before):
            yield _made(one, at, "length/" if period else "length")
    for match in _A_UNIT.finditer(reading.text):
        if not _AGO.match(reading.text, match.end()):
            group = "english" if match["english"] else "russian"
            span = Span(match.start(group), match.end(group))
            key = f"1 {units.period_of(match[group].lower())}"
            yield Told(key, match[group], span, reading.at(span.start), "length")


def _frequencies(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for one, at in found_values(reading):
        found = _OFTEN.match(one.key)
        if found:
            yield _made(one, at, "often", f"{found[1]}/{found[2]}")
    days = [i for i, word in enumerate(reading.words) if word.sense in _weekday_of()]
    for _, named in groupby(days, key=lambda i: reading.words[i].sentence):
        where = list(named)
        if any(_is_habit(reading, i) for i in where):
            span = Span(reading.words[where[0]].start, reading.words[where[-1]].end)
            different = len({reading.words[i].sense for i in where})
            text = reading.text[span.start : span.end]
            yield Told(f"{different}/week", text, span, where[0], "often")


def _is_habit(reading: Reading, i: int) -> bool:
    before = reading.words[i - 1].low if i else ""
    return reading.words[i].low.endswith("s") or before in _EVERY


def _amounts(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for one, at in found_values(reading):
        if one.value_type is ValueType.NUMBER and one.unit and not one.key.startswith("ordinal"):
            implied: Set[str] = _SAID_BY.get(one.unit, frozenset())
            yield Told(one.key, one.text, one.span, at, one.unit, implied=implied)


def _money(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    as_share = not _SHARES.isdisjoint(kind.noun)
    for one, at in found_values(reading):
        if one.value_type is ValueType.MONEY:
            yield _made(one, at, "money")
        elif as_share and one.unit == "%":
            yield _made(one, at, "%")


def _clocks(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for one, at in found_values(reading):
        if one.value_type is ValueType.DATE:
            yield _made(one, at, "clock")


def _weekdays(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for i, word in enumerate(reading.words):
        if word.sense in _weekday_of():
            key = f"weekday {_weekday_of()[word.sense]}"
            yield Told(key, word.text, Span(word.start, word.end), i, "weekday")


def _moments(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """Dates that may still come: what is asked is when something is, not when it was."""
    if not _TERM.isdisjoint(kind.noun):
        yield from _durations(kind, reading)
    for one in moments.find(reading.text, against=_ANY_MOMENT):
        if not rejected(reading, one.span) and not _GONE_BY.search(one.text):
            key = f"{one.start.isoformat()}/{one.end.isoformat()}"
            yield Told(key, one.text, one.span, reading.at(one.span.start), "moment")


def _ages(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for one, at in found_values(reading):
        after = reading.text[one.span.end : one.span.end + 6].lower()
        turned = at > 0 and reading.words[at - 1].low in {"turned", "turning", "исполнилось"}
        if turned or (
            one.unit == "year" and (is_cyrillic(one.text) or re.match(r"[\s-]old", after))
        ):
            yield _made(one, at, "age", one.amount)


def _scores(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for match in _RATIO.finditer(reading.text):
        key = re.sub(r"[\s–:]+", "-", match.group())
        span = Span(match.start(), match.end())
        yield Told(key, match.group(), span, reading.at(match.start()), "score")
    for one, at in found_values(reading):
        plain = one.value_type is ValueType.NUMBER and one.unit in {"", "point"}
        if plain and one.amount.isdigit():
            yield _made(one, at, "points", one.amount)


_READERS: Final[dict[AnswerSort, Callable[[AskedKind, Reading], Iterator[Told]]]] = {
    AnswerSort.COUNT: counts,
    AnswerSort.TIMES: times,
    AnswerSort.DURATION: _durations,
    AnswerSort.FREQUENCY: _frequencies,
    AnswerSort.AMOUNT: _amounts,
    AnswerSort.MONEY: _money,
    AnswerSort.CLOCK: _clocks,
    AnswerSort.WEEKDAY: _weekdays,
    AnswerSort.MOMENT: _moments,
    AnswerSort.AGE: _ages,
    AnswerSort.SCORE: _scores,
}
