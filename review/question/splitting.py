"""A message as the questions in it: numbered points, sentences, "and remind me …".

What is stated before a question belongs to it; what follows the last one belongs to that one.
Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from store.cells import Span

MOST: Final = 32
"""Questions told apart in one message; what is beyond stays with the last of them."""

_TWO_QUESTIONS: Final = 20

_BULLET: Final = re.compile(
    r"^[ \t]*(?:\(?\d{1,2}[.)]|\(?[a-eа-д]\)|[-*•–—])[ \t]+", re.IGNORECASE | re.MULTILINE
)
_NUMBERED: Final = re.compile(r"(?<![\w(])\(?(\d{1,2}|[a-eа-д])\)[ \t]+", re.IGNORECASE)
_STOP: Final = re.compile(r"[?!…]+[\"»”')\]]*(?=\s|$)|\.[\"»”')\]]*(?=\s|$)|\n+")
_SHORT: Final = re.compile(
    r"(?:^|[\s(.])(?:\w|dr|mr|mrs|ms|st|vs|etc|approx|no|inc|ltd|jr|sr|руб|тыс|млн|ул|стр|т\.е|"
    r"т\.к|т\.д|т\.п|e\.g|i\.e|янв|фев|мар|апр|авг|сент?|окт|нояб?|дек|jan|feb|mar|apr|aug|sept?|"
    r"oct|nov|dec)$",
    re.IGNORECASE,
)
_GAP: Final = r"\s{1,4}"
_PREPOSITION: Final = (
    rf"(?:(?:at|in|on|by|for|from|with|to|of|under|в|во|на|с|со|к|из|о|от|до|по|для|за){_GAP})?"
)
_ASKING: Final = (
    r"(?:what|which|who|whom|whose|where|when|why|how|как\w*|каков\w*|кто|кого|кому|кем|что|чем|"
    r"чего|чей|чья|где|куда|откуда|когда|почему|зачем|сколько)\b"
)
_ORDERING: Final = (
    r"(?:(?:remind|tell|show|give)\s{1,4}me|list|напомни\w*|подскажи\w*|покажи\w*|назови\w*|"
    r"перечисли\w*|расскажи\w*|скажи\w*)\b"
)
_VERB_FIRST: Final = (
    r"(?:do|does|did|is|are|am|was|were|has|have|can|could|will|would|should|show|name)\b"
)
_OPENING: Final = (
    r"\s{0,4}(?:(?:and|so|also|but|then|now|please|ok|okay|и|а|ну|еще|ещё|также|тогда|пожалуйста)\b"
    r"[\s,]{0,4}){0,3}"
)
_ASKS: Final = re.compile(
    f"{_OPENING}(?:{_ORDERING}|{_VERB_FIRST}|{_PREPOSITION}{_ASKING})", re.IGNORECASE
)
_ORDERS: Final = re.compile(f"{_OPENING}{_ORDERING}", re.IGNORECASE)
_JOINT: Final = re.compile(
    rf",?{_GAP}(?=(?:and|also|plus|и|а|еще|ещё|также){_GAP}{_OPENING}{_ORDERING})", re.IGNORECASE
)
_SECOND: Final = re.compile(
    rf",?{_GAP}(?=(?:and|и|а){_GAP}{_PREPOSITION}{_ASKING})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Part:
    """One question with what was stated before it, in characters of the message."""

    span: Span
    asked: Span
    """The question itself, a part of ``span``."""


def parts(text: str) -> list[Part]:
    """The questions of ``text`` in order; at least one. Linear in the length of ``text``."""
    asks = _asks_aloud if "?" in text else _asks
    found: list[Part] = []
    begun: int | None = None
    last = len(text)
    for span, sure in _sentences(text):
        begun = span.start if begun is None else begun
        if sure or asks(text[span.start : span.end]):
            found.append(Part(Span(begun, span.end), span))
            begun = None
        last = span.end
        if len(found) == MOST:
            break
    if not found:
        whole = _stripped(text, 0, len(text))
        return [Part(whole, whole)]
    if begun is not None or len(found) == MOST:
        tail = _stripped(text, found[-1].span.start, len(text) if len(found) == MOST else last)
        found[-1] = Part(tail, found[-1].asked)
    return found


def halves(text: str, asked: Span) -> Iterator[tuple[Span, Span]]:
    """The places to cut ``asked`` at a second question word: "… and which warehouse …"."""
    for found in islice(_SECOND.finditer(text, asked.start + 1, asked.end), 4):
        if len(text[asked.start : found.start()].split()) >= 3:
            yield Span(asked.start, found.start()), Span(found.end(), asked.end)


def _asks(sentence: str) -> bool:
    return _asks_aloud(sentence) or _ASKS.match(sentence) is not None


def _asks_aloud(sentence: str) -> bool:
    """With a question mark or an order; "when I moved, I sold the car" beside one is none."""
    return sentence.rstrip("\"»”')] \t\n").endswith("?") or _ORDERS.match(sentence) is not None


def _sentences(text: str) -> Iterator[tuple[Span, bool]]:
    """Sentences without their bullets; true for one that "and remind me …" shows to ask."""
    starts = _points(text)
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        bullet = _BULLET.match(text, start) or _NUMBERED.match(text, start)
        at = bullet.end() if bullet and bullet.end() <= end else start
        for stop in _STOP.finditer(text, at, end):
            before = max(at, stop.start() - 8)
            if text[stop.start()] == "." and _SHORT.search(text, before, stop.start()):
                continue
            yield from _joined(text, at, stop.end())
            at = stop.end()
        yield from _joined(text, at, end)


def _joined(text: str, start: int, end: int) -> Iterator[tuple[Span, bool]]:
    if end - start >= _TWO_QUESTIONS:
        for found in _JOINT.finditer(text, start, end):
            if _asks(text[start : found.start()]):
                yield from _worded(text, start, found.start(), asks=True)
                start = found.end()
    yield from _worded(text, start, end, asks=False)


def _worded(text: str, start: int, end: int, *, asks: bool) -> Iterator[tuple[Span, bool]]:
    span = _stripped(text, start, end)
    if any(character.isalnum() for character in text[span.start : span.end]):
        yield span, asks


def _points(text: str) -> list[int]:
    """Where numbered points and list lines begin; a number inside a line needs its row: 1, 2."""
    lines = {found.start() for found in _BULLET.finditer(text)}
    expected = {"1": "2", "a": "b", "а": "б"}
    inline: list[int] = []
    following: str | None = None
    for found in _NUMBERED.finditer(text):
        mark = found.group(1).lower()
        if mark in expected and following is None:
            inline, following = [found.start()], expected[mark]
        elif mark == following:
            inline.append(found.start())
            following = str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
    if len(inline) > 1:
        lines.update(inline)
    return sorted(start for start in lines if start > 0)


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
