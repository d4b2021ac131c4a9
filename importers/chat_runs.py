"""Builds the runs of one conversation from its messages, for chats that branch.

A run is one question of a person with all that follows until the next. What comes before the
first question belongs to the first run. A branch that was left repeats the question it shares, so
it can be read alone, and names the run beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from importers import message_tree, reads
from importers.json_reading.slices import KEPT, Slice
from importers.message_tree import Node, Run
from importers.runs import RunBuilder
from importers.times import Moment
from store.records import Nothing, NothingReason, Place, Read, RemarkCode
from store.trajectories import HumanDecision, Omitted, StepKind, Trajectory

MAX_BESIDE: Final = 100
"""Values that a run keeps under one name of ``foreign``."""


class Draft(NamedTuple):
    """A step before it has its place."""

    kind: StepKind
    text: str
    name: str = ""
    call: str = ""
    failed: bool = False
    omitted: Omitted | None = None
    at: str | None = None
    """When, if the format tells it for the step and not for the message alone."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message, read."""

    key: str
    part: Slice
    parent: str | None
    opens: bool
    """Whether a person asks something here."""

    who: str
    at: Moment | None
    steps: tuple[Draft, ...]
    remarks: tuple[RemarkCode, ...] = ()
    foreign: Mapping[str, object] = field(default_factory=dict)
    """What is said of this message beside its steps; collected in a list for the run."""

    decision: HumanDecision | None = None
    """A person's judgement of this message; its step is set when the run is built."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What holds for the whole conversation."""

    own: str
    """Its identity with the system in front."""

    run: Mapping[str, str]
    foreign: Mapping[str, object]
    started_at: str | None = None
    """For a run whose messages have no time."""

    member: str = ""


def built(
    chat: Chat, messages: Sequence[Message], leaf: str | None, tally: reads.Tally
) -> Iterator[Read]:
    """One ``Read`` per run; branches that were left come after the path that was followed."""
    by_key = {one.key: one for one in messages}
    nodes = [
        Node(one.key, one.parent, one.opens, one.at.instant().timestamp() if one.at else None)
        for one in messages
    ]
    found = message_tree.runs(nodes, leaf)
    names = [_name(chat, run, by_key) for run in found]
    for run, name in zip(found, names, strict=True):
        beside = None if run.beside is None else names[run.beside]
        yield _read(chat, run, [by_key[key] for key in run.keys], (name, beside), tally)


def empty(piece: Slice, member: str = "") -> Read:
    """A conversation in which nothing was said."""
    place = reads.place_of(piece, member)
    raw = piece.raw if len(piece.raw) <= 64 * KEPT else piece.raw[:KEPT]
    return Read(place, raw, Nothing(NothingReason.EMPTY_RUN))


def _name(chat: Chat, run: Run, messages: Mapping[str, Message]) -> str:
    asked = next((key for key in run.keys if messages[key].opens), run.own)
    shared = run.keys[0] != run.own and run.beside is not None
    return f"{chat.own}/{asked}@{run.own}" if shared else f"{chat.own}/{asked}"


def _read(
    chat: Chat,
    run: Run,
    messages: Sequence[Message],
    names: tuple[str, str | None],
    tally: reads.Tally,
) -> Read:
    builder = RunBuilder(member=chat.member)
    builder.run.update(chat.run)
    builder.foreign.update(chat.foreign)
    builder.branch_of = names[1]
    shared = True
    for one in messages:
        shared = shared and one.key != run.own
        _add(builder, one, judged=not shared)
    if not builder.steps:
        first = messages[0].part
        place = Place(first.line, first.start, first.end, chat.member)
        return Read(place, first.raw[: 64 * KEPT], Nothing(NothingReason.EMPTY_RUN))
    if names[1] is not None:
        builder.remarks[RemarkCode.OTHER_BRANCHES] = None
    read = builder.read(names[0])
    if isinstance(read.found, Trajectory):
        tally.add(*(RemarkCode(code) for code in read.found.remarks))
        if read.found.started_at is None and chat.started_at is not None:
            return replace(read, found=replace(read.found, started_at=chat.started_at))
    return read


def _add(builder: RunBuilder, message: Message, *, judged: bool) -> None:
    at = message.at.text if message.at else None
    step = -1
    for draft in message.steps:
        step = builder.add(
            draft.kind,
            draft.text,
            message.part,
            who=message.who,
            at=draft.at or at,
            name=draft.name,
            call=draft.call,
            failed=draft.failed,
            omitted=draft.omitted,
        )
    builder.remarks.update(dict.fromkeys(message.remarks))
    if message.at is not None and message.at.tz_assumed:
        builder.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
    for name, value in message.foreign.items():
        told = builder.foreign.setdefault(name, [])
        if isinstance(told, list):
            for one in value if isinstance(value, list) else [value]:
                if one not in told and len(told) < MAX_BESIDE:
                    told.append(one)
    if message.decision is not None and judged:
        builder.decide(replace(message.decision, step=step))
