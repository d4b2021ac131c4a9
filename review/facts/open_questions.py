"""Questions that the table knows nothing of: which sort they are, and their own parameter."""

from __future__ import annotations

from typing import Final

from review.facts import open_parameters
from review.facts.protocol import Asked, ValueType
from review.facts.sayings import AUXILIARIES, BARS, I_AND_WE, PREPOSITIONS, word_set
from review.facts.sentences import BLANK, OPEN, Reading, Sentence
from review.facts.subjects import Context, speaker, subject
from store.cells import Cardinality, Span

_WHO: Final = word_set("who whom whose who's кто кого кому кем чей чья чье чьи")
_WHEN: Final = word_set("when when's когда")
_WHERE: Final = word_set("where where's где куда откуда")
_WHAT: Final = word_set(
    "what which what's какой какая какое какие каким какую какого каких каком какими что чем"
)
_HOW: Final = word_set("how сколько насколько как")
_WHY: Final = word_set("why почему зачем")
WH: Final = _WHO | _WHEN | _WHERE | _WHAT | _HOW | _WHY
"""Words that open a question."""

_MEASURES: Final = word_set(
    "many much old tall big far high fast often long large deep heavy wide early late soon часто "
    "долго далеко высоко много"
)
_COUNTED: Final = word_set("many much сколько")
_HAVE: Final = word_set("have has own owns got had do does did is are was there у")
FITS: Final = {
    "who": (ValueType.NAME,),
    "when": (ValueType.DATE, ValueType.DURATION),
    "where": (ValueType.NAME, ValueType.TEXT),
    "how": (ValueType.NUMBER, ValueType.MONEY, ValueType.DURATION),
}
"""What sorts of value a question word can ask for; "what" asks for any."""

_PLURAL: Final = word_set("are were какие каких")
_REACH: Final = 8


def opening(reading: Reading, sentence: Sentence) -> int | None:
    """The question word, if there is one that opens a clause or ends a phrase."""
    for at in range(sentence.first, sentence.last):
        if reading.forms[at] in WH:
            return at
    return None


def sort_of(forms: list[str], at: int) -> str:
    """Which sort of question word ``at`` is: who, when, where, how or what."""
    form, following = forms[at], forms[at + 1 : at + 2]
    if form in _WHO or (form == "как" and following in (["зовут"], ["называется"])):
        return "who"
    if form in _WHEN:
        return "when"
    if form in _WHERE:
        return "where"
    if form in _HOW:
        return "how"
    return "what"


def open_one(context: Context, sentence: Sentence, words: str) -> Asked | None:
    """A question that the table knows nothing of, as a parameter of its own.

    Args:
        context: The text as asked.
        sentence: The sentence.
        words: The sentence without the moments that say as of when it is asked.
    """
    reading, forms = context.reading, context.reading.forms
    at = opening(reading, sentence)
    owned = _owned(context, sentence, at)
    if owned is not None:
        return owned
    key = open_parameters.key(words)
    if not key:
        return None
    span = Span(sentence.start, sentence.end)
    if at is None:
        return Asked(key, span=span, words=reading.text[span.start : span.end])
    sort = sort_of(forms, at)
    plural = any(form in _PLURAL for form in forms[at : at + 3]) and sort in ("who", "what")
    cardinality = Cardinality.MANY if plural else Cardinality.ONE
    if forms[at] in _WHY or (sort == "how" and not _measures(forms, at)):
        # There are many reasons and many ways.
        cardinality = Cardinality.UNKNOWN
    return Asked(
        key,
        value_type=_type_of(forms, at, sort),
        cardinality=cardinality,
        span=span,
        words=reading.text[span.start : span.end],
    )


def _owned(context: Context, sentence: Sentence, at: int | None) -> Asked | None:
    """Reads "Who is the first president of France" asks for the first president, of France."""
    reading, forms = context.reading, context.reading.forms
    if at is None or at + 4 >= sentence.last or forms[at + 1] not in ("is", "was", "are", "were"):
        return None
    if forms[at] not in _WHO | _WHAT or forms[at + 2] != "the":
        return None
    first, stop = at + 3, min(sentence.last, at + 3 + _REACH)
    of = next((i for i in range(first + 1, stop) if forms[i] == "of"), None)
    if of is None or any(f in PREPOSITIONS | BARS | AUXILIARIES for f in forms[first:of]):
        return None
    blank = Reading(open_parameters.timeless(reading, sentence, all_of_them=True))
    start = blank.word_at(reading.starts[of] - sentence.start, 0, len(blank.starts))
    if any(f in AUXILIARIES | BARS for f in blank.forms[start + 1 :]):
        return None
    inner = Context(blank, context.lexicon, context.setting)
    whom = subject(inner, start + 1, len(blank.starts)) if start + 1 < len(blank.starts) else None
    key = open_parameters.key(reading.words(first, of))
    if whom is None or not key:
        return None
    plural = forms[at + 1] in _PLURAL
    return Asked(
        key,
        whom.key,
        _type_of(forms, at, sort_of(forms, at)),
        Cardinality.MANY if plural else Cardinality.ONE,
        Span(reading.starts[first], reading.ends[of - 1]),
        reading.words(first, of),
    )


def _type_of(forms: list[str], at: int, sort: str) -> ValueType:
    following = forms[at + 1] if at + 1 < len(forms) else ""
    if sort in ("who", "where"):
        return ValueType.NAME
    if sort == "when" or following in ("year", "date", "day", "month", "год", "году", "число"):
        return ValueType.DATE
    if sort == "how":
        if following in ("long", "времени"):
            return ValueType.DURATION
        return ValueType.NUMBER if _measures(forms, at) else ValueType.TEXT
    return ValueType.TEXT


def _measures(forms: list[str], at: int) -> bool:
    """Whether "how" asks for a measure, as in "how many", and not for a manner."""
    return forms[at] == "сколько" or (at + 1 < len(forms) and forms[at + 1] in _MEASURES)


def counted(context: Context, sentence: Sentence) -> Asked | None:
    """Reads "How many coins do I have" asks for a count, which "I have 25 coins" states."""
    reading, forms = context.reading, context.reading.forms
    at = opening(reading, sentence)
    if at is None or sort_of(forms, at) != "how":
        return None
    first = at + 1 if forms[at] == "сколько" else at + 2
    if first >= sentence.last or (forms[at] == "how" and forms[at + 1] not in _COUNTED):
        return None
    end = first
    while end < sentence.last and forms[end] not in _HAVE and reading.gaps[end] in (BLANK, OPEN):
        end += 1
    rest = forms[end : sentence.last]
    if end == first or not any(f in ("have", "own", "got", "has", "owns", "у") for f in rest):
        return None
    key = count_key(reading.words(first, end))
    whom = speaker(context) if any(f in I_AND_WE for f in rest) else ""
    return Asked(
        key,
        subject_key=whom,
        value_type=ValueType.NUMBER,
        cardinality=Cardinality.ONE,
        span=Span(reading.starts[at], reading.ends[sentence.last - 1]),
        words=reading.words(at, end),
    )


def count_key(text_: str) -> str:
    """The parameter of how many of something one has."""
    return f"count:{open_parameters.content(text_)}"
