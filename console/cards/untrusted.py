"""The one way by which memory text, file names and other foreign words reach the screen.

Hidden characters become marks first, and then only elements are used that show every character
as it is: code blocks, plain text, table cells, and HTML of ours around escaped text. Each
function takes foreign text; none of them puts it into a label.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import streamlit as st

from console.words import Say
from review.text.visible import clip, escape, escape_line, escape_spans
from store.cells import Span

SHOWN: Final = 4_000
"""Characters that are always drawn; a longer text is drawn whole when asked for."""

HARD_STOP: Final = 1_000_000
"""Characters that are drawn at most, whoever asks."""

_CELL: Final = 160
_OPTION: Final = 40
_HEADLINE: Final = 240


def show(text: str, say: Say, *, key: str) -> bool:
    """Draw a text in full, or its beginning and a button for the rest.

    Returns:
        Whether all of it is on the screen.
    """
    shown = escape(text)
    limit = HARD_STOP if st.session_state.get(f"open-{key}") else SHOWN
    head, left = clip(shown, limit)
    st.code(head, language=None, wrap_lines=True)
    if left:
        label = say("untrusted.more", n=len(shown))
        st.button(label, key=f"more-{key}", on_click=_open, args=(key,), type="tertiary")
    return not left


def line(text: str) -> None:
    """Draw a short foreign text, such as a file name, on one line."""
    st.text(clip(escape_line(text), SHOWN)[0])


def headline(text: str) -> None:
    """Draw a foreign text as the heading of what is about it; a long one is cut."""
    st.html(f'<h2 class="mc-headline">{html.escape(cell(text, _HEADLINE))}</h2>')


def editor(text: str, say: Say, *, key: str, words: str = "edit.claim", height: int = 180) -> str:
    """A box to edit a text in; ``words`` is the key of its label.

    Hidden characters are in it as marks, to be seen and taken out.
    """
    told = st.text_area(say(words), value=escape(text), height=height, key=key)
    return told or ""


def box(text: str, say: Say, words: str, *, key: str, n: int) -> str:
    """A one-line box with a text to change; ``words`` is the key of its label, said with ``n``."""
    return st.text_input(say(words, n=n), value=cell(text), key=key) or ""


def choice(say: Say, words: str, names: Sequence[str], chosen: str, *, key: str) -> str:
    """A choice of one foreign name, or of none: an empty text. ``words`` is its label's key."""
    told = st.selectbox(
        say(words),
        ["", *names],
        index=1 + names.index(chosen) if chosen in names else 0,
        format_func=lambda name: _numbered(names, name) if name else say.plain("map.no_column"),
        key=key,
    )
    return told or ""


def pick(say: Say, words: str, none: str, named: Mapping[str, str], *, key: str) -> str:
    """A choice of one id by its foreign name, or of none, which ``none`` is the key of."""
    items = list(named)
    told = st.selectbox(
        say(words),
        ["", *items],
        format_func=lambda item: (
            f"{items.index(item) + 1} · {cell(named[item], _OPTION)}" if item else say(none)
        ),
        key=key,
    )
    return told or ""


def choices(
    say: Say, words: str, names: Sequence[str], chosen: Sequence[str], *, key: str
) -> tuple[str, ...]:
    """A choice of any number of foreign names."""
    told = st.multiselect(
        say(words),
        list(names),
        default=[name for name in chosen if name in names],
        format_func=lambda name: _numbered(names, name),
        key=key,
    )
    return tuple(told)


def _numbered(names: Sequence[str], name: str) -> str:
    """A name as an option, which is shown as it is: with its number, and short."""
    return f"{names.index(name) + 1} · {cell(name, _OPTION)}"


def cell(text: str | None, limit: int = _CELL) -> str:
    """A foreign text for a text column of ``st.dataframe``; nowhere else."""
    head, left = clip(escape_line(text or ""), limit)
    return f"{head} …" if left else head


def marked(raw: bytes, spans: Iterable[Span], *, tall: bool = False) -> None:
    """Draw a record's own bytes with its evidence underlined and bracketed.

    ``spans`` count bytes of ``raw``. Bytes that are no UTF-8 are shown as replacement marks.
    """
    text = raw.decode("utf-8", "replace")
    places = [
        Span(_chars(raw, one.start), _chars(raw, one.end)) for one in spans if one.end > one.start
    ]
    shown, placed = escape_spans(text[:HARD_STOP], places)
    size = "mc-tall" if tall else "mc-short"
    st.html(f'<pre class="mc-source {size}" tabindex="0">{_underlined(shown, placed)}</pre>')


def step(head: str, whose: str, text: str, spans: Iterable[Span]) -> None:
    """Draw one step of a run: a head of ours, who acted, and the text with its places marked.

    ``spans`` count characters of ``text``. Of a long text the beginning is drawn, and the rest
    said to be left out.
    """
    shown, placed = escape_spans(text[:SHOWN], [one for one in spans if one.end <= SHOWN])
    left = len(text) - SHOWN
    rest = f"\n… +{left:,}" if left > 0 else ""
    name = f"<span>{html.escape(escape_line(whose))}</span>" if whose else ""
    words = f"{_underlined(shown, placed)}{html.escape(rest)}"
    body = f'<pre class="mc-source mc-step-text" tabindex="0">{words}</pre>' if text else ""
    st.html(f'<div class="mc-step"><p><b>{html.escape(head)}</b> {name}</p>{body}</div>')


def fields(rows: Sequence[tuple[str, str]]) -> None:
    """Draw names of ours beside foreign values, one row each."""
    cells = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(escape_line(value))}</dd>"
        for name, value in rows
    )
    st.html(f'<dl class="mc-fields">{cells}</dl>')


def changed(runs: Iterable[tuple[str, bool, bool]]) -> None:
    """Draw two texts as one: what was taken out is struck through, what was put in underlined.

    Args:
        runs: Text, whether it stands in the older one, whether it stands in the newer one.
    """
    parts = []
    for text, old, new in runs:
        shown = html.escape(escape_line(text))
        name = "" if old and new else "del" if old else "ins"
        parts.append(f"<{name}>{shown}</{name}>" if name else shown)
    st.html(f'<p class="mc-diff">{"".join(parts)}</p>')


def _underlined(shown: str, placed: Iterable[Span]) -> str:
    """Escaped HTML of a text whose hidden characters are marks already."""
    parts, at = [], 0
    for one in sorted(placed, key=lambda span: span.start):
        start = max(one.start, at)
        if one.end <= start:
            continue
        parts += [html.escape(shown[at:start]), "<mark>", html.escape(shown[start : one.end])]
        parts.append("</mark>")
        at = one.end
    return "".join([*parts, html.escape(shown[at:])])


def _chars(raw: bytes, place: int) -> int:
    return len(raw[:place].decode("utf-8", "replace"))


def _open(key: str) -> None:
    st.session_state[f"open-{key}"] = True
