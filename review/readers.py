"""Who reads through a door, and what of: from its configuration, never from what it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from review import read_rules
from review.memory import lineage
from review.read_rules import Purpose
from review.recall import Question


@dataclass(frozen=True, slots=True)
class Reader:
    """One agent's limits."""

    purpose: Purpose
    kinds: frozenset[str] | None = None
    """The only kinds it may read; None for all that its purpose allows."""

    scope: Mapping[str, str] = field(default_factory=dict)
    """Whose session it is: user, run, project."""

    def question(self, text: str, asked_at: datetime | None) -> Question:
        """What it asks, inside its limits."""
        return Question(
            text,
            asked_at=asked_at,
            scope=dict(self.scope),
            purpose=self.purpose,
            kinds=self.kinds,
        )

    def may_read(self, kind: str, scope: frozenset[tuple[str, str]]) -> bool:
        """Whether a cell of ``kind`` and ``scope`` is there for it at all."""
        mine = frozenset(self.scope.items())
        return (
            (self.kinds is None or kind in self.kinds)
            and lineage.meets(scope, mine)
            and read_rules.readable(kind, self.purpose, scope, mine)
        )
