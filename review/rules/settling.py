"""The places in which a rule says or may say more than its source, and how a person settles each.

A place is known again while the text is edited, by what differs, by its words and by where its
source says it; a reason that was written for a place stays with it and with no other. A blank
reason is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from review.clause_strength.places import ASKED, Change, Drift, Place, Strength, Verdict
from review.rules.export_told import Answer, Settled
from review.text.visible import escape
from store.cells import Span

LONGEST_REASON: Final = 2_000
"""Characters of a written reason that travel in the bundle."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One place that needs an answer."""

    key: str
    """Tells it apart from the other places, and stays while the rest of the text is edited."""

    ordinal: int
    """Among the places of the strength check, from 0."""

    place: Place
    reason: str
    """What a person wrote for it, trimmed; blank for nothing."""

    @property
    def settled(self) -> bool:
        """Whether there is a reason."""
        return bool(self.reason)

    @property
    def stricter(self) -> bool:
        """Whether it says more than its source; else nobody can tell by known words."""
        return self.place.verdict is Verdict.STRICTER

    @property
    def removes(self) -> bool:
        """Whether it is words of the rule that would have to go, and not words put back."""
        return self.place.change is Change.ADDED


@dataclass(frozen=True, slots=True)
class Restored:
    """A place that was settled by its words; it is in the rule no more."""

    key: str
    drift: Drift
    source_words: str
    rule_words: str


def asked(strength: Strength, reasons: Mapping[str, str]) -> tuple[Asked, ...]:
    """Every STRICTER or UNKNOWN place in the order of the check, with the reason given for it."""
    found: list[Asked] = []
    for ordinal, (key, place) in enumerate(keyed(strength.places)):
        if place.verdict in ASKED:
            reason = worded(reasons.get(key, ""))[:LONGEST_REASON]
            found.append(Asked(key, ordinal, place, reason))
    return tuple(found)


def worded(reason: str) -> str:
    """A reason, trimmed; blank where nobody can read a letter or a digit in it."""
    told = reason.strip()
    return told if any(char.isalnum() and escape(char) == char for char in told) else ""


def keyed(places: Sequence[Place]) -> Iterator[tuple[str, Place]]:
    """Every place with what it is known by: 16 hexadecimal digits."""
    before: Counter[str] = Counter()
    for place in places:
        source = place.source
        told = [place.drift, place.change, place.rule.cue]
        if source is not None:
            told += [str(source.text), str(source.span.start), source.cue]
        spelled = "\0".join(told)
        told.append(str(before[spelled]))
        before[spelled] += 1
        yield sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()[:16], place


def settled(places: Sequence[Asked], restored: Sequence[Restored]) -> tuple[Settled, ...]:
    """How every place was settled: those with a reason, then those whose words were restored.

    A restoration that a later edit undid is none: its place is asked again.
    """
    still = {one.key for one in places}
    reasons = tuple(
        Settled(
            place=one.ordinal,
            drift=one.place.drift,
            source_words="" if one.place.source is None else one.place.source.cue,
            rule_words=one.place.rule.cue,
            answer=Answer.REASON,
            reason=one.reason,
        )
        for one in places
        if one.settled
    )
    back = {one.key: one for one in restored if one.key not in still}
    return reasons + tuple(
        Settled(None, one.drift, one.source_words, one.rule_words, Answer.RESTORED, "")
        for one in back.values()
    )


def unsourced(strength: Strength) -> tuple[Span, ...]:
    """The clauses of a rule for which there is no source, in their order."""
    return tuple(one.rule for one in strength.clauses if not one.sources)
