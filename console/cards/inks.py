"""Colours of words in charts, which Streamlit does not turn with the theme."""

from __future__ import annotations

import streamlit as st


def ink() -> str:
    """For words and thin lines: at least 7 to 1 on the page."""
    return "#D7DAE0" if _dark() else "#3D4451"


def paper() -> str:
    """For the halo around words: the colour of the page."""
    return "#0E1117" if _dark() else "#FFFFFF"


def _dark() -> bool:
    return st.context.theme.type == "dark"
