"""A rule as a person words it, held against its sources, and what becomes of it: an export.

Pure: the candidate is opened elsewhere. Nothing here signs or writes; ``exported`` refuses while
anything is missing, whoever asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from review.clause_strength.places import Drift, Strength
from review.rules import restoring, settling
from review.rules.cases import Cases, told_of
from review.rules.export_told import (
    CaseTold,
    Conflict,
    Outcome,
    RuleExport,
    SourceText,
    Target,
    Threshold,
    Unknown,
)
from review.rules.exposure import Exposure
from review.rules.learned import Learned
from review.rules.readiness import Ground, Lack, missing
from review.rules.settling import Asked, Restored
from review.rules.transfer import Transfer
from review.strength import check
from store.cells import Span

LONGEST_TITLE: Final = 80


class NotReadyError(ValueError):
    """Something is missing before this rule may be exported. Nothing was signed or written."""

    def __init__(self, lacks: Sequence[Lack]) -> None:
        """Keep what is missing, so that a screen can say each in its language."""
        self.lacks = tuple(lacks)
        told = ", ".join(str(one.what) for one in lacks)
        super().__init__(f"not ready to export: {told}. Nothing was exported.")


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """What a person has made of a candidate so far. It has no effect."""

    text: str
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Written reasons, by the key of the place."""

    restored: tuple[Restored, ...] = ()
    """Places whose words were put back or taken out by a press."""

    target: Target = Target.CLAUDE_RULES
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """One candidate with everything that is known for and against it."""

    learned: Learned
    cases: Cases
    thresholds: tuple[Threshold, ...]
    sources: tuple[SourceText, ...]
    transfer: Transfer
    conflicts: tuple[Conflict, ...]
    exposure: Exposure
    ground: Ground

    @property
    def told(self) -> tuple[CaseTold, ...]:
        """Its cases as an export tells them."""
        return told_of(self.learned.item, self.cases)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft held against its sources."""

    strength: Strength
    places: tuple[Asked, ...]
    unsourced: tuple[Span, ...]
    """Clauses of the rule for which there is no source."""

    lacks: tuple[Lack, ...]
    unchanged: bool
    """Whether the text is the source's own."""

    @property
    def ready(self) -> bool:
        """Whether it may be signed and exported."""
        return not self.lacks


def begun(opened: Opened) -> RuleDraft:
    """The draft to begin with: the insight in its own words."""
    return RuleDraft(opened.learned.claim or "")


def checked(opened: Opened, draft: RuleDraft) -> Checked:
    """Hold a draft against the sources of its candidate."""
    strength = check([one.text for one in opened.sources], draft.text)
    places = settling.asked(strength, draft.reasons)
    texts = [draft.owner, *(one.reason for one in places)]
    texts += [one.words for one in opened.told]
    texts += [one.words for one in opened.transfer.tried]
    texts += [one.words for one in opened.conflicts]
    return Checked(
        strength,
        places,
        settling.unsourced(strength),
        missing(opened.ground, draft.text, strength, places, texts),
        any(one.text.strip() == draft.text.strip() for one in opened.sources),
    )


def put_back(opened: Opened, draft: RuleDraft, key: str) -> RuleDraft:
    """The draft with one place settled by its words; the same draft if no edit does that."""
    sources = [one.text for one in opened.sources]
    places = settling.asked(check(sources, draft.text), draft.reasons)
    wanted = next((one for one in places if one.key == key), None)
    if wanted is None:
        return draft
    text = restoring.restored(sources, draft.text, wanted)
    if text == draft.text:
        return draft
    left = {one.key for one in settling.asked(check(sources, text), {})}
    gone = (one for one in places if one.key not in left)
    back = tuple(
        Restored(
            one.key,
            one.place.drift,
            "" if one.place.source is None else one.place.source.cue,
            one.place.rule.cue,
        )
        for one in gone
    )
    before = tuple(one for one in draft.restored if one.key not in {new.key for new in back})
    return replace(draft, text=text, restored=(*before, *back))


def exported(
    opened: Opened, draft: RuleDraft, *, export_id: str, tenant: str, now: str, reviewer: str
) -> RuleExport:
    """What the export of a draft says.

    Args:
        opened: The candidate.
        draft: The rule as it is to leave.
        export_id: 32 hexadecimal digits, fresh.
        tenant: Whose it is.
        now: RFC 3339.
        reviewer: Id of the person who signs.

    Raises:
        NotReadyError: While anything is missing.
    """
    told = checked(opened, draft)
    if told.lacks:
        raise NotReadyError(told.lacks)
    learned = opened.learned
    return RuleExport(
        export_id=export_id,
        item=learned.item,
        revision=learned.rev,
        artifact_digest=learned.artifact,
        tenant=tenant,
        title=titled(learned.claim or ""),
        statement=learned.claim or "",
        sources=opened.sources,
        cases=opened.told,
        thresholds=opened.thresholds,
        tried=opened.transfer.tried,
        unknown=unknown(opened, told),
        rule_text=draft.text,
        strength=told.strength,
        settled=settling.settled(told.places, draft.restored),
        conflicts=opened.conflicts,
        target=draft.target,
        owner=" ".join(draft.owner.split())[:LONGEST_TITLE] or None,
        exported_at=now,
        exported_by=reviewer,
    )


def titled(text: str) -> str:
    """A title: the beginning of an insight on one line, at most 80 characters, cut at a word.

    It is never worded anew: a title could say more than the source, and nobody would check it.
    """
    line = " ".join(text.split())
    if len(line) <= LONGEST_TITLE:
        return line
    head = line[: LONGEST_TITLE + 1].rsplit(" ", 1)[0]
    return f"{head[: LONGEST_TITLE - 1]}…"


def unknown(opened: Opened, told: Checked) -> tuple[Unknown, ...]:
    """What nobody has checked or can know of a rule, in the order of the list."""
    cases = opened.told
    holds = {
        Unknown.KNOWN_WORDS_ONLY: True,
        Unknown.WORLD_OUTSIDE: True,
        Unknown.UNALIGNED: bool(told.unsourced),
        Unknown.WORDING: any(one.drift is Drift.WORDING for one in told.strength.places),
        Unknown.UNTRIED: any(one.outcome is Outcome.UNKNOWN for one in opened.transfer.tried),
        Unknown.UNNAMED: any(one.who is None for one in cases),
        Unknown.UNDATED: any(one.when is None for one in cases),
        Unknown.ERASED_CASE: bool(opened.cases.missing),
        Unknown.REVIEWED_ELSEWHERE: any(one.who is not None for one in cases),
    }
    return tuple(code for code in Unknown if holds[code])
