"""The signing dialog lists what is signed; what came from elsewhere needs a tick of its own."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from console.cards import made_here
from console.cards.made_here import NotShownError
from console.demo_story import PASSPHRASE as DEMO
from console.words import LANGUAGES, Say
from review.deciding import SetAside, SigningReceipt, Wish
from review.desk import Desk
from store.drafts import DraftBook
from store.stages import DecisionKind, Stage
from store.standing import NotAcceptedError
from tests.console.desks import desk_over, open_page, press, sign, stage, store_for

LOOKED = "I have looked at them"


@pytest.fixture
def book():
    return DraftBook(None)


@pytest.fixture
def desk(irina, book):
    return desk_over(store_for(irina), irina, book=book)


def slip_in(desk, item, decision=DecisionKind.APPROVE, **more):
    """What another program of this user can do: a draft without a press."""
    return desk.draft(desk.card_of(item), Wish(decision, nonce=f"slipped-{item}", **more))


def listed(app):
    (table,) = [one.value for one in app.dataframe if "decision" in one.value.columns]
    return table


def sign_button(app):
    return next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign"
    )


def told(app):
    shown = (*app.error, *app.warning, *app.info, *app.text, *app.caption)
    return " ".join(one.value for one in shown)


def test_the_dialog_lists_every_draft_with_its_decision_reason_claim_and_id(desk, irina):
    stage(desk, "First claim.", "Second **claim**.", "Third claim.")
    app = open_page("inbox", desk, reviewer=irina, lane="routine")
    press(app, "act-reject")
    press(app, "reason-wrong")
    press(app, "act-skip")
    press(app, "act-approve")
    press(app, "act-sign")
    table = listed(app)
    assert list(table["decision"]) == ["make durable", "reject", "skip"]
    assert list(table["reason"]) == ["", "Wrong", ""]
    assert list(table["claim"]) == ["Third claim.", "First claim.", "Second **claim**."]
    assert all("-" in one for one in table["id"])
    assert set(table["where"]) == {""}
    assert not app.checkbox


def test_a_draft_of_another_program_is_marked_and_is_not_signed_without_a_tick(desk, irina):
    first, _, third = stage(desk, "First claim.", "Second claim.", "Slipped in.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=first)
    press(app, "act-approve")
    press(app, "act-skip")
    slip_in(desk, third)
    press(app, "act-sign")
    table = listed(app)
    assert list(table["claim"]) == ["Slipped in.", "First claim.", "Second claim."]
    assert list(table["where"]) == ["▲ before the reload, or elsewhere", "", ""]
    assert (
        "1 of these was drafted before this page was reloaded, or elsewhere: look at it."
        in told(app)
    )
    assert sign_button(app).disabled
    (box,) = [one for one in app.checkbox if one.label == LOOKED]
    box.check().run()
    assert not sign_button(app).disabled
    app.text_input(key="passphrase").input("correct horse")
    sign_button(app).click().run()
    assert desk.standing().stage_of(third, 1) == Stage.DURABLE
    assert desk.drafts() == []


def test_a_draft_that_was_altered_after_the_press_is_made_elsewhere(desk, book, irina):
    (item,) = stage(desk, "First claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=item)
    press(app, "act-skip")
    (mine,) = book.all()
    book.drop([item])
    book.add([replace(mine, decision=DecisionKind.APPROVE)])
    press(app, "act-sign")
    assert list(listed(app)["where"]) == ["▲ before the reload, or elsewhere"]
    assert sign_button(app).disabled


def test_a_draft_taken_back_that_comes_again_is_made_elsewhere(desk, book, irina):
    (item,) = stage(desk, "First claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=item)
    press(app, "act-approve")
    mine = book.all()
    press(app, "act-undo")
    book.add(mine)
    app.run()
    press(app, "act-sign")
    assert list(listed(app)["where"]) == ["▲ before the reload, or elsewhere"]


def test_a_draft_that_comes_in_behind_the_open_dialog_stops_the_signing(desk, irina):
    first, second = stage(desk, "First claim.", "Second claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=first)
    press(app, "act-approve")
    press(app, "act-sign")
    size = desk.head().size
    slip_in(desk, second)
    app.text_input(key="passphrase").input("correct horse")
    sign_button(app).click().run()
    assert desk.head().size == size
    assert sign_button(app).disabled
    assert list(listed(app)["where"]) == ["▲ before the reload, or elsewhere", ""]


def test_a_tick_does_not_hold_for_a_draft_that_came_after_it(desk, irina):
    first, second = stage(desk, "First claim.", "Second claim.").items
    slip_in(desk, first)
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=second)
    press(app, "act-sign")
    app.checkbox[-1].check().run()
    assert not sign_button(app).disabled
    slip_in(desk, second)
    app.run()
    assert sign_button(app).disabled


def test_only_what_was_listed_is_signed_whatever_the_statements_say(desk, book, irina):
    """The last look is into the bytes: a draft that slips in during the unlocking stays out."""
    first, second = stage(desk, "First claim.", "Second claim.").items
    shown = [slip_in(desk, first)]
    slip_in(desk, second)
    signer = made_here.only(lambda _: pytest.fail("was asked to sign"), shown)
    size = desk.head().size
    with pytest.raises(NotShownError):
        desk.sign(signer)
    assert desk.head().size == size
    assert len(desk.drafts()) == 2


def test_a_list_drafted_here_is_not_made_elsewhere(desk, irina):
    items = stage(desk, "First claim.", "Second claim.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="list")
    app.session_state["bulk"] = tuple(items)
    app.run()
    press(app, "bulk-durable")
    press(app, "act-sign")
    assert set(listed(app)["where"]) == {""}


class Failing(Desk):
    """A desk whose signing fails in the given way."""

    error: Exception

    def sign(self, sign):
        raise self.error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NotAcceptedError("x"), "did not accept this signature"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (duckdb.IOException("IO Error"), "The store's file cannot be read or written"),
    ],
    ids=["not-accepted", "disk-full", "database"],
)
def test_a_signing_that_fails_says_that_drafts_are_kept_and_what_to_do(desk, irina, error, words):
    stage(desk, "First claim.")
    desk.__class__ = Failing
    desk.error = error
    app = open_page("inbox", desk, reviewer=irina, lane="routine")
    press(app, "act-approve")
    sign(app)
    (said,) = [one.value for one in app.error]
    assert words in said.replace("\\", "")
    assert "Nothing more was recorded, and your drafts are kept." in said
    assert "then" in said
    assert len(desk.drafts()) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_to_set_a_draft_aside_has_words_on_the_receipt(desk, irina, lang):
    app = open_page("inbox", desk, reviewer=irina, lang=lang)
    stage(desk, "First claim.")
    told_aside = [
        SetAside("01A", "decided", "r-1", "2026-03-10T12:00:00.000000Z", "durable"),
        SetAside("01B", "changed"),
        SetAside("01C", "altered"),
    ]
    app.session_state["receipt"] = SigningReceipt(set_aside=told_aside)
    app.run()
    rows = {one.value[:3]: one.value[5:] for one in app.text if one.value.startswith("01")}
    assert rows["01C"] == Say(lang).plain("aside.altered")
    assert len(set(rows.values())) == 3


def _dialog(desk, unlock, facts):  # AppTest runs this body alone
    import streamlit as st

    from console.cards import signing_dialog
    from console.cards.visit import Visit
    from console.words import Say

    st.session_state["dialog"] = "sign"
    signing_dialog.signing(desk, Visit(Say("en"), unlock=unlock, facts=facts))


@pytest.mark.parametrize(("facts", "says"), [({"demo_passphrase": DEMO}, True), ({}, False)])
def test_the_dialog_says_the_passphrase_in_a_demo_only(desk, facts, says):
    (item,) = stage(desk, "First claim.").items
    slip_in(desk, item)
    kwargs = {"desk": desk, "unlock": None, "facts": facts}
    app = AppTest.from_function(_dialog, kwargs=kwargs, default_timeout=60).run()
    assert not app.exception, app.exception
    assert (f"Demo passphrase: {DEMO}" in told(app)) is says
