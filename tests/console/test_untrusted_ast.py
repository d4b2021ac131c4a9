"""Memory text has one way to the screen. This reads the console's code and finds any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console.untrusted_rules import broken

CONSOLE = Path(__file__).resolve().parents[2] / "console"
MODULES = sorted(
    [*(CONSOLE / "cards").rglob("*.py"), *(CONSOLE / "pages").rglob("*.py"),
     *(CONSOLE / "entry").glob("*.py"), CONSOLE / "app.py", CONSOLE / "server.py"]
)  # fmt: skip


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_other_way_to_the_screen(path):
    assert broken(path.read_text(encoding="utf-8"), path.stem) == []


def test_only_drawing_modules_import_streamlit():
    others = [
        path.name
        for path in CONSOLE.glob("*.py")
        if "import streamlit" in path.read_text(encoding="utf-8")
    ]
    assert sorted(others) == ["app.py", "server.py"]


BAD = [
    "st.markdown(card.claim)",
    "st.markdown('literal')",
    "st.write(text)",
    "st.html(text)",
    "st.html(f'<b>{text}</b>')",
    "st.table(rows)",
    "st.caption(card.claim)",
    "st.caption(f'{n} left')",
    "st.info(str(error))",
    "st.warning(text)",
    "st.error(f'{error}')",
    "st.success(text)",
    "st.toast(text)",
    "st.title(text)",
    "st.header(text)",
    "left.subheader(text)",
    "st.metric(text, 1)",
    "st.exception(error)",
    "text",
    "f'{text}'",
    "st.button(text)",
    "st.button(say('a'), help=text)",
    "st.button(f'Open {item}')",
    "st.expander(text)",
    "st.tabs(names)",
    "st.radio(say('a'), names)",
    "st.pills(say('a'), names)",
    "st.selectbox(say('a'), names)",
    "st.selectbox(say('a'), names, format_func=str)",
    "st.selectbox(say('a'), names, format_func=lambda one: one)",
    "st.selectbox(say('a'), names, format_func=lambda one: f'{one}')",
    "st.image(url)",
    "st.video(url)",
    "st.audio(url)",
    "st.link_button(say('a'), url)",
    "st.column_config.LinkColumn(say('a'))",
    "st.column_config.ImageColumn(say('a'))",
    "st.column_config.MarkdownColumn(say('a'))",
    "st.column_config.TextColumn(text)",
    "st.markdown(text, unsafe_allow_html=True)",
    "st.code(card.claim)",
    "st.text(card.claim)",
    "st.text(f'{row.raw}')",
    "st.json(dict(card.provenance))",
    "st.caption(say('a', text=card.claim))",
    "st.caption(say.plain('a', text=x))",
    "pd.DataFrame([(row.claim, 1)])",
    "st.dialog(text)(draw)",
    "st.page_link(page, label=text)",
    "st.progress(0.5, text=text) or st.badge(text)",
    "st.text_input(say('a'), placeholder=text)",
]
GOOD = [
    "st.caption(say('a.b', n=3))",
    "st.caption(visit.say(f'lane.{lane}', n=3))",
    "st.error(say('a') + ' ' + say('b'))",
    "st.button(say('a') if n else say('b'), help=say('c'))",
    "st.code('memory-console verify', language=None)",
    "st.text(say.plain('a', n=1))",
    "untrusted.show(card.claim, say, key='k')",
    "pd.DataFrame([(untrusted.cell(row.claim), 1)])",
    "st.selectbox(say('a'), kinds, format_func=lambda one: say(f'kind.{one}'))",
    "st.segmented_control(say('a'), ['en', 'ru'])",
    "st.html('<style>a{}</style>')",
]


@pytest.mark.parametrize("snippet", BAD)
def test_the_rules_bite(snippet):
    assert broken(snippet, "somewhere") != []


@pytest.mark.parametrize("snippet", GOOD)
def test_the_rules_let_our_own_words_through(snippet):
    assert broken(snippet, "somewhere") == []


def test_even_untrusted_may_not_let_html_loose():
    assert broken("st.html(x, unsafe_allow_javascript=True)", "untrusted") != []
    assert broken("st.markdown(text)", "untrusted") != []
