"""Keeps words that say too much, and what was asked for, out of what people add to a report.

A report takes few words from people: a case number, the basis of a duty, names of reviewers and
doors. Look-alike letters, hidden characters, case and what stands between letters do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Final

from review.forget.locations import Location
from review.text.skeleton import skeleton, words

SAYING_TOO_MUCH: Final = (
    *("completely", "everything", "permanently", "everywhere", "entirely", "irreversibly"),
    *("полностью", "навсегда", "повсюду", "окончательно", "безвозвратно"),
)
"""No report says so of anything. Nor in one word with others: ``everything-erased``."""

WHOLE_WORDS: Final = ("fully", "forgotten", "везде", "всюду", "всё", "все")
"""The same, but part of other words, too: ``carefully``."""

LONGEST_NAME: Final = 60
"""Characters of a person's name in a report."""

_INSIDE: Final = tuple(skeleton(word) for word in SAYING_TOO_MUCH)
_WHOLE: Final = frozenset(skeleton(word) for word in WHOLE_WORDS)
_LONG: Final = 6
"""Letters of a name from which on it is found inside of a longer word."""

_PLACE: Final = re.compile(r"(?P<kind>door|spool|answers):(?P<name>.+)")
_HINT: Final = re.compile(r"doors/(?P<name>[^/]+)(?P<rest>/.*)?")


def says_too_much(text: str) -> bool:
    """Whether ``text`` holds one of the words above, in any spelling that reads like it."""
    told = words(text)
    whole = "".join(told)
    return not _WHOLE.isdisjoint(told) or any(word in whole for word in _INSIDE)


def tells_of(text: str, asked: Iterable[str]) -> bool:
    """Whether ``text`` names what was asked for.

    Args:
        text: Such as a case number.
        asked: Whom or what a request is about. A name of six letters or more is found inside of a
            word, too; a shorter one as whole words.
    """
    told = words(text)
    whole = "".join(told)
    for one in asked:
        sought = words(one)
        run = len(sought)
        if not run:
            continue
        if any(told[at : at + run] == sought for at in range(len(told) - run + 1)):
            return True
        if len("".join(sought)) >= _LONG and "".join(sought) in whole:
            return True
    return False


def person(name: str) -> str:
    """A person's name as a report shows it: letters and digits, no markup, at most 60 characters.

    Empty for one that says too much; who it was is told by the id then.
    """
    plain = unicodedata.normalize("NFKC", name)
    if says_too_much(plain):
        return ""
    told = "".join(c if c.isalnum() or c in " .-'’" else " " for c in plain if _shows(c))
    return " ".join(told.split())[:LONGEST_NAME]


def door(name: str) -> str:
    """The name of a door as a report shows it; a digest of one that says too much."""
    if not name or not says_too_much(name):
        return name
    return f"door-{sha256(name.encode()).hexdigest()[:8]}"


def place(location_id: str) -> str:
    """The id of a place as a report shows it."""
    found = _PLACE.fullmatch(location_id)
    return location_id if found is None else f"{found['kind']}:{door(found['name'])}"


def shown(one: Location) -> Location:
    """A place as a report shows it: names of doors are all that people chose in it."""
    hint = _HINT.fullmatch(one.path_hint)
    return replace(
        one,
        location_id=place(one.location_id),
        recipient=door(one.recipient),
        path_hint=one.path_hint
        if hint is None
        else f"doors/{door(hint['name'])}{hint['rest'] or ''}",
    )


def _shows(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Cn")
