"""Names of folders and files, made from titles: safe on every file system, and distinct.

A slug has 1 to 60 characters of ``a-z``, ``0-9`` and ``-``, begins and ends with a letter or
digit, and is no name that Windows keeps for devices.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from review.text.skeleton import LATIN

LONGEST: Final = 60
FALLBACK: Final = "rule"
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
_OTHER: Final = re.compile(r"[^a-z0-9]+")


def slug(title: str) -> str:
    """``title`` as a name; ``rule`` when nothing of it can be spelled."""
    latin = "".join(LATIN.get(char, char) for char in title.lower())
    plain = unicodedata.normalize("NFKD", latin).encode("ascii", "ignore").decode("ascii")
    name = cut(_OTHER.sub("-", plain).strip("-"), LONGEST)
    if not name:
        return FALLBACK
    return f"{FALLBACK}-{name}" if _RESERVED.fullmatch(name) else name


def distinct(name: str, taken: Collection[str], *, mark: str) -> str:
    """``name``, or ``name-mark``, then ``name-mark-2`` and so on, until none of ``taken`` is it.

    Upper and lower case are one name, as on many file systems.
    """
    used = {one.casefold() for one in taken}
    if name not in used:
        return name
    marked = f"{cut(name, LONGEST - 1 - len(mark))}-{mark}"
    tries, found = 1, marked
    while found in used:
        tries += 1
        found = f"{marked}-{tries}"
    return found


def cut(name: str, length: int) -> str:
    """At most ``length`` characters, cut between words unless that would leave hardly any."""
    if len(name) <= length:
        return name.rstrip("-")
    words = name[: length + 1].rpartition("-")[0].rstrip("-")
    return words if len(words) > length // 2 else name[:length].rstrip("-")
