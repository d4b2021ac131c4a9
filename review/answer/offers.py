"""What one claim offers as the answer: its best value, and what the value stands among.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Final

from review.answer.kinds import MINE, AnswerSort, AskedKind
from review.answer.senses import Senses, sense
from review.answer.slots import slots
from review.answer.speakers import label
from review.answer.support import share, support
from review.answer.told import Told
from review.answer.values import told
from review.answer.words import Reading, Word, read
from review.facts.tables import word_set

LEAST: Final = 0.33
"""Support below which a value is nothing, even beside a claim that something is replaced."""

_LONGEST: Final = 4_000
"""Characters of a claim that are read."""

_SIGHT: Final = 40
"""Words before a value among which its subject is looked for."""

_MOST: Final = 60
"""Values of one claim that are weighed."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One claim's value for what is asked."""

    told: Told
    support: float
    """How well the words around the value match the question, in [0, 1]."""

    matched: frozenset[str]
    """Asked words anywhere in the claim, or said by the value itself."""

    near: frozenset[str]
    """Asked words in the value's own sentence."""

    also: frozenset[str]
    """Keys of all values that the claim states as surely."""

    extras: frozenset[str]
    """Other telling words of the value's clause, which the question does not know."""

    names: frozenset[str]
    """Names around the value that the question does not know."""

    numbers: frozenset[str]
    """Other numbers in the value's sentence that the question does not know."""

    occasions: frozenset[str]
    """For a question about an event: the days and dates in the value's sentence."""

    speaker: str = ""
    mine: bool = False
    """Whether the clause says "I", "my" or "we"."""

    subject: str = ""
    """The first word of the clause, if it opens a sentence and the question does not know it."""

    needed: bool = False
    """Whether the value is what is needed or left, not what is there."""

    total: bool = False
    """Whether the sentence says that it tells how things stand by now: "so far", "in total"."""

    replaces: bool = False
    """Whether the sentence says that something is replaced: "switched to"."""


_HYPOTHETICAL: Final = re.compile(
    r"\b(?:goal|target|hop(?:e|es|ing)|plan(?:s|ning)? (?:to|on)|want(?:s|ed)?"
    r"|aim(?:ing)? (?:to|for)|would (?:like|love)|if|maybe|might|could|should"
    r"|thinking (?:of|about) \w+ing|considering \w+ing"
    r"|need(?:s|ed)? to|looking (?:for|to)|dream of|цел[ьи]|надеюсь|планиру\w+|хочу|хотел\w*"
    r"|собираюсь|если|думаю|стоит ли)\b|'d (?:like|love|prefer)\b",
    re.IGNORECASE,
)
_NO_MORE: Final = re.compile(
    r"\b(?:used to|formerly|previously|back then|back in|once had|as a (?:child|kid|student|teen)"
    r"|in (?:19|20)\d\d|прошл(?:ый|ом|ой|ую|ая)|раньше|прежде|прежн\w+|когда-то"
    r"|в (?:19|20)\d\d году)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"^\W*(?:and |so |but |also,? |or )?(?:do|does|did|can|could|would|will|is|are|should|have|has"
    r"|what|how|where|when|who|which|why|можешь|можете|как|что|где|когда|стоит ли)\b",
    re.IGNORECASE,
)
_I: Final = word_set("i i've i'm we we've я мы")
_OTHERS: Final = word_set("he he's she she's his hers her him он она его ее ему ей")
_KIN: Final = Senses(
    "mother mom mum father dad sister brother son daughter wife husband friend colleague coworker"
    " boss neighbor neighbour cousin aunt uncle grandma grandmother grandfather roommate partner"
    " girlfriend boyfriend niece nephew"
    " мать мама отец папа сестра брат сын дочь жена муж друг подруга коллега начальник сосед"
    " бабушка дедушка"
)
_CHANGED: Final = re.compile(
    r"\b(?:now|currently|final(?:ly)?|latest|moved (?:it )?to|changed (?:it )?to|raised to|up to"
    r"|so far|already|just|total|теперь|сейчас|уже|всего|перенес\w+ на|итого)\b",
    re.IGNORECASE,
)
_NEEDED_BEFORE: Final = re.compile(
    r"\b(?:need(?:ed|s)?|require[sd]?|short of|осталось|нужно|нужен|нужна|требуется|не хватает)"
    r"(?:\W+\w+){0,5}\W*$",
    re.IGNORECASE,
)
_NEEDED_AFTER: Final = re.compile(
    r"(?:\W+\w+){0,2}\W+(?:left|remaining|to go|until|short|осталось)\b", re.IGNORECASE
)
_TOTAL: Final = re.compile(
    r"\b(?:total|so far|now|already|altogether|overall|up to|to date|currently|reached|всего|уже"
    r"|сейчас|теперь|итого|на сегодня|пока)\b",
    re.IGNORECASE,
)
_REPLACES: Final = re.compile(
    r"\b(?:switch(?:ed|ing)? (?:\w+ ){0,3}to|replac(?:ed|ing)|relocated|transferred|instead of"
    r"|moved (?:\w+ ){0,6}(?:to|above|on|in|into)|changed (?:\w+ ){0,3}to|no longer|rescheduled"
    r"|upgraded (?:\w+ ){0,3}to|переш[её]л|перешл[аи]|переключил\w*|заменил\w*|сменил\w*"
    r"|переехал\w*|перен[её]с\w*|вместо|больше не|перевел\w*|перев[её]л)\b",
    re.IGNORECASE,
)
_OCCASION: Final = re.compile(
    r"\b(?:\d{1,2}/\d{1,2}|yesterday|today|вчера|сегодня"
    r"|(?:on|last|this|next|во?|прошл\w+) (?:\w+day|week(?:end)?|month|year|summer|winter|spring"
    r"|fall|autumn|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|недел\w+|месяц\w*|год\w*|лет\w+|зим\w+|понедельник|вторник|среду|четверг|пятницу"
    r"|субботу|воскресенье))\b",
    re.IGNORECASE,
)
_SLIGHT: Final = 150
"""Weight of words too common to say that a clause is about something else."""

_BESIDE: Final = Senses(
    "now currently just recently already actually month week year day time total way still about"
    " around nearly almost lately far new change move raise increase today realize start begin get"
    " own update reschedule final draft official propose switch good great"
    " count number tally bring reach hit pass climb add"
    " сейчас теперь уже недавно всего сегодня месяц неделя год день время примерно почти стать"
    " увеличить перенести изменить новый количество достичь дойти прибавить"
)
"""Words of change and counting: they say nothing about which thing is meant."""


def offer(kind: AskedKind, claim: str, speaker: str = "") -> Offer | None:
    """The best value of ``claim`` for what is asked, or ``None``.

    Args:
        kind: What is asked.
        claim: The claim; 4,000 characters of it are read.
        speaker: Who says it; when empty, a label in the claim itself is taken ("Anna: …").
    """
    reading = read(claim[:_LONGEST])
    speaker = speaker or label(claim)
    asked = without(kind.content, speaker)
    if not asked or share(asked, reading.places) < LEAST:
        return None
    found = list(_weighed(kind, asked, reading))
    if not found:
        return None
    one, worth, matched = max(found, key=lambda each: _rank(reading, each[0], each[1]))
    here = reading.words[one.at]
    sentence = reading.sentence(one.at)
    clause = reading.of_clause(here.clause)
    others = [w for w in reading.words if w.weight and _is_other(kind, one, w)]
    wide = not kind.standing or kind.summing
    return Offer(
        told=one,
        support=round(min(worth, 1.0), 4),
        matched=matched,
        near=matched & {w.sense for w in reading.words if w.sentence == here.sentence},
        also=frozenset(o.key for o, w, _ in found if w >= worth - 0.1 and o.sure),
        extras=frozenset(w.sense for w in others if w.clause == here.clause and _tells(w)),
        names=frozenset(
            w.sense
            for w in others
            if (w.sentence if wide else w.clause) == (here.sentence if wide else here.clause)
            and _is_named(reading, w)
        ),
        numbers=frozenset(
            w.sense for w in others if w.sentence == here.sentence and w.text[0].isdigit()
        ),
        occasions=frozenset()
        if kind.standing
        else frozenset(m.group().casefold() for m in _OCCASION.finditer(sentence)),
        speaker=speaker.casefold(),
        mine=any(w.low in MINE for w in clause),
        subject=clause[0].sense if reading.opens(clause[0]) and clause[0] in others else "",
        needed=_is_needed(reading, one),
        total=_TOTAL.search(sentence) is not None,
        replaces=_REPLACES.search(sentence) is not None,
    )


def without(content: Mapping[str, int], speaker: str) -> Mapping[str, int]:
    """What is asked, without the name of the one who speaks: all that she says carries it."""
    own = {sense(word) for word in speaker.split()}
    return {one: worth for one, worth in content.items() if one not in own} if own else content


def _weighed(
    kind: AskedKind, asked: Mapping[str, int], reading: Reading
) -> Iterator[tuple[Told, float, frozenset[str]]]:
    for one in islice(chain(told(kind, reading), slots(kind, reading)), _MOST):
        worth, matched = support(asked, reading, one.at)
        extra = (one.implied & asked.keys()) - matched
        for group in kind.same:
            if group & matched:
                extra |= (group - matched) & asked.keys()
        worth += share(asked, extra)
        if worth >= LEAST and _asserted(kind, reading, one):
            yield one, worth, matched | extra


def _rank(reading: Reading, one: Told, worth: float) -> tuple[float, bool, bool, int, int]:
    changed = _CHANGED.search(reading.clause(one.at)) is not None
    return (round(worth, 1), one.sure, changed, -one.rank, -one.at)


def _asserted(kind: AskedKind, reading: Reading, one: Told) -> bool:
    """Whether the claim states the value as so, of the one whom the question is about."""
    if kind.sort is AnswerSort.YES_NO or one.presupposed:
        return True
    clause = reading.clause(one.at)
    if not kind.wishing and _HYPOTHETICAL.search(clause):
        return False
    if kind.standing and _NO_MORE.search(clause):
        return False
    here = reading.words[one.at]
    if here.sentence in reading.asking and _ASKS.match(clause):
        return False
    return not _of_somebody_else(kind, reading, one.at)


def _of_somebody_else(kind: AskedKind, reading: Reading, at: int) -> bool:
    """Whether the clause is about a relative or "she", whom the question does not mean."""
    before = reading.words[max(reading.clauses[reading.words[at].clause], at - _SIGHT) : at]
    if kind.mine and any(word.low in _I for word in before):
        return False
    called = {
        w.sense for w, n in pairwise(before) if n.sense in kind.names
    }  # "my friend Rachel", when Rachel is asked about
    others = [
        w.sense
        for w in before
        if (w.sense in _KIN and w.sense not in called) or (kind.mine and w.low in _OTHERS)
    ]
    return bool(others) and kind.content.keys().isdisjoint(others)


def _is_needed(reading: Reading, one: Told) -> bool:
    before = reading.text[max(0, one.span.start - 60) : one.span.start]
    if _NEEDED_BEFORE.search(before):
        return True
    return _NEEDED_AFTER.match(reading.text[one.span.end : one.span.end + 40]) is not None


def _is_other(kind: AskedKind, one: Told, word: Word) -> bool:
    inside = one.span.start <= word.start < one.span.end
    return not inside and word.sense not in kind.content


def _tells(word: Word) -> bool:
    return word.weight >= _SLIGHT and not word.text[0].isdigit() and word.sense not in _BESIDE


def _is_named(reading: Reading, word: Word) -> bool:
    if not word.text[:1].isupper():
        return False
    return not reading.opens(word) or word.low.endswith(("'s", "s'"))
