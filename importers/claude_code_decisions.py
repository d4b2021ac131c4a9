"""What a person decided on a call of a tool, as the line with the call's result tells it.

A rejection is a failed result under the program's own mark, ``toolUseResult``, which no tool can
write; lines of versions without that mark count where the program's sentence begins the result and
the tool is the program's own, so that a tool whose output says the sentence decides nothing. That
nobody rejected is no acceptance, because many calls run without asking. A permission that was not
granted yet is nobody's answer.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from importers.strict_json import JsonObject
from store.trajectories import Verdict

_REJECTED: Final = re.compile(
    r"\s*(?:Error: )?(?:The )?user doesn['’]t want to proceed\b", re.IGNORECASE
)
_REJECTED_RESULT: Final = re.compile(r"\s*(?:Error: )?User rejected tool use\.?\s*", re.IGNORECASE)
_REASON: Final = re.compile(
    r"\s*(?:Error: )?(?:The )?user doesn['’]t want to proceed\b.{0,300}?the user said:(.*)",
    re.DOTALL | re.IGNORECASE,
)
_OWN_WRITERS: Final = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
"""Tools whose text a person can change before it is written."""

_FOREIGN: Final = frozenset({"Bash", "WebFetch", "WebSearch", "Task", "Read", "Grep", "Glob"})
"""Tools whose results are somebody else's words; so are those of ``mcp__…``."""

_AFTERWORD: Final = re.compile(r"\n\s*\n\s*Note: The user's next message may contain.*", re.DOTALL)
_BLOCKED: Final = re.compile(
    r"\brequested permissions\b.{0,300}?\byou haven['’]t granted it yet\b", re.DOTALL
)
_EDITED: Final = ("newString", "content", "new_source")


class Decided(NamedTuple):
    """A verdict with the person's words, or the text that the person put there."""

    verdict: Verdict
    reason: str | None = None
    edit: str | None = None


def decided(
    record: JsonObject, block: JsonObject, text: str, *, tool: str, alone: bool
) -> Decided | None:
    """What a person decided on the call that the block answers; ``None`` if nobody did.

    Args:
        record: The line.
        block: Its ``tool_result``.
        text: What the block says.
        tool: The tool that was called.
        alone: Whether it is the line's only one, so that ``toolUseResult`` is of this call.
    """
    result = record.get("toolUseResult") if alone else None
    if block.get("is_error") is True:
        if isinstance(result, str):
            rejected = _REJECTED_RESULT.fullmatch(result) is not None
        else:
            foreign = tool in _FOREIGN or tool.startswith("mcp__")
            rejected = result is None and not foreign and _REJECTED.match(text) is not None
        return Decided(Verdict.REJECT, reason=_reason(text)) if rejected else None
    edited = isinstance(result, dict) and result.get("userModified") is True
    if edited and tool in _OWN_WRITERS:
        assert isinstance(result, dict)
        return Decided(Verdict.EDIT, edit=_edit(result))
    return None


def is_blocked(block: JsonObject, text: str) -> bool:
    """Whether the call waited for a permission that nobody gave or refused."""
    return block.get("is_error") is True and _BLOCKED.search(text[:2_000]) is not None


def _reason(text: str) -> str | None:
    found = _REASON.match(text)
    return (_AFTERWORD.sub("", found[1]).strip() or None) if found else None


def _edit(result: JsonObject) -> str | None:
    """The text as the person left it, where the result has it."""
    for name in _EDITED:
        if isinstance(text := result.get(name), str):
            return text
    edits = result.get("edits")
    if not isinstance(edits, list):
        return None
    texts = [one.get("new_string") for one in edits if isinstance(one, dict)]
    told = [text for text in texts if isinstance(text, str)]
    return "\n".join(told) if told and len(told) == len(edits) else None
