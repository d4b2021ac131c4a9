"""The card: source, what it says about itself, and what will be stored, on one screen."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from console.cards import (
    blast,
    choices,
    edit_form,
    edited_from,
    flags,
    happened,
    look_alikes,
    model_card,
    notes,
    press,
    provenance,
    result_line,
    signed,
    signing_bar,
    signing_dialog,
    stored,
    untrusted,
)
from console.cards.keys import shortcut
from console.cards.times import moment
from console.cards.visit import Visit
from review.cards.card import Card
from review.desk import Desk
from review.graphs.consequences import Consequence
from review.queue import Wanted
from review.staged.flags import approvable, needs_tick
from store.drafts import Draft
from store.stages import DecisionKind, RejectReason, Stage

_OPEN = (Stage.STAGED, Stage.DEFERRED)


def draw(desk: Desk, visit: Visit, card: Card, wanted: Wanted, left: int) -> None:
    """Draw one record and the bar that decides on it."""
    drafts = desk.drafts()
    mine = next((one for one in drafts if one.item == card.item), None)
    open_here = card.stage in _OPEN and mine is None
    may_act = open_here and not visit.why_read_only
    signed.receipt(visit)
    _state(desk, visit, card, mine)
    flags.draw(card.item, card.flags, visit.say, may_tick=may_act)
    complete = _columns(desk, visit, card)
    if open_here:
        choices.draw(visit, card, may_act=may_act)
        _consequence(desk, visit, card)
        _note(visit, card, may_act=may_act)
        notes.draw(visit, card.item)
    signing_bar.strip(visit, drafts)
    _bar(desk, visit, card, wanted, (may_act, complete, left, drafts))
    signing_dialog.signing(desk, visit)
    edit_form.editing(desk, visit, card)
    choices.dialogs(desk, visit, card)
    notes.noting(visit, card.item)


def _state(desk: Desk, visit: Visit, card: Card, mine: Draft | None) -> None:
    if mine is not None:
        what = visit.say.plain(f"decision.{mine.decision}")
        st.info(visit.say("focus.drafted", what=what), icon=":material/edit_note:")
    elif card.stage not in _OPEN:
        stands = desk.standing().items.get(card.item)
        if stands is not None:
            stage = visit.say.plain(f"stage.{card.stage}")
            when = moment(stands.signed_at)
            st.info(visit.say("focus.decided", who=visit.who(stands.by), stage=stage, when=when))


def _columns(desk: Desk, visit: Visit, card: Card) -> bool:
    say = visit.say
    tall = bool(st.session_state.get("tall"))
    left, middle, right = st.columns([4, 3, 4], border=True, gap="small")
    with left, st.container(key="col-source"):
        head = _head()
        head.subheader(say("focus.source"), anchor=False)
        head.button(
            say("focus.short") if tall else say("focus.tall"),
            key="act-evidence",
            shortcut=shortcut("E"),
            type="tertiary",
            disabled=press.dialog_open(),
            on_click=_toggle,
            args=("tall",),
        )
        edited_from.draw(desk, visit, card, tall=tall)
        provenance.source(card, say, tall=tall)
    with middle, st.container(key="col-claims"):
        head = _head()
        head.subheader(say("focus.happened"), anchor=False)
        shown = bool(st.session_state.get("confidence_shown"))
        head.button(
            say("focus.hide_confidence") if shown else say("focus.show_confidence"),
            key="act-confidence",
            shortcut=shortcut("I"),
            type="tertiary",
            disabled=press.dialog_open(),
            on_click=_toggle,
            args=("confidence_shown",),
        )
        happened.draw(visit, card, tall=tall)
        st.subheader(say("focus.claims"), anchor=False)
        st.caption(say("focus.claims.help"))
        provenance.claims(card, say)
        if shown:
            provenance.confidence(card, say)
        look_alikes.draw(desk, visit, card)
        model_card.draw(desk, visit, card)
    with right, st.container(key="col-stored"):
        head = _head()
        head.subheader(say("focus.stored"), anchor=False)
        head.button(
            say("focus.edit"),
            key="act-edit",
            shortcut=shortcut("W"),
            type="tertiary",
            disabled=bool(visit.why_read_only) or card.stage not in _OPEN or press.dialog_open(),
            on_click=press.open_dialog,
            args=("edit",),
        )
        return stored.whole(card, say)


def _head() -> DeltaGenerator:
    return st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    )


def _consequence(desk: Desk, visit: Visit, card: Card) -> None:
    say, follows = visit.say, desk.consequence(card)
    told = {
        "superseded": follows.superseded,
        "stale": follows.stale,
        "waits": follows.waits_for,
        "changed": follows.changed,
        "outdated": follows.outdated_by,
        "conflicts": follows.conflicts,
        "same": follows.duplicates,
        "descendants": follows.descendants,
    }
    named = [item for items in told.values() for item in items]
    claims = desk.claims_of([*named, *(item for item, _ in follows.used)])
    with st.container(horizontal=True, gap="small", key="consequence"):
        st.caption(say("consequence.lead"), width="content")
        for name, items in told.items():
            if items:
                names = blast.quoted(items, claims)
                key = "later" if name == "superseded" and follows.since else name
                since = follows.since or ""
                untrusted.line(say.plain(f"consequence.{key}", items=names, since=since))
        for item, n in follows.used:
            names = blast.quoted([item], claims)
            untrusted.line(say.plain("blast.used", n=n, item=names) + ".")
        if not any(told.values()):
            st.caption(say("consequence.nothing"), width="content")
        else:
            visit.link("conflicts", "stale.graph", to={"focus": _first(follows, card)})


def _first(follows: Consequence, card: Card) -> str:
    """The durable cell whose surroundings show what would change."""
    near = (*follows.superseded, *follows.changed, *follows.conflicts, *follows.outdated_by)
    return (*near, *follows.duplicates, card.item)[0]


def _note(visit: Visit, card: Card, *, may_act: bool) -> None:
    say = visit.say
    question, button = st.columns([5, 1], vertical_alignment="center")
    with question, st.container(key="question"):
        st.info(say("focus.question"))
    button.button(
        say("focus.note.change") if press.note_of(card.item) else say("focus.note"),
        key="act-note",
        shortcut=shortcut("N"),
        width="stretch",
        disabled=not may_act or press.dialog_open(),
        on_click=press.open_dialog,
        args=("note",),
    )


def _bar(
    desk: Desk,
    visit: Visit,
    card: Card,
    wanted: Wanted,
    state: tuple[bool, bool, int, list[Draft]],
) -> None:
    may_act, complete, left, drafts = state
    say = visit.say
    nonce = press.drawn(desk, card).nonce
    blocked = not may_act or press.dialog_open()
    unticked = len(needs_tick(card.flags)) - len(flags.ticked(card.item, card.flags))
    why = _why_not(card, unticked, complete, visit)
    with st.bottom:
        _result(visit, why if may_act or visit.why_read_only else "")
        if st.session_state.get("rejecting") == card.item:
            _reasons(desk, visit, card, wanted, blocked)
            return
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            st.button(
                say("act.durable"),
                key="act-approve",
                type="primary",
                shortcut=shortcut("A"),
                disabled=blocked or not approvable(card.flags) or unticked > 0 or not complete,
                help=say(why or "act.durable.help"),
                on_click=press.decide,
                args=(desk, card, wanted, nonce, DecisionKind.APPROVE),
            )
            st.button(
                say("act.reject"),
                key="act-reject",
                shortcut=shortcut("X"),
                disabled=blocked,
                help=say("act.reject.help"),
                on_click=press.ask_reason,
                args=(card.item,),
            )
            st.button(
                say("act.skip"),
                key="act-skip",
                shortcut=shortcut("S"),
                disabled=blocked,
                help=say("act.skip.help"),
                on_click=press.decide,
                args=(desk, card, wanted, nonce, DecisionKind.DEFER),
            )
            for key, name, forward in (("K", "previous", False), ("J", "next", True)):
                st.button(
                    say(f"act.{name}"),
                    key=f"act-{name}",
                    shortcut=shortcut(key),
                    type="tertiary",
                    disabled=press.dialog_open(),
                    on_click=press.move,
                    args=(desk, wanted, card.item, forward),
                )
            st.caption(say("bar.left", n=left) + " · " + say("bar.drafted", n=len(drafts)))
            signing_bar.buttons(desk, visit, drafts)


def _reasons(desk: Desk, visit: Visit, card: Card, wanted: Wanted, blocked: bool) -> None:
    nonce = press.drawn(desk, card).nonce
    with st.container(horizontal=True, vertical_alignment="center", key="reasons"):
        for place, reason in enumerate(RejectReason, start=1):
            st.button(
                visit.say(f"reason.{reason}"),
                key=f"reason-{reason}",
                shortcut=shortcut(str(place)),
                disabled=blocked,
                on_click=press.decide,
                args=(desk, card, wanted, nonce, DecisionKind.REJECT, str(reason)),
            )
        st.button(
            visit.say("act.back"),
            key="reason-back",
            shortcut=shortcut("B"),
            type="tertiary",
            on_click=press.ask_reason,
            args=("",),
        )


def _result(visit: Visit, why: str) -> None:
    """What the last press did, and why the first button is off, if it is."""
    with st.container(horizontal=True, gap="small", key="result"):
        if result_line.told()[0] or not why:
            signing_bar.said(visit)
        if why:
            with st.container(key="why", width="content"):
                st.caption(visit.say(why))


def _why_not(card: Card, unticked: int, complete: bool, visit: Visit) -> str:
    """A key of the catalogue; blank when nothing holds the record back."""
    if visit.why_read_only:
        return "act.durable.nobody"
    if not approvable(card.flags):
        return "act.durable.stop"
    if unticked:
        return "act.durable.ticks"
    return "" if complete else "act.durable.long"


def _toggle(name: str) -> None:
    st.session_state[name] = not st.session_state.get(name)
