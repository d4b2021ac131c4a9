"""Where a cell stands, and which decisions may move it. Stage is derived, never stored as truth.

The table is the whole rule: a decision that is not in it for the present stage is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Stage(StrEnum):
    """Derived from the decisions that stand over a cell's exact digest."""

    STAGED = "staged"
    DURABLE = "durable"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    ERASED = "erased"


class DecisionKind(StrEnum):
    """What a person can decide about one exact artifact."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    """A new item, written by the person, takes this one's place in the queue."""

    DEFER = "defer"
    WITHDRAW = "withdraw"
    """Takes back the decision that stands; the cell waits again."""


class RejectReason(StrEnum):
    """Why a record was rejected. A rejection without a reason is not evidence."""

    WRONG = "wrong"
    TRUE_ONLY_HERE = "true_only_here"
    SENSITIVE = "sensitive"
    DUPLICATE = "duplicate"
    STYLE_ONLY = "style_only"
    NO_LATER_USE = "no_later_use"
    NO_OWNER = "no_owner"
    UNSURE_IN_THREE_WEEKS = "unsure_in_three_weeks"


_OPEN: Final = frozenset({Stage.STAGED, Stage.DEFERRED})

MOVES: Final[dict[DecisionKind, tuple[frozenset[Stage], Stage]]] = {
    DecisionKind.APPROVE: (_OPEN, Stage.DURABLE),
    DecisionKind.REJECT: (_OPEN, Stage.REJECTED),
    DecisionKind.EDIT: (_OPEN, Stage.REJECTED),
    DecisionKind.DEFER: (_OPEN, Stage.DEFERRED),
    DecisionKind.WITHDRAW: (frozenset({Stage.DURABLE, Stage.REJECTED}), Stage.STAGED),
}


@dataclass(frozen=True, slots=True)
class Stands:
    """Where one item stands, by which statement."""

    rev: int
    artifact: str
    stage: Stage
    by: str
    signed_at: str
    statement: str
    count: int
    """How many decisions were ever accepted for this item and revision."""


ArtifactsOf = Callable[[Iterable[tuple[str, int]]], Mapping[tuple[str, int], str]]
"""Digests of the artifacts staged as some (item, revision), all at once; one that is not there is
absent."""


class IllegalMoveError(ValueError):
    """A decision does not fit the stage that its cell is in."""

    def __init__(self, item: str, decision: DecisionKind, stage: Stage | None) -> None:
        """Keep the parts, so that a caller never parses the sentence."""
        self.item, self.decision, self.stage = item, decision, stage
        needs = " or ".join(sorted(MOVES[decision][0]))
        now = "not in the store" if stage is None else f"{stage} now"
        super().__init__(
            f"cannot record {decision} for item {item}: it is {now}, and this decision needs it "
            f"to be {needs}. Nothing was saved. Reload; somebody may have decided first."
        )


def advance(item: str, stage: Stage | None, decision: DecisionKind) -> Stage:
    """The stage of ``item`` after ``decision``.

    Raises:
        IllegalMoveError: If the decision cannot follow ``stage``.
    """
    allowed, target = MOVES[decision]
    if stage is None or stage not in allowed:
        raise IllegalMoveError(item, decision, stage)
    return target
