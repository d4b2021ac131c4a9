"""Moments as people read them: absolute with the zone first, then how long ago."""

from __future__ import annotations

from datetime import UTC, datetime

from console.words import Say


def moment(stamp: str) -> str:
    """``2026-03-10 12:00 UTC``, from RFC 3339 with any offset; other words stay as they are."""
    try:
        found = datetime.fromisoformat(stamp)
        if found.tzinfo is None:
            return stamp
        return found.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError):
        return stamp


def ago(stamp: str, now: str, say: Say) -> str:
    """How long ago, in one unit, as plain text."""
    seconds = max(0, int((_read(now) - _read(stamp)).total_seconds()))
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= size:
            return say.plain(f"ago.{unit}", n=seconds // size)
    return say.plain("ago.now")


def elapsed_ms(since: str, now: str) -> float:
    """Milliseconds between two times of the log."""
    return (_read(now) - _read(since)).total_seconds() * 1000


def _read(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp.replace("Z", "+00:00")).astimezone(UTC)
