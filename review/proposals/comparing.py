"""Proposed facts beside those that a record has: which are the same, and which only one has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.cells import Fact


class Compared(StrEnum):
    """How one proposed fact stands to the facts of a record."""

    SAME = "same"
    OTHER_VALUE = "other_value"
    """The record has another value of the same parameter."""

    ONLY_MODEL = "only_model"
    ONLY_STORED = "only_stored"
    """The record has it, and the model did not tell it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A proposed fact, a fact of the record, or both."""

    compared: Compared
    told: Fact | None
    stored: Fact | None


def pairs(told: Sequence[Fact], stored: Sequence[Fact]) -> tuple[Pair, ...]:
    """Every fact of either once, those of the model first."""
    found = [_pair(one, stored) for one in told]
    met = {one.parameter_key for one in told}
    rest = [
        Pair(Compared.ONLY_STORED, None, one) for one in stored if one.parameter_key not in met
    ]
    return (*found, *rest)


def _pair(one: Fact, stored: Sequence[Fact]) -> Pair:
    beside = [other for other in stored if other.parameter_key == one.parameter_key]
    for other in beside:
        if (other.value_key, other.role) == (one.value_key, one.role):
            return Pair(Compared.SAME, one, other)
    if beside:
        return Pair(Compared.OTHER_VALUE, one, beside[0])
    return Pair(Compared.ONLY_MODEL, one, None)
