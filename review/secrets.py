"""Finds and masks secrets in text that came from elsewhere.

The search runs on a folded copy of the text: compatibility forms become plain letters and digits,
zero-width characters vanish, and JSON escapes are undone in a second pass. So a card number in
full-width digits, or a token with a zero-width space inside, is found where it stands. A finding
says what sort of secret it is and where, never its value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from review.secret_numbers import numbers
from review.secret_rules import RULES, Category, SecretKind, category_of, plugin_rules

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


# --- the prefilter: what every secret has, so that ordinary text costs almost nothing ---------

_TOKEN_SHAPE: Final = bytes(
    0x61 if chr(b) in "+/=_.-" or chr(b).isalnum() else 0x20 for b in range(128)
) + bytes(128)
_LONG_RUN: Final = re.compile(rb"a{16,}")
_ID: Final = re.compile(
    rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24,128}|[0-9-]{9,11}T[0-9-]{2,9}"
)
"""A UUID, a hash or a date that stands alone; no rule without a word of its own matches inside."""

_NUMBER_SHAPE: Final = bytes(
    0x30 if chr(b).isdigit() else 0x41 if chr(b).isupper() else 0x20 for b in range(128)
) + bytes(128)
_WIDE_SEPARATOR: Final = re.compile("[0-9][\xa0·‐‒–—−]")
_WORDS: Final = (
    *("pass", "pwd", "secret", "token", "key", "bearer", "authoriz", "cvv", "cvc"),
    *("://", "-begin", "eyj"),
)
_WORDS_RU: Final = ("парол", "кодов", "секрет", "токен", "ключ")


def _is_suspect(text: str, low: str) -> bool:
    """A necessary condition: whether any rule can match at all.

    A word that announces a secret, or a long run of token characters that is no UUID or hash, or
    eleven digits with nothing but separators between them, or ten in a row, or the head of an
    IBAN. Substring searches and not one regular expression: that costs ten times as much.
    """
    for word in _WORDS:  # a loop, because a generator costs more than the searches
        if word in low:
            return True
    raw = text.encode("ascii", "replace")
    for run in _LONG_RUN.finditer(raw.translate(_TOKEN_SHAPE)):
        if not _ID.fullmatch(raw, *run.span()):
            return True
    numbers_only = raw.translate(_NUMBER_SHAPE)
    if (
        b"0000000000" in numbers_only
        or b"AA00" in numbers_only
        or b"00000000000" in raw.translate(_NUMBER_SHAPE, b" ._-")
    ):
        return True
    if text.isascii():
        return False
    return any(word in low for word in _WORDS_RU) or (
        _WIDE_SEPARATOR.search(text) is not None
        and b"00000000000" in raw.translate(_NUMBER_SHAPE, b" ._-?")
    )


# --- finding and masking -------------------------------------------------------------------------


def _search(text: str, *, unescape: bool = False) -> Iterator[tuple[SecretKind, int, int]]:
    """Every match of every rule in the folded text, overlapping ones too."""
    plain = _ESCAPE.sub(lambda m: _unescaped(m[0]), text) if unescape else text
    if not is_plain(plain):
        plain = _ODD.sub(lambda m: _fold_one(m[0]), plain)
    if not _is_suspect(plain, _lowered(plain)):
        return
    folded = _fold(text, unescape=unescape)  # the same text, with its offsets
    low = _lowered(folded.text)
    for rule in (*RULES, *plugin_rules(folded.text)):
        if any(anchor in low for anchor in rule.anchors):
            for start, end in rule.spans(folded.text, low):
                yield rule.kind, *folded.span(start, end)
    for kind, start, end in numbers(folded.text, low):
        yield kind, *folded.span(start, end)


def _fresh(text: str) -> list[tuple[SecretKind, int, int]]:
    """Matches in the text as it stands and with its escapes undone, blanked ones left out."""
    found = list(_search(text))
    if "\\" in text:
        found += _search(text, unescape=True)
    return [hit for hit in found if text[hit[1] : hit[2]].strip("⟧")]


def _whole_word(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened to the blanks around it: a pile of secrets is masked as one."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def _lowered(text: str) -> str:
    """Lower case of the same length."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


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
    try:
        text, codec = raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, codec = raw.decode("latin-1"), "latin-1"
    masked, placed = bytearray(raw), []
    for finding in find(text):
        begin, stop = _whole_escapes(text, finding.start, finding.end)
        start = len(text[:begin].encode(codec))
        end = start + len(text[begin:stop].encode(codec))
        masked[start:end] = b"*" * (end - start)
        placed.append(Finding(finding.kind, finding.category, start, end))
    return bytes(masked), tuple(placed)


def _whole_escapes(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened so that neither edge cuts a JSON escape in two."""
    for match in _ESCAPE.finditer(text, max(0, start - 12)) if "\\" in text else ():
        if match.start() >= end:
            break
        if match.end() > start:
            start, end = min(start, match.start()), max(end, match.end())
    return start, end
