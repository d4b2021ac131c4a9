"""Splits a person's edit into what is technical and what is style.

Style alone never counts as support: it tells how somebody likes a text, not what is so. Technical
is every change of a number, date, name, identifier, negation, obligation or of a word that tells
something; style is case, punctuation, spacing, word order, function words, politeness, and other
forms of the same word. English and Russian.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

from review.text.word_weights import wording
from store.cells import Span

_TOKEN: Final = re.compile(r"\w+(?:[./:@_-]\w+)*|[^\w\s]", re.UNICODE)
_WEIGHTY: Final = re.compile(
    r"(?ix)^(?:no|not|never|none|nor|without|cannot|n't|don't|doesn't|isn't|won't|must|mustn't"
    r"|should|shall|may|might|can|always|only|all|any|every|if|unless|until|except|before|after"
    r"|не|нет|ни|без|никогда|нельзя|всегда|только|все|всё|каждый|если|пока|кроме|до|после|должен"
    r"|должна|должны|обязан|обязана|можно|может|могут|нужно|надо)$"
)
_POLITE: Final = frozenset(
    {
        *("please", "thanks", "thank", "kindly", "just", "really", "very", "quite", "simply"),
        *("actually", "basically", "also", "sorry", "dear", "hello", "hi"),
        *("пожалуйста", "спасибо", "просто", "очень", "действительно", "собственно", "также"),
    }
)
_ARTICLES: Final = frozenset({"a", "an", "the"})
_MOST: Final = 4_000
"""Words of a text that are compared; of a longer one the beginning."""

_PAIRINGS: Final = 20_000_000
"""Pairs of equal words, times words, from which only rarer words begin a match: 0.3 s."""

_FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Change:
    """One changed place: what stood there, and what stands there now. Spans count characters."""

    before: Span
    after: Span
    technical: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit, place by place."""

    changes: tuple[Change, ...]

    @property
    def technical(self) -> tuple[Change, ...]:
        """Changes of what is said."""
        return tuple(one for one in self.changes if one.technical)

    @property
    def style(self) -> tuple[Change, ...]:
        """Changes of how it is said."""
        return tuple(one for one in self.changes if not one.technical)

    @property
    def style_only(self) -> bool:
        """Whether nothing technical was changed. An edit that changes nothing is style, too."""
        return not self.technical


def split(before: str, after: str) -> Edited:
    """The places in which ``after`` differs from ``before``, in order."""
    olds, news = _tokens(before), _tokens(after)
    old, new = [text for text, _ in olds], [text for text, _ in news]
    common = _common(old, new)
    matcher = SequenceMatcher(common.__contains__ if common else None, old, new, autojunk=False)
    moved = _moved(olds, news)
    changes = [
        Change(
            _extent(olds, low, high, len(before)),
            _extent(news, start, stop, len(after)),
            technical=(_ordered if common else _technical)(old[low:high], new[start:stop], moved),
        )
        for tag, low, high, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]
    return Edited(tuple(changes))


def _tokens(text: str) -> list[tuple[str, Span]]:
    found = _TOKEN.finditer(text)
    return [(one[0], Span(one.start(), one.end())) for one in islice(found, _MOST)]


def _extent(tokens: Sequence[tuple[str, Span]], low: int, high: int, size: int) -> Span:
    if low < high:
        return Span(tokens[low][1].start, tokens[high - 1][1].end)
    at = tokens[low][1].start if low < len(tokens) else size
    return Span(at, at)


def _moved(olds: Sequence[tuple[str, Span]], news: Sequence[tuple[str, Span]]) -> bool:
    """Whether a phrase went from one end to the other ("on Tuesday we …"), and nothing else.

    Any other order of the same words may say another thing: "A pays B", "B pays A".
    """
    one, other = ([w for text, _ in side for w in _told([text])] for side in (olds, news))
    if len(one) != len(other):
        return False
    return any(one[turn:] + one[:turn] == other for turn in range(max(len(one), 1)))


def _common(old: Sequence[str], new: Sequence[str]) -> frozenset[str]:
    """Words that stand in both so often that pairing each with each would take minutes.

    None for what people write. Such words then begin no match; they only make one longer.
    """
    ours, theirs = Counter(old), Counter(new)
    pairs = {word: count * theirs[word] for word, count in ours.items()}
    if sum(pairs.values()) * min(len(old), len(new)) <= _PAIRINGS:
        return frozenset()
    return frozenset(word for word, count in pairs.items() if count > _FEW)


def _ordered(old: Sequence[str], new: Sequence[str], moved: bool) -> bool:
    """As ``_technical``, for long places: the same words in another order are no style here."""
    return not moved and _each_told(old) != _each_told(new)


def _each_told(tokens: Sequence[str]) -> list[Counter[str]]:
    return [telling for one in tokens if (telling := _told([one]))]


def _technical(old: Sequence[str], new: Sequence[str], moved: bool) -> bool:
    return not moved and _told(old) != _told(new)


def told(text: str) -> Counter[str]:
    """The words of ``text`` that tell something, as stems, with how often each stands there."""
    return _told([word for word, _ in _tokens(text)])


def said(text: str) -> tuple[str, ...]:
    """What ``text`` says, word by word in its order; equal where only the style differs.

    Order stays, for the same words in another one may say the opposite, and so do the small words
    that give a direction ("from", "to"). Left out are case, punctuation, politeness and articles.
    """
    found: list[str] = []
    for word, _ in _tokens(text):
        low = word.casefold()
        if low not in _POLITE and low not in _ARTICLES and any(char.isalnum() for char in low):
            found.extend(tuple(_told([word]).elements()) or (low,))
    return tuple(found)


def _told(tokens: Sequence[str]) -> Counter[str]:
    """What the words tell: stems of telling words, and every word that bears on the sense."""
    counted: Counter[str] = Counter()
    for token in tokens:
        low = token.casefold()
        if low in _POLITE or not any(char.isalnum() for char in low):
            continue
        if _WEIGHTY.match(low) or any(char.isdigit() for char in low):
            counted[low] += 1
            continue
        counted.update(wording(token).weights.keys())
    return counted
