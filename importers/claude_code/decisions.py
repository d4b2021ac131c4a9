"""What a person decided on a call of a tool, as the line with the call's result tells it.

A rejection is a failed result under one of the program's own marks, ``toolDenialKind`` and the
``toolUseResult`` of a rejection, which no tool can write. Lines without a mark count where the
result is the program's sentence from its first word to its last, after "Error: " where it is
repeated in ``toolUseResult``, and the tool is the program's own, so that a tool whose output says
the sentence decides nothing. A call that ended because the program was shut down, and one that a
rule denied, is nobody's answer. A text was edited only in the file that the call names. That
nobody rejected is no acceptance, because many calls run without asking. A permission that was not
granted yet is nobody's answer.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from importers.json_reading.strict import JsonObject
from store.trajectories import Verdict

_MARK: Final = "User rejected tool use"
_DENIED: Final = "user-rejected"
"""The kind of denial that is a person's; those of rules, hooks and interruptions differ."""

_ERROR: Final = "Error: "
_REJECTED: Final = re.compile(
    r"\s*(?:The )?user doesn['’]t want to proceed with this tool use\."
    r" The tool use was rejected(?: \([^()\n]{0,200}\))?\.\s*"
    r"(?:STOP what you are doing and wait for the user to tell you how to proceed\.\s*"
    r"|(?:(?:To tell you how to proceed, )?the user said:"
    r"|The user provided the following reason for the rejection:)(?P<reason>.*))?"
    r"(?:Note: The user's next message may contain.*)?",
    re.DOTALL | re.IGNORECASE,
)
_OWN_WRITERS: Final = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
"""Tools whose text a person can change before it is written."""

_OWN_WORDS: Final = _OWN_WRITERS | {
    *("TodoWrite", "ExitPlanMode", "exit_plan_mode", "EnterPlanMode", "AskUserQuestion"),
}
"""Tools whose errors are in the program's own words. Those of every other tool may be somebody
else's: of a shell, a page, another agent, a server, or a tool that is not known here."""

_PATHS: Final = ("filePath", "file_path", "notebook_path")
_UNDONE: Final = re.compile(
    r"\s*(?:Error|<tool_use_error>|(?:The )?user doesn['’]t want to )", re.IGNORECASE
)

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
    record: JsonObject, block: JsonObject, text: str, *, tool: str, path: str, alone: bool
) -> Decided | None:
    """What a person decided on the call that the block answers; ``None`` if nobody did.

    Args:
        record: The line.
        block: Its ``tool_result``.
        text: What the block says.
        tool: The program's tool that was called; empty if it is another's or not known.
        path: The file that the call names.
        alone: Whether it is the line's only one, so that ``toolUseResult`` is of this call.
    """
    result = record.get("toolUseResult")
    if block.get("is_error") is True:
        return _rejection(record, result, text, tool=tool, alone=alone)
    if not alone or tool not in _OWN_WRITERS or not isinstance(result, dict):
        return None
    told = [one for name in _PATHS if (one := result.get(name)) is not None]
    same = bool(path and told) and all(one == path for one in told)
    edited = same and result.get("userModified") is True and not block.get("is_error")
    return Decided(Verdict.EDIT, edit=_edit(result)) if edited else None


def _rejection(
    record: JsonObject, result: object, text: str, *, tool: str, alone: bool
) -> Decided | None:
    kind = record.get("toolDenialKind")
    if kind not in (None, _DENIED) or record.get("interruptedByShutdown") not in (None, False):
        return None
    whole = _REJECTED.fullmatch(text)
    if kind == _DENIED or result == _MARK:
        rejected = alone or whole is not None
    elif tool not in _OWN_WORDS:
        rejected = False
    elif result is None:
        rejected = whole is not None
    else:
        again = _repeated(result) if alone or whole is not None else None
        rejected, whole = again is not None, whole or again
    return Decided(Verdict.REJECT, reason=_reason(whole)) if rejected else None


def _repeated(result: object) -> re.Match[str] | None:
    """The program's whole sentence as ``toolUseResult`` repeats it."""
    if not isinstance(result, str) or not result.startswith(_ERROR):
        return None
    return _REJECTED.fullmatch(result, len(_ERROR))


def is_blocked(block: JsonObject, text: str) -> bool:
    """Whether the call waited for a permission that nobody gave or refused."""
    return block.get("is_error") is True and _BLOCKED.search(text[:2_000]) is not None


def is_undone(block: JsonObject, text: str) -> bool:
    """Whether the result says, in whatever way, that the call did not do what it should."""
    told = _UNDONE.match(text) or _BLOCKED.search(text[:2_000])
    return bool(block.get("is_error")) or told is not None


def _reason(whole: re.Match[str] | None) -> str | None:
    said = whole["reason"] if whole else None
    return (_AFTERWORD.sub("", said).strip() or None) if said else None


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
