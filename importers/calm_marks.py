"""Lifecycle words that CALM leaves in a text: ``[STABLE | since 2026-03]``, ``[STALE]`` and more.

English and Russian, ``SUPERSEDED`` and ``SUPERCEDED``, with and without dates and ids. They are
the file's opinion of itself. They are taken out of the claim, shown, and set nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from store.records import RemarkCode

_DATE: Final = r"(\d{4}(?:-\d\d(?:-\d\d)?)?)"
_ID: Final = r"([^\]\s|]{1,200})"
MARK: Final = re.compile(
    r"\[(?:"
    rf"(STABLE)(?:\s*\|\s*(?:с|since|from)\s+{_DATE})?"
    rf"|(ACTIVE)\s*\|\s*(?:с|since|from)\s+{_DATE}"
    rf"|(SUPER[SC]EDED)(?:\s+by\s+{_ID})?"
    rf"(?:\s*\|\s*(?:действовал[оаи]?\s+до|in\s+force\s+until|until)\s+{_DATE})?"
    rf"|(STALE)(?:\s*[—–-]{{1,2}}\s*(?:проверить\s+зависимость\s+от|"
    rf"check\s+(?:the\s+)?dependency\s+on)\s+{_ID})?"
    r")\]"
)
_STATUS: Final = {1: "STABLE", 3: "ACTIVE", 5: "SUPERSEDED", 8: "STALE"}
"""The status by the group that tells it; the groups after it are its date or its id."""

_DETAILS: Final = {2: "since", 4: "since", 6: "superseded_by", 7: "until", 9: "rests_on"}
_REMARKS: Final = {
    "STABLE": RemarkCode.MARKED_STABLE,
    "STALE": RemarkCode.MARKED_STALE,
    "SUPERSEDED": RemarkCode.MARKED_SUPERSEDED,
}


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its marks, and what they said."""

    text: str
    foreign: dict[str, object] = field(default_factory=dict)
    remarks: tuple[RemarkCode, ...] = ()


def read(text: str) -> Marked:
    """``text`` with its marks taken out and told apart."""
    found = list(MARK.finditer(text))
    if not found:
        return Marked(text)
    foreign, remarks = told(found)
    return Marked(" ".join(MARK.sub(" ", text).split()), foreign, remarks)


def told(found: list[re.Match[str]]) -> tuple[dict[str, object], tuple[RemarkCode, ...]]:
    """What marks say, as the file's own claims, and the remarks that belong to it."""
    statuses = [_STATUS[group] for one in found for group in _STATUS if one[group]]
    foreign: dict[str, object] = {"status": ", ".join(statuses)}
    for group, name in _DETAILS.items():
        for one in found:
            if one[group]:
                value = one[group].removeprefix("#")
                before = foreign.get(name)
                foreign[name] = f"{before}, {value}" if before else value
    return foreign, tuple(dict.fromkeys(_REMARKS[one] for one in statuses if one in _REMARKS))
