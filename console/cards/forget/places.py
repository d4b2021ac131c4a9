"""A place that holds or held copies, in one line: what it is, what is so there, until when."""

from __future__ import annotations

from typing import Final

from console.words import Say
from review.forget.locations import TYPED, Location
from review.forget.sentences import REASONS, STEPS, counted
from review.forget.statuses import LocationKind
from review.text.visible import escape_line

KEPT: Final = ("skeleton", "guard")
"""What stays in the log after every request, so that it verifies and nothing comes back."""

UNSEEN: Final = ("memory", "disk", "screens", "models", "git", "copies")
"""Places that nobody here can look into; every report lists them."""

_BY_ID: Final = (LocationKind.BACKUP, LocationKind.EXPORT)


def line(say: Say, one: Location) -> str:
    """One place, for a text element."""
    if one.location_id == TYPED:
        return counted("typed", one.items, say.lang)
    head = say.plain(f"forget.place.{one.kind}")
    parts = [f"{head} {named(one)}".strip()]
    if one.items:
        parts.append(say.plain("forget.items", n=one.items))
    if one.delete_by:
        parts.append(say.plain("forget.delete_by", day=one.delete_by))
    if one.recipient and one.recipient not in parts[0]:
        parts.append(say.plain("forget.recipient", who=escape_line(one.recipient)))
    return " · ".join(parts)


def reason(say: Say, code: str) -> str:
    """Why something may be left, in a sentence."""
    return REASONS[say.lang].get(code, escape_line(code))


def step(say: Say, code: str) -> str:
    """What to do about it, in a sentence; empty where there is nothing to do."""
    return STEPS[say.lang].get(code, "")


def is_always(one: Location) -> bool:
    """Whether every report lists it, whatever was asked for."""
    return one.location_id.startswith("always:")


def named(one: Location) -> str:
    """What tells it from others of its kind: its path in the workspace, or its id."""
    _, _, rest = one.location_id.partition(":")
    own = one.kind in _BY_ID and rest
    return escape_line(own or one.path_hint or rest)
