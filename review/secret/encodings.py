"""Text in two common encodings, percent signs and Base64. A run is decoded once, never twice."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

_PERCENT: Final = re.compile(r"[^\s\"'<>%]{0,200}(?:%[0-9A-Fa-f]{2}[^\s\"'<>%]{0,200})+")
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}={0,2}")


def decoded_runs(text: str) -> Iterator[tuple[str, int, int]]:
    """Every run of ``text`` that decodes to plain letters: what it says, and where it stands.

    Shorter runs of Base64 than 24 characters hold no token that a rule knows; a longer one than
    8,192 is a file and no secret.
    """
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield unquote(match[0], errors="replace"), match.start(), match.end()
    for match in _BASE64.finditer(text):
        told = _plain(match[0])
        if told:
            yield told, match.start(), match.end()


def _plain(run: str) -> str:
    """What ``run`` says in Base64 when all of it is printable ASCII; else nothing."""
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1:
        return ""
    try:
        told = base64.b64decode(body + "=" * (-len(body) % 4))
    except binascii.Error:
        return ""
    return told.decode("ascii") if told.isascii() and told.decode("ascii").isprintable() else ""
