"""What happened beside what was concluded: the runs that belong to a record, and where in them.

A run belongs to a record that names it (a link, or the run's id in its scope or its own claims)
or that was read from the bytes of the run. A step carries the record when it holds the record's
words or the values of its facts. Nothing here decides; a person looks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final

import pandas as pd

from review import runs
from review.runs import Kept
from review.staged.manifests import look_of
from store import run_queries
from store.cells import Fact, SourceType, Span
from store.log import Store
from store.trajectories import Step, StepKind
from store.vault import digester

_RUN_NAMES: Final = frozenset(
    {
        *("run", "run_id", "session", "session_id", "conversation", "conversation_id"),
        *("thread", "thread_id", "trace", "trace_id", "chat", "review_id", "source_review_id"),
    }
)
_PERSONS: Final = frozenset({StepKind.INPUT})
_AGENTS: Final = frozenset({StepKind.SAID, StepKind.THOUGHT, StepKind.ACTION})
_SPEAKS_AS: Final[Mapping[StepKind, SourceType]] = {
    StepKind.INPUT: SourceType.USER_STATEMENT_CONFIRMED,
    StepKind.SAID: SourceType.AGENT_SUMMARY,
    StepKind.THOUGHT: SourceType.AGENT_SUMMARY,
    StepKind.ACTION: SourceType.AGENT_SUMMARY,
    StepKind.RECALLED: SourceType.FOREIGN_MEMORY,
    StepKind.RESULT: SourceType.UNVALIDATED_TOOL_OUTPUT,
}
"""With whose authority the words of a step speak."""

_AGENT_NAMES: Final = frozenset({"assistant", "agent", "ai", "model", "bot"})
_USER_NAMES: Final = frozenset({"user", "human", "person"})
MOST: Final = 5
"""Runs that are shown beside one record."""


class Tie(StrEnum):
    """How a run is tied to a record, the strongest first."""

    LINK = "link"
    PLACE = "place"
    """The record was read from the run's own bytes."""

    NAMED = "named"
    """The record names the run or its session."""


@dataclass(frozen=True, slots=True)
class Carrying:
    """One step that carries a record, and where in its text."""

    step: int
    spans: tuple[Span, ...]
    """Characters of the step's text."""

    whole: bool
    """Whether the record's words stand there, and not only values of its facts."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A run beside a record."""

    kept: Kept
    tie: Tie
    carrying: tuple[Carrying, ...]
    decided: bool = False
    """Whether a person's own reason or edit holds the record's words."""

    @property
    def speakers(self) -> frozenset[StepKind]:
        """Kinds of the steps in which the record's words stand."""
        steps = self.kept.run.steps if self.kept.run else ()
        return frozenset(steps[one.step].kind for one in self.carrying if one.whole)

    @property
    def speaks_as(self) -> tuple[SourceType, ...]:
        """With whose authority the run says the words of a record that was made from it."""
        if self.tie is Tie.NAMED:
            return ()
        told = {_SPEAKS_AS[kind] for kind in self.speakers if kind in _SPEAKS_AS}
        return (*sorted(told), *([SourceType.HUMAN_REVIEW] if self.decided else ()))


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a record when its runs are looked for."""

    claim: str
    facts: tuple[Fact, ...]
    source_type: str
    scope: Mapping[str, str]
    provenance: Mapping[str, Any]
    links: tuple[str, ...]
    """Targets of its links."""

    import_id: str
    start: int
    end: int
    member: str
    """The member of a folder that it stands in."""

    quotes: tuple[str, ...] = ()
    """Texts under its evidence spans."""


def beside_each(store: Store, some: Sequence[Told]) -> list[tuple[Beside, ...]]:
    """The runs that belong to each of some records, the strongest tie first, at most ``MOST``."""
    if not some or not store.rows(run_queries.RUN_COUNT)[0]["n"]:
        return [() for _ in some]
    linked = _places((n, {"item": item}) for n, one in enumerate(some) for item in one.links)
    around = _places(
        (n, {"batch": one.import_id, "start": one.start, "stop": one.end})
        for n, one in enumerate(some)
    )
    digest = digester(store.digest_key(), "session")
    named = _places(
        (n, {"key": digest(name.encode("utf-8"))})
        for n, one in enumerate(some)
        for name in sorted(_sessions(one))
    )
    asked = (
        (Tie.LINK, run_queries.RUNS_LINKED, linked),
        (Tie.PLACE, run_queries.RUNS_AROUND, around),
        (Tie.NAMED, run_queries.RUNS_OF_SESSIONS, named),
    )
    asking = ((tie, query, {"wanted": wanted}) for tie, query, wanted in asked if len(wanted))
    rows = [(tie, row) for tie, query, told in asking for row in store.rows(query, told)]
    each = {(row["seq"], row["n"]): row for _, row in rows}
    known = dict(zip(each, runs.kept(store, list(each.values())), strict=True))
    found: list[dict[str, tuple[Kept, Tie]]] = [{} for _ in some]
    for tie, row in rows:
        told, kept = some[row["place"]], known[row["seq"], row["n"]]
        here = (kept.member, kept.import_id) == (told.member, told.import_id)
        if tie is not Tie.PLACE or here:
            found[row["place"]].setdefault(kept.item, (kept, tie))
    return [_beside(told, one.values()) for told, one in zip(some, found, strict=True)]


def _places(told: Iterable[tuple[int, dict[str, object]]]) -> pd.DataFrame:
    """What is asked for, beside the place of the record that asks."""
    return pd.DataFrame([{"place": n, **one} for n, one in told])


def _beside(told: Told, found: Iterable[tuple[Kept, Tie]]) -> tuple[Beside, ...]:
    made = [
        Beside(kept, tie, carrying(kept, told), decided=_decided(kept, told))
        for kept, tie in found
    ]
    order = {tie: place for place, tie in enumerate(Tie)}
    made.sort(key=lambda one: (order[one.tie], not one.carrying))
    return tuple(made[:MOST])


def carrying(kept: Kept, told: Told) -> tuple[Carrying, ...]:
    """The steps of a run that carry a record, in order."""
    if kept.run is None:
        return ()
    words = [_Words.of(text) for text in (told.claim, *told.quotes) if len(text) > 3]
    values = [fact.value for fact in told.facts if len(fact.value) > 2][:_VALUES]
    carried = (_carrying(n, step, words, values) for n, step in enumerate(kept.run.steps))
    return tuple(one for one in carried if one is not None)


def speaker_mismatch(told: Told, found: Sequence[Beside]) -> bool:
    """Whether the words are ascribed to a person and only the agent said them, or the reverse.

    Says nothing where no step carries the words themselves.
    """
    speakers = frozenset(kind for one in found for kind in one.speakers)
    if not speakers:
        return False
    foreign = told.provenance.get("foreign") or {}
    writer = str(foreign.get("claimed_writer") or foreign.get("role") or "").casefold()
    users = told.source_type == SourceType.USER_STATEMENT_CONFIRMED or writer in _USER_NAMES
    if users:
        return not speakers & _PERSONS and not any(one.decided for one in found)
    return writer in _AGENT_NAMES and not speakers & _AGENTS


def _decided(kept: Kept, told: Told) -> bool:
    """Whether a reason or an edit in the run holds the record's words: then a person said them."""
    look = look_of(told.claim)
    texts = [
        text
        for one in (kept.run.decisions if kept.run else ())
        for text in (one.reason, one.edit)
        if text
    ]
    return len(look) > 3 and any(_stands_in(look, look_of(text)) for text in texts)


_VALUES: Final = 16
"""Values of a record's facts that are looked for in every step."""

_WITHOUT_BLANKS: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff]")


def _stands_in(look: bytes, whole: bytes) -> bool:
    """Whether one look holds another as whole words: "use tea" is not in "use teapots"."""
    if look not in whole or _WITHOUT_BLANKS.search(look.decode("utf-8")):
        return look in whole
    return b" %s " % look in b" %s " % whole


def _sessions(told: Told) -> set[str]:
    """Every session or run that the record names."""
    foreign = told.provenance.get("foreign") or {}
    review = str(told.provenance.get("review_id") or "")
    return {one for one in (*_named(told.scope), *_named(foreign), review) if one}


def _named(told: Mapping[str, object]) -> Iterator[str]:
    for name, value in told.items():
        if str(name).casefold() in _RUN_NAMES and isinstance(value, str | int):
            yield str(value)
        elif isinstance(value, dict):
            yield from _named(value)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that are looked for in every step, and what tells quickly that they are not there."""

    text: str
    folded: str
    look: bytes
    rarest: str
    """The longest word; blank where it may be spelled in another way."""

    @classmethod
    def of(cls, text: str) -> _Words:
        look = look_of(text)
        longest = max(look.decode("utf-8").split(" "), key=len)
        return cls(text, text.strip().casefold(), look, longest if longest.isascii() else "")

    def may_stand_in(self, folded: str) -> bool:
        return len(self.look) > 3 and (not folded.isascii() or self.rarest in folded)


def _carrying(
    place: int, step: Step, words: Sequence[_Words], values: Iterable[str]
) -> Carrying | None:
    text, folded = step.text, step.text.casefold()
    spans = [span for word in words if word.folded in folded for span in found_in(text, word.text)]
    if spans:
        return Carrying(place, tuple(sorted(set(spans), key=lambda one: one.start)), whole=True)
    likely = [word for word in words if word.may_stand_in(folded)]
    look = look_of(text) if likely else b""
    if any(_stands_in(word.look, look) for word in likely):
        return Carrying(place, (Span(0, len(text)),), whole=True)
    spans = [
        span
        for value in values
        if value.strip().casefold() in folded
        for span in found_in(text, value)
    ]
    if spans:
        return Carrying(place, tuple(sorted(set(spans), key=lambda one: one.start)), whole=False)
    return None


def found_in(text: str, wanted: str) -> list[Span]:
    """Where ``wanted`` stands in ``text`` as whole words, without regard to case; at most ten."""
    folded, looked = text.casefold(), wanted.strip().casefold()
    if not looked or len(folded) != len(text):
        folded, looked = text, wanted.strip()
    if not looked:
        return []
    before = r"(?<![^\W_])" if looked[0].isalnum() else ""
    after = r"(?![^\W_])" if looked[-1].isalnum() else ""
    told = re.compile(f"{before}{re.escape(looked)}{after}").finditer(folded)
    return [Span(*one.span()) for one in islice(told, 10)]


def byte_equal(claim: str | None, raw: bytes | None) -> bool | None:
    """Whether a verbatim claim stands in its record byte for byte, however its format escapes it.

    None where one of them was erased.
    """
    if claim is None or raw is None:
        return None
    told = json.dumps(claim, ensure_ascii=False)[1:-1], json.dumps(claim)[1:-1], claim
    return any(form.encode("utf-8") in raw for form in told)
