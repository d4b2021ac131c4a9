"""One event of a managed agent's session as steps of a run.

A person's answer to a call that asked is a decision, with the person's reason. What the platform
evaluated before asking is a machine's verdict and stays a note.
"""

from __future__ import annotations

from typing import Final

from importers import call_arguments
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.media_blocks import MEDIA, named, omitted
from importers.reads import Tally
from importers.runs import RunBuilder
from store.records import RemarkCode
from store.trajectories import HumanDecision, Omitted, RunStatus, StepKind, Verdict

TURNS: Final = frozenset({"user.message", "user.define_outcome"})
_CALLS: Final = frozenset({"agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"})
_RESULTS: Final = frozenset(
    {"agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result", "user.tool_result"}
)
_CALL_IDS: Final = ("tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")
_JUDGED: Final = ("session.outcome_evaluated", "span.outcome_evaluation_end")
_NOTED: Final = frozenset(
    {
        "agent.thread_context_compacted",
        "agent.thread_message_received",
        "agent.thread_message_sent",
        "session.error",
        "user.interrupt",
        *_JUDGED,
    }
)
_QUIET: Final = ("session.", "span.")
_VERDICTS: Final = {"allow": Verdict.ACCEPT, "deny": Verdict.REJECT}


def is_bookkeeping(kind: str) -> bool:
    """Whether an event tells how the platform worked, and nothing of what was done."""
    return kind.startswith(_QUIET) and kind not in _NOTED


def status(event: JsonObject, kind: str) -> RunStatus | None:
    """How the event says the run ended, if it does."""
    if kind in ("session.error", "session.status_terminated"):
        return RunStatus.FAILED
    reason = event.get("stop_reason")
    if kind != "session.status_idle" or not isinstance(reason, dict):
        return None
    ends = {"end_turn": RunStatus.OK, "retries_exhausted": RunStatus.FAILED}
    return ends.get(_text(reason, "type"))


class Run:
    """One run under way."""

    def __init__(self, tally: Tally) -> None:
        """``tally`` counts what holds for the whole source."""
        self.builder = RunBuilder()
        self.asked = False
        self.first: str = ""
        """The id of the event it began with, or a stand-in."""

        self._tally = tally
        self._calls: dict[str, tuple[int, str]] = {}

    def tell(
        self, event: JsonObject, cut: dict[str, Omitted], piece: Slice, at: str | None
    ) -> None:
        """Add the steps of one event."""
        line = _Event(self.builder, event, cut, piece, at)
        kind = _text(event, "type")
        if kind in TURNS:
            self.asked = True
            line.blocks(StepKind.INPUT, _text(event, "description"))
        elif kind == "agent.message":
            line.blocks(StepKind.SAID)
        elif kind == "agent.thinking":
            line.blocks(StepKind.THOUGHT, _text(event, "thinking"), even_empty=True)
        elif kind in _CALLS:
            self._call(line)
        elif kind in _RESULTS:
            self._result(line)
        elif kind == "user.tool_confirmation":
            self._confirmation(line)
        else:
            self._note(line, kind)

    def _note(self, line: _Event, kind: str) -> None:
        told = {name: one for name, one in line.event.items() if name not in ("type", "id")}
        text = call_arguments.written(line.event if kind not in _NOTED else told, line.piece.raw)
        line.add(StepKind.NOTE, text, name=kind[:100], failed=kind == "session.error")
        if kind in _JUDGED:
            self._remark(RemarkCode.MACHINE_VERDICTS)
        elif kind not in _NOTED:
            self._remark(RemarkCode.UNKNOWN_TYPES)

    def _call(self, line: _Event) -> None:
        own, name = _text(line.event, "id"), _text(line.event, "name")
        text = call_arguments.written(line.event.get("input"), line.piece.raw)
        step = line.add(StepKind.ACTION, text, name=name, call=own)
        if own and step >= 0:
            self._calls[own] = (step, name)
        evaluated = _text(line.event, "evaluated_permission")
        if evaluated:
            line.add(StepKind.NOTE, evaluated, name="evaluated_permission", call=own)
            self._remark(RemarkCode.MACHINE_VERDICTS)

    def _result(self, line: _Event) -> None:
        own = next((found for name in _CALL_IDS if (found := _text(line.event, name))), "")
        _, name = self._calls.get(own, (-1, ""))
        text, left_out = line.said()
        failed = line.event.get("is_error") is True
        line.add(StepKind.RESULT, text, name=name, call=own, failed=failed, left_out=left_out)

    def _confirmation(self, line: _Event) -> None:
        """What a person answered, and the answer itself as what the person said."""
        own, result = _text(line.event, "tool_use_id"), _text(line.event, "result")
        reason = _text(line.event, "deny_message").strip()
        asked, name = self._calls.get(own, (-1, ""))
        step = line.add(StepKind.INPUT, reason or result, name=name, call=own)
        verdict = _VERDICTS.get(result)
        if verdict is None:
            self._remark(RemarkCode.UNKNOWN_TYPES)
        elif max(asked, step) >= 0:
            self.builder.decide(
                HumanDecision(
                    verdict=verdict,
                    step=asked if asked >= 0 else step,
                    reason=(reason or None) if verdict is Verdict.REJECT else None,
                    at=line.at,
                    review_id=_text(line.event, "id") or own,
                )
            )

    def _remark(self, code: RemarkCode) -> None:
        self.builder.remarks[code] = None
        self._tally.add(code)


class _Event:
    def __init__(
        self,
        run: RunBuilder,
        event: JsonObject,
        cut: dict[str, Omitted],
        piece: Slice,
        at: str | None,
    ) -> None:
        self.event, self.piece, self.at = event, piece, at
        self._run, self._cut = run, cut
        self._who = _text(event, "agent_name")

    def add(
        self,
        kind: StepKind,
        text: str,
        *,
        name: str = "",
        call: str = "",
        failed: bool = False,
        left_out: Omitted | None = None,
    ) -> int:
        if left_out is not None:
            self._run.remarks[RemarkCode.BULK_REPLACED] = None
        cut = self._cut.get(text)
        if cut is not None:
            self._run.remarks[RemarkCode.STEPS_CUT] = None
        return self._run.add(
            kind,
            text,
            self.piece,
            who=self._who,
            at=self.at,
            name=name,
            call=call,
            failed=failed,
            omitted=left_out or cut,
        )

    def blocks(self, kind: StepKind, instead: str = "", *, even_empty: bool = False) -> None:
        """A step for each block of the content; ``instead`` where there is none."""
        content = self.event.get("content")
        found = content if isinstance(content, list) else [content]
        added = 0
        for one in found:
            if isinstance(one, str):
                text, left_out = one, None
            elif not isinstance(one, dict):
                continue
            elif _text(one, "type") in MEDIA:
                text, left_out = named(one), omitted(one)
            else:
                text, left_out = _text(one, "text") or _text(one, "thinking"), None
            self.add(kind, text, left_out=left_out)
            added += 1
        if not added and (instead or even_empty):
            self.add(kind, instead)

    def said(self) -> tuple[str, Omitted | None]:
        """The text of a result, with what documents in it say."""
        content = self.event.get("content")
        if isinstance(content, str):
            return content, None
        texts: list[str] = []
        left_out: Omitted | None = None
        for one in content if isinstance(content, list) else ():
            if isinstance(one, dict):
                text = _text(one, "text") or named(one)
                texts += [text] if text else []
                left_out = left_out or omitted(one)
        return "\n".join(texts), left_out


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
