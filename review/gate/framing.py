"""What a question brings to the gate beside its words: its time frame, its reader, its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from review.question.intents import Intent
from review.read_rules import Purpose

Theta = Callable[[str], float]
"""The threshold for a kind of cell."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a question brings, beside its words."""

    intent: Intent
    asked_at: int
    """Instant of asking."""

    scope: frozenset[tuple[str, str]]
    purpose: Purpose
    floor: float
    """Least ζ of a candidate that is about the question at all."""

    theta: Theta
    most: int
    """Candidates that are weighed at most."""

    kinds: frozenset[str] | None = None
    """The only kinds the reader may be told of; None for all that its purpose allows."""
