"""Sentences that state a parameter: patterns such as ``{subject} lives in {value}``.

A pattern is found by its rarest word, its anchor, and then read to both sides. What fills a slot
is decided elsewhere: here a slot is only the range of words that is free for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from review.facts.parameters import Parameter
from review.facts.sayings import FILLERS, word_set
from review.facts.sentences import BLANK, COMMA, OPEN, Reading
from store.cells import FactRole

_COMMON: Final = word_set(
    "is are was were am 'm be been has have do does did will can a an the of in on at to for "
    "from by with as what which who where when how up it and or we i you not в во на из с со "
    "за у к по до для от не что кто где как какой каком каким какая кем чем нам мне мы я был "
    "была было были есть"
)
_REACH: Final = 12
"""How many words a slot between two words of the pattern may have."""

_SKIP: Final = 5
"""How many words ``*`` stands for at most."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pattern: a word with alternatives, a slot, or any few words."""

    forms: frozenset[str] = frozenset()
    slot: str = ""
    optional: bool = False
    marked: str = ""
    """What the slot asks of its words: ``instr`` for a Russian instrumental."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A compiled pattern; ``before`` is read backwards from the anchor, ``after`` onwards."""

    parameter: Parameter
    role: FactRole
    changes: bool
    anchors: frozenset[str]
    before: tuple[Part, ...]
    after: tuple[Part, ...]
    weight: int
    """How many of its words must be there; of two readings the heavier is believed."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Where a pattern was found: the words free for each slot, and the words it takes itself."""

    frame: Frame
    subject: tuple[int, int] | None
    value: tuple[int, int] | None
    first: int
    last: int
    value_marked: str = ""
    subject_open: bool = False
    """The subject is free to the left: nothing of the pattern stands before it."""

    value_open: bool = False
    """The value is free to the right."""

    skipped: tuple[int, int] = (0, 0)
    """The words that ``*`` stands for."""


def compiled(
    pattern: str,
    parameter: Parameter,
    role: FactRole,
    inflected: Callable[[str], frozenset[str]],
    *,
    changes: bool = False,
) -> Frame:
    """The frame of one pattern of the table."""
    parts = [_part(word, inflected) for word in pattern.split()]
    anchor = max(
        (i for i, part in enumerate(parts) if part.forms and not part.optional),
        key=lambda i: (not parts[i].forms <= _COMMON, max(map(len, parts[i].forms)), -i),
    )
    return Frame(
        parameter,
        role,
        changes,
        parts[anchor].forms,
        tuple(reversed(parts[:anchor])),
        tuple(parts[anchor + 1 :]),
        sum(bool(part.forms) and not part.optional for part in parts),
    )


def _part(word: str, inflected: Callable[[str], frozenset[str]]) -> Part:
    if word == "*":
        return Part()
    if word[0] == "{":
        slot, _, marked = word.strip("{}?").partition(":")
        return Part(slot=slot, marked=marked)
    optional = word.endswith("?")
    forms: set[str] = set()
    for told in word.rstrip("?").split("|"):
        if told.startswith("~"):
            forms |= inflected(told[1:])
        else:
            forms.add(told)
    return Part(frozenset(forms), optional=optional)


def found(reading: Reading, frame: Frame, at: int, first: int, last: int) -> Filled | None:
    """The frame around its anchor word ``at``, inside of the words ``[first, last)``."""
    left = _backwards(reading, frame.before, at, first)
    if left is None:
        return None
    right = _onwards(reading, frame.after, at, last)
    if right is None:
        return None
    slots = left[0] | right[0]
    return Filled(
        frame,
        slots.get("subject"),
        slots.get("value"),
        left[1],
        right[1],
        next((p.marked for p in frame.after if p.slot == "value"), ""),
        subject_open=bool(frame.before) and frame.before[-1].slot == "subject",
        skipped=slots.get("", (0, 0)),
        value_open=bool(frame.after) and any(p.slot == "value" for p in frame.after[-2:]),
    )


Slots = dict[str, tuple[int, int]]


def _onwards(
    reading: Reading, parts: tuple[Part, ...], at: int, last: int
) -> tuple[Slots, int] | None:
    forms, gaps = reading.forms, reading.gaps
    slots: Slots = {}
    place = at + 1
    for i, part in enumerate(parts):
        if part.forms:
            while place < last and forms[place] in FILLERS and forms[place] not in part.forms:
                place += 1
            near = place < last and (gaps[place] in (BLANK, OPEN))
            if near and forms[place] in part.forms:
                place += 1
            elif not part.optional:
                return None
            continue
        following = next((p for p in parts[i + 1 :] if p.forms and not p.optional), None)
        if part.slot and following is None:
            slots[part.slot] = (place, last)
            continue
        if following is None:
            continue
        reach = _REACH if part.slot else _SKIP
        end = _next(reading, following.forms, place, min(last, place + reach + 1))
        if end is None or (part.slot and end == place):
            return None
        slots[part.slot] = (place, end)
        place = end
    return slots, place


def _next(reading: Reading, forms: frozenset[str], place: int, last: int) -> int | None:
    for i in range(place, last):
        if reading.gaps[i] > OPEN or (reading.gaps[i] == COMMA and i > place + 1):
            return None
        if reading.forms[i] in forms:
            return i
    return None


def _backwards(
    reading: Reading, parts: tuple[Part, ...], at: int, first: int
) -> tuple[Slots, int] | None:
    slots: Slots = {}
    end = at
    for i, part in enumerate(parts):
        if part.forms:
            found = _word_before(reading, part, end, first)
            if found is None and not part.optional:
                return None
            end = end if found is None else found
            continue
        before = next((p for p in parts[i + 1 :] if p.forms and not p.optional), None)
        if before is None and part.slot:
            slots[part.slot] = (first, end)
            return slots, end
        if before is None:
            continue
        low = max(first, end - (_REACH if part.slot else _SKIP) - 1)
        for start in range(end, low, -1):
            if not _is(reading, start - 1, before) or (part.slot and start == end):
                continue
            # "The head of the {subject} government": an "of" can be part of the subject's name.
            rest = _backwards(reading, parts[i + 1 :], start, first)
            if rest is not None:
                return slots | {part.slot: (start, end)} | rest[0], rest[1]
        return None
    return slots, end


def _is(reading: Reading, at: int, part: Part) -> bool:
    return reading.forms[at] in part.forms


def _word_before(reading: Reading, part: Part, end: int, first: int) -> int | None:
    """Where the word of ``part`` stands that ends at word ``end``, fillers left out."""
    forms, gaps = reading.forms, reading.gaps
    while end > first and gaps[end] == BLANK and forms[end - 1] in FILLERS - part.forms:
        end -= 1
    if end > first and gaps[end] in (BLANK, OPEN) and forms[end - 1] in part.forms:
        return end - 1
    return None
