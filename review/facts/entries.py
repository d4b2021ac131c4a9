"""Entries of a dictionary, "export_format: csv": the key is a parameter, the rest its value.

A key made like an identifier, of several words joined by signs, names one thing in one scope, and
setting it again replaces what it was, whatever the words behind it say. An ordinary word before a
colon ("note: …", "Anna: …") names nothing and is no key.

Source: ours.
"""

from __future__ import annotations

import re
from typing import Final

from review.facts import values
from store.cells import Cardinality, Fact, FactRole, Span

PREFIX: Final = "entry:"
"""Sets keys apart from parameters of the table, which mean the same in every scope."""

_ENTRY: Final = re.compile(
    r"\s{0,9}(?P<key>[^\W\d_][\w.\-/]{1,80})\s{0,9}[:=]\s{1,9}(?P<value>\S[^\n]*)"
)
_JOINED: Final = re.compile(r"[^\W_][_./][^\W_]")
"""A key of several words: "export_format", and not "Anna"."""

_COUNTED: Final = re.compile(r"[_.\-/]\d+$")
"""``note_3`` is the third of many notes; its number is the only name it has."""

_LONGEST: Final = 300
"""Characters of a value that are compared; what is longer is a document under a key."""


def entry(text: str, facts: list[Fact], reader: str) -> Fact | None:
    """The entry that a claim is, unless its words were read as a parameter that has one value.

    Args:
        text: The claim.
        facts: What was read from its words.
        reader: Who reads, for the fact.
    """
    found = _ENTRY.match(text)
    if found is None or text.strip("\n").count("\n"):
        return None
    if _JOINED.search(found["key"]) is None or _COUNTED.search(found["key"]):
        return None
    if any(one.role is FactRole.STATES and one.cardinality is Cardinality.ONE for one in facts):
        return None
    value = found["value"].strip()
    key = values.name_key(value[:_LONGEST])
    if not key or len(value) > _LONGEST:
        return None
    return Fact(
        subject="",
        parameter=found["key"],
        value=value,
        span=Span(found.start("key"), found.start("value") + len(value)),
        parameter_key=PREFIX + found["key"].casefold(),
        value_key=key,
        cardinality=Cardinality.ONE,
        reader=reader,
    )
