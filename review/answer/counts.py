"""Numbers in a claim that count what a question counts: "37 coins", "tried four so far".

Source: ours.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from review.answer.kinds import AskedKind
from review.answer.senses import Senses
from review.answer.told import Told
from review.answer.words import Reading, Word
from review.facts import values
from review.facts.protocol import ValueType
from review.facts.tables import word_set
from store.cells import Span

_NOUN_AHEAD: Final = 5
_STOPS_AHEAD: Final = word_set(
    """
    and or but with for to in on at by from since than that which who is are was were be when
    и или но с для в на к из от у что который чем
    """
)
_ALONE_BEFORE: Final = word_set(
    """
    of so now since already ones one in at on and but this that here there from as because total
    different new more for i we my with to by up recently altogether together lately again though
    из уже с сейчас всего разных новых их в на и но так пока за теперь штук штуки
    """
)
_TOTALS: Final = Senses("total count number tally collection reach общий количество число всего")
_NUMBERED: Final = Senses(
    "episode page chapter level lesson season module step round day week grade tier"
    " серия страница глава уровень урок сезон модуль шаг раунд день неделя"
)
"""Things that are numbered in a row: being "on episode 10" says how many."""

_ANY: Final = frozenset({"", "one", "unit", "piece"})
_ONE: Final = word_set("single one один одна одно одну")
_REJECTED: Final = re.compile(
    r"(?:\b(?:not|instead of|rather than|up from|down from|was supposed to be|used to be"
    r"|вместо|раньше было|не)\s+(?:just |only |the |a |about )?|\bfrom )$",
    re.IGNORECASE,
)


def rejected(reading: Reading, span: Span) -> bool:
    """Whether the value at ``span`` is what it is not, or no more: "not 300", "from 5 to 6"."""
    found = _REJECTED.search(reading.text[max(0, span.start - 40) : span.start])
    if found is None:
        return False
    after = reading.text[span.end : span.end + 6].lstrip().lower()
    return found.group().lower() != "from " or after.startswith(("to ", "до "))


def found_values(reading: Reading) -> Iterator[tuple[values.Found, int]]:
    """The numbers of a claim that are not rejected, each with the word at which it stands."""
    for one in values.find(reading.text):
        if not rejected(reading, one.span):
            yield one, reading.at(one.span.start)


def counts(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """How many of the asked noun there are."""
    if not kind.noun:
        return
    for one, at in found_values(reading):
        if one.value_type is ValueType.NUMBER and not one.key.startswith("ordinal"):
            how = _counted(kind.noun, reading, at, one)
            if how is not None:
                yield Told(one.amount, one.text, one.span, at, "counted", sure=how)
    for i, word in enumerate(reading.words):
        if word.low in _ONE and not _alone(reading, i + 1) and _ahead(kind.noun, reading, i + 1):
            yield Told("1", word.text, Span(word.start, word.end), i, "counted")


def _counted(noun: tuple[str, ...], reading: Reading, at: int, one: values.Found) -> bool | None:
    """Whether the number at word ``at`` counts the noun: surely, perhaps, or not at all."""
    if _ahead(noun, reading, at + 1):
        return True
    head = noun[-1]
    if at and reading.words[at - 1].sense == head:
        gap = reading.between(at)
        return True if ":" in gap or (head in _NUMBERED and not gap.strip(" #")) else None
    here = reading.words[at]
    near = _named_near(reading, head, here)
    if near is None or one.unit not in _ANY:
        return None
    before = {w.sense for w in reading.words[max(0, at - 5) : at] if w.clause == here.clause}
    if before & _TOTALS:
        return True
    end = at + 1
    while end < len(reading.words) and reading.words[end].start < one.span.end:
        end += 1
    return False if near < at and _alone(reading, end) else None


def _named_near(reading: Reading, head: str, here: Word) -> int | None:
    """Where the noun first stands in the sentence of ``here`` or in the one before."""
    where = reading.places.get(head)
    if where is None or where.sentences.isdisjoint({here.sentence, here.sentence - 1}):
        return None
    return where.words[bisect_left(where.words, reading.sentences[max(0, here.sentence - 1)])]


def _ahead(noun: tuple[str, ...], reading: Reading, begin: int) -> bool:
    """Whether the noun follows within a few words: "7 short stories"."""
    for i in range(begin, min(begin + _NOUN_AHEAD, len(reading.words))):
        word = reading.words[i]
        if reading.pauses(i):
            return False
        if word.weight and word.sense == noun[-1]:
            return True
        if word.low in _STOPS_AHEAD:
            return False
    return False


def _alone(reading: Reading, i: int) -> bool:
    """Whether no noun of its own follows a number that ends before word ``i``."""
    return reading.pauses(i) or reading.words[i].low in _ALONE_BEFORE


def times(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """How many times something happened: "twice", "10 times", "for the third time"."""
    for one, at in found_values(reading):
        if one.unit == "time":
            yield Told(one.amount, one.text, one.span, at, "time")
        elif one.key.startswith("ordinal"):
            i = reading.at(one.span.end)
            if i < len(reading.words) and reading.words[i].low in {"time", "раз"}:
                yield Told(one.key.split()[1], one.text, one.span, at, "time")
