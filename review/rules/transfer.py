"""Tries a candidate on kept runs outside its support: did it hold where nobody had it in mind?

Deterministic and without a model. Whether a candidate applies to a run follows from its scope,
from the acts that people judged and from the task; what came of it follows from what the run did
and how a person judged that. A run that was not judged proves nothing, and unknown stays unknown.

Source: ours; the seeds ask for the check, not for a way of doing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from review import independence
from review.question import tasks
from review.rules.cases import Cases
from review.rules.export_told import Apart, Outcome, Tried
from review.rules.seen import Act, Events, Judged, Seen, act_of
from review.text.edit_parts import said
from store.cells import Case, Stance
from store.trajectories import Verdict

MOST: Final = 200
"""Runs that are told of one candidate: those that say something come first."""

_TOOL: Final = "tool"
_ORDER: Final = (Outcome.FAILS, Outcome.HOLDS, Outcome.UNKNOWN, Outcome.DOES_NOT_APPLY)


@dataclass(frozen=True, slots=True)
class Transfer:
    """What came of trying a candidate."""

    tried: tuple[Tried, ...]
    """Those that failed first, then those that held, then the others; at most ``MOST``."""

    outside: int
    """Runs outside the support that were looked at."""

    holds: int
    """Independent sources in which it held."""

    fails: int
    """Independent sources in which it failed."""

    def passed(self, confidence: float) -> bool:
        """Whether it held at least once, and as often as the policy asks of the cases."""
        whole = self.holds + self.fails
        return bool(self.holds) and Fraction(self.holds, whole) >= Fraction(str(confidence))


@dataclass(frozen=True, slots=True)
class Support:
    """What a candidate rests on, as far as another run can be held against it."""

    statement: tuple[str, ...]
    scope: Mapping[str, str]
    wrong: frozenset[Act]
    """Acts that people rejected, or put other words in place of."""

    right: frozenset[Act]
    """Acts that people put in their place."""

    asked: tuple[str, ...]
    sessions: frozenset[str]
    people: frozenset[str]
    ids: frozenset[tuple[str, str]]
    """What the ids of its runs say, of which a scope could be made."""

    items: frozenset[str]


def support(statement: str, scope: Mapping[str, str], polarity: str, cases: Cases) -> Support:
    """What the cases of an insight rest on."""
    wrong: set[Act] = set()
    right: set[Act] = set()
    for one in cases.supporting:
        judged = one.judged
        if judged is None or not judged.words:
            continue
        wrong.add(judged.act)
        if judged.verdict is Verdict.EDIT and judged.edit:
            right.add(act_of(judged.act[0], judged.edit))
    if polarity == "do" and scope.get(_TOOL, "") == "":
        right.add(act_of("", statement))
    runs = [one.run for one in cases.found if one.run is not None]
    backing = [one.run for one in cases.supporting if one.run is not None]
    return Support(
        statement=said(statement),
        scope=dict(scope),
        wrong=frozenset(wrong - right),
        right=frozenset(right),
        asked=tuple(dict.fromkeys(run.asked for run in backing if run.asked)),
        sessions=frozenset(run.session for run in runs if run.session),
        people=frozenset(one.case.by for one in cases.supporting if one.case.by),
        ids=frozenset(pair for run in backing for pair in run.ids.items()),
        items=frozenset(run.item for run in runs),
    )


def tried(about: Support, events: Events) -> Transfer:
    """The candidate tried on every run that is outside its support.

    A run of the same session as a supporting one is not another run.
    """
    outside = [
        run
        for run in events.runs
        if run.item not in about.items and not (run.session and run.session in about.sessions)
    ]
    found = [_tried(about, run) for run in outside]
    cases = [case for one in found if (case := _case(one)) is not None]
    counted = independence.count(cases)
    order = sorted(range(len(found)), key=lambda n: (_ORDER.index(found[n][1].outcome), n))
    return Transfer(
        tuple(found[n][1] for n in order[:MOST]),
        len(outside),
        counted.supporting,
        counted.contradicting,
    )


def _case(told: tuple[Seen, Tried]) -> Case | None:
    """A result as a case, so that repeats of one session or person count once."""
    run, one = told
    stances = {Outcome.HOLDS: Stance.SUPPORTS, Outcome.FAILS: Stance.CONTRADICTS}
    stance = stances.get(one.outcome)
    if stance is None:
        return None
    return Case(run.item, stance, session=run.session, by=one.who or "")


def _tried(about: Support, run: Seen) -> tuple[Seen, Tried]:
    outcome, judged = _outcome(about, run)
    who = judged.by if judged is not None else ""
    words = "" if judged is None else judged.said or judged.words
    when = None if judged is None else judged.at
    apart = tuple(_apart(about, run, who))
    return run, Tried(run.item, outcome, apart, words, who or None, when)


def _apart(about: Support, run: Seen, who: str) -> Iterator[Apart]:
    yield Apart.RUN
    if who and who not in about.people:
        yield Apart.PERSON
    mine = {(name, value) for name, value in run.ids.items() if name in _scopes(about)}
    if mine - about.ids:
        yield Apart.SCOPE


def _scopes(about: Support) -> set[str]:
    """Names under which runs say whose they are, sessions and traces aside: those differ."""
    return {name for name, _ in about.ids} - {"session", "trace", "run", "branch"}


def _outcome(about: Support, run: Seen) -> tuple[Outcome, Judged | None]:
    for judged in run.judged:
        if about.statement and said(judged.reason) == about.statement:
            return Outcome.HOLDS, judged
    verdicts = list(_judged(about, run))
    for wanted in (Outcome.FAILS, Outcome.HOLDS):
        for outcome, judged in verdicts:
            if outcome is wanted:
                return outcome, judged
    if verdicts:
        return verdicts[0]
    if run.acts & (about.wrong | about.right):
        return Outcome.UNKNOWN, None
    return _applies(about, run), None


def _judged(about: Support, run: Seen) -> Iterator[tuple[Outcome, Judged]]:
    """What a person's decision on an act that the candidate is about says of it."""
    for judged in run.judged:
        accepted = judged.verdict is Verdict.ACCEPT
        if judged.act in about.wrong:
            yield (Outcome.FAILS if accepted else Outcome.HOLDS), judged
        elif judged.act in about.right:
            yield (Outcome.HOLDS if accepted else Outcome.FAILS), judged
        elif judged.edit and act_of(judged.act[0], judged.edit) in about.right:
            yield Outcome.HOLDS, judged


def _applies(about: Support, run: Seen) -> Outcome:
    """Whether a run in which no act of the candidate occurs has to do with it at all."""
    tool = about.scope.get(_TOOL, "")
    if tool and all(name != tool for name, _ in run.acts):
        return Outcome.DOES_NOT_APPLY
    if any(run.ids.get(name, value) != value for name, value in about.scope.items()):
        return Outcome.DOES_NOT_APPLY
    if tool or _same_task(about.asked, run.asked):
        return Outcome.UNKNOWN
    return Outcome.DOES_NOT_APPLY if run.asked and about.asked else Outcome.UNKNOWN


def _same_task(asked: Sequence[str], other: str) -> bool:
    return any(tasks.same_task(one, other) for one in asked)
