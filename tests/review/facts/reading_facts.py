"""Reading of claims and questions in one line, for the tests of the grammar."""

from __future__ import annotations

from datetime import UTC, datetime

from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting

PARSER = GrammarParser()
SAID = datetime(2026, 2, 15, tzinfo=UTC)
TEAM = Setting(written_at=SAID)
ALEX = Setting(written_at=SAID, speaker="alex")


def facts(text, setting=TEAM):
    return PARSER.claim(text, setting).facts


def read(text, setting=TEAM):
    """What a claim states, as ``(subject, parameter, value)`` in normal forms."""
    return {
        (f.subject_key, f.parameter_key, f.value_key)
        for f in facts(text, setting)
        if f.role == "states"
    }


def ended(text, setting=TEAM):
    """What a claim ends, as ``(parameter, value)``."""
    return {(f.parameter_key, f.value_key) for f in facts(text, setting) if f.role == "ends"}


def rested_on(text, setting=TEAM):
    return {(f.parameter_key, f.value_key) for f in facts(text, setting) if f.role == "rests_on"}


def only(text, setting=TEAM):
    (fact,) = facts(text, setting)
    return fact


def asked(text, setting=TEAM):
    """What a question asks for, as ``(subject, parameter)``."""
    return {(a.subject_key, a.parameter_key) for a in PARSER.question(text, setting).asked}
