"""One note of basic-memory: its front matter read once, then each of its bullets and blocks.

An observation is a claim; a relation is the fact ``<title> <label> <target>``. Prose is counted
and is no memory. The note's first ``[decision]``, or else its first observation, stands for the
note: it has the note's own id, to which the ``supersedes`` of another note points.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from importers import fields, markdown_blocks, times
from importers.basic_memory import lines
from importers.basic_memory.lines import Observation, Relation
from importers.faults import RecordFaultError
from importers.markdown_blocks import Block, Sort
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Place, Read, RemarkCode

SYSTEM: Final = "basic-memory:"
MAX_TEXT: Final = 64 * 1024
_BULLET: Final = re.compile(rb"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
_SPLIT: Final = re.compile(r"[\W_]+")
_TAKEN: Final = frozenset({"title", "tags", "project"})
_KINDS: Final = {
    "decision": Kind.DECISION,
    "preference": Kind.PROFILE_PREFERENCE,
    "event": Kind.EVENT,
    "procedure": Kind.PROCEDURE,
    "step": Kind.PROCEDURE,
    "technique": Kind.PROCEDURE,
    "method": Kind.PROCEDURE,
    "insight": Kind.INSIGHT,
    "lesson": Kind.INSIGHT,
    "reference": Kind.REFERENCE,
    "resource": Kind.REFERENCE,
}
_SUPERSEDES: Final = frozenset({"supersedes", "supercedes", "replaces"})
_SUPERSEDED_BY: Final = frozenset({"superseded_by", "replaced_by"})

Said = Observation | Relation | None


class Note:
    """A parsed note. ``key`` and ``title`` are known before its blocks are read."""

    def __init__(self, name: str, data: bytes, *, member: str, modified_at: str | None) -> None:
        """``name`` is the file's, ``member`` its place in a folder, empty if alone.

        Raises:
            RecordFaultError: ``NOT_UTF8``, if the front matter is not text.
        """
        self._data, self._member, self._modified_at = data, member, modified_at
        self.front, self._body = markdown_blocks.front_matter(data)
        folder, _, base = name.rpartition("/")
        self._folder = folder if member else ""
        self.title = self.front.get("title") or base.rsplit(".", 1)[0]
        self.permalink = self.front.get("permalink", "")
        self.key = self.permalink or slug(self.title) or fields.fingerprint(self.title)
        self._seen: Counter[str] = Counter()

    def reads(self, key_of: Callable[[str], str]) -> Iterator[Read]:
        """Every bullet and block but headings; one empty record for a note without any.

        Args:
            key_of: The key of the note that a link's target names.
        """
        pieces = list(self._pieces())
        if not pieces:
            line = self._data.count(b"\n", 0, self._body) + 1
            place = Place(line=line, start=self._body, end=len(self._data), member=self._member)
            raw = self._data[self._body :]
            yield Read(place, raw, Nothing(NothingReason.EMPTY_TEXT))
            return
        main = _main([said for _, said in pieces])
        replaced = tuple(
            key_of(said.target)
            for _, said in pieces
            if isinstance(said, Relation) and slug(said.label, "_") in _SUPERSEDES
        )
        for number, (block, said) in enumerate(pieces):
            yield self._read(block, said, key_of, replaced if number == main else None)

    def targets(self) -> Iterator[str]:
        """Targets of the note's relations."""
        return (said.target for _, said in self._pieces() if isinstance(said, Relation))

    def _pieces(self) -> Iterator[tuple[Block, Said]]:
        for block in markdown_blocks.blocks(self._data, self._body):
            if block.sort is Sort.ITEM:
                for one in _bullets(block):
                    yield one, _said(one)
            elif block.sort is not Sort.HEADING:
                yield block, None

    def _read(
        self,
        block: Block,
        said: Said,
        key_of: Callable[[str], str],
        replaced: tuple[str, ...] | None,
    ) -> Read:
        place = Place(block.line, block.start, block.end, self._member)
        found: Proposal | Nothing | Failed
        try:
            if len(block.raw) > MAX_TEXT:
                found = Failed(FailReason.TOO_LONG)
            elif said is None:
                block.text()  # a bullet that is not text fails, and is not passed over
                found = Nothing(NothingReason.NOT_A_MEMORY)
            elif isinstance(said, Relation):
                found = self._relation(block, said, key_of)
            elif not said.text:
                found = Nothing(NothingReason.EMPTY_TEXT)
            else:
                found = self._observation(block, said, replaced)
        except RecordFaultError as fault:
            found = fault.failed
        return Read(place, block.raw, found)

    def _observation(
        self, block: Block, said: Observation, replaced: tuple[str, ...] | None
    ) -> Proposal:
        foreign: dict[str, object] = {"category": said.category}
        if said.tags:
            foreign["tags"] = list(said.tags)
        if said.context:
            foreign["context"] = said.context
        own = SYSTEM + self.key
        if replaced is None:
            mark = fields.fingerprint(said.category, said.text)[:16]
            own = fields.numbered(f"{own}#{mark}", self._seen)
        at = block.raw.find(said.text.encode())
        size = len(said.text.encode()) if at >= 0 else len(block.raw)
        return self._proposal(
            block,
            said.text,
            kind=_KINDS.get(said.category.lower().removesuffix("s"), Kind.FACT),
            own=own,
            entities=(self.title, *lines.links(said.text)),
            evidence=Span(max(at, 0), max(at, 0) + size),
            foreign=foreign,
            edges=_superseding(replaced or ()),
        )

    def _relation(self, block: Block, said: Relation, key_of: Callable[[str], str]) -> Proposal:
        foreign: dict[str, object] = {"relation_type": said.label}
        if said.context:
            foreign["context"] = said.context
        label = slug(said.label, "_")
        if label in _SUPERSEDED_BY:
            foreign["superseded_by"] = said.target
        mark = fields.fingerprint("relation", said.label, said.target)[:16]
        return self._proposal(
            block,
            f"{self.title} {said.label.replace('_', ' ')} {said.target}",
            kind=Kind.FACT,
            own=fields.numbered(f"{SYSTEM}{self.key}#{mark}", self._seen),
            entities=(self.title, said.target),
            evidence=Span(0, len(block.raw)),
            foreign=foreign,
            edges=_superseding((key_of(said.target),) if label in _SUPERSEDES else ()),
        )

    def _proposal(  # noqa: PLR0913 - each is a field of the proposal
        self,
        block: Block,
        claim: str,
        *,
        kind: Kind,
        own: str,
        entities: tuple[str, ...],
        evidence: Span,
        foreign: dict[str, object],
        edges: tuple[Edge, ...],
    ) -> Proposal:
        written_at, remarks = self._written_at()
        kept: dict[str, object] = {
            name: value for name, value in self.front.items() if value and name not in _TAKEN
        }
        if self.front.get("status", "").lower() == "superseded":
            remarks.append(RemarkCode.MARKED_SUPERSEDED)
        if block.section:
            kept["section"] = block.heading_path()
        return Proposal(
            claim=claim,
            kind=kind,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=own,
            written_at=written_at,
            scope=self._scope(),
            entities=tuple(dict.fromkeys(entities)),
            edges=edges,
            evidence=(evidence,),
            foreign=kept | foreign,
            remarks=tuple(remarks),
        )

    def _scope(self) -> dict[str, str]:
        told = {
            "project": self.front.get("project", ""),
            "folder": self._folder,
            "tags": ", ".join(_tags(self.front.get("tags", ""))),
        }
        return {name: value for name, value in told.items() if value}

    def _written_at(self) -> tuple[str | None, list[str]]:
        found: dict[str, times.Moment] = {}
        for name in ("created", "modified"):
            if value := self.front.get(name):
                moment = times.moment(value)
                if moment is None:
                    raise RecordFaultError(FailReason.TIME_INVALID, name=name)
                found[name] = moment
        written = found.get("modified") or found.get("created")
        if written is None:
            assumed: list[str] = [RemarkCode.WRITTEN_AT_ASSUMED] if self._modified_at else []
            return self._modified_at, assumed
        return written.text, [RemarkCode.TIME_ZONE_ASSUMED] if written.tz_assumed else []


def slug(words: str, between: str = "-") -> str:
    """Words in lower case with ``between`` them; folders stay apart."""
    parts = (_SPLIT.sub(between, one).strip(between) for one in words.lower().split("/"))
    return "/".join(one for one in parts if one)


def _tags(value: str) -> Iterator[str]:
    """Tags as a list, as words with commas, or as JSON in a string."""
    for one in value.strip("[]").split(","):
        if tag := one.strip().strip("\"'").lstrip("#"):
            yield tag


def _superseding(keys: tuple[str, ...]) -> tuple[Edge, ...]:
    return tuple(Edge(EdgeKind.SUPERSEDES, SYSTEM + one) for one in dict.fromkeys(keys))


def _main(said: list[Said]) -> int:
    """The place of the piece that stands for the note; -1 if none does."""
    told = [(n, one) for n, one in enumerate(said) if isinstance(one, Observation) and one.text]
    decided = [n for n, one in told if one.category.lower() in ("decision", "decisions")]
    return decided[0] if decided else told[0][0] if told else -1


def _bullets(block: Block) -> Iterator[Block]:
    """A list item and those nested in it, each as a block of its own."""
    starts = [found.start() for found in _BULLET.finditer(block.raw)]
    line = block.line
    for start, after in zip(starts, [*starts[1:], len(block.raw)], strict=True):
        raw = block.raw[start:after]
        lead = len(raw) - len(raw.lstrip(b" \t"))
        begin = block.start + start + lead
        yield Block(Sort.ITEM, raw[lead:].rstrip(), line, begin, block.section)
        line += raw.count(b"\n")


def _said(block: Block) -> Said:
    if len(block.raw) > MAX_TEXT:
        return None
    try:
        words = block.text()
    except RecordFaultError:
        return None
    return lines.relation(words) or lines.observation(words)
