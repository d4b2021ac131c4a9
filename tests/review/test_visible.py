"""Hidden characters become visible, and nothing is lost or forged on the way."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review.text import visible
from review.text.visible import clip, escape, escape_line, escape_spans, hidden, unescape
from store.cells import Span

NASTY = (
    "\u202e\u2066\u2069\u200b\u200d\u200e\ufeff\xad\ufe0f\u034f\u3164\u115f\u2800\U000e0041"
    "\U000e0100\ue000\ud800\udc00\x00\x07\t\r\n\x1b\x7f\x85\x9b\u2028\u2029\xa0\u2003⟦⟧⏎  abЖ1🙂"
)
texts = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.text(NASTY, max_size=12),
        st.sampled_from([" " * 9, "\n" * 9, " \n" * 9, "\xa0 " * 5, "⟦secret: password⟧"]),
        st.sampled_from(["⟦U+202E RLO⟧", "⟦9 spaces⟧", "⟦1 newline⟧", "⟦secret: "]),
    ),
    max_size=6,
).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("user prefers dark theme", "user prefers dark theme"),
        ("Склад — в Электростали, № 44, «цитата»", "Склад — в Электростали, № 44, «цитата»"),
        ("pay\u202e001", "pay⟦U+202E RLO⟧001"),
        ("a\u200bb", "a⟦U+200B ZWSP⟧b"),
        ("a\tb", "a⟦U+0009 TAB⟧b"),
        ("\x1b[31mred", "⟦U+001B ESC⟧[31mred"),
        ("x\U000e0049", "x⟦U+E0049 TAG⟧"),
        ("👍\ufe0f", "👍⟦U+FE0F VS16⟧"),
        ("soft\xadhyphen", "soft⟦U+00AD SHY⟧hyphen"),
        ("\u3164\u115f\u1160\u2800", "⟦U+3164⟧⟦U+115F⟧⟦U+1160⟧⟦U+2800⟧"),
        ("\ue000\ud800\u0378", "⟦U+E000⟧⟦U+D800⟧⟦U+0378⟧"),
        ("a" + " " * 240 + "b", "a⟦240 spaces⟧b"),
        ("a" + " " * 8 + "b", "a" + " " * 8 + "b"),
        ("\n" * 30, "⟦30 newlines⟧"),
        ("two\n\nparagraphs", "two\n\nparagraphs"),
        ("⟦U+202E RLO⟧", "⟦U+27E6⟧U+202E RLO⟦U+27E7⟧"),
        ("see ⟦secret: github_token⟧", "see ⟦secret: github_token⟧"),
    ],
)
def test_what_cannot_be_seen_is_shown_and_what_can_is_left(text, shown):
    assert escape(text) == shown


def test_a_line_for_a_terminal_has_no_line_breaks_and_no_escape_codes():
    shown = escape_line("one\ntwo\r\x1b[2J\u2028three ⏎ four")
    assert shown == ("one⏎two⟦U+000D CR⟧⟦U+001B ESC⟧[2J⟦U+2028 LSEP⟧three ⟦U+23CE⟧ four")
    assert shown.isprintable()


@given(texts)
@settings(max_examples=500)
@example(" \n" * 12)
@example("⏎\n⏎")
def test_the_text_can_be_read_back_so_no_two_texts_look_the_same(text):
    assert unescape(escape(text)) == text
    assert unescape(escape_line(text)) == text


@given(texts)
@settings(max_examples=500)
def test_what_is_shown_holds_nothing_hidden(text):
    shown = escape(text)
    assert hidden(shown) == visible.Hidden()
    assert not {"Cc", "Cf", "Co", "Cs", "Cn"} & {
        unicodedata.category(char) for char in shown if char != "\n"
    }
    assert re.search(r" {9}|\n{9}", shown) is None
    shown.encode("utf-8")


@given(texts)
def test_marks_are_whole_and_every_bracket_belongs_to_one(text):
    rest = re.sub(
        r"⟦(?:U\+[0-9A-F]{4,6}(?: [A-Z0-9]+)?|\d+ [a-z -]+|secret: [a-z_]+)⟧", "", escape(text)
    )
    assert not set(rest) & set("⟦⟧")


def test_the_quick_path_takes_only_characters_that_need_no_mark():
    clean = re.compile(f"[{visible.CLEAN}]")
    for code in range(0x110000):
        char = chr(code)
        if char != "\n" and clean.match(char):
            assert not visible._is_marked(char), hex(code)


@given(texts, st.data())
@settings(max_examples=300)
def test_a_span_of_the_text_shows_the_same_characters_in_the_escaped_text(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown, (placed,) = escape_spans(text, [Span(start, end)])
    assert shown == escape(text)
    inside = unescape(shown[placed.start : placed.end])
    assert text[start:end] in inside
    assert 0 <= placed.start <= placed.end <= len(shown)


def test_a_span_after_a_mark_moves_and_a_span_inside_a_run_covers_its_mark():
    text = "a\u202eb" + " " * 20 + "c"
    shown, spans = escape_spans(text, [Span(2, 3), Span(5, 7), Span(23, 24), Span(0, 99)])
    assert [shown[span.start : span.end] for span in spans] == ["b", "⟦20 spaces⟧", "c", shown]


@given(texts, st.integers(-1, 40))
def test_clipping_counts_what_it_hides(text, limit):
    shown, left = clip(text, limit)
    assert text.startswith(shown)
    assert len(shown) + left == len(text)
    assert len(shown) <= max(limit, 0) or left == 0


def test_a_cut_never_falls_inside_a_mark_or_before_an_accent():
    assert clip("ab⟦U+202E RLO⟧c", 6) == ("ab", 13)
    assert clip("cafe\u0301s", 4) == ("caf", 3)
    assert clip("short", 600) == ("short", 0)


def test_hidden_characters_are_counted_by_how_bad_they_are():
    assert hidden("a\u202eb\u2066\U000e0041\u200b\ufe0f\t\r\n⟦\u2003") == visible.Hidden(2, 1, 2)
    assert hidden("Обычный text — 100 %") == visible.Hidden()
