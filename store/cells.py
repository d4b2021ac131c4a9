"""The vocabulary of memory: what a cell is made of, before and after somebody decides on it.

These are values. They hold no behaviour beyond saying what they are, and they import nothing of
ours. There is deliberately no field that says "trusted": see ``VALIDATION_STATE``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

VALIDATION_STATE: Final = "unverified"
"""The validation state of every cell, for ever. No code path produces another value."""


class Kind(StrEnum):
    """What sort of memory a cell is. A closed list; every importer maps onto it."""

    PROFILE_PREFERENCE = "profile_preference"
    VALIDATED_FACT = "validated_fact"
    FACT = "fact"
    EVENT = "event"
    DECISION = "decision"
    PROCEDURE = "procedure"
    SESSION_SUMMARY = "session_summary"
    INSIGHT = "insight"
    REFERENCE = "reference"


class SourceType(StrEnum):
    """Where a claim comes from. A closed list; policy denies some of it."""

    RAW_USER_PROMPT = "raw_user_prompt"
    EXTERNAL_HTML = "external_html"
    UNVALIDATED_TOOL_OUTPUT = "unvalidated_tool_output"
    USER_STATEMENT_CONFIRMED = "user_statement_confirmed"
    DOCUMENT = "document"
    OWNER_ORDER = "owner_order"
    SYSTEM_OF_RECORD = "system_of_record"
    AGENT_SUMMARY = "agent_summary"
    MODEL_EXTRACTION = "model_extraction"
    HUMAN_REVIEW = "human_review"
    FOREIGN_MEMORY = "foreign_memory"


class EdgeKind(StrEnum):
    """How one cell bears on another."""

    SUPERSEDES = "supersedes"
    CONFLICTS_WITH = "conflicts_with"
    DEPENDS_ON = "depends_on"
    DERIVED_FROM = "derived_from"
    DUPLICATE_OF = "duplicate_of"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


class Asserter(StrEnum):
    """Who says that an edge holds. ``source`` is a claim of the imported file."""

    SOURCE = "source"
    RULE = "rule"
    MODEL = "model"
    PERSON = "person"


class Precision(StrEnum):
    """How exactly the bounds of a validity interval are known."""

    INSTANT = "instant"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range ``[start, end)``, zero-based, in units that its owner names."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Interval:
    """World time ``[start, end)``: when a claim holds. ``None`` is open.

    Bounds are RFC 3339 instants or plain dates (``2026-03-01``), as the source gave them.
    """

    start: str | None = None
    end: str | None = None
    precision: Precision = Precision.UNKNOWN


class Cardinality(StrEnum):
    """How many values of a parameter one subject can have at one moment."""

    ONE = "one"
    MANY = "many"
    UNKNOWN = "unknown"


class FactRole(StrEnum):
    """What a claim does with a value."""

    STATES = "states"
    """The parameter has this value."""

    ENDS = "ends"
    """The value no longer holds: "we close Koledino", "no longer lives in Kazan"."""

    RESTS_ON = "rests_on"
    """The claim holds only while this value does: "for shipping to Koledino we use …"."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``parameter = value`` of a subject, with the span of the claim it was read from.

    ``span`` counts characters of the claim. A fact whose span does not contain its value is
    refused when it is staged. ``subject``, ``parameter`` and ``value`` are as written, the three
    keys are their normal forms, by which facts are compared; an empty key is "not said".
    """

    subject: str
    parameter: str
    value: str
    span: Span
    valid: Interval = Interval()
    role: FactRole = FactRole.STATES
    subject_key: str = ""
    parameter_key: str = ""
    value_key: str = ""
    cardinality: Cardinality = Cardinality.UNKNOWN
    reader: str = "source"
    """Who read it: ``source``, a parser such as ``grammar/1``, a model, or ``person``."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An old answer: what was concluded, for which task, resting on which facts."""

    text: str
    task: str
    support: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed link from the cell that carries it to ``target``.

    ``target`` is a source id while the record is a proposal and an item id once staged.
    ``strength`` is a decimal string in ``0`` to ``1`` ("0.9"), because what is signed holds no
    floating-point numbers.
    """

    kind: EdgeKind
    target: str
    strength: str = "1"
    asserter: Asserter = Asserter.SOURCE


@dataclass(frozen=True, slots=True)
class Pointer:
    """Content that is kept apart from a claim which only names it."""

    content: str
    """Commitment of the content in the vault, 64 hex digits."""

    size: int
    """Bytes."""

    sha256: str
    """Of the content, hex."""


class Stance(StrEnum):
    """How a run bears on an insight."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Case:
    """One run for or against an insight, and what tells whether it repeats another."""

    run: str
    """``source_id`` of the trajectory."""

    stance: Stance
    session: str = ""
    review_id: str = ""
    by: str = ""
    """Who decided, as the file names them."""

    recalled: bool = False
    """Whether the words stood in memory that was recalled in that run: an echo, not a case."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One memory as a foreign file tells it. Nothing in it is believed; it is shown.

    ``foreign`` holds what the file claims about itself and about its own trust: writer, tenant,
    confidence, status, approvals. It is displayed as the file's claim and sets nothing.
    """

    claim: str
    kind: Kind
    source_type: SourceType
    source_id: str
    """Stable native identity with the system in front, such as ``mem0:31f4…``."""

    written_at: str | None
    """When the foreign system says it wrote this, RFC 3339 with offset. Never world time."""

    valid: Interval = Interval()
    scope: Mapping[str, str] = field(default_factory=dict)
    """Where the claim applies: ``{"user": "alex", "run": "run-42"}``."""

    entities: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    conclusion: Conclusion | None = None
    edges: tuple[Edge, ...] = ()
    verbatim: bool = False
    immutable: str | None = None
    """Why nothing but a person may supersede it: ``owner:<who>`` or ``procedure:<which>``."""

    expires_at: str | None = None
    polarity: str | None = None
    """For an insight: ``do`` or ``avoid``."""

    review_id: str | None = None
    """``source_review_id``: independent confirmations are counted by it."""

    pointer: Pointer | None = None
    """Bulky content that the claim only names. It is fetched by range, under the same rules."""

    cases: tuple[Case, ...] = ()
    """Of an insight: the runs for and against it."""

    confidence: str | None = None
    """A confidence the source gave, as a decimal string. A model's opinion, not a count."""

    evidence: tuple[Span, ...] = ()
    """Byte spans of the record's own bytes that carry the claim."""

    foreign: Mapping[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    """Codes of ``store.records.RemarkCode`` that hold for this record alone."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a cell comes from. All six fields are mandatory on every cell."""

    source_type: SourceType
    source_id: str
    writer_identity: str
    """Identity of the process that wrote it here, from its own configuration."""

    tenant_id: str
    written_at: str
    validation_state: str = VALIDATION_STATE
