"""Names that a request can be about: found literally, counted as the preview counts them."""

from __future__ import annotations

import pytest

from review.forget.scope import Scope
from tests.console.desks import desk_over, stage, store_for


@pytest.fixture
def desk(irina):
    made = desk_over(store_for(irina), irina)
    stage(made, "He pays late.", "He moved.", name="a", scope={"subject": "Client 4411"})
    stage(made, "She pays in time.", name="b", start=5, scope={"subject": "client 44110"})
    stage(made, "It rains.", name="c", start=6, scope={"town": "100%_sure"}, entities=("Zoë",))
    return made


def named(desk, words, **more):
    return [(one.name, one.records) for one in desk.forget.subjects(words, **more)]


def test_the_very_name_comes_first_and_longer_ones_after_it(desk):
    assert named(desk, " CLIENT 4411 ") == [("Client 4411", 2), ("client 44110", 1)]


def test_each_count_is_what_a_preview_of_that_name_covers(desk):
    for name, records in named(desk, ""):
        assert len(desk.forget.plan(Scope(subject=name)).of("erased")) >= records
        rows = [one for one in desk.forget.plan(Scope(subject=name)).rows if one.why == "subject"]
        assert len(rows) == records, name


@pytest.mark.parametrize("words", ["%", "_", ".*", "' or 1=1 --", "client 4412", "clientt 4411"])
def test_words_are_literal_and_nothing_like_them_is_offered(desk, words):
    wanted = [("100%_sure", 1)] if words in "100%_sure" else []
    assert named(desk, words) == wanted


def test_spellings_of_one_letter_are_one_and_the_list_is_short(desk):
    assert named(desk, "zoe\u0308") == [("Zoë", 1)]
    assert len(named(desk, "", most=2)) == 2
