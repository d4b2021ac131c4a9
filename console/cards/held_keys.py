"""Drops the repeats of a held key in the browser: only the browser knows that a key is held.

It listens and stops; it sends nothing and decides nothing. Without it everything still works and
the guards of ``press`` stand alone.
"""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function () {
  if (window.memoryConsoleHeldKeys) return;
  window.memoryConsoleHeldKeys = true;
  window.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element
      && event.target.closest("input, textarea, [contenteditable=true]");
    if (event.repeat && !typing && /^(Key[A-Z]|Digit[0-9])$/.test(event.code)) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  }, true);
}
"""


def drop() -> None:
    """Mount the listener; once for each page of the browser."""
    st.components.v2.component("held_keys", js=_SCRIPT)(key="held-keys")
