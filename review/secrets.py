"""Finds and masks secrets in text that came from elsewhere.

The search runs on a folded copy of the text: compatibility forms become plain letters and digits,
zero-width characters vanish, and JSON escapes are undone in a second pass. So a card number in
full-width digits, or a token with a zero-width space inside, is found where it stands. A finding
says what sort of secret it is and where, never its value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from review.secret import signs
from review.secret.encodings import decoded_runs
from review.secret.numbers import numbers
from review.secret.rules import RULES, Category, SecretKind, category_of, plugin_rules

_TURNS: Final = 20
_ORDER: Final = {kind: place for place, kind in enumerate(SecretKind)}


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``[start, end)``, in characters or bytes as the function that made it says."""

    kind: SecretKind
    category: Category
    start: int
    end: int


# --- folding: what the search sees, and where each of its characters came from ---------------

_ODD: Final = re.compile(
    r"[^\x01-\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xb7\xbb\xbf-\u0131\u0134-\u013e\u0141-\u0148"
    r"\u014a-\u017e\u0400-\u04ff\u2010\u2012-\u2016\u2018-\u201f\u2020-\u2022\u2026\u2030"
    r"\u20ac\u20bd\u2116\u2122\u2190-\u21ff\u2500-\u27bf\u3001\u3002\u3041-\u3096\u30a1-\u30fa"
    r"\u4e00-\u9fff\uac00-\ud7a3\U0001f300-\U0001f64f]"
)
"""Any character that folding may change.

The class lists characters that it leaves alone, and four common ones whose plain form can hide
nothing: no-break space, ellipsis, numero and trade mark sign.
"""

_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DROPPED: Final = frozenset("\0\u034f\u115f\u1160\u20e3\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0x180B, 0x180E), *range(0xE0100, 0xE01F0)))
)


@dataclass(frozen=True, slots=True)
class _Folded:
    """``text`` to search; character ``i`` of it stands for ``[starts[i], ends[i])``."""

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def is_plain(text: str) -> bool:
    """A sufficient condition that ``text`` has no hidden or compatibility characters."""
    return _ODD.search(text) is None


def _fold_one(char: str) -> str:
    """What ``char`` is to the search: a plain form of it, or nothing."""
    if char in _DROPPED or unicodedata.category(char) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", char)
    return "".join(str(unicodedata.decimal(each, each)) for each in plain)


@lru_cache(maxsize=4096)
def _unescaped(code: str) -> str:
    """The character that one JSON escape stands for."""
    if code[1] != "u":
        return _SHORT.get(code[1], code[1])
    if len(code) == 6:
        return chr(int(code[2:], 16))
    return chr(0x10000 + ((int(code[2:6], 16) - 0xD800) << 10) + int(code[8:], 16) - 0xDC00)


def _pieces(text: str, *, unescape: bool) -> Iterator[tuple[str, int, int]]:
    """``text`` as ``(characters, start, end)``, with JSON escapes undone if asked."""
    at = 0
    for match in _ESCAPE.finditer(text) if unescape else ():
        yield from ((text[i], i, i + 1) for i in range(at, match.start()))
        at = match.end()
        yield _unescaped(match[0]), match.start(), at
    yield from ((text[i], i, i + 1) for i in range(at, len(text)))


def _fold(text: str, *, unescape: bool = False) -> _Folded:
    if not unescape and is_plain(text):
        return _Folded(text)
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for char, start, end in _pieces(text, unescape=unescape):
        plain = _fold_one(char) if _ODD.match(char) else char
        chars.extend(plain)
        starts.extend([start] * len(plain))
        ends.extend([end] * len(plain))
    return _Folded("".join(chars), starts, ends)


def _folded(text: str, *, unescape: bool = False) -> str:
    """The text of ``_fold`` without its offsets: a tenth of the work."""
    plain = _ESCAPE.sub(lambda m: _unescaped(m[0]), text) if unescape else text
    return plain if is_plain(plain) else _ODD.sub(lambda m: _fold_one(m[0]), plain)


# --- finding and masking -------------------------------------------------------------------------


def _search(text: str, *, unescape: bool = False) -> Iterator[tuple[SecretKind, int, int]]:
    """Every match of every rule in the folded text, overlapping ones too."""
    if not signs.suspects([_folded(text, unescape=unescape)]):
        return
    folded = _fold(text, unescape=unescape)  # the same text, with its offsets
    low = signs.lowered(folded.text)
    for rule in (*RULES, *plugin_rules(folded.text)):
        if any([anchor in low for anchor in rule.anchors]):  # a generator costs twice as much
            for start, end in rule.spans(folded.text, low):
                yield rule.kind, *folded.span(start, end)
    for kind, start, end in numbers(folded.text, low):
        yield kind, *folded.span(start, end)


def suspects(texts: Sequence[str]) -> set[int]:
    """Which of ``texts`` are worth a ``find``; in any other it would find nothing.

    One pass over all of them: for many short texts this is many times faster than ``find``.
    """
    escaped = [n for n, text in enumerate(texts) if "\\" in text]
    folded = [_folded(text) for text in texts]
    folded += [_folded(texts[n], unescape=True) for n in escaped]
    found = signs.suspects(folded)
    return {n if n < len(texts) else escaped[n - len(texts)] for n in found}


def _fresh(text: str) -> list[tuple[SecretKind, int, int]]:
    """Matches in the text as it stands, unescaped and decoded; blanked ones left out."""
    found = list(_search(text))
    if "\\" in text:
        found += _search(text, unescape=True)
    if signs.suspects([_folded(text)]):
        for told, start, end in decoded_runs(text):
            kind = next((hit[0] for hit in _search(told)), None)
            if kind is not None:
                found.append((kind, start, end))
    return [hit for hit in found if text[hit[1] : hit[2]].strip("⟧")]


def _whole_word(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened to the blanks around it: a pile of secrets is masked as one."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def find(text: str) -> tuple[Finding, ...]:
    """The secrets in ``text``, in order and apart from each other; offsets count characters.

    Where two rules see the same place, one finding covers both ranges and carries the kind that
    comes first in ``SecretKind``. An empty tuple means that no named rule matched, not that the
    text is harmless: names, addresses and unknown token shapes are not looked for.
    """
    found: list[tuple[SecretKind, int, int]] = []
    rest = text
    for turn in range(_TURNS):  # what is glued to a secret may be one that its neighbour hid
        more = _fresh(rest)
        if not more:
            break
        if turn > 1:
            more = [(kind, *_whole_word(text, start, end)) for kind, start, end in more]
        found += more
        for _, start, end in more:
            rest = rest[:start] + "⟧" * (end - start) + rest[end:]
    if not found:
        return ()
    found.sort(key=lambda hit: hit[1:])
    merged = [found[0]]
    for kind, start, end in found[1:]:
        first, begin, stop = merged[-1]
        if start < stop:
            merged[-1] = (min(first, kind, key=_ORDER.__getitem__), begin, max(stop, end))
        else:
            merged.append((kind, start, end))
    return tuple(Finding(kind, category_of(kind), start, end) for kind, start, end in merged)


def mask(text: str) -> tuple[str, tuple[Finding, ...]]:
    """``text`` with ``⟦secret: github_token⟧`` in place of each secret, and what was there.

    The findings' offsets are those of the original text. Masking what is masked changes nothing.
    """
    findings = find(text)
    parts: list[str] = []
    at = 0
    for finding in findings:
        parts += (text[at : finding.start], f"⟦secret: {finding.kind}⟧")
        at = finding.end
    return "".join((*parts, text[at:])), findings


def mask_bytes(raw: bytes) -> tuple[bytes, tuple[Finding, ...]]:
    r"""``raw`` with every byte of every secret as ``*``; same length, offsets count bytes.

    Bytes that are not UTF-8 are read as Latin-1, so that ASCII secrets in them are still found. An
    escape such as ``\n`` is masked whole or not at all, so the strings of masked JSON still parse.
    """
    text, codec = decoded(raw)
    masked, placed = bytearray(raw), []
    for finding in find(text):
        begin, stop = _whole_escapes(text, finding.start, finding.end)
        start = len(text[:begin].encode(codec))
        end = start + len(text[begin:stop].encode(codec))
        masked[start:end] = b"*" * (end - start)
        placed.append(Finding(finding.kind, finding.category, start, end))
    return bytes(masked), tuple(placed)


def mask_suspects(raws: Sequence[bytes]) -> dict[int, tuple[bytes, tuple[Finding, ...]]]:
    """``mask_bytes`` of those that may need it, by their index; the others hold no secret."""
    return {n: mask_bytes(raws[n]) for n in sorted(suspects([decoded(raw)[0] for raw in raws]))}


def decoded(raw: bytes) -> tuple[str, str]:
    """``raw`` as text, and by which codec: UTF-8, or Latin-1 for whatever is not."""
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"


def plain_forms(text: str) -> tuple[str, ...]:
    """What the search reads in place of ``text``: folded, and folded with its escapes undone."""
    if "\\" not in text:
        return (_folded(text),)
    return _folded(text), _folded(text, unescape=True)


def _whole_escapes(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened so that neither edge cuts a JSON escape in two."""
    for match in _ESCAPE.finditer(text, max(0, start - 12)) if "\\" in text else ():
        if match.start() >= end:
            break
        if match.end() > start:
            start, end = min(start, match.start()), max(end, match.end())
    return start, end
