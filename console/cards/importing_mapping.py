"""Which column of a table is what: one choice for each field, beside three values of each column.

The proposal stands in the boxes; it counts only when the person stages the file with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.cards.visit import Visit
from importers.mapped.choice import Columns, Mapping
from store.cells import Kind, SourceType

_ONE: Final = (
    *("claim", "source_id", "written_at", "kind"),
    *("valid_from", "valid_until", "confidence", "review_id"),
)
_MANY: Final = ("entities", "scope")
_ACROSS: Final = 4


def draw(visit: Visit, found: Columns, key: str) -> Mapping | None:
    """The boxes; None until a column is chosen for the claim."""
    say = visit.say
    names = [one.name for one in found.columns]
    st.caption(say("map.about"))
    _examples(visit, found)
    chosen: dict[str, str] = {}
    for start in range(0, len(_ONE), _ACROSS):
        fields = _ONE[start : start + _ACROSS]
        for field, column in zip(fields, st.columns(_ACROSS), strict=True):
            with column:
                chosen[field] = untrusted.choice(
                    say,
                    f"map.{field}",
                    names,
                    getattr(found.proposed, field),
                    key=f"map-{key}-{field}",
                )
    many = {
        field: untrusted.choices(
            say, f"map.{field}", names, getattr(found.proposed, field), key=f"map-{key}-{field}"
        )
        for field in _MANY
    }
    kind, source = _always(visit, key)
    if not chosen["claim"]:
        st.warning(say("map.no_claim"))
        return None
    if not chosen["written_at"]:
        st.caption(say("map.no_time"))
    told = replace(found.proposed, kind_always=kind, source_type=source)
    return replace(told, **chosen, **many)  # type: ignore[arg-type]  # names of columns, all of them


def _examples(visit: Visit, found: Columns) -> None:
    say = visit.say
    told = [
        [
            str(number),
            untrusted.cell(one.name),
            *(untrusted.cell(example) for example in one.examples),
            *[""] * (3 - len(one.examples)),
        ]
        for number, one in enumerate(found.columns, 1)
    ]
    words = ("number", "name", "first", "second", "third")
    st.dataframe(
        pd.DataFrame(told, columns=list(words), dtype="str"),
        hide_index=True,
        height=min(38 + 34 * len(told), 310),
        row_height=34,
        column_config={
            "number": st.column_config.TextColumn(say("map.number"), width=40),
            "name": st.column_config.TextColumn(say("map.name"), width=160),
            "first": st.column_config.TextColumn(say("map.example", n=1), width=260),
            "second": st.column_config.TextColumn(say("map.example", n=2), width=220),
            "third": st.column_config.TextColumn(say("map.example", n=3), width=220),
        },
        alt=say("map.alt", n=len(told)),
    )


def _always(visit: Visit, key: str) -> tuple[Kind, SourceType]:
    say = visit.say
    kinds = [kind for kind in Kind if kind is not Kind.VALIDATED_FACT]
    sources = [source for source in SourceType]
    left, right = st.columns(2)
    with left:
        kind = st.selectbox(
            say("map.kind_always"),
            kinds,
            index=kinds.index(Kind.FACT),
            format_func=lambda one: say(f"kind.{one}"),
            key=f"map-{key}-kind-always",
        )
    with right:
        source = st.selectbox(
            say("map.source_type"),
            sources,
            index=sources.index(SourceType.FOREIGN_MEMORY),
            format_func=lambda one: say(f"source.{one}"),
            key=f"map-{key}-source-type",
        )
    return kind, source
