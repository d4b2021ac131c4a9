"""What an uploaded file is, before anything of it is staged: format, encoding, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from console.cards import importing_mapping, untrusted
from console.cards.visit import Visit
from console.jobs import Asked
from importers import encodings, sandbox
from importers.catalogue import IMPORTERS, UnknownFormatError
from importers.mapped.choice import Columns, Mapping
from importers.source import SourceRefusedError, from_bytes

AUTO: Final = "auto"
MAPPED: Final = "mapped"
_KEPT: Final = 50
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """What the limited process says of a file, in one encoding."""

    parts: tuple[tuple[str, str], ...] = ()
    """Name and importer of each part."""

    columns: Columns | None = None
    """Of a table or of JSON that no importer recognises."""

    problem: str = ""
    """Why it cannot be opened at all. It may hold foreign names."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of which nothing can be staged as it stands. ``name`` is foreign text."""

    name: str
    why: str
    """A key of the catalogue."""


def draw(visit: Visit, file: UploadedFile, place: int) -> tuple[Asked, bytes] | LeftOut:
    """One file: what is to be read of it, or why it is left out."""
    say, content = visit.say, file.getvalue()
    with st.container(border=True):
        name = from_bytes(file.name, b"").name
        plain = _seen(file, name, content, "")
        encoding = _encoding(visit, content, place, known=bool(plain.parts))
        seen = _seen(file, name, content, encoding) if encoding else plain
        untrusted.fields(
            [
                (say.plain("source.file"), name),
                (say.plain("import.size"), say.plain("import.bytes", n=len(content))),
                (say.plain("import.format"), _format(visit, seen)),
            ]
        )
        if not content:
            st.warning(say("import.empty"))
            return LeftOut(name, "import.left.empty")
        if seen.problem:
            st.error(say("import.refused"))
            untrusted.show(seen.problem, say, key=f"problem-{place}")
            return LeftOut(name, "import.left.unreadable")
        asked = Asked(name, "", encoding=encoding)
        if _read_as(visit, seen, asked, place):
            return asked, content
        mapped = seen.columns is not None
        return LeftOut(name, "import.left.columns" if mapped else "import.left.unknown")


def _seen(file: UploadedFile, name: str, content: bytes, encoding: str) -> Seen:
    """What the file is; looked at once for each encoding."""
    kept: dict[tuple[str, str], Seen] = st.session_state.setdefault("seen-uploads", {})
    key = (file.file_id, encoding)
    if key not in kept:
        while len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[key] = _look(name, content, encoding)
    return kept[key]


def _look(name: str, content: bytes, encoding: str) -> Seen:
    source = from_bytes(name, content)
    try:
        found = sandbox.parts(source, encoding=encoding)
        return Seen(tuple((part.source.name, part.importer.name) for part in found))
    except SourceRefusedError as error:
        return Seen(problem=str(error))
    except UnknownFormatError:
        try:
            return Seen(columns=sandbox.columns(source, encoding=encoding))
        except SourceRefusedError:
            return Seen()


def _encoding(visit: Visit, content: bytes, place: int, *, known: bool) -> str:
    """The encoding the person chooses; asked for only where the text is not UTF-8."""
    say = visit.say
    guessed = encodings.guess(content[: 64 * 1024])
    if guessed is None:
        return ""
    options = ["", *encodings.ENCODINGS]
    chosen = st.selectbox(
        say("import.encoding"),
        options,
        index=0 if known else options.index(guessed),
        format_func=lambda one: say(f"encoding.{one or 'utf-8'}"),
        key=f"encoding-{place}",
        help=say("import.encoding.help"),
    )
    return chosen or ""


def _format(visit: Visit, seen: Seen) -> str:
    say = visit.say
    if len(seen.parts) > 1:
        return say.plain("import.parts", n=len(seen.parts))
    if seen.parts:
        return say.plain(f"importer.{seen.parts[0][1]}")
    return say.plain("import.own_columns" if seen.columns is not None else "import.unknown")


def _read_as(visit: Visit, seen: Seen, asked: Asked, place: int) -> bool:
    """How the file is to be read; whether it can be."""
    say = visit.say
    if len(seen.parts) > 1:
        _list_parts(visit, seen)
        return True
    if not seen.parts:
        st.warning(say("map.unknown" if seen.columns is not None else "import.unknown.help"))
    first = [AUTO] if seen.parts else []
    names = [*first, *([MAPPED] if seen.columns is not None else []), *IMPORTERS]
    chosen = st.selectbox(
        say("import.as"),
        names,
        index=0 if seen.parts or seen.columns is not None else None,
        format_func=lambda name: say(f"importer.{name}"),
        placeholder=say("import.as.placeholder"),
        key=f"importer-{place}",
    )
    if chosen is None:
        return False
    if chosen == MAPPED and seen.columns is not None:
        asked.mapping = _mapping(visit, seen.columns, f"{place}-{asked.encoding}")
        return asked.mapping is not None
    if chosen in IMPORTERS:
        asked.importer = chosen
    known = IMPORTERS.get(chosen if chosen != AUTO else seen.parts[0][1])
    for code in known.cannot_tell if known is not None else ():
        st.caption(say("import.cannot") + " " + say(f"remark.{code}"))
    return True


def _mapping(visit: Visit, found: Columns, key: str) -> Mapping | None:
    return importing_mapping.draw(visit, found, key)


def _list_parts(visit: Visit, seen: Seen) -> None:
    say = visit.say
    untrusted.fields(
        [(say.plain(f"importer.{importer}"), name) for name, importer in seen.parts[:_SHOWN]]
    )
    if len(seen.parts) > _SHOWN:
        st.caption(say("job.more_parts", n=len(seen.parts) - _SHOWN))
