"""Thumbs that a person gave to ChatGPT's messages: rows of ``message_feedback.json``.

A thumb is a weak decision: it says that a message was good or bad, of which of its claims it does
not say. Rows stand in a file of their own, or in one list with the conversations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject, parse
from store.records import FailReason, RemarkCode
from store.trajectories import HumanDecision, Verdict

_RATINGS: Final = {
    "thumbsup": Verdict.ACCEPT,
    "thumbsdown": Verdict.REJECT,
    "up": Verdict.ACCEPT,
    "down": Verdict.REJECT,
}


def is_row(keys: Mapping[str, object] | frozenset[str]) -> bool:
    """Whether a record with these keys is a row of feedback."""
    return "rating" in keys and "conversation_id" in keys and "mapping" not in keys


class Feedback:
    """Every thumb of a source, by conversation and message."""

    def __init__(self) -> None:
        """Begin with none."""
        self._given: dict[tuple[str, str], HumanDecision] = {}
        self._used: set[tuple[str, str]] = set()
        self.remarks: set[RemarkCode] = set()

    def __len__(self) -> int:
        return len(self._given)

    @property
    def unused(self) -> int:
        """How many name a message that no conversation of the source has."""
        return len(self._given.keys() - self._used)

    def add(self, row: JsonObject) -> None:
        """Keep what a row says.

        Raises:
            RecordFaultError: If the row names no message or no rating that is known.
        """
        chat = fields.needed(row, "conversation_id")
        message = fields.text(row, "message_id") or fields.needed(row, "id")
        verdict = _RATINGS.get(fields.needed(row, "rating").lower().replace("_", ""))
        if verdict is None:
            raise RecordFaultError(FailReason.FIELD_INVALID, name="rating")
        at = fields.instant(row, "create_time")
        self._given[chat, message] = HumanDecision(
            verdict=verdict,
            step=-1,
            reason=self._reason(row),
            by=fields.text(row, "user_id") or "",
            at=at.text if at else None,
            review_id=f"chatgpt:feedback/{fields.text(row, 'id') or message}",
            weak=True,
        )

    def of(self, chat: str, *messages: str) -> HumanDecision | None:
        """The thumb that a message has, under any of its ids."""
        for one in messages:
            found = self._given.get((chat, one))
            if found is not None:
                self._used.add((chat, one))
                return found
        return None

    def _reason(self, row: JsonObject) -> str | None:
        """What the person wrote, else the reasons that were ticked."""
        told = row.get("content")
        if isinstance(told, str) and told.strip():
            told = parse(told.encode())
            self.remarks.add(RemarkCode.ENCODED_TWICE)
        if not isinstance(told, dict):
            return None
        if written := fields.text(told, "text", called="content"):
            return written
        tags = told.get("tags")
        ticked = [one for one in tags if isinstance(one, str)] if isinstance(tags, list) else []
        return ", ".join(ticked) or None
