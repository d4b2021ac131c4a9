"""Copy link, key L: the address of what is on the screen goes to the clipboard.

Only the browser can do that. Where it refuses, the address is shown to be copied by hand. The
component sends nothing and gets only our own words.
"""

from __future__ import annotations

import streamlit as st

from console.cards import press
from console.cards.keys import shortcut
from console.cards.visit import Visit

_ASKED = "copy_link"
_HTML = '<p role="status" style="margin:0;font-size:.85rem;overflow-wrap:anywhere"></p>'
_SCRIPT = """
export default function ({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  if (!line || !data?.n || window.memoryConsoleCopied === data.n) return;
  window.memoryConsoleCopied = data.n;
  const address = window.location.href;
  const done = () => {
    line.textContent = data.done;
    setTimeout(() => { line.textContent = ""; }, 4000);
  };
  const failed = () => { line.textContent = address; };
  if (!navigator.clipboard) return failed();
  navigator.clipboard.writeText(address).then(done, failed);
}
"""


def draw(visit: Visit) -> None:
    """The button, and what the browser says of it."""
    say = visit.say
    st.button(
        say("link.copy"),
        key="act-copy-link",
        shortcut=shortcut("L"),
        type="tertiary",
        icon=":material/link:",
        help=say("link.copy.help"),
        disabled=press.dialog_open(),
        on_click=_ask,
    )
    asked = int(st.session_state.get(_ASKED) or 0)
    if asked:
        component = st.components.v2.component("copy_link", html=_HTML, js=_SCRIPT)
        component(
            key="copy-link", width="content", data={"n": asked, "done": say.plain("link.copied")}
        )


def _ask() -> None:
    st.session_state[_ASKED] = int(st.session_state.get(_ASKED) or 0) + 1
