"""Quantities in words: an amount or a range with its unit, currency, bound and period."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from review.facts import periods, units
from review.facts.bounds import bound_after, bound_before
from review.facts.measures import Measure, compound, currency_before, measure_at
from review.facts.numbers import Amount, Token, amount, digits, plain
from review.facts.protocol import ValueType
from review.facts.reading import Reading
from review.facts.tables import word_set
from review.facts.words import lemma

_DASHES: Final = frozenset("-–—−")
_CHANGES: Final = word_set(
    "increase grow raise rise go move drop fall change cut reduce bump jump climb"
    " improve увеличить вырасти поднять подняться изменить сменить снизить снизиться"
    " упасть увеличиться измениться перейти перенести"
)
"""Behind these, "from 5 to 6" is two values and no range."""

_IDIOMS: Final = frozenset({"day", "time", "night", "point", "step"})
"""What "one" does not count: "one day we will …"."""

_BEFORE_ONE: Final = word_set(
    "for in within about around almost nearly over under after take takes took last"
    " lasts lasted than half spend spent least roughly approximately на за через около"
    " почти примерно больше более менее меньше"
)
ONE_PERIOD: Final = word_set("неделю месяц год час минуту сутки день")


def quantity(tokens: list[Token], at: int, *, lone: bool = False) -> Reading | None:
    """The quantity that begins at token ``at``, with its bound, unit and period.

    Args:
        tokens: All tokens of a text.
        at: Where to begin.
        lone: Whether the text is nothing but a value, so that ``one`` and ``2024`` are numbers.

    Returns:
        The quantity, or ``None`` when there is none or it is a year.
    """
    bound, begin = bound_before(tokens, at)
    if begin > at and _ends_change(tokens, at):
        return None
    negative = begin + 1 < len(tokens) and _is_minus(tokens, begin)
    currency, first = currency_before(tokens, begin + negative)
    low = amount(tokens, first, money=bool(currency))
    if low is None:
        found = _one_period(tokens, first, said=bool(bound) or lone)
        return found and _told(tokens, found[0], found[1], bound, at)
    more, low = _plus(tokens, low)
    bound = bound or more
    unit = measure_at(tokens, low.end, currency)
    unit = unit if unit.name else unit._replace(end=low.end)
    values: tuple[Decimal, ...] = (-low.value if negative else low.value,)
    high = _range(tokens, first, low, unit, currency)
    if high is not None:
        values, unit = high
    elif not _stands(tokens, first, low, unit, lone=lone):
        return None
    else:
        value, unit = compound(tokens, values[0], unit)
        values = (value,)
    if bound and tokens[at].low == "до" and not unit.name and not lone:
        return None
    return _told(tokens, values, unit, bound, at)


def _told(
    tokens: list[Token], values: tuple[Decimal, ...], unit: Measure, bound: str, start: int
) -> Reading:
    """The normal form, with the period that follows."""
    name, end = unit.name, unit.end
    if not bound:
        bound, end = bound_after(tokens, end)
    values = tuple(value * unit.part for value in values)
    if not unit.money and not unit.noun:
        values, name = units.told(values, name)
    number = bound + "-".join(plain(value) for value in values)
    value_type = ValueType.NUMBER
    if unit.money:
        value_type = ValueType.MONEY
    elif name in _DURATIONS:
        value_type = ValueType.DURATION
    per, end = _per(tokens, end, unit) if name else ("", end)
    if per and name == "time":
        return Reading(ValueType.DURATION, f"{number}/{per}", start, end)
    key = f"{number} {name}".rstrip()
    return Reading(value_type, f"{key}/{per}" if per else key, start, end)


_DURATIONS: Final = frozenset(units.TIME.values())


def _per(tokens: list[Token], end: int, unit: Measure) -> tuple[str, int]:
    """What it is told per, at once or behind "of coffee"."""
    per, after = periods.per(tokens, end, money=unit.money)
    if per or unit.money or end >= len(tokens) or tokens[end].low != "of":
        return per, after
    for step in (2, 3):
        per, after = periods.per(tokens, end + step, money=False)
        if per:
            return per, after
    return "", end


def _stands(tokens: list[Token], first: int, low: Amount, unit: Measure, *, lone: bool) -> bool:
    """Whether it is a quantity at all, not a year, a pronoun or a turn of speech."""
    word = tokens[first].low
    if not lone and _is_model(tokens, first, unit):
        return False
    if lone or (low.alone and not low.year_like):
        return True
    if word in {"пара", "пару"} and unit.noun:
        return False
    if word == "one" and unit.name in _IDIOMS and tokens[first + 1].raw != "-":
        return bool(periods.per(tokens, unit.end, money=False)[0])
    if not low.year_like:
        return bool(unit.name) and not (unit.noun and low.value == 1)
    before = tokens[first - 1].low if first else ""
    named = unit.noun and before in {"in", "the", "since", "of", "by", "from", "в", "с", "до"}
    return bool(unit.name) and unit.name not in {"year", "g"} and not named


def _is_model(tokens: list[Token], first: int, unit: Measure) -> bool:
    """Whether the number belongs to a name: "Pixel 8", "a Pixel 8 Pro case", "f/2.8"."""
    if first < 2 or tokens[first].kind != "num":
        return False
    before = tokens[first - 1]
    if before.raw == "/":
        return before.end == tokens[first].start
    after = tokens[first + 1].raw if first + 1 < len(tokens) else ""
    named = before.kind == "word" and before.raw != "I" and before.low != before.raw
    begins = tokens[first - 2].raw in {".", "!", "?", ":"}
    return named and not begins and (not unit.name or (unit.noun and after[:1].isupper()))


def _one_period(
    tokens: list[Token], first: int, *, said: bool
) -> tuple[tuple[Decimal], Measure] | None:
    """``полгода``, ``полчаса``, and behind a preposition "a week"."""
    low = tokens[first].low
    if low in units.HALVES:
        return (Decimal("0.5"),), Measure(units.HALVES[low], first + 1)
    article = low in {"a", "an"}
    named = first + article
    if named >= len(tokens):
        return None
    word = tokens[named].low
    name = units.period_of(word) if article or word in ONE_PERIOD else ""
    if not name:
        return None
    value, unit = compound(tokens, Decimal(1), Measure(name, named + 1))
    before = tokens[first - 1].low if first else ""
    return ((value,), unit) if said or value != 1 or before in _BEFORE_ONE else None


def _plus(tokens: list[Token], low: Amount) -> tuple[str, Amount]:
    """``20+ people``: the bound between an amount and its unit."""
    bound, end = bound_after(tokens, low.end)
    if end == low.end + 1 and end < len(tokens) and tokens[end].kind == "word":
        return bound, low._replace(end=end)
    return "", low


def _is_minus(tokens: list[Token], at: int) -> bool:
    token, following = tokens[at], tokens[at + 1]
    if following.kind != "num":
        return False
    if token.low in {"минус", "minus"}:
        return True
    apart = at == 0 or tokens[at - 1].end < token.start
    return token.raw in {"-", "−"} and following.start == token.end and apart


def _range(
    tokens: list[Token], first: int, low: Amount, unit: Measure, currency: str
) -> tuple[tuple[Decimal, ...], Measure] | None:
    """The upper end when ``low`` is the lower end of a range, and the unit of both."""
    between = first > 0 and tokens[first - 1].low in {"between", "между"}
    for at in dict.fromkeys((low.end, unit.end)):
        begin = _range_from(tokens, at, between=between, bare=not unit.name)
        if not begin:
            continue
        if _is_change(tokens, first, at):
            return None
        same, begin = currency_before(tokens, begin)
        high = amount(tokens, begin, money=bool(currency or same))
        if high is None or (low.year_like and high.year_like):
            continue
        upper = measure_at(tokens, high.end, same or currency)
        upper = upper if upper.name else unit._replace(end=high.end)
        start = _like(tokens, low, high, first, begin)
        if at > low.end and unit.name != upper.name:
            total = units.combined(start, unit.name, Decimal(0), upper.name)
            start = total if total is not None else high.value
        if start < high.value:
            return (start, high.value), upper
    return None


def _ends_change(tokens: list[Token], at: int) -> bool:
    """Whether ``до`` at ``at`` belongs to "с 350 до 500" and bounds nothing."""
    near = tokens[max(0, at - 4) : at]
    return tokens[at].low == "до" and any(token.low in {"с", "со", "от"} for token in near)


def _range_from(tokens: list[Token], at: int, *, between: bool, bare: bool) -> int:
    """The token where the upper end begins when a range's mark stands at ``at``; otherwise 0."""
    if at + 1 >= len(tokens):
        return 0
    mark = tokens[at]
    if mark.raw in _DASHES:
        glued = tokens[at - 1].end == mark.start
        return at + 1 if glued == (mark.end == tokens[at + 1].start) else 0
    if mark.low in {"to", "до"}:
        return at + 1
    if mark.low in {"and", "и"} and between:
        return at + 1
    return at + 1 if mark.low in {"or", "или"} and bare else 0


def _is_change(tokens: list[Token], first: int, at: int) -> bool:
    """Whether "from 5 to 6" tells a change: a verb of change stands before it."""
    if tokens[at].low not in {"to", "до"}:
        return False
    return any(
        token.kind == "word" and lemma(token.low) in _CHANGES
        for token in tokens[max(0, first - 6) : first]
    )


def _like(tokens: list[Token], low: Amount, high: Amount, first: int, begin: int) -> Decimal:
    """The lower end with the upper end's scale when only that has one: ``50-60k``."""
    if tokens[begin].kind != "num" or low.end != first + 1 or high.end == begin + 1:
        return low.value
    scale = high.value / digits(tokens[begin].raw)
    return low.value * scale if low.value * scale < high.value else low.value
