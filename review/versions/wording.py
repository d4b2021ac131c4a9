"""In what the words of one version differ from those of the version before it.

Pure. Words are compared as they stand, and so are the marks and the spaces between them.

Source: Ratcliff and Metzener (1988), as ``difflib`` has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

MOST: Final = 4_000
"""Characters of each text that are compared."""

_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text. Foreign text."""

    text: str
    old: bool
    """Whether it stands in the older text."""

    new: bool
    """Whether it stands in the newer text."""


def changed(before: str, after: str) -> tuple[Run, ...]:
    """Both texts as one row of stretches, in order: kept, taken out, put in."""
    old, new = _PIECE.findall(before[:MOST]), _PIECE.findall(after[:MOST])
    runs: list[Run] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append(Run("".join(old[a:b]), old=True, new=True))
            continue
        if a < b:
            runs.append(Run("".join(old[a:b]), old=True, new=False))
        if c < d:
            runs.append(Run("".join(new[c:d]), old=False, new=True))
    return tuple(runs)
