"""Calls of tools and their results, joined by the call's id wherever the result stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from importers import call_arguments
from importers.claude_code import decisions
from importers.claude_code.telling import Telling
from importers.claude_code.writes import Written, written
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.media_blocks import MEDIA, omitted
from store.trajectories import HumanDecision, Omitted, StepKind, Verdict

_OWN: Final = "tool_use"
CALLS: Final = frozenset({_OWN, "server_tool_use", "mcp_tool_use"})
RESULTS: Final = frozenset({"tool_result", "web_search_tool_result", "mcp_tool_result"})


@dataclass(slots=True)
class Call:
    """A call, and what came of it."""

    step: int
    name: str
    at: str | None
    session: str
    is_own: bool = False
    """Whether the program itself ran it: a server's tool may have the name of one of its own."""

    path: str = ""
    """The file that it names."""

    writes: tuple[Written, ...] = ()
    """What it puts into memory."""

    piece: Slice | None = None
    """The line, of a call that writes memory."""

    answered: bool = False
    refused: bool = False
    """A result says that it was not done, or a person rejected the call."""

    doubtful: bool = False
    """Another call has the same id."""

    edit: str | None = None
    """The text as a person changed it before it was done."""


class Calls:
    """The calls of one run."""

    def __init__(self) -> None:
        self.made: dict[str, Call] = {}
        self.blocked = 0

    def call(self, line: Telling, block: JsonObject, *, who: str) -> None:
        """Add a call with its arguments as they are written.

        Where two calls have one id, nobody can tell whose the result is: nothing follows from it.
        """
        own, name, arguments = _text(block, "id"), _text(block, "name"), block.get("input")
        text = call_arguments.written(arguments, line.piece.raw)
        step = line.add(StepKind.ACTION, text, who=who, name=name, call=own)
        if own in self.made:
            self.made[own].doubtful = True
        elif own and step >= 0:
            is_own = block.get("type") == _OWN
            writes = written(name, arguments) if is_own and isinstance(arguments, dict) else ()
            session = _text(line.record, "sessionId")
            piece = line.piece if writes else None
            path = _path(arguments) if isinstance(arguments, dict) else ""
            self.made[own] = Call(step, name, line.at, session, is_own, path, writes, piece)

    def result(self, line: Telling, block: JsonObject, *, alone: bool) -> None:
        """Add a result, and what a person decided on its call.

        Args:
            line: The line it stands in.
            block: The result.
            alone: Whether it is the line's only one.
        """
        own = _text(block, "tool_use_id")
        call = self.made.get(own)
        text, left_out = _said(block)
        failed = block.get("is_error") is True
        name = call.name if call else ""
        step = line.add(
            StepKind.RESULT, text, name=name, call=own, failed=failed, left_out=left_out
        )
        decided = decisions.decided(
            line.record,
            block,
            text,
            alone=alone,
            tool=name if call is not None and call.is_own else "",
            path=call.path if call else "",
        )
        self.blocked += decisions.is_blocked(block, text)
        if call is not None:
            call.answered = True
            call.refused |= decisions.is_undone(block, text)
            call.refused |= alone and _is_error(line.record.get("toolUseResult"))
        if decided is None or (call is not None and call.doubtful):
            return
        if call is not None:
            call.refused |= decided.verdict is Verdict.REJECT
            call.edit = decided.edit if decided.edit is not None else call.edit
        judged = call.step if call else step
        if judged >= 0:
            line.run.decide(
                HumanDecision(
                    verdict=decided.verdict,
                    step=judged,
                    reason=decided.reason,
                    edit=decided.edit,
                    at=line.at,
                    review_id=own,
                )
            )


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _path(arguments: JsonObject) -> str:
    return _text(arguments, "file_path") or _text(arguments, "notebook_path")


def _is_error(result: object) -> bool:
    """Whether the program's own copy of a result is an error."""
    return isinstance(result, str) and result.startswith("Error")


def _said(block: JsonObject) -> tuple[str, Omitted | None]:
    """The text of a result, and what of it is no text."""
    content = block.get("content")
    if isinstance(content, str):
        return content, None
    if not isinstance(content, list):
        return "", None
    texts: list[str] = []
    left_out: Omitted | None = None
    for one in content:
        if isinstance(one, dict):
            if isinstance(text := one.get("text"), str):
                texts.append(text)
            elif _text(one, "type") in MEDIA:
                left_out = left_out or omitted(one)
            else:
                texts += [value for value in one.values() if isinstance(value, str)][1:]
        elif isinstance(one, str):
            texts.append(one)
    return "\n".join(texts), left_out
