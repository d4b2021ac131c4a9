"""What was recorded of a recall, read back: numbers as they were used, never computed again.

Source: ``review.recording``, which writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from review.gate.numbers import Bar
from review.gate.scored import Due, Reason
from review.question.intents import IntentKind
from review.read_rules import Purpose
from review.recall import Question, Recall
from review.recording import as_value
from review.trimming.fate import Fate
from review.trimming.partition import Group
from review.trimming.trim import Held
from store import canonical


@dataclass(frozen=True, slots=True)
class Score:
    """One candidate as it was scored. Numbers are in [0, 1]."""

    item: str
    rev: int
    digest: str
    status: str
    zeta: float
    validity: float
    psi: float
    risk: float
    h: bool
    score: float
    theta: float
    admitted: bool
    fitted: float | None
    bars: tuple[Bar, ...]
    reasons: tuple[Reason, ...]
    valid: tuple[str | None, str | None]
    path: tuple[str, ...]

    @property
    def parts(self) -> dict[str, float]:
        """The four numbers that F is the mean of, by name, in their order."""
        return {
            "zeta": self.zeta,
            "validity": self.validity,
            "psi": self.psi,
            "safe": 1.0 - self.risk,
        }


@dataclass(frozen=True, slots=True)
class FactTrim:
    """What became of one fact of an admitted cell, by its place in the cell."""

    group: Group
    held: Held | None
    against: str | None
    """The value that the question gives instead. Foreign text."""


@dataclass(frozen=True, slots=True)
class SupportTrim:
    """One fact that an old conclusion rests on, against the question. Keys are foreign text."""

    parameter: str
    value: str
    group: Group


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What became of one admitted cell."""

    item: str
    facts: tuple[FactTrim, ...]
    fate: Fate | None
    because: tuple[tuple[str, str], ...]
    """Parameter and value of the facts that dropped its conclusion."""

    support: tuple[SupportTrim, ...]


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """The record of one sub-question."""

    question: str
    intent: str
    target: str
    start: str | None
    end: str | None
    scored: tuple[Score, ...]
    """Every candidate, best first."""

    excluded: Mapping[str, int]
    gaps: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Parameter, entity, and the items that used to know."""

    due: tuple[Due, ...]
    trimmed: tuple[Trimmed, ...]
    overlap: float | None
    left_out: tuple[str, ...]
    """Admitted cells of which nothing was handed over."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The record of one recall."""

    asked_at: str
    as_of: str | None
    size: int
    question: Question | None
    """What was asked, so that it can be asked again; None in records that do not say."""

    parts: tuple[RecordedPart, ...]
    fetched: tuple[str, ...] = ()
    """Items that were asked for by their ids: nothing was weighed for them."""

    @property
    def text(self) -> str:
        """The question, as it was asked or as it was split."""
        if self.question is not None:
            return self.question.text
        return " ".join(part.question for part in self.parts)


def read(body: bytes) -> Recorded:
    """The record that ``body`` spells.

    Raises:
        store.canonical.NotCanonicalError: If the bytes are not canonical.
    """
    return from_value(canonical.decode(body))


def of(recall: Recall) -> Recorded:
    """A recall in the form in which recorded ones are read, to be compared with them."""
    return from_value(as_value(recall))


def from_value(told: Mapping[str, Any]) -> Recorded:
    """The record behind a JSON value of ``review.recording.as_value``."""
    asked = told.get("asked")
    question = None if asked is None else _question(asked)
    if question is not None:
        question = replace(question, asked_at=datetime.fromisoformat(told["asked_at"]))
    return Recorded(
        asked_at=told["asked_at"],
        as_of=told["as_of"],
        size=int(told["size"]),
        question=question,
        parts=tuple(_part(one) for one in told["parts"]),
        fetched=tuple(str(item) for item, *_ in told.get("fetched", ())),
    )


def _question(told: Mapping[str, Any]) -> Question:
    return Question(
        told["text"],
        scope=dict(told["scope"]),
        purpose=Purpose(told["purpose"]),
        candidates=int(told["candidates"]),
        baseline=told["baseline"],
        strict=bool(told["strict"]),
        theta=None if told["theta"] is None else float(told["theta"]),
        without=frozenset(told["without"]),
        kinds=None if told.get("kinds") is None else frozenset(told["kinds"]),
        about=None if told["about"] is None else IntentKind(told["about"]),
    )


def _part(told: Mapping[str, Any]) -> RecordedPart:
    return RecordedPart(
        question=told["question"],
        intent=told["intent"],
        target=told["target"],
        start=told["start"],
        end=told["end"],
        scored=tuple(_score(one) for one in told["scored"]),
        excluded={str(name): int(count) for name, count in told["excluded"].items()},
        gaps=tuple((one[0], one[1], tuple(one[2])) for one in told["gaps"]),
        due=tuple(Due(*one) for one in told["due"]),
        trimmed=tuple(_trimmed(one) for one in told.get("trim", ())),
        overlap=None if told.get("overlap") is None else float(told["overlap"]),
        left_out=tuple(told.get("left_out", ())),
    )


def _score(told: Mapping[str, Any]) -> Score:
    start, end = told["valid"]
    return Score(
        item=told["item"],
        rev=int(told["rev"]),
        digest=told["digest"],
        status=told["status"],
        zeta=float(told["zeta"]),
        validity=float(told["V"]),
        psi=float(told["psi"]),
        risk=float(told["R"]),
        h=bool(told["h"]),
        score=float(told["F"]),
        theta=float(told["theta"]),
        admitted=bool(told["admitted"]),
        fitted=None if told["fitted"] is None else float(told["fitted"]),
        bars=tuple(Bar(one) for one in told["bars"]),
        reasons=tuple(Reason(code, values) for code, values in told["reasons"]),
        valid=(start, end),
        path=tuple(told["path"]),
    )


def _trimmed(told: Mapping[str, Any]) -> Trimmed:
    return Trimmed(
        item=told["item"],
        facts=tuple(
            FactTrim(Group(group), None if held is None else Held(held), against)
            for group, held, against in told["facts"]
        ),
        fate=None if told["fate"] is None else Fate(told["fate"]),
        because=tuple((parameter, value) for parameter, value in told["because"]),
        support=tuple(SupportTrim(p, v, Group(group)) for p, v, group in told["support"]),
    )
