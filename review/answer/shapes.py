"""The shapes of questions: which words ask, and which name the thing asked for.

Only the form is read here: "how many <noun> …", "где …". What it means is decided in
``answer_kinds``.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from review.answer.senses import Senses
from review.answer.words import Reading, is_plural, read
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, lemma


@dataclass(frozen=True, slots=True)
class Shape:
    """How a question asks. Word indexes are those of ``read(question)``."""

    sort: str
    start: int
    end: int
    """The asking words with their noun, in characters of the question."""

    noun: tuple[int, ...] = ()
    dropped: frozenset[int] = frozenset()
    """Words that belong to the way of asking and tell nothing about the thing."""

    copula: bool = False
    """Whether it is "what is my <noun>": one value of one thing."""


_PAID: Final = r"(?:денег|рублей|\w*сто[ия]т|\w*стоил\w*|\w*пла[тч]\w+|\w*тра[тч]\w+)"
_STARTS: Final[tuple[tuple[str, str], ...]] = (
    # A distance in time or a difference is worked out of several memories: nothing competes.
    ("", r"how (?:long|many \w+) ago|как давно назад"),
    (
        "",
        r"how (?:many|much) (?:\w+ ){1,2}(?:have |had |has )?"
        r"(?:passed|elapsed|between|before|after|apart|until|ago)",
    ),
    ("", r"(?:сколько|как давно) \w+ (?:прошло|назад|осталось|между)"),
    ("times", r"how many times|сколько раз"),
    (
        "duration",
        r"how (?:long|much time)|how many (?:\w+ )?(?:seconds|minutes|hours|days|weeks|months"
        r"|years)(?! (?:a|per|each|every)\b)|как долго|как давно"
        r"|сколько (?:времени|секунд|минут|часов|дней|недель|месяцев|лет)",
    ),
    (
        "frequency",
        r"how (?:often|frequently|regularly)|как часто|как регулярно"
        r"|how many (?:\w+ )?(?:times|days|nights) (?:a|per|each|every) \w+",
    ),
    ("age", r"how old|сколько (?:мне|тебе|ему|ей|им|нам|вам) лет|какой возраст"),
    ("duration", r"сколько (?:\w+ )?(?:длится|длились|длятся|занимает|идти|ехать)"),
    ("amount", r"сколько (?:весит|вешу|веса)"),
    (
        "money",
        r"how much(?= (?:money|do|does|did|is|are|was|were|am|have|has|will|would)\b)"
        rf"|how much(?=\?)|сколько(?= (?:(?:я|мы|он|она|они) )?{_PAID})|почём|почем",
    ),
    ("count", r"how many|сколько"),
    ("amount", r"how (?:much|far|tall|heavy|big|large|wide|deep|fast|high)|насколько"),
    ("clock", r"(?:at )?what time|во сколько|в котором часу|в какое время"),
    (
        "weekday",
        r"(?:on )?(?:what|which) days? of the week|в какой день(?: недели)?|по каким дням"
        r"|(?:on )?(?:what|which) day(?= (?:do|does|is|are|will|did|was)\b)",
    ),
    (
        "moment",
        r"when|(?:on |in |by )?(?:what|which) (?:date|month|year)|когда|какого числа"
        r"|в каком (?:году|месяце)|(?:до|к) како(?:го|му) (?:числа|срока|числу|сроку)",
    ),
    ("place", r"where|где|куда"),
    ("person", r"who|whom|кто|кого|кому|с кем|у кого"),
    (
        "named",
        r"(?:what|which)(?: (?:kind|type|sort|brand|style|model|make)s?)?(?: of)?"
        r"|как(?:ой|ая|ое|ого|ую|им|ом|ому|ова?|ово)|что за|как (?:называется|зовут|звать)",
    ),
    (
        "yes or no",
        r"^(?:did|do|does|is|are|was|were|have|has|am|can)(?= [a-z]+\b)|(?<=[а-яё] )ли(?= )",
    ),
)
_PATTERNS: Final = tuple((s, re.compile(rf"\b(?:{p})\b", re.IGNORECASE)) for s, p in _STARTS)
_IS: Final = re.compile(
    r"(?:'s|’s|\s+(?:is|are|was|were|will be))\s+(?:the|my|our|your|his|her|their|its|\w+['’]s)\b",
    re.IGNORECASE,
)
_IS_RUSSIAN: Final = re.compile(
    r"\s+(?:у|в|на|мой|моя|мое|моё|наш|наша|наше|сейчас|теперь|текущ\w+)\b", re.IGNORECASE
)
_WITH_US: Final = re.compile(r"\bу (?:нас|меня|него|не[её]|них|вас|тебя)\b", re.IGNORECASE)
_IS_MINE_RUSSIAN: Final = re.compile(r"\s+(?:мой|моя|мое|моё|наш|наша|наше|у)\b", re.IGNORECASE)
_AUXILIARIES: Final = word_set(
    "do does did is are was were am have has had can could will would should"
)
_NOUN_ENDS: Final = _AUXILIARIES | word_set(
    """
    i we my our your the you he she they it in on at for with from to since that who which there
    by per a an as
    я мы у в на за с со от до к по для из мне нам он она они тебе вы было есть был была были
    меня нас тебя вас него нее них
    стало будет уже сейчас всего теперь
    """
)
_VERB: Final = re.compile(r"(?:[еёиая]т|[ую]т?|[еи]шь|[еёи]м|[еи]те|л[аои]?|ть|ти)(?:с[ья])?$")
_SKIPPED: Final = word_set("the my a an у в меня нас тебя вас него нее них")
_TYPED: Final[dict[str, Senses]] = {
    "money": Senses(
        "budget price pricing cost rent salary fee rate wage income bill payment spend revenue"
        " mortgage quote discount"
        " бюджет цена стоимость аренда зарплата оклад ставка комиссия плата доход скидка лимит"
    ),
    "moment": Senses("date deadline birthday дата срок дедлайн"),
    "age": Senses("age возраст"),
    "score": Senses("record score result ratio счет результат рекорд соотношение"),
    "duration": Senses("duration time длительность продолжительность время"),
    "amount": Senses(
        "weight height distance speed temperature area mileage capacity percentage"
        " вес рост расстояние скорость температура площадь пробег объем"
    ),
    "count": Senses(
        "number count total page chapter episode season lesson level"
        " количество число страница глава серия сезон урок уровень"
    ),
    "frequency": Senses("frequency частота"),
    "place": Senses("city town country street building room город страна улица здание комната"),
}
_STATED: Final = Senses(
    "status state plan policy goal design approach strategy stance opinion address password email"
    " phone title role position job theme topic priority"
    " статус состояние план политика цель дизайн подход стратегия мнение адрес пароль почта"
    " телефон номер должность роль тема работа приоритет"
)
_HELD: Final = Senses("position role title rank stance opinion должность роль мнение")
ATTRIBUTES: Final = Senses("color size shape mood condition цвет размер форма настроение")
"""Nouns that ask for what is said of a thing: "what color is the door"."""


@lru_cache(maxsize=512)
def shape_of(question: str) -> Shape | None:
    """The shape of ``question``; ``None`` when it asks for a list, or in no known way."""
    found = _first(question)
    if found is None:
        return None
    sort, match = found
    reading = read(question)
    first = reading.at(match.start())
    after = first
    while after < len(reading.words) and reading.words[after].start < match.end():
        after += 1
    shape = Shape(sort, match.start(), match.end(), (), frozenset(range(first, after)))
    if sort in {"count", "amount"}:
        return _counted(shape, reading, after)
    if sort == "named":
        return _named(shape, reading, after)
    if sort == "person" and (
        _IS.match(question, match.end()) or _IS_MINE_RUSSIAN.match(question, match.end())
    ):
        return _copular(shape, reading, after)
    return shape


def _first(question: str) -> tuple[str, re.Match[str]] | None:
    """The asking words that stand first; of those at one place, the pattern that comes first."""
    found: tuple[str, re.Match[str]] | None = None
    for sort, pattern in _PATTERNS:
        match = pattern.search(question)
        if match and (found is None or match.start() < found[1].start()):
            found = (sort, match)
    return found if found and found[0] else None


def _phrase(reading: Reading, after: int) -> list[int]:
    """The words of the noun phrase that begins at word ``after``, up to "of"."""
    noun: list[int] = []
    for i in range(after, min(after + 7, len(reading.words))):
        word = reading.words[i]
        if i > after and re.search(r"[,;:?]", reading.between(i)):
            break
        if reading.between(i) == "-" and noun:
            noun.append(i)
        elif word.low in _NOUN_ENDS or word.low == "of":
            if noun or not (word.low in _SKIPPED or word.low == "of"):
                break
        else:
            noun.append(i)
    return _before_verb(noun, reading)


def _before_verb(noun: Sequence[int], reading: Reading) -> list[int]:
    """Russian has no auxiliary after the noun: the phrase ends before the verb."""
    kept: list[int] = []
    for i in noun:
        low = reading.words[i].low
        if _VERB.search(low) and lemma(low).endswith(("ть", "ться", "ти", "чь")):
            break
        kept.append(i)
    return kept


def _counted(shape: Shape, reading: Reading, after: int) -> Shape | None:
    noun = _phrase(reading, after)
    if not noun:
        return shape if shape.sort == "amount" else None
    return replace(shape, end=reading.words[noun[-1]].end, noun=tuple(noun))


def _named(shape: Shape, reading: Reading, after: int) -> Shape | None:
    if _IS.match(reading.text, shape.end) or _IS_RUSSIAN.match(reading.text, shape.end):
        return _copular(shape, reading, after)
    noun = _phrase(reading, after)
    if not noun:
        return None
    following = reading.words[noun[-1] + 1 : noun[-1] + 2]
    goes_on = bool(following) and (following[0].low == "of" or following[0].low in _AUXILIARIES)
    if not goes_on and not is_cyrillic(reading.text):
        return None  # "what motivates Ann to …": the word is the verb, not the noun
    return _typed(shape, reading, noun, copula=False)


def _copular(shape: Shape, reading: Reading, after: int) -> Shape | None:
    begin = after
    while begin < len(reading.words) and reading.words[begin].low in _NOUN_ENDS:
        begin += 1
    noun = _phrase(reading, begin)
    if noun and reading.words[noun[-1]].low == "name":
        behind = _phrase(reading, noun[-1] + 1)
        named = replace(shape, end=reading.words[noun[-1]].end)
        return replace(named, noun=tuple(behind or noun[:-1]))
    return _typed(shape, reading, noun, copula=True) if noun else None


def _typed(shape: Shape, reading: Reading, noun: Sequence[int], *, copula: bool) -> Shape | None:
    words = [reading.words[i] for i in noun]
    if is_plural(words[-1]) and not is_cyrillic(words[-1].low):
        return None  # "какие" is not asked with; a last "поставки" is a genitive
    told = {word.sense for word in words}
    sort = shape.sort
    if words[-1].low == "number" and len(words) > 1:
        sort = "stated"  # a phone number counts nothing
    if sort == "named":
        sort = next((typed for typed, nouns in _TYPED.items() if told & nouns), sort)
    if sort == "named" and told & (ATTRIBUTES | _HELD | (_STATED if copula else frozenset())):
        sort = "stated"
    ours = is_cyrillic(reading.text) and _WITH_US.search(reading.text) is not None
    single = copula or ours or sort != shape.sort
    return replace(shape, sort=sort, end=words[-1].end, noun=tuple(noun), copula=single)
