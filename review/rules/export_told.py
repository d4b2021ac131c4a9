"""What a rule export says, as plain values: the one hand-over from the dialogue to the bundle.

Everything a reader of the pull request sees is in here, so a bundle is made from it without
looking at the store again. Texts and names are foreign, except codes. Nothing in it can change a
cell: the insight stays unverified, whatever becomes of the rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from review.clause_strength.places import Drift, Strength
from store.cells import Span, Stance


class Target(StrEnum):
    """What kind of file the rule is meant for. A closed list."""

    CLAUDE_RULES = "claude_rules"
    """A file in ``.claude/rules``."""

    AGENTS_SECTION = "agents_section"
    """A section of ``AGENTS.md``."""

    CLAUDE_SECTION = "claude_section"
    """A section of ``CLAUDE.md``."""

    DECISION_RECORD = "decision_record"
    RUNBOOK = "runbook"
    SKILL = "skill"
    PLAIN_DOCS = "plain_docs"


class ThresholdName(StrEnum):
    """The four numbers that an insight must reach, named as in the policy. A closed list."""

    CONFIDENCE = "confidence"
    VOTES = "votes"
    PEOPLE = "people"
    DAYS = "days"


class Why(StrEnum):
    """Why a threshold was passed or not. A closed list."""

    REACHED = "reached"
    BELOW = "below"
    NO_CASES = "no_cases"
    NO_DATE = "no_date"
    """A date is missing or cannot be read: that fails the check, it does not pass it."""

    DATE_AHEAD = "date_ahead"
    """The oldest case is dated later than the moment of the check."""


class Outcome(StrEnum):
    """What came of trying a candidate on a run outside its support. A closed list."""

    HOLDS = "holds"
    FAILS = "fails"
    DOES_NOT_APPLY = "does_not_apply"
    UNKNOWN = "unknown"


class Apart(StrEnum):
    """In what a tried run differs from every supporting one. A closed list."""

    RUN = "run"
    PERSON = "person"
    SCOPE = "scope"


class Answer(StrEnum):
    """How a person settled a place in which the rule said more than its source. A closed list."""

    RESTORED = "restored"
    """The words were put back, or the added ones were taken out."""

    REASON = "reason"
    """The stricter words stay, for a written reason."""


class Unknown(StrEnum):
    """What nobody has checked or can know of this rule. A closed list."""

    KNOWN_WORDS_ONLY = "known_words_only"
    """The check looks for known words; it can miss a stronger meaning. Always told."""

    WORLD_OUTSIDE = "world_outside"
    """Whether it holds outside the runs that are kept here. Always told."""

    UNALIGNED = "unaligned"
    """A sentence of the rule has no source."""

    WORDING = "wording"
    """Words of the rule of which the check cannot say whether they mean more."""

    UNTRIED = "untried"
    """Runs outside the support of which nothing could be said."""

    UNNAMED = "unnamed"
    """A case does not say who decided."""

    UNDATED = "undated"
    """A case does not say when."""

    ERASED_CASE = "erased_case"
    """A run behind a case was erased or is not kept; its words cannot be shown."""

    REVIEWED_ELSEWHERE = "reviewed_elsewhere"
    """Names of people and reviews are as the imported files tell them."""


class Opposes(StrEnum):
    """What a conflict is with. A closed list."""

    CELL = "cell"
    EXPORT = "export"


@dataclass(frozen=True, slots=True)
class SourceText:
    """One text the rule was made from, word for word."""

    item: str
    """The cell or the run that holds it."""

    revision: int
    """Of the cell; 0 for a run, which has none."""

    place: str
    """Where in it, such as ``claim`` or ``step 3``. Our words, English, no foreign text."""

    who: str | None
    when: str | None
    """As the file tells it; not checked to be a date."""

    text: str
    digest: str
    """SHA-256 of ``text`` in UTF-8, 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class CaseTold:
    """One case for or against, with the words in which a person said it."""

    item: str
    """Of the cell that carries the case: the insight."""

    run: str
    """Item of the run; blank when it is not kept here."""

    source_id: str
    """Of the run, as its file names it."""

    who: str | None
    when: str | None
    stance: Stance
    words: str
    """Blank when the run was erased or is not kept."""

    span: Span | None = None
    """Bytes of the step in its source; None when it is not known."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold of the policy as it was evaluated."""

    name: ThresholdName
    wanted: str
    """From the policy, in decimal digits: ``0.90``, ``5``."""

    found: str | None
    """In decimal digits, cut and never rounded up; None when it cannot be told."""

    n: int
    """From how many it is computed: confidence from independent sources, votes and people from
    supporting cases, days from those of them that have a date."""

    passed: bool
    why: Why


@dataclass(frozen=True, slots=True)
class Tried:
    """The candidate tried on one run outside its support."""

    run: str
    """Item of the run."""

    outcome: Outcome
    differs_in: tuple[Apart, ...]
    words: str
    """What the run did or a person said of it; blank when there is nothing to quote."""

    who: str | None
    when: str | None


@dataclass(frozen=True, slots=True)
class Settled:
    """A place in which the rule said more than its source, and how a person settled it."""

    place: int | None
    """Ordinal, from 0, among the places of the exported rule; None when it is there no more,
    because the words were restored."""

    drift: Drift
    source_words: str
    rule_words: str
    answer: Answer
    reason: str
    """Blank when restored, never blank otherwise."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """What speaks against the rule and was known when it was exported."""

    with_: Opposes
    other: str
    """Item of the cell, or ``export_id`` of an earlier rule."""

    words: str


@dataclass(frozen=True, slots=True)
class RuleExport:
    """Everything that one exported rule says of itself."""

    export_id: str
    """32 hexadecimal digits."""

    item: str
    revision: int
    artifact_digest: str
    """Of the insight as it was approved: 64 hexadecimal digits."""

    tenant: str
    title: str
    statement: str
    """The insight, word for word."""

    sources: tuple[SourceText, ...]
    """In the order in which ``strength`` numbers them."""

    cases: tuple[CaseTold, ...]
    thresholds: tuple[Threshold, ...]
    tried: tuple[Tried, ...]
    unknown: tuple[Unknown, ...]
    rule_text: str
    strength: Strength
    """Of ``rule_text`` against ``sources``."""

    settled: tuple[Settled, ...]
    conflicts: tuple[Conflict, ...]
    target: Target
    owner: str | None
    exported_at: str
    """RFC 3339."""

    exported_by: str
    """Id of the reviewer."""
