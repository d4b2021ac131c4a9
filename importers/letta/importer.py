"""Reads Letta and MemGPT: agent files (``.af``) of both versions, blocks, and passages.

A block is a document and gives a claim per line or paragraph. Messages give runs, with a person's
answers to requests for approval as decisions; calls of memory tools in them give claims beside the
run, with the time of their message. Archival memory is not in an agent file; the passage API's
list is read, too. Variables of tools and tokens of servers are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import json_records, reads, shape
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject
from importers.letta import document as letta_document
from importers.letta import passages
from importers.letta.blocks import Blocks
from importers.letta.document import Agent, Contents, Document, bare, inside
from importers.letta.messages import Conversation
from importers.source import Head, Source
from store.cells import Proposal
from store.records import Failed, FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.ARCHIVAL_ABSENT,)
_ROWS: Final = frozenset({"passages", "archival_memory", "results"})
_LISTS: Final = letta_document.LISTS | _ROWS
_OLD_AGENT: Final = frozenset(
    {
        "core_memory",
        "in_context_message_indices",
        "tool_exec_environment_variables",
        "agent_type",
        "multi_agent_group",
        "message_buffer_autoclear",
    }
)
_AGENT: Final = frozenset({"block_ids", "in_context_message_ids", "agent_type", "tool_ids"})
_SET: Final = frozenset({"agents", "blocks", "mcp_servers", "sources", "groups", "tools"})
_WHOLE: Final = frozenset({"agents", "core_memory"})
"""Either makes a file one set of agents or one agent, even when little else is left of it."""

_BLOCK: Final = frozenset({"label", "value", "limit"})


def recognises(head: Head) -> bool:
    """Whether this is an agent file, or rows of its blocks or passages."""
    if head.is_folder:
        return False
    seen = json_records.keys(head.data, _LISTS)
    if _is_document(seen.keys):
        return not seen.records or "agents" not in seen.keys or _holds_agents(seen)
    named = b'"passage-' in head.data
    return any(
        _is_document(keys)
        or keys >= _BLOCK
        or passages.is_passage(keys)
        or (named and keys >= {"id", "text"})
        for keys in seen.records
    )


def _is_document(keys: frozenset[str]) -> bool:
    old = "core_memory" in keys and len(keys & _OLD_AGENT) >= 2
    return old or ("agents" in keys and len(keys & _SET) >= 3) or len(keys & _OLD_AGENT) >= 4


def _holds_agents(seen: shape.Shape) -> bool:
    return any(keys & _AGENT or keys >= _BLOCK or "source_code" in keys for keys in seen.records)


def read(source: Source) -> Iterator[Read | Remark]:
    """Blocks, runs and memory writes of each agent, or one claim per row."""
    head = source.head()
    seen = json_records.keys(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from reads.with_tail(_Reader(source, seen).reads())


class _Reader:
    def __init__(self, source: Source, seen: shape.Shape) -> None:
        self._source, self._seen = source, seen
        self._tally = reads.Tally()
        self._blocks = Blocks(modified_at=source.modified_at)
        self._said: set[RemarkCode] = set()

    def reads(self) -> Iterator[Read | Remark]:
        met = False
        one_file = self._seen.form != "list" and bool(self._seen.keys & _WHOLE)
        one_file = one_file and not self._several()
        for one in self._document(Document(self._source.open)) if one_file else self._rows():
            met = met or isinstance(one, Read)
            yield one
        if not met and self._source.size:
            yield reads.broken_source(FailReason.WRONG_SHAPE, b"")
        yield from self._tally.remarks()

    def _several(self) -> bool:
        """Whether each line is an agent file of its own."""
        return self._seen.form == "lines" and len(self._seen.records) > 1

    def _rows(self) -> Iterator[Read | Remark]:
        for one in json_records.pieces(self._source, self._seen.form, _LISTS):
            if isinstance(one, Beside):
                continue
            names = frozenset(json_tokens.members(one.raw))
            if _is_document(names):
                yield from self._document(inside(one))
            elif one.key in letta_document.BESIDE:
                yield _passed_over(one)
            elif {"label", "value"} <= names:
                yield from self._blocks.reads(one, _of_nobody)
            else:
                told = reads.read_one(one, self._passage)
                if not names & passages.TEXTS and not isinstance(told.found, Nothing):
                    told = Read(reads.place_of(bare(one)), b"", told.found)
                yield told

    def _passage(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        return passages.proposal(
            record, raw, modified_at=self._source.modified_at, tally=self._tally
        )

    def _document(self, document: Document) -> Iterator[Read | Remark]:
        told = letta_document.contents(document)
        codes = {RemarkCode.ARCHIVAL_ABSENT, *([RemarkCode.ONLY_RECENT] if told.is_set else [])}
        yield from (Remark(code) for code in sorted(codes - self._said))
        self._said |= codes
        when = told.own.created_at if told.is_set else told.own.updated_at or told.own.created_at
        blocks = Blocks(modified_at=self._source.modified_at, exported_at=when)
        conversation = self._conversation(told.own)
        agents = iter(told.agents)
        for one in document.walk(letta_document.LISTS):
            if isinstance(one, Beside):
                yield from self._beside(one, told)
            elif one.key in letta_document.BLOCKS:
                yield from blocks.reads(one, told.holders)
            elif one.key == letta_document.MESSAGES:
                yield from conversation.add(one)
            elif one.key == letta_document.AGENTS and one.fault is None:
                yield from self._agent(one, next(agents), blocks)
            elif one.key in letta_document.BESIDE:
                yield _passed_over(one)
            else:
                yield Read(reads.place_of(bare(one)), b"", one.fault or _WRONG)
        yield from conversation.end()

    def _beside(self, one: Beside, told: Contents) -> Iterator[Read]:
        lists = letta_document.LISTS - letta_document.BESIDE
        if one.raw and one.raw != b"null" and one.key in lists:
            yield reads.broken_source(FailReason.WRONG_SHAPE, b"")
        elif told.is_set and one.key not in letta_document.KNOWN and one.raw[:1] in b"[{":
            self._tally.add(RemarkCode.UNKNOWN_TYPES)

    def _agent(self, piece: Slice, agent: Agent, blocks: Blocks) -> Iterator[Read]:
        conversation = self._conversation(agent)
        for one in inside(piece).walk(letta_document.LISTS):
            if isinstance(one, Beside):
                continue
            if one.key == letta_document.MESSAGES:
                yield from conversation.add(one)
            elif one.key in letta_document.BLOCKS:
                yield from blocks.reads(one, lambda _: [agent])
            elif not one.key and one.fault is not None:
                yield Read(reads.place_of(bare(one)), b"", one.fault)
        yield from conversation.end()

    def _conversation(self, agent: Agent) -> Conversation:
        return Conversation(agent, modified_at=self._source.modified_at, tally=self._tally)


_WRONG: Final = Failed(FailReason.WRONG_SHAPE)


def _of_nobody(_: str) -> list[Agent]:
    return []


def _passed_over(piece: Slice) -> Read:
    """An element of a list that holds no memory; without its bytes where they may be secret."""
    shown = bare(piece) if piece.key in letta_document.CLOSED else piece
    found = piece.fault or Nothing(NothingReason.NOT_A_MEMORY)
    return Read(reads.place_of(shown), shown.raw, found)
