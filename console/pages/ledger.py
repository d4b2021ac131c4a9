"""The ledger: every event as it was appended, and every import with its five outcomes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, heading, paging, untrusted
from console.cards.address import ANY_ID, Address
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.journal import LedgerPage
from store.events import EventType
from store.records import Outcome

DEFAULTS: Final = {"seq": "", "type": "", "object": "", "p": "1"}
USUAL_HOME: Final = "~/.local/share/memory-console"
"""Where a workspace is when nothing else is said; a test holds it against ``identity``."""

ALLOWED: Final = {"seq": ANY_ID, "type": [str(kind) for kind in EventType], "object": ANY_ID}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    say = visit.say
    heading.draw(visit, "ledger")
    address.note_unknown(at, say)
    with desk.held():
        head = desk.head()
        st.text(say.plain("ledger.head", n=head.size, head=head.chain[:16], root=head.root[:16]))
        st.caption(say("ledger.check"))
        _command(visit)
        _filters(visit, at)
        seq = int(at["seq"]) if at["seq"].isdigit() else None
        page = desk.journal.page(number=at.page, seq=seq, kind=at["type"], item=at["object"])
        if page.rows:
            _table(visit, page, at)
        else:
            st.info(say("ledger.no_match"))
        _imports(desk, visit)


def _command(visit: Visit) -> None:
    """The command that reads the log again, for this very workspace."""
    home = visit.facts.get("home", "")
    if home and Path(home) != Path(USUAL_HOME).expanduser():
        told = f"MEMORY_CONSOLE_HOME={shlex.quote(home)} memory-console verify"
        untrusted.show(told, visit.say, key="verify-command")
    else:
        st.code("memory-console verify", language=None)


def _filters(visit: Visit, at: Address) -> None:
    say = visit.say
    first, second, third, fourth = st.columns([1, 2, 3, 1], vertical_alignment="center")
    for column, name in ((first, "seq"), (third, "object")):
        with column:
            st.session_state[name] = at[name]
            st.text_input(
                say(f"ledger.{name}"),
                key=name,
                placeholder=say(f"ledger.{name}"),
                label_visibility="collapsed",
                on_change=address.follow,
                args=(name, "", ("p",)),
            )
    with second:
        st.session_state["type"] = at["type"]
        st.selectbox(
            say("ledger.type"),
            ["", *(str(kind) for kind in EventType)],
            key="type",
            format_func=lambda kind: say(f"event.{kind}") if kind else say("ledger.type.any"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("type", "", ("p",)),
        )
    with fourth:
        if at["seq"] or at["type"] or at["object"]:
            st.button(
                say("inbox.clear"),
                key="clear-filters",
                type="tertiary",
                on_click=address.put,
                kwargs=dict.fromkeys(("seq", "type", "object", "p"), ""),
            )


def _table(visit: Visit, page: LedgerPage, at: Address) -> None:
    say = visit.say
    rows = [
        (
            str(row.seq),
            moment(row.recorded_at),
            say.plain(f"event.{row.type}"),
            visit.who(row.actor),
            say.plain(f"actor.{row.actor_kind}"),
            row.digest[:12],
        )
        for row in page.rows
    ]
    chosen = st.dataframe(
        pd.DataFrame(rows, columns=["seq", "time", "type", "actor", "by", "hash"], dtype="str"),
        hide_index=True,
        key=f"ledger-{at.page}-{page.total}-{page.rows[0].seq}",
        on_select="rerun",
        selection_mode="single-row",
        row_height=32,
        height=min(36 + 32 * len(rows), 420),
        column_config={
            name: st.column_config.TextColumn(say(f"ledger.column.{name}"))
            for name in ("seq", "time", "type", "actor", "by", "hash")
        },
        alt=say("ledger.alt", n=page.total),
    )
    places = chosen["selection"]["rows"]
    paging.draw(page.total, at.page, say)
    if places or at["seq"]:
        row = page.rows[places[0] if places else 0]
        st.caption(say("ledger.body", seq=row.seq))
        told = {"digest": row.digest, "actor": row.actor, "process": row.process}
        st.json({**told, "body": dict(row.body)})


def _imports(desk: Desk, visit: Visit) -> None:
    say, imports = visit.say, desk.journal.imports()
    st.subheader(say("ledger.imports"), anchor=False)
    if not imports:
        st.caption(say("ledger.imports.none"))
        return
    rows = [
        [
            untrusted.cell(one.name, 60),
            one.importer,
            moment(one.recorded_at),
            str(one.read),
            *(str(one.counts[outcome]) for outcome in Outcome),
            say.plain("import.done") if one.finished else say.plain("import.unfinished"),
        ]
        for one in imports
    ]
    columns = ["file", "importer", "time", "read", *(str(one) for one in Outcome), "state"]
    st.dataframe(
        pd.DataFrame(rows, columns=columns, dtype="str"),
        hide_index=True,
        key="imports",
        column_config={
            name: st.column_config.TextColumn(say(f"imports.column.{name}")) for name in columns
        },
        alt=say("ledger.imports.alt", n=len(imports)),
    )
