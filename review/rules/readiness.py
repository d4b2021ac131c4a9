"""Whether a candidate may be exported, and everything that is missing. One list, one function.

The button of the screen, the command line and the export itself ask here, so none can be more
lenient than the others. Nothing in the list can be waved through, except a place that is or may
be stricter, which a written reason settles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review import secrets
from review.clause_strength.places import Strength
from review.rules.export_told import SourceText, Threshold, ThresholdName
from review.rules.plain_letters import is_plain
from review.rules.settling import Asked
from review.rules.transfer import Transfer

LONGEST_RULE: Final = 20_000
"""Characters of a rule; a longer text is a document."""


class Missing(StrEnum):
    """Why a rule is not exported yet. A closed list."""

    NOBODY = "nobody"
    """No reviewer identity is set."""

    ERASED = "erased"
    """Its source was erased."""

    EMPTY_SOURCE = "empty_source"
    """Its source has no words."""

    FALLEN = "fallen"
    """Its source is superseded or stale."""

    CONFIDENCE = "confidence"
    VOTES = "votes"
    PEOPLE = "people"
    DAYS = "days"
    DUPLICATES = "duplicates"
    """Look-alikes of it are not settled."""

    NOT_SEARCHED = "not_searched"
    """Nobody has looked for look-alikes yet."""

    UNTRIED = "untried"
    """No run outside its support says whether it holds."""

    NOT_TRANSFERRED = "not_transferred"
    """It failed on runs outside its support, more often than the policy allows."""

    EMPTY_RULE = "empty_rule"
    LONG_RULE = "long_rule"
    NOT_PLAIN = "not_plain"
    """The rule has hidden, struck-out or look-alike characters, so a word escapes the check."""

    NO_SOURCE = "no_source"
    """No sentence of the rule has a source."""

    PLACES = "places"
    """Places in which it says or may say more than its source are not settled."""

    SECRET = "secret"
    """The rule or what travels with it holds what looks like a secret. There is no override."""


_THRESHOLDS: Final = {name: Missing(name.value) for name in ThresholdName}


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that is missing. Holds codes and counts only."""

    what: Missing
    n: int = 0
    """How many: places to settle; 0 where there is nothing to count."""

    found: str = ""
    """Of a threshold: what was found, and what was wanted; a ``Why`` where nothing was found."""

    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What is so with a candidate, whatever the rule says."""

    sources: Sequence[SourceText]
    erased: bool
    fallen: bool
    thresholds: Sequence[Threshold]
    confidence: float
    """What the policy asks for; the transfer check goes by it, too."""

    duplicates: str
    """Id of an open cluster of look-alikes; blank for none."""

    searched: bool
    """Whether anybody has looked for look-alikes."""

    transfer: Transfer
    somebody: bool


def lacking(ground: Ground) -> tuple[Lack, ...]:
    """What a candidate lacks before its text is looked at, in the order of work."""
    found: list[Lack] = []
    if not ground.somebody:
        found.append(Lack(Missing.NOBODY))
    if ground.erased:
        return (*found, Lack(Missing.ERASED))
    if not any(one.text.strip() for one in ground.sources):
        found.append(Lack(Missing.EMPTY_SOURCE))
    if ground.fallen:
        found.append(Lack(Missing.FALLEN))
    found += [
        Lack(_THRESHOLDS[one.name], found=one.found or str(one.why), wanted=one.wanted)
        for one in ground.thresholds
        if not one.passed
    ]
    if not ground.searched:
        found.append(Lack(Missing.NOT_SEARCHED))
    elif ground.duplicates:
        found.append(Lack(Missing.DUPLICATES))
    transfer = ground.transfer
    if not transfer.holds and not transfer.fails:
        found.append(Lack(Missing.UNTRIED, n=transfer.outside))
    elif not transfer.passed(ground.confidence):
        found.append(Lack(Missing.NOT_TRANSFERRED, n=transfer.fails))
    return tuple(found)


def missing(
    ground: Ground,
    rule: str,
    strength: Strength,
    places: Sequence[Asked],
    texts: Sequence[str] = (),
) -> tuple[Lack, ...]:
    """Everything that is missing before a rule may be signed; empty when nothing is.

    Args:
        ground: What is so with the candidate.
        rule: The text of the rule.
        strength: That text held against its sources.
        places: The places of ``strength`` that need an answer, with the answers given.
        texts: Everything else that would travel: title, reasons, words of cases.
    """
    found = list(lacking(ground))
    if not rule.strip():
        return (*found, Lack(Missing.EMPTY_RULE))
    if len(rule) > LONGEST_RULE:
        return (*found, Lack(Missing.LONG_RULE, n=LONGEST_RULE))
    if not is_plain(rule):
        found.append(Lack(Missing.NOT_PLAIN))
    if not any(one.sources for one in strength.clauses):
        found.append(Lack(Missing.NO_SOURCE))
    if left := sum(not one.settled for one in places):
        found.append(Lack(Missing.PLACES, n=left))
    sources = [one.text for one in ground.sources]
    if secrets.find("\n".join([rule, *sources, *texts])):
        found.append(Lack(Missing.SECRET))
    return tuple(found)
