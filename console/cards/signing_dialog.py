"""The signing dialog: every draft that the passphrase will sign, and where it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import door_news, made_here, press, refusals, untrusted
from console.cards.made_here import NotShownError
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.identities import short
from store.drafts import Draft
from store.link_drafts import LinkDraft
from store.stages import DecisionKind

CLAIMS: Final = 200
"""Drafts whose text is in the list; the others are listed by their id."""

COLUMNS: Final = ("decision", "reason", "claim", "id", "where")


def signing(desk: Desk, visit: Visit) -> None:
    """The dialog, when it is open."""
    if st.session_state.get("dialog") != "sign":
        return
    show = st.dialog(visit.say("sign.title"), width="large", on_dismiss=press.close_dialog)
    show(_sign)(desk, visit)


def _sign(desk: Desk, visit: Visit) -> None:
    say, drafts = visit.say, desk.drafts()
    elsewhere = made_here.from_elsewhere(drafts)
    before = st.session_state.get("sign_shown")
    st.session_state["sign_shown"] = tuple(drafts)
    _list(desk, say, drafts, elsewhere)
    looked_at = not elsewhere or looked(say, elsewhere)
    st.caption(say("sign.effect"))
    passphrase, pressed = form(visit, len(drafts), blocked=not looked_at or not drafts)
    st.caption(say("sign.banner"))
    if not pressed or not looked_at or visit.unlock is None:
        return
    try:
        if before != tuple(drafts):
            raise NotShownError
        with visit.unlock(passphrase) as signer:
            receipt = desk.sign(made_here.only(signer, drafts))
            published = door_news.published(visit, signer)
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    st.session_state["receipt"] = receipt
    st.session_state["drawn"] = None
    n = sum(receipt.recorded.values())
    st.session_state["said"] = published.said(say, "said.signed", n=n)
    press.close_dialog()
    st.rerun()


def form(visit: Visit, n: int, *, blocked: bool, key: str = "sign.button") -> tuple[str, bool]:
    """The field for the passphrase and its button: what was typed, and whether it was pressed."""
    say = visit.say
    phrase = visit.facts.get("demo_passphrase")
    if phrase:
        st.info(say("sign.demo", phrase=phrase))
    with st.form("sign", border=False):
        passphrase = st.text_input(
            say("sign.passphrase"), type="password", autocomplete="off", key="passphrase"
        )
        pressed = st.form_submit_button(
            say(key, n=n), type="primary", width="stretch", disabled=blocked
        )
    return passphrase or "", pressed


def _list(desk: Desk, say: Say, drafts: list[Draft], elsewhere: list[Draft]) -> None:
    """How many of each decision, then a row for each: approvals first, foreign ones foremost."""
    foreign = {id(one) for one in elsewhere}  # the very objects of this list
    ordered = sorted(
        drafts, key=lambda one: (one.decision != DecisionKind.APPROVE, id(one) not in foreign)
    )
    tally = Counter(str(one.decision) for one in ordered)
    st.text("   ·   ".join(f"{n} {say.plain(f'decision.{kind}')}" for kind, n in tally.items()))
    told = sorted(ordered, key=lambda one: id(one) not in foreign)[:CLAIMS]
    claims = _claims(desk, say, [one.item for one in told])
    rows = [
        (
            say.plain(f"decision.{one.decision}"),
            untrusted.cell(say.plain(f"reason.{one.reason}")) if one.reason else "",
            claims.get(one.item, say.plain("sign.claim.more")),
            short(one.item),
            say.plain("sign.elsewhere") if id(one) in foreign else "",
        )
        for one in ordered
    ]
    st.dataframe(
        pd.DataFrame(rows, columns=list(COLUMNS), dtype="str"),
        hide_index=True,
        key="sign-list",
        row_height=34,
        height=min(38 + 34 * max(len(rows), 1), 310),
        column_config={
            "decision": st.column_config.TextColumn(say("sign.decision"), width=120),
            "reason": st.column_config.TextColumn(say("sign.reason"), width=150),
            "claim": st.column_config.TextColumn(say("list.claim"), width=520),
            "id": st.column_config.TextColumn(say("list.id"), width=100),
            "where": st.column_config.TextColumn(say("sign.where"), width=220),
        },
        alt=say("sign.alt", n=len(rows)),
    )


def _claims(desk: Desk, say: Say, items: Sequence[str]) -> dict[str, str]:
    """What each record says, for a cell of the table."""
    with desk.held():
        found = desk.claims_of(items)
    told = dict.fromkeys(items, say.plain("refused.none"))
    for item, text in found.items():
        told[item] = say.plain("stored.erased") if text is None else untrusted.cell(text)
    return told


def looked(say: Say, elsewhere: Sequence[Draft | LinkDraft]) -> bool:
    """Ask for a tick under drafts of another window. It holds for exactly these drafts."""
    st.warning(say("sign.elsewhere.warning", n=len(elsewhere)))
    named = sha256(repr(elsewhere).encode("utf-8", "replace")).hexdigest()[:16]
    return bool(st.checkbox(say("sign.looked"), key=f"sign-looked-{named}"))
