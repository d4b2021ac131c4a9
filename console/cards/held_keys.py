"""Drops the repeats of a held key in the browser: only the browser knows that a key is held.

It also takes the focus out of a box that was just ticked, where single keys would be text, and
puts it into the first field of a dialog, where they should be.
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
  const later = (act) => { for (const wait of [0, 80, 250, 600]) setTimeout(act, wait); };
  const leave = () => {
    const at = document.activeElement;
    if (at instanceof HTMLInputElement && at.type === "checkbox") at.blur();
  };
  window.addEventListener("click", () => later(leave), true);
  window.addEventListener("keyup", (event) => event.code === "Space" && later(leave), true);
  const enter = () => {
    const at = document.activeElement;
    if (!at?.matches("section") || !at.closest("[role=dialog]")) return;
    const field = 'textarea, input:is([type="text"], [type="password"]):not([role="combobox"])';
    at.querySelector(field)?.focus();
  };
  window.addEventListener("focusin", () => later(enter), true);
}
"""


def drop() -> None:
    """Mount the listener; once for each page of the browser."""
    st.components.v2.component("held_keys", js=_SCRIPT)(key="held-keys")
