"""Makes facts of a reply: each held against the text, with normal forms of ours.

Source: the gate's specification, section 1: a fact whose span does not hold its value is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from review import instants
from review.facts import values
from review.facts.keying import Keys
from review.facts.protocol import Asked, ClaimFacts, QuestionFacts, Setting, ValueType
from review.proposals.places import place
from review.proposals.shapes import AskedTold, ClaimTold, FactTold, QuestionTold
from store.cells import (
    Cardinality,
    Conclusion,
    Fact,
    FactRole,
    Interval,
    Precision,
    Span,
)

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INSTANT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """What of a reply about a claim stands in the claim."""

    facts: ClaimFacts
    conclusion: Conclusion | None
    dropped: int
    """Facts, answers and supports whose words do not stand in the text."""


def claim(text: str, told: ClaimTold, setting: Setting, keys: Keys, reader: str) -> ReadClaim:
    """The facts of ``told`` that ``text`` bears out, with the old answer in it.

    Args:
        text: The claim as it is stored.
        told: The reply.
        setting: In which the claim was read.
        keys: Names of parameters.
        reader: Who is recorded beside each fact, such as ``model/NAME/claim/1``.
    """
    by_place = {n: _fact(text, one, setting, keys, reader) for n, one in enumerate(told.facts)}
    facts = tuple(dict.fromkeys(one for one in by_place.values() if one is not None))
    dropped = sum(one is None for one in by_place.values())
    conclusion = None
    if told.conclusion.strip():
        if place(text, told.conclusion) is None:
            dropped += 1
        else:
            support = [by_place.get(n) for n in dict.fromkeys(told.support)]
            dropped += sum(one is None for one in support)
            known = tuple(one for one in support if one is not None)
            conclusion = Conclusion(told.conclusion, told.task.strip(), known)
    return ReadClaim(ClaimFacts(facts, _common(facts), dropped), conclusion, dropped)


def question(
    text: str, told: QuestionTold, setting: Setting, keys: Keys, reader: str
) -> tuple[QuestionFacts, int]:
    """What of a reply stands in the question, and how much does not."""
    read = [_fact(text, one, setting, keys, reader) for one in told.facts]
    facts = tuple(dict.fromkeys(one for one in read if one is not None))
    wanted = [_asked(text, one, keys) for one in told.asked]
    asked = tuple(one for one in wanted if one is not None)
    dropped = sum(one is None for one in (*read, *wanted))
    named = [name for name in told.names if name.strip() and place(text, name) is not None]
    dropped += len(told.names) - len(named)
    names = (
        *(one.subject_key for one in asked),
        *(one.subject_key for one in facts),
        *(values.name_key(name) for name in named),
    )
    entities = tuple(dict.fromkeys(name for name in names if name))
    return QuestionFacts(facts, asked, entities, told.task.strip()), dropped


def _fact(text: str, told: FactTold, setting: Setting, keys: Keys, reader: str) -> Fact | None:
    span = place(text, told.quote, holding=told.value)
    if span is None or not told.value.strip() or not told.parameter.strip():
        return None
    if told.subject and place(text, told.subject) is None:
        return None
    speaker = values.name_key(setting.speaker) if told.about_speaker else ""
    read = keys.of(
        Fact(
            subject=told.subject,
            parameter=told.parameter.strip(),
            value=told.value,
            span=span,
            valid=_interval(told.valid_from, told.valid_to),
            role=FactRole(told.role),
            subject_key=speaker,
            reader=reader,
        )
    )
    if told.single and read.cardinality is Cardinality.UNKNOWN:
        # The table has the last word on what it knows.
        return replace(read, cardinality=Cardinality.ONE)
    return read


def _asked(text: str, told: AskedTold, keys: Keys) -> Asked | None:
    span = place(text, told.quote)
    if span is None or (told.subject and place(text, told.subject) is None):
        return None
    known = keys.named(told.parameter)
    name = values.name_key(told.parameter.replace("_", " "))
    return Asked(
        parameter_key=known.key if known is not None else name,
        subject_key=values.name_key(told.subject),
        value_type=known.value_type if known is not None else ValueType.TEXT,
        cardinality=Cardinality.ONE if told.single else Cardinality.UNKNOWN,
        span=Span(span.start, span.end),
        words=told.quote,
    )


def _interval(start: str, end: str) -> Interval:
    """World time as it is told; a bound that is no date is left open."""
    first, last = _bound(start), _bound(end)
    starts, ends = instants.read(first or ""), instants.read(last or "")
    if starts is not None and ends is not None and ends <= starts:
        return Interval()
    if first is None and last is None:
        return Interval()
    days = all(len(one) == len("2026-03-01") for one in (first, last) if one is not None)
    return Interval(first, last, Precision.DAY if days else Precision.INSTANT)


def _bound(told: str) -> str | None:
    if not (_DAY.fullmatch(told) or _INSTANT.fullmatch(told)):
        return None
    return told if instants.read(told) is not None else None


def _common(facts: Sequence[Fact]) -> Interval:
    """The interval that all stated facts share; open when they do not."""
    told = {fact.valid for fact in facts if fact.role is not FactRole.RESTS_ON}
    return told.pop() if len(told) == 1 else Interval()
