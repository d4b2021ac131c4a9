"""What rules say in words: thresholds as they are evaluated, what is missing, what differs."""

from __future__ import annotations

from typing import Final

from console.words import Say
from review.clause_strength.places import Change, Drift, Place
from review.rules.cases import Cases
from review.rules.export_told import Threshold, Why
from review.rules.readiness import Lack, Missing

_BARE: Final = frozenset({Drift.CONDITION_DROPPED, Drift.CONDITION_ADDED, Drift.UNALIGNED})
_BELOW: Final = frozenset({Missing.CONFIDENCE, Missing.VOTES, Missing.PEOPLE, Missing.DAYS})


def lack(say: Say, told: Lack) -> str:
    """One thing that is missing, as plain text."""
    if told.what in _BELOW and told.found in list(Why):
        return say.plain(f"rules.missing.{told.what}") + " " + say.plain(f"rules.why.{told.found}")
    return say.plain(f"rules.missing.{told.what}", n=told.n) + (
        f" {told.found} < {told.wanted}" if told.what in _BELOW else ""
    )


def differs(say: Say, place: Place) -> str:
    """In what a place differs, as plain text: "doubt, lost"."""
    told = say.plain(f"rules.drift.{place.drift}")
    if place.drift in _BARE:
        return told
    return f"{told}, {say.plain(f'rules.change.{place.change}')}"


def cues(place: Place) -> str:
    """The words of the source and of the rule at a place. Foreign text."""
    source = "" if place.source is None else place.source.cue
    if place.change is Change.ADDED:
        return f"+ {place.rule.cue}"
    return f"{source} → {place.rule.cue}" if place.rule.cue else f"− {source}"


def evaluated(say: Say, told: Threshold) -> tuple[str, str, str, str, str]:
    """One threshold as a row: the rule that was evaluated, wanted, found, of how many, passed."""
    found = told.found if told.found is not None else say.plain(f"rules.why.{told.why}")
    return (
        say.plain(f"rules.threshold.{told.name}"),
        f"≥ {told.wanted}",
        found,
        str(told.n),
        say.plain("rules.passed" if told.passed else "rules.failed"),
    )


def support(say: Say, cases: Cases) -> str:
    """How many independent cases there are, for a headline."""
    count = cases.count
    return "   ·   ".join(
        (
            say.plain("rules.supports", n=count.supporting),
            say.plain("rules.people", n=count.people),
            say.plain("rules.against", n=count.contradicting),
            say.plain("rules.events", n=count.events),
        )
    )
