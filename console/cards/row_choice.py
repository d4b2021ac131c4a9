"""Lists that lead to one record: a click in a row chooses it, J and K go on, Enter opens it.

The same on every page, by mouse and by keyboard. A choice is an id, so it outlives a page of rows
only where that id is still among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import streamlit as st

from console.cards import as_of, press, untrusted
from console.cards.keys import shortcut
from console.cards.visit import Visit

MODES: Final[tuple[Literal["single-row"], Literal["single-cell"]]] = ("single-row", "single-cell")
"""By the tick box, and by a click anywhere else in the row or the arrow keys."""

OPEN: Final = "open"
"""The column whose button opens a row at once."""

_ROUND: Final = "row-round"
_WORDS: Final = 90


def place(state: Mapping[str, Any] | None, n: int) -> int | None:
    """The place of the chosen row; None for none.

    Args:
        state: What the table keeps of its selection.
        n: Rows of the table: a selection by place may outlive its rows.
    """
    chosen = (state or {}).get("selection") or {}
    cells, rows = chosen.get("cells") or [], chosen.get("rows") or []
    told = int(cells[0][0]) if cells else int(rows[0]) if rows else -1
    return told if 0 <= told < n else None


def passport(visit: Visit, item: str) -> None:
    """Enter opens the passport of what is chosen in a list beside its picture."""
    if st.button(
        visit.say("list.open_passport"),
        key="act-open",
        shortcut=shortcut("Enter"),
        disabled=press.dialog_open() or not item,
    ):
        visit.go("fact", {"id": item, **as_of.kept()})


class Choice:
    """Which of the rows of one list is chosen, and which is to be opened."""

    def __init__(self, name: str, ids: Sequence[str]) -> None:
        """Over the rows ``ids`` of the list ``name``; the first is chosen until another one is."""
        self._name, self._ids = name, list(ids)
        told = st.session_state.get(f"{name}-chosen")
        self.at = self._ids.index(told) if told in self._ids else 0

    @property
    def key(self) -> str:
        """Key of the table: another one when the choice was moved from outside of it."""
        return f"{self._name}-{st.session_state.get(_ROUND, 0)}-{self._ids[0]}-{len(self._ids)}"

    @property
    def default(self) -> Any:  # noqa: ANN401 - Streamlit's own
        """The chosen row, as the table wants it told."""
        return {"selection": {"rows": [self.at]}}

    def taken(self) -> None:
        """A row was chosen in the table; a callback.

        After a click into a row the table is drawn anew with that row ticked: else two rows would
        look chosen, and the table would keep Enter for itself.
        """
        state = st.session_state.get(self.key)
        found = place(state, len(self._ids))
        if found is not None and state is not None and state["selection"].get("cells"):
            self._move(found)
        elif found is not None:
            st.session_state[f"{self._name}-chosen"] = self._ids[found]

    def column(self, visit: Visit) -> Any:  # noqa: ANN401 - Streamlit's own
        """The column with a button in each row. It stays in sight, at the left."""
        return st.column_config.ButtonColumn(
            visit.say("list.open_row"),
            width=76,
            pinned=True,
            type="tertiary",
            key=f"{self._name}-open",
            on_click=self._pressed,
        )

    def bar(
        self, visit: Visit, words: Callable[[int], str], label: str = "list.open_chosen"
    ) -> str:
        """What is chosen, and the ways on; the id that is to be opened, blank for none.

        Args:
            visit: The drawing of the page.
            words: The words of a row, by its place. Foreign text.
            label: Key of the words on the button.
        """
        say, opened = visit.say, str(st.session_state.pop(f"{self._name}-opened", ""))
        with st.container(horizontal=True, vertical_alignment="center", key=f"{self._name}-bar"):
            for key, name, to in (("K", "previous", self.at - 1), ("J", "next", self.at + 1)):
                st.button(
                    say(f"list.{name}"),
                    key=f"act-{name}",
                    shortcut=shortcut(key),
                    type="tertiary",
                    disabled=press.dialog_open() or not 0 <= to < len(self._ids),
                    on_click=self._move,
                    args=(to,),
                )
            if st.button(
                say(label),
                key="act-open",
                shortcut=shortcut("Enter"),
                type="primary",
                disabled=press.dialog_open(),
            ):
                opened = self._ids[self.at]
            untrusted.line(untrusted.cell(words(self.at), _WORDS))
        return opened

    def _move(self, to: int) -> None:
        if 0 <= to < len(self._ids):
            st.session_state[f"{self._name}-chosen"] = self._ids[to]
            st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1

    def _pressed(self) -> None:
        pressed = st.session_state.get(f"{self._name}-open")
        if pressed is not None and 0 <= int(pressed["row"]) < len(self._ids):
            st.session_state[f"{self._name}-opened"] = self._ids[int(pressed["row"])]
