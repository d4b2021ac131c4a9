"""How often a file vouches for itself: ``approved_by``, ``status: verified`` and their like.

It is counted and shown, and sets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_TRUST_STEMS: Final = (
    *("approv", "verif", "trust", "validat", "reviewed", "certif", "confirmed", "endors"),
    *("одобр", "провер", "подтвер", "утвержд"),
)
_TRUST_VALUE: Final = re.compile(
    r"approved|verified|trusted|validated|reviewed|certified|confirmed|stable|canonical|golden"
    r"|одобрен\w*|проверен\w*|подтвержд[её]н\w*|утвержд[её]н\w*"
)
_STATUS_NAMES: Final = frozenset(
    {"status", "state", "review_status", "lifecycle", "label", "tags"}
)
_DENIALS: Final = frozenset({"", "0", "none", "no", "false", "null", "unverified", "untrusted"})


def claims(foreign: Mapping[str, object], depth: int = 0) -> int:
    """How often the file vouches for itself, such as ``approved_by`` or ``status: verified``."""
    vouching, stating = _telling(tuple(map(str, foreign)))
    found = 0
    for name, value in foreign.items():
        if str(name) in vouching:
            found += bool(value) and str(value).strip().lower() not in _DENIALS
        elif isinstance(value, dict) and depth < 4:
            found += claims(value, depth + 1)
        elif str(name) in stating:
            values = value if isinstance(value, list | tuple) else (value,)
            found += any(_TRUST_VALUE.fullmatch(str(each).lower()) for each in values)
    return found


@lru_cache(maxsize=64)
def _telling(names: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Of a record's names, those that vouch and those of a status; most records share theirs."""
    lows = {name: name.lower() for name in names}
    vouching = (name for name, low in lows.items() if any(stem in low for stem in _TRUST_STEMS))
    return frozenset(vouching), frozenset(n for n, low in lows.items() if low in _STATUS_NAMES)
