"""What Different says on the Duplicates page: not of ticked records, nor of the same words."""

from __future__ import annotations

import pytest

from store.links import LinkVerdict
from tests.console.desks import desk_over, press, stage, store_for
from tests.console.test_pages_duplicates import FOUR, decide, page, sign


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def pairs(desk):
    (draft,) = desk.duplicates.drafts()
    assert {one.verdict for one in draft.links} == {LinkVerdict.DIFFERENT}
    return {frozenset((one.start.item, one.target.item)) for one in draft.links}


def test_different_is_said_only_of_what_is_not_ticked(desk, irina):
    items = stage(desk, *FOUR).items
    app = page(desk, irina)
    assert app.button(key="act-different").label == "Different 3"
    decide(app, desk, "act-different")
    assert pairs(desk) == {frozenset((items[3], other)) for other in items[:3]}
    sign(app)
    assert len(desk.standing().links) == 3


@pytest.mark.parametrize(("answer", "n"), [("others", 5), ("all", 6)])
def test_pairs_with_the_same_words_are_asked_about(desk, irina, answer, n):
    items = stage(desk, *FOUR).items
    app = page(desk, irina)
    for box in app.checkbox:
        box.uncheck()
    app.run()
    decide(app, desk, "act-different")
    assert desk.duplicates.drafts() == []
    assert "1 pair has the same words." in " ".join(one.value for one in app.text)
    desk.now()
    press(app, f"different-{answer}")
    same = frozenset((items[0], items[2]))
    assert len(pairs(desk)) == n
    assert (same in pairs(desk)) is (answer == "all")


def test_when_all_is_ticked_there_is_nothing_to_call_different(desk, irina):
    stage(desk, "The fee is 45.", "the fee is 45")
    app = page(desk, irina)
    assert app.button(key="act-different").label == "Different 0"
    assert app.button(key="act-different").disabled


def test_a_cluster_says_how_many_are_alike_and_how_many_differ(desk, irina):
    stage(desk, *FOUR)
    app = page(desk, irina)
    assert "3 alike, 1 differs" in [one.value for one in app.text]
    assert list(app.dataframe[0].value["n"]) == ["3 alike, 1 differs"]
    assert not any("100 % of the words" in x and "differs in" in x for x in texts(app))


def texts(app):
    return [str(one.value) for one in app.text]
