"""A model's draft on the Rules page: put into the box, marked, checked like any text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from console.signing import throwaway
from review.proposals.jobs import Job
from tests.conftest import Reviewer
from tests.console.desks import desk_over, press, store_for, unlocking
from tests.console.messages_stub import fault, message, replying
from tests.console.model_worlds import adapter, help_over, stub
from tests.review.rules import lessons
from tests.review.run_worlds import reading

STRICT = "Always ship jackets to Elektrostal."


@pytest.fixture(scope="module")
def template():
    far = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    reviewer = Reviewer("r-irina", throwaway(now=far))
    desk = desk_over(store_for(reviewer), reviewer)
    item = lessons.learn(desk, reviewer, lessons.supporting())
    desk.stage(reading([lessons.later()], name="later.jsonl"))
    return desk, reviewer, item


def _page(desk, unlock, help_):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import rules
    from console.words import Say

    rules.render(desk, Visit(Say("en"), unlock=unlock, model=help_))


def page(template, help_) -> AppTest:
    desk, reviewer, item = template
    kwargs = {"desk": desk, "unlock": unlocking(reviewer), "help_": help_}
    app = AppTest.from_function(_page, kwargs=kwargs, default_timeout=60)
    app.query_params["candidate"] = item
    app.run()
    assert not app.exception, app.exception
    return app


def shown(app):
    kinds = (*app.info, *app.text, *app.caption, *app.error, *app.warning, *app.success)
    return " ".join(str(one.value) for one in kinds).replace("\\", "")


def keys(app):
    return {one.key for one in app.button}


def text_of(app, item):
    (box,) = [one for one in app.text_area if one.key.startswith(f"rule-text-{item}-")]
    return box.value


# The tests run in this order: the last ones rely on nothing being recorded before.


def test_with_model_help_off_the_page_says_nothing_of_it(template, tmp_path):
    off = help_over(template[0], adapter(tmp_path, "http://127.0.0.1:9", on=False))
    assert "act-model-rule" not in keys(page(template, off))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"key": None}, "There is no key"),
        ({"tokens_per_day": 10}, "budget of the day"),
        ({"money_per_day": "0", "price_in": "3", "price_out": "15"}, "budget of the day"),
    ],
)
def test_without_a_key_or_a_budget_the_button_is_off_and_says_why(
    template, tmp_path, changes, why
):
    help_ = help_over(template[0], adapter(tmp_path, "http://127.0.0.1:9", **changes))
    app = page(template, help_)
    assert app.button(key="act-model-rule").disabled
    assert why in shown(app)


def test_a_failed_call_and_a_refusal_say_so_and_leave_the_text(template, tmp_path):
    with stub(lambda _: fault(529, "overloaded_error")) as server:
        app = page(template, help_over(template[0], adapter(tmp_path, server.address)))
        press(app, "act-model-rule")
    assert "overloaded" in shown(app)
    assert text_of(app, template[2]) == lessons.REASON


def test_a_draft_is_put_into_the_box_marked_checked_and_asked_for_once(template, tmp_path):
    desk, _, item = template
    before = desk.card_of(item).artifact
    with stub(replying({"rule": STRICT})) as server:
        app = page(template, help_over(desk, adapter(tmp_path, server.address)))
        assert not server.heard
        press(app, "act-model-rule")
        assert text_of(app, item) == STRICT
        assert "a draft by stub-model, rule/1: a model's words" in shown(app)
        assert "STRONGER in 6 places. 6 still to settle." in shown(app)
        assert app.button(key="act-export").disabled
        press(app, "act-model-back")
        assert text_of(app, item) == lessons.REASON
        assert "a model's words" not in shown(app)
        press(app, "act-model-rule")
        assert len(server.heard) == 1
        box = next(one for one in app.text_area if one.key.startswith("rule-text-"))
        box.input(f"{STRICT} Or not.").run()
    assert "Begun from a draft by stub-model, rule/1, and changed since." in shown(app)
    assert desk.card_of(item).artifact == before
    assert desk.standing().exports == {}


def test_what_was_recorded_is_taken_without_a_key_and_nobody_is_asked(template, tmp_path):
    desk, _, item = template
    silent = adapter(tmp_path, "http://127.0.0.1:9", key=None)
    app = page(template, help_over(desk, silent))
    assert app.button(key="act-model-rule").label == "Take the recorded draft"
    press(app, "act-model-rule")
    assert text_of(app, item) == STRICT
    assert help_over(desk, None).last(item, Job.RULE) is not None
    assert silent.spending().calls == 0


def test_hidden_characters_of_a_draft_are_marks_in_the_box(irina, tmp_path):
    desk = desk_over(store_for(irina), irina)
    item = lessons.learn(desk, irina, lessons.supporting())
    told = (desk, irina, item)
    with stub(lambda _: message('{"rule": "Ship\\u202e it <img src=x>"}')) as server:
        app = page(told, help_over(desk, adapter(tmp_path, server.address)))
        press(app, "act-model-rule")
    assert "\u202e" not in text_of(app, item)
    loud = (*app.info, *app.caption, *app.error, *app.warning, *app.success, *app.markdown)
    assert not any("<img" in str(one.value) for one in loud)
