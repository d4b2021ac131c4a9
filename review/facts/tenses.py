"""Whether a sentence speaks of the past or of what is to come, from its verbs; English, Russian.

A rough reading: it only chooses the year of a date that was told without one, and whether "in
winter" is one winter or every winter.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from review.facts.calendar_words import WORDS, listed


class Tense(StrEnum):
    """What the verbs of a sentence tell."""

    PAST = "past"
    FUTURE = "future"
    UNTOLD = "untold"
    """The present, or signs of both."""


_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PAST: Final = frozenset(
    listed(
        "was were did didn't wasn't weren't had used went took bought got came left met "
        "saw made began started found told said lost won sold paid sent spent built wrote "
        "flew drove ate gave held ran chose became kept knew thought rode swam grew broke "
        "wore slept taught ago since шел нес вез мог лег рос назад"
    )
)
_FUTURE: Final = frozenset(
    listed(
        "will shall won't i'll we'll you'll he'll she'll they'll it'll going due upcoming "
        "буду будем будет будут будешь будете предстоит планируем планирую собираемся "
        "собираюсь скоро"
    )
)
_ENGLISH_PAST: Final = re.compile(r"[a-z]{2,}[^e\W]ed")
_RUSSIAN_PAST: Final = re.compile(r"[а-я]+[аеиоуыя]л(?:а|о|и)?(?:с[ья])?")
_NO_VERBS: Final = frozenset(
    listed(
        "hundred sacred naked wicked kindred embed дела дело дел стола стол школа школ "
        "сила сил цели цел модели модель отели отел канал канала материал материала "
        "журнал журнала персонал персонала отдел отдела предел футбол филиал филиала "
        "капитал капитала сигнал квартал портал портала тунели тоннели панели интервал "
        "интервала потенциал мала мало мали села село правила правило начала начало зал "
        "зала вокзал вокзала металл металла пола пол недели"
    )
)


def tense(sentence: str) -> Tense:
    """The tense of ``sentence``; untold for an empty one."""
    past, future = signs(sentence)
    if past == future:
        return Tense.UNTOLD
    return Tense.PAST if past else Tense.FUTURE


def signs(sentence: str) -> tuple[bool, bool]:
    """Whether a verb of the past stands in ``sentence``, and whether one of the future does."""
    past = future = False
    for found in _WORD.finditer(sentence):
        word = found.group().lower().replace("ё", "е").replace("’", "'")
        if word in _FUTURE:
            future = True
        elif not past and (word in _PAST or (word not in WORDS and _looks_past(word))):
            past = True
    return past, future


def _looks_past(word: str) -> bool:
    if word in _NO_VERBS:
        return False
    if word.endswith("ed"):
        return _ENGLISH_PAST.fullmatch(word) is not None
    return _RUSSIAN_PAST.fullmatch(word) is not None
