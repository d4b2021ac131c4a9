"""Asking a model about what waits: one button after staging, then how far it is."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.asking.kept import BusyError, Kept, State
from console.asking.starting import Asking
from console.cards import press, untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.proposals import backlog
from review.proposals.jobs import Failure, Job, Outcome

MOST: Final = 200
"""Records that one press asks about at most."""

_EVERY: Final = 1.0
"""Seconds between two looks at a process that asks."""


def draw(desk: Desk, visit: Visit) -> None:
    """The button, what is under way, or what came of the last time. Nothing while help is off."""
    help_, asking, say = visit.model, visit.asking, visit.say
    if help_ is None or asking is None:
        return
    kept, why = asking.read(), help_.why_not(Job.CLAIM)
    if why is Failure.OFF and kept is None:
        return
    with st.container(border=True, key="model-backlog"):
        if kept is not None and kept.state is State.RUNNING:
            _watch(say, asking)
            return
        waiting = backlog.count(desk)
        with st.container(horizontal=True, vertical_alignment="center"):
            if waiting:
                st.button(
                    say("model.backlog.ask", n=min(waiting, MOST)),
                    key="act-backlog",
                    disabled=why is not None or bool(visit.why_read_only) or press.dialog_open(),
                    on_click=_start,
                    args=(asking,),
                    help=say("model.backlog.help"),
                )
            if why is not None:
                st.caption(say(f"model.failure.{why}"))
            elif not waiting:
                st.caption(say("model.backlog.none"))
            elif waiting > MOST:
                st.caption(say("model.backlog.more", n=waiting))
        if kept is not None:
            _ended(say, kept)


def _watch(say: Say, asking: Asking) -> None:
    """Draw it again and again until it has ended."""

    def look() -> None:
        kept = asking.read()
        if kept is None or kept.state is not State.RUNNING:
            st.rerun()
        share = kept.done / kept.wanted if kept.wanted else 0.0
        st.progress(min(share, 1.0), text=say("model.backlog.now", done=kept.done, n=kept.wanted))
        st.button(say("job.stop"), key="act-backlog-stop", on_click=asking.stop)

    st.fragment(run_every=_EVERY, key="model-backlog-watch")(look)()


def _ended(say: Say, kept: Kept) -> None:
    when = moment(kept.ended_at or kept.started_at) if kept.started_at else "–"
    told = [say.plain(f"model.backlog.{kept.state}", when=when)]
    told += [
        say.plain(f"model.replies.{one}", n=kept.replies[str(one)])
        for one in Outcome
        if kept.replies.get(str(one))
    ]
    silent = sum(kept.failed.values())
    if silent:
        told.append(say.plain("model.backlog.silent", n=silent))
    st.text("   ·   ".join(told))
    if kept.ended in list(Failure):
        st.caption(say(f"model.failure.{Failure(kept.ended)}"))
    if kept.problem:
        untrusted.line(kept.problem)


def _start(asking: Asking) -> None:
    try:
        asking.start(MOST)
    except BusyError:
        return  # the page draws how far that one is
