"""One candidate: its source beside the rule text, the strength check, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from console.cards import press, refusals, signing_bar, untrusted
from console.cards.keys import shortcut
from console.cards.rules import evidence, leaving, model_draft, places, wording, words
from console.cards.rules.wording import Wording
from console.cards.visit import Visit
from review.desk import Desk
from review.rules.drafting import LONGEST_TITLE, Checked, Opened
from review.rules.export_told import Target
from store.drafts import DraftsUnreadableError

DIALOGS: Final = (places.DIALOG, *leaving.DIALOGS)


def draw(desk: Desk, visit: Visit, opened: Opened) -> None:
    """The whole dialogue over one candidate."""
    say, item = visit.say, opened.learned.item
    try:
        told = wording.of(desk, opened)
    except DraftsUnreadableError as error:
        refusals.show(error, say)
        return
    st.text(words.support(say, opened.cases))
    left, right = st.columns(2, gap="medium")
    with right:
        st.subheader(say("rules.rule"), anchor=False)
        key = wording.box_key(item, told)
        wording.take(
            told,
            untrusted.editor(told.draft.text, say, key=key, words="rules.text", height=100),
        )
        under = st.container()
        model_draft.draw(desk, visit, item, told)
        _target(visit, item, told)
    _keep(desk, visit, opened, told)
    with under:
        _taken_up(desk, visit, opened, told)
    checked = desk.rules.checked(opened, told.draft)
    with left:
        evidence.sources(visit, opened, checked)
    places.draw(desk, visit, opened, checked, told)
    left, right = st.columns(2, gap="medium")
    with left:
        evidence.thresholds(visit, opened)
        evidence.around(visit, opened, desk.rules.earlier(item))
    with right:
        evidence.tried(visit, opened)
        _lacks(visit, checked)
    evidence.cases(visit, opened)
    places.accepting(visit, checked, told)
    leaving.dialogs(desk, visit, opened, told, checked)
    _bar(desk, visit, opened, checked, told)


def _taken_up(desk: Desk, visit: Visit, opened: Opened, told: Wording) -> None:
    """That the text is an earlier draft, and a way back to the insight's own words."""
    say, begun = visit.say, desk.rules.begun(opened)
    if (told.draft.text, told.draft.reasons) == (begun.text, begun.reasons):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="rule-draft"):
        name = "secret" if told.secret else "found" if told.found else "kept"
        st.caption(say(f"rules.draft.{name}"))
        st.button(
            say("rules.draft.over"),
            key="act-start-over",
            type="tertiary",
            disabled=press.dialog_open() or bool(visit.why_read_only),
            help=say("rules.draft.over.help"),
            on_click=wording.start_over,
            args=(begun, told),
        )


def _keep(desk: Desk, visit: Visit, opened: Opened, told: Wording) -> None:
    if visit.why_read_only or desk.person is None:
        return
    try:
        wording.keep(desk, opened, told)
    except (DraftsUnreadableError, OSError) as error:
        refusals.show(error, visit.say)


def _target(visit: Visit, item: str, told: Wording) -> None:
    say = visit.say
    left, right = st.columns(2)
    names = [str(one) for one in Target]
    target = left.selectbox(
        say("rules.target"),
        names,
        index=names.index(str(told.draft.target)),
        format_func=lambda one: say(f"rules.target.{one}"),
        key=f"rule-target-{item}",
    )
    owner = right.text_input(
        say("rules.owner"),
        value=told.draft.owner,
        key=f"rule-owner-{item}",
        placeholder=say("rules.owner.eg"),
        max_chars=LONGEST_TITLE,
    )
    told.draft = replace(told.draft, target=Target(target or names[0]), owner=owner or "")


def _lacks(visit: Visit, checked: Checked) -> None:
    """What is missing before it may be exported; the same list switches the button off."""
    say = visit.say
    st.subheader(say("rules.before"), anchor=False)
    if checked.ready:
        st.text("✓ " + say.plain("rules.ready"))
    for one in checked.lacks:
        st.text("✕ " + words.lack(say, one))


def _bar(desk: Desk, visit: Visit, opened: Opened, checked: Checked, told: Wording) -> None:
    say, item = visit.say, opened.learned.item
    here = places.current(checked, told)
    off = press.dialog_open() or here is None
    settling = off or bool(visit.why_read_only)
    key = "" if here is None else here.key
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            for letter, name, by in (("K", "previous", -1), ("J", "next", 1)):
                st.button(
                    say(f"act.{name}"),
                    key=f"act-{name}",
                    shortcut=shortcut(letter),
                    type="tertiary",
                    disabled=off,
                    on_click=places.step,
                    args=(item, checked, told, by),
                )
            removes = here is not None and here.removes
            st.button(
                say("rules.remove" if removes else "rules.put_back"),
                key="act-put-back",
                shortcut=shortcut("1"),
                disabled=settling,
                on_click=places.put_back,
                args=(desk, opened, item, key, told),
            )
            st.button(
                say("rules.accept"),
                key="act-accept",
                shortcut=shortcut("2"),
                disabled=settling,
                on_click=places.ask,
                args=(item, key, told),
            )
            leaving.buttons(visit, item, checked, told)
