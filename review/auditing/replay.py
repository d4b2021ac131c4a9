"""Asks a recorded question again: as of then, over what stands now, or as a "what if".

It never writes. As of then, under the policy of then, it has to give the recorded numbers bit for
bit; where it does not, the rows are named, because then something is not as it was: the program,
the parameter table, or content that was erased since.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime

from review import instants
from review.auditing import recorded
from review.auditing.answers import Answer
from review.auditing.recorded import Recorded, RecordedPart
from review.identities import stamp
from review.inquiry import Inquiry
from review.policy import Policy, read_policy
from review.question.intents import IntentKind
from review.recall import Question, Recall
from store import queries, read_queries
from store.log import Store
from store.standing import Standing


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What is asked otherwise. Nothing of it is stored."""

    asked_at: datetime | None = None
    """Another moment of asking, timezone-aware."""

    theta: float | None = None
    """Another threshold, in [0, 1]."""

    without: str = ""
    """An item to look away from, as if nobody had approved it yet."""

    about: IntentKind | None = None
    """Another time frame, where the question itself gives none."""

    now: bool = False
    """Over what stands now instead of then."""


@dataclass(frozen=True, slots=True)
class Differing:
    """One candidate that a recomputation tells otherwise than the record."""

    part: int
    item: str
    recorded: bool
    """Whether the record has it."""

    recomputed: bool
    fields: tuple[str, ...]
    """What differs where both have it."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether a recomputation as of then gives what was recorded."""

    agrees: bool
    differing: tuple[Differing, ...] = ()
    parts: bool = True
    """Whether the question fell into the same sub-questions."""

    same_policy: bool = True
    """Whether the policy of then could be read; else the present one was used."""


@dataclass(frozen=True, slots=True)
class PolicySet:
    """The entry of the log that set a policy."""

    seq: int
    recorded_at: str
    process: str
    """The process that recorded it."""

    sha256: str


class Replay:
    """Recorded questions of one store, asked again. It reads only."""

    def __init__(self, store: Store, inquiry: Inquiry) -> None:
        """Nothing is read yet."""
        self._store = store
        self._inquiry = inquiry
        self._stood: tuple[int, int, Standing] | None = None
        self._policies: dict[str, Policy] = {}

    def held(self) -> AbstractContextManager[None]:
        """Keep the store's file open over several questions; opening a large one takes time."""
        return self._store.held()

    def standing_at(self, size: int) -> Standing:
        """What stood when the log had ``size`` events; kept for the next question."""
        kept = self._stood
        if kept is not None and kept[0] <= size <= kept[1]:
            return kept[2]  # nothing was signed between the two, and the log only grows
        signed = int(self._store.rows(read_queries.SIGNED_UNTIL, size=size)[0]["size"])
        if kept is None or kept[0] != signed:
            kept = (signed, size, self._stood_at(signed))
        self._stood = (signed, max(size, kept[1]), kept[2])
        return kept[2]

    def _stood_at(self, signed: int) -> Standing:
        """What stood after the first ``signed`` events; what stands now is at hand."""
        now = self._store.standing()
        last = self._store.rows(read_queries.SIGNED_UNTIL, size=now.position)[0]["size"]
        return now if int(last) == signed else self._store.standing_at(signed)

    def size_at(self, answer: Answer) -> int:
        """Position of the log at the moment of an answer.

        Of an observed one as it was recorded. Of a reported one at the moment that it claims, and
        never later than its report.
        """
        if answer.scores is not None:
            return answer.size
        claimed = claimed_moment(answer)
        if claimed is None:
            return answer.seq
        found = self._store.rows(queries.SIZE_AT, moment=stamp(claimed))
        return min(int(found[0]["size"]), answer.seq)

    def question_of(self, answer: Answer) -> Question | None:
        """What was asked, with its moment; None when nobody knows any more."""
        if answer.scores is not None:
            return answer.scores.question
        if not answer.question:
            return None
        moment = claimed_moment(answer) or datetime.fromisoformat(answer.recorded_at)
        return Question(answer.question, asked_at=moment)

    def then(self, answer: Answer, policy: Policy) -> Recorded | None:
        """The question as of then, under the policy of then; None when it cannot be asked.

        Args:
            answer: An answer.
            policy: The present policy, for when the one of then is not known.
        """
        question = self.question_of(answer)
        if question is None:
            return None
        with self.held():
            size = self.size_at(answer)
            told = self.policy_of(answer) or policy
            standing = self.standing_at(size)
            return recorded.of(self._inquiry.again(question, standing, policy=told, size=size))

    def now(self, answer: Answer, policy: Policy) -> Recorded | None:
        """The same question about the same moment, over what stands now, under ``policy``."""
        question = self.question_of(answer)
        if question is None:
            return None
        with self.held():
            size, standing = self._store.head().size, self._store.standing()
            return recorded.of(self._inquiry.again(question, standing, policy=policy, size=size))

    def what_if(self, answer: Answer, policy: Policy, what: WhatIf) -> Recorded | None:
        """What would have been recorded otherwise; nothing is stored."""
        made = self.recall(answer, policy, what)
        return None if made is None else recorded.of(made)

    def recall(self, answer: Answer, policy: Policy, what: WhatIf) -> Recall | None:
        """``what_if`` with everything that a recall has."""
        question = self.question_of(answer)
        if question is None:
            return None
        with self.held():
            return self._asked(question, answer, policy, what)

    def _asked(self, question: Question, answer: Answer, policy: Policy, what: WhatIf) -> Recall:
        size = self._store.head().size if what.now else self.size_at(answer)
        told = policy if what.now else self.policy_of(answer) or policy
        standing = self._store.standing() if what.now else self.standing_at(size)
        question = replace(
            question,
            asked_at=what.asked_at or question.asked_at,
            theta=question.theta if what.theta is None else what.theta,
            about=what.about,
        )
        return self._inquiry.again(
            question,
            standing,
            policy=told,
            size=size,
            unapproved=frozenset({what.without}) if what.without else frozenset(),
        )

    def policy_of(self, answer: Answer) -> Policy | None:
        """The policy that an observed answer was made under; None when it is not known."""
        if not answer.policy:
            return None
        if answer.policy not in self._policies:
            rows = self._store.rows(read_queries.POLICY_OF, digest=answer.policy)
            found = self._store.payloads(str(row["policy"]) for row in rows)
            if not found:
                return None
            (text,) = found.values()
            self._policies[answer.policy] = read_policy(text.body)
        return self._policies[answer.policy]

    def policy_set(self, answer: Answer) -> PolicySet | None:
        """When the policy of an observed answer was last set; None when it is not known."""
        rows = self._store.rows(read_queries.POLICY_OF, digest=answer.policy)
        if not answer.policy or not rows:
            return None
        row = rows[0]
        return PolicySet(int(row["seq"]), row["recorded_at"], row["process"], answer.policy)

    def agreement(self, answer: Answer, policy: Policy) -> Agreement | None:
        """Whether asking again as of then gives what was recorded; None without a record."""
        if answer.scores is None:
            return None
        again = self.then(answer, policy)
        if again is None:
            return None
        return compared(answer.scores, again, same_policy=self.policy_of(answer) is not None)


def claimed_moment(answer: Answer) -> datetime | None:
    """When an answer was asked for, as it says itself; None when it says no moment."""
    told = None if answer.asked_at is None else instants.read(answer.asked_at)
    return None if told is None else instants.moment_of(told)


def compared(then: Recorded, again: Recorded, *, same_policy: bool = True) -> Agreement:
    """A record against a recomputation, field for field, numbers to the last bit."""
    if len(then.parts) != len(again.parts):
        return Agreement(agrees=False, parts=False, same_policy=same_policy)
    differing = [
        one
        for n, (before, after) in enumerate(zip(then.parts, again.parts, strict=True))
        for one in _differing(n, before, after)
    ]
    return Agreement(not differing, tuple(differing), same_policy=same_policy)


def _differing(part: int, before: RecordedPart, after: RecordedPart) -> list[Differing]:
    one = {score.item: score for score in before.scored}
    other = {score.item: score for score in after.scored}
    trims = {told.item: told for told in before.trimmed}
    trims_now = {told.item: told for told in after.trimmed}
    found = []
    for item in dict.fromkeys((*one, *other)):
        here, there = one.get(item), other.get(item)
        if here is None or there is None:
            found.append(Differing(part, item, here is not None, there is not None, ()))
            continue
        names = [n for n in here.__slots__ if getattr(here, n) != getattr(there, n)]
        if trims.get(item) != trims_now.get(item):
            names.append("trim")
        if names:
            found.append(
                Differing(part, item, recorded=True, recomputed=True, fields=tuple(names))
            )
    return found
