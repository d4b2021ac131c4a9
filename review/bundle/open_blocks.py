"""Whether a Markdown file ends inside of something: a section put after it would not be read.

Behind a code fence that nobody closed a rule is an example, and inside of a comment nobody sees
it. Only what swallows all that follows is looked for: code fences, comments, blocks of raw HTML,
the front matter of a file. Source: CommonMark 0.31, 4.5 and 4.6.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LINES: Final = re.compile(r"\r\n|\r|\n")
_FENCE: Final = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<rest>.*)")
_ITEM: Final = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+")
_COMMENT: Final = ("<!--", "-->")
_RAW: Final = re.compile(r"<(?P<name>pre|script|style|textarea|details)(?=[\s>]|$)", re.IGNORECASE)
_SPAN: Final = re.compile(r"(?P<marks>`+)(?!`).+?(?<!`)(?P=marks)(?!`)")


class Open(NamedTuple):
    """What is open at the end of a file, and the line that opened it, from 1."""

    what: str
    line: int


def left_open(text: str) -> Open | None:
    """What the end of ``text`` lies in; None when a section may be put after it."""
    lines = _LINES.split(text.removeprefix("\ufeff"))
    start = _front(lines)
    if start is None:
        return Open("the front matter", 1)
    fence: tuple[str, int] | None = None
    html: list[tuple[str, int]] = []
    for n, line in enumerate(lines[start:], start + 1):
        bare = line[_item(line) :] if fence is None else line
        found = _FENCE.fullmatch(bare)
        if fence is not None:
            marks = fence[0]
            if found and found["marks"].startswith(marks) and not found["rest"].strip():
                fence = None
            continue
        if not html and found and not ("`" in found["marks"] and "`" in found["rest"]):
            fence = (found["marks"], n)
            continue
        _html(_SPAN.sub("", line), n, html)
    if fence is not None:
        return Open("a code fence", fence[1])
    if html:
        name, line_ = html[0]
        return Open("a comment" if name == _COMMENT[0] else f"a block of <{name}>", line_)
    return None


def _front(lines: list[str]) -> int | None:
    """Where the text behind a front matter begins, from 0; None when that has no end."""
    if lines[0].rstrip() != "---":
        return 0
    ends = (n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "..."))
    end = next(ends, None)
    if end is not None:
        return end + 1
    # A rule across the page and no front matter, if nothing like "name: value" follows.
    return None if len(lines) > 1 and re.match(r"[\w-]+:(?:\s|$)", lines[1]) else 0


def _item(line: str) -> int:
    """Characters of marks of lists and quotations before what a line says."""
    found = _ITEM.match(line)
    return found.end() if found else 0


def _html(line: str, n: int, html: list[tuple[str, int]]) -> None:
    """Open and close what one line opens and closes."""
    at = 0
    while at < len(line):
        if html:
            name = html[-1][0]
            closing = _COMMENT[1] if name == _COMMENT[0] else f"</{name}"
            end = line.lower().find(closing, at)
            inner = _RAW.search(line, at) if name == "details" else None
            comment = line.find(_COMMENT[0], at) if name == "details" else -1
            if inner and (end < 0 or inner.start() < end):
                html.append((inner["name"].lower(), n))
                at = inner.end()
            elif comment >= 0 and (end < 0 or comment < end):
                html.append((_COMMENT[0], n))
                at = comment + len(_COMMENT[0])
            elif end < 0:
                return
            else:
                html.pop()
                at = end + len(closing)
            continue
        comment, raw = line.find(_COMMENT[0], at), _RAW.search(line, at)
        if comment >= 0 and (raw is None or comment < raw.start()):
            html.append((_COMMENT[0], n))
            at = comment + len(_COMMENT[0])
        elif raw is not None:
            html.append((raw["name"].lower(), n))
            at = raw.end()
        else:
            return
