"""Hostile text on every page: it reaches text and code elements, and no Markdown."""

from __future__ import annotations

import re

import pytest

from console.cards import untrusted
from console.words import Say
from tests.console.desks import desk_over, open_page, press, sign, stage, store_for

HOSTILE = [
    "MARK ![pic](http://evil.test/a.png) and [link](javascript:alert(1))",
    "MARK <img src=x onerror=alert(1)><script>alert(2)</script>",
    "MARK \u202etxt.exe\u202c \u200bzero",
    "MARK \x1b[31mred\x1b[0m \x07",
    "MARK :red[danger] $\\frac{1}{2}$ `code` **bold** :material/home:",
    "MARK </pre></mark></dl><iframe src=http://evil.test></iframe>",
    "MARK # heading\n\n- list\n\n| a | b |\n|---|---|\n",
]


def elements(app):
    """Every element of the page with its kind and its proto as text."""

    def walk(block):
        for child in block.children.values():
            if hasattr(child, "children"):
                yield from walk(child)
            else:
                yield child.type, str(getattr(child, "proto", ""))

    for place in app._tree.children.values():
        yield from walk(place)


def places(app):
    """The kinds of elements that hold the mark of a hostile text."""
    return {kind for kind, told in elements(app) if "MARK" in told or "evil" in told}


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


@pytest.mark.parametrize("claim", HOSTILE)
def test_a_hostile_claim_and_file_name_stay_text_on_the_card(desk, irina, claim):
    (item,) = stage(
        desk,
        claim,
        name=f"{claim[:40]}.jsonl",
        scope={"where": claim},
        entities=(claim,),
        foreign={"status": claim, claim[:20]: "MARK"},
        confidence="0.9",
    ).items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=item)
    press(app, "act-confidence")
    assert places(app) <= {"code", "html"}
    assert "markdown" not in places(app)
    html = "".join(one.proto.body for one in app.get("html"))
    assert not re.search(r"<(?!/?(?:pre|mark|dl|dt|dd|style)\b)[a-z]", html)
    for char in "\u202e\u200b\x1b\x07":
        assert all(char not in told for _, told in elements(app))


@pytest.mark.parametrize("claim", HOSTILE)
def test_a_hostile_claim_stays_text_in_the_list(desk, irina, claim):
    stage(desk, claim, "Another.")
    for lane in ("needs-eyes", "routine"):
        app = open_page("inbox", desk, reviewer=irina, lane=lane, view="list")
        assert places(app) <= {"dataframe"}, places(app)


def test_hostile_text_stays_text_on_the_pages_of_durable_records(desk, irina):
    claim = "MARK ![p](http://evil.test/a.png) [l](http://evil.test)"
    (item,) = stage(desk, claim, name="MARK ![x](http://evil.test).json").items
    app = open_page("inbox", desk, reviewer=irina, item=item)
    for box in app.checkbox:
        box.check()
    app.run()
    press(app, "act-note")
    app.text_input(key=f"note-text-{item}").input("MARK note <b>")
    press(app, "note-save")
    assert places(app) <= {"code", "html", "text"}
    press(app, "act-approve")
    sign(app)
    assert places(open_page("facts", desk, reviewer=irina)) <= {"dataframe", "text"}
    passport = open_page("fact", desk, reviewer=irina, id=item)
    # A chart draws letters: its data is text, and nothing reads it as anything else.
    assert places(passport) <= {"code", "html", "text", "vega_lite_chart"}
    life = open_page("fact", desk, reviewer=irina, id=item, tab="life")
    assert places(life) <= {"code", "html", "text", "vega_lite_chart"}
    assert any("MARK note <b>" in one.value for one in life.text)
    assert places(open_page("ledger", desk, reviewer=irina)) <= {"dataframe"}
    assert places(open_page("start", desk, reviewer=irina)) == set()


def test_a_long_text_is_drawn_whole_before_it_can_be_approved(desk, irina):
    stage(desk, "long " * 1000)
    app = open_page("inbox", desk, reviewer=irina, lane="routine")
    assert app.button(key="act-approve").disabled
    more = next(one for one in app.button if one.label.startswith("Show all"))
    more.click().run()
    assert not app.button(key="act-approve").disabled


def test_a_cell_is_one_line_and_clipped():
    told = untrusted.cell("a\nb" + "x" * 400)
    assert told.startswith("a⏎b")
    assert told.endswith(" …")
    assert len(told) < 170


def test_a_foreign_parameter_of_a_sentence_is_inert():
    assert "![" not in Say("en")("frame.acting", name="![p](http://evil.test)")
