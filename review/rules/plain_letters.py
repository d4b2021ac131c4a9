"""Whether a rule is written in letters that its readers, and the check of its words, can see.

A hidden character inside a word, a Cyrillic letter in a Latin one, or a full-width letter makes
"always" a word that no list knows. A word that is struck out, or stands in a comment, is read by
the check and by nobody else, or by nobody but an agent. A rule is typed plainly or not exported.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from review.text.visible import Hidden, hidden

_MIXED: Final = re.compile(r"[A-Za-z][Ѐ-ԯͰ-Ͽ]|[Ѐ-ԯͰ-Ͽ][A-Za-z]")

_AWAY: Final = re.compile(
    r"<!|<\?|~~|(?:(?<!\w)<|</)(?:del|s|strike|template|details|noscript)\b[^>\n]*>"
    r"|!?\[\s*\]\(|^[ \t]*\[[^\]\n]+\]:|&(?:#\w{1,8}|[a-z]\w{1,30});",
    re.IGNORECASE | re.MULTILINE,
)
"""What takes words away from a reader: comments, what is struck out, links without a text,
definitions of links, and characters spelled as entities."""


def is_plain(text: str) -> bool:
    """Whether ``text`` hides no character or word, and no word has two alphabets or odd letters.

    True for ``rev.3-й`` and for accents; false for a zero-width space, for ``аlways`` with a
    Cyrillic letter, for full-width or mathematical letters, and for ``~~usually~~``.
    """
    if hidden(text) != Hidden() or _MIXED.search(text) or _AWAY.search(text):
        return False
    letters = (char for char in text if char.isalpha())
    return all(unicodedata.is_normalized("NFKC", char) or _composed(char) for char in letters)


def _composed(char: str) -> bool:
    return unicodedata.normalize("NFKC", char) == unicodedata.normalize("NFC", char)
