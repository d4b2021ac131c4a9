"""The inbox as a list: 50 rows a page, chosen by id, never by position."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, flags, paging, untrusted
from console.cards.keys import shortcut
from console.cards.times import ago
from console.cards.visit import Visit
from review.desk import Desk
from review.identities import short
from review.queue import Page, Row
from review.staged.flags import bulk_allowed

MOST: Final = 200
COLUMNS = ("claim", "kind", "source", "flags", "age", "id")


def draw(desk: Desk, visit: Visit, page: Page, number: int) -> None:
    """The rows of one page, with what can be done to the chosen ones."""
    say, now = visit.say, desk.now()
    picked = _picked()
    st.dataframe(
        _frame(page.rows, visit, now),
        hide_index=True,
        key=_table_key(page),
        on_select=lambda: _pick(page),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": _positions(page, picked)}},
        row_height=34,
        height=min(38 + 34 * max(len(page.rows), 1), 530),
        column_config={
            "claim": st.column_config.TextColumn(say("list.claim"), width=480),
            "kind": st.column_config.TextColumn(say("list.kind"), width=120),
            "source": st.column_config.TextColumn(say("list.source"), width=150),
            "flags": st.column_config.TextColumn(say("list.flags"), width=250),
            "age": st.column_config.TextColumn(
                say("list.age"), width=70, help=say("list.age.help")
            ),
            "id": st.column_config.TextColumn(say("list.id"), width=105),
        },
        alt=say("list.alt", n=page.total),
    )
    paging.draw(page.total, number, say)


def _frame(rows: tuple[Row, ...], visit: Visit, now: str) -> pd.DataFrame:
    say = visit.say
    told = [
        (
            untrusted.cell(row.claim) if row.claim is not None else say.plain("stored.erased"),
            say.plain(f"kind.{row.kind}"),
            say.plain(f"source.{row.source_type}"),
            flags.cell(row.flags, say),
            ago(row.recorded_at, now, say),
            short(row.item),
        )
        for row in rows
    ]
    return pd.DataFrame(told, columns=list(COLUMNS), dtype="str")


def acts(page: Page, visit: Visit) -> None:
    """What can be done with the chosen rows, for the bar."""
    say, picked = visit.say, _picked()
    here = {row.item: row for row in page.rows}
    elsewhere = len(picked - here.keys())
    one = next(iter(picked)) if len(picked) == 1 else page.rows[0].item
    st.button(
        say("list.open") if len(picked) == 1 else say("list.open_first"),
        key="act-open",
        shortcut=shortcut("V"),
        type="primary",
        on_click=open_card,
        args=(one,),
    )
    routine = [row.item for row in page.rows if bulk_allowed(row.flags)]
    st.button(
        say("list.pick_page", n=len(routine)),
        key="act-pick",
        disabled=not routine,
        on_click=_take,
        args=(routine,),
    )
    st.button(
        say("list.bulk", n=len(picked)),
        key="act-bulk",
        disabled=len(picked) < 2 or bool(visit.why_read_only),
        help=say("list.bulk.help"),
        on_click=freeze,
        args=(tuple(sorted(picked)),),
    )
    st.button(
        say("list.clear"),
        key="act-clear",
        disabled=not picked,
        on_click=_clear,
        type="tertiary",
    )
    if picked:
        st.caption(say("list.picked", n=len(picked), elsewhere=elsewhere))


def open_card(item: str) -> None:
    """Show one record in the focus view."""
    st.session_state["drawn"] = None
    address.put(view="focus", item=item)


def freeze(items: tuple[str, ...]) -> None:
    """Freeze the chosen ids: the list that will be confirmed is this one and no other."""
    st.session_state["bulk"] = items[:MOST]
    st.session_state["bulk_seen"] = set()
    st.session_state["bulk_import"] = ""


def list_digest(items: tuple[str, ...]) -> str:
    """Digest of a frozen list, hex."""
    return sha256("\n".join(items).encode("ascii")).hexdigest()


def _picked() -> set[str]:
    return set(st.session_state.get("picked", ()))


def _take(items: list[str]) -> None:
    st.session_state["picked"] = frozenset(_picked() | set(items))
    st.session_state["pick_round"] = st.session_state.get("pick_round", 0) + 1


def _clear() -> None:
    st.session_state["picked"] = frozenset()
    st.session_state["pick_round"] = st.session_state.get("pick_round", 0) + 1


def _table_key(page: Page) -> str:
    """A table for each set of rows: a selection is by position and must not outlive its rows."""
    shown = sha256("".join(row.item for row in page.rows).encode("ascii")).hexdigest()[:12]
    return f"rows-{shown}-{st.session_state.get('pick_round', 0)}"


def _positions(page: Page, picked: set[str]) -> list[int]:
    return [place for place, row in enumerate(page.rows) if row.item in picked]


def _pick(page: Page) -> None:
    state = st.session_state.get(_table_key(page))
    rows = state["selection"]["rows"] if state else []
    chosen = {page.rows[place].item for place in rows if place < len(page.rows)}
    here = {row.item for row in page.rows}
    st.session_state["picked"] = frozenset((_picked() - here) | chosen)
