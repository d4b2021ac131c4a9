"""What a trace is made of, whatever system wrote it: spans, what was said in them, judgements.

These are values on the way to a ``Trajectory``. They hold what one span of the file says, before
anybody has decided which of it repeats what another span said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from importers import fields, times
from importers.json_reading.slices import Slice
from importers.times import Moment
from store.records import Read, RemarkCode
from store.trajectories import Omitted, StepKind, Verdict


class Sort(StrEnum):
    """What a span does. Each format maps its own words onto these."""

    AGENT = "agent"
    """A run of an agent, or the whole trace."""

    MODEL = "model"
    TOOL = "tool"
    RETRIEVER = "retriever"
    """A search that puts documents or memories into the context."""

    CHAIN = "chain"
    """A step of a program around the others; what it holds mostly repeats them."""

    CHECK = "check"
    """A guardrail or an evaluation by a machine."""

    EMBEDDING = "embedding"
    OTHER = "other"
    """A span that has nothing to do with an agent."""


@dataclass(slots=True)
class Utterance:
    """Something said or done, before it is known to be a step of the run."""

    kind: StepKind
    text: str
    who: str = ""
    name: str = ""
    call: str = ""
    failed: bool = False
    omitted: Omitted | None = None
    loose: bool = False
    """Whether it was not recognised as a message: the plain input or output of a span."""


@dataclass(slots=True)
class TraceSpan:
    """One span, observation or run of a trace."""

    id: str
    piece: Slice
    sort: Sort
    last: Slice | None = None
    """Where its output stands, if not in ``piece``."""

    parent: str = ""
    name: str = ""
    start: Moment | None = None
    end: Moment | None = None
    order: str = ""
    """A place in the order that the file gives itself, for spans that start together."""

    input: list[Utterance] = field(default_factory=list)
    output: list[Utterance] = field(default_factory=list)
    notes: list[Utterance] = field(default_factory=list)
    tool: str = ""
    call: str = ""
    model: str = ""
    failed: bool = False
    ok: bool = False
    error: str = ""


@dataclass(slots=True)
class Judgement:
    """What somebody or something said about a span or a trace. Only a person's may decide."""

    piece: Slice
    text: str
    name: str = ""
    target: str = ""
    """Id of the span, or ``@`` and where it begins; empty for the trace."""

    verdict: Verdict | None = None
    human: bool = False
    reason: str | None = None
    edit: str | None = None
    by: str = ""
    at: str | None = None
    review_id: str = ""
    weak: bool = False


@dataclass(slots=True)
class Parts:
    """All that a source holds of one trace."""

    spans: list[TraceSpan] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    run: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, object] = field(default_factory=dict)
    remarks: dict[RemarkCode, None] = field(default_factory=dict)
    faults: list[Read] = field(default_factory=list)
    """Pieces that could not be read; the others are read all the same."""

    unknown: int = 0
    """Spans of a sort that is not known here; they are kept as notes."""

    repeated: int = 0
    """Different spans under one id."""

    prefix: str = ""
    """Stands before the trace's id in the identity of what holds no spans."""


KEPT: Final = 4_096
_ABSENT: Final = (None, "", 0, "0")


def when(record: dict[str, object], *names: str) -> Moment | None:
    """The first time that stands under one of ``names``; nought is no time.

    Raises:
        RecordFaultError: ``TIME_INVALID``, naming the first name.
    """
    for name in names:
        if record.get(name) not in _ABSENT:
            return fields.instant(record, name, called=names[0])
    return None


def assumed(parts: Parts, *moments: Moment | None) -> None:
    """Remark on times without a zone."""
    if any(one is not None and one.tz_assumed for one in moments):
        parts.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None


def keep(parts: Parts, name: str, value: object) -> None:
    """Keep a value under ``foreign``, if there is one and it is not bulky."""
    if value in (None, "", [], {}) or name in parts.foreign:
        return
    told = fields.told(value)
    size = len(fields.canonical(told))
    parts.foreign[name] = told if size <= KEPT else {"bytes_left_out": size}


def later(one: Moment | None, other: Moment | None) -> bool:
    """Whether ``one`` comes after ``other``; a missing time is never later."""
    return one is not None and (other is None or times.is_later(one, other))
