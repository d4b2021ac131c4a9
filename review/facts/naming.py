"""Facts that name their parameter: "the budget of the shop is 5000", "бюджет магазина — 5000".

The name, whom it belongs to, a link, the value: in that order, with the owner before the name or
behind it. Without a link the value must follow at once and look like one: "budget 5000".
"""

from __future__ import annotations

from typing import Final

from review.facts import links
from review.facts.drafts import Draft, of
from review.facts.lexicon import is_oblique
from review.facts.owners import Owner, adjunct, before, given, joined, stands_first
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    FILLERS,
    I_AND_WE,
    NEGATIONS,
    OF_WHOM,
    PREPOSITIONS,
)
from review.facts.sentences import BLANK, COMMA, HARD, LINK, Phrase, Sentence
from review.facts.slots import enum, value
from review.facts.subjects import Context, is_title, subject
from review.facts.timing import before_moment
from review.facts.words import is_cyrillic
from store.cells import Cardinality

_REACH: Final = 12
_BETWEEN: Final = frozenset({"between", "между"})


def named(
    context: Context, sentence: Sentence, parameter: Parameter, at: int, end: int
) -> Draft | None:
    """The fact that the name at the words ``[at, end)`` states, if it does."""
    owner = before(context, sentence.first, at)
    if owner is None or owner.past:
        return None
    bare = parameter.value_type in (ValueType.ENUM, ValueType.TEXT)
    if parameter.clause:
        link = far_link(context, sentence, end)
    else:
        link = linked(context, sentence, end, bare=bare)
    reading = context.reading
    if link is None:
        return _unlinked(context, sentence, parameter, owner, at, end)
    if _inside(context, sentence, owner.start):
        return None
    start, behind, whom = link
    told = reading.forms[start:behind]
    source = behind
    if start < behind and behind < sentence.last and reading.forms[behind] in ("from", "с", "со"):
        behind = _past_source(reading.forms, behind, sentence.last)
    if behind >= sentence.last or reading.forms[behind] in NEGATIONS:
        return None
    found = value(context, sentence, parameter, behind, sentence.last, linked=True)
    if found is None:
        return None
    draft = _draft(context, sentence, parameter, owner, whom, (at, end), found)
    if source < behind - 1:
        draft.gone = value(context, sentence, parameter, source + 1, behind - 1, linked=True)
    draft.changes = any(word in links.CHANGES for word in told)
    draft.past = any(word in links.PAST for word in told) and not draft.changes
    if draft.past and not parameter.lasting:
        draft.cardinality = _at_most_unknown(draft.cardinality)
    return draft


def _inside(context: Context, sentence: Sentence, start: int) -> bool:
    """Whether the name only completes another phrase: "the record for goals in a season"."""
    reading, forms = context.reading, context.reading.forms
    place = start
    while (
        place > sentence.first
        and reading.gaps[place] == BLANK
        and (forms[place - 1] in ARTICLES or forms[place - 1] in I_AND_WE)
    ):
        place -= 1
    if place - 1 <= sentence.first or reading.gaps[place] != BLANK:
        return False
    return forms[place - 1] in PREPOSITIONS - {"as"} and forms[place - 2] not in ("name", "based")


def _past_source(forms: list[str], at: int, last: int) -> int:
    """The word behind "from A to": the new value."""
    for place in range(at + 1, min(last, at + _REACH)):
        if forms[place] in ("to", "на", "до"):
            return place + 1
    return at


def linked(
    context: Context, sentence: Sentence, end: int, *, bare: bool = False
) -> tuple[int, int, Phrase | None] | None:
    """The link behind a name, as ``(first word, word behind, owner named between)``.

    ``None`` when there is none: the name is only mentioned, or the value follows without a link.
    ``bare`` leaves a preposition behind "is" to the value.
    """
    reading, forms = context.reading, context.reading.forms
    skip = end
    for place in range(end, min(sentence.last, end + _REACH)):
        gap = reading.gaps[place]
        if place < skip:
            continue
        quoted = reading.quoted(place) if reading.has_quotes else None
        if quoted and gap != LINK:
            skip = reading.word_at(quoted[1], place, sentence.last)
            continue
        if gap == LINK:
            return _marked(context, sentence, end, place)
        if gap in (COMMA, HARD):
            return None
        behind = 0
        if forms[place] in links.STARTS and not (reading.capital(place) and reading.has_capitals):
            behind = links.behind(forms, place, sentence.last, bare=bare)
        if behind:
            fits, whom = _whom(context, sentence, end, place)
            return (place, behind, whom) if fits else None
        if forms[place] not in BARS and forms[place] not in NEGATIONS:
            continue
        if not 0 < place < sentence.last - 1 or not is_title(reading, place - 1, place + 2):
            return None
    return None


def _marked(
    context: Context, sentence: Sentence, end: int, place: int
) -> tuple[int, int, Phrase | None] | None:
    """A link that is a colon, an equals sign or a dash right before ``place``."""
    reading = context.reading
    if ")" in reading.text[reading.ends[place - 1] : reading.starts[place]]:
        # "David (Product Director): …" is who speaks.
        return None
    fits, whom = _whom(context, sentence, end, place)
    return (place, place, whom) if fits else None


def far_link(
    context: Context, sentence: Sentence, end: int
) -> tuple[int, int, Phrase | None] | None:
    """As :func:`linked`, where the owner is a clause: the last link before a quantity."""
    reading = context.reading
    low = reading.ends[end - 1]
    quantity = next((q for q in sentence.quantities(reading.text) if q.span.start >= low), None)
    if quantity is None:
        return None
    stop = reading.word_at(quantity.span.start, end, sentence.last)
    for place in range(stop, end, -1):
        joins = place < sentence.last and reading.gaps[place] == LINK
        if joins or links.behind(reading.forms, place, stop):
            fits, whom = _whom(context, sentence, end, place, clause=True)
            return (place, stop, whom) if fits else None
    return None


def _whom(
    context: Context, sentence: Sentence, first: int, last: int, *, clause: bool = False
) -> tuple[bool, Phrase | None]:
    """Whether what stands between a name and its link can be its owner, and the owner."""
    forms = context.reading.forms
    while first < last and forms[first] in FILLERS:
        first += 1
    while first < last and forms[last - 1] in FILLERS:
        last -= 1
    if first < last:
        now = context.setting.written_at
        last = before_moment(context.reading, sentence, now, first, last)
    if first >= last:
        return True, None
    between = clause and forms[first] in _BETWEEN
    if forms[first] not in OF_WHOM and not is_cyrillic(forms[first]) and not between:
        return False, None
    whom = subject(context, first + between, last, clause=clause)
    return whom is not None, whom


def _unlinked(
    context: Context, sentence: Sentence, parameter: Parameter, owner: Owner, at: int, end: int
) -> Draft | None:
    reading, forms = context.reading, context.reading.forms
    whom: Phrase | None = None
    place = end
    while place < sentence.last and forms[place] in FILLERS and not reading.gaps[place]:
        place += 1
    if place >= sentence.last or reading.gaps[place] in (COMMA, HARD):
        return None
    if forms[place] == "of" and parameter.value_type is not ValueType.NAME:
        place += 1
    found = None
    if place < sentence.last:
        found = _direct(context, sentence, parameter, place)
    if (
        found is None
        and place < sentence.last
        and (forms[place] in OF_WHOM or is_cyrillic(forms[place]))
    ):
        found, whom = _behind_owner(context, sentence, parameter, place)
    if found is None:
        return None
    return _draft(context, sentence, parameter, owner, whom, (at, end), found)


def _direct(context: Context, sentence: Sentence, parameter: Parameter, at: int) -> Phrase | None:
    """A value that follows its name at once."""
    reading = context.reading
    if parameter.value_type is ValueType.ENUM:
        return enum(context, parameter, at, sentence.last)
    if parameter.place and reading.forms[at] in ("in", "at", "в", "на") and at + 1 < sentence.last:
        placed = value(context, sentence, parameter, at + 1, sentence.last)
        return placed if placed and _closes(context, sentence, placed.next) else None
    if parameter.value_type in (ValueType.NAME, ValueType.TEXT) and not reading.quoted(at):
        # "The carrier Delovye Linii", but not "Product Manager" and "Office Equipment".
        if not reading.has_capitals or not reading.capital(at) or reading.capital(at - 1):
            return None
        if reading.forms[at] in I_AND_WE or is_oblique(reading.forms[at]):
            return None
    found = value(context, sentence, parameter, at, sentence.last)
    if found is None or _gone_by(context, parameter, found):
        return None
    between = reading.forms[at : reading.word_at(found.start, at, sentence.last)]
    near = len(between) <= 2 and all(
        b in PREPOSITIONS or b in FILLERS or b == "up" for b in between
    )
    return found if near else None


def _closes(context: Context, sentence: Sentence, at: int) -> bool:
    """Whether a clause ends before word ``at``."""
    reading = context.reading
    return at >= sentence.last or reading.gaps[at] in (COMMA, HARD) or reading.forms[at] in BARS


def _gone_by(context: Context, parameter: Parameter, found: Phrase) -> bool:
    """Whether a date that only stands beside its name is past: "the meeting two weeks ago"."""
    now = context.setting.written_at
    if parameter.value_type is not ValueType.DATE or parameter.lasting or now is None:
        return False
    return found.key[:1].isdigit() and "-" in found.key and found.key < f"{now:%Y-%m-%d}"


def _behind_owner(
    context: Context, sentence: Sentence, parameter: Parameter, at: int
) -> tuple[Phrase | None, Phrase | None]:
    """Reads "budget for marketing 5000", "бюджет проекта 5 млн": a quantity behind the owner."""
    if parameter.value_type not in (ValueType.MONEY, ValueType.NUMBER, ValueType.DURATION):
        return None, None
    reading = context.reading
    found = (
        value(context, sentence, parameter, at + 1, sentence.last)
        if at + 1 < sentence.last
        else None
    )
    if found is None:
        return None, None
    stop = reading.word_at(found.start, at, sentence.last)
    if any(reading.forms[i] in BARS or reading.forms[i] in AUXILIARIES for i in range(at, stop)):
        return None, None
    whom = subject(context, at, stop)
    return (found, whom) if whom and whom.key else (None, None)


def _draft(
    context: Context,
    sentence: Sentence,
    parameter: Parameter,
    owner: Owner,
    whom: Phrase | None,
    place: tuple[int, int],
    found: Phrase,
) -> Draft:
    reading = context.reading
    at, end = place
    draft = of(
        parameter,
        reading.words(at, end),
        (reading.starts[owner.start], reading.ends[end - 1]),
        found,
    )
    draft.subject = joined(whom, owner)
    if draft.subject is None:
        draft.subject = adjunct(context, sentence, owner.start)
        if draft.subject is None and not stands_first(context, sentence, owner.start):
            # Nobody knows whose: two prices in two stories are not one price.
            draft.cardinality = _at_most_unknown(draft.cardinality)
    elif parameter.clause:
        draft.subject = given(draft.subject, adjunct(context, sentence, owner.start, clause=True))
    return draft


def _at_most_unknown(cardinality: Cardinality) -> Cardinality:
    return Cardinality.UNKNOWN if cardinality is Cardinality.ONE else cardinality
