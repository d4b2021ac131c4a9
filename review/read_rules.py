"""Who may read which kind of memory, for what. A kind without a row is read by nobody.

Source: the trust specification, section 7 (read matrix). The policy engine is in no row, because
it has no way to read memory at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review.memory.conversations import TALKS
from store.cells import Kind


class Purpose(StrEnum):
    """What memory is read for."""

    REVIEW = "review"
    """A person looks; every kind with a row is shown."""

    PERSONALISATION = "personalisation"
    TASK = "task"


class Form(StrEnum):
    """How a kind is handed over."""

    CONTENT = "content"
    POINTER = "pointer"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class ReadRule:
    """One row of the matrix."""

    personalisation: bool
    task: Form | None
    same_user: bool = False
    """Only in a session of the same user."""

    same_session: bool = False
    """Only in the session, or run, that it came from."""


_FACT: Final = ReadRule(personalisation=True, task=Form.CONTENT)

RULES: Final = {
    Kind.PROFILE_PREFERENCE: ReadRule(personalisation=True, task=None, same_user=True),
    Kind.VALIDATED_FACT: _FACT,
    Kind.FACT: _FACT,
    Kind.EVENT: _FACT,
    Kind.DECISION: _FACT,
    Kind.PROCEDURE: _FACT,
    Kind.REFERENCE: ReadRule(personalisation=False, task=Form.POINTER),
    Kind.SESSION_SUMMARY: ReadRule(personalisation=False, task=Form.CONTENT, same_session=True),
    Kind.INSIGHT: ReadRule(personalisation=False, task=Form.HINT),
}


def readable(
    kind: str,
    purpose: Purpose,
    scope: frozenset[tuple[str, str]],
    asked: frozenset[tuple[str, str]],
) -> bool:
    """Whether a reader may see a cell.

    Args:
        kind: Of the cell.
        purpose: What the reader reads for.
        scope: The cell's.
        asked: The question's: whose session it is.
    """
    rule = RULES.get(Kind(kind))
    if rule is None:
        return False
    if purpose is Purpose.REVIEW:
        return True
    allowed = rule.personalisation if purpose is Purpose.PERSONALISATION else rule.task is not None
    if not allowed:
        return False
    told, wanted = dict(scope), dict(asked)
    if rule.same_user and told.get("user") != wanted.get("user"):
        return False
    if rule.same_session:
        return any(key in told and told[key] == wanted.get(key) for key in TALKS)
    return True


def form(kind: str) -> Form:
    """How a cell of ``kind`` is handed over: as content, as a pointer, or as a hint."""
    rule = RULES[Kind(kind)]
    return rule.task or Form.CONTENT
