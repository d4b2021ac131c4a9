"""Times of the day: ``7:30 am``, ``19:00``, ``в 7 утра``, ``9am-5pm``."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from review.facts import units
from review.facts.numbers import SMALL, Token, plain
from review.facts.protocol import ValueType
from review.facts.reading import Reading
from review.facts.tables import word_set

NOON: Final = {
    "noon": "12:00",
    "midday": "12:00",
    "midnight": "00:00",
    "полдень": "12:00",
    "полночь": "00:00",
}
_MORNING: Final = word_set("am a.m. утра ночи")
_EVENING: Final = word_set("pm p.m. дня вечера")
_ALSO_COUNTED: Final = word_set("дня ночи")
"""``3 дня`` are three days, and only ``в 3 дня`` or ``3 часа дня`` is a time."""

_AT: Final = word_set("в к с до около после")
_HOURS: Final = word_set("час часа часов ч o'clock o’clock")


def clock_time(tokens: list[Token], at: int) -> Reading | None:
    """The time of the day that begins at token ``at``, as ``07:30`` or ``09:00-17:00``.

    The hour is taken as written when nothing says which half of the day is meant. More than 23
    "hours" are minutes and seconds: a result, not a time.
    """
    token = tokens[at]
    if token.low in NOON:
        return Reading(ValueType.DATE, NOON[token.low], at, at + 1)
    if token.kind == "clock":
        return _with_minutes(tokens, at)
    if token.kind == "num" or token.low in SMALL:
        return _hour(tokens, at)
    return None


def _with_minutes(tokens: list[Token], at: int) -> Reading | None:
    hour, _, rest = tokens[at].raw.partition(":")
    minute = rest.partition(":")[0]
    if int(minute) > 59:
        return None
    if int(hour) > 23:
        seconds = Decimal(int(hour) * 60 + int(minute))
        (value,), unit = units.told((seconds,), "second")
        return Reading(ValueType.DURATION, f"{plain(value)} {unit}", at, at + 1)
    half, end = _half_of_day(tokens, at + 1)
    return _until(tokens, _reading(int(hour), minute, half, at, end))


def _hour(tokens: list[Token], at: int) -> Reading | None:
    """A whole hour, which needs a word that says so."""
    token = tokens[at]
    number = SMALL.get(token.low)
    if number is None and token.raw.isdigit() and len(token.raw) <= 2:
        number = int(token.raw)
    if number is None or number > 24:
        return None
    end = at + 1
    named = end < len(tokens) and tokens[end].low in _HOURS
    half, end = _half_of_day(tokens, end + named)
    told = named or (at > 0 and tokens[at - 1].low in _AT)
    if half and tokens[end - 1].low in _ALSO_COUNTED and not told:
        return None
    if not half and not (named and tokens[at + 1].low.startswith("o")):
        return None
    return _until(tokens, _reading(number, "00", half, at, end))


def _until(tokens: list[Token], start: Reading) -> Reading:
    at = start.end
    if at + 1 >= len(tokens) or tokens[at].low not in {"-", "–", "—", "to", "до"}:
        return start
    upper = clock_time(tokens, at + 1)
    if upper is None or upper.value_type is not ValueType.DATE:
        return start
    return start._replace(key=f"{start.key}-{upper.key}", end=upper.end)


def _half_of_day(tokens: list[Token], at: int) -> tuple[str, int]:
    low = tokens[at].low if at < len(tokens) else ""
    if low in _MORNING:
        return "am", at + 1
    return ("pm", at + 1) if low in _EVENING else ("", at)


def _reading(hour: int, minute: str, half: str, start: int, end: int) -> Reading:
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return Reading(ValueType.DATE, f"{hour % 24:02d}:{minute}", start, end)
