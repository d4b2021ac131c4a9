"""What a signing recorded, and where to find it."""

from __future__ import annotations

import streamlit as st

from console.cards import signing_bar
from console.cards.visit import Visit


def receipt(visit: Visit) -> None:
    """The receipt of the last signing, until it is closed, with the way to Facts."""
    signing_bar.receipt(visit)
    if st.session_state.get("receipt") is not None:
        visit.link("facts", "receipt.facts")
