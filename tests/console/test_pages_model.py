"""Proposals on the screen: beside the record, marked as a model's, and counted month by month."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.console.desks import desk_over, press, stage, store_for, unlocking
from tests.console.messages_stub import Answer, claim, fact, fault, message, replying
from tests.console.model_worlds import adapter, help_over, stub

CLAIM = "The main warehouse is Elektrostal. We ship on Tuesdays."
READ = claim(
    fact("main warehouse is Elektrostal", "Elektrostal", "warehouse"),
    fact("ship on Tuesdays", "Tuesdays", "shipping day"),
    fact("closed on Mondays", "Mondays", "closing day"),
)
HOSTILE = "**bold** <img src=x onerror=alert(1)>"


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def _page(name, desk, unlock, lang, help_):  # AppTest runs this body alone
    import importlib

    from console.cards.visit import Visit
    from console.words import Say

    page = importlib.import_module(f"console.pages.{name}")
    page.render(desk, Visit(Say(lang), unlock=unlock, model=help_))


def shown(name, desk, irina, help_, lang="en", **params) -> AppTest:
    kwargs = {"name": name, "desk": desk, "unlock": unlocking(irina), "lang": lang, "help_": help_}
    app = AppTest.from_function(_page, kwargs=kwargs, default_timeout=60)
    for key, value in params.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def html_of(app):
    return " ".join(str(one.proto) for one in app.get("html"))


def words(app):
    told = (*app.info, *app.text, *app.caption, *app.subheader, *app.warning)
    return " ".join(one.value for one in told)


def test_with_model_help_off_a_card_says_nothing_of_it(tmp_path, desk, irina):
    (item,) = stage(desk, CLAIM).items
    off = help_over(desk, adapter(tmp_path, "http://127.0.0.1:9", on=False))
    app = shown("inbox", desk, irina, off, item=item)
    assert "A model's proposal" not in words(app)
    assert [one.key for one in app.button if one.key == "act-model"] == []


def test_a_reviewer_asks_looks_and_takes_over(tmp_path, desk, irina):
    (item,) = stage(desk, CLAIM).items
    with stub(replying(READ)) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        app = shown("inbox", desk, irina, help_, item=item)
        assert "Nobody has asked a model about this text." in words(app)
        assert not server.heard
        press(app, "act-model")
        assert len(server.heard) == 1
    assert "A proposal only: it is no part of what you sign." in words(app)
    assert "1 thing it said does not stand in the text" in words(app)
    drawn = html_of(app)
    assert "<dt>same</dt><dd>warehouse = Elektrostal</dd>" in drawn
    assert "<dt>only the model</dt><dd>shipping day = Tuesdays</dd>" in drawn
    before = desk.card_of(item).artifact
    press(app, "act-take")
    assert desk.card_of(item).artifact == before
    (draft,) = desk.drafts()
    assert (draft.item, str(draft.decision)) == (item, "edit")
    made = app.query_params["item"]
    made = made[0] if isinstance(made, list) else made
    assert made != item
    card = desk.card_of(made)
    assert str(card.stage) == "staged"
    assert card.provenance["source_type"] == "human_review"
    readers = {one.reader for one in card.facts if one.parameter_key == "shipping_day"}
    assert readers == {"model/stub-model/claim/1"}
    assert not desk.standing().items


def test_a_failed_call_says_why_and_that_the_grammar_stands(tmp_path, desk, irina):
    (item,) = stage(desk, CLAIM).items
    with stub(lambda _: fault(529, "overloaded_error")) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        app = shown("inbox", desk, irina, help_, item=item)
        press(app, "act-model")
    assert "The service is overloaded \\(529\\)" in words(app) or "overloaded (529)" in words(app)
    assert "What the grammar read stands." in words(app)
    assert desk.head().size == desk.head().size


def test_a_refusal_is_shown_as_one(tmp_path, desk, irina):
    (item,) = stage(desk, CLAIM).items
    with stub(lambda _: message("no", stop="refusal")) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        press(shown("inbox", desk, irina, help_, item=item), "act-model")
    app = shown("inbox", desk, irina, help_over(desk, None), item=item)
    assert "The model declined. What the grammar read stands." in words(app)


def test_what_a_model_says_is_foreign_text_on_the_screen(tmp_path, desk, irina):
    text = f"The main warehouse is Elektrostal. {HOSTILE}"
    cards = [desk.card_of(item) for item in stage(desk, text, "The warehouse is Tver.").items]
    edge = {
        "kind": "conflicts_with",
        "source": "c1",
        "target": "c2",
        "source_quote": "Elektrostal",
        "target_quote": "Tver",
        "reason": HOSTILE,
    }
    answers = [claim(fact(HOSTILE, HOSTILE, HOSTILE)), {"relations": [edge]}, {"rule": HOSTILE}]
    with stub(lambda _: message(json.dumps(answers.pop(0)))) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        help_.claims([cards[0]])
        help_.relations(cards)
        help_.learning.rule(cards[0])
    app = shown("inbox", desk, irina, help_over(desk, None), item=cards[0].item)
    everything = " ".join(
        one.value for one in (*app.caption, *app.subheader, *app.info, *app.warning)
    )
    assert "onerror" not in everything
    assert "<img" not in html_of(app).replace("&lt;img", "")
    assert HOSTILE in [one.value for one in app.code]
    assert "conflicts with" in html_of(app)
    assert "The warehouse is Tver." in html_of(app), "by its words and not by its id"


def test_a_server_that_says_it_is_another_model_is_quoted(tmp_path, desk, irina):
    (item,) = stage(desk, CLAIM).items
    body = message(json.dumps(READ)).body.replace(b'"stub-model"', b'"<b>other</b>-model"')
    with stub(lambda _: Answer(body=body)) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        help_.claims([desk.card_of(item)])
    app = shown("inbox", desk, irina, help_, item=item)
    assert "stub-model, claim/1. A proposal only" in words(app).replace("\\", "")
    assert "&lt;b&gt;other&lt;/b&gt;-model" in html_of(app)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_page_counts_by_month_and_sort(tmp_path, desk, irina, lang):
    (item,) = stage(desk, CLAIM).items
    with stub(replying(READ)) as server:
        help_ = help_over(desk, adapter(tmp_path, server.address))
        help_.claims([desk.card_of(item)])
    app = shown("model", desk, irina, help_, lang=lang)
    people, grammar = (one.value for one in app.dataframe)
    assert people.iloc[0].tolist()[:1] == ["2026-03"]
    assert 2 in people.iloc[0].tolist()
    assert len(grammar) == 1
    assert "120" in html_of(app)


def test_the_page_says_how_to_switch_it_on(tmp_path, desk, irina):
    off = help_over(desk, adapter(tmp_path, "http://127.0.0.1:9", on=False))
    app = shown("model", desk, irina, off)
    assert app.code[0].value == "memory-console model set on=true name=MODEL"
    assert not app.dataframe
