"""A fact while it is being read: phrases in their places, before it is told from its rivals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from review.facts.parameters import Parameter
from review.facts.sentences import Phrase
from store.cells import Cardinality, FactRole

NAMED: Final = 3
"""Weight of a fact that names its parameter; sentences weigh as many words as they fix."""


@dataclass(slots=True)
class Draft:
    """One fact as one rule reads it."""

    parameter_key: str
    words: str
    """The parameter as written."""

    place: tuple[int, int]
    """Where the parameter's words stand, in characters of the text."""

    subject: Phrase | None
    value: Phrase
    role: FactRole = FactRole.STATES
    cardinality: Cardinality = Cardinality.UNKNOWN
    weight: int = NAMED
    named: bool = False
    """Its parameter is named, so a list or an earlier fact may say whose it is."""

    changes: bool = False
    """The value holds from now on, and another one held before."""

    past: bool = False
    """It is said of the past."""

    reading: bool = False
    """A measurement of one day."""

    gone: Phrase | None = None
    """The value that it replaces, where it says so: "moved from A to B"."""


def of(parameter: Parameter, words: str, place: tuple[int, int], value: Phrase) -> Draft:
    """A draft that states ``parameter``, with what the table says of it."""
    return Draft(
        parameter.key,
        words,
        place,
        None,
        value,
        cardinality=parameter.cardinality,
        named=True,
        reading=parameter.reading,
    )


def ended(draft: Draft, gone: Phrase) -> Draft:
    """The draft that ends ``gone``, which ``draft`` replaces."""
    return Draft(
        draft.parameter_key,
        draft.words,
        draft.place,
        draft.subject,
        gone,
        role=FactRole.ENDS,
        cardinality=draft.cardinality,
        named=draft.named,
        changes=True,
    )
