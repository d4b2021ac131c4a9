"""Where a record comes from: the six mandatory fields, the source, and what the file claims."""

from __future__ import annotations

import json

import streamlit as st

from console.cards import untrusted
from console.cards.times import moment
from console.words import Say
from review.cards.card import Card
from review.identities import short

REQUIRED = ("source_type", "source_id", "writer_identity", "tenant_id", "written_at")


def minimum(card: Card, say: Say) -> None:
    """The mandatory fields. A missing one is said to be missing."""
    told = card.provenance
    rows = []
    for name in REQUIRED:
        value = str(told.get(name) or "") or say.plain("provenance.missing")
        if name == "source_type" and told.get(name):
            value = say.plain(f"source.{card.source_type}")
        elif name in ("writer_identity", "tenant_id"):
            value = short(value)
        elif name == "written_at":
            value = moment(value)
        rows.append((say.plain(f"provenance.{name}"), value))
    rows.append((say.plain("provenance.validation_state"), say.plain("trust.always")))
    untrusted.fields(rows)


def source(card: Card, say: Say, *, tall: bool) -> None:
    """The record's own bytes with its evidence, and where they stand in the file."""
    found = card.source
    if found.raw is None:
        st.info(say("source.erased"))
    else:
        untrusted.marked(found.raw, found.evidence, tall=tall)
    if not found.evidence:
        st.caption(say("source.no_span"))
    place = say.plain("source.bytes", start=found.start, end=found.end)
    if found.line:
        place = say.plain("source.line", line=found.line) + ", " + place
    rows = [(say.plain("source.file"), found.name or say.plain("provenance.missing"))]
    if found.member:
        rows.append((say.plain("source.member"), found.member))
    rows += [
        (say.plain("source.place"), place),
        (say.plain("source.read_by"), found.importer),
        ("sha256", found.sha256[:16] + "…" if found.sha256 else "–"),
        (say.plain("source.imported"), moment(card.recorded_at)),
    ]
    untrusted.fields(rows)


def claims(card: Card, say: Say) -> None:
    """What the file says about itself. It sets nothing here."""
    foreign = dict(card.provenance.get("foreign") or {})
    if card.provenance.get("review_id"):
        foreign["source_review_id"] = card.provenance["review_id"]
    if card.provenance.get("polarity"):
        foreign["polarity"] = card.provenance["polarity"]
    if not foreign:
        st.caption(say("claims.none"))
        return
    untrusted.fields([(untrusted.cell(str(k), 40), _flat(v)) for k, v in foreign.items()])


def confidence(card: Card, say: Say) -> None:
    """A model's own confidence, apart from everything that counts people."""
    told = card.provenance.get("confidence")
    if told is None:
        st.caption(say("claims.no_confidence"))
        return
    untrusted.fields([(say.plain("claims.confidence"), str(told))])
    st.caption(say("claims.confidence.help"))


def _flat(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return untrusted.cell(text, 600)
