"""Single-key shortcuts, which a person can turn off or put behind Alt (WCAG 2.1.4)."""

from __future__ import annotations

from typing import Final

import streamlit as st

MODES: Final = ("single", "alt", "off")


def mode() -> str:
    """How keys act in this session."""
    told = st.session_state.get("keys_mode", MODES[0])
    return str(told) if told in MODES else MODES[0]


def shortcut(key: str) -> str | None:
    """The shortcut of a button whose key is ``key``, or None when keys are off."""
    return {"single": key, "alt": f"Alt+{key}", "off": None}[mode()]
