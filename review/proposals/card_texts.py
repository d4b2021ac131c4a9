"""What of a card goes into a request: its claim, its setting, what people said in its runs."""

from __future__ import annotations

import json

from review import instants
from review.cards.card import Card
from review.facts.protocol import Setting
from review.proposals import covering, requests
from review.proposals.records import Record
from review.proposals.requests import Quoted


def setting_of(card: Card) -> Setting:
    """The setting in which a record's claim is read, as when it was staged alone."""
    told = instants.read(str(card.provenance.get("written_at") or ""))
    moment = None if told is None else instants.moment_of(told)
    return Setting(written_at=moment, speaker=card.scope.get("user", ""), scope=card.scope)


def said(card: Card) -> list[str]:
    """What people said in the runs beside a record: reasons and corrections."""
    told: dict[str, None] = {}
    for one in card.beside:
        for decision in one.kept.run.decisions if one.kept.run is not None else ():
            if not decision.weak:
                told |= dict.fromkeys(filter(None, (decision.reason, decision.edit)))
    return list(told)[: requests.MOST_BLOCKS]


def quoted(card: Card) -> Quoted:
    """A record's claim with what is known of it."""
    written_at = str(card.provenance.get("written_at") or "")
    return Quoted(text(card), card.source_type, written_at, card.kind)


def text(card: Card) -> str:
    """A record's claim.

    Raises:
        LookupError: If it was erased.
    """
    if card.claim is None:
        msg = f"the text of {card.item} was erased. Nothing was asked."
        raise LookupError(msg)
    return card.claim


def is_about(record: Record, card: Card) -> bool:
    """Whether what was asked quotes the claim of a record as it is now.

    Which record an event names is not in the key of what was asked; its words are.
    """
    if record.asked is None or card.claim is None:
        return False
    try:
        told = json.loads(record.asked)
        quoted = next(told[name]["text"] for name in ("claim", "insight") if name in told)
    except (ValueError, KeyError, TypeError, StopIteration):
        return False
    return bool(quoted == covering.covered_value(card.claim)[0])
