"""The lines of one run of Claude Code as its steps."""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.claude_code import notes, words
from importers.claude_code.calls import CALLS, RESULTS, Calls
from importers.claude_code.lines import (
    Opened,
    blocks,
    holds_result,
    is_summary,
    made_by_program,
    message_of,
)
from importers.claude_code.replies import Replies
from importers.claude_code.telling import Telling
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.media_blocks import MEDIA
from importers.reads import Tally
from importers.runs import RunBuilder
from store.records import RemarkCode
from store.trajectories import RunStatus, StepKind

_IDS_KEPT: Final = 50
_REMEMBERED_KEPT: Final = 200
_NAMED_ONCE: Final = {
    "session": ("sessionId", "session_id"),
    "agent": ("agentId", "parent_tool_use_id"),
}
_NAMED_OFTEN: Final = {"request": "requestId", "prompt": "promptId"}
_CLAIMED: Final = ("version", "gitBranch", "cwd", "slug")


class Teller:
    """Tells lines to one run."""

    def __init__(self, run: RunBuilder, tally: Tally) -> None:
        """``tally`` counts what holds for the whole source."""
        self.calls = Calls()
        self.remembered: list[tuple[str, Telling]] = []
        """What a person told the program to remember, with the line."""

        self._run, self._tally = run, tally
        self._replies = Replies()
        self._ids: dict[str, dict[str, None]] = {"request": {}, "message": {}, "prompt": {}}

    def tell(self, opened: Opened, piece: Slice) -> None:
        """Add the steps of one line.

        Raises:
            RecordFaultError: If the line is not what its type says.
        """
        record = opened.record
        moment = fields.instant(record, "timestamp")
        if moment is not None and moment.tz_assumed:
            self._run.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
        at = moment.text if moment else None
        line = Telling(self._run, self._tally, record, opened.cut, piece, at)
        self._name(record)
        kind = record.get("type")
        if kind == "user":
            self._user(line, message_of(record))
        elif kind == "assistant":
            self._assistant(line, message_of(record))
        else:
            notes.tell(line)

    def finish(self) -> None:
        """Say of the run what only its end tells."""
        self._replies.end()
        for name, ids in self._ids.items():
            self._run.run[name] = " ".join(ids)
        if self._replies.count:
            self._run.foreign |= {"replies": self._replies.count, **self._replies.tokens}
        if self.calls.blocked:
            self._run.foreign["blocked_calls"] = self.calls.blocked

    def _name(self, record: JsonObject) -> None:
        """What the line says of the run as a whole; its first word stands."""
        run, told = self._run.run, self._run.foreign
        for name in _CLAIMED:
            if name not in told and isinstance(value := record.get(name), str) and value:
                told[name] = value
        if record.get("isSidechain"):
            told["sidechain"] = True
        for name, keys in _NAMED_ONCE.items():
            for key in keys:
                if name not in run and isinstance(value := record.get(key), str):
                    run[name] = value
        for name, key in _NAMED_OFTEN.items():
            self._keep(name, record.get(key))

    def _keep(self, name: str, value: object) -> None:
        if isinstance(value, str) and value and len(self._ids[name]) < _IDS_KEPT:
            self._ids[name][value] = None

    def _user(self, line: Telling, message: JsonObject) -> None:
        found = blocks(message)
        results = sum(block.get("type") in RESULTS for block in found)
        kind = _kind_of_words(line.record, message)
        who = line.record.get("userType")
        claimed = who if isinstance(who, str) and kind is StepKind.INPUT else ""
        for block in found:
            sort = block.get("type")
            if sort in RESULTS:
                self.calls.result(line, block, alone=results == 1)
            elif sort in MEDIA:
                line.media(kind, block, who=claimed)
            elif isinstance(text := block.get("text"), str):
                self._words(line, text, kind, claimed)
                if len(found) == 1 and kind is StepKind.INPUT:
                    self._remember(line, text)
            else:
                line.unknown(block)

    def _words(self, line: Telling, text: str, kind: StepKind, who: str) -> None:
        parts = list(words.parts(text)) if kind is StepKind.INPUT else []
        if text in line.cut and parts and all(one.kind is not StepKind.INPUT for one in parts):
            line.add(parts[0].kind, text, name=parts[0].name)
            return
        if not parts or text in line.cut:
            line.add(kind, text, who=who)
            return
        for part in parts:
            mine = who if part.kind is StepKind.INPUT else ""
            line.add(part.kind, part.text, who=mine, name=part.name)

    def _remember(self, line: Telling, text: str) -> None:
        kept = words.remembered(text)
        if kept and text not in line.cut and len(self.remembered) < _REMEMBERED_KEPT:
            self.remembered.append((kept, line))

    def _assistant(self, line: Telling, message: JsonObject) -> None:
        self._replies.begin(message)
        model = message.get("model")
        self._keep("message", message.get("id"))
        failed = line.record.get("isApiErrorMessage") is True
        self._run.status = RunStatus.FAILED if failed else RunStatus.UNKNOWN
        who = model if isinstance(model, str) else ""
        said = StepKind.NOTE if failed or who == "<synthetic>" else StepKind.SAID
        for block in blocks(message):
            if not self._replies.repeats(block):
                self._block(line, block, who, said, failed=failed)

    def _block(
        self, line: Telling, block: JsonObject, who: str, said: StepKind, *, failed: bool
    ) -> None:
        sort = block.get("type")
        if sort in CALLS:
            self.calls.call(line, block, who=who)
        elif sort in RESULTS:
            self.calls.result(line, block, alone=False)
        elif sort in MEDIA:
            line.media(said, block, who=who)
        elif sort in ("thinking", "redacted_thinking"):
            text = block.get("thinking")
            line.add(StepKind.THOUGHT, text if isinstance(text, str) else "", who=who)
        elif isinstance(text := block.get("text"), str):
            line.add(said, text, who=who, failed=failed)
        else:
            line.unknown(block)


def _kind_of_words(record: JsonObject, message: JsonObject) -> StepKind:
    """What the texts of a user line are, before anybody looks at their words."""
    if is_summary(record):
        return StepKind.NOTE
    if made_by_program(record):
        return StepKind.INSTRUCTION
    if any(record.get(name) for name in ("isSidechain", "parent_tool_use_id", "agentId")):
        return StepKind.INSTRUCTION  # a model wrote it for a subagent
    return StepKind.NOTE if holds_result(message) else StepKind.INPUT
