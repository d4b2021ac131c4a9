"""What a field takes, and what else can be done, said below records that failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from store.cells import Kind, Precision, SourceType
from store.records import FailReason

_WORDS: Final[Mapping[str, Iterable[str]]] = {
    "kind": Kind,
    "source_type": SourceType,
    "precision": Precision,
    "polarity": ("do", "avoid"),
}


def hints(faults: Iterable[tuple[str, str]]) -> list[tuple[str, dict[str, str]]]:
    """Keys of the catalogue with their parameters, one for each thing to be said.

    Args:
        faults: Reason and field of each record that failed; fields may be foreign names.
    """
    told: dict[str, tuple[str, dict[str, str]]] = {}
    for reason, field in faults:
        if reason == FailReason.TIME_INVALID:
            told["time"] = ("failed.accepted.time", {})
        elif reason == FailReason.UNKNOWN_FORMAT:
            told["table"] = ("failed.accepted.table", {})
        elif reason == FailReason.FIELD_INVALID and field in _WORDS:
            words = ", ".join(_WORDS[field])
            told[field] = ("failed.accepted.words", {"field": field, "words": words})
    return list(told.values())
