"""Signs that are no words and yet say something: ``⛔``, ``✅``, ``∀``.

Nobody here can tell what a sign makes of a sentence, so one that only the rule has, or only the
source had, is UNKNOWN. Arrows, signs of units and of arithmetic are left alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

_QUIET: Final = frozenset("+<=>|~±×÷−°№©®™←↑→↓↔⇐⇒⇔≤≥≠≈²³•·✓✔☐☑☒")
_TELLING: Final = ("So", "Sm")
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")


def signs(text: str) -> Iterator[tuple[str, int]]:
    """Every such sign of ``text`` with its place, once for each sort."""
    seen: set[str] = set()
    for at, char in enumerate(text):
        if char.isascii() or char in _QUIET or char in _JOINERS or char in seen:
            continue
        if unicodedata.category(char) in _TELLING:
            seen.add(char)
            yield char, at
