"""Walks one agent file: where its agents, blocks and messages stand, and whose they are.

An agent file holds secrets: variables of the agent's tools and tokens of MCP servers. Only the
members named here are ever looked at, and an agent as a whole is never anybody's bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, Final

from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import parse

AGENTS: Final = "agents"
BLOCKS: Final = frozenset({"blocks", "core_memory", "memory_blocks"})
MESSAGES: Final = "messages"
CLOSED: Final = frozenset({"mcp_servers"})
"""Lists whose elements may hold secrets; their bytes are not kept."""

BESIDE: Final = frozenset({"tools", "files", "sources", "groups", "skills", *CLOSED})
"""Lists that hold no memory."""

LISTS: Final = frozenset({AGENTS, MESSAGES, *BLOCKS, *BESIDE})
KNOWN: Final = frozenset({*LISTS, "metadata", "created_at"})
"""Members of a set of agents; any other is told of."""

_WANTED: Final = frozenset({"name", "id", "agent_type", "block_ids", "created_at", "updated_at"})


@dataclass(frozen=True, slots=True)
class Document:
    """An object in a source: the whole file, or an element of a list in it."""

    open: Callable[[], BinaryIO]
    start: int = 0
    line: int = 1

    def walk(self, lists: frozenset[str]) -> Iterator[Slice | Beside]:
        """Elements of ``lists`` with their places in the source, and other members."""
        with self.open() as stream:
            for one in json_slices.elements(stream, lists):
                if isinstance(one, Beside):
                    yield one
                else:
                    yield one._replace(
                        line=one.line + self.line - 1,
                        start=one.start + self.start,
                        end=one.end + self.start,
                    )


def inside(piece: Slice) -> Document:
    """The object that ``piece`` is."""
    return Document(lambda: BytesIO(piece.raw), piece.start, piece.line)


def bare(piece: Slice) -> Slice:
    """``piece`` without its bytes."""
    return piece._replace(end=piece.start, raw=b"")


@dataclass(slots=True)
class Agent:
    """What a file says of one agent, without its settings."""

    name: str = ""
    native: str = ""
    type: str = ""
    blocks: tuple[str, ...] = ()
    created_at: object = None
    updated_at: object = None

    @property
    def speaks_through_a_tool(self) -> bool:
        """Whether its own text is thinking, and ``send_message`` is how it speaks."""
        return not self.type.startswith(("letta_v1", "react"))


@dataclass(slots=True)
class Contents:
    """What is known of a document before its records are read."""

    own: Agent = field(default_factory=Agent)
    """The document itself, which is an agent in the older format."""

    agents: list[Agent] = field(default_factory=list)
    is_set: bool = False
    """Whether it is a set of agents with blocks beside them, the newer format."""

    def holders(self, block: str) -> list[Agent]:
        """The agents that hold the block with this id."""
        if not self.is_set:
            return [self.own]
        return [one for one in self.agents if block in one.blocks]


def contents(document: Document) -> Contents:
    """Reads what stands around the records of a document."""
    found = Contents()
    for one in document.walk(LISTS):
        if isinstance(one, Beside):
            _note(found.own, one)
            found.is_set = found.is_set or one.key == AGENTS
        elif one.key == AGENTS and one.fault is None:
            found.agents.append(agent(inside(one)))
    return found


def agent(document: Document) -> Agent:
    """Reads what a document says of its agent."""
    found = Agent()
    for one in document.walk(LISTS):
        if isinstance(one, Beside):
            _note(found, one)
    return found


def _note(found: Agent, one: Beside) -> None:
    if one.key not in _WANTED or not one.raw:
        return
    try:
        value = parse(one.raw)
    except RecordFaultError:
        return
    if one.key == "block_ids":
        if isinstance(value, list):
            found.blocks = tuple(each for each in value if isinstance(each, str))
    elif one.key in ("created_at", "updated_at"):
        setattr(found, one.key, value)
    elif isinstance(value, str):
        setattr(found, {"name": "name", "id": "native", "agent_type": "type"}[one.key], value)
