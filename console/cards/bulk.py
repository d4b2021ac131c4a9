"""One decision over a frozen list: every row is drawn in full before the button works.

A list of one import that is to be turned down whole may hold any record and can only be rejected.
It is drawn as one table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import flags, made_here, press, provenance, signing_bar, stored, untrusted
from console.cards.queue_list import list_digest
from console.cards.refusals import Told, attempt
from console.cards.visit import Visit
from console.words import Say
from review.cards.card import Card
from review.deciding import Wish
from review.desk import Desk
from review.identities import short
from review.queue import PAGE
from review.staged.flags import bulk_allowed
from store.stages import DecisionKind, RejectReason, Stage
from store.statements import MOST_SUBJECTS

_LONG: Final = 2_000
"""Characters of a claim in the table of an import."""


def frozen() -> tuple[str, ...]:
    """The frozen list; empty when there is none."""
    return tuple(st.session_state.get("bulk", ()))


def freeze_import(items: tuple[str, ...], import_id: str) -> None:
    """Freeze the records of one import: this list can be rejected, and nothing else."""
    _leave()
    st.session_state["bulk"] = items
    st.session_state["bulk_import"] = import_id


def draw(desk: Desk, visit: Visit) -> None:
    """The confirm page of the frozen list."""
    say, items = visit.say, frozen()
    cards, aside = _cards(desk, say, items)
    st.subheader(say("bulk.title", n=len(cards), digest=list_digest(items)[:8]), anchor=False)
    if aside:
        why = "bulk.aside.moved" if _of_import() else "bulk.aside.why"
        st.warning(say("bulk.aside", n=len(aside)) + " " + say(why))
        st.text("  ".join(short(one) for one in aside))
    if not cards:
        st.button(say("bulk.cancel"), key="bulk-cancel", on_click=_leave)
        return
    _breakdown(cards, visit)
    if _of_import():
        untrusted.line(cards[0].source.name)
        st.caption(say("bulk.import", n=-(-len(cards) // MOST_SUBJECTS)))
        _table(cards, say)
        _bar(desk, visit, cards, unseen=0)
        return
    pages = (len(cards) + PAGE - 1) // PAGE
    number = st.pagination(pages, key="bulk_page") if pages > 1 else 1
    seen: set[int] = st.session_state.setdefault("bulk_seen", set())
    seen.add(number)
    for card in cards[(number - 1) * PAGE : number * PAGE]:
        with st.container(border=True):
            left, right = st.columns([3, 2])
            with left:
                stored.claim(card, say)
                stored.cell(card, say)
            with right:
                provenance.minimum(card, say)
    _bar(desk, visit, cards, unseen=pages - len(seen))


def _bar(desk: Desk, visit: Visit, cards: list[Card], *, unseen: int) -> None:
    say = visit.say
    blocked = unseen > 0 or bool(visit.why_read_only) or press.dialog_open()
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bulkbar"):
            st.button(say("bulk.cancel"), key="bulk-cancel", on_click=_leave)
            if not _of_import():
                st.button(
                    say("bulk.durable", n=len(cards)),
                    key="bulk-durable",
                    type="primary",
                    disabled=blocked,
                    on_click=_decide,
                    args=(desk, cards, DecisionKind.APPROVE, None),
                )
            reason = st.selectbox(
                say("bulk.reason"),
                list(RejectReason),
                index=None,
                placeholder=say("bulk.reason"),
                label_visibility="collapsed",
                format_func=lambda one: say(f"reason.{one}"),
                key="bulk_reason",
                width=240,
            )
            st.button(
                say("bulk.reject", n=len(cards)),
                key="bulk-reject",
                disabled=blocked or reason is None,
                on_click=_decide,
                args=(desk, cards, DecisionKind.REJECT, reason),
            )
            if unseen > 0:
                st.caption(say("bulk.unseen", n=unseen))


def _of_import() -> str:
    """The import that the frozen list turns down; blank for a chosen list."""
    return str(st.session_state.get("bulk_import") or "")


def _cards(desk: Desk, say: Say, items: tuple[str, ...]) -> tuple[list[Card], list[str]]:
    """The list's cards as they are now, and the ids that need a single look or moved on."""
    held: dict[str, Card] = st.session_state.setdefault("bulk_cards", {})
    drafted = {one.item for one in desk.drafts()}
    fitting: list[str] = []
    aside: list[str] = []
    reading = st.empty()
    for place, item in enumerate(items):
        if item not in held:
            held[item] = desk.card_of(item)
            if place % PAGE == 0:
                reading.progress(place / len(items), text=say("bulk.reading", n=len(items)))
        card = held[item]
        waits = card.stage in (Stage.STAGED, Stage.DEFERRED) and item not in drafted
        fits = card.import_id == _of_import() if _of_import() else bulk_allowed(card.flags)
        (fitting if waits and fits else aside).append(item)
    reading.empty()
    return [held[item] for item in fitting], aside


def _breakdown(cards: list[Card], visit: Visit) -> None:
    say = visit.say
    kinds = Counter(card.kind for card in cards)
    sources = Counter(card.source_type for card in cards)
    told = [f"{say.plain(f'kind.{kind}')} {n}" for kind, n in kinds.most_common()]
    told += [f"{say.plain(f'source.{source}')} {n}" for source, n in sources.most_common()]
    st.text("   ·   ".join(told))


def _table(cards: list[Card], say: Say) -> None:
    """Every row of a list that can only be rejected."""
    rows = [
        (
            say.plain("stored.erased")
            if card.claim is None
            else untrusted.cell(card.claim, _LONG),
            say.plain(f"kind.{card.kind}"),
            flags.cell(card.flags, say),
            short(card.item),
        )
        for card in cards
    ]
    names = ("claim", "kind", "flags", "id")
    widths = dict(zip(names, (620, 120, 300, 105), strict=True))
    st.dataframe(
        pd.DataFrame(rows, columns=list(names), dtype="str"),
        hide_index=True,
        row_height=34,
        height=min(38 + 34 * len(rows), 480),
        column_config={
            name: st.column_config.TextColumn(say(f"list.{name}"), width=widths[name])
            for name in names
        },
        alt=say("list.alt", n=len(rows)),
    )


def _decide(desk: Desk, cards: list[Card], decision: DecisionKind, reason: str | None) -> None:
    def act() -> Told:
        wish = Wish(
            decision,
            reason=None if reason is None else str(reason),
            nonce=desk.new_nonce(),
            mode="bulk",
            list_sha256=list_digest(frozen()),
        )
        with desk.held():
            for start in range(0, len(cards), MOST_SUBJECTS):
                part = replace(wish, nonce=f"{wish.nonce}/{start}")
                here = cards[start : start + MOST_SUBJECTS]
                made_here.keep(desk.draft_list(here, part, _of_import()))
        _leave()
        st.session_state["picked"] = frozenset()
        return f"said.bulk.{decision}", {"n": len(cards)}

    attempt(act)


def _leave() -> None:
    for name in ("bulk", "bulk_cards", "bulk_seen", "bulk_import"):
        st.session_state.pop(name, None)
