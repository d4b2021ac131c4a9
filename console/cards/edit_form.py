"""Edit as new: a form whose result is a new staged record. The old one is not touched."""

from __future__ import annotations

import streamlit as st

from console.cards import address, made_here, press, refusals, untrusted
from console.cards.visit import Visit
from review.cards.card import Card
from review.cards.marking import NotMarkedError, carried, marking_of
from review.desk import Desk
from review.editing import Edit, InvalidDateError, owner_of
from review.identities import short
from review.versions.replacing import replace
from store.cells import Kind


def editing(desk: Desk, visit: Visit, card: Card) -> None:
    """The form in a dialog, when it is open."""
    if st.session_state.get("dialog") != "edit":
        return
    show = st.dialog(visit.say("edit.title"), width="large", on_dismiss=press.close_dialog)
    show(_form)(desk, visit, card)


def replacing(desk: Desk, visit: Visit, card: Card) -> None:
    """The same form for the next version of a durable record, when it is open."""
    if st.session_state.get("dialog") != "edit":
        return
    show = st.dialog(visit.say("fact.replace"), width="large", on_dismiss=press.close_dialog)
    show(_form)(desk, visit, card, durable=True)


def _form(desk: Desk, visit: Visit, card: Card, *, durable: bool = False) -> None:
    say = visit.say
    st.caption(say("fact.replace.effect" if durable else "edit.effect"))
    if marking_of(card.conclusion, card.claim or "") is not None:
        st.caption(say("edit.marking"))
    elif card.facts or card.conclusion is not None:
        st.caption(say("edit.no_facts"))
    kinds = sorted(desk.policy.policy.allowed_kinds)
    with st.form("edit", border=False):
        claim = untrusted.editor(card.claim or "", say, key=f"edit-claim-{card.item}")
        kind = st.selectbox(
            say("stored.kind"),
            kinds,
            index=kinds.index(Kind(card.kind)) if card.kind in kinds else 0,
            format_func=lambda one: say(f"kind.{one}"),
            key=f"edit-kind-{card.item}",
        )
        left, right = st.columns(2)
        since = left.text_input(
            say("edit.from"),
            value=card.valid_from or "",
            key=f"edit-from-{card.item}",
            placeholder="2026-03-01",
        )
        until = right.text_input(
            say("edit.to"),
            value=card.valid_to or "",
            key=f"edit-to-{card.item}",
            placeholder="2026-12-31",
        )
        verbatim = st.checkbox(
            say("edit.verbatim"), value=card.verbatim, key=f"edit-verbatim-{card.item}"
        )
        before = owner_of(card)
        owner = untrusted.box(before, say, "edit.owner", key=f"edit-owner-{card.item}", n=0)
        st.caption(say("edit.owner.about"))
        pressed = st.form_submit_button(say("edit.button"), type="primary")
    if not pressed:
        return
    edit = Edit(
        claim,
        kind or Kind.FACT,
        (since or "").strip(),
        (until or "").strip(),
        verbatim,
        owner=None if owner == untrusted.cell(before) else owner.strip(),
    )
    stage(desk, visit, card, edit, durable=durable)


def stage(desk: Desk, visit: Visit, card: Card, edit: Edit, *, durable: bool = False) -> None:
    """Stage what the person made of a record and go to it, or say what is wrong.

    Of a ``durable`` record it is the next version, which waits in the inbox.
    """
    say = visit.say
    try:
        nonce = desk.new_nonce()
        if durable:
            receipt = replace(desk, card, edit)
        else:
            receipt = desk.edit_as_new(card, edit, nonce=nonce)
        made_here.keep(one for one in desk.drafts() if one.nonce == nonce)
    except InvalidDateError as error:
        st.error(say("edit.bad_order") if error.backwards else say("edit.bad_date"))
        return
    except NotMarkedError as error:
        st.error(say(f"marking.lack.{error.lack}", n=error.n or ""))
        return
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    if not receipt.items:
        st.error(say("edit.not_staged"))
        return
    before = card.claim or ""
    lost = edit.marking is None and marking_of(card.conclusion, before) is not None
    lost = lost and carried(card.conclusion, before, edit.claim.strip()) is None
    st.session_state["said"] = ("said.edit.unmarked" if lost else "said.edit", {})
    st.session_state["drawn"] = None
    if durable:
        st.session_state["said"] = ("said.replaced", {"item": short(receipt.items[0])})
        press.close_dialog()
        visit.go("inbox", {"lane": "routine", "view": "focus", "item": receipt.items[0]})
        st.rerun()
    address.put(item=receipt.items[0])
    press.close_dialog()
    st.rerun()
