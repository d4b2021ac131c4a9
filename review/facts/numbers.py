"""Numbers in words and digits: tokens of a text, and the amount that begins at a token.

English and Russian. A comma or a dot before exactly three digits groups thousands where that is
how people write it: ``75,000`` and ``1.000.000`` are grouped, ``0,125`` and ``3.141`` are not,
``100.000`` is.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

from review.facts.tables import forms, word_set
from review.facts.words import folded


class Token(NamedTuple):
    """One token at ``[start, end)`` in characters; ``kind`` names the group that read it."""

    kind: str
    raw: str
    low: str
    start: int
    end: int


class Amount(NamedTuple):
    """A number that ends before token ``end``."""

    value: Decimal
    end: int
    alone: bool = True
    """Whether it is a number without a unit: ``two`` is, ``one`` and ``a couple`` are not."""

    year_like: bool = False
    """Four plain digits from 1900 to 2099: a year, unless a unit follows."""


_TOKEN: Final = re.compile(
    r"(?P<opaque>https?://\S+|\+\d[\d ().\-\u00a0]{7,}\d)"
    r"|(?P<code>\#\d+|[vV]\.?\d+(?:\.\d+)*(?!\w))"
    r"|(?P<word>[ap]\.m\.|p\.a\.|т\. ?р\.|(?<=\d)[^\W\d_]+"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*(?P<glued>[-_]?\d[\w.\-]*)?)"
    r"|(?P<mark>[^\w\s])"
    r"|(?=\d)(?:"
    r"(?P<dotted>(?!\d{1,3}(?:\.\d{3}){2,}(?![\d.]))\d+(?:[-./]\d+){2,}(?:T[\d:.+\-]+Z?)?"
    r"|\d+[x×х*]\d+\w*|\d+(?:/\d+)+)"
    r"|(?P<clock>\d{1,3}:\d\d(?::\d\d)?(?!\d))"
    r"|(?P<num>\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?:\.\d{3}){2,}(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)?))"
)
_SHORT: Final = word_set("тыс млн млрд руб р коп долл мес кв ед шт чел мин сек нед стр sq approx")
"""Abbreviations: the dot behind one ends no sentence, and is no token."""

_GROUPS: Final = re.compile(r"[ \u00a0\u202f'’]")


def scan(text: str) -> list[Token]:
    """The tokens of ``text``: words, numbers, clock times, marks, and what must not be read."""
    found: list[Token] = []
    whole = folded(text)
    aligned = len(whole) == len(text)
    for match in _TOKEN.finditer(text):
        raw = match.group()
        start, end = match.span()
        if raw == "." and found and found[-1].end == start and found[-1].low in _SHORT:
            continue
        low = whole[start:end] if aligned else folded(raw)
        found.append(Token(match.lastgroup or "", raw, low, start, end))
    return found


def digits(raw: str) -> Decimal:
    """The number that digits with separators stand for."""
    plain = _GROUPS.sub("", raw)
    if "," in plain and "." in plain:
        mark = max(",", ".", key=plain.rfind)
        other = "." if mark == "," else ","
        return Decimal(plain.replace(other, "").replace(mark, "."))
    for mark in (",", "."):
        head, found, tail = plain.partition(mark)
        if not found:
            continue
        grouped = len(tail) == 3 and head != "0" and (mark == "," or tail == "000")
        if mark in tail or (grouped and len(head) <= 3):
            return Decimal(plain.replace(mark, ""))
        return Decimal(f"{head}.{tail}")
    return Decimal(plain)


def _numbers(table: str) -> dict[str, int]:
    return {form: int(name) for form, name in forms(table).items() if form != name}


SMALL: Final = _numbers("""
0: zero ноль нуля нулю
1: one один одна одно одного одной одну одному одним одном
2: two два две двух двум двумя двое двоих
3: three три трех трем тремя трое троих
4: four четыре четырех четырем четырьмя четверо четверых
5: five пять пяти пятью пятеро
6: six шесть шести шестью
7: seven семь семи семью
8: eight восемь восьми восемью
9: nine девять девяти девятью
10: ten десять десяти десятью десяток десятка
11: eleven одиннадцать одиннадцати одиннадцатью
12: twelve двенадцать двенадцати двенадцатью
13: thirteen тринадцать тринадцати
14: fourteen четырнадцать четырнадцати
15: fifteen пятнадцать пятнадцати
16: sixteen шестнадцать шестнадцати
17: seventeen семнадцать семнадцати
18: eighteen восемнадцать восемнадцати
19: nineteen девятнадцать девятнадцати
20: twenty двадцать двадцати
30: thirty тридцать тридцати
40: forty сорок сорока
50: fifty пятьдесят пятидесяти
60: sixty шестьдесят шестидесяти
70: seventy семьдесят семидесяти
80: eighty восемьдесят восьмидесяти
90: ninety девяносто девяноста
100: сто ста
200: двести двухсот
300: триста трехсот
400: четыреста четырехсот
500: пятьсот пятисот
600: шестьсот шестисот
700: семьсот семисот
800: восемьсот восьмисот
900: девятьсот девятисот
""")
_SCALES: Final = _numbers("""
100: hundred
1000: thousand тысяча тысячи тысяч тысячу тыс тыщ
1000000: million миллион миллиона миллионов mln mn млн
1000000000: billion bn миллиард миллиарда миллиардов млрд
""")
_GLUED_SCALES: Final = {"k": 1000, "K": 1000, "к": 1000, "К": 1000, "M": 10**6, "B": 10**9}
SCALE_STARTS: Final = frozenset({"тысяча", "тысячу", "миллион", "миллиард"})
DOZENS: Final = {"couple": 2, "dozen": 12, "пара": 2, "пару": 2, "дюжина": 12}
_ONE: Final = frozenset(form for form, number in SMALL.items() if number == 1)
ONE_AND_A_HALF: Final = frozenset({"полтора", "полторы", "полутора"})
_LONGEST: Final = 20
"""A longer run of digits is an identifier, and would not be computed with exactly."""

_HALF: Final = Decimal("0.5")


def amount(tokens: list[Token], at: int, *, money: bool = False) -> Amount | None:
    """The number that begins at token ``at``, if one does.

    Args:
        tokens: All tokens of a text, from ``scan``.
        at: Where to begin; within ``tokens``.
        money: Whether a currency stands before it, so that ``$5m`` is five million.

    Returns:
        The amount and where it ends, or ``None``.
    """
    token = tokens[at]
    if token.kind == "num":
        return _in_digits(tokens, at, money=money)
    if token.kind != "word":
        return None
    low = token.low
    if low in SMALL or low in SCALE_STARTS:
        return _with_half(tokens, _in_words(tokens, at))
    if low in ONE_AND_A_HALF:
        return _scaled(tokens, Decimal("1.5"), at + 1)
    if low == "half" and _low(tokens, at + 1) in {"a", "an"}:
        return _scaled(tokens, _HALF, at + 2)._replace(alone=False)
    if low in {"a", "an"} and at + 1 < len(tokens):
        following = tokens[at + 1].low
        if following in {"hundred", "thousand", "million", "billion"}:
            return _in_words(tokens, at + 1)
        if following in DOZENS or following == "half":
            inner = amount(tokens, at + 1)
            return inner and inner._replace(alone=False)
    if low in DOZENS:
        end = at + 2 if _low(tokens, at + 1) == "of" else at + 1
        return _scaled(tokens, Decimal(DOZENS[low]), end)._replace(alone=False)
    return None


def _low(tokens: list[Token], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""


def _in_digits(tokens: list[Token], at: int, *, money: bool) -> Amount | None:
    raw = tokens[at].raw
    if len(raw) > _LONGEST:
        return None
    value = digits(raw)
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is not None and following.start == tokens[at].end:
        scale = _GLUED_SCALES.get(following.raw)
        if scale is None and money and following.raw in {"m", "b"}:
            scale = 10**6 if following.raw == "m" else 10**9
        if scale is not None:
            return Amount(value * scale, at + 2)
    scaled = _scaled(tokens, value, at + 1)
    if scaled.end > at + 1:
        return scaled
    year = len(raw) == 4 and raw.isdigit() and 1900 <= value < 2100
    return _with_half(tokens, Amount(value, at + 1, year_like=year))


def _scaled(tokens: list[Token], value: Decimal, end: int) -> Amount:
    scale = _SCALES.get(_low(tokens, end))
    return Amount(value, end) if scale is None else Amount(value * scale, end + 1)


def _in_words(tokens: list[Token], at: int) -> Amount:
    """Adds up ``two hundred and fifty thousand``; each part must fit under the one before."""
    total, current, end = 0, 0, at
    lowest_scale = 10**12
    while end < len(tokens):
        low = tokens[end].low
        small = SMALL.get(low)
        if small is not None and _fits(current, small, first=end == at or total > 0):
            current += small
        elif low in _SCALES and (current or end == at) and _SCALES[low] < lowest_scale:
            scale = _SCALES[low]
            if scale == 100:
                current = max(current, 1) * 100
            else:
                total, current, lowest_scale = total + max(current, 1) * scale, 0, scale
        elif not _joins(tokens, end, at):
            break
        end += 1
    alone = end > at + 1 or tokens[at].low not in _ONE
    return Amount(Decimal(total + current), end, alone)


def _fits(current: int, small: int, *, first: bool) -> bool:
    if not current:
        return first
    return current % (10 if small < 10 else 100 if small < 100 else 1000) == 0 < small


def _joins(tokens: list[Token], at: int, start: int) -> bool:
    """Whether a hyphen or ``and`` at ``at`` holds one number together."""
    if at == start or at + 1 >= len(tokens) or tokens[at + 1].low not in SMALL:
        return False
    before = tokens[at - 1]
    if tokens[at].low == "and":
        return before.low in {"hundred", "thousand"}
    tens = 20 <= SMALL.get(before.low, 0) < 100
    return tokens[at].raw == "-" and tens and 0 < SMALL[tokens[at + 1].low] < 10


def _with_half(tokens: list[Token], found: Amount) -> Amount:
    """``two and a half``, ``2 с половиной``."""
    added = half_after(tokens, found.end)
    if not added:
        return found
    return _scaled(tokens, found.value + _HALF, found.end + added)


def half_after(tokens: list[Token], at: int) -> int:
    """How many tokens say "and a half" at ``at``; 0 when none do."""
    words = [_low(tokens, at + step) for step in range(3)]
    if words == ["and", "a", "half"]:
        return 3
    return 2 if words[:2] == ["с", "половиной"] else 0


def plain(value: Decimal) -> str:
    """A number for a normal form: no group marks, no trailing zeros, no exponent."""
    told = f"{value:f}"
    return told.rstrip("0").rstrip(".") if "." in told else told
