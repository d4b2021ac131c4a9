"""Edit as new on the page: what it shows, what it offers, and what it is not."""

from __future__ import annotations

import pytest

from review.editing import Edit
from review.versions.replacing import replace
from store.cells import Kind
from tests.console.desks import desk_over, open_page, press, stage, store_for
from tests.review.rules import lessons


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def shown(app) -> str:
    every = (*app.info, *app.text, *app.caption, *app.error, *app.success, *app.warning)
    html = [one.proto.body for one in app.get("html")]
    return " ".join([*(str(one.value) for one in every), *html])


def edited(app, item, **dates):
    press(app, "act-edit")
    for name, value in dates.items():
        app.text_input(key=f"edit-{name}-{item}").input(value)
    next(one for one in app.button if one.label == "Stage the new record").click().run()
    assert not app.exception, app.exception
    return app


def test_an_edit_is_no_look_alike_of_what_it_replaces_and_shows_its_source(desk, irina):
    (old,) = stage(desk, "The main warehouse is Elektrostal.", name="mem0.json").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=old)
    edited(app, old, **{"from": "2026-03-01"})
    (draft,) = desk.drafts()
    assert draft.decision == "edit"
    assert desk.counts().lanes["duplicates"] == 0
    told = shown(app)
    assert "look-alike" not in told.lower()
    assert told.index("What it was edited from:") >= 0
    assert "<mark>The main warehouse is Elektrostal.</mark>" in told
    assert "mem0.json" in told
    again = app.query_params["item"]
    edited(app, again, **{"from": "2026-04-01"})
    assert "mem0.json" in shown(app)


def test_two_records_with_the_same_words_stay_look_alikes_beside_an_edit(desk, irina):
    (old,) = stage(desk, "The fee is 45.", name="a.jsonl").items
    stage(desk, "the fee is 45", name="b.jsonl", start=4)
    app = open_page("inbox", desk, reviewer=irina, lane="duplicates", item=old)
    edited(app, old, **{"from": "2026-03-01"})
    assert desk.counts().lanes["duplicates"] == 2


ANSWER = "For the winter season choose search campaigns only, because the format is lead forms."


def marking(app, item, *pairs):
    press(app, "choice-marking")
    app.text_input(key=f"task-{item}").input("choose channels")
    for n, (name, value) in enumerate(pairs):
        app.text_input(key=f"parameter-{item}-{n}").input(name)
        app.text_input(key=f"value-{item}-{n}").input(value)
    next(one for one in app.button if one.label == "Stage with its support").click().run()
    assert not app.exception, app.exception
    return app


def test_a_marking_names_the_fact_that_does_not_fit_and_says_how_many(desk, irina):
    (old,) = stage(desk, ANSWER).items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=old)
    marking(app, old, ("season", "winter"), ("format", "phone calls"))
    assert "two to four facts" in shown(app)
    assert any(one.value.startswith("Fact 2: its value") for one in app.error)
    assert desk.drafts() == []


@pytest.mark.parametrize(
    ("words", "kept"),
    [(ANSWER + " Look again in May.", True), ("Choose search campaigns only.", False)],
)
def test_editing_a_marked_record_keeps_the_marking_while_its_words_stand(desk, irina, words, kept):
    (old,) = stage(desk, ANSWER).items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", item=old)
    marking(app, old, ("season", "winter"), ("format", "lead forms"))
    marked = app.query_params["item"]
    press(app, "act-edit")
    app.text_area(key=f"edit-claim-{marked}").input(words)
    edited_now = next(one for one in app.button if one.label == "Stage the new record")
    edited_now.click().run()
    assert not app.exception, app.exception
    new = desk.card_of(app.query_params["item"])
    assert new.claim == words
    assert (new.conclusion is not None) is kept
    assert ("without its marking" in shown(app)) is not kept
    if kept:
        assert [fact.value for fact in new.conclusion.support] == ["winter", "lead forms"]
        assert new.conclusion.text == words


def test_an_owner_makes_the_new_record_immutable_and_a_blank_one_takes_it_away(desk, irina):
    (item,) = stage(desk, "Storage above 400 boxes costs 12 a day.").items
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus", item=item)
    edited(app, item, owner="Elektrostal warehouse")
    made = desk.card_of(app.query_params["item"])
    assert made.immutable == "owner:Elektrostal warehouse"
    assert "owner:Elektrostal warehouse" in shown(app)
    edited(app, made.item, owner="")
    last = desk.card_of(app.query_params["item"])
    assert last.item != made.item
    assert last.immutable is None


def test_p100_one_word_of_sixty_lines_is_what_a_new_version_shows(desk, irina):
    """P100: a card that shows the whole note again is approved without a look."""
    lines = [f"{n}. Step {n} of the closing list is done by the shift." for n in range(1, 61)]
    (old,) = stage(desk, "\n".join(lines)).items
    lessons.approve(desk, irina, old)
    lines[40] = lines[40].replace("the shift", "nobody")
    edit = Edit("\n".join(lines), Kind.FACT)
    (new,) = replace(desk, desk.card_of(old), edit).items
    app = open_page("inbox", desk, reviewer=irina, view="focus", item=new)
    (told,) = [one.proto.body for one in app.get("html") if "mc-diff" in one.proto.body]
    assert "<del>the shift</del>" in told
    assert "<ins>nobody</ins>" in told
    assert len(told) < 600
    assert "Struck through: what the older version said" in shown(app)
