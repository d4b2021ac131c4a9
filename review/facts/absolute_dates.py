"""The periods that dates name by themselves: "1 March 2026", "Q3 2025", "осень 2025".

A date without its year is here too: the year comes from the moment of speaking and the tense.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from review.facts import calendar_periods as periods
from review.facts.calendar_periods import Period
from review.facts.calendar_words import listed
from review.facts.date_shapes import Reading
from review.facts.tenses import Tense
from store.cells import Precision

_MEASURES: Final = frozenset(
    listed(
        "rub usd eur руб рубл+ей,я р тыс тысяч шт штук единиц человек раз км м кг тонн метров "
        "часов минут дней kg km m people percent процентов"
    )
)
_VERBS_IN_S: Final = frozenset(listed("was is has does this as his its vs"))
_YEAR_WORDS: Final = frozenset(listed("год+-,у,а,ом,ов,ах,ы г гг year"))
_BY_SEASON: Final = frozenset(listed("весной летом осенью зимой весною зимою"))


def _instant(reading: Reading, start: int, end: int) -> Period | None:
    value = reading.tokens.values[start]
    if not isinstance(value, datetime):
        return None
    aware = value if value.tzinfo else value.replace(tzinfo=reading.zone)
    return Period(aware, aware, Precision.INSTANT)


def _full(reading: Reading, start: int, end: int) -> Period | None:
    value = reading.tokens.values[reading.tokens.shape.index("F", start)]
    if not isinstance(value, tuple):
        return None
    return periods.day(value[0], value[1], value[2], reading.zone)


def _year_month(reading: Reading, start: int, end: int) -> Period | None:
    value = reading.tokens.values[start]
    return periods.month(value[0], value[1], reading.zone) if isinstance(value, tuple) else None


def _yearless(reading: Reading, start: int, end: int, month: int, date: int) -> Period | None:
    told = reading.year(start, end)
    if told is not None:
        return periods.day(told, month, date, reading.zone)
    if reading.against is None:
        return None
    about = range(reading.against.year - 8, reading.against.year + 9)
    return reading.nearest(
        [periods.day(number, month, date, reading.zone) for number in about],
        start,
    )


def _is_verb(reading: Reading, start: int, end: int) -> bool:
    """Whether a small "may" or "march" is a verb: no preposition before, no year after."""
    if start and reading.tokens.shape[start - 1] in "p>":
        return False
    for index in range(start, end):
        if reading.tokens.shape[index] == "m" and reading.word(index) in ("may", "march", "mar"):
            at = reading.tokens.spans[index][0]
            return reading.text[at].islower() and not reading.numbers("y", start, end)
    return False


def _day(reading: Reading, start: int, end: int) -> Period | None:
    if _is_verb(reading, start, end):
        return None
    months, dates = reading.numbers("Mm", start, end), reading.numbers("do", start, end)
    return _yearless(reading, start, end, months[0], dates[0])


def _days(reading: Reading, start: int, end: int) -> Period | None:
    months, dates = reading.numbers("Mm", start, end), reading.numbers("do", start, end)
    first = _yearless(reading, start, end, months[0], dates[0])
    last = first and periods.day(first.start.year, months[0], dates[1], reading.zone)
    if first is None or last is None or last.end <= first.start:
        return None
    return Period(first.start, last.end, Precision.DAY)


def _dates(reading: Reading, start: int, end: int) -> Period | None:
    """Two days with one year: "с 1 марта по 1 июня 2026 года"; "until" leaves the last one out."""
    months, dates = reading.numbers("Mm", start, end), reading.numbers("do", start, end)
    wraps = months[0] > months[1]
    told = reading.year(start, end)
    if told is None:
        first = _yearless(reading, start, end, months[0], dates[0])
        told = first.start.year + wraps if first else None
    else:
        first = periods.day(told - wraps, months[0], dates[0], reading.zone)
    last = periods.day(told, months[1], dates[1], reading.zone) if told else None
    if first is None or last is None or last.end <= first.start:
        return None
    link = next(i for i in range(start, end) if reading.tokens.shape[i] in "p-")
    until = reading.tokens.values[link] in ("until", "before") and reading.word(link) != "to"
    return Period(first.start, last.start if until else last.end, Precision.DAY)


def _month(reading: Reading, start: int, end: int) -> Period | None:
    if _is_verb(reading, start, end):
        return None
    return _month_number(reading, start, end, reading.numbers("Mm", start, end)[0])


def _month_number(reading: Reading, start: int, end: int, number: int) -> Period | None:
    told = reading.year(start, end)
    if told is not None:
        return periods.month(told, number, reading.zone)
    if reading.against is None:
        return None
    about = range(reading.against.year - 1, reading.against.year + 2)
    return reading.nearest(
        [periods.month(year, number, reading.zone) for year in about],
        start,
    )


def _months(reading: Reading, start: int, end: int) -> Period | None:
    first, last = reading.numbers("Mm", start, end)[:2]
    until = _month_number(reading, start, end, last)
    begun = until and periods.month(until.start.year - (first > last), first, reading.zone)
    return Period(begun.start, until.end, Precision.MONTH) if begun and until else None


def _quarter(reading: Reading, start: int, end: int) -> Period | None:
    first = [1] if reading.word(start) == "i" else []
    number = next(iter(reading.numbers("Qdo", start, end) or first), 0)
    told = reading.year(start, end)
    if told is not None:
        return periods.quarter(told, number, reading.zone)
    if reading.against is None:
        return None
    about = range(reading.against.year - 1, reading.against.year + 2)
    return reading.nearest([periods.quarter(year, number, reading.zone) for year in about], start)


def _season(reading: Reading, start: int, end: int) -> Period | None:
    name = str(reading.tokens.values[start])
    told = reading.year(start, end)
    if told is not None:
        return periods.season(told, name, reading.zone)
    prepared = start and reading.tokens.shape[start - 1] in "p>ft"
    if reading.against is None or not (prepared or reading.word(start) in _BY_SEASON):
        return None
    led = {reading.word(start - 1), reading.word(start - 2)} & {"since", "back"}
    if reading.tense is Tense.UNTOLD and not led:
        return None
    about = range(reading.against.year - 2, reading.against.year + 2)
    return reading.nearest([periods.season(year, name, reading.zone) for year in about], start)


def _slash(reading: Reading, start: int, end: int) -> Period | None:
    value = reading.tokens.values[start]
    if not isinstance(value, tuple):
        return None
    month, date = value
    plain = start and reading.tokens.shape[start - 1] in "p>"
    if date <= 12 and not plain:
        return None
    return _yearless(reading, start, end, month, date)


def _year(reading: Reading, start: int, end: int) -> Period | None:
    number = reading.numbers("y", start, end)[0]
    named = any(reading.word(i) in _YEAR_WORDS for i in range(start, end))
    if end - start > 1 and not named:
        return None
    if not named and not _sounds_like_year(reading, number, start, end):
        return None
    return periods.year(number, reading.zone)


def _sounds_like_year(reading: Reading, number: int, start: int, end: int) -> bool:
    """Whether a bare number is a year: "in 2024 we" is one, "for 2000 RUB" is not."""
    before = reading.word(start - 1)
    if before in ("at", "on", "for", "over", "на", "за", "and") or not 1000 <= number <= 2999:
        return False
    after = reading.word(end)
    if before == "the" and _capital(reading, end):
        return False  # "the 2009 Harvest Games" has the year in its name
    if reading.tokens.shape[end : end + 1] != "_":
        return reading.tokens.shape[end : end + 1] not in ("U", "q", "#")
    if after in _MEASURES:
        return False
    plural = after.endswith("s") and after not in _VERBS_IN_S
    return not plural or 1900 <= number <= 2100


def _capital(reading: Reading, index: int) -> bool:
    """Whether token ``index`` is a word with a capital."""
    if index >= len(reading.tokens.spans):
        return False
    return reading.text[reading.tokens.spans[index][0]].isupper()


def _years(reading: Reading, start: int, end: int) -> Period | None:
    first, last = reading.numbers("y", start, end)[:2]
    named = any(reading.word(i) in _YEAR_WORDS for i in range(start, end))
    plausible = 1900 <= first < last <= 2100
    if first >= last or not (named or plausible) or reading.word(end) in _MEASURES:
        return None
    begun, ended = periods.year(first, reading.zone), periods.year(last, reading.zone)
    return Period(begun.start, ended.end, Precision.YEAR) if begun and ended else None


def _decade(reading: Reading, start: int, end: int) -> Period | None:
    return periods.decade(reading.numbers("C", start, end)[0], reading.zone)


def _day_of_month(reading: Reading, start: int, end: int) -> Period | None:
    now = reading.against
    if now is None:
        return None
    number = reading.numbers("do", start, end)[0]
    months = [divmod(now.year * 12 + now.month - 1 + step, 12) for step in range(-2, 3)]
    return reading.nearest(
        [periods.day(year, month + 1, number, reading.zone) for year, month in months],
        start,
    )


Meaning = Callable[[Reading, int, int], Period | None]

MEANINGS: Final[dict[str, Meaning]] = {
    "instant": _instant,
    "full": _full,
    "year_month": _year_month,
    "dates": _dates,
    "days": _days,
    "day": _day,
    "months": _months,
    "month": _month,
    "quarter": _quarter,
    "season": _season,
    "slash": _slash,
    "years": _years,
    "year": _year,
    "decade": _decade,
    "day_of_month": _day_of_month,
}
"""By the name of the shape; each takes the token range that matched."""
