"""How one trimmed cell is told: whole, with repeated words masked, or by its remaining facts.

A text that is handed over never carries a withheld value: not as written, and not in another
writing of the same value. What was left out because it does not fit the question takes the rest of
the claim with it, since other sentences may build on it; what merely repeats is masked. A dropped
conclusion goes with its claim, a demoted one is masked there and told as a reference.

Source: the gate's specification, section 4, for what is withheld; how the rest is told is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from review.facts import values
from review.facts.words import folded
from review.question.tasks import content
from review.trimming.fate import Fate
from review.trimming.trim import CellTrim, Held
from store.cells import Fact

MASK: Final = "[…]"
"""Stands for words that repeat the question, another memory, or a conclusion told apart."""

_HARMLESS: Final = frozenset({Held.SHARED, Held.REPEATED})


class Manner(StrEnum):
    """How a cell is told."""

    WHOLE = "whole"
    NO_FACTS = "no_facts"
    """Whole, and nothing in it was read as a fact, so nothing in it was compared."""

    MASKED = "masked"
    FACTS = "facts"
    SHORTENED = "shortened"
    """As a baseline cut it."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of one cell that are handed over."""

    manner: Manner
    texts: tuple[str, ...]
    facts: tuple[Fact, ...]


def telling(cell: CellTrim, question: str) -> Telling | None:
    """What is handed over of a cell, or ``None`` when nothing is left of it.

    Args:
        cell: The trimmed cell.
        question: The question; words that only repeat it are nothing to hand over.
    """
    told = _told(cell, question)
    if told is None or not cell.cell.over or told.manner is Manner.SHORTENED:
        return told
    texts = tuple(_without(text, cell.cell.over) for text in told.texts)
    facts = tuple(one for one in told.facts if any(one.value in text for text in texts))
    manner = Manner.MASKED if told.manner is Manner.WHOLE else told.manner
    return replace(told, manner=manner, texts=texts, facts=facts)


def _without(text: str, over: Sequence[str]) -> str:
    """``text`` without the parts that are over."""
    for part in sorted(over, key=len, reverse=True):
        text = text.replace(part, MASK)
    return text


def _told(cell: CellTrim, question: str) -> Telling | None:
    claim, given = cell.cell.claim, cell.given
    if cell.shortened is not None:
        return Telling(Manner.SHORTENED, (cell.shortened,), ())
    concluded = _concluded(cell)
    withheld = tuple(one.fact for one in cell.withheld)
    if not withheld and not concluded:
        return Telling(Manner.WHOLE if cell.facts else Manner.NO_FACTS, (claim,), given)
    if cell.fate is not Fate.DROPPED and all(one.held in _HARMLESS for one in cell.withheld):
        masked = _masked(claim, withheld, concluded)
        if masked is not None and (given or _says_more(masked, cell, question)):
            return Telling(Manner.MASKED, (masked,), given)
    texts = tuple(dict.fromkeys(_clauses(claim, given, withheld, concluded)))
    return Telling(Manner.FACTS, texts, given) if given else None


def carries(text: str, fact: Fact) -> bool:
    """Whether ``text`` holds the value of ``fact``, in any writing that we know of."""
    if not fact.value:
        return False
    if re.search(rf"(?<!\w){re.escape(folded(fact.value))}(?!\w)", folded(text)):
        return True
    if not fact.value_key:
        return False
    if any(found.key == fact.value_key for found in values.find(text)):
        return True
    return f" {fact.value_key} " in f" {values.name_key(text)} "


def _concluded(cell: CellTrim) -> str:
    """The conclusion's text when the claim holds it and it is not kept."""
    conclusion = cell.cell.conclusion
    if conclusion is None or cell.fate is Fate.KEPT or not conclusion.text:
        return ""
    return conclusion.text if conclusion.text in cell.cell.claim else ""


def _masked(claim: str, withheld: Sequence[Fact], concluded: str) -> str | None:
    """The claim without the withheld words; ``None`` when a withheld value would still show."""
    text = claim.replace(concluded, MASK) if concluded else claim
    for value in sorted({fact.value for fact in withheld}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", MASK, text, flags=re.IGNORECASE)
    return None if any(carries(text, fact) for fact in withheld) else text


def _says_more(masked: str, cell: CellTrim, question: str) -> bool:
    """Whether words are left that neither the question nor a withheld fact has."""
    known = content(question)
    for one in cell.withheld:
        for words in (one.fact.subject, one.fact.parameter, one.fact.parameter_key):
            known |= content(words.replace("_", " "))
    return bool(content(masked) - known)


def _clauses(
    claim: str, given: Sequence[Fact], withheld: Sequence[Fact], concluded: str
) -> Iterator[str]:
    """The clauses that the remaining facts were read from, where they are clean."""
    for fact in given:
        clause = claim[fact.span.start : fact.span.end]
        if concluded and concluded in clause and concluded != fact.value:
            continue
        if not any(carries(clause, other) for other in withheld):
            yield clause
