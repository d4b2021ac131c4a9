"""What happened in one run, as the source tells it: steps, what a person decided, how it ended.

A trajectory is evidence. It is kept as it was read, never changed and never served: only cells
can be, and only a person's signature makes a cell durable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from store.cells import Span


class StepKind(StrEnum):
    """What a step is. A closed list; every importer maps onto it."""

    INPUT = "input"
    """What a person asked or said."""

    SAID = "said"
    """What the agent said."""

    THOUGHT = "thought"
    """Reasoning, where the format keeps it."""

    ACTION = "action"
    """A call of a tool, with its arguments."""

    RESULT = "result"
    """What a call gave back."""

    RECALLED = "recalled"
    """Memory or documents that were put into the context."""

    INSTRUCTION = "instruction"
    """What the program told the agent: system text, skills, rules."""

    NOTE = "note"
    """What the machine did on its own: hooks, compaction, lines of an unknown type."""


class Verdict(StrEnum):
    """What a person did with a step. There is no fourth: absence is undecided, never accept."""

    ACCEPT = "accept"
    REJECT = "reject"
    EDIT = "edit"


class RunStatus(StrEnum):
    """How a run ended, where its format says so."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Omitted:
    """What a step had beyond its bounds, in place of the bytes themselves."""

    size: int
    """Bytes of the whole."""

    sha256: str
    """Of the whole, hex."""

    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run, with its place in the source and in the bytes that are kept of it."""

    kind: StepKind
    text: str
    """At most 64 KiB of UTF-8; ``omitted`` says what was longer."""

    span: Span | None
    """Bytes of the record's own ``raw``; None where those bytes are not kept."""

    line: int
    start: int
    end: int
    """The half-open byte range of the step's line or element in its source."""

    who: str = ""
    """Who acted, as the file names them: a claim."""

    at: str | None = None
    """When, RFC 3339."""

    name: str = ""
    """The tool of an action or of a result."""

    call: str = ""
    """The id that joins a result to its action."""

    failed: bool = False
    """Whether the format marks the step as an error."""

    omitted: Omitted | None = None


@dataclass(frozen=True, slots=True)
class HumanDecision:
    """What a person decided on one step, only where the format really has it."""

    verdict: Verdict
    step: int
    """Index of the step that was judged; -1 for the run as a whole."""

    reason: str | None = None
    """In the person's words. A reject without one is "reason unknown"."""

    edit: str | None = None
    """The text that the person put in place of the step's."""

    by: str = ""
    """Who, as the file names them: a claim."""

    at: str | None = None
    review_id: str = ""
    """Identity of the review; repeats of one review count once."""

    weak: bool = False
    """A thumb, a ranking, a status: not a person's decision on this very step."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One run: from what was asked to how it ended."""

    source_id: str
    """Stable identity with the system in front, such as ``claude-code:<session>/<uuid>``."""

    steps: tuple[Step, ...]
    run: Mapping[str, str] = field(default_factory=dict)
    """Ids of the run in its system: ``{"session": …, "trace": …}``."""

    decisions: tuple[HumanDecision, ...] = ()
    """Empty is undecided."""

    status: RunStatus = RunStatus.UNKNOWN
    started_at: str | None = None
    ended_at: str | None = None
    branch_of: str | None = None
    """``source_id`` of the run beside which this one is an alternative (a rewind, a retry)."""

    foreign: Mapping[str, object] = field(default_factory=dict)
    """Anything else the source says, as its claim."""

    remarks: tuple[str, ...] = ()
    """Codes of ``store.records.RemarkCode`` that hold for this record alone."""
