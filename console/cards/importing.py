"""Import by upload: what each file is, how it is to be read, and the job that reads it.

Staging is the preview: nothing that is staged can reach an answer. A job works in a process of
its own, so the page can be left while it does.
"""

from __future__ import annotations

import streamlit as st

from console.cards import importing_preview, job_strip, refusals
from console.cards.visit import Visit
from console.jobs import Asked
from review.desk import Desk


def draw(desk: Desk, visit: Visit) -> None:
    """The imports at work and those to be seen, the uploader, and a preview of each file."""
    say = visit.say
    job_strip.draw(desk, visit)
    turn = st.session_state.get("upload_turn", 0)
    files = st.file_uploader(
        say("import.choose"),
        accept_multiple_files=True,
        max_upload_size=20,
        key=f"upload-{turn}",
        help=say("import.choose.help"),
        disabled=visit.jobs is None,
    )
    if not files:
        st.caption(say("import.or_cli"))
        st.code("memory-console import export.json", language=None)
        return
    verbatim = st.toggle(say("import.verbatim"), key="verbatim", help=say("import.verbatim.help"))
    ready = [importing_preview.draw(visit, file, place) for place, file in enumerate(files)]
    known = [one for one in ready if one is not None]
    if st.button(
        say("import.stage", n=len(known)),
        key="stage",
        type="primary",
        disabled=not known,
    ):
        _begin(visit, known, verbatim=verbatim)


def _begin(visit: Visit, files: list[tuple[Asked, bytes]], *, verbatim: bool) -> None:
    """Start one job for all files, and make room for the next upload."""
    if visit.jobs is None:
        return
    try:
        visit.jobs.upload(files, verbatim=verbatim)
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    st.session_state["upload_turn"] = st.session_state.get("upload_turn", 0) + 1
    st.session_state.pop("seen-uploads", None)
    st.rerun()
