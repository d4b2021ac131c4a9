"""The baselines of MemTrim that need a model: it follows the question, or answers before it looks.

They are given what was admitted, untrimmed, and their answers are recorded like any reply. Nothing
serves them.

Source: the gate's specification, section 3 (baselines for MemTrim); the wording is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from review.proposals import requests
from review.proposals.protocol import Request
from review.proposals.requests import Quoted
from review.proposals.shapes import AnswerTold
from review.trimming.trim import Admitted

Told = Callable[[Request], AnswerTold | None]
"""Answers a request; None when the reply is no proposal."""


class Way(StrEnum):
    """How the model is asked."""

    CURRENT_CONTEXT = "current_context"
    ANSWER_FIRST = "answer_first"


def answer(
    way: Way, model: str, question: str, admitted: Sequence[Admitted], told: Told
) -> AnswerTold | None:
    """A model's answer to a question with memory beside it.

    Args:
        way: How it is asked; ``ANSWER_FIRST`` takes two requests.
        model: Which one.
        question: As asked.
        admitted: Cells that passed the gate.
        told: Answers requests.

    Raises:
        review.proposals.protocol.ModelError: If there is no reply.
    """
    memory = [_quoted(cell) for cell in admitted]
    if way is Way.CURRENT_CONTEXT:
        return told(requests.current_context(model, question, memory))
    first = told(requests.answer_first(model, question))
    if first is None:
        return None
    return told(requests.then_look(model, question, first.answer, memory))


def _quoted(cell: Admitted) -> Quoted:
    about: dict[str, Any] = dict(cell.provenance)
    return Quoted(
        cell.claim,
        str(about.get("source_type", "")),
        str(about.get("written_at", "")),
        cell.kind,
    )
