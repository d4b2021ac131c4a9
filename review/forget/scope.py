"""What a forget request is about, as a person states it. Searches are literal, never patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from review.forget import wording

MOST_IDS: Final = 100_000
LONGEST: Final = 1_000
"""Characters of a subject, a source or a reference."""

_ITEM: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_REFERENCE: Final = re.compile(r"[A-Za-z0-9._:/#-]{0,64}")


class Fault(StrEnum):
    """What is wrong with a scope: a code, for screens that speak another language."""

    EMPTY = "empty"
    IDS = "ids"
    SOURCES = "sources"
    LONG = "long"
    DAY = "day"
    ORDER = "order"
    REFERENCE = "reference"
    CLAIM = "claim"
    NAMES = "names"
    MANY = "many"
    SHAPE = "shape"


_SENTENCES: Final = {
    Fault.EMPTY: "a scope names a subject, a source, a run, dates, ids or the whole tenant.",
    Fault.IDS: "{n} of the ids are none of this program's (26 letters and digits). Ids of a "
    "foreign system are stated as sources.",
    Fault.SOURCES: "an id of this program was stated as one of a foreign system. State it as an "
    "id.",
    Fault.LONG: f"a subject, a run, a source and an id have at most {LONGEST:,} characters.",
    Fault.DAY: "a day is written YYYY-MM-DD, and is a day of UTC: without a time and a zone.",
    Fault.ORDER: "the first day is after the last one, so nothing can be in between.",
    Fault.REFERENCE: "a reference is at most 64 of a-z, A-Z, 0-9 and ._:/#-",
    Fault.CLAIM: "a reference is a number or a name of a case. It says nothing of what was done.",
    Fault.NAMES: "a reference names the case, and not whom or what it is about: it stands in the "
    "report and in the letter.",
    Fault.MANY: f"a scope names at most {MOST_IDS:,} ids.",
    Fault.SHAPE: "this is no scope of a forget request ({n}).",
}


class BadScopeError(ValueError):
    """A scope that says nothing, or that mixes things up. The message says what to state."""

    def __init__(self, code: Fault, n: object = 0) -> None:
        """Keep what it is, and the number in it."""
        self.code, self.n = code, n
        super().__init__(_SENTENCES[code].format(n=n))


@dataclass(frozen=True, slots=True)
class Hold:
    """Why one record must be kept although it is in the scope."""

    item: str
    basis: str
    """A short reference to the duty, such as ``LH-2``: letters, digits and ``._:/#-``."""

    until: str
    """The last day of the duty, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which records a request names. Every part that is stated has to fit (they narrow).

    Two sorts of ids are never mixed: ``items`` are ids of this program (26 letters and digits),
    ``sources`` are ids that the foreign system gave (``mem0:31f4…``).
    """

    subject: str = ""
    """Whom or what records are about: equal to a value of their scope, to an entity or to the
    subject of a fact, but for case and outer blanks. Foreign text."""

    imports: tuple[str, ...] = ()
    """Imports by our id, ``imp-…``: everything that came with them."""

    sources: tuple[str, ...] = ()
    """Records by the id in their source. Foreign text."""

    run: str = ""
    """One run, by our id or by the id that its source gives: the run and what was made in it."""

    since: str = ""
    """First day of record time, UTC, YYYY-MM-DD."""

    until: str = ""
    """Last day, inclusive."""

    items: tuple[str, ...] = ()
    """Records and runs by our id. A text search only ever ends here: a person ticks ids."""

    tenant: bool = False
    """All memory of the tenant."""

    also: tuple[str, ...] = ()
    """Ids of rows that the plan left to a person (``needs_decision``), and that he ticked."""

    holds: tuple[Hold, ...] = ()
    reference: str = ""
    """The asking person's case number: letters, digits and ``._:/#-``, at most 64."""

    due: str = ""
    """By when an answer is owed, YYYY-MM-DD."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            BadScopeError: For an empty scope, an id of the other sort, or a day that is none.
        """
        stated = (self.subject.strip(), self.imports, self.sources, self.run.strip(), self.since)
        if not any((*stated, self.until, self.items, self.tenant)):
            raise BadScopeError(Fault.EMPTY)
        if odd := [one for one in self.items if not _ITEM.fullmatch(one)]:
            raise BadScopeError(Fault.IDS, len(odd))
        if any(_ITEM.fullmatch(one) for one in self.sources):
            raise BadScopeError(Fault.SOURCES)
        named = (self.subject, self.run, *self.sources, *self.imports, *self.also)
        if max(map(len, named), default=0) > LONGEST:
            raise BadScopeError(Fault.LONG)
        self._days()
        self._references()
        if max(len(self.items), len(self.sources), len(self.also)) > MOST_IDS:
            raise BadScopeError(Fault.MANY)

    def _days(self) -> None:
        days = (self.since, self.until, self.due, *(one.until for one in self.holds))
        if not all(is_day(day) for day in days if day):
            raise BadScopeError(Fault.DAY)
        if self.since and self.until and self.since > self.until:
            raise BadScopeError(Fault.ORDER)

    def _references(self) -> None:
        told = (self.reference, *(one.basis for one in self.holds))
        if not all(_REFERENCE.fullmatch(word) for word in told):
            raise BadScopeError(Fault.REFERENCE)
        if any(wording.says_too_much(word) for word in told):
            raise BadScopeError(Fault.CLAIM)
        if any(wording.tells_of(word, (self.subject, self.run, *self.sources)) for word in told):
            raise BadScopeError(Fault.NAMES)

    def as_json(self) -> dict[str, Any]:
        """As plain values. It holds what was asked for: keep it where the person keeps it."""
        return asdict(self)


def is_day(text: str) -> bool:
    """Whether ``text`` is a day that the calendar has, as YYYY-MM-DD in plain digits."""
    try:
        return _DAY.fullmatch(text) is not None and date.fromisoformat(text) < date.max
    except ValueError:
        return False


def read_scope(told: Mapping[str, Any]) -> Scope:
    """The scope that ``Scope.as_json`` told.

    Raises:
        BadScopeError: If it is none.
    """
    try:
        lists = {name: tuple(map(str, told.get(name, ()))) for name in _LISTS}
        words = {name: str(told.get(name, "")) for name in _WORDS}
        holds = tuple(Hold(**one) for one in told.get("holds", ()))
        more: dict[str, Any] = {**lists, **words, "holds": holds}
        return Scope(**more, tenant=told.get("tenant") is True)
    except (AttributeError, TypeError, KeyError) as error:
        raise BadScopeError(Fault.SHAPE, type(error).__name__) from error


_LISTS: Final = ("imports", "sources", "items", "also")
_WORDS: Final = ("subject", "run", "since", "until", "reference", "due")
