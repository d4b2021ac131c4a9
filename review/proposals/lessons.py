"""Makes staged proposals of the insights in a reply. A person decides on each, like on any record.

An insight of a model counts for nothing by itself: it has a case only where it quotes a step that
a person judged, and then it is that person's judgement that counts.

Source: the domain's invariant 10; ours where it says what a model's evidence is worth.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from review.evidence import found_in
from review.proposals.jobs import Job
from review.proposals.places import place
from review.proposals.shapes import EvidenceTold, InsightsTold, InsightTold
from review.runs import Kept
from store.cells import Asserter, Case, Edge, EdgeKind, Kind, Proposal, SourceType, Span, Stance
from store.records import Origin, Place, Read, Reading
from store.trajectories import HumanDecision, StepKind, Trajectory

IMPORTER: Final = "model_help"
_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class Witness:
    """Words of a run that are quoted for or against an insight, where they stand."""

    run: str
    """Item of the run."""

    step: int
    span: Span
    """Characters of the step's text; of a decision's words when ``decided``."""

    stance: Stance
    decided: bool
    """Whether the words are a person's reason or correction."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One insight that its runs bear out."""

    told: InsightTold
    witnesses: tuple[Witness, ...]
    cases: tuple[Case, ...]


def source_id(key: str, n: int) -> str:
    """The identity of the ``n``-th insight of a record: the same reply gives the same record."""
    return f"{IMPORTER}:{key[:32]}/{n}"


def lessons(told: InsightsTold, runs: Sequence[Kept]) -> tuple[tuple[Lesson, ...], int]:
    """The insights with at least one quote that stands in its run, and how much was dropped.

    Args:
        told: The reply.
        runs: The runs that were given, in the order of their labels ``r1``, ``r2``, …
    """
    kept: list[Lesson] = []
    dropped = 0
    for one in told.insights:
        pairs = [(_witness(each, runs), each) for each in one.evidence]
        dropped += sum(found is None for found, _ in pairs)
        found = tuple(dict.fromkeys(each for each, _ in pairs if each is not None))
        if not found or not one.statement.strip():
            dropped += 1
            continue
        kept.append(Lesson(one, found, _cases(one, found, runs)))
    return tuple(kept), dropped


def reading_of(
    some: Sequence[Lesson], runs: Sequence[Kept], *, key: str, reader: str, now: str
) -> Reading:
    """The insights as a source of their own, to be staged like an import.

    Args:
        some: What was learned.
        runs: The runs it was learned from.
        key: Of the record that they were read from.
        reader: Which model by which prompt, for people.
        now: RFC 3339; an insight without a dated case has this age.
    """
    reads = list(_reads(some, runs, key, reader, now))
    whole = sha256(b"\n".join(read.raw for read in reads)).hexdigest()
    size = reads[-1].place.end if reads else 0
    origin = Origin(
        "insights that a model proposes", whole, size, "application/jsonl", IMPORTER, _VERSION, now
    )
    return Reading(origin, iter(reads))


def _witness(told: EvidenceTold, runs: Sequence[Kept]) -> Witness | None:
    number = int(told.run[1:]) if told.run[:1] == "r" and told.run[1:].isdecimal() else 0
    kept = runs[number - 1] if 1 <= number <= len(runs) else None
    if kept is None or kept.run is None:
        return None
    stance = Stance(told.stance)
    for decision in kept.run.decisions:
        words = (decision.reason, decision.edit)
        if decision.step == told.step and not decision.weak:
            for text in filter(None, words):
                span = place(text, told.quote)
                if span is not None:
                    return Witness(kept.item, told.step, span, stance, decided=True)
    if told.step >= len(kept.run.steps):
        return None
    span = place(kept.run.steps[told.step].text, told.quote)
    return None if span is None else Witness(kept.item, told.step, span, stance, decided=False)


def _cases(told: InsightTold, found: Sequence[Witness], runs: Sequence[Kept]) -> tuple[Case, ...]:
    by_item = {one.item: one.run for one in runs if one.run is not None}
    cases: dict[Case, None] = {}
    for witness in found:
        run = by_item[witness.run]
        for decision in run.decisions:
            if decision.step == witness.step and not decision.weak:
                cases[_case(run, decision, witness.stance, told.statement)] = None
    return tuple(cases)


def _case(run: Trajectory, decision: HumanDecision, stance: Stance, statement: str) -> Case:
    recalled = any(
        step.kind is StepKind.RECALLED and found_in(step.text, statement) for step in run.steps
    )
    return Case(
        run=run.source_id,
        stance=stance,
        session=run.run.get("session", ""),
        review_id=decision.review_id,
        by=decision.by,
        recalled=recalled,
    )


def _reads(
    some: Sequence[Lesson], runs: Sequence[Kept], key: str, reader: str, now: str
) -> Iterator[Read]:
    named = {one.item: one.run.source_id for one in runs if one.run is not None}
    at = 0
    for n, one in enumerate(some, 1):
        quotes = [[w.run, w.step, w.span.start, w.span.end, str(w.stance)] for w in one.witnesses]
        told = {"statement": one.told.statement, "polarity": one.told.polarity, "quotes": quotes}
        raw = json.dumps(told, ensure_ascii=False).encode("utf-8")
        quoted = json.dumps(one.told.statement, ensure_ascii=False).encode("utf-8")
        start = raw.find(quoted)
        found = Proposal(
            claim=one.told.statement,
            kind=Kind.INSIGHT,
            source_type=SourceType.MODEL_EXTRACTION,
            source_id=source_id(key, n),
            written_at=now,
            scope={"tool": one.told.tool} if one.told.tool else {},
            polarity=one.told.polarity,
            cases=one.cases,
            edges=tuple(
                Edge(EdgeKind.DERIVED_FROM, named[item], asserter=Asserter.MODEL)
                for item in dict.fromkeys(w.run for w in one.witnesses)
            ),
            evidence=(Span(start, start + len(quoted)),),
            foreign={"claimed_writer": reader, "job": str(Job.INSIGHTS)},
        )
        yield Read(Place(n, at, at + len(raw)), raw, found)
        at += len(raw) + 1
