"""One value that a claim states, before it is known to be about the thing asked."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from store.cells import Span


@dataclass(frozen=True, slots=True)
class Told:
    """A value as it stands in a claim."""

    key: str
    """Normal form: equal keys are the same value."""

    text: str
    span: Span
    at: int
    """The word of the reading at which the value stands."""

    unit: str = ""
    """What it is measured in or counts; values of different units do not compete."""

    sure: bool = True
    """Whether it stands with the asked noun, not apart from it ("tried four so far")."""

    rank: int = 0
    """Of several values of one claim the lower rank is nearer to what is asked."""

    implied: Set[str] = frozenset()
    """Senses that the value says by itself: pounds say "weight"."""

    presupposed: bool = False
    """Whether it holds even in a wish or a question: "I need more of my favourite, X"."""
