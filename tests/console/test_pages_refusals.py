"""Every error that a page may catch has words, and a move that the browser missed is repaired."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console.cards import refusals
from console.cards.times import moment
from console.words import Say, catalogue
from review.cards.card import NoSuchItemError
from review.deciding import ChangedError
from store.connections import StoreBusyError
from store.drafts import AlreadyDraftedError
from store.log import AlreadyDecidedError
from store.migrations import StoreNewerError
from store.stages import DecisionKind, IllegalMoveError, Stage
from tests.console.desks import desk_over, open_page, press, stage, store_for

BUILT = {
    AlreadyDecidedError: lambda: AlreadyDecidedError(
        "01A", by="r-1", stage="durable", when="2026-03-10T12:00:00.000000Z"
    ),
    AlreadyDraftedError: lambda: AlreadyDraftedError("01A", DecisionKind.APPROVE),
    ChangedError: lambda: ChangedError("01A"),
    IllegalMoveError: lambda: IllegalMoveError("01A", DecisionKind.APPROVE, Stage.DURABLE),
    NoSuchItemError: lambda: NoSuchItemError("01A"),
    StoreBusyError: lambda: StoreBusyError(Path("x"), "memory-console import (PID 7)", 1),
    StoreNewerError: lambda: StoreNewerError(9),
}


@pytest.mark.parametrize("kind", refusals.EXPLAINED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_explained_error_has_words_in_both_languages(kind, lang):
    error = BUILT[kind]() if kind in BUILT else kind.__new__(kind)
    key, params = refusals.told(error)
    assert key in catalogue(lang)
    assert "{" not in Say(lang)(key, **params)


def test_a_busy_store_names_its_holder():
    key, params = refusals.told(BUILT[StoreBusyError]())
    assert "memory-console import (PID 7) is using it" in Say("en").plain(key, **params)


def test_a_press_that_brings_the_old_url_does_not_go_back_to_the_decided_card(irina):
    desk = desk_over(store_for(irina), irina)
    first, second = stage(desk, "First claim.", "Second claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=first)
    app.button(key="act-approve").click()
    app.run()
    app.session_state["went"] = (first, second, desk.now())
    app.query_params["item"] = first
    app.run()
    assert app.query_params["item"] == second
    assert "Second claim." in [one.value for one in app.code]


def test_a_card_drafted_before_can_still_be_looked_at(irina):
    desk = desk_over(store_for(irina), irina)
    first, _ = stage(desk, "First claim.", "Second claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=first)
    press(app, "act-approve")
    app.query_params["item"] = first
    app.run()
    assert any("You drafted this" in one.value for one in app.info)
    assert app.button(key="act-approve").disabled


@pytest.mark.parametrize(
    ("stamp", "shown"),
    [
        ("2026-03-10T12:00:00.000000Z", "2026-03-10 12:00 UTC"),
        ("2026-02-11T09:30:00.000000-08:00", "2026-02-11 17:30 UTC"),
        ("2026-02-11", "2026-02-11"),
        ("last week", "last week"),
    ],
)
def test_a_moment_is_shown_in_its_own_zone_or_as_it_is(stamp, shown):
    assert moment(stamp) == shown


def test_the_example_of_the_style_guide_still_holds():
    """A page is a function of its desk, so a script of two lines opens it."""
    app = AppTest.from_string("import console.pages.inbox as page\nassert callable(page.render)")
    assert not app.run(timeout=60).exception
