"""Finds the words that tell how strong a text is; the table is ``cues.yaml``.

A word is no cue inside of a short quoted name, nor with a capital inside of a sentence: the
"Always On" tariff promises nothing about always.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml

from review.facts.numbers import SMALL
from review.facts.sentences import COMMA, LINK, OPEN, Reading
from review.facts.words import is_cyrillic, lemma

_ANY: Final = 5
"""Words that a ``~`` may stand for, at most."""

_STEM: Final = 3
"""Letters that a stem in the table has, at least."""

_NAME: Final = 5
"""Words of a quotation that is taken for a name, at most."""


class Axis(StrEnum):
    """What a cue tells. The table explains each."""

    FORCE = "force"
    DOUBT = "doubt"
    TOLD = "told"
    SHARE = "share"
    CASES = "cases"
    CONDITION = "condition"
    NEGATION = "negation"
    CONTRAST = "contrast"
    EXCEPT = "except"
    EMPTY = "empty"
    PLAIN = "plain"


class Cue(NamedTuple):
    """One phrase of the table."""

    axis: Axis
    rank: int
    sense: str
    phrase: tuple[str, ...]


class Mark(NamedTuple):
    """A cue where it stands: words ``[first, last)`` of a reading."""

    axis: Axis
    rank: int
    sense: str
    first: int
    last: int
    words: str
    """The phrase of the table, for comparison."""


@dataclass(frozen=True, slots=True)
class Table:
    """The table, ready to be looked up by the first word of a phrase."""

    cues: dict[str, tuple[Cue, ...]]
    """By first word, or by first stem with its star, longest phrase first."""

    actors: frozenset[str]
    degree: frozenset[str]
    roles: frozenset[str]
    mishaps: frozenset[str]
    instructions: frozenset[str]
    seen: frozenset[str]
    counted: frozenset[str]
    equal: dict[str, str]
    """Word in dictionary form to the first of its line."""


@lru_cache(maxsize=1)
def table() -> Table:
    """The table that ships."""
    return load(files("review.clause_strength").joinpath("cues.yaml").read_text(encoding="utf-8"))


def load(text: str) -> Table:
    """The table written in ``text``.

    Raises:
        ValueError: If a row names an axis that does not exist.
    """
    told: dict[str, Any] = yaml.safe_load(text)
    cues: dict[str, list[Cue]] = defaultdict(list)
    for row in told["cues"]:
        axis = Axis(row["axis"])
        for phrase in str(row["says"]).split("|"):
            words = tuple(phrase.split())
            if words:
                cue = Cue(axis, int(row.get("rank", 0)), str(row.get("sense", "")), words)
                cues[words[0]].append(cue)
    sets = {
        name: frozenset(str(told[name]).split())
        for name in ("actors", "degree", "roles", "mishaps", "instructions", "seen", "counted")
    }
    equal = {
        form: line.split()[0]
        for line in told["equal"]
        for word in line.split()
        for form in {word, lemma(word)}
    }
    return Table(
        {first: tuple(sorted(of, key=lambda c: -len(c.phrase))) for first, of in cues.items()},
        equal=equal,
        **sets,
    )


def marks(reading: Reading) -> list[Mark]:
    """The cues of ``reading`` in order, not overlapping; the longest at a place wins."""
    found: list[Mark] = []
    quoted = _names(reading)
    for sentence in reading.sentences:
        at = sentence.first
        while at < sentence.last:
            one = None if at in quoted else _longest(reading, at, sentence.last)
            if one is None or _named(reading, sentence.first, at):
                at += 1
                continue
            found.append(one)
            # A phrase with an open middle takes its first word alone: names stand in the middle.
            at = one.last if "~" not in one.words else at + 1
    return found


def _longest(reading: Reading, at: int, last: int) -> Mark | None:
    best: Mark | None = None
    for cue in _candidates(reading.forms[at]):
        end = _matched(reading, cue.phrase, at, last)
        if cue.axis is Axis.CONDITION and LINK in reading.gaps[at + 1 : end]:
            continue  # "we saw it once: the gate jams"
        if end and (best is None or end > best.last):
            best = Mark(cue.axis, cue.rank, cue.sense, at, end, " ".join(cue.phrase))
    return best


def _candidates(form: str) -> Iterator[Cue]:
    cues = table().cues
    yield from cues.get(form, ())
    if is_number(form):
        yield from cues.get("#", ())
    for size in range(_STEM, len(form) + 1):
        yield from cues.get(f"{form[:size]}*", ())


def _matched(reading: Reading, phrase: tuple[str, ...], at: int, last: int) -> int:
    """The word behind ``phrase`` when it begins at word ``at``; 0 when it does not."""
    place = at + 1
    for n, element in enumerate(phrase[1:], 1):
        if element == "~":
            stop = min(last, place + _ANY)
            ends = (i for i in range(place, stop) if _fits(phrase[n + 1], reading.forms[i]))
            place = next(ends, -1)
            if place < 0:
                return 0
        elif phrase[n - 1] == "~":
            place += 1
        elif (
            place >= last
            or reading.gaps[place] not in (0, COMMA, LINK, OPEN)
            or not _fits(element, reading.forms[place])
        ):
            return 0
        else:
            place += 1
    return place


def _fits(element: str, form: str) -> bool:
    if element == "#":
        return is_number(form)
    if element == "?":
        return True
    return form.startswith(element[:-1]) if element[-1] == "*" else form == element


def is_number(form: str) -> bool:
    """Whether a folded word is a number in digits or a small one in words."""
    return form[:1].isdigit() or form in SMALL


def _named(reading: Reading, first: int, at: int) -> bool:
    """Whether word ``at`` has the capital of a name; emphasis in capitals alone has not."""
    word = reading.text[reading.starts[at] : reading.ends[at]]
    if at == first or not word[:1].isupper() or (len(word) > 1 and word.isupper()):
        return False
    if word == "I" or (word in ("Я", "В", "С", "К", "О", "У") and is_cyrillic(word)):
        return False
    return reading.gaps[at] not in (LINK, OPEN)


def _names(reading: Reading) -> frozenset[int]:
    """The words inside of short quotations that begin with a capital."""
    if not reading.has_quotes:
        return frozenset()
    inside: set[int] = set()
    for at in range(len(reading.starts)):
        held = reading.quoted(at) if at not in inside else None
        if held is None or not reading.capital(at) or held[0] <= 1:
            continue
        end = reading.word_at(held[1], at, min(len(reading.starts), at + _NAME + 1))
        if end - at <= _NAME and reading.ends[end - 1] <= held[1]:
            inside.update(range(at, end))
    return frozenset(inside)
