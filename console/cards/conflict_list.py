"""The open conflicts of a page as a list; the chosen one is in the picture beside it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from console.cards import address, paging, press, row_choice, untrusted
from console.cards.visit import Visit
from review.graphs.graphing import Moment
from review.graphs.open_conflicts import OpenConflict
from review.queue import PAGE


def draw(
    visit: Visit,
    told: Moment,
    rows: tuple[OpenConflict, ...],
    *,
    total: int,
    number: int,
    place: int,
) -> None:
    """The open conflicts of a page; the chosen row is the one in the picture.

    Args:
        visit: The drawing of the page.
        told: The moment that is looked at.
        rows: The conflicts of this page.
        total: Conflicts in all.
        number: The page, counted from 1.
        place: Place of the chosen one among all; -1 for none.
    """
    say = visit.say
    st.caption(say("conflicts.open", n=total))
    if not rows:
        return
    cells = [(_name(told, one), f"{one.strength:.2f}") for one in rows]
    first = [one.items[0] for one in rows]
    mark = place - (number - 1) * PAGE
    key = f"conflicts-{number}-{total}-{place}"
    st.dataframe(
        pd.DataFrame(cells, columns=["what", "strength"], dtype="str"),
        hide_index=True,
        key=key,
        on_select=lambda: _pick(key, first),
        selection_mode=row_choice.MODES,
        selection_default={"selection": {"rows": [mark] if 0 <= mark < len(rows) else []}},
        row_height=34,
        height=min(38 + 34 * max(len(rows), 1), 520),
        column_config={
            "what": st.column_config.TextColumn(say("conflicts.what"), width=200),
            "strength": st.column_config.TextColumn(say("graph.strength"), width=64),
        },
        alt=say("conflicts.alt", n=total),
    )
    paging.draw(total, number, say)


def _name(told: Moment, one: OpenConflict) -> str:
    """What a conflict is about, for a cell of the table."""
    about = f"{one.parameter} · {one.subject}" if one.subject else one.parameter
    if about:
        return untrusted.cell(f"{about}: {' / '.join(one.values[:3])}", 90)
    claims, rows = told.known.cells.text("claim"), told.known.cells.row_of
    return " / ".join(untrusted.cell(str(claims[rows[item]]), 40) for item in one.items)


def _pick(key: str, items: list[str]) -> None:
    found = row_choice.place(st.session_state.get(key), len(items))
    if found is not None:
        go(items[found])


def go(item: str) -> None:
    """Show the conflict, or the surroundings, of a cell."""
    if item and not press.dialog_open():
        address.put(focus=item, node="")
