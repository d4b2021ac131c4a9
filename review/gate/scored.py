"""What the gate says of one candidate: every number, and each reason as a code with its values.

Codes are turned into sentences where people read them, in their language; see
``review.gate.reasons``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from review.gate.numbers import Bar
from review.memory.validity import Status
from store.cells import Interval


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: a code, and what it tells."""

    code: str
    told: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Freeze what is told."""
        object.__setattr__(self, "told", MappingProxyType(dict(self.told)))


@dataclass(frozen=True, slots=True)
class Scored:
    """One candidate for one question. Numbers are in [0, 1]."""

    item: str
    rev: int
    digest: str
    source_id: str
    """Foreign text."""

    claim: str
    """Foreign text."""

    kind: str
    source_type: str
    would_be: bool
    """A staged cell, looked at as if it were durable. It is never served."""

    status: Status
    zeta: float
    validity: float
    psi: float
    risk: float
    h: bool
    score: float
    """F."""

    theta: float
    admitted: bool
    bars: tuple[Bar, ...]
    """Parts of the hard filter that failed; empty when ``h`` holds."""

    reasons: tuple[Reason, ...]
    valid: Interval
    """Effective interval: the cell's own, closed by superseding or by a fallen premise."""

    since_written: bool
    """The start is not known; it is taken as the time of writing."""

    written_at: str
    path: tuple[str, ...] = ()
    """Items through which it went stale, nearest first."""

    ended: tuple[int, ...] = ()
    """Places of facts of this cell that no longer hold at the asked time."""

    fitted: float | None = None
    """The fitted gate's probability, in (0, 1), where one was fitted."""

    order: float = 0.0
    """Overlapped share of the asked time; orders candidates of equal F."""

    place: tuple[int, int] = (-1, -1)
    """Where the log holds it: the event of its batch, and which item of the batch."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something the question asks for that no admitted cell states."""

    parameter: str
    words: str
    """As it was asked."""

    entity: str
    """For whom or what it is not known, as written; empty when nobody is named."""

    known_by: tuple[str, ...] = ()
    """Items that state it but do not hold at the asked time."""


@dataclass(frozen=True, slots=True)
class Due:
    """A change that is due inside the asked period."""

    item: str
    since: str
    """RFC 3339 or a date."""
