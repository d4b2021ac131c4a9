"""Whether a rule is written in letters that its readers, and the check of its words, can see.

A hidden character inside a word, a Cyrillic letter in a Latin one, or a full-width letter makes
"always" a word that no list knows. A rule is typed plainly or not exported.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from review.visible import Hidden, hidden

_MIXED: Final = re.compile(r"[A-Za-z][Ѐ-ӿͰ-Ͽ]|[Ѐ-ӿͰ-Ͽ][A-Za-z]")


def is_plain(text: str) -> bool:
    """Whether ``text`` has no hidden characters, no words of two alphabets, no odd letters.

    True for ``rev.3-й`` and for accents; false for a zero-width space, for ``аlways`` with a
    Cyrillic letter, and for full-width or mathematical letters.
    """
    if hidden(text) != Hidden() or _MIXED.search(text):
        return False
    letters = (char for char in text if char.isalpha())
    return all(unicodedata.is_normalized("NFKC", char) or _composed(char) for char in letters)


def _composed(char: str) -> bool:
    return unicodedata.normalize("NFKC", char) == unicodedata.normalize("NFC", char)
