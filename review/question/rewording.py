"""Whether a question asks in other words for what an old conclusion answered.

A conclusion that is the last of a chain of facts ("Ann is a citizen of Norway. Its capital is
Oslo.") was asked for along that chain. Another question asks the same if it names the same things,
speaks of the same facts of the chain and of the answer, and says nothing else: every word that
one question has and the other has not belongs to a fact of the chain, or tells nothing of its own
("comes from", "the person who", "is located"). A word that is neither, such as "not", "before",
another name or another parameter, makes it another question.

Source: ours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from review.facts import parameters
from review.facts.tables import word_set
from review.facts.words import folded
from review.question.tasks import content, worded
from store.cells import Conclusion, Fact

_GLUE: Final = word_set(
    "name call belong associate associated affiliate relate connect link come originate hail from"
    " where who whom locate located situate situated base find hold have serve act consider"
    " regard recognize recognise know use identify current currently present official officially"
    " originally initially specific correspond pertain term certain particular also same there"
    " respective"
    " имя называть назвать называться принадлежать относиться связать связанный происходить"
    " находиться располагаться расположенный являться считаться использовать известный нынешний"
    " текущий где откуда кто иметь"
)
"""Words in dictionary form that say how things hang together, not what is asked of them."""

_LANDS: Final = word_set("country nation land home homeland страна государство родина")
_WHENCE: Final = _LANDS | word_set(
    "origin originate come hail belong происходить происхождение родом"
)
_SPOTS: Final = word_set("city town place location город место населенный пункт")
_PEOPLE: Final = word_set(
    "person people individual man woman position office post role responsible charge человек лицо"
    " должность пост"
)
_FIRMS: Final = word_set("company organization organisation institution firm компания организация")
_TOO: Final = {
    "citizenship": _WHENCE | word_set("national native гражданин гражданка"),
    "country_of_origin": _WHENCE | word_set("produce make first"),
    "country": _WHENCE,
    "spouse": word_set("partner marry wed жениться замужем"),
    "child": word_set("kid offspring descendant"),
    "head_of_state": word_set("chief leader lead ruler rule govern руководитель лидер"),
    "head_of_government": word_set("leader lead govern руководитель"),
    "performer": word_set("artist band singer musician"),
    "genre": word_set("music musical style"),
    "religion": word_set(
        "follow follower member practice practise adhere adherent believe profess"
    ),
    "founder": word_set("create start establishment"),
    "capital": word_set("seat government"),
    "headquarters": word_set("seat headquarter"),
    "official_language": word_set("speak speaking spoken officially status"),
    "birthplace": _WHENCE | word_set("birth born native рождение родиться"),
    "death_place": word_set("die death pass away умереть смерть"),
    "position": word_set("specialty speciality specialization specialize"),
    "field_of_work": word_set("profession occupation specialize"),
}
"""Words by which questions speak of a parameter beside its names and sentences in the table."""

_SORTS: Final = (
    (_SPOTS, "capital headquarters birthplace death_place residence location founding_place"),
    (_SPOTS, "work_location city"),
    (_PEOPLE, "author creator founder ceo chairperson head_of_state head_of_government president"),
    (_PEOPLE, "mayor spouse child parent director performer head_coach coach governor manager"),
    (_FIRMS, "developer manufacturer employer owner original_broadcaster educated_at publisher"),
)
"""What sort of thing a parameter's value is, in words that a question may add: "which city"."""


def reworded(conclusion: Conclusion, task: str) -> bool:
    """Whether ``task`` asks along the same facts for the same one of them.

    False when the answer is the value of no support fact: then only the same words are the same
    task.

    Args:
        conclusion: The old answer, with the keys of its support.
        task: The present task in words.
    """
    goals = [fact for fact in conclusion.support if _same(fact.value, conclusion.text)]
    if not goals:
        return False
    mine, theirs = content(conclusion.task), content(task)
    chain = {fact.parameter_key: _words(fact) for fact in conclusion.support}
    told = frozenset[str]().union(*chain.values(), *map(_sorts, chain))
    goal = goals[-1].parameter_key
    if not (mine ^ theirs) <= told | _GLUE or not (mine & theirs) - told - _GLUE:
        return False
    own = {key: _own(key, chain) for key in chain}
    if not own[goal] & mine:
        return False
    return all(
        bool(own[fact.parameter_key] & mine) == bool(own[fact.parameter_key] & theirs)
        or (fact.parameter_key != goal and _passed_over(fact, conclusion, own, mine & theirs))
        for fact in conclusion.support
    )


def _passed_over(
    fact: Fact, conclusion: Conclusion, own: dict[str, frozenset[str]], both: frozenset[str]
) -> bool:
    """Whether a question may leave out a step of the chain: one that only says of what kind it is.

    "The sport of Ann", who plays goalkeeper, is the goalkeeper's; the birthplace of Ann is not
    her husband's. So the step leads to no name, and both questions name the next one, by more
    than "country", which everything has.
    """
    if fact.value != fact.value.lower():
        return False
    return any(
        _same(after.subject, fact.value) and (own[after.parameter_key] & both) - _WHENCE
        for after in conclusion.support
    )


def _own(key: str, chain: dict[str, frozenset[str]]) -> frozenset[str]:
    """The words that speak of one fact of the chain and of no other."""
    others = frozenset[str]().union(*(words for name, words in chain.items() if name != key))
    return chain[key] - others or chain[key]


def _same(one: str, other: str) -> bool:
    return folded(one).strip(" .") == folded(other).strip(" .")


def _words(fact: Fact) -> frozenset[str]:
    """The words that a question may use for a fact's parameter."""
    return _of_parameter(fact.parameter_key) or worded(fact.parameter) - _GLUE


@lru_cache(maxsize=4096)
def _of_parameter(key: str) -> frozenset[str]:
    known = parameters.load().parameters.get(key)
    if known is None:
        return frozenset()
    phrases = (*known.en, *known.ru, *known.frames, *known.asks)
    told = frozenset(word for phrase in phrases for word in _of_pattern(phrase)) - _GLUE
    return told | _TOO.get(key, frozenset())


@lru_cache(maxsize=4096)
def _sorts(key: str) -> frozenset[str]:
    """The words for the sort of thing that a parameter's value is."""
    return frozenset[str]().union(*(words for words, keys in _SORTS if key in keys.split()))


def _of_pattern(phrase: str) -> frozenset[str]:
    plain = " ".join(part for part in phrase.split() if part[0] not in "{*")
    return worded(plain.replace("|", " ").replace("?", " ").replace("~", " "))
