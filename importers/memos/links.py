"""How MemOS memories hang together: the edges of a tree, the history of a node, what it covers.

MemOS writes an edge from one node to another; here an edge stands on the cell that makes the
claim, so some are turned round: what was merged is superseded by what it was merged into, and a
summary is derived from its children. Types without a word of ours are relations, kept as such.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading import opened
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from store.cells import Edge, EdgeKind
from store.records import Nothing, NothingReason

SYSTEM: Final = "memos:"
EDGES: Final = "edges"
_FROM: Final = ("source", "source_id", "from")
_TO: Final = ("target", "target_id", "to")
_TYPE: Final = ("type", "relation", "relation_type")
_ALONG: Final = {
    "AGGREGATES": EdgeKind.DERIVED_FROM,
    "CONFLICT": EdgeKind.CONFLICTS_WITH,
    "CONFLICTS": EdgeKind.CONFLICTS_WITH,
    "CONFLICTS_WITH": EdgeKind.CONFLICTS_WITH,
    "CONTRADICTS": EdgeKind.CONTRADICTS,
    "DUPLICATE": EdgeKind.DUPLICATE_OF,
    "PARENT": EdgeKind.DERIVED_FROM,
    "SUMMARY": EdgeKind.DERIVED_FROM,
    "SUPERSEDES": EdgeKind.SUPERSEDES,
    "SUPPORTS": EdgeKind.SUPPORTS,
}
"""The edge stands on its ``source``."""

_AGAINST: Final = {
    "AGGREGATE_TO": EdgeKind.DERIVED_FROM,
    "EVOLVE_TO": EdgeKind.SUPERSEDES,
    "INFERS": EdgeKind.DERIVED_FROM,
    "MERGED_TO": EdgeKind.SUPERSEDES,
}
"""The edge stands on its ``target``."""

_RELATED: Final = frozenset(
    {"CAUSE", "CONDITION", "FOLLOWS", "RELATE", "RELATED", "RELATE_TO", "RELATES"}
)
_NO_EDGE: Final = frozenset({"unrelated"})


class Links:
    """The edges of one file, by the node they stand on. Ids only, no text."""

    def __init__(self) -> None:
        self._edges: dict[str, list[Edge]] = {}
        self._related: dict[str, list[str]] = {}
        self._nodes: set[str] = set()
        self.dangling = 0
        self.unknown = 0

    def take(self, edges: Iterable[Slice]) -> bool:
        """Remember what the edges say; whether there was one."""
        found = False
        for piece in edges:
            found = True
            try:
                first, second, word = _ends(parse_object(piece.raw))
            except RecordFaultError:
                continue
            if word in _ALONG:
                self._edges.setdefault(first, []).append(Edge(_ALONG[word], SYSTEM + second))
            elif word in _AGAINST:
                self._edges.setdefault(second, []).append(Edge(_AGAINST[word], SYSTEM + first))
            elif word in _RELATED:
                self._related.setdefault(first, []).append(SYSTEM + second)
        return found

    def know(self, native: str) -> None:
        """Take note of a node of the file."""
        self._nodes.add(native)

    def edges(self, native: str) -> tuple[Edge, ...]:
        """Edges that stand on a node."""
        return tuple(self._edges.get(native, ()))

    def related(self, native: str) -> list[str]:
        """Source ids that a node is related to, in ways that have no word of ours."""
        return list(self._related.get(native, ()))

    def read(self, record: JsonObject, _: bytes) -> Nothing:
        """What an edge is as a record: told by its node, or nothing that anybody can tell.

        Raises:
            RecordFaultError: If it does not name its ends.
        """
        first, second, word = _ends(record)
        if not {first, second} <= self._nodes:
            self.dangling += 1
        if word not in _ALONG and word not in _AGAINST and word not in _RELATED:
            self.unknown += 1
            return Nothing(NothingReason.UNKNOWN_TYPE)
        carrier = second if word in _AGAINST else first
        told = carrier in self._nodes
        return Nothing(NothingReason.DISTILLED_ELSEWHERE if told else NothingReason.NOT_A_MEMORY)


def of_history(metadata: JsonObject) -> tuple[Edge, ...]:
    """Edges to the versions that a memory replaced, and to those that it conflicted with.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if the history is no list of versions.
    """
    found: list[Edge] = []
    for version in opened.listed(metadata, "history")[0]:
        if not isinstance(version, dict):
            continue
        archived = fields.identity(version, "archived_memory_id", called="history")
        update = fields.text(version, "update_type", called="history")
        if archived and update not in _NO_EDGE:
            kind = EdgeKind.CONFLICTS_WITH if update == "conflict" else EdgeKind.SUPERSEDES
            found.append(Edge(kind, SYSTEM + archived))
    covered, _ = opened.words(metadata, "covered_history")
    found += [Edge(EdgeKind.SUPERSEDES, SYSTEM + one) for one in covered]
    return tuple(dict.fromkeys(found))


def _ends(record: JsonObject) -> tuple[str, str, str]:
    first, second = _either(record, _FROM, "source"), _either(record, _TO, "target")
    return first, second, _either(record, _TYPE, "type").upper().replace(" ", "_")


def _either(record: JsonObject, names: tuple[str, ...], called: str) -> str:
    for name in names:
        if found := fields.identity(record, name, called=called):
            return found
    return fields.needed({}, called)
