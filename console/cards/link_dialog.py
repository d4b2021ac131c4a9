"""The signing dialog for links: all that the passphrase will sign, and where it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import (
    cluster_press,
    door_news,
    made_here,
    press,
    refusals,
    signing_dialog,
    untrusted,
)
from console.cards.keys import shortcut
from console.cards.made_here import NotShownError
from console.cards.visit import Visit
from console.words import Say
from review.deciding import Signer
from review.desk import Desk
from review.identities import short
from store.cells import EdgeKind
from store.link_drafts import LinkDraft
from store.links import SignedLink, read_links
from store.statements import SignedStatement

COLUMNS: Final = ("says", "one", "other", "ids", "why", "where")


def buttons(desk: Desk, visit: Visit, drafts: Sequence[LinkDraft]) -> None:
    """How many links are drafted, and Sign."""
    say, n = visit.say, sum(len(one.links) for one in drafts)
    st.caption(say("bar.drafted", n=n))
    st.button(
        say("act.sign", n=n),
        key="act-sign-links",
        type="primary" if drafts else "secondary",
        icon=":material/signature:",
        disabled=not drafts or press.dialog_open() or visit.unlock is None,
        help=say("act.sign.help"),
        on_click=press.open_dialog,
        args=("sign-links",),
    )


def undo_button(visit: Visit, drafts: Sequence[LinkDraft], desk: Desk) -> None:
    """Undo, for the bar."""
    st.button(
        visit.say("act.undo"),
        key="act-undo-links",
        shortcut=shortcut("U"),
        disabled=not drafts or press.dialog_open() or bool(visit.why_read_only),
        help=visit.say("act.undo.help"),
        on_click=cluster_press.undo,
        args=(desk,),
    )


def signing(desk: Desk, visit: Visit) -> None:
    """The dialog, when it is open."""
    if st.session_state.get("dialog") != "sign-links":
        return
    show = st.dialog(visit.say("sign.links.title"), width="large", on_dismiss=press.close_dialog)
    show(_sign)(desk, visit)


def _sign(desk: Desk, visit: Visit) -> None:
    say, drafts = visit.say, desk.duplicates.drafts()
    elsewhere = made_here.from_elsewhere(drafts)
    before = st.session_state.get("sign_shown")
    st.session_state["sign_shown"] = tuple(drafts)
    _list(desk, say, drafts, elsewhere)
    looked = not elsewhere or signing_dialog.looked(say, elsewhere)
    st.caption(say("sign.links.effect"))
    links = [link for one in drafts for link in one.links]
    blocked = not looked or not links
    passphrase, pressed = signing_dialog.form(
        visit, len(links), blocked=blocked, key="sign.links.button"
    )
    st.caption(say("sign.banner"))
    if not pressed or not looked or visit.unlock is None:
        return
    try:
        if before != tuple(drafts):
            raise NotShownError
        with visit.unlock(passphrase) as signer:
            receipt = desk.duplicates.sign(_only(signer, links), policy_sha256=desk.policy.sha256)
            published = door_news.published(visit, signer)
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    st.session_state["drawn"] = None
    key = "said.links_signed_some" if receipt.set_aside else "said.links_signed"
    st.session_state["said"] = published.said(
        say, key, n=receipt.recorded, aside=receipt.set_aside
    )
    press.close_dialog()
    st.rerun()


def _only(signer: Signer, shown: Sequence[SignedLink]) -> Signer:
    """A signer that signs links that were listed, and nothing else."""
    listed = set(shown)

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        for statement in statements:
            # A reason has its commitment only now; what is said of whom must be what was listed.
            told = {replace(link, note=None) for link in read_links(statement).links}
            if not told <= listed:
                raise NotShownError
        return signer(statements)

    return sign


def _says(say: Say, link: SignedLink) -> str:
    """What is said of the two: duplicates have words of their own."""
    if link.kind is EdgeKind.DUPLICATE_OF:
        return say.plain(f"link.{link.verdict}")
    return say.plain(f"edge.says.{link.verdict}", kind=say.plain(f"edge.{link.kind}"))


def _list(
    desk: Desk, say: Say, drafts: Sequence[LinkDraft], elsewhere: Sequence[LinkDraft]
) -> None:
    foreign = {id(one) for one in elsewhere}
    links = [(link, one.note, id(one) in foreign) for one in drafts for link in one.links]
    items = list(
        dict.fromkeys(
            end.item
            for link, *_ in links[: signing_dialog.CLAIMS]
            for end in (link.start, link.target)
        )
    )
    with desk.held():
        claims = desk.claims_of(items)

    def told(item: str) -> str:
        if item not in claims:
            return say.plain("sign.claim.more")
        found = claims[item]
        return say.plain("stored.erased") if found is None else untrusted.cell(found)

    rows = [
        (
            _says(say, link),
            told(link.start.item),
            told(link.target.item),
            f"{short(link.start.item)} → {short(link.target.item)}",
            untrusted.cell(why),
            say.plain("sign.elsewhere") if there else "",
        )
        for link, why, there in links
    ]
    st.dataframe(
        pd.DataFrame(rows, columns=list(COLUMNS), dtype="str"),
        hide_index=True,
        key="sign-links-list",
        row_height=34,
        height=min(38 + 34 * max(len(rows), 1), 310),
        column_config={
            "says": st.column_config.TextColumn(say("sign.links.says"), width=150),
            "one": st.column_config.TextColumn(say("sign.links.one"), width=240),
            "other": st.column_config.TextColumn(say("sign.links.other"), width=240),
            "ids": st.column_config.TextColumn(say("list.id"), width=160),
            "why": st.column_config.TextColumn(say("sign.links.why"), width=160),
            "where": st.column_config.TextColumn(say("sign.where"), width=220),
        },
        alt=say("sign.links.alt", n=len(rows)),
    )
