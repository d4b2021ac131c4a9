"""Patterns over date shapes, and what a text offers to read one.

A shape is one letter for each token (see ``calendar_words`` and ``date_tokens``), so a pattern
reads like a form of a date and matching stays linear: ``[do]f?M`` is "1 March", "1st of March".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import cached_property
from typing import Final

from review.facts.calendar_periods import Period
from review.facts.date_tokens import DateTokens, Value
from review.facts.tenses import Tense, tense

_YEAR: Final = "(?:,?f?yY?|,?f?t?[LTXV]Y)"
_MONTH: Final = r"(?:M|m\.?)"
_AFTER_WORD: Final = "(?:(?<=[p>fE])|(?<=[p>f]t)|(?<=E-))"
_COUNT: Final = "(?:a?[dnyw]f?|ha?|[aj])"

_SHAPES: Final = {
    "instant": "Z",
    "full": "(?:W,?)?F(?:,?W)?",
    "year_month": "R",
    "dates": f"t?[do]f?{_MONTH}[p-]t?[do]f?{_MONTH}{_YEAR}?"
    f"|{_MONTH}t?[do][p-]{_MONTH}t?[do]{_YEAR}?",
    "days": f"t?[do][p-]t?[do]f?{_MONTH}{_YEAR}?|{_MONTH}[do][p-][do]{_YEAR}?",
    "day": f"(?:W,?)?(?:t?[do]f?{_MONTH}{_YEAR}?|{_MONTH}t?[do](?!-?[UYq]){_YEAR}?)(?:,?W)?",
    "months": f"[Mm][p&-][Mm]{_YEAR}?",
    "month": f"{_MONTH}{_YEAR}|{_AFTER_WORD}[Mm]",
    "quarter": f"(?:Q|t?[od_]-?q){_YEAR}?",
    "season": f"S{_YEAR}|S(?!f)",
    "seasons_ago": "a?[dnyw]f?S~?A",
    "named": "[LTXV][MmSW]",
    "weekday_ago": f"t?W{_COUNT}?[UYq]~?A",
    "weekday": "W(?:,?p?t?[LTX]U)?(?!G)",
    "ago": f"{_COUNT}?[UYq]~?A",
    "ahead": f">{_COUNT}?[UYq]|{_COUNT}[UYq]pe",
    "window": "t?[Ll][dnyw]?[UYq](?!f)|t?[XT][dnyw][UYq]",
    "unit": "[LTXV][UYqK]|lK|(?:(?<=Nft)|(?<=E))[UYq]",
    "day_word": "H|[LT]g",
    "slash": "D",
    "years": "y[p-]yY?",
    "year": f"yY|t?Yy|{_AFTER_WORD}y",
    "decade": "C",
    "day_of_month": "(?<=p)(?:t?[do]b|to(?=[.,]|$))",
}
SHAPE: Final = re.compile("|".join(f"(?P<{name}>{shape})" for name, shape in _SHAPES.items()))
NEEDS_NOW: Final = frozenset(
    {
        "named",
        "seasons_ago",
        "weekday_ago",
        "weekday",
        "ago",
        "ahead",
        "window",
        "unit",
        "day_word",
        "slash",
        "day_of_month",
    }
)
"""Shapes that mean nothing without the moment of speaking."""

RANGES: Final = frozenset({"dates", "days", "months", "years"})
"""Shapes that hold their own "from" and "to"."""

WHOLE: Final = frozenset({"full", "dates", "days", "day"})
"""Shapes that are wrong as a whole: 31 February is not February either."""


@dataclass(frozen=True)
class Reading:
    """A text's tokens with the moment of speaking, if there is one."""

    text: str
    tokens: DateTokens
    against: datetime | None
    zone: tzinfo

    @cached_property
    def tense(self) -> Tense:
        """Of the whole text."""
        return tense(self.text)

    def word(self, index: int) -> str:
        """Token ``index`` as written, in lower case; empty outside the text."""
        if not 0 <= index < len(self.tokens.spans):
            return ""
        start, end = self.tokens.spans[index]
        return self.text[start:end].lower()

    def numbers(self, letters: str, start: int, end: int) -> list[int]:
        """Values of the tokens in ``[start, end)`` whose letter is one of ``letters``."""
        shape, values = self.tokens.shape, self.tokens.values
        told: list[Value] = [values[i] for i in range(start, end) if shape[i] in letters]
        return [value for value in told if isinstance(value, int)]

    def unit(self, index: int) -> str:
        """The unit that token ``index`` names: "week", "year", "weekday"."""
        named = {"Y": "year", "q": "quarter", "K": "weekend", "W": "weekday"}
        return named.get(self.tokens.shape[index], str(self.tokens.values[index]))

    def year(self, start: int, end: int) -> int | None:
        """The year told in ``[start, end)``: "2025", or "last year" against the moment."""
        told = self.numbers("y", start, end)
        if told:
            return told[-1]
        found = re.search("[LTXV]Y", self.tokens.shape[start:end])
        if found is None or self.against is None:
            return None
        return self.against.year + self.step(start + found.start())

    def step(self, index: int) -> int:
        """Last is -1, this 0, next 1, the one before the last -2."""
        return {"L": -1, "l": -1, "T": 0, "X": 1, "V": -2}[self.tokens.shape[index]]

    def nearest(self, candidates: list[Period | None], start: int) -> Period | None:
        """The period meant when the year is left out: by tense, else the nearest one.

        Words before token ``start`` count too: "since March" has begun, "back in March" is over.
        """
        now = self.against
        real = [period for period in candidates if period is not None]
        if now is None or not real:
            return None
        before = (self.word(start - 1), self.word(start - 2))
        if before[1] == "back":
            real = [p for p in real if p.end <= now]
            return max(real, key=lambda p: p.start, default=None)
        if self.tense is Tense.PAST or "since" in before:
            real = [p for p in real if p.start <= now]
            return max(real, key=lambda p: p.start, default=None)
        if self.tense is Tense.FUTURE:
            real = [p for p in real if p.end > now]
            return min(real, key=lambda p: p.start, default=None)
        return min(real, key=lambda p: max(p.start - now, now - p.end, timedelta(0)))
