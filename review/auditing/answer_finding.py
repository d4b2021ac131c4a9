"""From pasted words to the answers they are: by id, by exact text, by look, by shared words.

When no answer is known, the cells are told whose words or values stand in what was pasted. That
is not the same: such an answer was not recorded here, and memory may have had no part in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Final

import numpy as np
import pandas as pd

from review import named_cells
from review.auditing import answers
from review.auditing.answers import Answer, NoSuchAnswerError
from review.auditing.reported import trace_key
from review.memory.knowing import Known
from review.named_cells import NamedCell, stands_in
from review.staged.manifests import look_of
from store import read_queries
from store.cells import FactRole
from store.log import Store

SHOWN: Final = 25
"""Answers that are told at most."""

CELLS: Final = 12
"""Cells that are told at most when no answer is known."""

LEAST_SHARE: Final = 0.75
"""Of the telling words of what was pasted, how many an answer must hold to look like it."""

_TELLING: Final = 12
_WORD: Final = 4
"""Letters of a word that tells something; in a text without any, every word counts."""

_LOOKED: Final = 200
_LONG_ENOUGH: Final = 12


class How(StrEnum):
    """How an answer was found, the surest first."""

    ID = "id"
    """Its own id, its run's, or that of the trace."""

    EXACT = "exact"
    """The very text."""

    LOOK = "look"
    """The same but for case, punctuation and spacing."""

    PART = "part"
    """One of them stands in the other."""

    WORDS = "words"
    """Most of the words."""


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and how it was found."""

    answer: Answer
    how: How
    in_question: bool = False
    """Whether what was pasted is the question and not the answer."""


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell whose words or values stand in what was pasted."""

    cell: NamedCell
    durable: bool
    values: tuple[str, ...]
    """Values of its facts that stand there; empty when its whole claim does. Foreign text."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of what was pasted."""

    found: tuple[Found, ...]
    cells: tuple[FoundCell, ...] = ()
    """Only when no answer was found: not recorded here."""

    known: int = 0
    """How many answers were looked at."""

    since: str = ""


def find(store: Store, text: str, known: Known) -> Findings:
    """The answers that ``text`` is, names or looks like; else the cells that stand in it.

    Args:
        store: Where.
        text: What was pasted.
        known: Durable cells, for when no answer is known.
    """
    wanted = text.strip()
    count, since = answers.total(store)
    if not wanted:
        return Findings((), known=count, since=since)
    found = _by_id(store, wanted) or _by_words(store, wanted)
    cells = () if found else tuple(standing_in(store, wanted, known))
    return Findings(tuple(found[:SHOWN]), cells, count, since)


def standing_in(store: Store, text: str, known: Known) -> list[FoundCell]:
    """Cells whose claim or whose facts' values stand in ``text``, the likest first."""
    indexed, scores = known.index.similarity(text)
    which, rows = known.with_words(indexed)
    best = rows[np.argsort(-scores[which], kind="stable")][:_LOOKED]
    items, durable = known.cells.text("item"), known.cells.durable
    told = named_cells.cells(
        store, [(str(items[row]), int(known.cells.text("rev")[row])) for row in best]
    )
    found = []
    for row in best:
        cell = told.get((str(items[row]), int(known.cells.text("rev")[row])))
        if cell is None or cell.claim is None:
            continue
        stated = (fact.value for fact in cell.facts if fact.role is FactRole.STATES)
        values = tuple(dict.fromkeys(value for value in stated if stands_in(value, text)))
        whole = stands_in(cell.claim, text, least=_LONG_ENOUGH)
        if whole or values:
            found.append(FoundCell(cell, bool(durable[row]), () if whole else values))
    found.sort(key=lambda one: bool(one.values))  # whole claims first, in the order of likeness
    return found[:CELLS]


def _by_id(store: Store, wanted: str) -> list[Found]:
    if len(wanted) > answers.LONGEST_ID or len(wanted.split()) > 1:
        return []
    try:
        return [Found(answers.one(store, wanted), How.ID)]
    except NoSuchAnswerError:
        pass
    trace, named = trace_key(store, wanted), wanted.casefold()
    query = read_queries.answers(["trace"])
    rows = store.rows(query, trace=trace, named=named, limit=SHOWN, offset=0)
    return [Found(one, How.ID) for one in answers.opened(store, rows)]


def _by_words(store: Store, wanted: str) -> list[Found]:
    words = _telling(wanted)
    if not words:
        return []
    table = pd.DataFrame({"word": pd.Series(words, dtype="str")})
    least = max(1, ceil(LEAST_SHARE * len(words)))
    rows = store.rows(read_queries.SOUNDING_LIKE, {"wanted": table}, least=least, limit=_LOOKED)
    judged = (_judged(one, wanted, words) for one in answers.opened(store, rows))
    found = [one for one in judged if one is not None]
    order = {how: place for place, how in enumerate(How)}
    found.sort(key=lambda one: (order[one.how], one.in_question, -one.answer.seq))
    if found and found[0].how is not How.WORDS:
        return [one for one in found if one.how is not How.WORDS]
    return found


def _judged(answer: Answer, wanted: str, words: Iterable[str]) -> Found | None:
    told = [_likeness(text, wanted, words) for text in (answer.said, answer.question)]
    order = {how: place for place, how in enumerate(How)}
    best = min((how for how in told if how is not None), key=order.__getitem__, default=None)
    return None if best is None else Found(answer, best, in_question=told[0] is not best)


def _likeness(text: str | None, wanted: str, words: Iterable[str]) -> How | None:
    if not text:
        return None
    if text.strip() == wanted:
        return How.EXACT
    one, other = look_of(text).decode("utf-8"), look_of(wanted).decode("utf-8")
    if one == other:
        return How.LOOK
    short, long = sorted((one, other), key=len)
    if len(short) >= _LONG_ENOUGH and f" {short} " in f" {long} ":
        return How.PART
    told = set(one.split())
    met = sum(any(word in held for held in told) for word in words)
    return How.WORDS if met >= LEAST_SHARE * len(list(words)) else None


def _telling(text: str) -> list[str]:
    """The longest words of a text, which tell most; at most twelve."""
    told = dict.fromkeys(look_of(text).decode("utf-8").split())
    words = [word for word in told if len(word) >= _WORD] or list(told)
    return sorted(words, key=lambda word: (-len(word), word))[:_TELLING]
