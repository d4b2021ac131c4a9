"""What will be stored, or is: every part of the cell that a signature covers."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import streamlit as st

from console.cards import provenance, untrusted
from console.words import Say
from review.cards.card import Card
from review.cards.card_links import Link
from review.evidence import byte_equal
from review.identities import short
from store.cells import Fact, FactRole


def claim(card: Card, say: Say) -> bool:
    """The claim in full. Returns whether all of it is on the screen."""
    with st.container(key=f"claim-{card.item}"):
        if card.claim is None:
            st.info(say("stored.erased"))
            return True
        return untrusted.show(card.claim, say, key=f"{card.item}-{card.rev}")


def wording(card: Card, say: Say) -> None:
    """Of a verbatim cell: whether its words stand in the source byte for byte."""
    equal = byte_equal(card.claim, card.source.raw) if card.verbatim else None
    if equal is not None:
        digest = sha256((card.claim or "").encode("utf-8")).hexdigest()[:16]
        st.caption(say("stored.bytes_equal" if equal else "stored.bytes_differ", sha=digest))


def cell(card: Card, say: Say) -> None:
    """Kind, validity, scope, facts, old answer, flags of the cell and links."""
    rows = [
        (say.plain("stored.kind"), say.plain(f"kind.{card.kind}")),
        (say.plain("stored.valid"), _validity(card, say)),
    ]
    if card.expires_at:
        rows.append((say.plain("stored.expires"), card.expires_at))
    scope = "; ".join(f"{name} = {value}" for name, value in card.scope.items())
    rows.append((say.plain("stored.scope"), scope or say.plain("stored.scope.none")))
    if card.entities:
        rows.append((say.plain("stored.entities"), "; ".join(card.entities)))
    rows += _facts(card.facts, say)
    if card.conclusion is not None:
        rows.append((say.plain("stored.conclusion"), card.conclusion.text))
        rows.append((say.plain("stored.task"), card.conclusion.task))
        rows += _facts(card.conclusion.support, say)
    if card.pointer is not None:
        told = say.plain("stored.pointer.told", n=card.pointer.size, sha=card.pointer.sha256[:16])
        rows.append((say.plain("stored.pointer"), told))
    marks = [say.plain("stored.verbatim")] if card.verbatim else []
    if card.immutable is not None:
        marks.append(say.plain("stored.immutable") + f" ({card.immutable})")
    if marks:
        rows.append((say.plain("stored.marks"), "; ".join(marks)))
    rows += _links(card.links, say)
    rows.append((say.plain("stored.id"), card.item))
    rows.append((say.plain("stored.digest"), f"{card.artifact[:16]}… · {card.rev}"))
    untrusted.fields(rows)


def _links(links: Sequence[Link], say: Say) -> list[tuple[str, str]]:
    """Links, those of one sort in one row: an insight may come from many runs."""
    others: dict[tuple[str, str], list[str]] = {}
    for link in links:
        name = say.plain(f"edge.{link.kind}") if link.outgoing else say.plain("stored.link_in")
        kind = "" if link.outgoing else f" {say.plain(f'edge.{link.kind}')}"
        told = f"{kind} · {link.strength} · {say.plain(f'asserter.{link.asserter}')}"
        head = f"{'→' if link.outgoing else '←'} {name}"
        others.setdefault((head, told), []).append(short(link.other))
    return [(head, f"{', '.join(names)}{told}") for (head, told), names in others.items()]


def whole(card: Card, say: Say) -> bool:
    """The claim, the cell and its provenance, as one column."""
    complete = claim(card, say)
    wording(card, say)
    cell(card, say)
    st.caption(say("stored.provenance"))
    provenance.minimum(card, say)
    return complete


def _facts(facts: Sequence[Fact], say: Say) -> list[tuple[str, str]]:
    rows = []
    for fact in facts:
        bounds = [bound for bound in (fact.valid.start, fact.valid.end) if bound]
        when = f" ({' … '.join(bounds)})" if bounds else ""
        about = f" [{fact.subject}]" if fact.subject else ""
        told = f"{fact.parameter} = {fact.value}" if fact.role == FactRole.STATES else fact.value
        rows.append((say.plain(f"stored.fact.{fact.role}"), f"{told}{about}{when}"))
    return rows


def _validity(card: Card, say: Say) -> str:
    if not card.valid_from and not card.valid_to:
        return say.plain("stored.valid.open")
    return f"{card.valid_from or '…'} – {card.valid_to or '…'}"
