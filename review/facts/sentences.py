"""A text as the grammar sees it: words with their places, what stands between them, sentences.

Everything is found in one pass, so a text of any length is read in time proportional to it.
Quantities and moments are looked up only in sentences that need them.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, NamedTuple

from review.facts import moments, values
from review.facts.sayings import DOUBTS, word_set
from review.facts.words import folded
from store.cells import Span

BLANK, COMMA, LINK, OPEN, HARD, END = range(6)
"""What stands before a word: nothing much, a comma, a sign that links a name to its value, an
opening bracket or quote, a bar such as ``;`` or a closing bracket, the end of a sentence."""

_WORD: Final = re.compile(
    r"\d+(?:[.,\u00a0\u202f ]\d{3})+(?![^\W_])(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)?"
)
_STOP: Final = re.compile(r"[!?…](?![a-zа-я/=&])|\.\.|\.[\"'»”’)\]*_`]*\s")
_IN_QUOTES: Final = re.compile(r"[!?…]+[\"'»”’]\s")
"""The end of a quoted name, such as "Run!", in the middle of a sentence."""

_DASH: Final = re.compile(r"\s[-\u2012-\u2015−]+\s|\s?[\u2014\u2015]\s?|\s[-\u2012-\u2015]$")
_QUOTES: Final = {'"': '"', "«": "»", "“": "”", "„": "“", "'": "'", "‘": "’", "`": "`"}
_SHORT: Final = word_set(
    "mr mrs ms dr prof st inc ltd co corp no vs etc jr sr approx dept est gen gov sen rep lt "
    "incl excl resp univ assn bros nick прим англ респ искл числ соотв "
    "col ул г гг руб тыс млн млрд др пр т д им стр корп кв д-р проф см напр шт ед мин сек ч"
)
_WHOLE: Final = 4
"""Letters from which a word that is not in ``_SHORT`` is taken for no abbreviation."""

_ANY_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MOST_WORDS: Final = 120
_FAR: Final = 160
"""How many characters a quoted value may have."""


class Phrase(NamedTuple):
    """A phrase in characters of the text, its normal form, and the word behind it."""

    start: int
    end: int
    key: str
    next: int


class Sentence:
    """The words ``[first, last)`` of a text, which end at character ``end``."""

    __slots__ = ("_doubt", "_moments", "_quantities", "asks", "end", "first", "last", "start")

    def __init__(self, first: int, last: int, start: int, end: int, *, asks: bool) -> None:
        """Remember the bounds."""
        self.first, self.last, self.start, self.end, self.asks = first, last, start, end, asks
        self._quantities: list[values.Found] | None = None
        self._moments: list[moments.Moment] | None = None
        self._doubt = -1

    def doubted(self, reading: Reading, until: int) -> bool:
        """Whether a word of doubt stands before word ``until``; inside of a name it is none."""
        if self._doubt < 0:
            self._doubt = next(
                (
                    i
                    for i in range(self.first, self.last)
                    if reading.forms[i] in DOUBTS and (i == self.first or not reading.capital(i))
                ),
                self.last,
            )
        return self._doubt < until

    def quantities(self, text: str) -> list[values.Found]:
        """What can be measured in the sentence, in places of the whole text."""
        if self._quantities is None:
            found = values.find(text[self.start : self.end + 2])
            self._quantities = [_moved(item, self.start) for item in found]
        return self._quantities

    def moments(self, text: str, against: datetime | None) -> list[moments.Moment]:
        """The moments that the sentence names, in places of its own text."""
        if self._moments is None:
            told = text[self.start : self.end]
            self._moments = moments.find(told, against=against or _ANY_DAY)
        return self._moments


class Reading:
    """A text's words in parallel lists: places, folded forms, and the gap before each."""

    __slots__ = (
        *("ends", "forms", "gaps", "has_capitals", "has_quotes"),
        *("sentences", "starts", "text"),
    )

    def __init__(self, text: str) -> None:
        """Read ``text``."""
        self.text = text
        self.has_capitals = not text.islower()
        self.has_quotes = any(quote in text for quote in _QUOTES)
        starts: list[int] = []
        ends: list[int] = []
        forms: list[str] = []
        gaps: list[int] = []
        self.starts, self.ends, self.forms, self.gaps = starts, ends, forms, gaps
        low = _folded_in_place(text)
        last = 0
        for match in _WORD.finditer(text):
            start, end = match.span()
            if start - last == 1 and text[last] == " " and last:
                gaps.append(BLANK)
            else:
                gaps.append(self._gap(last, start))
            starts.append(start)
            ends.append(end)
            forms.append(low[start:end] if low else _form(text[start:end]))
            last = end
        self.sentences = self._cut()

    def _gap(self, start: int, end: int) -> int:
        if not start:
            return HARD
        between = self.text[start:end]
        if between == ", ":
            return COMMA
        after = self.text[end]
        kind = _kind(between, self.text[start - 1].isalpha())
        if kind == END and between[0] == "." and between.strip("\"'»”)]") == ". ":
            told = self.forms[-1]
            initial = len(told) == 1 and told not in "iя" and after.isupper()
            if told in _SHORT or initial:
                return BLANK
            if after.islower() and self.has_capitals and not self._whole(start):
                return BLANK
        if kind == END and after.islower() and _IN_QUOTES.match(between):
            return BLANK
        return kind

    def _whole(self, end: int) -> bool:
        """Whether the word that ends at ``end`` is none that people shorten with a full stop."""
        told = self.forms[-1]
        begin = end - len(told)
        return told.isalpha() and (len(told) >= _WHOLE or self.text[begin - 1 : begin] == "-")

    def _cut(self) -> list[Sentence]:
        made = []
        first, count = 0, len(self.starts)
        cuts = [i for i, gap in enumerate(self.gaps) if gap == END and i]
        for i in _evenly((*cuts, count)) if count else ():
            stop = self.starts[i] if i < count else len(self.text)
            asks = "?" in self.text[self.ends[i - 1] : stop]
            made.append(Sentence(first, i, self.starts[first], self.ends[i - 1], asks=asks))
            first = i
        return made

    def words(self, first: int, last: int) -> str:
        """The text of the words ``[first, last)`` as written."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def capital(self, i: int) -> bool:
        """Whether word ``i`` has a capital letter: "Kazan", "iPhone"."""
        word = self.text[self.starts[i] : self.ends[i]]
        return word != word.lower()

    def quoted(self, i: int) -> tuple[int, int] | None:
        """The characters inside of the quotes that open right before word ``i``."""
        if not self.has_quotes or i >= len(self.starts):
            return None
        at = self.starts[i] - 1
        closing = _QUOTES.get(self.text[at]) if at >= 0 else None
        if closing is None or (at > 0 and self.text[at - 1].isalnum()):
            return None
        end = self.text.find(closing, self.starts[i], self.starts[i] + _FAR)
        if end < 0 or "\n" in self.text[at:end]:
            return None
        return self.starts[i], end

    def word_at(self, character: int, first: int, last: int) -> int:
        """The first word of ``[first, last)`` that ends behind ``character``."""
        for i in range(first, last):
            if self.ends[i] > character:
                return i
        return last


def _moved(found: values.Found, by: int) -> values.Found:
    if not by:
        return found
    span = Span(found.span.start + by, found.span.end + by)
    return values.Found(found.value_type, found.text, span, found.key)


def _evenly(cuts: tuple[int, ...]) -> list[int]:
    """The cuts, with more of them where a sentence has no end: rules look at pairs of words."""
    made: list[int] = []
    before = 0
    for cut in cuts:
        made += range(before + _MOST_WORDS, cut, _MOST_WORDS)
        made.append(cut)
        before = cut
    return made


def _folded_in_place(text: str) -> str:
    """The text folded, if every character keeps its place; else nothing."""
    if text.isascii():
        return text.lower()
    if not unicodedata.is_normalized("NFKC", text):
        return ""
    low = text.casefold().replace("ё", "е").replace("’", "'")
    return low if len(low) == len(text) else ""


@lru_cache(maxsize=100_000)
def _form(word: str) -> str:
    return folded(word).replace("’", "'")


@lru_cache(maxsize=4096)
def _kind(between: str, after_letter: bool) -> int:
    if "\n" in between or "\r" in between:
        return END
    bare = between.strip("\"'“”«»„()[]*_` \t\u00a0")
    spaced = between[-1:].isspace() or between[-1:] in "\"'“«„(*_`"
    if _STOP.search(between):
        return END
    if _DASH.search(between) or "=" in bare or "->" in bare or "→" in bare:
        return LINK
    if bare.startswith(":") and (spaced or after_letter) and "/" not in bare:
        return LINK
    if any(sign in between for sign in ";()[]{}|•·"):
        return OPEN if between.rstrip()[-1:] in "([{" else HARD
    if "," in bare:
        return COMMA
    return OPEN if any(sign in between for sign in '"“«„`') else BLANK
