"""What memory has that a forget request can be about: names, files and records, to choose from.

All of it is found literally. Choosing puts a name or an id into the field; it erases nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import pandas as pd
import streamlit as st

from console.cards import row_choice, untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.forget.forgetting import Match, Subject
from review.identities import short

MOST: Final = 200
"""Records with some words that are listed."""

_SUBJECTS: Final = 20
_ROW: Final = 35
_ADD: Final = "forget-add"
_FOUND: Final = "forget-subjects-found"


def draw(desk: Desk, visit: Visit, about: str) -> None:
    """What is offered for a request about ``about``."""
    offered: dict[str, Callable[[Desk, Visit], None]] = {
        "subject": _subjects,
        "source": _imports,
        "record": _records,
    }
    if about in offered:
        offered[about](desk, visit)
    elif about == "run":
        visit.link("runs", "forget.to_runs")


def take() -> None:
    """Put ids that were ticked below into their field, before it is drawn."""
    field, ticked = st.session_state.pop(_ADD, ("", ()))
    if ticked:
        told = str(st.session_state.get(f"forget-{field}") or "").split()
        st.session_state[f"forget-{field}"] = "\n".join(dict.fromkeys((*told, *ticked)))


def _subjects(desk: Desk, visit: Visit) -> None:
    """Names in which the words of the field stand; the very name is told apart from others."""
    say, words = visit.say, str(st.session_state.get("forget-subject") or "").strip()
    if not words and not desk.graph.is_light:
        st.caption(say("forget.subjects.type"))
        return
    found = _found(desk, words)
    if not found:
        if words:
            st.caption(say("forget.subjects.none"))
        return
    exact = bool(words) and _same(found[0].name, words)
    if words:
        n = found[0].records if exact else 0
        st.caption(say("forget.subjects.exact" if exact else "forget.subjects.inexact", n=n))
    more = len(found) == _SUBJECTS
    st.caption(say("forget.subjects.first" if more else "forget.subjects", n=len(found)))
    names = [one.name for one in found]
    key = f"forget-subjects-{sha256(chr(0).join((words, *names)).encode()).hexdigest()[:12]}"
    st.dataframe(
        pd.DataFrame(
            [(untrusted.cell(one.name), str(one.records)) for one in found],
            columns=["name", "records"],
            dtype="str",
        ),
        hide_index=True,
        key=key,
        on_select=lambda: _choose(key, names),
        selection_mode=row_choice.MODES,
        height=min(38 + _ROW * len(found), 300),
        width=560,
        column_config={
            "name": st.column_config.TextColumn(say("forget.col.name"), width=380),
            "records": st.column_config.TextColumn(say("forget.col.records"), width=120),
        },
        alt=say("forget.subjects", n=len(found)),
    )


def _found(desk: Desk, words: str) -> tuple[Subject, ...]:
    """The names, looked up once for the same words over the same log."""
    at = (words, desk.head().root)
    known: tuple[object, tuple[Subject, ...]] | None = st.session_state.get(_FOUND)
    if known is None or known[0] != at:
        with desk.held():
            known = (at, desk.forget.subjects(words, most=_SUBJECTS))
        st.session_state[_FOUND] = known
    return known[1]


def _same(name: str, words: str) -> bool:
    return name.strip().casefold() == words.casefold()


def _choose(key: str, names: Sequence[str]) -> None:
    place = row_choice.place(st.session_state.get(key), len(names))
    if place is not None:
        st.session_state["forget-subject"] = names[place]


def _imports(desk: Desk, visit: Visit) -> None:
    """The newest imports, by the names of their files."""
    say = visit.say
    with desk.held():
        found = desk.journal.imports()
    if not found:
        return
    rows = [
        (untrusted.cell(one.name, 60), moment(one.recorded_at), str(one.read), one.import_id)
        for one in found
    ]
    names = ["file", "time", "read", "id"]
    columns = {
        "file": st.column_config.TextColumn(say("imports.column.file"), width=360),
        "time": st.column_config.TextColumn(say("imports.column.time"), width=170),
        "read": st.column_config.TextColumn(say("imports.column.read"), width=90),
        "id": st.column_config.TextColumn(say("list.id"), width=330),
    }
    st.caption(say("forget.imports.offer", n=len(rows)))
    ticked = _ticked(say, pd.DataFrame(rows, columns=names, dtype="str"), "imports", columns)
    _button(say, "imports", [found[place].import_id for place in ticked])


def _records(desk: Desk, visit: Visit) -> None:
    """Records in which some words stand: they only ever lead to ids that a person ticks."""
    say = visit.say
    words = st.text_input(say("forget.words"), key="forget-words", help=say("forget.words.help"))
    if not words:
        return
    with desk.held():
        matches = desk.forget.matches(words, most=MOST)
    found = matches.records
    if not found:
        st.info(say("forget.words.none"))
        return
    more = matches.found > len(found)
    key = "forget.words.first" if more else "forget.words.found"
    st.caption(say(key, n=matches.found, **({"shown": len(found)} if more else {})))
    columns = {
        "claim": st.column_config.TextColumn(say("list.claim"), width=620),
        "kind": st.column_config.TextColumn(say("forget.col.kind"), width=120),
        "stage": st.column_config.TextColumn(say("forget.col.stage"), width=110),
        "id": st.column_config.TextColumn(say("list.id"), width=110),
    }
    frame = pd.DataFrame([_record(say, one) for one in found], columns=list(columns), dtype="str")
    ticked = _ticked(say, frame, "ids", columns)
    _button(say, "ids", [found[place].item for place in ticked])


def _record(say: Say, one: Match) -> tuple[str, ...]:
    kind = say.plain(f"kind.{one.kind}") if one.kind else ""
    return (untrusted.cell(one.claim), kind, say.plain(f"stage.{one.stage}"), short(one.item))


def _ticked(say: Say, frame: pd.DataFrame, field: str, columns: dict[str, Any]) -> list[int]:
    chosen = st.dataframe(
        frame,
        hide_index=True,
        key=f"forget-offer-{field}",
        on_select="rerun",
        selection_mode="multi-row",
        height=min(38 + _ROW * len(frame), 300),
        column_config=columns,
        alt=say("forget.offer.alt", n=len(frame)),
    )
    return [place for place in chosen["selection"]["rows"] if place < len(frame)]


def _button(say: Say, field: str, ids: Sequence[str]) -> None:
    if ids and st.button(say("forget.take", n=len(ids)), key="forget-take"):
        st.session_state[_ADD] = (field, tuple(ids))
        st.rerun()
