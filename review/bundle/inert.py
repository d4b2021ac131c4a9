"""Foreign words in Markdown that cannot act: no mention, reference, link, image or HTML is live.

Inside a fence that is longer than every run of backticks in the text, nothing is read as Markdown.
Hidden characters are shown as marks, so what is read is what is there.
"""

from __future__ import annotations

import re
from typing import Final

from review.text.visible import escape, escape_line

_RUNS: Final = re.compile(r"`+")
_LIVE: Final = re.compile(
    r"[`<>&\\*_~|\[\]@#^$]|://|www\.|\bGH-\d|!\d|^[ \t]*(?:[-+=:]|\d{1,9}[.)])|^[ \t]|  +$",
    re.MULTILINE | re.IGNORECASE,
)
"""Anything that Markdown, or a host of repositories, may read as more than words."""

_COMMIT: Final = re.compile(r"\b[0-9a-f]{7,64}\b", re.IGNORECASE)


def fenced(text: str) -> str:
    """``text`` in a fence of its own, hidden characters as marks; it ends with a newline."""
    shown = escape(text)
    marks = "`" * max(3, 1 + max((len(run) for run in _RUNS.findall(shown)), default=0))
    return f"{marks}text\n{shown.rstrip(chr(10))}\n{marks}\n"


def span(text: str) -> str:
    """One line of ``text`` as a code span."""
    shown = escape_line(text).strip() or " "
    marks = "`" * (1 + max((len(run) for run in _RUNS.findall(shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{marks}{pad}{shown}{pad}{marks}"


def is_plain(text: str) -> bool:
    """Whether ``text`` is words and nothing else, so that it needs no fence."""
    return escape(text) == text and not _LIVE.search(text) and not _COMMIT.search(text)


def words(text: str) -> str:
    """``text`` as paragraphs where it is plain, else in a fence; it ends with a newline."""
    return f"{text.strip()}\n" if is_plain(text) else fenced(text)
