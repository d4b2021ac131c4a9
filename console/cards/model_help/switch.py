"""Settings of model help: off until a person switches it on here or by a command.

The key of the account is no setting: it comes from the environment, and only whether there is one
is drawn. Where requests go is set by a command alone.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.visit import Visit
from console.model.settings import ModelSettingsError
from console.words import Say

_WORDS: Final = (
    "name",
    "tokens_per_day",
    "money_per_day",
    "price_in",
    "price_out",
    "read_seconds",
    "at_once",
)
"""Fields that are typed, in the order in which they stand, two in a row."""


def draw(visit: Visit) -> None:
    """The form. It is off where nobody may decide."""
    help_, switch, say = visit.model, visit.switch, visit.say
    if help_ is None or switch is None:
        return
    told = help_.spending()
    if told is None:
        return
    st.subheader(say("model.title"), anchor=False)
    st.caption(say("model.switch.about"))
    now, off = switch.settings(), bool(visit.why_read_only)
    with st.form("model-switch", border=False):
        st.toggle(say("model.switch.on"), value=now.on, key="model-on", disabled=off)
        for first in range(0, len(_WORDS), 2):
            pair = _WORDS[first : first + 2]
            columns = st.columns(2, vertical_alignment="bottom")
            for column, name in zip(columns, pair, strict=False):
                value = getattr(now, name)
                column.text_input(
                    say(f"model.switch.{name}"),
                    value=f"{value:g}" if isinstance(value, float) else str(value),
                    key=f"model-{name}",
                    max_chars=100,
                    disabled=off,
                )
        sent = st.form_submit_button(say("model.switch.keep"), key="model-keep", disabled=off)
    if sent:
        _keep(visit, say)
    rows = [
        (say.plain("model.key"), say.plain("model.key.yes" if told.has_key else "model.key.no")),
        (say.plain("model.switch.address"), now.address),
    ]
    untrusted.fields(rows)
    if st.session_state.pop("model-kept", False):
        st.success(say("model.switch.kept"))


def _keep(visit: Visit, say: Say) -> None:
    changes = {name: str(st.session_state.get(f"model-{name}") or "").strip() for name in _WORDS}
    changes["on"] = "true" if st.session_state.get("model-on") else "false"
    assert visit.switch is not None
    try:
        visit.switch.change(changes)
    except ModelSettingsError as error:
        st.error(say("model.switch.refused"))
        untrusted.line(str(error))
        return
    st.session_state["model-kept"] = True
    st.rerun()
