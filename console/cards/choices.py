"""What a reviewer can make of a record besides deciding: its exact words, a pointer, its support.

Each makes a new record by the person, which waits for its own decision.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import edit_form, press, untrusted
from console.cards.visit import Visit
from review.cards.card import Card
from review.cards.marking import MOST, Marking
from review.desk import Desk
from review.editing import Edit
from review.staged.flags import FlagCode
from store.cells import Fact, FactRole, Kind

BULKY: Final = 2_000
"""Characters from which a claim is offered to be kept as a pointer."""

DIALOGS: Final = ("exact", "pointer", "marking")
"""Names of the dialogs that these choices open."""


def draw(visit: Visit, card: Card, *, may_act: bool) -> None:
    """The choices that fit this record."""
    say = visit.say
    blocked = not may_act or press.dialog_open()
    exact = not card.verbatim and any(f.code is FlagCode.LOOKS_VERBATIM for f in card.flags)
    bulky = card.claim is not None and len(card.claim) > BULKY and card.pointer is None
    with st.container(horizontal=True, gap="small", key="choices"):
        if exact:
            st.caption(say("choices.exact.why"), width="content")
            _button(visit, "exact", blocked=blocked)
        if bulky:
            _button(visit, "pointer", blocked=blocked)
        if (card.claim is not None and card.conclusion is None) or _has(card, "vague_support"):
            _button(visit, "marking", blocked=blocked)


def dialogs(desk: Desk, visit: Visit, card: Card) -> None:
    """The form of the choice that is open."""
    forms = {"exact": _exact, "pointer": _pointer, "marking": _marking}
    name = str(st.session_state.get("dialog") or "")
    if name in forms:
        show = st.dialog(
            visit.say(f"choices.{name}.title"), width="large", on_dismiss=press.close_dialog
        )
        show(forms[name])(desk, visit, card)


def _has(card: Card, code: str) -> bool:
    return any(str(flag.code) == code for flag in card.flags)


def _button(visit: Visit, name: str, *, blocked: bool) -> None:
    st.button(
        visit.say(f"choices.{name}"),
        key=f"choice-{name}",
        type="tertiary",
        disabled=blocked,
        help=visit.say(f"choices.{name}.help"),
        on_click=press.open_dialog,
        args=(name,),
    )


def _exact(desk: Desk, visit: Visit, card: Card) -> None:
    say = visit.say
    st.caption(say("choices.exact.effect"))
    untrusted.show(card.claim or "", say, key=f"exact-{card.item}")
    if st.button(say("choices.exact.do"), key="choice-do", type="primary"):
        edit_form.stage(desk, visit, card, _same(card, verbatim=True))


def _pointer(desk: Desk, visit: Visit, card: Card) -> None:
    say = visit.say
    size = len((card.claim or "").encode())
    st.caption(say("choices.pointer.effect", n=size))
    with st.form("pointer", border=False):
        name = st.text_input(say("choices.pointer.name"), key=f"pointer-{card.item}")
        pressed = st.form_submit_button(say("choices.pointer.do"), type="primary")
    if pressed:
        edit = Edit(name or "", Kind(card.kind), *_bounds(card), pointer=True)
        edit_form.stage(desk, visit, card, edit)


def _marking(desk: Desk, visit: Visit, card: Card) -> None:
    say = visit.say
    st.caption(say("choices.marking.effect"))
    untrusted.show(card.claim or "", say, key=f"marking-{card.item}")
    found = [fact for fact in card.facts if fact.role is not FactRole.ENDS][:MOST]
    with st.form("marking", border=False):
        task = st.text_input(say("choices.marking.task"), key=f"task-{card.item}")
        pairs = [_pair(visit, card, place, found) for place in range(MOST)]
        pressed = st.form_submit_button(say("choices.marking.do"), type="primary")
    if pressed:
        told = Marking(task or "", tuple(pairs))
        edit_form.stage(desk, visit, card, _same(card, marking=told))


def _pair(visit: Visit, card: Card, place: int, found: list[Fact]) -> tuple[str, str]:
    fact = found[place] if place < len(found) else None
    left, right = st.columns(2)
    with left:
        name = untrusted.box(
            fact.parameter_key or fact.parameter if fact else "",
            visit.say,
            "choices.marking.parameter",
            key=f"parameter-{card.item}-{place}",
            n=place + 1,
        )
    with right:
        value = untrusted.box(
            fact.value if fact else "",
            visit.say,
            "choices.marking.value",
            key=f"value-{card.item}-{place}",
            n=place + 1,
        )
    return name, value


def _bounds(card: Card) -> tuple[str, str]:
    return card.valid_from or "", card.valid_to or ""


def _same(card: Card, *, verbatim: bool | None = None, marking: Marking | None = None) -> Edit:
    return Edit(
        card.claim or "",
        Kind(card.kind),
        *_bounds(card),
        verbatim=card.verbatim if verbatim is None else verbatim,
        marking=marking,
    )
