"""What a parser promises: facts with spans out of claims, and what a question asks for.

The grammar is one parser; a model can be another. Neither is believed: a fact whose span does not
hold its value is dropped and counted, whoever read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from store.cells import Cardinality, Fact, Interval, Span


class ValueType(StrEnum):
    """What sort of value a parameter has; it decides the normal form."""

    NAME = "name"
    NUMBER = "number"
    """A number, with a unit or without: ``45 RUB/unit`` is money, ``6 months`` a duration."""

    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    ENUM = "enum"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a parser may know beside the text. Nothing else: parsing is a pure function."""

    written_at: datetime | None = None
    """When it was said, timezone-aware; relative dates are resolved against it."""

    speaker: str = ""
    """Whom "I" and "we" mean, such as a scope's user. Empty when nobody is named."""

    scope: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[Fact, ...] = ()
    """Facts read just before in the same conversation, oldest first, for "make that $75,000"."""


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """What was read from one claim."""

    facts: tuple[Fact, ...]
    valid: Interval = Interval()
    """World time that the words themselves give ("from 1 March 2026"), if they do."""

    refused: int = 0
    """Facts that were dropped because their span did not hold their value."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a question asks for."""

    parameter_key: str
    """Canonical parameter, or an open one. Empty when only a sort of value is asked for."""

    subject_key: str = ""
    """Whose parameter; empty when the question names nobody ("which carrier do we use")."""

    value_type: ValueType = ValueType.TEXT
    cardinality: Cardinality = Cardinality.UNKNOWN
    """``one`` when the question expects a single answer."""

    span: Span = Span(0, 0)
    words: str = ""
    """As asked, for people: "carrier"."""


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """What was read from one question."""

    facts: tuple[Fact, ...] = ()
    """What it states itself: "for the shop in Kazan, winter, delivery"."""

    asked: tuple[Asked, ...] = ()
    entities: tuple[str, ...] = ()
    """Keys of the things it names."""

    task: str = ""
    """Signature of what is to be done, comparable with a conclusion's."""


class Parser(Protocol):
    """Reads facts. The same text in the same setting gives the same facts."""

    name: str
    """With its version, as it is recorded beside each fact: ``grammar/1``."""

    def claim(self, text: str, setting: Setting) -> ClaimFacts:
        """The facts of a claim."""

    def question(self, text: str, setting: Setting) -> QuestionFacts:
        """What a question states and asks for."""


def supported(text: str, facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], int]:
    """The facts whose span lies in ``text`` and holds their value, and how many do not."""
    told = tuple(facts)
    kept = tuple(
        fact
        for fact in told
        if 0 <= fact.span.start < fact.span.end <= len(text)
        and fact.value
        and fact.value in text[fact.span.start : fact.span.end]
    )
    return kept, len(told) - len(kept)
