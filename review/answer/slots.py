"""Places that fill the slot of "where": "under my bed", "to Paris"; and all other such slots.

Only the words right around the slot are looked at; whether the claim is about the asked thing is
judged in ``answer_offers``.

Source: ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from review.answer.kinds import AnswerSort, AskedKind
from review.answer.names import after_noun, named
from review.answer.senses import Senses
from review.answer.statements import so_or_not, stated
from review.answer.told import Told
from review.answer.words import Reading, Word
from review.facts import values
from review.facts.tables import word_set
from store.cells import Span

_PREPOSITIONS: Final = word_set(
    """
    in at on under above below behind near inside beside beneath over outside
    в во на под над за у около возле рядом внутри
    """
)
_TOWARDS: Final = word_set("to into onto")
_MOTION: Final = Senses(
    "move relocate go travel trip transfer ship visit vacation fly drive come put send deliver"
    " return journey flight tour head switch"
)
_STOPS: Final = word_set(
    """
    and or but so for with to in at on under above below behind near inside by from since until
    last next yesterday recently today these currently
    that which who where when while because if as now then i we he she they you it is are was
    were have has had will would can could about into onto during after before this
    и или но а для с со в во на под над за у от до к по что который где когда пока если как
    прошлый прошлом прошлой следующем сегодня вчера недавно
    сейчас теперь я мы он она они ты вы
    """
)
_DETERMINERS: Final = word_set(
    """
    the a an my our your his her their its this that these those some мой моя мое моё мои моей
    моем моём моего нашей нашем наш наша свой своей своем своём
    """
)
_PARTICLES: Final = word_set("out up off away")
_NOT_PLACES: Final = Senses(
    "fact case way order addition general mind least first all process future past moment time"
    " year month week day morning evening afternoon night weekend today january february march"
    " april may june july august september october november december monday tuesday wednesday"
    " thursday friday saturday sunday minute hour budget advance touch progress track average bit"
    " lot particular total person detail once last course terms mood plan"
    " случай время год месяц неделя день утро вечер ночь понедельник вторник среда четверг пятница"
    " суббота воскресенье январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь"
    " декабрь раз счет итог целое основном порядок помощь"
)
_LOCATION: Final = Senses("location venue address place адрес место локация площадка")
_STANDS_FOR: Final = word_set("it them his its его их ее её")
_LONGEST: Final = 6
_REACH: Final = 12


def slots(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """The names, places or statements that could fill the asked slot."""
    match kind.sort:
        case AnswerSort.PLACE:
            yield from _places(kind, reading)
        case AnswerSort.PERSON | AnswerSort.NAMED:
            yield from named(kind, reading)
        case AnswerSort.STATED:
            yield from stated(kind, reading)
            yield from after_noun(kind, reading)
        case AnswerSort.YES_NO:
            yield from so_or_not(kind, reading)
        case _:
            return


def same_name(one: str, other: str) -> bool:
    """Whether two normal forms may name one thing: the words of one are all in the other."""
    first, second = set(one.split()), set(other.split())
    return first <= second or second <= first


def _places(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    for i, word in enumerate(reading.words):
        begin = i + 1
        if word.sense in _LOCATION and ":" in reading.between(i + 1):
            distance: int | None = 0
        elif word.low in _PREPOSITIONS or word.low in _TOWARDS:
            distance = _distance(kind, reading, i)
        else:
            continue
        phrase = _phrase(reading, begin)
        if distance is None or not _is_place(kind, phrase) or not _leads(reading, i, phrase):
            continue
        text = reading.text_of(phrase)
        span = Span(phrase[0].start, phrase[-1].end)
        yield Told(values.name_key(text), text, span, i, "place", rank=distance)


def _leads(reading: Reading, i: int, phrase: Sequence[Word]) -> bool:
    """Whether the word before the phrase leads to a place, and not to a purpose or a result."""
    before = [
        w for w in reading.words[max(0, i - 7) : i] if w.sentence == reading.words[i].sentence
    ]
    if before and before[-1].low in _PARTICLES:
        return False
    if reading.words[i].low not in _TOWARDS:
        return True
    owned = reading.words[i + 1].low in _DETERMINERS
    named_place = any(word.text[:1].isupper() for word in phrase)
    return (owned or named_place) and any(word.sense in _MOTION for word in before)


def _phrase(reading: Reading, begin: int) -> list[Word]:
    """The noun phrase that begins at word ``begin``, without its determiner."""
    kept: list[Word] = []
    for i in range(begin, min(begin + _LONGEST + 2, len(reading.words))):
        word = reading.words[i]
        if i > begin and reading.pauses(i):
            break
        if word.low in _DETERMINERS and not kept:
            continue
        if word.low in _DETERMINERS or word.low in _STOPS or len(kept) == _LONGEST:
            break
        kept.append(word)
    while kept and not kept[-1].weight:
        kept.pop()
    return kept


def _is_place(kind: AskedKind, phrase: Sequence[Word]) -> bool:
    telling = [word for word in phrase if word.weight]
    if not telling or telling[-1].sense in _NOT_PLACES or telling[0].sense in _NOT_PLACES:
        return False
    if len(telling) == 1 and telling[0].low.endswith("ing") and telling[0].text.islower():
        return False
    if all(word.text[:1].isdigit() or len(word.text) < 3 for word in telling):
        return False
    return not all(word.sense in kind.content for word in telling)


def _distance(kind: AskedKind, reading: Reading, i: int) -> int | None:
    """Words from the last asked word before ``i`` in its sentence, or from a pronoun for it."""
    for back in range(1, min(_REACH, i) + 1):
        word = reading.words[i - back]
        if word.sentence != reading.words[i].sentence:
            break
        if (word.weight and word.sense in kind.content) or word.low in _STANDS_FOR:
            return back
    return None
