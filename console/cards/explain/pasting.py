"""The box on Start for an answer, a ticket or an id: it goes where the answer is explained.

What was pasted stays in the session and is never put into a URL.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards.visit import Visit
from review.auditing.answer_finding import How
from review.desk import Desk

_HANDED: Final = "pasted_on_start"
LONGEST: Final = 20_000
"""Characters that can be pasted."""


def draw(desk: Desk, visit: Visit) -> None:
    """Draw the box. An id goes to its explanation, anything else to the answers that fit."""
    say = visit.say
    st.subheader(say("start.explain"), anchor=False)
    with st.form("explain", border=False):
        told = st.text_input(
            say("start.explain.paste"),
            key="paste-start",
            placeholder=say("answers.paste.eg"),
            max_chars=LONGEST,
        )
        pressed = st.form_submit_button(say("start.explain.find"), key="paste-find")
    text = (told or "").strip()
    if not pressed or not text:
        return
    if len(text.split()) == 1:
        found = desk.audit.find(text).found
        if len(found) == 1 and found[0].how is How.ID:
            visit.go("why", {"answer": found[0].answer.id})
    st.session_state[_HANDED] = text
    visit.go("answers", {})


def handed(key: str) -> None:
    """Put what was pasted on Start into the box ``key``, which is not drawn yet."""
    told = st.session_state.pop(_HANDED, None)
    if told is not None:
        st.session_state[key] = told
