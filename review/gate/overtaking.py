"""Settles, for one question, what columns cannot: which answer in free text is the present one.

"I have tried three Korean restaurants" and, later, "four": no parameter of the table has a name
for that, but the question has. Candidates that give different values for what is asked compete;
for CURRENT only the latest stands, and for CHANGE they are the chain. The store knows nothing of
it: their status does not change, and the reason names the cell that stands instead.

Source: ours, ``docs/decisions/0011-answers-in-free-text.md``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from review import instants
from review.answer import overtaken
from review.facts.words import folded
from review.gate import weighing
from review.gate.candidates import Relevance
from review.gate.framing import Frame
from review.gate.numbers import Bar
from review.gate.weighing import Weighed
from review.memory.columns import Bools
from review.memory.conversations import talk
from review.memory.knowing import Known
from review.question.intents import IntentKind, SubQuestion

_READ: Final = 30
"""Candidates whose words are compared at most."""

_LONGEST: Final = 4_000
"""Characters of a claim that are read for an answer."""


def settled(
    sub: SubQuestion, weighed: Weighed, frame: Frame, known: Known, found: Relevance
) -> Weighed:
    """The verdicts after candidates that answer the same were put in order of time.

    Args:
        sub: The question.
        weighed: Verdicts by columns alone.
        frame: What the question brings.
        known: What it was weighed against.
        found: ζ of all cells.
    """
    if not weighed.scored or overtaken.asked_kind(sub.text) is None:
        return weighed
    if frame.intent.kind is IntentKind.CURRENT:
        return _current(sub, weighed, known)
    if frame.intent.before_current and not found.stated.any():
        return _before(sub, weighed, frame, known, found)
    return weighed


def chained(
    sub: SubQuestion, weighed: Weighed, frame: Frame, known: Known, found: Relevance
) -> Weighed:
    """The verdicts on a CHANGE question, once it is known which cells are versions of its answer.

    They are weighed anew, so this comes before anything is withheld for another reason.
    """
    if not weighed.scored:
        return weighed
    chain = _chain(sub, overtaken.asked_kind(sub.text), weighed, found)
    return weighing.weigh(frame, known, found, chain)


def _readable(weighed: Weighed) -> list[int]:
    """Places of candidates that may compete: admitted so far, and not immutable."""
    return [n for n, one in enumerate(weighed.scored) if one.admitted][:_READ]


def _current(sub: SubQuestion, weighed: Weighed, known: Known) -> Weighed:
    places = _readable(weighed)
    claims = [weighed.scored[n].claim[:_LONGEST] for n in places]
    order = [_order(weighed.rows[n], known) for n in places]
    told = list(weighed.scored)
    guards = known.cells.guards
    outdone = overtaken.outdone(sub.text, claims, order)
    if not outdone:
        return weighed
    talks = [talk(known.cells.scopes[known.cells.scope[weighed.rows[n]]]) for n in places]
    for one in (*outdone, *_leaning(outdone, claims, order, talks)):
        n, by = places[one.row], places[one.by]
        if guards[weighed.rows[n]]:
            continue  # what is immutable is withheld by nothing that was only found
        told[n] = weighing.withheld(
            told[n], Bar.OUTDONE, by=told[by].item, older=one.older.value, newer=one.newer.value
        )
    return replace(weighed, scored=tuple(told))


def _leaning(
    outdone: Sequence[overtaken.Outdone],
    claims: Sequence[str],
    order: Sequence[int | None],
    talks: Sequence[str],
) -> list[overtaken.Outdone]:
    """What else of the same conversation names the answer that no longer stands.

    "I'll draw up the papers for Orion" leans on "we go with Orion", and falls with it.
    """
    told: dict[int, overtaken.Outdone] = {}
    gone = {one.row for one in outdone}
    for one in outdone:
        older, newer, end = folded(one.older.value), folded(one.newer.value), order[one.by]
        if not talks[one.row] or not any(map(str.isalpha, older)) or end is None:
            continue
        for n, claim in enumerate(claims):
            start = order[n]
            if n in gone or talks[n] != talks[one.row] or start is None or start >= end:
                continue
            text = folded(claim)
            if re.search(rf"(?<!\w){re.escape(older)}(?!\w)", text) and newer not in text:
                told[n] = replace(one, row=n)
    return list(told.values())


def _order(row: int, known: Known) -> int | None:
    start = int(known.cells.start[row])
    return None if start == instants.ALWAYS else start


def _chain(
    sub: SubQuestion,
    kind: overtaken.AskedKind | None,
    weighed: Weighed,
    found: Relevance,
) -> Bools:
    """Cells that state what is asked, and candidates that give a value for it in their words.

    Where neither is found, everything about the question is its chain: withholding a version is
    worse than handing over a neighbour.
    """
    chain = found.stated.copy()
    about = [n for n, one in enumerate(weighed.scored) if Bar.NOT_RELEVANT not in one.bars]
    claims = [weighed.scored[n].claim[:_LONGEST] for n in about[:_READ]]
    told = overtaken.given(sub.text, kind, claims) if kind is not None else []
    for n, given in zip(about, told, strict=False):
        if given is not None:
            chain[weighed.rows[n]] = True
    if not chain.any():
        chain[[weighed.rows[n] for n in about]] = True
    return chain


def _before(
    sub: SubQuestion, weighed: Weighed, frame: Frame, known: Known, found: Relevance
) -> Weighed:
    """HISTORY "before": the latest that answers is the present version; it did not hold then."""
    places = _readable(weighed)
    claims = [weighed.scored[n].claim[:_LONGEST] for n in places]
    order = [_order(weighed.rows[n], known) for n in places]
    newest = {one.by for one in overtaken.outdone(sub.text, claims, order)}
    if not newest:
        return weighed
    begin = max(int(known.cells.start[weighed.rows[places[n]]]) for n in newest)
    told = list(weighed.scored)
    for n in places:
        row = weighed.rows[n]
        if known.cells.start[row] >= begin:
            told[n] = weighing.withheld(
                told[n],
                Bar.DID_NOT_HOLD,
                begins=instants.day(int(known.cells.start[row])),
                ends=instants.day(int(known.life.ends[row])),
            )
    return replace(weighed, scored=tuple(told))
