"""Import by upload: the format by content, the five outcomes, and where each record went.

Staging is the preview: nothing that is staged can reach an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from console.cards import refusals, untrusted
from console.cards.visit import Visit
from importers.catalogue import IMPORTERS, Importer, UnknownFormatError, detect, open_reading
from importers.source import Source, SourceRefusedError, from_bytes
from review.desk import Desk
from review.queue import Lane, Wanted
from review.staging import Receipt
from store.records import Outcome

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one uploaded file, for this session's screen."""

    name: str
    receipt: Receipt
    lanes: dict[str, int]


def draw(desk: Desk, visit: Visit) -> None:
    """The uploader and the results of this session's imports."""
    say = visit.say
    _results(visit)
    turn = st.session_state.get("upload_turn", 0)
    files = st.file_uploader(
        say("import.choose"),
        accept_multiple_files=True,
        max_upload_size=20,
        key=f"upload-{turn}",
        help=say("import.choose.help"),
    )
    if not files:
        st.caption(say("import.or_cli"))
        st.code("memory-console import export.json", language=None)
        return
    verbatim = st.toggle(say("import.verbatim"), key="verbatim", help=say("import.verbatim.help"))
    ready = [_preview(visit, file, place) for place, file in enumerate(files)]
    known = [one for one in ready if one is not None]
    if st.button(
        say("import.stage", n=len(known)),
        key="stage",
        type="primary",
        disabled=not known,
    ):
        _stage(desk, visit, known, verbatim=verbatim)


def _preview(visit: Visit, file: UploadedFile, place: int) -> tuple[Source, Importer] | None:
    say = visit.say
    source = from_bytes(file.name, file.getvalue())
    try:
        found: Importer | None = detect(source)
    except UnknownFormatError:
        found = None
    with st.container(border=True):
        untrusted.fields(
            [
                (say.plain("source.file"), source.name),
                (say.plain("import.size"), say.plain("import.bytes", n=source.size)),
                (
                    say.plain("import.format"),
                    found.title if found is not None else say.plain("import.unknown"),
                ),
            ]
        )
        if found is None:
            st.warning(say("import.unknown.help"))
        names = ["auto", *IMPORTERS] if found is not None else list(IMPORTERS)
        chosen = st.selectbox(
            say("import.as"),
            names,
            index=0 if found is not None else None,
            format_func=lambda name: say(f"importer.{name}"),
            placeholder=say("import.as.placeholder"),
            key=f"importer-{place}",
        )
        importer = found if chosen in (AUTO, None) else IMPORTERS[chosen]
        if importer is None:
            return None
        for code in importer.cannot_tell:
            st.caption(say("import.cannot") + " " + say(f"remark.{code}"))
    return source, importer


def _stage(
    desk: Desk, visit: Visit, ready: list[tuple[Source, Importer]], *, verbatim: bool
) -> None:
    say = visit.say
    results = list(st.session_state.get("imported", ()))
    bar = st.progress(0.0, text=say("import.staging"))
    for place, (source, importer) in enumerate(ready):
        try:
            receipt = desk.stage(open_reading(source, importer), verbatim=verbatim)
        except SourceRefusedError:
            st.error(say("import.refused"))
            untrusted.line(source.name)
            continue
        except refusals.EXPLAINED as error:
            refusals.show(error, say)
            break
        lanes = {
            str(lane): desk.waiting(Wanted(lane=lane, batch=receipt.import_id)).total
            for lane in (Lane.NEEDS_EYES, Lane.DUPLICATES, Lane.ROUTINE)
        }
        results.insert(0, Result(source.name, receipt, lanes))
        bar.progress((place + 1) / len(ready), text=say("import.staging"))
    else:
        st.session_state["imported"] = results[:10]
        st.session_state["upload_turn"] = st.session_state.get("upload_turn", 0) + 1
        st.rerun()
    st.session_state["imported"] = results[:10]


def _results(visit: Visit) -> None:
    say, results = visit.say, st.session_state.get("imported", ())
    if results:
        st.button(
            say("import.close"), key="import-close", type="tertiary", on_click=_forget_results
        )
    for result in results:
        receipt = result.receipt
        with st.container(border=True):
            untrusted.line(result.name)
            st.text(say.plain("import.read", n=receipt.read))
            counts = [
                f"{say.plain(f'outcome.{outcome}')}: {receipt.counts[outcome]}"
                for outcome in Outcome
            ]
            st.text("   ·   ".join(counts))
            for code, n in receipt.remarks.items():
                st.caption(say("import.remark", n=n) + " " + say(f"remark.{code}"))
            st.caption(say("import.nothing_durable"))
            with st.container(horizontal=True):
                for lane, n in result.lanes.items():
                    if n:
                        to = {"lane": lane, "batch": receipt.import_id, "view": "focus"}
                        visit.link("inbox", f"import.go.{lane}", to=to, n=n)
                for outcome, lane in _LANES.items():
                    if receipt.counts[outcome]:
                        to = {"lane": lane}
                        visit.link("inbox", f"import.go.{lane}", to=to, n=receipt.counts[outcome])


def _forget_results() -> None:
    st.session_state["imported"] = []


_LANES = {
    Outcome.NOTHING_EXTRACTED: str(Lane.NOTHING),
    Outcome.PARSE_FAILED: str(Lane.FAILED),
    Outcome.REFUSED: str(Lane.REFUSED),
}
