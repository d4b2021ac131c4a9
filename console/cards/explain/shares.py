"""How much each source gave of what was handed over, beside its part of the store."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.words import Say
from review.auditing.audit import Audit


def draw(say: Say, audit: Audit) -> None:
    """Draw the table; nothing but its words where nothing was handed over."""
    told = audit.shares()
    st.caption(say("shares.about", uses=told.uses, cells=told.cells))
    if not told.uses:
        return
    rows = [
        (
            say.plain("shares.flagged") if one.flagged else "",
            say.plain(f"source.{one.name}") if not one.title and one in told.source_types else "",
            untrusted.cell(one.title or ("" if one in told.source_types else one.name), 60),
            f"{one.share:.1%}",
            f"{one.part:.1%}",
            "–" if one.ratio is None else f"{one.ratio:.1f}×",
            str(one.uses),
        )
        for one in (*told.source_types, *told.imports)
    ]
    names = ["flag", "type", "file", "share", "part", "ratio", "uses"]
    st.dataframe(
        pd.DataFrame(rows, columns=names, dtype="str"),
        hide_index=True,
        key="shares",
        row_height=34,
        height=min(38 + 34 * len(rows), 380),
        column_config={
            "flag": st.column_config.TextColumn(
                say("shares.flag"), width=190, help=say("shares.flag.help")
            ),
            "type": st.column_config.TextColumn(say("list.source"), width=170),
            "file": st.column_config.TextColumn(say("source.file"), width=220),
            "share": st.column_config.TextColumn(say("shares.share"), width=130),
            "part": st.column_config.TextColumn(say("shares.part"), width=130),
            "ratio": st.column_config.TextColumn(say("shares.ratio"), width=80),
            "uses": st.column_config.TextColumn(say("shares.uses"), width=80),
        },
        alt=say("shares.alt", n=len(rows)),
    )
