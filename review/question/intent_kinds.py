"""What a question's time frame is, as values; ``review.question.intents`` reads it from words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from store.cells import Span


class IntentKind(StrEnum):
    """What time frame a question has."""

    CURRENT = "CURRENT"
    HISTORY = "HISTORY"
    CHANGE = "CHANGE"


@dataclass(frozen=True, slots=True)
class Intent:
    """A question's time frame, resolved against the moment of asking. All times are aware.

    For CURRENT, ``target`` is the moment asked about and ``[start, end)`` the period it was taken
    from, if a period was named. For HISTORY and CHANGE ``[start, end)`` is the asked interval; a
    ``None`` bound is open.
    """

    kind: IntentKind
    target: datetime
    start: datetime | None = None
    end: datetime | None = None
    before_current: bool = False
    """HISTORY: only what held before the present version began ("before the move")."""

    cue: str = ""
    """The words that decided, for the reason; empty when there was no marker."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One question of possibly several in a message, ``span`` in characters of the message."""

    text: str
    span: Span
    intent: Intent


def reframed(sub: SubQuestion, kind: IntentKind, asked_at: datetime) -> SubQuestion:
    """The same question in another time frame, for a "what if": now, before it, or until now."""
    intent = sub.intent
    if intent.kind is kind:
        return sub
    now = kind is IntentKind.CURRENT
    told = Intent(
        kind,
        target=intent.target if now else asked_at,
        end=None if now else asked_at,
        before_current=kind is IntentKind.HISTORY,
        cue=intent.cue,
    )
    return replace(sub, intent=told)
