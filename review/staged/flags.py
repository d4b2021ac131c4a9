"""What a reviewer should know about one record before deciding: Stop, Check or Note.

A flag is a code and a count, never a quotation. Flags that need other records (duplicates,
conflicts, strength) are made elsewhere. No flags means that nothing here fired, not that the text
is harmless.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review import secrets
from review.policy import Policy, preference_is_supported
from review.staged import vouching
from review.text import orders, visible
from store.cells import Conclusion, Proposal, SourceType
from store.records import RemarkCode


class FlagLevel(StrEnum):
    """What a flag holds back."""

    STOP = "stop"
    """The record cannot be approved as it is."""

    CHECK = "check"
    """One at a time, never in bulk."""

    NOTE = "note"
    """Nothing; it is worth knowing."""


class FlagCode(StrEnum):
    """A closed list, in the order in which flags are shown within a level."""

    SECRET_MASKED = "secret_masked"
    BIDI_OVERRIDE = "bidi_override"
    TAG_CHARACTERS = "tag_characters"
    ORDERS_TO_AI = "orders_to_ai"
    HIDDEN_CHARACTERS = "hidden_characters"
    HTML_MARKUP = "html_markup"
    PREFERENCE_WITHOUT_SIGNAL = "preference_without_signal"
    NO_EVIDENCE_SPAN = "no_evidence_span"
    NO_OWNER = "no_owner"
    FOREIGN_TENANT = "foreign_tenant"
    EDGE_TARGET_UNKNOWN = "edge_target_unknown"
    SPEAKER_MISMATCH = "speaker_mismatch"
    """Ascribed to a person, and only the agent said it; or the reverse."""

    AUTHORITY_ABOVE_SOURCE = "authority_above_source"
    """It speaks with more authority than what it was made from."""

    MADE_FROM_REJECTED = "made_from_rejected"
    """A person rejected something that it was made from, however many rewrites away."""

    RECALLED_AGAIN = "recalled_again"
    """Its words stood in memory that was recalled: an echo of memory, not a source."""

    VAGUE_SUPPORT = "vague_support"
    """An old answer without a task or without two facts that it rests on."""

    MARKED_STALE = "marked_stale"
    MARKED_SUPERSEDED = "marked_superseded"
    LATER_VERSION_EXISTS = "later_version_exists"
    TOO_LONG = "too_long"
    MIXED_SCRIPT = "mixed_script"
    NFKC_DIFFERS = "nfkc_differs"
    ENCODED_RUN = "encoded_run"
    URL = "url"
    LOOKS_VERBATIM = "looks_verbatim"
    EPHEMERAL = "ephemeral"
    IMMUTABLE = "immutable"
    FOREIGN_TRUST_CLAIM = "foreign_trust_claim"
    MODEL_MADE = "model_made"
    WRITTEN_AT_ASSUMED = "written_at_assumed"
    TIME_ZONE_ASSUMED = "time_zone_assumed"


_STOPS: Final = frozenset(
    {FlagCode.SECRET_MASKED, FlagCode.BIDI_OVERRIDE, FlagCode.TAG_CHARACTERS}
)
_WEIGHT: Final = {FlagLevel.STOP: 3, FlagLevel.CHECK: 2, FlagLevel.NOTE: 1}
_Counts = list[tuple[FlagCode, int]]
_RANK: Final = {code: rank for rank, code in enumerate(FlagCode)}


def level_of(code: FlagCode) -> FlagLevel:
    """The level of ``code``; the order of ``FlagCode`` runs from Stop to Note."""
    if code in _STOPS:
        return FlagLevel.STOP
    return FlagLevel.CHECK if _RANK[code] <= _RANK[FlagCode.TOO_LONG] else FlagLevel.NOTE


@dataclass(frozen=True, slots=True)
class Flag:
    """One code and how often it fired; 1 where counting makes no sense."""

    code: FlagCode
    count: int = 1

    @property
    def level(self) -> FlagLevel:
        """Stop, Check or Note."""
        return level_of(self.code)


def approvable(flags: Iterable[Flag]) -> bool:
    """Whether a person may approve the record as it is: no Stop."""
    return all(flag.level is not FlagLevel.STOP for flag in flags)


def bulk_allowed(flags: Iterable[Flag]) -> bool:
    """Whether the record may be decided together with others: neither Stop nor Check."""
    return all(flag.level is FlagLevel.NOTE for flag in flags)


_TOO_LONG: Final = 8 * 1024
_SUPPORT: Final = 2
"""Facts that an old answer should rest on at least, so that a change of one can be seen."""

_MASKED: Final = "⟦secret: "
_LIKE_LATIN: Final = "Ѐ-ԯΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχγ"
_LOOKS_LATIN: Final = re.compile(f"[{_LIKE_LATIN}]")
_SAME_WORD: Final = re.compile(
    rf"[A-Za-zÀ-ɏ](?:[0-9_]*[{_LIKE_LATIN}]|(?<=[{_LIKE_LATIN}].)|(?<=[{_LIKE_LATIN}][0-9_].))"
)
_WORD: Final = re.compile(r"\w+")
_TYPOGRAPHY: Final = str.maketrans("", "", "\xa0\u202f…№™²³½¼¾ºª´¸¨")
"""Ordinary characters of printed text with a compatibility form; NFKC changes them, harmlessly."""

_REMARKS: Final[Mapping[str, FlagCode]] = {
    RemarkCode.NO_OWNER: FlagCode.NO_OWNER,
    RemarkCode.FOREIGN_TENANT: FlagCode.FOREIGN_TENANT,
    RemarkCode.EDGE_TARGET_UNKNOWN: FlagCode.EDGE_TARGET_UNKNOWN,
    RemarkCode.DANGLING_LINK: FlagCode.EDGE_TARGET_UNKNOWN,
    RemarkCode.MARKED_STALE: FlagCode.MARKED_STALE,
    RemarkCode.MARKED_SUPERSEDED: FlagCode.MARKED_SUPERSEDED,
    RemarkCode.LATER_VERSION_EXISTS: FlagCode.LATER_VERSION_EXISTS,
    RemarkCode.MODEL_MADE: FlagCode.MODEL_MADE,
    RemarkCode.WRITTEN_AT_ASSUMED: FlagCode.WRITTEN_AT_ASSUMED,
    RemarkCode.TIME_ZONE_ASSUMED: FlagCode.TIME_ZONE_ASSUMED,
}
_BY_MODEL: Final = frozenset({SourceType.MODEL_EXTRACTION, SourceType.AGENT_SUMMARY})


def flags_of(
    proposal: Proposal, policy: Policy, *, evidence: str | None = None
) -> tuple[Flag, ...]:
    """The flags of one record, worst first.

    Args:
        proposal: As it would be stored, secrets already masked.
        policy: Its confidence floor for preferences.
        evidence: The text under the evidence spans, when the caller has the bytes at hand; a
            preference is then held against it and not against the claim.
    """
    return flags_of_each([proposal], policy, [evidence])[0]


def flags_of_each(
    proposals: Sequence[Proposal], policy: Policy, evidence: Sequence[str | None]
) -> list[tuple[Flag, ...]]:
    """``flags_of`` each, with one pass over all their texts to tell which need a search."""
    texts = [_text_of(one) for one in proposals]
    hinted = orders.hinted(texts)
    told: list[tuple[Flag, ...]] = []
    for n, (proposal, text) in enumerate(zip(proposals, texts, strict=True)):
        found = _of_hidden(text) + _of_record(proposal)
        if n in hinted:
            found += _of_words(orders.Words.of(text), verbatim=proposal.verbatim)
        if not text.isascii():
            found += _of_letters(text)
        if not preference_is_supported(proposal, policy, evidence[n]):
            found.append((FlagCode.PREFERENCE_WITHOUT_SIGNAL, 1))
        told.append(in_order([Flag(code, count) for code, count in found if count]))
    return told


def needs_tick(flags: Iterable[Flag]) -> tuple[FlagCode, ...]:
    """The Check flags: a reviewer ticks each one before approving."""
    return tuple(flag.code for flag in flags if flag.level is FlagLevel.CHECK)


def with_unknown_targets(flags: tuple[Flag, ...], count: int) -> tuple[Flag, ...]:
    """``flags`` and the word that ``count`` edges point at nothing the store holds."""
    if count <= 0:
        return flags
    others = (flag for flag in flags if flag.code is not FlagCode.EDGE_TARGET_UNKNOWN)
    return in_order((*others, Flag(FlagCode.EDGE_TARGET_UNKNOWN, count)))


def read_flags(stored: Iterable[Sequence[object]]) -> tuple[Flag, ...]:
    """Flags as a record keeps them, ``[[code, count], …]``; a code we do not know is left out."""
    known = {str(code): code for code in FlagCode}
    pairs = [(known.get(str(code)), int(str(count))) for code, count in stored]
    return in_order(Flag(code, count) for code, count in pairs if code is not None)


def worst(flags: Iterable[Flag]) -> int:
    """0 without flags, 1 when the worst is a Note, 2 a Check, 3 a Stop."""
    return max((_WEIGHT[flag.level] for flag in flags), default=0)


def in_order(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """``flags`` in the order in which they are shown: Stop, Check, Note."""
    return tuple(sorted(flags, key=lambda flag: _RANK[flag.code]))


def _text_of(proposal: Proposal) -> str:
    """All that would become part of the cell; what the file says about itself is left out."""
    if not (proposal.facts or proposal.entities or proposal.scope or proposal.conclusion):
        return proposal.claim
    parts = [proposal.claim, *proposal.entities, *proposal.scope, *proposal.scope.values()]
    facts = proposal.facts
    if proposal.conclusion is not None:
        parts += (proposal.conclusion.text, proposal.conclusion.task)
        facts += proposal.conclusion.support
    for fact in facts:
        parts += (fact.subject, fact.parameter, fact.value)
    return "\n".join(dict.fromkeys(parts))


def _of_hidden(text: str) -> _Counts:
    unseen = visible.hidden(text)
    return [
        (FlagCode.BIDI_OVERRIDE, unseen.bidi),
        (FlagCode.TAG_CHARACTERS, unseen.tags),
        (FlagCode.HIDDEN_CHARACTERS, unseen.other),
    ]


def _of_words(words: orders.Words, *, verbatim: bool) -> _Counts:
    return [
        (FlagCode.ORDERS_TO_AI, orders.orders(words)),
        (FlagCode.HTML_MARKUP, orders.markup(words)),
        (FlagCode.ENCODED_RUN, orders.encoded_runs(words)),
        (FlagCode.URL, orders.urls(words)),
        (FlagCode.EPHEMERAL, int(orders.is_momentary(words))),
        (FlagCode.LOOKS_VERBATIM, int(not verbatim and orders.is_wording(words))),
    ]


def _of_letters(text: str) -> _Counts:
    """What only text beyond ASCII can show."""
    return [
        (FlagCode.SECRET_MASKED, text.count(_MASKED)),
        (FlagCode.MIXED_SCRIPT, _mixed_words(text)),
        (FlagCode.NFKC_DIFFERS, int(_has_compatibility_forms(text))),
    ]


def _mixed_words(text: str) -> int:
    """Words that join Latin letters to Cyrillic ones, or to Greek ones that look like Latin."""
    if _LOOKS_LATIN.search(text) is None or _SAME_WORD.search(text) is None:
        return 0
    return sum(1 for word in _WORD.findall(text) if _SAME_WORD.search(word))


def _has_compatibility_forms(text: str) -> bool:
    if secrets.is_plain(text) or unicodedata.is_normalized("NFKC", text):
        return False
    plain = text.translate(_TYPOGRAPHY)
    return unicodedata.normalize("NFKC", plain) != unicodedata.normalize("NFC", plain)


def _is_vague(conclusion: Conclusion) -> bool:
    """Whether an old answer names no task, or fewer than two facts, or facts that say nothing."""
    telling = sum(
        any(char.isalnum() for char in fact.value) and bool(fact.parameter.strip())
        for fact in conclusion.support
    )
    return not conclusion.task.strip() or telling < _SUPPORT


def _of_record(proposal: Proposal) -> _Counts:
    coded = {_REMARKS[code] for code in proposal.remarks if code in _REMARKS}
    if proposal.source_type in _BY_MODEL:
        coded.add(FlagCode.MODEL_MADE)
    found = [(code, 1) for code in coded]
    if not proposal.evidence:
        found.append((FlagCode.NO_EVIDENCE_SPAN, 1))
    if proposal.immutable is not None:
        found.append((FlagCode.IMMUTABLE, 1))
    if proposal.conclusion is not None:
        found.append((FlagCode.VAGUE_SUPPORT, int(_is_vague(proposal.conclusion))))
    if len(proposal.claim) * 4 > _TOO_LONG:
        size = len(proposal.claim.encode("utf-8", "surrogatepass"))
        found.append((FlagCode.TOO_LONG, int(size > _TOO_LONG)))
    if proposal.foreign:
        found.append((FlagCode.FOREIGN_TRUST_CLAIM, vouching.claims(proposal.foreign)))
    return found
