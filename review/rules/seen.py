"""What people decided in the runs that are kept: the events that a rule is counted from.

A case that an insight names is only a name. What counts is the decision itself, read from the run
that is kept as evidence; a run that was erased or never came is no event.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from review import runs
from review.runs import Kept
from review.staged.manifests import look_of
from store import run_queries
from store.cells import Span
from store.log import Store
from store.trajectories import HumanDecision, Step, StepKind, Trajectory, Verdict

LONGEST: Final = 2_000
"""Characters of a step's text or of a question that are kept at hand."""

_RECALLED: Final = 20_000
_TOGETHER: Final = 200
_DONE: Final = frozenset({StepKind.ACTION, StepKind.SAID})

Act = tuple[str, bytes]
"""What an agent did: the tool, blank for words, and a digest of the look of its text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a person decided on one step. Texts and names are foreign."""

    verdict: Verdict
    act: Act
    words: str
    """Of the step that was judged, cut; blank for the run as a whole."""

    reason: str
    edit: str
    by: str
    at: str | None
    """Of the decision, else of its step, else of the run's end or beginning: as the file says,
    never the moment of the import."""

    review_id: str
    step: int
    span: Span | None
    """Bytes of the step in its source."""

    @property
    def said(self) -> str:
        """The person's own words: the reason, else the text put in place; blank for neither."""
        return self.reason or self.edit


@dataclass(frozen=True, slots=True)
class Seen:
    """One run, as far as rules need it."""

    item: str
    source_id: str
    session: str
    ids: Mapping[str, str]
    asked: str
    """What was asked first, cut."""

    acts: frozenset[Act]
    judged: tuple[Judged, ...]
    recalled: str
    """Case-folded texts that were put into the context, cut; blank where nobody judged."""


@dataclass(frozen=True)
class Events:
    """All runs that are kept, and how to find one by the id that its file gives it."""

    runs: tuple[Seen, ...]
    by_source: Mapping[str, tuple[Seen, ...]]


def events(store: Store) -> Events:
    """Every run that is kept, read once. What was erased is not among them."""
    rows = store.rows(run_queries.ALL_RUNS)
    return gathered(
        one
        for start in range(0, len(rows), _TOGETHER)
        for one in seen(runs.kept(store, rows[start : start + _TOGETHER]))
    )


def gathered(told: Iterable[Seen]) -> Events:
    """Runs with their index."""
    every = tuple(told)
    found: dict[str, list[Seen]] = defaultdict(list)
    for one in every:
        found[one.source_id].append(one)
    return Events(every, {name: tuple(here) for name, here in found.items()})


def seen(kept: Sequence[Kept]) -> Iterator[Seen]:
    """The runs among ``kept`` that were not erased."""
    for one in kept:
        if one.run is not None:
            yield _seen(one.item, one.run)


def act_of(name: str, text: str) -> Act:
    """The act of doing ``text`` with a tool."""
    return name, sha256(look_of(text)).digest()[:16]


def _seen(item: str, run: Trajectory) -> Seen:
    judged = tuple(_judged(run, one) for one in run.decisions if not one.weak)
    recalled = ""
    if judged:
        told = (step.text for step in run.steps if step.kind is StepKind.RECALLED)
        recalled = "\n".join(told)[:_RECALLED].casefold()
    asked = next((step.text for step in run.steps if step.kind is StepKind.INPUT), "")
    return Seen(
        item=item,
        source_id=run.source_id,
        session=run.run.get("session", ""),
        ids=dict(run.run),
        asked=asked[:LONGEST],
        acts=frozenset(act_of(one.name, one.text) for one in run.steps if one.kind in _DONE),
        judged=judged,
        recalled=recalled,
    )


def _judged(run: Trajectory, one: HumanDecision) -> Judged:
    step: Step | None = run.steps[one.step] if 0 <= one.step < len(run.steps) else None
    return Judged(
        verdict=one.verdict,
        act=act_of(step.name, step.text) if step is not None else ("", b""),
        words=step.text[:LONGEST] if step is not None else "",
        reason=(one.reason or "").strip(),
        edit=(one.edit or "").strip(),
        by=one.by,
        at=one.at or (step.at if step is not None else None) or run.ended_at or run.started_at,
        review_id=one.review_id,
        step=one.step,
        span=Span(step.start, step.end) if step is not None else None,
    )
