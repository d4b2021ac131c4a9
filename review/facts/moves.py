"""Moves, changes and switches: a value holds from now on, and the one named as old ends."""

from __future__ import annotations

from typing import Final

from review.facts.drafts import Draft, ended, of
from review.facts.names import name
from review.facts.owners import before, joined
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import AUXILIARIES, BARS, word_set
from review.facts.sentences import COMMA, HARD, LINK, Phrase, Sentence
from review.facts.slots import text, value
from review.facts.subjects import Context, subject
from store.cells import Cardinality, FactRole

Names = list[tuple[int, int, Parameter]]

_MOVES: Final = word_set(
    "move moves moved moving shift shifts shifted shifting transfer transferred transferring "
    "relocate relocated migrate migrated migrating postpone postponed reschedule rescheduled "
    "push pushed переводим переводит переводят перевели перевел перевела переносим переносит "
    "переносят перенесли перенес перенесла перевозим перевезли мигрируем мигрировали сдвинули "
    "сдвигаем перенести перевести"
)
_CHANGES: Final = word_set(
    "switch switches switched switching change changes changed changing raise raised raising "
    "increase increased increasing reduce reduced reducing lower lowered cut extend extended "
    "update updated upgrade upgraded downgrade downgraded set bump bumped меняем меняет "
    "сменили сменил сменила поменяли поменял изменили изменил изменила меняю повысили "
    "повышаем увеличили увеличиваем снизили снижаем уменьшили уменьшаем продлили продлеваем "
    "сократили перешли перешел перешла переходим переходит переключились установили подняли "
    "обновили"
)
_REPLACES: Final = word_set(
    "replace replaces replaced replacing swap swapped заменили заменил заменила заменяем меняем"
)
_FROM: Final = word_set("from с со из")
_TO: Final = word_set("to into onto на в во до")
_WITH: Final = word_set("with by for на")
INSTEAD: Final = word_set("instead вместо rather")
VERBS: Final = _MOVES | _CHANGES | _REPLACES
"""Verbs that put one value in the place of another."""

_FAR: Final = 14


def clause_end(context: Context, sentence: Sentence, at: int) -> int:
    """The word behind what the verb at word ``at`` can be about."""
    reading = context.reading
    for place in range(at + 1, min(sentence.last, at + _FAR)):
        if reading.gaps[place] in (COMMA, HARD, LINK) or reading.forms[place] in BARS:
            return place
    return min(sentence.last, at + _FAR)


def moved(
    context: Context, sentence: Sentence, at: int, names: Names, told: list[Draft]
) -> list[Draft]:
    """Reads "move OBJECT from OLD to NEW", with any of the three left out but the new."""
    forms = context.reading.forms
    if at > sentence.first and forms[at - 1] in AUXILIARIES - {"have", "has", "had", "'ve"}:
        # "The carrier was changed" is read as what joins a name to its value.
        return []
    last = clause_end(context, sentence, at)
    to = _WITH if forms[at] in _REPLACES else _TO
    old = next((i for i in range(at + 1, last) if forms[i] in _FROM), None)
    start = at + 1 if old is None else old + 1
    new = next((i for i in range(start, last) if forms[i] in to), None)
    if new is None or new + 1 >= last:
        return []
    object_last = new if old is None else old
    if forms[at] in _REPLACES and old is None:
        old, object_last = at, at + 1
    parameter, whom, first = _meant(context, (at + 1, object_last), (new + 1, last), names, told)
    if parameter is None:
        return _switched(context, sentence, at, old, new, last)
    found = value(context, sentence, parameter, first, last)
    if found is None:
        return []
    place = (context.reading.starts[at], context.reading.ends[at])
    draft = of(parameter, context.reading.words(at, at + 1), place, found)
    draft.subject, draft.changes = whom, True
    made = [draft]
    if old is not None and old + 1 < new:
        gone = value(context, sentence, parameter, old + 1, new)
        if gone is not None and gone.key != found.key:
            made.append(ended(draft, gone))
    return made


def _meant(
    context: Context,
    object_: tuple[int, int],
    goal: tuple[int, int],
    names: Names,
    told: list[Draft],
) -> tuple[Parameter | None, Phrase | None, int]:
    """Which parameter a move changes, whose, and where its value begins.

    By the object ("move the deadline"), by the goal ("to the warehouse X"), or by what else the
    sentence is about.
    """
    first, end = object_
    new, last = goal
    table = context.lexicon.table.parameters
    for at, behind, parameter in names:
        if first <= at and behind <= end:
            owner = before(context, first, at)
            if owner is None or owner.past:
                return None, None, new
            whom = subject(context, behind, end) if behind < end else None
            return parameter, joined(whom, owner), new
    whom = subject(context, first, end) if first < end else None
    for at, behind, parameter in names:
        if new <= at < new + 3 and behind < last:
            return parameter, whom, behind
    if whom is None or not whom.key:
        return None, None, new
    for draft in told:
        active = table.get(draft.parameter_key)
        if active is not None and active.place:
            return active, whom, new
    if context.reading.forms[first - 1] in _MOVES and "location" in table:
        return table["location"], whom, new
    return None, None, new


def _switched(
    context: Context, sentence: Sentence, at: int, old: int | None, new: int, last: int
) -> list[Draft]:
    """Reads "switched from A to B" of something nobody named: A ends, whatever it was."""
    if context.reading.forms[at] in _MOVES:
        return []
    begun = _thing(context, sentence, new + 1, last)
    if begun is None:
        return []
    made = []
    gone = _thing(context, sentence, old + 1, new) if old is not None else None
    place = (context.reading.starts[at], context.reading.ends[at])
    words = context.reading.words(at, at + 1)
    known = _known(context, gone.key if gone else "")
    if known is not None:
        draft = of(known[0], words, place, begun)
        draft.subject, draft.changes = known[1], True
        made.append(draft)
    elif gone is not None and "tool" in context.lexicon.table.parameters:
        draft = of(context.lexicon.table.parameters["tool"], words, place, begun)
        draft.changes = True
        made.append(draft)
    if gone is not None:
        key = known[0].key if known else ""
        made.append(Draft(key, words, place, known[1] if known else None, gone, FactRole.ENDS))
        made[-1].changes = True
    return made


def _thing(context: Context, sentence: Sentence, first: int, last: int) -> Phrase | None:
    tool = context.lexicon.table.parameters.get("tool")
    if tool is None or first >= last:
        return None
    return name(context, sentence, tool, first, last) or text(context, sentence, first, last)


def _known(context: Context, key: str) -> tuple[Parameter, Phrase | None] | None:
    """The parameter and subject that had this value just before, if anybody said so."""
    for fact in reversed(context.setting.earlier):
        if key and fact.value_key == key and fact.role is FactRole.STATES:
            parameter = context.lexicon.table.parameters.get(fact.parameter_key)
            if parameter is not None:
                return parameter, Phrase(-1, -1, fact.subject_key, 0)
    return None


def instead(context: Context, sentence: Sentence, at: int, told: list[Draft]) -> list[Draft]:
    """Reads "uses B instead of A": B is stated by its own rule, A ends with the same parameter."""
    reading, forms = context.reading, context.reading.forms
    first = at + 1
    if first < sentence.last and forms[first] in ("of", "than"):
        first += 1
    elif forms[at] != "вместо":
        return []
    if first >= sentence.last:
        return []
    gone = _thing(context, sentence, first, sentence.last)
    near = [d for d in told if d.role is FactRole.STATES]
    if gone is None or not near:
        return []
    place = gone.start
    draft = min(near, key=lambda d: abs(d.value.start - place))
    parameter = context.lexicon.table.parameters.get(draft.parameter_key)
    if parameter is not None and parameter.value_type is not ValueType.TEXT:
        gone = value(context, sentence, parameter, first, sentence.last) or gone
    if gone.key == draft.value.key or reading.starts[at] < draft.place[0] - 200:
        return []
    draft.changes = True
    over = ended(draft, gone)
    over.cardinality = Cardinality.UNKNOWN
    return [over]
