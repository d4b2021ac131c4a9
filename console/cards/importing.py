"""Import by upload: what each file is, how it is to be read, and the job that reads it.

Staging is the preview: nothing that is staged can reach an answer. A job works in a process of
its own, so the page can be left while it does.
"""

from __future__ import annotations

import streamlit as st

from console.cards import importing_preview, job_strip, refusals, untrusted
from console.cards.importing_preview import LeftOut
from console.cards.visit import Visit
from console.jobs import Asked
from review.desk import Desk


def draw(desk: Desk, visit: Visit) -> None:
    """The uploader, a preview of each file, and below it what became of the imports before."""
    empty = _upload(visit)
    job_strip.draw(desk, visit)
    if empty:
        st.caption(visit.say("import.or_cli"))
        st.code("memory-console import export.json", language=None)


def _upload(visit: Visit) -> bool:
    """The uploader with its previews; whether nothing is in it."""
    say = visit.say
    turn = st.session_state.get("upload_turn", 0)
    with st.container(key=f"upload-in-{say.lang}"):  # Streamlit's own words in it are English
        files = st.file_uploader(
            say("import.choose"),
            accept_multiple_files=True,
            max_upload_size=20,
            key=f"upload-{turn}",
            help=say("import.choose.help"),
            disabled=visit.jobs is None,
        )
    if not files:
        _left(visit, st.session_state.get("left_out", ()))
        return True
    verbatim = st.toggle(say("import.verbatim"), key="verbatim", help=say("import.verbatim.help"))
    ready = [importing_preview.draw(visit, file, place) for place, file in enumerate(files)]
    known = [one for one in ready if not isinstance(one, LeftOut)]
    left = tuple(one for one in ready if isinstance(one, LeftOut))
    _left(visit, left)
    if st.button(
        say("import.stage", n=len(known)),
        key="stage",
        type="primary",
        disabled=not known,
    ):
        _begin(visit, known, left, verbatim=verbatim)
    return False


def _left(visit: Visit, left: tuple[LeftOut, ...]) -> None:
    """The files that are not part of the import, and why. They are named after it, too."""
    if not left:
        return
    with st.container(border=True, key="left-out"):
        st.text(visit.say.plain("import.left", n=len(left)))
        untrusted.fields([(visit.say.plain(one.why), one.name) for one in left])


def _begin(
    visit: Visit,
    files: list[tuple[Asked, bytes]],
    left: tuple[LeftOut, ...],
    *,
    verbatim: bool,
) -> None:
    """Start one job for all files, and make room for the next upload."""
    if visit.jobs is None:
        return
    try:
        visit.jobs.upload(files, verbatim=verbatim)
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    st.session_state["upload_turn"] = st.session_state.get("upload_turn", 0) + 1
    st.session_state["left_out"] = left
    st.session_state.pop("seen-uploads", None)
    st.rerun()
