"""The write policy: what may be staged at all, and who looks at it first.

A policy is read from the exact bytes of a YAML file and known by their digest. Judging a record
needs nothing but the record, its tenant and the policy; there is no path from here to memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from review import secrets
from review.policy_node import PolicyNode
from review.secret.rules import Category
from review.text.foreign_text import has_signal, texts_of
from store.cells import Kind, Proposal, SourceType


class WriteMode(StrEnum):
    """When people look at a record of some kind. None makes a cell durable."""

    BACKGROUND_REVIEW = "background_review"
    IMMEDIATE_IF_TRUSTED = "immediate_if_trusted"
    BACKGROUND_ONLY = "background_only"


class Lane(StrEnum):
    """The inbox lane that a write mode points at; flags can only move a record to needs-eyes."""

    NEEDS_EYES = "needs-eyes"
    ROUTINE = "routine"


@dataclass(frozen=True, slots=True)
class LaneHint:
    """Where a record waits. ``order`` sorts the work, lowest first."""

    lane: Lane
    order: int


_HINTS: Final = {
    WriteMode.BACKGROUND_REVIEW: LaneHint(Lane.NEEDS_EYES, 0),
    WriteMode.IMMEDIATE_IF_TRUSTED: LaneHint(Lane.ROUTINE, 1),
    WriteMode.BACKGROUND_ONLY: LaneHint(Lane.ROUTINE, 2),
}


@dataclass(frozen=True, slots=True)
class RuleThresholds:
    """What an insight needs before it is offered as a rule. People decide all the same."""

    confidence: float = 0.90
    votes: int = 5
    people: int = 2
    days: int = 14


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy in force."""

    allowed_kinds: frozenset[Kind]
    deny_sources: frozenset[SourceType]
    require_tenant_id: bool
    reject_if_contains: frozenset[Category]
    write_mode: Mapping[Kind, WriteMode]
    preference_confidence_floor: float = 0.90
    """At or above it, a preference needs no explicit words. 1.0 asks for certainty."""

    theta: float = 0.55
    """The gate's threshold, in [0.50, 0.65]."""

    theta_by_kind: Mapping[Kind, float] = field(default_factory=dict)
    relevance_floor: float = 0.15
    fitted_decides: bool = False
    """Whether the fitted gate decides, where one was fitted; both verdicts are always shown."""

    strict_kinds: frozenset[Kind] = frozenset()
    """Kinds whose old conclusions fall with any fact that the question contradicts."""

    rule_thresholds: RuleThresholds = RuleThresholds()
    owners: Mapping[str, SourceType] = field(default_factory=dict)
    """Parameter name to the source type that owns its values. Empty: all are equal."""

    def __post_init__(self) -> None:
        """Freeze the mappings too."""
        for name in ("write_mode", "theta_by_kind", "owners"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def theta_for(self, kind: Kind) -> float:
        """The gate's threshold for cells of ``kind``."""
        return self.theta_by_kind.get(kind, self.theta)

    def lane_hint(self, kind: Kind) -> LaneHint:
        """Where records of ``kind`` wait. A kind without a write mode is looked at by a person."""
        return _HINTS[self.write_mode.get(kind, WriteMode.BACKGROUND_REVIEW)]


# --- reading the file -------------------------------------------------------------------------


class PolicyError(ValueError):
    """A policy file that is not taken, with everything that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the problems apart, so that a screen can list them."""
        self.problems = tuple(problems)
        count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
        lines = "".join(f"\n  {problem}" for problem in problems)
        super().__init__(
            f"policy.yaml: {count}.{lines}\nThe policy in force is unchanged. "
            "Correct the lines above and load the file again."
        )


@lru_cache(maxsize=8)
def read_policy(text: bytes) -> Policy:
    """The policy that ``text`` states. Strict: an unknown word is a problem, not a hint.

    Raises:
        PolicyError: With every problem of the file at once, each with its line.
    """
    top = PolicyNode.of(text)
    memory = top.section("memory", required=True)
    kinds = memory.words("allowed_kinds", Kind, required=True)
    gate = memory.section("gate")
    thresholds = memory.section("rule_thresholds")
    modes = memory.section("write_mode", required=True)
    by_kind = gate.section("theta_by_kind")
    owners = memory.section("owners")
    policy = Policy(
        allowed_kinds=kinds,
        deny_sources=memory.words("deny_sources", SourceType, required=True),
        require_tenant_id=memory.flag("require_tenant_id"),
        reject_if_contains=memory.words("reject_if_contains", Category, required=True),
        write_mode={kind: modes.word(kind, WriteMode) for kind in modes.keys_of(Kind)},
        preference_confidence_floor=memory.number("preference_confidence_floor", 0.90, (0.0, 1.0)),
        theta=gate.number("theta", 0.55, _THETA),
        theta_by_kind={kind: by_kind.number(kind, 0.55, _THETA) for kind in by_kind.keys_of(Kind)},
        relevance_floor=gate.number("relevance_floor", 0.15, (0.0, 1.0)),
        fitted_decides=gate.switch("fitted_decides"),
        strict_kinds=gate.words("strict_kinds", Kind),
        rule_thresholds=RuleThresholds(
            confidence=thresholds.number("confidence", 0.90, (0.0, 1.0)),
            votes=thresholds.count("votes", 5),
            people=thresholds.count("people", 2),
            days=thresholds.count("days", 14),
        ),
        owners={name: owners.word(name, SourceType) for name in owners.names()},
    )
    for kind in sorted(modes.keys_of(Kind) - kinds) if kinds else ():
        modes.complain(kind, f"write_mode names {kind}, which allowed_kinds does not list.")
    if problems := top.finish():
        raise PolicyError(problems)
    return policy


_THETA: Final = (0.50, 0.65)


class RuleName(StrEnum):
    """The rule that refused a record. A closed list: these words are kept in the log."""

    KIND_NOT_ALLOWED = "kind_not_allowed"
    SOURCE_DENIED = "source_denied"
    TENANT_MISSING = "tenant_missing"
    PROVENANCE_MISSING = "provenance_missing"
    CONTAINS_SECRETS = "contains_secrets"
    CONTAINS_ACCESS_TOKENS = "contains_access_tokens"
    CONTAINS_PAYMENT_CARD_DATA = "contains_payment_card_data"


_RULE_OF: Final = {category: RuleName(f"contains_{category}") for category in Category}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a record is not staged. Holds words of ours only, so it may be logged."""

    rule: RuleName
    field: str
    """The field at fault, such as ``written_at``."""

    what: str = ""
    """The kind, the source type, or the sort of secret; empty when the field is missing."""


def digest(text: bytes) -> str:
    """The policy's identity: SHA-256 of its exact bytes, in hex."""
    return sha256(text).hexdigest()


def judge(proposal: Proposal, *, tenant_id: str, policy: Policy) -> Refusal | None:
    """The first rule that refuses ``proposal``, or ``None`` when it may be staged.

    The order is fixed: kind, source, tenant, provenance, contents. Give it the text as it would
    be stored: a proposal whose secrets are masked passes, and is flagged instead.
    """
    return judge_each([proposal], tenant_id=tenant_id, policy=policy)[0]


def judge_each(
    proposals: Sequence[Proposal], *, tenant_id: str, policy: Policy
) -> list[Refusal | None]:
    """``judge`` of each, with one pass over all their texts to tell which need a search."""
    told = [_judge_origin(one, tenant_id=tenant_id, policy=policy) for one in proposals]
    if policy.reject_if_contains:
        for n in secrets.suspects([_joined(texts_of(one)) for one in proposals]):
            told[n] = told[n] or _judge_contents(proposals[n], policy)
    return told


def _joined(texts: Iterable[tuple[str, str]]) -> str:
    return "\n".join([text for _, text in texts])


def _judge_origin(proposal: Proposal, *, tenant_id: str, policy: Policy) -> Refusal | None:
    if proposal.kind not in policy.allowed_kinds:
        return Refusal(RuleName.KIND_NOT_ALLOWED, "kind", proposal.kind)
    if proposal.source_type in policy.deny_sources:
        return Refusal(RuleName.SOURCE_DENIED, "source_type", proposal.source_type)
    if policy.require_tenant_id and not tenant_id.strip():
        return Refusal(RuleName.TENANT_MISSING, "tenant_id")
    if not proposal.source_id.strip():
        return Refusal(RuleName.PROVENANCE_MISSING, "source_id")
    if not (proposal.written_at or "").strip():
        return Refusal(RuleName.PROVENANCE_MISSING, "written_at")
    return None


def _judge_contents(proposal: Proposal, policy: Policy) -> Refusal | None:
    texts = texts_of(proposal)
    if not secrets.find(_joined(texts)):  # one search for the usual case
        return None
    for name, text in texts:
        for finding in secrets.find(text):
            if finding.category in policy.reject_if_contains:
                return Refusal(_RULE_OF[finding.category], name, finding.kind)
    return None


def preference_is_supported(proposal: Proposal, policy: Policy, evidence: str | None) -> bool:
    """Whether a preference rests on explicit words, or on the policy's confidence floor.

    Args:
        proposal: Only a ``profile_preference`` can fail.
        policy: Holds the floor.
        evidence: The text under the record's evidence spans; ``None`` reads the claim itself.
    """
    if proposal.kind is not Kind.PROFILE_PREFERENCE:
        return True
    if proposal.evidence and has_signal(proposal.claim if evidence is None else evidence):
        return True
    try:
        confidence = float(proposal.confidence or "nan")
    except ValueError:
        return False
    return policy.preference_confidence_floor <= confidence <= 1.0
