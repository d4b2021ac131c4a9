"""Makes hidden characters of foreign text visible, for screens and terminals.

Nothing is dropped and nothing is trusted: ``unescape(escape(text)) == text``, so two different
texts never look the same because of a character that cannot be seen. A mark stands between ``⟦``
and ``⟧``; a bracket that the text itself holds is shown as a mark too, so marks cannot be forged.
The one exception is the exact mark of a masked secret, which stays readable.

Look-alike letters of two alphabets are not this module's: see ``review.staged.flags``.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from store.cells import Span

_NAMES: Final = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x09: "TAB", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL",
    0x85: "NEL", 0x9B: "CSI", 0xAD: "SHY", 0x34F: "CGJ", 0x61C: "ALM", 0x200B: "ZWSP",
    0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LSEP", 0x2029: "PSEP",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFE0F: "VS16", 0xFEFF: "BOM",
}  # fmt: skip
_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Characters that draw nothing although Unicode calls them letters, marks or symbols."""

_WIDE: Final = frozenset(
    "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
_SPACES: Final = _WIDE | frozenset("\u202f\u205f\u3000")
_OURS: Final = frozenset("⟦⟧⏎")

CLEAN: Final = (
    r"\n -~\xa0-\xac\xae-\u034e\u0350-\u0377\u0400-\u052f\u0531-\u0556\u05d0-\u05ea\u2010-\u2015"
    r"\u2018-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u218b\u2190-\u23cd\u23cf-\u2426\u2500-\u27bf"
    r"\u3001-\u303f\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f"
    r"\U0001f300-\U0001f5ff\U0001f600-\U0001f64f\U0001f680-\U0001f6c5"
)
"""Characters known to be visible, as the inside of a regular-expression class."""

_RUN: Final = r"(?:[ \xa0]*+\n){9,}|[ \xa0]{9,}"
_ODD: Final = re.compile(rf"[^{CLEAN}]")
_HIDDEN: Final = re.compile(rf"[^{CLEAN}\t\r\u2000-\u200a\u202f\u3000⟦⟧⏎]")
_TOKENS: Final = re.compile(rf"⟦secret: [a-z_]{{1,40}}⟧|{_RUN}|[^{CLEAN}]")
_SAME: Final = re.compile(r" +|\xa0+|\n+")
_RUN_NAMES: Final = {" ": "space", "\xa0": "no-break space", "\n": "newline"}
_RUN_CHARS: Final = {name: char for char, name in _RUN_NAMES.items()}
_MARK: Final = re.compile(
    r"⟦U\+([0-9A-F]{4,6})(?: [A-Z0-9 ]+)?⟧|⟦([0-9]+) (space|no-break space|newline)s?⟧|(⏎)"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """How many characters of a text a reader could not see, by how bad they are."""

    bidi: int = 0
    """Embeddings, overrides and isolates: they can reorder what is read."""

    tags: int = 0
    """U+E0000 to U+E007F: invisible copies of ASCII."""

    other: int = 0


def escape(text: str) -> str:
    """``text`` with every hidden character as a mark such as ``⟦U+202E RLO⟧``.

    Newlines stay, tabs become marks, and a run of more than eight spaces or line breaks becomes
    ``⟦240 spaces⟧``. Ordinary text is returned unchanged.
    """
    return text if _is_clean(text) else _TOKENS.sub(lambda m: _mark(m[0]), text)


def escape_line(text: str) -> str:
    """Like ``escape`` but on one line: a newline is ``⏎``, so a terminal cannot be led astray."""
    return escape(text).replace("\n", "⏎")


def unescape(shown: str) -> str:
    """The text that ``escape`` or ``escape_line`` was given."""

    def plain(mark: re.Match[str]) -> str:
        if mark[1]:
            return chr(int(mark[1], 16))
        return "\n" if mark[4] else _RUN_CHARS[mark[3]] * int(mark[2])

    return _MARK.sub(plain, shown)


def escape_spans(text: str, spans: Iterable[Span]) -> tuple[str, tuple[Span, ...]]:
    """``escape(text)`` and where each span of ``text`` lies in it; both count characters.

    A mark is never cut: a span that touches one covers all of it. Spans are clamped to the text.
    """
    begins: list[int] = []
    ends: list[int] = []
    shown_begins: list[int] = []
    shown_ends: list[int] = []
    parts: list[str] = []
    at = length = 0
    for start, end, mark in _marks(text):
        length += start - at
        parts += (text[at:start], mark)
        begins.append(start)
        ends.append(end)
        shown_begins.append(length)
        length += len(mark)
        shown_ends.append(length)
        at = end

    def moved(place: int, *, closing: bool) -> int:
        place = min(max(place, 0), len(text))
        before = bisect_right(ends, place)
        if before < len(begins) and begins[before] < place:
            return shown_ends[before] if closing else shown_begins[before]
        return place + (shown_ends[before - 1] - ends[before - 1] if before else 0)

    placed = tuple(
        Span(moved(span.start, closing=False), moved(span.end, closing=True)) for span in spans
    )
    return "".join((*parts, text[at:])), placed


def clip(text: str, limit: int) -> tuple[str, int]:
    """The first ``limit`` characters and how many are left out; 0 when all are shown.

    The cut moves back so as not to fall inside a mark or between a letter and its accents.
    """
    if len(text) <= limit:
        return text, 0
    cut = max(limit, 0)
    opened = text.rfind("⟦", max(0, cut - 64), cut)
    if opened >= 0 and text.find("⟧", opened, cut) < 0:
        cut = opened
    while cut > 0 and unicodedata.combining(text[cut]):
        cut -= 1
    return text[:cut], len(text) - cut


def hidden(text: str) -> Hidden:
    """Counts what a reader cannot see; tabs, line ends and wide spaces are not counted."""
    if not text or _HIDDEN.search(text) is None:
        return _NOTHING
    bidi = tags = other = 0
    for char in _HIDDEN.findall(text):
        code = ord(char)
        if 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
            bidi += 1
        elif 0xE0000 <= code <= 0xE007F:
            tags += 1
        elif char in _BLANKS or unicodedata.category(char) in _CATEGORIES:
            other += 1
    return Hidden(bidi, tags, other)


_NOTHING: Final = Hidden()


def _is_clean(text: str) -> bool:
    """A sufficient condition for ``escape(text) == text``, in about two microseconds."""
    return (
        _ODD.search(text) is None
        and " " * 9 not in text
        and "\xa0" not in text
        and text.count("\n") < 9
    )


def _is_marked(char: str) -> bool:
    if char in _BLANKS or char in _SPACES or char in _OURS:
        return True
    return unicodedata.category(char) in _CATEGORIES


def _mark(found: str) -> str:
    """What stands for ``found``, which may be itself."""
    if len(found) == 1:
        if not _is_marked(found):
            return found
        code = ord(found)
        name = _NAMES.get(code, "")
        if 0xE0020 <= code <= 0xE007E:
            name = "TAG"
        return f"⟦U+{code:04X}{name and ' '}{name}⟧"
    if found.startswith("⟦"):
        return found
    return "".join(
        f"⟦{len(run)} {_RUN_NAMES[run[0]]}{'s' if len(run) > 1 else ''}⟧"
        for run in _SAME.findall(found)
    )


def _marks(text: str) -> Iterator[tuple[int, int, str]]:
    if _is_clean(text):
        return
    for match in _TOKENS.finditer(text):
        mark = _mark(match[0])
        if mark != match[0]:
            yield match.start(), match.end(), mark
