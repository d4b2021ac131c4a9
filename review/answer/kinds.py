"""What sort of answer a question expects, and whether there is one of it at a time.

"How long have I been learning Spanish?" asks for one duration, "Where do I keep the keys?" for one
place, "What did we discuss?" for nothing that can be named. Only questions of the first two sorts
let memories compete.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from review.answer.senses import Senses
from review.answer.shapes import Shape, shape_of
from review.answer.words import Reading, read
from review.facts.tables import word_set
from review.facts.words import is_cyrillic
from review.text.word_weights import RAREST


class AnswerSort(StrEnum):
    """The sort of value that answers."""

    COUNT = "count"
    TIMES = "times"
    AMOUNT = "amount"
    MONEY = "money"
    DURATION = "duration"
    FREQUENCY = "frequency"
    MOMENT = "moment"
    CLOCK = "clock"
    WEEKDAY = "weekday"
    AGE = "age"
    SCORE = "score"
    PLACE = "place"
    PERSON = "person"
    NAMED = "named"
    STATED = "stated"
    """Whatever is said of a thing: "what is the project's status"."""

    YES_NO = "yes or no"


@dataclass(frozen=True, slots=True)
class AskedKind:
    """What a question asks for, ready to be held against claims."""

    sort: AnswerSort
    noun: tuple[str, ...]
    """Senses of the thing counted or named, its head last; empty when none is named."""

    content: Mapping[str, int]
    """Sense to weight of every telling word, the noun's included: what a claim must be about."""

    core: frozenset[str]
    """Its words that say what, not since when: those that are not behind "since", "when"."""

    same: frozenset[frozenset[str]]
    """Groups of its words for one thing ("my neighbour, Mr. Bell"): one stands for all."""

    names: frozenset[str]
    """Senses of its words that are written like names."""

    verbs: frozenset[str]
    """Senses of its words that are neither names nor the noun: what may be the verb."""

    single: bool
    """Whether two different values cannot both answer. When false, nothing is overtaken."""

    standing: bool
    """Whether it is about how things stand (present, perfect), not about one event."""

    summing: bool
    """Whether several claims may have to be added up or compared: only stated totals compete."""

    latest: bool
    """Whether it says "currently", "most recent", "last": the latest wins even among events."""

    mine: bool
    """Whether it is about the one who asks: "I", "my", "we"."""

    having: bool
    """Whether it asks if somebody has something: "do I have a spare key"."""

    wishing: bool
    """Whether it is about a goal or a need, so that wishes answer it."""

    words: str
    """The words that decided, for a person: ``how many blue cups``."""


_LONGEST: Final = 2_000
_CUES: Final = Senses(
    "currently current now presently recent recently latest newest last previous previously"
    " initially originally usually typically normally total present so far nowadays today exactly"
    " approximately roughly final official ever already still yet most many much often long"
    " different new time times kind type sort brand name names called know tell remind remember"
    " сейчас текущий нынешний последний недавно недавний обычно всего уже теперь сегодня пока еще"
    " раньше прежний предыдущий раз вид тип сорт название называться зовут звать примерно"
    " сколько долго часто напомнить подсказать"
)
_LATEST: Final = re.compile(
    r"\b(?:current(?:ly)?|now(?:adays)?|these days|at the moment|at present|presently"
    r"|most recent(?:ly)?|latest|newest|so far|in total|altogether|as of today|to date|up to now"
    r"|(?:last|final)(?!\s+(?:week|month|year|night|summer|winter|spring|autumn|fall|weekend|few"
    r"|couple|one|two|three|four|five|six|seven|ten|\w+day|\d))"
    r"|сейчас|текущ\w+|нынешн\w+|теперь|на данный момент|на сегодня(?:шний день)?|недавн\w+"
    r"|в последний раз|последн(?:ий|яя|ее|ие|его|ей|ему|юю|им|ем|их|ими)"
    r"(?!\s+(?:недел|месяц|год|лет|зим|весн|осен|дн|врем|\d))|всего|итого)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(r"\b(?:did|was|were|didn't|wasn't|weren't|had)\b", re.IGNORECASE)
_RUSSIAN_PAST: Final = re.compile(r"[а-яё]{2,}(?:л|ла|ло|ли|лся|лась|лось|лись)\b", re.IGNORECASE)
_DONE_BY: Final = re.compile(r"^\W*(?:who|what|which \w+) \w+ed\b", re.IGNORECASE)
"""A question for who did something has no auxiliary."""

_THEN: Final = re.compile(
    r"\b(?:yesterday|today|(?:last|this|on) (?:\w+day|week(?:end)?|month|year|summer|winter|spring"
    r"|fall|autumn|night)|вчера|сегодня|на (?:прошлой|этой) неделе|в (?:прошлом|этом) \w+)\b",
    re.IGNORECASE,
)
_LASTING: Final = re.compile(
    r"\b(?:since|have|has|с тех пор|с момента|уже|до сих пор|с начала)\b|'ve\b", re.IGNORECASE
)
_ASIDE: Final = word_set("since when after while because once когда после пока момента пор")
_SUMMING: Final = re.compile(
    r"\b(?:total|combined|altogether|average|sum|overall|difference|in all|all (?:the|my)|left"
    r"|remaining|more than|compared|compare|older|younger|longer|между|разниц\w+|в сумме"
    r"|средн\w+|суммарно|осталось|итого|больше, чем|старше|младше)\b",
    re.IGNORECASE,
)
MINE: Final = word_set(
    """
    i i'm i've i'd i'll my me we we've our us
    я мой моя мое мои мы наш мне меня нас нам моей моего моем моих моим мою нашей нашего
    """
)
_WISHING: Final = re.compile(
    r"\b(?:goals?|targets?|plan(?:s|ned|ning)?|need(?:s|ed)?|want(?:s|ed)?|aim(?:s|ing)?|hop(?:e|ing)"
    r"|should|limits?|recommended|цел[ьи]\w*|план\w*|нужно|хочу|хотим|лимит\w*)\b",
    re.IGNORECASE,
)
_HAVING: Final = re.compile(r"^\W*(?:do|does|did)\b.{1,30}?\bhave\b|есть ли\b", re.IGNORECASE)
_RESTING: Final = Senses(
    "live stay sleep keep store hang work study park hide lie stand sit locate located situated"
    " based base hold held happen ship deliver move relocate lead use drive belong follow"
    " run head manage teach"
    " жить работать учиться хранить храниться висеть стоять лежать находиться располагаться"
    " проходить пройти состояться переехать пользоваться стоить вести возглавлять отправлять"
    " отвечать руководить"
    " отгружать везти останавливаться"
)
"""Verbs of states: one at a time."""

_IS_WHERE: Final = re.compile(
    r"\bwhere(?:['’]s| is| are)\b|\b(?:what|which) \w+ (?:is|are)\b.*\bin\b", re.IGNORECASE
)
_EVER: Final = re.compile(r"\bwhere (?:have|has)\b(?!.*\bbeen \w+ing\b)", re.IGNORECASE)
"""Where somebody has ever been: one place after the other."""

_FROM: Final = re.compile(r"\bfrom\b(?!\s+the\b)|\bоткуда\b", re.IGNORECASE)
_DUE: Final = re.compile(r"\b(?:is|are|will|due|scheduled|does|do)\b|'s\b", re.IGNORECASE)


@lru_cache(maxsize=512)
def asked_kind(question: str) -> AskedKind | None:
    """What sort of single value answers ``question``.

    Args:
        question: One question, English or Russian, such as one of ``sub_questions``. Of a longer
            text the last 2,000 characters are read.

    Returns:
        The kind; ``None`` when the question is open-ended, asks for a list, for an event's
        distance in time, or is not understood. Then nothing competes.
    """
    asked = _asking_part(question[-_LONGEST:])
    shape = shape_of(asked)
    if shape is None:
        return None
    sort = AnswerSort(shape.sort)
    reading = read(asked)
    content = _content(reading, shape)
    if not content:
        return None
    latest = bool(_LATEST.search(asked))
    standing = latest or _stands(asked, shape)
    names = frozenset(
        w.sense for i, w in enumerate(reading.words) if i and w.is_name and w.sense in content
    )
    telling = (w for w in (reading.words[i] for i in shape.noun) if w.weight)
    noun = tuple(word.sense for word in telling if word.sense not in _CUES)
    return AskedKind(
        sort=sort,
        noun=noun,
        content=MappingProxyType(content),
        core=frozenset(w.sense for w in reading.words[: _aside(reading)] if w.sense in content),
        same=_same_things(reading, content),
        names=names,
        verbs=frozenset(one for one in content if one not in names and one not in noun),
        single=_is_single(sort, asked, content, shape, standing=standing, latest=latest),
        standing=standing,
        summing=bool(_SUMMING.search(asked)),
        latest=latest,
        mine=any(w.low in MINE for w in reading.words),
        having=bool(_HAVING.search(asked)),
        wishing=bool(_WISHING.search(asked)),
        words=asked[shape.start : shape.end].strip(),
    )


def _asking_part(question: str) -> str:
    """The last sentence that asks, or all of it."""
    reading = read(question)
    if not reading.asking or len({w.sentence for w in reading.words}) == 1:
        return question
    last = max(reading.asking)
    begin = next(w.start for w in reading.words if w.sentence == last)
    end = next((w.start for w in reading.words if w.sentence > last), len(question))
    return question[begin:end].strip()


def _content(reading: Reading, shape: Shape) -> dict[str, int]:
    """The telling words; those that only say since when count a third."""
    content: dict[str, int] = {}
    aside = _aside(reading)
    for i, word in enumerate(reading.words):
        if not word.weight or i in shape.dropped or word.sense in _CUES:
            continue
        worth = RAREST if i > 0 and word.text[:1].isupper() else word.weight
        content.setdefault(word.sense, worth // 3 if i >= aside else worth)
    return content


def _aside(reading: Reading) -> int:
    """The word from which on the question says since when: "since I …", "when we …"."""
    return next(
        (i for i, w in enumerate(reading.words) if i > 2 and w.low in _ASIDE), len(reading.words)
    )


def _same_things(reading: Reading, content: Mapping[str, int]) -> frozenset[frozenset[str]]:
    groups: set[frozenset[str]] = set()
    for i in range(1, len(reading.words)):
        if reading.between(i).strip() != "," or not reading.words[i].text[:1].isupper():
            continue
        one = [reading.words[i - 1].sense]
        for word in reading.words[i:]:
            if not word.text[:1].isupper():
                break
            one.append(word.sense)
        groups.add(frozenset(s for s in one if s in content))
    return frozenset(groups)


def _stands(asked: str, shape: Shape) -> bool:
    rest = asked[shape.start :]
    lasting = _LASTING.search(rest)
    if is_cyrillic(asked):
        return lasting is not None or _RUSSIAN_PAST.search(rest) is None
    past = _PAST.search(rest) or _DONE_BY.search(asked)
    return past is None or (lasting is not None and lasting.start() < past.start())


def _is_single(
    sort: AnswerSort,
    asked: str,
    content: Mapping[str, int],
    shape: Shape,
    *,
    standing: bool,
    latest: bool,
) -> bool:
    resting = not _RESTING.isdisjoint(content)
    match sort:
        case AnswerSort.MOMENT:
            return standing and (is_cyrillic(asked) or bool(_DUE.search(asked)))
        case _ if not standing and _THEN.search(asked):
            return False
        case AnswerSort.STATED:
            return standing or shape.copula
        case AnswerSort.PLACE if _IS_WHERE.search(asked):
            return True
        case AnswerSort.PLACE:
            return latest or (resting and not _FROM.search(asked) and not _EVER.search(asked))
        case AnswerSort.PERSON | AnswerSort.NAMED:
            return latest or (standing and (shape.copula or resting))
        case _:
            return True
