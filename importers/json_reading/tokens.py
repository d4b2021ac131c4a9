"""Where things stand inside the bytes of one JSON record: brackets, strings, list elements.

Works on bytes, because places are byte ranges. It never builds values, so it is safe to run on
a record before anything is parsed; that is how depth is checked before recursion can happen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from store.cells import Span
from store.records import FailReason

STRING: Final = rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"'
_CUT: Final = rb'|(?P<cut>"[^\n]*+)'
"""A quote that is never closed, with the rest of its line: looking at every quote in it anew would
take time with the square of its length."""

_TOKEN: Final = re.compile(STRING + rb'|[{}\[\]:,]|[^\s{}\[\]:,"]++' + _CUT)
_BRACKET: Final = re.compile(STRING + rb"|[{}\[\]]" + _CUT)
_LONG_STRING: Final = re.compile(rb'"((?:[^"\\\n]++|\\[^\n])*+)"' + _CUT)
_OPEN: Final = b"{["
_CLOSE: Final = b"}]"


def deeper_than(raw: bytes, limit: int) -> int | None:
    """Byte offset of the first bracket that opens level ``limit + 1``, or ``None``."""
    if raw.count(b"{") + raw.count(b"[") <= limit:
        return None
    depth = 0
    for match in _BRACKET.finditer(raw):
        first = match[0][:1]
        if first in (b"{", b"["):
            depth += 1
            if depth > limit:
                return match.start()
        elif first in (b"}", b"]"):
            depth -= 1
    return None


def is_open(raw: bytes) -> bool:
    """Whether the record ends before it closes: inside a string or with a bracket open."""
    depth = 0
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif match.lastgroup == "cut":
            return True
    return depth > 0


def long_strings(raw: bytes, limit: int) -> Iterator[Span]:
    """Spans, without the quotes, of string literals longer than ``limit`` bytes as written."""
    for match in _LONG_STRING.finditer(raw):
        if match[1] is not None and match.end(1) - match.start(1) > limit:
            yield Span(match.start(1), match.end(1))


def locate(raw: bytes, reason: FailReason) -> int:
    """Byte offset of the first token that breaks the rule named by ``reason``; 0 if none does.

    Runs only on a record that has already failed, so it may be slow.
    """
    keys: list[set[bytes] | None] = []
    expects_key = False
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token in (b"{", b"["):
            keys.append(set() if token == b"{" else None)
            expects_key = token == b"{"
        elif token in (b"}", b"]"):
            if keys:
                keys.pop()
            expects_key = False
        elif token == b",":
            expects_key = bool(keys) and keys[-1] is not None
        elif token[:1] == b'"' and expects_key and keys:
            expects_key = False
            seen = keys[-1]
            if seen is not None:
                key = _plain(token)
                if reason is FailReason.DUPLICATE_KEYS and key in seen:
                    return match.start()
                seen.add(key)
        elif _breaks(token, reason):
            return match.start()
    return 0


def _breaks(token: bytes, reason: FailReason) -> bool:
    if token[:1] == b'"':
        return reason is FailReason.LONE_SURROGATE and _has_lone_surrogate(token)
    if reason is FailReason.NOT_A_NUMBER:
        if token in (b"NaN", b"Infinity", b"-Infinity"):
            return True
        return token[:1] in b"-0123456789" and _is_infinite(token)
    if reason is FailReason.NUMBER_TOO_LONG:
        return len(token.lstrip(b"-")) > 19 and token.lstrip(b"-").isdigit()
    return False


def _is_infinite(token: bytes) -> bool:
    try:
        return float(token) in (float("inf"), float("-inf"))
    except ValueError:
        return False


def _has_lone_surrogate(token: bytes) -> bool:
    try:
        json.loads(token).encode("utf-8")
    except UnicodeEncodeError:
        return True
    except ValueError:
        return False
    return False


def _plain(token: bytes) -> bytes:
    if b"\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token)).encode("utf-8", "surrogatepass")
    except ValueError:
        return token[1:-1]


def members(raw: bytes) -> dict[str, Span]:
    """Spans of the values of a top-level object, by key. Empty if it is not an object."""
    found: dict[str, Span] = {}
    key: str | None = None
    depth, begin, previous = 0, -1, 0
    after_colon = False
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if depth == 1 and token in (b",", b"}"):
            if key is not None and begin >= 0:
                found[key] = Span(begin, previous)
            key, begin, after_colon = None, -1, False
        elif depth == 1 and token == b":":
            after_colon = True
        elif depth == 1 and not after_colon:
            key = _plain(token).decode("utf-8", "replace")
        elif depth == 1 and begin < 0:
            begin = match.start()
        depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
        previous = match.end()
    return found


def elements(raw: bytes, inside: Span) -> list[Span]:
    """Spans of the elements of the list that stands at ``inside``, in order."""
    found: list[Span] = []
    depth, begin, previous = 0, -1, inside.start
    for match in _TOKEN.finditer(raw, inside.start, inside.end):
        token = match[0]
        if depth == 1 and token in (b",", b"]"):
            if begin >= 0:
                found.append(Span(begin, previous))
            begin = -1
        elif depth == 1 and begin < 0:
            begin = match.start()
        depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
        previous = match.end()
    return found


def text_span(raw: bytes, key: str, text: str) -> Span | None:
    """Span, quotes included, of the string literal under ``key`` that reads as ``text``.

    ``text`` may have lost white space at its ends. ``None`` if there is no such literal.
    """
    name, wanted = key.encode(), b'"' + text.encode() + b'"'
    for begin in (b'"' + name + b'": ', b'"' + name + b'":'):  # as most writers write it
        at = raw.find(begin) + len(begin)
        if at >= len(begin) and raw.startswith(wanted, at):
            return Span(at, at + len(wanted))
    for match in re.finditer(rb'"' + name + rb'"\s*+:\s*+(' + STRING + rb")", raw):
        literal = match[1]
        if b"\\" not in literal:
            same = literal[1:-1].decode("utf-8", "replace").strip() == text.strip()
        else:
            try:
                same = str(json.loads(literal)).strip() == text.strip()
            except ValueError:
                same = False
        if same:
            return Span(match.start(1), match.end(1))
    return None


def texts(data: bytes, start: int = 0) -> Iterator[tuple[str, str, Span]]:
    """Every string that is a value: the keys that lead to it, its text, its literal's span.

    For documents that have already been parsed strictly.
    """
    path: list[str | None] = []
    expects_key = [False]
    for match in _TOKEN.finditer(data, start):
        token = match[0]
        if token in (b"{", b"["):
            path.append(None)
            expects_key.append(token == b"{")
        elif token in (b"}", b"]"):
            path.pop()
            expects_key.pop()
        elif token == b",":
            expects_key[-1] = expects_key[-1] or path[-1] is not None
        elif token[:1] == b'"':
            text = str(json.loads(token))
            if expects_key[-1]:
                path[-1] = text
                expects_key[-1] = False
            else:
                keys = ".".join(key for key in path if key is not None)
                yield keys, text, Span(match.start(), match.end())
