"""A parser that asks a model, and the grammar wherever the model gives nothing.

Source: the gate's specification, section 1: two parsers behind one protocol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from review.facts.keying import Keys
from review.facts.parameters import Table
from review.facts.protocol import ClaimFacts, Parser, QuestionFacts, Setting
from review.proposals import prompts, reading, requests
from review.proposals.jobs import Job, Outcome
from review.proposals.protocol import ModelError, Request
from review.proposals.shapes import ClaimTold, QuestionTold


class Told(Protocol):
    """Answers a request with a reply in its shape, and what became of it."""

    def __call__(self, request: Request) -> tuple[Outcome, Any]:
        """The outcome, and the reply if it is one.

        Raises:
            ModelError: If there is no reply.
        """


class ModelParser:
    """Reads facts through a model. See :class:`review.facts.protocol.Parser`."""

    def __init__(self, model: str, told: Told, grammar: Parser, table: Table) -> None:
        """``told`` answers requests for ``model``; ``grammar`` reads what it does not."""
        self.name = f"model/{model}"
        self.fallen_back: Counter[str] = Counter()
        """How many texts the grammar read instead, by failure or outcome."""

        self.dropped = 0
        """Facts that a reply told and the text does not bear out."""

        self._model, self._told, self._grammar, self._table = model, told, grammar, table
        self._keys = Keys(table)

    def claim(self, text: str, setting: Setting) -> ClaimFacts:
        """The facts of a claim as the model tells them; as the grammar does if it tells none."""
        told = self._asked(lambda: requests.claim(self._model, text, setting, self._table))
        if not isinstance(told, ClaimTold):
            return self._grammar.claim(text, setting)
        read = reading.claim(text, told, setting, self._keys, self._reader(Job.CLAIM))
        self.dropped += read.dropped
        return read.facts

    def question(self, text: str, setting: Setting) -> QuestionFacts:
        """What a question states and asks for, in the same way."""
        told = self._asked(lambda: requests.question(self._model, text, setting, self._table))
        if not isinstance(told, QuestionTold):
            return self._grammar.question(text, setting)
        read, dropped = reading.question(
            text, told, setting, self._keys, self._reader(Job.QUESTION)
        )
        self.dropped += dropped
        return read

    def _reader(self, job: Job) -> str:
        return f"{self.name}/{prompts.version(job)}"

    def _asked(self, made: Callable[[], Request]) -> Any:  # noqa: ANN401 - one of several shapes
        try:
            outcome, told = self._told(made())
        except ModelError as error:
            self.fallen_back[error.failure] += 1
            return None
        if told is None:
            self.fallen_back[outcome] += 1
        return told
