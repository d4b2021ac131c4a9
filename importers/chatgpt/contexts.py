"""Memory inside ChatGPT conversations, as proposals: saved, recalled, or set by a person.

``bio`` calls write a memory; ``model_set_context`` lists what had been saved, with a day for each;
``user_editable_context`` is what a person wrote of themselves and how they want answers. The same
list stands in many conversations: a line that stood in this source before is not read again.
Lines that contradict each other are both proposed, each with its day; none is taken as current.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from importers import fields, reads, times
from importers.chatgpt.content import Content, plain, string
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.runs import MAX_LINE, text_in
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Nothing, NothingReason, Place, Read, RemarkCode
from store.trajectories import StepKind

_LINE: Final = re.compile(
    r"^[ \t]*(\d{1,5})\.[ \t]+(?:\[([^\]\n]{1,40})\]\.?[ \t]*)?", re.MULTILINE
)
_FENCED: Final = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)


class Found(NamedTuple):
    """A message that may hold memory, where it stands, and what was asked before it."""

    part: Slice
    key: str
    content: Content
    at: times.Moment | None
    asked: tuple[Slice, str, tuple[str, ...]] | None
    """The message of the person before it: its place, its id, its texts."""


class _Memory(NamedTuple):
    claim: str
    own: str
    source_type: SourceType
    writer: str
    at: times.Moment | None
    line: str = ""


class Contexts:
    """Memories of one source, each told once."""

    def __init__(self, modified_at: str | None) -> None:
        """Begin with none."""
        self.modified_at = modified_at
        """The time of writing where the file that is read has none."""
        self._seen: set[str] = set()

    def reads(self, one: Found, chat: str, conversation: Slice, member: str) -> Iterator[Read]:
        """Proposals of one message, and ``COPIED_LINE`` if some of it stood here before.

        A message whose memories are of a wrong type is one failure.
        """
        if one.content.role == "assistant" and one.content.recipient == "bio":
            said = [draft.text for draft in one.content.drafts if draft.kind is StepKind.ACTION]
            if claim := "\n".join(said).strip():
                made = _Memory(
                    claim,
                    f"chatgpt:{chat}/{one.key}",
                    SourceType.MODEL_EXTRACTION,
                    "assistant",
                    one.at,
                )
                yield self._read(one, made, chat, conversation, member)
            return
        copied = False
        try:
            memories = [*_model_lines(one), *_of_person(one)]
        except RecordFaultError as fault:
            yield Read(reads.place_of(one.part, member), one.part.raw, fault.failed)
            return
        for made in memories:
            if made.own in self._seen:
                copied = True
                continue
            self._seen.add(made.own)
            yield self._read(one, made, chat, conversation, member)
        if copied:
            nothing = Nothing(NothingReason.COPIED_LINE)
            yield Read(reads.place_of(one.part, member), one.part.raw, nothing)

    def _read(
        self, one: Found, made: _Memory, chat: str, conversation: Slice, member: str
    ) -> Read:
        remarks: list[str] = []
        foreign: dict[str, object] = {"claimed_writer": made.writer, "conversation": chat}
        if made.line:
            foreign["line"] = made.line
        if made.writer == "assistant":
            remarks.append(RemarkCode.MODEL_MADE)
        saved = one.content.recipient == "bio"
        if saved and one.asked is not None:
            foreign["evidence_message"] = one.asked[1]
        elif made.writer == "assistant":
            remarks.append(RemarkCode.SOURCE_LINK_ABSENT)
        if made.at is None and self.modified_at:
            remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
        if made.at is not None and made.at.tz_assumed:
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        kept, spans = _evidence(one, made.claim, conversation, with_asked=saved)
        proposal = Proposal(
            claim=made.claim,
            kind=Kind.PROFILE_PREFERENCE,
            source_type=made.source_type,
            source_id=made.own,
            written_at=made.at.text if made.at else self.modified_at,
            evidence=spans,
            foreign=foreign,
            remarks=tuple(remarks),
        )
        return Read(Place(kept.line, kept.start, kept.end, member), kept.raw, proposal)


def _evidence(
    one: Found, claim: str, conversation: Slice, *, with_asked: bool
) -> tuple[Slice, tuple[Span, ...]]:
    """The bytes that are kept, and where in them the person's words stand, or else the claim.

    The bytes reach from what was asked to what was saved of it, where that is not too long.
    """
    kept = one.part
    if with_asked and one.asked is not None:
        asked, _, texts = one.asked
        start, end = min(asked.start, kept.start), max(asked.end, kept.end)
        if end - start <= MAX_LINE:
            raw = conversation.raw[start - conversation.start : end - conversation.start]
            line = min(asked.line, kept.line)
            told = [text_in(asked.raw, text) for text in texts]
            moved = asked.start - start
            spans = tuple(Span(at.start + moved, at.end + moved) for at in told if at is not None)
            if spans:
                return Slice(line, start, end, raw), spans
    found = text_in(kept.raw, claim)
    if len(kept.raw) <= MAX_LINE:
        return kept, (found or Span(0, len(kept.raw)),)
    span = found or Span(0, MAX_LINE)
    line = kept.line + kept.raw.count(b"\n", 0, span.start)
    part = kept.raw[span.start : span.end]
    shorter = Slice(line, kept.start + span.start, kept.start + span.end, part)
    return shorter, (Span(0, len(part)),)


def _model_lines(one: Found) -> Iterator[_Memory]:
    """Each numbered line of what the model had saved; a memory may go on over further lines."""
    if one.content.sort != "model_editable_context":
        return
    told = plain(string(one.content.content, "model_set_context"))
    marks = list(_LINE.finditer(told))
    dated = any(mark[2] for mark in marks)
    marks = [mark for mark in marks if mark[2] or not dated]
    if not marks:
        if told.strip():
            yield _line(one, told.strip(), "", None)
        return
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        text = told[mark.end() : following.start() if following else len(told)].strip()
        at = times.moment(mark[2].strip()) if mark[2] else None
        if mark[2] and at is None:
            text = told[mark.start(2) - 1 : following.start() if following else len(told)].strip()
        if text:
            yield _line(one, text, mark[1], at)


def _line(one: Found, text: str, number: str, at: times.Moment | None) -> _Memory:
    own = f"chatgpt:context/{fields.fingerprint(at.text if at else '', text)}"
    return _Memory(text, own, SourceType.MODEL_EXTRACTION, "assistant", at or one.at, number)


def _of_person(one: Found) -> Iterator[_Memory]:
    """What a person wrote in their settings, in their own words where the file keeps them."""
    content = one.content
    data = content.metadata.get("user_context_message_data")
    own: Mapping[str, object] = data if isinstance(data, dict) else {}
    if content.sort != "user_editable_context" and not own:
        return
    for name, ours, theirs in (
        ("profile", "about_user_message", "user_profile"),
        ("instructions", "about_model_message", "user_instructions"),
    ):
        told = string(own, ours).strip() or _unfenced(string(content.content, theirs))
        if told:
            mark = f"chatgpt:{name}/{fields.fingerprint(told)}"
            yield _Memory(told, mark, SourceType.FOREIGN_MEMORY, "user", one.at, name)


def _unfenced(text: str) -> str:
    found = _FENCED.search(text)
    return (found[1] if found else text).strip()
