"""Which records nothing but a person, or the procedure that made them, may supersede.

Three sorts: a verified fact, whose procedure is named; a value with an outside owner (a limit, a
tariff, a term of contract, a restriction of policy); a cell that an accepted decision cites. The
first two are assigned when a record is staged, shown, and signed with it; the third follows from
the decision and is computed with the lifecycle.

Source: the domain specification, "Kinds, write modes, flags".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from store.cells import FactRole, Kind, Proposal, SourceType

OWNED: Final = frozenset(
    {
        *("limit", "storage_limit", "credit_limit", "authorisation_limit", "tariff", "rate"),
        *("fee", "storage_fee", "commission", "fulfilment_commission", "payment_terms"),
        *("contract_length", "price", "rent", "retention"),
    }
)
"""Parameters whose value somebody outside sets: not what a conversation concludes."""

_OUTSIDE: Final = frozenset({SourceType.OWNER_ORDER, SourceType.SYSTEM_OF_RECORD})
"""Sources that are an owner's word. Any other has to name the owner."""

_PROCEDURES: Final = ("procedure", "verification", "verification_procedure")
_OWNERS: Final = ("owner", "claimed_owner", "issued_by")
_TERM: Final = re.compile(
    r"(?i)\b(?:limit|cap|quota|tariff|rate|fee|commission|penalty|notice period|clause|section"
    r"|policy|contract|agreement|must not|may not|shall)\b"
    r"|лимит|тариф|ставк|комисси|штраф|договор|пункт|услови|политик|регламент|запрещ|не допуска"
)
_VALUE: Final = re.compile(r"\d|%|\bno\b|must not|may not|shall|запрещ|не допуска|не вправе")
_LONGEST: Final = 600
_OPEN: Final = "open:"
"""What a parameter's key begins with when the table does not know it."""


def assigned(proposal: Proposal) -> str | None:
    """Why the record may not be superseded by what is only found, or None.

    ``procedure:<which>`` or ``owner:<who>``. What the source says itself is kept. A record that
    also states what nobody outside owns is left open, for one of its facts may well be superseded.
    """
    if proposal.immutable is not None:
        return proposal.immutable
    if proposal.kind is Kind.VALIDATED_FACT:
        procedure = _named(proposal, _PROCEDURES)
        return f"procedure:{procedure}" if procedure else None
    owner = _named(proposal, _OWNERS)
    if not owner and proposal.source_type in _OUTSIDE:
        owner = _named(proposal, ("claimed_writer",)) or proposal.source_id.partition(":")[0]
    return f"owner:{owner}" if owner and _is_owned(proposal) else None


def _is_owned(proposal: Proposal) -> bool:
    stated = [fact for fact in proposal.facts if fact.role is FactRole.STATES]
    known = [key for fact in stated if not (key := fact.parameter_key).startswith(_OPEN) and key]
    if known:
        return all(key in OWNED for key in known)
    claim = proposal.claim
    return (
        len(claim) <= _LONGEST
        and _TERM.search(claim) is not None
        and _VALUE.search(claim.casefold()) is not None
    )


def _named(proposal: Proposal, names: Iterable[str]) -> str:
    for name in names:
        value = proposal.foreign.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()[:200]
    return ""
