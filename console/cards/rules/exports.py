"""Rules that left, and those of them that stand on fallen ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, press, row_choice, untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from review.identities import short
from review.rules.ruling import Exported

_COLUMNS: Final = ("state", "claim", "when", "path", "id")
SHOWN: Final = 200
"""Exports in the list, the newest first; the rest are in the command line."""


def draw(visit: Visit, exports: Sequence[Exported]) -> None:
    """What left, with a warning for every rule whose source has fallen."""
    if not exports:
        return
    say = visit.say
    st.subheader(say("rules.exports", n=len(exports)), anchor=False)
    fallen = sum(one.fall is not None for one in exports)
    if fallen:
        st.warning(say("rules.fallen", n=fallen), icon=":material/warning:")
    ordered = sorted(exports, key=lambda one: one.fall is None)[:SHOWN]
    names = [one.past.export for one in ordered]
    key = f"rule-exports-{len(exports)}-{fallen}"
    st.dataframe(
        pd.DataFrame([_row(visit, one) for one in ordered], columns=list(_COLUMNS), dtype="str"),
        hide_index=True,
        key=key,
        on_select=lambda: _pick(key, names),
        selection_mode=row_choice.MODES,
        row_height=34,
        height=min(38 + 34 * len(ordered), 260),
        column_config={
            "state": st.column_config.TextColumn(say("rules.state"), width=300),
            "claim": st.column_config.TextColumn(say("rules.insight"), width=380),
            "when": st.column_config.TextColumn(say("rules.when"), width=150),
            "path": st.column_config.TextColumn(say("rules.path"), width=230),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
        },
        alt=say("rules.exports.alt", n=len(exports)),
    )


def state(visit: Visit, one: Exported) -> str:
    """How an export stands, as plain text."""
    say = visit.say
    if one.past.withdrawn:
        return "– " + say.plain("rules.state.withdrawn")
    if one.fall is not None:
        return "▲ " + say.plain(f"rules.fall.{one.fall}")
    return "● " + say.plain("rules.state.stands")


def _row(visit: Visit, one: Exported) -> tuple[str, ...]:
    kept = one.past.kept
    words = visit.say.plain("stored.erased") if kept is None else untrusted.cell(kept.statement)
    return (
        state(visit, one),
        words,
        moment(one.past.signed.signed_at),
        "" if kept is None else untrusted.cell(kept.path),
        short(one.past.export),
    )


def _pick(key: str, names: list[str]) -> None:
    found = row_choice.place(st.session_state.get(key), len(names))
    if found is not None and not press.dialog_open():
        address.put(export=names[found])


def one(visit: Visit, exports: Sequence[Exported], name: str) -> Exported | None:
    """One export in full: what left, on what it stands, and what it was made from."""
    say = visit.say
    found = next((told for told in exports if told.past.export == name), None)
    if found is None:
        st.info(say("rules.no_export"))
        return None
    signed, kept = found.past.signed, found.past.kept
    if found.fall is not None:
        st.warning(
            say("rules.fallen.one") + " " + say(f"rules.fall.{found.fall}"),
            icon=":material/warning:",
        )
    _where(visit, found)
    rows = [
        (say.plain("rules.state"), state(visit, found)),
        (say.plain("rules.when"), moment(signed.signed_at)),
        (say.plain("rules.by"), visit.who(signed.by)),
        (say.plain("rules.digest"), signed.bundle_sha256),
        (say.plain("list.id"), signed.export),
    ]
    if signed.withdrawn_at is not None:
        rows.append((say.plain("rules.withdrawn_at"), moment(signed.withdrawn_at)))
    if kept is not None:
        rows[1:1] = [(say.plain("rules.path"), kept.path)]
    untrusted.fields(rows)
    visit.link("fact", "rules.to_fact", to={"id": signed.item})
    if kept is None:
        st.caption(say("stored.erased"))
        return found
    left, right = st.columns(2)
    with left:
        st.subheader(say("rules.source"), anchor=False)
        untrusted.show(found.source_text, say, key="src")
    with right:
        st.subheader(say("rules.rule"), anchor=False)
        untrusted.show(found.rule_text, say, key="rule")
    return found


def _where(visit: Visit, found: Exported) -> None:
    """Where the folder is, and what to know of the checkout that its patch was made for."""
    say, kept = visit.say, found.past.kept
    if kept is None or visit.leaving is None:
        return
    st.caption(say("rules.left"))
    untrusted.show(visit.leaving.folder(kept.folder), say, key="folder")
    export, left = st.session_state.get("rule-left") or ("", None)
    if left is not None and export == found.past.export:
        for flag in left.flags:
            st.text("▲ " + say.plain(f"rules.flag.{flag}"))
