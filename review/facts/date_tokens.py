"""A text as date tokens: what each word or number may mean in a date, one letter each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from review.facts.calendar_words import WORDS

Value = int | str | tuple[int, ...] | datetime | None

_TOKEN: Final = re.compile(
    r"""[ \t]{0,3}+(?:
      (?P<quarter>[qQ][1-4]\b)
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)
    | (?P<mark>[.!?;\n,–—-])
    | (?P<stamp>(?<![\w.-])\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?
          (?:\ ?(?:Z|UTC)|[+-]\d\d:?\d\d)?(?!\w))
    | (?P<ymd>(?<![\w.,/-])\d{4}(?:-\d\d?-|/\d\d?/|\.\d\d?\.)\d\d?(?![\w/-]|[.,]\d))
    | (?P<season>(?<![\w.,/-])\d{4}[/–-]\d\d(?![\w/-]|[.,]\d))
    | (?P<dmy>(?<![\w.,/-])(?:\d\d?\.\d\d?\.\d{4}|\d\d?/\d\d?/\d{4}|\d\d?-\d\d?-\d{4}
          |\d\d\.\d\d\.\d\d|\d\d?/\d\d?/\d\d)(?![\w/-]|[.,]\d))
    | (?P<clock>(?<![\w.,:])(?:(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\ ?[aApP]\.?[mM]\b)?
          |(?:1[0-2]|0?[1-9])\ ?[aApP]\.?[mM]\b)(?![\w:]))
    | (?P<slash>(?<![\w.,/-])\d\d?/\d\d?(?![\w/-]|[.,]\d))
    | (?P<decade>(?<![\w.,])\d{3}0(?:-?s|-?[еих]|-?ые|-?ых)(?!\w))
    | (?P<ordinal>(?<![\w.,])\d\d?(?:st|nd|rd|th|-?(?:го|е|й|му|ого|ый|ое|м))(?!\w))
    | (?P<number>(?:(?<![\w.,])\d{1,9}|(?<=\d,)\d{4})
          (?![\w%°₽$€£]|\.\d|,\d(?!\d{3}\b)|\ [%°₽$€£]))
    | (?P<amount>[$€£₽№#]?\ ?\d[\w.,]*[\w%°₽$€£])
    )""",
    re.VERBOSE,
)


_NUMBER: Final = re.compile(r"\d+")
_MARKS: Final = {"-": "-", "–": "-", "—": "-", ",": ","}


@dataclass(frozen=True, slots=True)
class DateTokens:
    """Parallel lists: token ``i`` is letter ``shape[i]`` with ``values[i]`` at ``spans[i]``.

    Numbers add letters to those of ``calendar_words``: ``d`` 1 to 31, ``y`` four digits, ``n``
    another whole number, ``o`` an ordinal, ``#`` an amount, ``F`` a numeric date, ``D`` a numeric
    day and month, ``R`` a numeric year and month, ``Z`` an instant, ``c`` a clock time, ``C`` a
    decade, ``Q`` a quarter, ``.`` the end of a sentence, ``,`` and ``-`` themselves.
    """

    shape: str
    values: list[Value]
    spans: list[tuple[int, int]]


def read(text: str) -> DateTokens:
    """The date tokens of ``text``, in order; linear in its length."""
    letters: list[str] = []
    values: list[Value] = []
    spans: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(text):
        sort = found.lastgroup
        if sort is None:
            continue
        written = found[sort]
        if sort == "word":
            letter, value = _word(written)
        elif sort == "mark":
            letter, value = _MARKS.get(written, "."), written
        else:
            letter, value = _number(sort, written)
        letters.append(letter)
        values.append(value)
        spans.append(found.span(sort))
    return DateTokens("".join(letters), values, spans)


def _word(written: str) -> tuple[str, Value]:
    low = written.lower()
    meaning = WORDS.get(low)
    if meaning is None and "ё" in low:
        meaning = WORDS.get(low.replace("ё", "е"))
    if meaning is None and low.endswith(("'s", "’s")):
        meaning = WORDS.get(low[:-2])
    return meaning or ("_", written)


def _number(sort: str, written: str) -> tuple[str, Value]:
    if sort == "number":
        value = int(written)
        if len(written) == 4 and value:
            return "y", value
        return ("d", value) if 1 <= value <= 31 else ("n", value)
    reader = _READERS.get(sort)
    return ("#", written) if reader is None else reader(written)


def _digits(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in _NUMBER.findall(written))


def _stamp(written: str) -> tuple[str, Value]:
    plain = written.replace(",", ".").replace("UTC", "Z").replace("utc", "Z")
    plain = plain[:10] + "T" + plain[11:].replace(" ", "").upper()
    try:
        return "Z", datetime.fromisoformat(plain)
    except ValueError:
        return "#", written


def _day_month_year(written: str) -> tuple[str, Value]:
    """Slashes are month/day unless the first number cannot be a month; dots are day.month."""
    first, second, year = _digits(written)
    if year < 100 and len(written.strip()) <= 8:
        year += 2000
    month_first = "/" in written and first <= 12
    if "/" not in written and second > 12 >= first:
        month_first = True
    return "F", (year, first, second) if month_first else (year, second, first)


def _season(written: str) -> tuple[str, Value]:
    """``2025/26`` is a winter or a school year, ``2026-03`` a month, ``2019-21`` a range."""
    first, second = _digits(written)
    if second == (first + 1) % 100:
        return "y", first
    if "-" in written and 1 <= second <= 12:
        return "R", (first, second)
    return "#", written


def _slash(written: str) -> tuple[str, Value]:
    first, second = _digits(written)
    if written == "24/7":
        return "#", written
    month, day = (second, first) if second <= 12 < first <= 31 else (first, second)
    return ("D", (month, day)) if 1 <= month <= 12 and 1 <= day <= 31 else ("#", written)


def _clock(written: str) -> tuple[str, Value]:
    hour, *rest = _digits(written)
    low = written.lower()
    if "m" in low:
        if hour > 12 or hour == 0:
            return "#", written
        hour = hour % 12 + (12 if "p" in low else 0)
    return "c", (hour, *rest)


_READERS: Final[dict[str, Callable[[str], tuple[str, Value]]]] = {
    "stamp": _stamp,
    "ymd": lambda written: ("F", _digits(written)),
    "dmy": _day_month_year,
    "season": _season,
    "clock": _clock,
    "slash": _slash,
    "quarter": lambda written: ("Q", _digits(written)[0]),
    "decade": lambda written: ("C", _digits(written)[0]),
    "ordinal": lambda written: ("o", _digits(written)[0]),
}
