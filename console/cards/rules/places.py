"""Is the rule stronger than its source? Every place, with what a person can do about it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console.cards import press, untrusted
from console.cards.rules import wording, words
from console.cards.rules.wording import Wording
from console.cards.visit import Visit
from review.clause_strength.places import ASKED
from review.desk import Desk
from review.rules.drafting import Checked, Opened
from review.rules.settling import LONGEST_REASON, Asked

DIALOG = "rule-accept"


def current(checked: Checked, told: Wording) -> Asked | None:
    """The place that keys act on: the chosen one, else the first that is not settled."""
    places = checked.places
    found = next((one for one in places if one.key == told.at), None)
    return found or next((one for one in places if not one.settled), None) or _first(places)


def _first(places: Sequence[Asked]) -> Asked | None:
    return places[0] if places else None


def draw(desk: Desk, visit: Visit, opened: Opened, checked: Checked, told: Wording) -> None:
    """The verdict, the places, and what the check cannot see."""
    say = visit.say
    st.subheader(say("rules.stronger"), anchor=False)
    with st.container(key="stronger"):
        _verdict(visit, checked)
    here = current(checked, told)
    for one in checked.places:
        _place(desk, visit, opened, one, told, mark=here is not None and one.key == here.key)
    softer = [one for one in checked.strength.places if one.verdict not in ASKED]
    if softer:
        with st.expander(say("rules.other_places", n=len(softer))):
            untrusted.fields([(words.differs(say, one), words.cues(one)) for one in softer])
    st.caption(say("rules.known_words"))


def _verdict(visit: Visit, checked: Checked) -> None:
    say, places = visit.say, checked.places
    if checked.unchanged:
        st.success(say("rules.unchanged"), icon=":material/equal:")
        return
    if places:
        left = sum(not one.settled for one in places)
        stricter = sum(one.stricter for one in places)
        counts = (
            ("▲", "rules.stricter", stricter),
            ("?", "rules.unclear", len(places) - stricter),
        )
        told = [f"{sign} {say(key, n=n)}" for sign, key, n in counts if n]
        show = st.warning if left else st.info
        show(" ".join([*told, say("rules.settled", left=left, n=left)]))
        return
    st.info(say(f"rules.verdict.{checked.strength.verdict}"))


def _place(
    desk: Desk, visit: Visit, opened: Opened, one: Asked, told: Wording, *, mark: bool
) -> None:
    say, item = visit.say, opened.learned.item
    off = press.dialog_open() or bool(visit.why_read_only)
    sign = "✓" if one.settled else "▲" if one.stricter else "?"
    with st.container(border=mark, key=f"place-{one.key}"):
        name, what, back, accept = st.columns([2.1, 3.4, 1.3, 1.3], vertical_alignment="center")
        with name:
            st.text(f"{sign} {words.differs(say, one.place)}")
        with what:
            untrusted.line(words.cues(one.place))
        back.button(
            say("rules.remove" if one.removes else "rules.put_back"),
            key=f"act-back-{one.key}",
            disabled=off,
            width="stretch",
            on_click=put_back,
            args=(desk, opened, item, one.key, told),
        )
        accept.button(
            say("rules.accepted.short" if one.settled else "rules.accept.short"),
            key=f"act-accept-{one.key}",
            disabled=off,
            help=say("rules.accepted" if one.settled else "rules.accept"),
            width="stretch",
            on_click=ask,
            args=(item, one.key, told),
        )
        if one.settled:
            untrusted.fields([(say.plain("rules.because"), one.reason)])


def put_back(desk: Desk, opened: Opened, item: str, key: str, told: Wording) -> None:
    """Settle one place by its words."""
    wording.take_in(item, told)
    after = desk.rules.put_back(opened, told.draft, key)
    if after is told.draft or after.text == told.draft.text:
        st.session_state["said"] = ("rules.said.not_put_back", {})
        return
    told.draft, told.at = after, ""
    told.box += 1
    st.session_state["said"] = ("rules.said.put_back", {})


def ask(item: str, key: str, told: Wording) -> None:
    """Ask for a written reason for one place."""
    wording.take_in(item, told)
    told.at = key
    press.open_dialog(DIALOG)


def step(item: str, checked: Checked, told: Wording, by: int) -> None:
    """Go to another place."""
    wording.take_in(item, told)
    keys = [one.key for one in checked.places]
    here = current(checked, told)
    if here is not None and not press.dialog_open():
        at = keys.index(here.key) + by
        told.at = keys[min(max(at, 0), len(keys) - 1)]


def accepting(visit: Visit, checked: Checked, told: Wording) -> None:
    """The dialog for a reason, when it is open."""
    if st.session_state.get("dialog") != DIALOG:
        return
    one = current(checked, told)
    if one is None:
        press.close_dialog()
        return
    title = "rules.accept.title" if one.stricter else "rules.accept.title.unclear"
    show = st.dialog(visit.say(title), on_dismiss=press.close_dialog)
    show(_accept)(visit, one, told)


def _accept(visit: Visit, one: Asked, told: Wording) -> None:
    say = visit.say
    untrusted.fields([(words.differs(say, one.place), words.cues(one.place))])
    st.caption(say("rules.accept.effect"))
    with st.form("rule-accept", border=False):
        why = st.text_area(
            say("rules.accept.why"),
            value=told.draft.reasons.get(one.key, ""),
            key=f"rule-why-{one.key}",
            max_chars=LONGEST_REASON,
            height=100,
        )
        with st.container(horizontal=True):
            kept = st.form_submit_button(
                say("rules.accept.button"), type="primary", key="rule-why-keep"
            )
            left = st.form_submit_button(say("act.cancel"), key="rule-why-cancel")
    if kept and not (why or "").strip() and one.key not in told.draft.reasons:
        st.warning(say("rules.accept.blank"))
    elif kept:
        wording.settle(told, one.key, why or "")
        told.at = ""
        press.close_dialog()
        st.rerun()
    elif left:
        press.close_dialog()
        st.rerun()
