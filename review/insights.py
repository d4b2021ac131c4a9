"""Proposes insights from runs: what people rejected with a reason, and what they put right.

The third layer of experience. The statement is a person's own words, never a summary; a rejection
without a reason states nothing ("reason unknown"), and an edit of style alone supports nothing.
Every insight is a proposal like any other: staged, unverified, decided on by a person. Building
again makes new records where the cases have changed, and leaves the runs as they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from typing import Final

from review.evidence import found_in
from review.runs import Kept
from review.staged.manifests import look_of
from review.text import edit_parts
from store.cells import (
    Asserter,
    Case,
    Edge,
    EdgeKind,
    Kind,
    Proposal,
    SourceType,
    Span,
    Stance,
)
from store.records import Origin, Place, Read, Reading
from store.trajectories import HumanDecision, StepKind, Trajectory, Verdict

VERSION: Final = "1"
LONGEST: Final = 600
"""Characters of a statement; what is longer is a document, not a lesson."""

MOST_CASES: Final = 1_000
"""Cases for, and as many against, that one insight carries; more would not make it surer."""

_OF_ONE_RUN: Final = 20
"""Cases that one run gives an insight at most: they count once, and leave room for others."""

_EDGES: Final = 50
_Key = tuple[str, str, str]


@dataclass
class _Group:
    """Events that state the same thing."""

    statement: str
    polarity: str
    tool: str
    supporting: list[Case] = field(default_factory=list)
    acts: set[bytes] = field(default_factory=set)
    """Looks of the steps that were judged."""

    against: list[Case] = field(default_factory=list)
    given: Counter[str] = field(default_factory=Counter)
    """Cases by the item of the run that gave them."""

    opposed: set[str] = field(default_factory=set)
    """Items of the runs that are counted against it."""

    oldest: str = ""
    newest: str = ""

    @property
    def cases(self) -> list[Case]:
        """Those for it, then those against it."""
        return self.supporting + self.against


@dataclass(frozen=True, slots=True)
class Built:
    """What building came to."""

    proposals: tuple[Proposal, ...]
    runs: int
    decided: int
    """Decisions of people that were looked at."""

    unexplained: int
    """Rejections without a reason."""

    style_only: int
    """Edits that changed nothing technical."""


def built(kept: Sequence[Kept]) -> Built:
    """The insights that ``kept`` runs give, in the order of their first case."""
    groups: dict[_Key, _Group] = {}
    tally: Counter[str] = Counter()
    told = [(one, one.run) for one in kept if one.run is not None]
    for one, run in told:
        for decision in run.decisions:
            if not decision.weak:
                tally["decided"] += 1
                _take(groups, tally, one, run, decision)
    judged: dict[tuple[str, bytes], list[_Group]] = {}
    for group in groups.values():
        for look in group.acts:
            judged.setdefault((group.tool, look), []).append(group)
    for one, run in told:
        for decision in run.decisions:
            if decision.verdict is Verdict.ACCEPT and not decision.weak:
                _against(judged, one, run, decision)
    return Built(
        proposals=tuple(_proposal(key, group) for key, group in groups.items()),
        runs=len(told),
        decided=tally["decided"],
        unexplained=tally["unexplained"],
        style_only=tally["style"],
    )


def reading_of(found: Built, *, now: str) -> Reading:
    """The proposals as a source of their own, each with its cases as its bytes."""
    reads = list(_reads(found.proposals))
    whole = sha256(b"\n".join(read.raw for read in reads)).hexdigest()
    size = reads[-1].place.end if reads else 0
    origin = Origin(
        "insights from runs", whole, size, "application/jsonl", "experience", VERSION, now
    )
    return Reading(origin, iter(reads))


def _reads(proposals: Iterable[Proposal]) -> Iterator[Read]:
    at = 0
    for line, one in enumerate(proposals, 1):
        told = {
            "statement": one.claim,
            "polarity": one.polarity,
            "cases": [
                {
                    "run": case.run,
                    "stance": str(case.stance),
                    "by": case.by,
                    "review": case.review_id,
                }
                for case in one.cases
            ],
        }
        raw = json.dumps(told, ensure_ascii=False).encode("utf-8")
        quoted = json.dumps(one.claim, ensure_ascii=False).encode("utf-8")
        start = raw.find(quoted)
        evidence = (Span(start, start + len(quoted)),)
        found = Proposal(
            **{
                name: getattr(one, name) for name in one.__dataclass_fields__ if name != "evidence"
            },
            evidence=evidence,
        )
        yield Read(Place(line, at, at + len(raw)), raw, found)
        at += len(raw) + 1


def _take(
    groups: dict[_Key, _Group],
    tally: Counter[str],
    kept: Kept,
    run: Trajectory,
    decision: HumanDecision,
) -> None:
    """Let one decision found or support a group."""
    step = run.steps[decision.step] if 0 <= decision.step < len(run.steps) else None
    if decision.verdict is Verdict.REJECT:
        statement, polarity = (decision.reason or "").strip(), "avoid"
        tally["unexplained"] += not statement
    elif decision.verdict is Verdict.EDIT:
        statement, polarity = (decision.edit or "").strip(), "do"
        if step is not None and statement and edit_parts.split(step.text, statement).style_only:
            tally["style"] += 1
            return
        statement = (decision.reason or "").strip() or statement
    else:
        return
    if not statement or len(statement) > LONGEST:
        return
    tool = step.name if step is not None else ""
    key = (polarity, tool, " ".join(edit_parts.said(statement)))
    group = groups.setdefault(key, _Group(statement, polarity, tool))
    group.given[kept.item] += 1
    if len(group.supporting) < MOST_CASES and group.given[kept.item] <= _OF_ONE_RUN:
        group.supporting.append(_case(run, decision, Stance.SUPPORTS, statement))
    if step is not None and polarity == "avoid":
        group.acts.add(look_of(step.text))
    moment = decision.at or run.ended_at or kept.recorded_at
    group.oldest = min(group.oldest or moment, moment)
    group.newest = max(group.newest, moment)


def _against(
    judged: dict[tuple[str, bytes], list[_Group]],
    kept: Kept,
    run: Trajectory,
    decision: HumanDecision,
) -> None:
    """An acceptance of the very act that was rejected stands against the reason, once a run."""
    if not 0 <= decision.step < len(run.steps):
        return
    step = run.steps[decision.step]
    for group in judged.get((step.name, look_of(step.text)), ()):
        # By the item: a file may give its run the id of another one.
        if kept.item in group.opposed or len(group.against) >= MOST_CASES:
            continue
        group.opposed.add(kept.item)
        group.against.append(_case(run, decision, Stance.CONTRADICTS, group.statement))
        group.newest = max(group.newest, decision.at or run.ended_at or kept.recorded_at)


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


def _proposal(key: _Key, group: _Group) -> Proposal:
    digest = sha256("\0".join(key).encode("utf-8")).hexdigest()[:24]
    turns = zip_longest(group.supporting, group.against)
    runs = list(dict.fromkeys(case.run for turn in turns for case in turn if case is not None))
    return Proposal(
        claim=group.statement,
        kind=Kind.INSIGHT,
        source_type=SourceType.HUMAN_REVIEW,
        source_id=f"insight:{digest}",
        # The age of an insight is that of its oldest case, however often it is built again.
        written_at=group.oldest,
        scope={"tool": group.tool} if group.tool else {},
        polarity=group.polarity,
        cases=tuple(group.cases),
        edges=tuple(
            Edge(EdgeKind.DERIVED_FROM, run, asserter=Asserter.RULE) for run in runs[:_EDGES]
        ),
        evidence=(Span(0, 1),),
        foreign={"newest_case": group.newest, "built_by": f"experience/{VERSION}"},
    )
