"""Preview and export: the two buttons of the bar, and the dialogs behind them.

What is signed is what was shown: the text, the target and the evidence are held against the
export that the dialog drew. Nothing is pushed or committed, and no cell changes.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import address, press, refusals, signing_dialog, untrusted
from console.cards.keys import shortcut
from console.cards.made_here import NotShownError
from console.cards.rules import wording, words
from console.cards.rules.wording import Wording
from console.cards.visit import Visit
from console.left import NotLeftError
from review.bundle import pull_request, targets
from review.bundle.targets import SECTIONS, Looked, NoPlaceError
from review.desk import Desk
from review.rules.drafting import Checked, NotReadyError, Opened, RuleDraft

PREVIEW: Final = "rule-preview"
EXPORT: Final = "rule-export"
WITHDRAW: Final = "rule-withdraw"
DIALOGS: Final = (PREVIEW, EXPORT)
REFUSED: Final = (NotLeftError, NotReadyError, NoPlaceError)
"""Refusals whose own sentences are shown, as foreign text."""


def buttons(visit: Visit, item: str, checked: Checked, told: Wording) -> None:
    """Preview and Export. Both are off while anything is missing, and say what."""
    say = visit.say
    off = press.dialog_open() or not checked.ready
    why = "; ".join(words.lack(say, one) for one in checked.lacks)
    st.button(
        say("rules.preview"),
        key="act-preview",
        shortcut=shortcut("P"),
        disabled=off,
        help=say("rules.off", why=why) if checked.lacks else say("rules.preview.effect"),
        on_click=_open,
        args=(item, told, PREVIEW),
    )
    st.button(
        say("rules.export"),
        key="act-export",
        type="primary" if checked.ready else "secondary",
        icon=":material/signature:",
        disabled=off or bool(visit.why_read_only) or visit.unlock is None,
        help=say("rules.off", why=why) if checked.lacks else say("rules.export.help"),
        on_click=_open,
        args=(item, told, EXPORT),
    )

    if checked.lacks:
        st.caption(say("rules.off", why=words.lack(say, checked.lacks[0])))


def _open(item: str, told: Wording, name: str) -> None:
    wording.take_in(item, told)
    press.open_dialog(name)


def dialogs(desk: Desk, visit: Visit, opened: Opened, told: Wording, checked: Checked) -> None:
    """Whichever of the two is open; an edit that made the rule unready closes it."""
    name = st.session_state.get("dialog")
    if name not in DIALOGS:
        return
    if not checked.ready:
        press.close_dialog()
        return
    key = "rules.preview.title" if name == PREVIEW else "rules.export.title"
    show = st.dialog(visit.say(key), width="large", on_dismiss=press.close_dialog)
    show(_preview if name == PREVIEW else _export)(desk, visit, opened, told)


def _preview(desk: Desk, visit: Visit, opened: Opened, told: Wording) -> None:
    export = desk.rules.told(opened, told.draft)
    st.caption(visit.say("rules.preview.effect"))
    # Which file it is does not hang on a checkout, and none is named yet.
    body = pull_request.body(export, targets.placed(export, Looked("", None)))
    untrusted.show(body, visit.say, key="preview")


def _export(desk: Desk, visit: Visit, opened: Opened, told: Wording) -> None:
    say, draft = visit.say, told.draft
    shown = _shown(opened, draft)
    before = st.session_state.get("rule_shown")
    st.session_state["rule_shown"] = shown
    st.caption(say("rules.export.effect"))
    untrusted.fields(
        [
            (say.plain("rules.target"), say.plain(f"rules.target.{draft.target}")),
            (say.plain("rules.owner"), draft.owner or "–"),
            (say.plain("rules.reasons"), str(len(draft.reasons))),
        ]
    )
    untrusted.show(draft.text, say, key="export-text")
    checkout = st.text_input(
        say("rules.checkout.needed" if draft.target in SECTIONS else "rules.checkout"),
        key="rule-checkout",
        placeholder=say("rules.checkout.eg"),
        help=say("rules.checkout.help"),
    )
    blocked = visit.leaving is None or not draft.text.strip()
    passphrase, pressed = signing_dialog.form(visit, 1, blocked=blocked, key="rules.export.sign")
    st.caption(say("sign.banner"))
    if not pressed or visit.unlock is None or visit.leaving is None:
        return
    try:
        if before != shown:
            raise NotShownError
        with visit.unlock(passphrase) as signer:
            export = desk.rules.told(opened, draft)
            left = visit.leaving.export(desk, export, signer, (checkout or "").strip())
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    except REFUSED as error:
        st.error(say("rules.refused"))
        untrusted.show(str(error), say, key="export-refused")
        return
    wording.forget(desk, export.item)
    st.session_state["rule-left"] = (export.export_id, left)
    st.session_state["said"] = ("rules.said.exported", {})
    press.close_dialog()
    address.put(candidate="", export=export.export_id)
    st.rerun()


def _shown(opened: Opened, draft: RuleDraft) -> tuple[object, ...]:
    """What a person saw before signing: the draft, and the evidence on the page behind it."""
    learned = opened.learned
    evidence = (opened.sources, opened.told, opened.thresholds, opened.conflicts, opened.transfer)
    return (draft, learned.item, learned.rev, learned.artifact, *evidence)


def withdrawing(desk: Desk, visit: Visit, export: str) -> None:
    """The dialog that marks an export as withdrawn, when it is open."""
    if st.session_state.get("dialog") != WITHDRAW:
        return
    show = st.dialog(visit.say("rules.withdraw.title"), on_dismiss=press.close_dialog)
    show(_withdraw)(desk, visit, export)


def withdraw_button(visit: Visit) -> None:
    """Mark export as withdrawn."""
    st.button(
        visit.say("rules.withdraw"),
        key="act-withdraw-export",
        disabled=press.dialog_open() or bool(visit.why_read_only) or visit.leaving is None,
        help=visit.say("rules.withdraw.help"),
        on_click=press.open_dialog,
        args=(WITHDRAW,),
    )


def _withdraw(desk: Desk, visit: Visit, export: str) -> None:
    say = visit.say
    st.caption(say("rules.withdraw.effect"))
    why = st.text_area(say("rules.withdraw.why"), key="rule-withdraw-why", height=80)
    passphrase, pressed = signing_dialog.form(visit, 1, blocked=False, key="rules.withdraw.sign")
    if not pressed or visit.unlock is None or visit.leaving is None:
        return
    try:
        with visit.unlock(passphrase) as signer:
            visit.leaving.withdraw(desk, export, (why or "").strip(), signer)
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    except REFUSED as error:
        st.error(say("rules.refused"))
        untrusted.show(str(error), say, key="withdraw-refused")
        return
    st.session_state["said"] = ("rules.said.withdrawn", {})
    press.close_dialog()
    st.rerun()
