"""The closed lists of an export in plain English, for files that go into a repository.

A repository is read by people with other screens and languages than the console's, so these
sentences are not in the catalogues of the console.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from review.clause_strength.places import Change, Drift, Verdict
from review.rules.export_told import Answer, Apart, Outcome, Target, ThresholdName, Unknown, Why

VERDICTS: Final[Mapping[Verdict, str]] = {
    Verdict.STRICTER: "STRICTER: the rule says more than its source",
    Verdict.UNKNOWN: "UNKNOWN: nothing can be said of some words",
    Verdict.SOFTER: "SOFTER: the rule says less than its source",
    Verdict.SAME: "SAME: no change was found",
}
DRIFTS: Final[Mapping[Drift, str]] = {
    Drift.DEONTIC: "what it asks for",
    Drift.CERTAINTY: "how certain it is",
    Drift.UNIVERSALITY: "in how many cases it holds",
    Drift.CONDITION_DROPPED: "a condition of the source",
    Drift.CONDITION_ADDED: "a condition that the source has not",
    Drift.NUMBER: "a number",
    Drift.DATE: "a date",
    Drift.NAME: "a name",
    Drift.IDENTIFIER: "an identifier",
    Drift.NEGATION: "a negation",
    Drift.TENSE: "something that happened, told as something that holds",
    Drift.CASES: "how many cases it rests on",
    Drift.SCOPE: "of whom or what it holds",
    Drift.WORDING: "other words than the source's",
    Drift.UNALIGNED: "no source for this sentence",
}
CHANGES: Final[Mapping[Change, str]] = {
    Change.DROPPED: "dropped",
    Change.CHANGED: "changed",
    Change.ADDED: "added",
}
ANSWERS: Final[Mapping[Answer, str]] = {
    Answer.RESTORED: "put back as the source has it",
    Answer.REASON: "kept, because",
}
THRESHOLDS: Final[Mapping[ThresholdName, str]] = {
    ThresholdName.CONFIDENCE: "confidence: supporting / (supporting + contradicting)",
    ThresholdName.VOTES: "supporting cases from independent sources",
    ThresholdName.PEOPLE: "people behind them",
    ThresholdName.DAYS: "days since the first of them",
}
WHYS: Final[Mapping[Why, str]] = {
    Why.REACHED: "reached",
    Why.BELOW: "below",
    Why.NO_CASES: "there are no cases",
    Why.NO_DATE: "a date is missing or cannot be read",
    Why.DATE_AHEAD: "a date lies ahead",
}
OUTCOMES: Final[Mapping[Outcome, str]] = {
    Outcome.HOLDS: "it held",
    Outcome.FAILS: "it did not hold",
    Outcome.DOES_NOT_APPLY: "it did not apply",
    Outcome.UNKNOWN: "not known",
}
APART: Final[Mapping[Apart, str]] = {
    Apart.RUN: "another run",
    Apart.PERSON: "another person",
    Apart.SCOPE: "another scope",
}
UNKNOWNS: Final[Mapping[Unknown, str]] = {
    Unknown.KNOWN_WORDS_ONLY: (
        "Whether the rule means more than its source in words that the check does not know."
    ),
    Unknown.WORLD_OUTSIDE: "Whether it holds outside the runs that were looked at.",
    Unknown.UNALIGNED: "Where a sentence of the rule comes from: no source was found for it.",
    Unknown.WORDING: "Whether some words of the rule mean more than those of the source.",
    Unknown.UNTRIED: "What came of the rule in runs of which nothing could be said.",
    Unknown.UNNAMED: "Who decided in some of the cases.",
    Unknown.UNDATED: "When some of the cases were.",
    Unknown.ERASED_CASE: "What was said in a case that was erased or is not kept.",
    Unknown.REVIEWED_ELSEWHERE: (
        "Whether people and reviews are who the imported files say: names were not checked."
    ),
}
TARGETS: Final[Mapping[Target, str]] = {
    Target.CLAUDE_RULES: "rule file for coding agents",
    Target.AGENTS_SECTION: "section of AGENTS.md",
    Target.CLAUDE_SECTION: "section of CLAUDE.md",
    Target.DECISION_RECORD: "decision record",
    Target.RUNBOOK: "runbook",
    Target.SKILL: "skill",
    Target.PLAIN_DOCS: "plain docs",
}
