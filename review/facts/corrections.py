"""Corrections of what was said just before: "Make that $75,000", "Точнее, 16 октября".

A correction takes its subject and parameter from the latest earlier fact that takes such a value.
The value it corrects ends; in the text it is only "that" or "instead", so that word stands for it.
"""

from __future__ import annotations

from typing import Final

from review.facts.drafts import Draft
from review.facts.names import name
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import (
    ARTICLES,
    DOUBTS,
    FILLERS,
    NEGATIONS,
    phrase_list,
    word_set,
)
from review.facts.sentences import COMMA, HARD, LINK, Phrase, Sentence
from review.facts.slots import text, value
from review.facts.subjects import Context
from store.cells import Cardinality, Fact, FactRole

_STARTS: Final[dict[str, list[tuple[str, ...]]]] = {}
for _words in phrase_list(
    "make that|make it|change that to|change it to|actually|correction|scratch that|strike that|"
    "no wait|wait no|on second thought|i meant|i mean|i was wrong|sorry|i'm overriding that|"
    "overriding that|that should be|it should be|should be|let's switch to|let's go with|"
    "switch to|switch it to|go with|let's make it|change of plans|the actual value is|no|"
    "actual value is|instead|rather|точнее|вернее|поправка|исправление|то есть|на самом деле|"
    "нет|отменяю|"
    "давайте перейдем на|давай перейдем на|лучше|вместо этого|ошибся|ошиблась|я ошибся|я ошиблась|"
    "правильно|передумал|передумала|пусть будет"
):
    _STARTS.setdefault(_words[0], []).append(_words)
_LEAD: Final = word_set(
    "to is be use using with go going let's let us make it that switch change set now on at "
    "for перейдем перейти сделаем сделай используем поставь поставим пусть будет давайте "
    "давай на в к это не"
)
_STANDS_FOR: Final = word_set("that it instead rather")
_OLD: Final = (("value", "was"), ("old", "value", "was"), ("было",), ("значение", "было"))
_NEW: Final = (("actual", "value", "is"), ("value", "is"), ("стало",), ("значение", "теперь"))
_FAR: Final = 6


def corrections(context: Context) -> list[tuple[Sentence, list[Draft]]]:
    """What the text corrects of the facts said before it; nothing when it names its own."""
    if not context.setting.earlier or not context.reading.sentences:
        return []
    named = _by_value(context)
    if named:
        return named
    reading = context.reading
    for at, sentence in enumerate(reading.sentences[:2]):
        if sentence.asks:
            return []
        cue = _cue(context, sentence)
        if cue is None:
            continue
        drafts = _corrected(context, sentence, *cue)
        if not drafts and at == 0 and len(reading.sentences) > 1:
            following = reading.sentences[1]
            drafts = _corrected(context, following, cue[0], following.first)
            sentence = following
        return [(sentence, drafts)] if drafts else []
    return []


def _cue(context: Context, sentence: Sentence) -> tuple[tuple[int, int], int] | None:
    """The words of the cue, and the word behind all cues and what leads on from them."""
    forms = context.reading.forms
    start = sentence.first
    while start < sentence.last and start < sentence.first + _FAR:
        for cue in _STARTS.get(forms[start], ()):
            if tuple(forms[start : start + len(cue)]) == cue:
                return (start, start + len(cue)), _led(context, sentence, start + len(cue))
        if forms[start] not in FILLERS and forms[start] not in ("oh", "ok", "okay", "well", "hmm"):
            return None
        start += 1
    return None


def _led(context: Context, sentence: Sentence, at: int) -> int:
    forms = context.reading.forms
    while at < sentence.last:
        longer = next(
            (
                len(cue)
                for cue in _STARTS.get(forms[at], ())
                if tuple(forms[at : at + len(cue)]) == cue
            ),
            0,
        )
        if longer:
            at += longer
        elif forms[at] in _LEAD or forms[at] in FILLERS or forms[at] in ARTICLES:
            at += 1
        else:
            break
    return at


def _corrected(context: Context, sentence: Sentence, cue: tuple[int, int], at: int) -> list[Draft]:
    forms = context.reading.forms
    if at >= sentence.last or any(f in DOUBTS for f in forms[at : sentence.last]):
        return []
    if forms[at] in NEGATIONS:
        return []
    for fact in reversed(context.setting.earlier):
        if fact.role is not FactRole.STATES:
            continue
        found = _fits(context, sentence, fact, at)
        if found is not None and found.key != fact.value_key:
            return _drafts(context, sentence, fact, found, cue)
    return []


def _fits(context: Context, sentence: Sentence, fact: Fact, at: int) -> Phrase | None:
    """A value at word ``at`` of the sort that the earlier fact has, up to the end of a clause."""
    parameter = _parameter(context, fact)
    found = value(context, sentence, parameter, at, sentence.last)
    if found is None and parameter.value_type is ValueType.ENUM:
        return None
    if found is None or found.next > sentence.last:
        return None
    reading = context.reading
    closes = (
        found.next >= sentence.last
        or reading.gaps[found.next] in (COMMA, HARD, LINK)
        or reading.forms[found.next]
        in ("instead", "for", "from", "please", "now", "because", "and")
        or parameter.value_type not in (ValueType.NAME, ValueType.TEXT)
    )
    return found if closes else None


def _parameter(context: Context, fact: Fact) -> Parameter:
    known = context.lexicon.table.parameters.get(fact.parameter_key)
    if known is not None:
        return known
    digits = any(sign.isdigit() for sign in fact.value)
    return Parameter(fact.parameter_key, ValueType.NUMBER if digits else ValueType.TEXT)


def _drafts(
    context: Context, sentence: Sentence, fact: Fact, found: Phrase, cue: tuple[int, int]
) -> list[Draft]:
    reading = context.reading
    place = (reading.starts[cue[0]], reading.ends[cue[1] - 1])
    words = reading.words(*cue)
    whom = Phrase(-1, -1, fact.subject_key, 0)
    stated = Draft(fact.parameter_key, words, place, whom, found, cardinality=fact.cardinality)
    stated.changes = True
    anaphor = next(
        (
            i
            for i in (*range(*cue), *range(sentence.first, sentence.last))
            if reading.forms[i] in _STANDS_FOR
        ),
        cue[0],
    )
    gone = Phrase(reading.starts[anaphor], reading.ends[anaphor], fact.value_key, anaphor + 1)
    ended = Draft(
        fact.parameter_key,
        words,
        place,
        whom,
        gone,
        FactRole.ENDS,
        Cardinality.UNKNOWN,
        changes=True,
    )
    return [stated, ended]


def _by_value(context: Context) -> list[tuple[Sentence, list[Draft]]]:
    """Reads "The value was: A. The ACTUAL value is: B": the earlier fact is the one that had A."""
    reading = context.reading
    old = new = None
    for sentence in reading.sentences:
        old = old or _after(context, sentence, _OLD)
        new = _after(context, sentence, _NEW) or new
    if old is None or new is None:
        return []
    told = reading.text[old[1].start : old[1].end]
    for fact in reversed(context.setting.earlier):
        if fact.role is FactRole.STATES and (fact.value in told or old[1].key == fact.value_key):
            parameter = _parameter(context, fact)
            sentence, rest = new
            at = reading.word_at(rest.start, sentence.first, sentence.last)
            found = value(context, sentence, parameter, at, sentence.last, linked=True) or rest
            at = reading.word_at(old[1].start, old[0].first, old[0].last)
            gone = value(context, old[0], parameter, at, old[0].last, linked=True) or old[1]
            gone = gone._replace(key=fact.value_key)
            place = (found.start, found.end)
            whom = Phrase(-1, -1, fact.subject_key, 0)
            stated = Draft(
                fact.parameter_key, "value", place, whom, found, cardinality=fact.cardinality
            )
            ended = Draft(
                fact.parameter_key, "value", (gone.start, gone.end), whom, gone, FactRole.ENDS
            )
            return [(sentence, [stated]), (old[0], [ended])]
    return []


def _after(
    context: Context, sentence: Sentence, cues: tuple[tuple[str, ...], ...]
) -> tuple[Sentence, Phrase] | None:
    reading = context.reading
    for at in range(sentence.first, sentence.last):
        for cue in cues:
            behind = at + len(cue)
            if behind < sentence.last and tuple(reading.forms[at:behind]) == cue:
                location = context.lexicon.table.parameters.get("location")
                told = text(context, sentence, behind, sentence.last)
                if told is None and location:
                    told = name(context, sentence, location, behind, sentence.last, common=True)
                if told is not None:
                    start = told.start
                    while start and reading.text[start - 1] in "$€£₽#":
                        start -= 1
                    end = max(told.end, sentence.end)
                    return sentence, Phrase(start, end, told.key, sentence.last)
    return None
