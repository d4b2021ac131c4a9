"""The Duplicates page through its widgets, down to the signed event and back."""

from __future__ import annotations

import pytest

from console.words import Say
from store.cells import SourceType
from store.links import LinkVerdict
from store.stages import Stage
from tests.console.desks import (
    PASSPHRASE,
    desk_over,
    open_page,
    press,
    stage,
    store_for,
)

FOUR = (
    "warehouse = Elektrostal",
    "main warehouse: Elektrostal",
    "Warehouse = Elektrostal.",
    "warehouse = Elektrougli",
)


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def shown(app):
    kinds = (*app.info, *app.text, *app.caption, *app.error, *app.warning, *app.subheader)
    return " ".join(one.value for one in kinds)


def ticks(app):
    return [one.value for one in app.checkbox]


def page(desk, irina, **params):
    return open_page("duplicates", desk, reviewer=irina, **params)


def decide(app, desk, key):
    """Press after having looked: the clock of the desk moves with each reading."""
    desk.now()
    return press(app, key)


def sign(app, passphrase=PASSPHRASE):
    press(app, "act-sign-links")
    app.text_input(key="passphrase").input(passphrase)
    button = next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign-links"
    )
    button.click().run()
    assert not app.exception, app.exception
    return app


def test_an_empty_store_has_no_look_alikes_and_says_how_many_were_compared(desk, irina):
    assert "Compared 0 records. No look-alikes are open." in shown(page(desk, irina))


def test_the_cluster_shows_what_differs_and_chooses_only_what_does_not(desk, irina):
    stage(desk, *FOUR)
    app = page(desk, irina)
    assert ticks(app) == [True, True, False]
    told = shown(app)
    assert "Cluster 1 of 1" in told
    assert "value, may be an update, name" in told
    assert "4 records" in told.replace("Compared ", "")
    assert app.button(key="act-link").label == "Link 2"


def test_a_link_is_signed_as_a_record_and_changes_no_stage(desk, irina):
    items = stage(desk, *FOUR).items
    app = page(desk, irina)
    decide(app, desk, "act-link")
    assert "2 links drafted. Undo: U" in shown(app)
    assert desk.standing().links == {}
    sign(app)
    assert "Signed and recorded: 2 statements about pairs." in shown(app)
    event = desk.store.events()[-1]
    assert (event.type, event.actor_kind) == ("links.decided", "human_key")
    links = desk.standing().links.values()
    assert {one.link.verdict for one in links} == {LinkVerdict.ASSERTED}
    assert {one.link.target.item for one in links} == {items[0]}
    assert {desk.standing().stage_of(item, 1) for item in items} == {Stage.STAGED}
    assert desk.counts().stages == {"staged": 4}


def test_what_was_told_different_does_not_come_back_from_another_import(desk, irina):
    stage(desk, "deadline 15 October", "deadline 16 October")
    app = page(desk, irina)
    assert "All of these differ from each other" in shown(app)
    assert app.button(key="act-link").disabled
    decide(app, desk, "act-different")
    sign(app)
    assert "No look-alikes are open." in shown(page(desk, irina))
    stage(desk, "Deadline: 15 October", "deadline 16 october!", name="other.jsonl", start=7)
    app = page(desk, irina)
    assert "Cluster 1 of 2" in shown(app)
    assert desk.duplicates.page().counts == {
        "exact": 0,
        "normalised": 2,
        "similar": 0,
        "differs": 0,
    }


def test_a_wrong_passphrase_signs_nothing_and_the_drafts_stay(desk, irina):
    stage(desk, *FOUR)
    app = page(desk, irina)
    decide(app, desk, "act-link")
    size = desk.head().size
    sign(app, "wrong")
    assert app.error
    assert desk.head().size == size
    assert [len(one.links) for one in desk.duplicates.drafts()] == [2]


def test_undo_takes_the_whole_press_back(desk, irina):
    stage(desk, *FOUR)
    app = page(desk, irina)
    decide(app, desk, "act-link")
    press(app, "act-undo-links")
    assert desk.duplicates.drafts() == []
    assert "Cluster 1 of 1" in shown(app)


def test_a_signed_link_can_be_taken_back_by_a_new_record(desk, irina):
    stage(desk, "The fee is 45.", "the fee is 45")
    app = page(desk, irina)
    decide(app, desk, "act-link")
    sign(app)
    app = page(desk, irina, method="told")
    button = next(one for one in app.button if str(one.key).startswith("take-back-"))
    press(app, button.key)
    sign(app)
    assert desk.standing().links == {}
    assert desk.store.events()[-1].type == "links.decided"
    assert "Cluster 1 of 1" in shown(page(desk, irina))


def test_a_signed_link_is_on_both_cards_and_in_the_ledger_of_both(desk, irina):
    one, two = stage(desk, "The fee is 45.", "the fee is 45").items
    app = page(desk, irina)
    decide(app, desk, "act-link")
    sign(app)
    for item, other in ((one, two), (two, one)):
        (told,) = desk.card_of(item).links
        assert (told.kind, told.other, told.asserter) == ("duplicate_of", other, "person")
        kinds = [row.type for row in desk.journal.page(item=item).rows]
        assert "links.decided" in kinds


def test_another_record_can_be_kept_and_the_differences_are_told_from_there(desk, irina):
    items = stage(desk, *FOUR).items
    app = page(desk, irina)
    press(app, "keep-4")
    assert ticks(app) == [False, False, False]
    assert app.button(key="act-link").disabled
    press(app, "keep-2")
    decide(app, desk, "act-link")
    (draft,) = desk.duplicates.drafts()
    assert items[3] not in {one.start.item for one in draft.links}


def test_a_press_at_once_is_not_taken(irina):
    desk = desk_over(store_for(irina), irina)
    stage(desk, *FOUR)
    now = desk.now()
    app = page(desk, irina)
    app.session_state["drawn"] = type(app.session_state["drawn"])(
        app.session_state["drawn"].item,
        app.session_state["drawn"].artifact,
        app.session_state["drawn"].nonce,
        now.replace("2026", "2099"),
    )
    press(app, "act-link")
    assert desk.duplicates.drafts() == []
    assert "Too fast: not recorded." in shown(app)


def test_nobody_can_look_and_not_decide(irina):
    desk = desk_over(store_for(irina))
    stage(desk, *FOUR)
    app = open_page("duplicates", desk)
    assert app.button(key="act-link").disabled
    assert app.button(key="act-different").disabled
    assert ticks(app) == [True, True, False]


def test_text_of_a_model_is_said_to_be_one_voice_and_nothing_is_chosen(desk, irina):
    claims = ("User works at Initech", "The user is employed by Initech", "user works at initech")
    stage(desk, *claims, source_type=SourceType.MODEL_EXTRACTION)
    app = page(desk, irina)
    assert "3 of 3 come from assistant turns or from a model" in shown(app)
    assert ticks(app) == [False, False]


def test_drafts_from_another_window_are_named_and_need_a_look(desk, irina):
    stage(desk, *FOUR)
    opened = desk.duplicates.cluster(desk.duplicates.page().rows[0].cluster.id)
    desk.duplicates.link(opened, [opened.shown[1].row.item], "n-elsewhere")
    app = page(desk, irina)
    press(app, "act-sign-links")
    assert app.warning
    button = next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign-links"
    )
    assert button.disabled
    looked = next(one for one in app.checkbox if str(one.key).startswith("sign-looked"))
    looked.check().run()
    app.text_input(key="passphrase").input(PASSPHRASE)
    next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign-links"
    ).click().run()
    assert len(desk.standing().links) == 1


def test_a_cluster_of_many_is_drawn_in_pages_and_only_the_drawn_are_linked(desk, irina):
    stage(desk, *(f"{'the ' * (n % 3)}fee is 45{'!' * n}" for n in range(40)))
    app = page(desk, irina)
    assert app.button(key="act-link").label == "Link 24"
    assert app.button(key="act-different").disabled
    assert "page 1 of 2" in shown(app)


def test_the_page_speaks_russian(desk, irina):
    stage(desk, "склад = Электросталь", "Склад = Электросталь.", "склад = Электроугли")
    app = page(desk, irina, lang="ru")
    assert "Группа 1 из 1" in shown(app)
    assert app.button(key="act-link").label == "Связать: 1"
    assert Say("ru").plain("difference.value") in shown(app)


def test_hostile_words_are_shown_as_marks(desk, irina):
    stage(desk, "fee \u202e is 45 <b>x</b>", "Fee \u202e is 45 <b>x</b>")
    app = page(desk, irina)
    drawn = " ".join(one.value for one in app.html)
    assert "⟦U+202E RLO⟧" in drawn
    assert "<b>" not in drawn
