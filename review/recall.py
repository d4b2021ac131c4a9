"""Recalls memory for a question: sub-questions, candidates, verdicts, trim, gaps, context.

The pure read path that everybody shares who asks. It decides nothing of its own: each step is a
module, and this one is their order.

Source: the gate's specification, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Final

from review import instants
from review.facts.protocol import Parser, QuestionFacts, Setting
from review.gate import baselines, beside, caveats, gaps, narrowing, overtaking, weighing
from review.gate.candidates import Relevance, relevance
from review.gate.fitted_gate import FittedGate
from review.gate.framing import Frame
from review.gate.gate_fitting import second_opinion
from review.gate.scored import Due, Gap, Scored
from review.gate.weighing import Weighed
from review.memory.knowing import Known
from review.policy import Policy
from review.question.intents import IntentKind, SubQuestion, reframed, sub_questions
from review.read_rules import Purpose
from review.trimming.context import Context
from review.trimming.served import Contents
from review.trimming.serving import TRIMS, serve
from review.trimming.trim import Trim
from store.cells import Kind

CANDIDATES: Final = 50
"""Candidates that are weighed for a sub-question unless told otherwise."""

LONGEST: Final = 20_000
"""Characters of a message that are read; the rest is left out, and said so."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, when, by whom and for what.

    ``as_of`` looks with the store's knowledge of that moment (record time), ``asked_at`` is the
    moment the words refer to; both are timezone-aware, and None is now.
    """

    text: str
    asked_at: datetime | None = None
    as_of: datetime | None = None
    scope: Mapping[str, str] = field(default_factory=dict)
    purpose: Purpose = Purpose.REVIEW
    candidates: int = CANDIDATES
    baseline: str = ""
    """A name of ``review.gate.baselines`` or ``review.trimming.serving``; empty is ours."""

    strict: bool = False
    include_staged: bool = False
    """Also look at what waits, as if it were durable. It is marked, and never served."""

    theta: float | None = None
    """A threshold to try instead of the policy's; nothing is stored of it."""

    without: frozenset[str] = frozenset()
    """Items to leave out, to see what becomes of the answer."""

    kinds: frozenset[str] | None = None
    """The only kinds that the reader may be told of; None for all that the purpose allows."""

    about: IntentKind | None = None
    """A time frame to try instead of the one that its words give."""


@dataclass(frozen=True)
class Part:
    """The answer's memory for one sub-question."""

    sub: SubQuestion
    asked: QuestionFacts
    scored: tuple[Scored, ...]
    """Every candidate, best first, admitted or not."""

    excluded: Mapping[str, int]
    """Relevant cells that the reader was not told of, counted by reason."""

    gaps: tuple[Gap, ...]
    due: tuple[Due, ...]
    trim: Trim
    context: Context

    @property
    def admitted(self) -> tuple[Scored, ...]:
        """The candidates that were admitted, best first."""
        return tuple(one for one in self.scored if one.admitted)


@dataclass(frozen=True)
class Recall:
    """All parts, with the moments they hold for."""

    asked_at: datetime
    as_of: str | None
    size: int
    """Position of the log that was looked at."""

    parts: tuple[Part, ...]
    cut: int = 0
    """Characters of the message that were left out."""

    question: Question | None = None
    """What was asked, so that it can be asked again."""


class Recaller:
    """Recalls under one policy, with one parser."""

    def __init__(
        self,
        policy: Policy,
        parser: Parser,
        contents: Contents,
        fitted: FittedGate | None = None,
    ) -> None:
        """Bind what does not change from question to question."""
        self._fitted = fitted
        self._policy = policy
        self._parser = parser
        self._contents = contents

    def recall(self, question: Question, known: Known, *, asked_at: datetime, size: int) -> Recall:
        """What memory there is for a question.

        Args:
            question: What is asked.
            known: Cells as of the moment of record time that is asked for.
            asked_at: The moment of asking, timezone-aware.
            size: Position of the log that ``known`` was read at.
        """
        text = question.text[:LONGEST]
        subs = sub_questions(text, asked_at=asked_at)
        if question.about is not None:
            subs = tuple(reframed(sub, question.about, asked_at) for sub in subs)
        parts = tuple(self._part(sub, question, known, asked_at) for sub in subs)
        as_of = None if question.as_of is None else question.as_of.isoformat()
        cut = len(question.text) - len(text)
        return Recall(asked_at, as_of, size, parts, cut=cut, question=question)

    def _part(
        self, sub: SubQuestion, question: Question, known: Known, asked_at: datetime
    ) -> Part:
        scope = dict(question.scope)
        setting = Setting(asked_at, scope.get("user", ""), scope)
        asked = self._parser.question(sub.text, setting)
        found = relevance(sub.text, asked, sub.intent.kind, known)
        frame = self._frame(sub, question, asked_at)
        kind, floor = sub.intent.kind, frame.floor
        found = beside.widened(found, kind, scope.items(), known, floor=floor)
        weighed = self._weighed(sub, frame, known, found, question)
        served = serve(
            sub,
            asked,
            weighed.scored,
            self._contents,
            gaps=gaps.gaps(asked, found, known, weighed),
            strict=lambda kind: question.strict or kind in self._policy.strict_kinds,
            baseline=question.baseline,
        )
        return Part(
            sub=sub,
            asked=asked,
            scored=weighed.scored,
            excluded=weighed.excluded,
            gaps=served.gaps,
            due=gaps.due(sub.intent, found, known),
            trim=served.trim,
            context=served.context,
        )

    def _frame(self, sub: SubQuestion, question: Question, asked_at: datetime) -> Frame:
        @cache
        def theta(kind: str) -> float:
            return self._policy.theta_for(Kind(kind)) if question.theta is None else question.theta

        return Frame(
            intent=sub.intent,
            asked_at=instants.of(asked_at),
            scope=frozenset(question.scope.items()),
            purpose=question.purpose,
            floor=self._policy.relevance_floor,
            theta=theta,
            most=max(question.candidates, 1),
            kinds=question.kinds,
        )

    def _weighed(
        self, sub: SubQuestion, frame: Frame, known: Known, found: Relevance, question: Question
    ) -> Weighed:
        weighed = weighing.weigh(frame, known, found)
        if frame.intent.kind is IntentKind.CHANGE:
            weighed = overtaking.chained(sub, weighed, frame, known, found)
        if question.without:
            weighed = weighing.left_out(weighed, question.without)
        if self._fitted is not None:
            decides = self._policy.fitted_decides
            told = (second_opinion(o, self._fitted, decides=decides) for o in weighed.scored)
            weighed = replace(weighed, scored=tuple(told))
        if question.baseline and question.baseline not in TRIMS:
            return baselines.applied(question.baseline, weighed, frame, known)
        weighed = caveats.settled(sub, weighed, frame, known)
        weighed = narrowing.narrowed(weighed, frame, known)
        return overtaking.settled(sub, weighed, frame, known, found)
