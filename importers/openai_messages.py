"""Reads chat messages in OpenAI's shape: rows with ``messages``, pairs of preference, bare chats.

A row is a conversation; each of its user turns with what follows is a run, and the run's bytes are
those of its messages. A row of preference is one run with two outcomes: the preferred and the
other, a ranking and so a weak decision. A file of bare messages is one conversation, that of
Cursor's agent too. The format has no ids and no times; nothing in it is a memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from importers import fields, reads, record_forms
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.long_texts import Parsed, parsed
from importers.openai_messages_steps import Run
from importers.record_forms import Form
from importers.source import Head, Source
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode
from store.trajectories import HumanDecision, Verdict

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_TIMES,
    RemarkCode.NO_IDS,
    RemarkCode.EVIDENCE_ONLY,
    RemarkCode.NO_DECISIONS,
)
SYSTEM: Final = "openai-messages:"
_ROLE: Final = rb'"role"\s*:\s*"(?:system|developer|user|assistant|tool|function)"'
_ROW: Final = re.compile(rb'"messages"\s*:\s*\[\s*(?:\]|\{[^{}\[\]]{0,4096}?' + _ROLE + rb")")
_LATE_ROLE: Final = re.compile(
    rb'"messages"\s*:\s*\[\s*\{\s*"content"\s*:.{0,8192}?' + _ROLE, re.DOTALL
)
_LISTS: Final = re.compile(rb"\s*\[\s*\[\s*\{[^{}\[\]]{0,4096}?" + _ROLE)
_LIST_LINE: Final = re.compile(rb"\s*\[\s*\{[^\n]*\]\s*\n\s*\[")
_ANY_ROLE: Final = re.compile(_ROLE)
_BARE: Final = frozenset(
    {
        "annotations",
        "audio",
        "content",
        "function_call",
        "message",
        "name",
        "reasoning",
        "reasoning_content",
        "refusal",
        "role",
        "tool_call_id",
        "tool_calls",
        "weight",
    }
)
_OTHERS: Final = frozenset({"agent_type", "agents", "core_memory", "mapping", "resourceSpans"})
"""Keys of agents and traces that hold messages of their own."""

_PAIR: Final = ("preferred_output", "non_preferred_output")
_LARGE: Final = frozenset({"messages", "input", *_PAIR})


def recognises(head: Head) -> bool:
    """Whether the first records are rows of messages, pairs of preference, or messages."""
    if head.is_folder:
        return False
    data = head.data.removeprefix(b"\xef\xbb\xbf")
    form = record_forms.of(data)
    if any(keys.issuperset(_PAIR) for keys in form.records):
        return True
    rows = [keys for keys in form.records if "messages" in keys and not keys & _OTHERS]
    if rows:
        return bool(_ROW.search(data) or _LATE_ROLE.search(data))
    return _is_bare(form, data) or bool(_LISTS.match(data))


def _is_bare(form: Form, data: bytes) -> bool:
    """Whether the records are messages themselves."""
    found = [keys for keys in form.records if keys]
    return (
        bool(found)
        and all("role" in keys and keys <= _BARE for keys in found)
        and any(keys & {"content", "message", "tool_calls"} for keys in found)
        and _ANY_ROLE.search(data) is not None
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """Every run, every record that gives none, then what holds for the whole file."""
    yield from (Remark(code) for code in CANNOT_TELL[:-1])
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._tally = reads.Tally()
        self._decided = False
        self._seen: set[int] = set()
        self._repeats: dict[int, int] = {}
        data = source.head().data
        self._form = record_forms.of(data)
        self._as_lines = bool(_LIST_LINE.match(data.removeprefix(b"\xef\xbb\xbf")))
        self._bare = not self._as_lines and _is_bare(self._form, data)

    def reads(self) -> Iterator[Read | Remark]:
        if self._bare:
            yield from self._conversation()
        else:
            for piece in self._pieces():
                yield from self._row(piece)
        if not self._decided:
            yield Remark(RemarkCode.NO_DECISIONS)
        yield from self._tally.remarks()

    def _pieces(self) -> Iterator[Slice]:
        if not self._as_lines:
            if not self._form.name:
                yield reads.broken_slice(FailReason.NOT_JSON, self._source.head().data)
                return
            yield from record_forms.slices(self._source, self._form)
            return
        with self._source.open() as stream:
            yield from json_slices.lines(stream)

    def _conversation(self) -> Iterator[Read]:
        """A file whose records are the messages of one conversation."""
        run, own = Run(self._tally), ""
        for number, piece in enumerate(self._pieces()):
            try:
                if _is_blank(piece):
                    yield _nothing(piece, NothingReason.BLANK_LINE)
                    continue
                message, cut = _opened(piece)
                if message.get("role") == "user" and run.asked:
                    yield run.builder.read(own)
                    run, own = Run(self._tally), ""
                own = own or SYSTEM + fields.fingerprint(_decoded(piece.raw), str(number))
                run.tell(message, cut, piece)
            except RecordFaultError as fault:
                yield Read(reads.place_of(piece), piece.raw, fault.failed)
        if run.builder.steps:
            yield run.builder.read(own)

    def _row(self, piece: Slice) -> Iterator[Read]:
        """The runs of one row."""
        if _is_blank(piece):
            yield _nothing(piece, NothingReason.BLANK_LINE)
            return
        try:
            if piece.raw.lstrip().startswith(b"["):
                beside: JsonObject = {}
                messages = list(json_parts.elements(piece))
            else:
                beside, large = json_parts.opened(piece, _LARGE)
                if large.keys() & set(_PAIR):
                    yield self._pair(piece, beside, large)
                    return
                messages = list(json_parts.elements(_part(large, "messages")))
        except RecordFaultError as fault:
            yield Read(reads.place_of(piece), piece.raw, fault.failed)
            return
        if not messages:
            yield _nothing(piece, NothingReason.EMPTY_RUN)
            return
        yield from self._turns(piece, messages, _told(beside))

    def _turns(self, row: Slice, messages: list[Slice], told: dict[str, object]) -> Iterator[Read]:
        own = self._identity(row.raw)
        for number, turn in enumerate(_cut_in_turns(messages)):
            begin, end = turn[0].start - row.start, turn[-1].end - row.start
            element = turn[0]._replace(end=turn[-1].end, raw=row.raw[begin:end])
            run = Run(self._tally, element)
            run.builder.foreign |= told
            broken: list[Read] = []
            for one in turn:
                try:
                    run.tell(*_opened(one))
                except RecordFaultError as fault:
                    broken.append(Read(reads.place_of(one), one.raw, fault.failed))
            if run.builder.steps or not broken:
                yield run.builder.read(f"{own}/{number}")
            yield from broken

    def _pair(self, piece: Slice, beside: JsonObject, large: dict[str, Slice]) -> Read:
        """A prompt with two outcomes, of which somebody preferred one.

        Raises:
            RecordFaultError: If the input or one of the outcomes is missing or broken.
        """
        run, own = Run(self._tally, piece), self._identity(piece.raw)
        run.builder.foreign |= _told(beside)
        more, inner = json_parts.opened(_part(large, "input"), frozenset({"messages"}))
        run.builder.foreign |= _told(more)
        for one in json_parts.elements(_part(inner, "messages")):
            run.tell(*_opened(one))
        for name, verdict in zip(_PAIR, (Verdict.ACCEPT, Verdict.REJECT), strict=True):
            outcome = json_parts.elements(_part(large, name))
            steps = [run.tell(*_opened(one)) for one in outcome]
            step = next((one for one in steps if one >= 0), None)
            if step is not None:
                run.builder.decide(HumanDecision(verdict, step, review_id=own, weak=True))
                self._decided = True
        return run.builder.read(own)

    def _identity(self, raw: bytes) -> str:
        """A digest of the row; the second of two equal rows says so."""
        made = hashlib.sha256(raw).hexdigest()[:32]
        key = int(made[:15], 16)
        if key not in self._seen:
            self._seen.add(key)
            return SYSTEM + made
        self._repeats[key] = self._repeats.get(key, 0) + 1
        return f"{SYSTEM}{made}+{self._repeats[key]}"


def _part(parts: dict[str, Slice], name: str) -> Slice:
    if name not in parts:
        raise RecordFaultError(FailReason.FIELD_MISSING, name=name)
    return parts[name]


def _cut_in_turns(messages: list[Slice]) -> Iterator[list[Slice]]:
    """Messages from one of a person's to the next; what comes before the first goes with it."""
    turn: list[Slice] = []
    asked = False
    for one in messages:
        opens = _opens(one)
        if opens and asked:
            yield turn
            turn, asked = [], False
        asked = asked or opens
        turn.append(one)
    if turn:
        yield turn


def _opens(piece: Slice) -> bool:
    """Whether a message is a person's, and more than results of tools."""
    if b'"user"' not in piece.raw:
        return False
    try:
        message = _opened(piece)[0]
    except RecordFaultError:
        return False
    if message.get("role") != "user":
        return False
    content = message.get("content", message.get("message"))
    if not isinstance(content, list):
        return isinstance(content, str | dict)
    return any(isinstance(one, dict) and one.get("type") != "tool_result" for one in content)


def _opened(piece: Slice) -> Parsed:
    if piece.fault is not None:
        raise RecordFaultError(piece.fault.reason, piece.fault.column)
    return parsed(piece)


def _told(beside: JsonObject) -> dict[str, object]:
    """What a row says beside its messages; of the tools it offers, their names."""
    told: dict[str, object] = {}
    for name, value in beside.items():
        if name in ("tools", "functions") and isinstance(value, list):
            names = [_name(one) for one in value if isinstance(one, dict)]
            told |= {name: names} if names else {}
        elif value is not None:
            told[name] = fields.told(value)
    return told


def _name(tool: JsonObject) -> str:
    function = tool.get("function")
    held = function if isinstance(function, dict) else tool
    name = held.get("name")
    return name if isinstance(name, str) else ""


def _is_blank(piece: Slice) -> bool:
    return piece.fault is None and (not piece.raw or piece.raw.isspace())


def _nothing(piece: Slice, reason: NothingReason) -> Read:
    return Read(reads.place_of(piece), piece.raw, Nothing(reason))


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
