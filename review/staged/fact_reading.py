"""Reads facts into proposals while they are staged, so that they are part of what is signed.

Records of one conversation are read in their order in the source: "make that $75,000" takes its
parameter from the record before it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from review import instants
from review.facts.keying import Keys
from review.facts.protocol import Parser, Setting, supported
from review.facts.reasoning import with_premises
from store.cells import Fact, FactRole, Interval, Proposal

_EARLIER: Final = 8
"""Facts of a conversation that a correction can refer to."""

_CONVERSATIONS: Final = 10_000
MOST: Final = 64
"""Facts that one cell carries at most."""


class FactReading:
    """Reads the facts of one import."""

    def __init__(self, parser: Parser, keys: Keys) -> None:
        """Begin with no conversation heard."""
        self._parser = parser
        self._keys = keys
        self._heard: OrderedDict[frozenset[tuple[str, str]], tuple[Fact, ...]] = OrderedDict()

    def read(self, proposal: Proposal) -> Proposal:
        """The proposal with the facts of its claim, and the times that its words give.

        What the source states itself comes first and is kept as it is, with normal forms beside
        it. A fact whose span does not hold its value is left out, whoever read it.
        """
        talk = frozenset(proposal.scope.items())
        setting = Setting(
            written_at=_moment(proposal.written_at),
            speaker=proposal.scope.get("user", ""),
            scope=proposal.scope,
            earlier=self._heard.get(talk, ()),
        )
        told = self._parser.claim(proposal.claim, setting)
        heard = with_premises(proposal.claim, told.facts)
        stated, _ = supported(proposal.claim, proposal.facts)
        given = tuple(self._keyed(fact, heard, proposal.claim) for fact in stated)
        rests = self._support(proposal, heard)
        told_already = (*given, *rests)
        bounded = proposal.valid.start is not None or proposal.valid.end is not None
        read = tuple(
            replace(
                fact,
                # A conclusion's support is what the claim rests on; it states none of it anew.
                role=FactRole.RESTS_ON
                if fact.role is FactRole.STATES and _among(fact, rests, proposal.claim)
                else fact.role,
                # The source's own times count for all of its record.
                valid=Interval() if bounded else fact.valid,
            )
            for fact in heard
        )
        new = (fact for fact in read if not _same(fact, told_already, proposal.claim))
        facts = (*given, *rests, *new)[:MOST]
        self._hear(talk, facts)
        conclusion = proposal.conclusion
        if conclusion is not None:
            support = tuple(
                self._keyed(fact, heard, proposal.claim) for fact in conclusion.support
            )
            conclusion = replace(conclusion, support=support)
        return replace(
            proposal,
            facts=facts,
            conclusion=conclusion,
            valid=proposal.valid if bounded else told.valid,
        )

    def read_each(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """``read`` of each, in order."""
        return [self.read(one) for one in proposals]

    def _support(self, proposal: Proposal, heard: Sequence[Fact]) -> tuple[Fact, ...]:
        if proposal.conclusion is None:
            return ()
        support, _ = supported(proposal.claim, proposal.conclusion.support)
        return tuple(
            replace(self._keyed(fact, heard, proposal.claim), role=FactRole.RESTS_ON)
            for fact in support
        )

    def _keyed(self, fact: Fact, heard: Sequence[Fact], claim: str) -> Fact:
        """A fact that the source states, with the normal forms that questions are read in.

        What the source calls by a name of ours keeps it. What it only marks in the words of the
        claim ("works out of") is what the parser reads at that place.
        """
        here = [one for one in heard if one.parameter_key and _one_place(fact, one, claim)]
        if here and not fact.parameter_key and self._keys.named(fact.parameter) is None:
            one = here[0]
            return replace(
                fact,
                subject_key=one.subject_key,
                parameter_key=one.parameter_key,
                value_key=one.value_key,
                cardinality=one.cardinality,
            )
        keyed = self._keys.of(fact)
        for one in here:
            if one.parameter_key == keyed.parameter_key:
                # A question is read by the same parser, so it will tell things as that does.
                return replace(
                    keyed,
                    subject_key=one.subject_key or keyed.subject_key,
                    value_key=one.value_key,
                    cardinality=one.cardinality,
                )
        return keyed

    def _hear(self, talk: frozenset[tuple[str, str]], facts: tuple[Fact, ...]) -> None:
        said = tuple(fact for fact in facts if fact.role is FactRole.STATES)
        if not said:
            return
        self._heard[talk] = (*self._heard.pop(talk, ()), *said)[-_EARLIER:]
        if len(self._heard) > _CONVERSATIONS:
            self._heard.popitem(last=False)


def _among(fact: Fact, others: Sequence[Fact], claim: str) -> bool:
    """Whether one of the others is about the same, by its keys or by its place."""
    return any(
        (fact.subject_key, fact.parameter_key) == (one.subject_key, one.parameter_key)
        or _one_place(fact, one, claim)
        for one in others
    )


def _same(fact: Fact, others: Sequence[Fact], claim: str) -> bool:
    """Whether one of the others states it already: the same value of the same parameter, here."""
    return any(
        (fact.parameter_key, fact.value_key) == (one.parameter_key, one.value_key)
        and (fact.subject_key == one.subject_key or _one_place(fact, one, claim))
        and fact.role is one.role
        for one in others
    )


def _one_place(one: Fact, other: Fact, claim: str) -> bool:
    """Whether two facts have the value at one place of the claim."""
    mine, theirs = _value_at(one, claim), _value_at(other, claim)
    return mine[0] < theirs[1] and theirs[0] < mine[1]


def _value_at(fact: Fact, claim: str) -> tuple[int, int]:
    """Where the value stands in the fact's span: last, as most sentences have it."""
    start = claim.rfind(fact.value, fact.span.start, fact.span.end)
    return (start, start + len(fact.value)) if start >= 0 else (0, 0)


def _moment(written_at: str | None) -> datetime | None:
    read = instants.read(written_at) if written_at else None
    return None if read is None else instants.moment_of(read)
