"""Rules through their widgets: the list, the dialogue over a text, what switches export off."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from console.bundles.exporting import Folders
from console.leaving import Exit
from console.signing import throwaway
from review.staged.placing import Writer
from store.stages import DecisionKind
from tests.bundles.checkout_worlds import checkout
from tests.bundles.checkout_worlds import git as run_git
from tests.bundles.told import trust_of
from tests.conftest import NOON, Clock, Reviewer
from tests.console.desks import PASSPHRASE, desk_over, open_page, press, store_for, unlocking
from tests.review.rules import lessons
from tests.review.run_worlds import reading

STRICT = "Always ship jackets to Elektrostal."


def ready(desk, reviewer):
    item = lessons.learn(desk, reviewer, lessons.supporting())
    desk.stage(reading([lessons.later()], name="later.jsonl"))
    return item


@pytest.fixture(scope="module")
def world():
    """A desk with one candidate that only lacks a text; nothing here writes to it."""
    far = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    reviewer = Reviewer("r-irina", throwaway(now=far))
    desk = desk_over(store_for(reviewer), reviewer)
    return desk, reviewer, ready(desk, reviewer)


@pytest.fixture
def candidate(world):
    """The page of that candidate."""
    desk, reviewer, item = world
    desk.rules.drafts.drop(item)
    return open_page("rules", desk, reviewer=reviewer, candidate=item), item


def page(desk, reviewer, **params):
    return open_page("rules", desk, reviewer=reviewer, **params)


def shown(app):
    kinds = (*app.info, *app.text, *app.caption, *app.error, *app.warning, *app.success)
    return " ".join(str(one.value) for one in kinds)


def drawn(app):
    return " ".join(str(one.value) for one in (*app.get("html"), *app.code))


def write(app, item, text):
    app.text_area(key=f"rule-text-{item}-0").input(text).run()
    assert not app.exception, app.exception
    return app


def accept(app, reason):
    press(app, "act-accept")
    next(one for one in app.text_area if one.key.startswith("rule-why-")).input(reason)
    next(one for one in app.button if one.label == "Accept this place").click().run()
    assert not app.exception, app.exception


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_without_candidates_the_page_says_when_one_appears(irina, lang):
    told = shown(page(desk_over(store_for(irina), irina), irina, lang=lang))
    assert ("at least 2 independent cases agree" in told) == (lang == "en")
    assert ("не меньше 2 независимых случаев" in told) == (lang == "ru")


def test_one_candidate_is_listed_with_its_numbers(world):
    (row,) = page(*world[:2]).dataframe[0].value.to_dict("records")
    assert row["claim"] == lessons.REASON
    assert (row["for"], row["against"], row["confidence"]) == ("5", "0", "1.00")
    assert (row["people"], row["days"], row["reached"]) == ("5", "24", "✓ all reached")


def test_a_filter_that_nothing_meets_says_how_many_there_are(world):
    app = page(*world[:2], show="below")
    assert "Nothing matches. There is 1 candidate." in shown(app)
    assert "Nothing matches." in shown(page(*world[:2], q="100%"))


def test_the_text_of_the_source_itself_is_fine_and_may_be_exported(candidate):
    app, _ = candidate
    assert "No change. Fine." in shown(app)
    assert "Nothing is missing." in shown(app)
    assert not app.button(key="act-export").disabled
    assert lessons.REASON in drawn(app)
    assert "known words. It can miss a stronger meaning" in shown(app)


def test_the_rules_that_were_evaluated_are_printed(candidate):
    """P102: the screen prints what is computed, not what a document says of it."""
    told = candidate[0].dataframe[0].value
    assert told["rule"][0] == "supporting / (supporting + contradicting)"
    assert list(told["wanted"]) == ["≥ 0.90", "≥ 5", "≥ 2", "≥ 14"]
    assert list(told["found"]) == ["1.00", "5", "5", "24"]
    assert set(told["passed"]) == {"✓ reached"}


def test_a_stricter_text_switches_export_off_until_each_place_has_a_reason(candidate):
    app, item = candidate
    write(app, item, STRICT)
    assert "STRONGER in 6 places. 6 still to settle." in shown(app)
    assert app.button(key="act-export").disabled
    assert "settle 6 places" in app.button(key="act-export").help
    accept(app, "   ")
    assert "A blank one settles nothing." in shown(app)
    next(one for one in app.button if one.label == "Cancel").click().run()
    for left in range(5, -1, -1):
        accept(app, "agreed in the meeting of 2 March")
        assert f"{left} still to settle." in shown(app)
    assert not app.button(key="act-export").disabled


def test_put_back_gives_the_words_of_the_source(candidate):
    app, item = candidate
    write(app, item, "Ship jackets to Elektrostal when Koledino was full, as in March.")
    before = shown(app)
    assert "STRONGER" in before
    while "STRONGER" in before:
        press(app, "act-put-back")
        assert shown(app) != before, "a press changes something"
        before = shown(app)
    assert not app.button(key="act-export").disabled


def test_places_are_walked_through_by_keys(candidate):
    app, item = candidate
    write(app, item, STRICT)
    assert app.button(key="act-put-back").label == "Remove"
    for _ in range(3):
        press(app, "act-next")
    assert app.button(key="act-put-back").label == "Put back"
    for _ in range(9):
        press(app, "act-previous")
    assert app.button(key="act-put-back").label == "Remove"


def test_the_words_that_a_rule_lost_are_marked_in_its_source(candidate):
    app, item = candidate
    write(app, item, STRICT)
    source = " ".join(str(one.value) for one in app.get("html"))
    for cue in ("March", "usually", "when Koledino was full"):
        assert f"<mark>{cue}</mark>" in source


def test_a_sentence_without_a_source_is_told(candidate):
    app, item = candidate
    write(app, item, f"{lessons.REASON} Pay couriers in cash.")
    assert "? no source for this sentence" in shown(app)
    assert "+ Pay couriers in cash" in shown(app)
    assert "Nothing can be said of 1 place" in shown(app)
    assert app.button(key="act-export").disabled
    accept(app, "The owner of the yard asked for it.")
    assert not app.button(key="act-export").disabled
    press(app, "act-put-back")
    assert "No change. Fine." in shown(app)


def test_a_text_that_nothing_in_the_source_says_is_not_exported(candidate):
    app, item = candidate
    write(app, item, "Pay couriers in cash.")
    assert "no sentence of the rule has a source" in shown(app)
    assert app.button(key="act-export").disabled


def test_the_preview_is_the_body_of_the_pull_request(candidate):
    app, _ = candidate
    press(app, "act-preview")
    assert "## Its source, word for word" in drawn(app)
    assert "Nothing has been signed." in shown(app)


def test_young_cases_that_nothing_else_tried_are_below_and_say_so(irina):
    desk = desk_over(store_for(irina), irina)
    recent = lessons.stamp(NOON - timedelta(days=3))
    item = lessons.learn(desk, irina, lessons.supporting(at=recent))
    assert page(desk, irina).dataframe[0].value["reached"][0] == "✕ below: days"
    app = page(desk, irina, candidate=item)
    assert "the oldest case is too young: 3 < 14" in shown(app)
    assert "no other run says whether it holds" in shown(app)
    assert app.button(key="act-export").disabled


def test_an_unknown_candidate_and_one_that_is_no_insight_any_more_are_told(irina):
    desk = desk_over(store_for(irina), irina)
    assert "No such durable insight" in shown(page(desk, irina, candidate="01XYZ"))
    item = lessons.learn(desk, irina, lessons.supporting())
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    assert "No such durable insight" in shown(page(desk, irina, candidate=item))


def test_nobody_may_look_but_not_export(world):
    app = open_page("rules", desk_over(world[0].store), candidate=world[2])
    assert app.button(key="act-export").disabled
    assert "set a reviewer identity" in shown(app)


HOSTILE = "Ship ![x](http://evil.test/a.png) :red[jackets] <img src=x onerror=alert(1)> @all #1."


def test_hostile_words_are_drawn_as_they_are(irina):
    desk = desk_over(store_for(irina), irina)
    item = lessons.learn(desk, irina, lessons.supporting(reason=HOSTILE))
    app = page(desk, irina, candidate=item)
    assert HOSTILE in drawn(app)
    loud = (*app.markdown, *app.caption, *app.info, *app.warning)
    assert not any("evil.test" in str(one.value) for one in loud)


# --- drafts -----------------------------------------------------------------------------------


def box(app, item):
    (found,) = [one for one in app.text_area if one.key.startswith(f"rule-text-{item}-")]
    return found.value


def test_a_draft_is_found_again_by_another_session_with_its_reasons(candidate, world):
    app, item = candidate
    write(app, item, STRICT)
    accept(app, "agreed in the meeting of 2 March")
    app.selectbox(key=f"rule-target-{item}").select("runbook").run()
    app.text_input(key=f"rule-owner-{item}").input("logistics").run()
    assert "Draft kept." in shown(app)
    again = page(*world[:2], candidate=item)
    assert box(again, item) == STRICT
    assert "5 still to settle." in shown(again)
    assert "Your draft from an earlier session" in shown(again)
    assert again.selectbox(key=f"rule-target-{item}").value == "runbook"
    assert again.text_input(key=f"rule-owner-{item}").value == "logistics"
    listed = page(*world[:2])
    assert listed.dataframe[0].value["claim"][0].startswith("✎ ")
    assert "You have a draft of 1 candidate" in shown(listed)


def test_a_draft_can_be_given_up_and_then_nothing_is_kept(candidate, world):
    app, item = candidate
    write(app, item, STRICT)
    press(app, "act-start-over")
    assert box(app, item) == lessons.REASON
    assert "No change. Fine." in shown(app)
    assert world[0].rules.drafts.items() == frozenset()
    assert box(page(*world[:2], candidate=item), item) == lessons.REASON


def test_the_source_in_its_own_words_is_no_draft(candidate, world):
    assert world[0].rules.drafts.items() == frozenset()


def test_a_draft_with_a_secret_is_not_written_down(candidate, world):
    app, item = candidate
    write(app, item, STRICT)
    assert world[0].rules.drafts.items() == {item}
    write(app, item, f"{STRICT} Key AKIA" + "IOSFODNN7" + "EXAMPLE.")
    assert "looks like a secret" in shown(app)
    assert world[0].rules.drafts.items() == frozenset()


def test_nobody_keeps_no_draft(world):
    desk, _, item = world
    desk.rules.drafts.drop(item)
    reading_only = desk_over(desk.store)
    app = open_page("rules", reading_only, candidate=item)
    write(app, item, STRICT)
    assert reading_only.rules.drafts.items() == frozenset()


def test_a_draft_of_an_earlier_revision_is_not_taken_up(candidate, world):
    app, item = candidate
    write(app, item, STRICT)
    desk = world[0]
    opened = desk.rules.open(item)
    other = replace(opened, learned=replace(opened.learned, artifact="f" * 64))
    assert desk.rules.drafts.found(opened) is not None
    assert desk.rules.drafts.found(other) is None


def test_an_exported_rule_leaves_no_draft_behind(irina, tmp_path):
    desk = desk_over(store_for(irina), irina)
    item = ready(desk, irina)
    app = leaving_page(desk, irina, tmp_path, candidate=item)
    app.text_input(key=f"rule-owner-{item}").input("logistics").run()
    assert desk.rules.drafts.items() == {item}
    press(app, "act-export")
    sign(app, "Sign and export")
    assert desk.standing().exports
    assert desk.rules.drafts.items() == frozenset()


# --- leaving ----------------------------------------------------------------------------------


def _leaving(desk, unlock, exit_):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import rules
    from console.words import Say

    rules.render(desk, Visit(Say("en"), unlock=unlock, leaving=exit_))


def leaving_page(desk, reviewer, home, **params):
    """The page with a way out into a folder."""
    folders = Folders(home, desk.store, lambda: trust_of(reviewer))
    exit_ = Exit(folders, Writer("p-test", Clock(), random.Random(3).randbytes))
    kwargs = {"desk": desk, "unlock": unlocking(reviewer), "exit_": exit_}
    app = AppTest.from_function(_leaving, kwargs=kwargs, default_timeout=120)
    for key, value in params.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def sign(app, label, passphrase=PASSPHRASE):
    app.text_input(key="passphrase").input(passphrase)
    next(one for one in app.button if one.label == label).click().run()
    assert not app.exception, app.exception


def test_a_rule_leaves_under_a_passphrase_and_is_withdrawn_under_one(irina, tmp_path):
    desk = desk_over(store_for(irina), irina)
    item = ready(desk, irina)
    app = leaving_page(desk, irina, tmp_path, candidate=item)
    press(app, "act-export")
    assert "Your signature covers the rule" in shown(app)
    sign(app, "Sign and export", "wrong")
    assert desk.standing().exports == {}
    sign(app, "Sign and export")
    (one,) = desk.standing().exports.values()
    assert (one.item, one.by) == (item, irina.name)
    (folder,) = (tmp_path / "exports" / "tenant-1" / "memory-rules").iterdir()
    assert lessons.REASON in (folder / "source.txt").read_text(encoding="utf-8")
    assert app.query_params["export"] in (one.export, [one.export])
    assert str(folder) in drawn(app)
    assert desk.card_of(item).provenance["validation_state"] == "unverified"
    again = leaving_page(desk, irina, tmp_path, candidate=item)
    assert "This insight left before, as 1 export that stands." in shown(again)
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    app = leaving_page(desk, irina, tmp_path)
    assert "1 exported rule stands on fallen ground" in shown(app)
    assert app.dataframe[0].value["state"][0] == "▲ The decision on its source was withdrawn."
    app = leaving_page(desk, irina, tmp_path, export=one.export)
    press(app, "act-withdraw-export")
    sign(app, "Sign")
    assert desk.standing().exports[one.export].withdrawn
    assert "fallen ground" not in shown(leaving_page(desk, irina, tmp_path))
    assert folder.is_dir(), "files are files"


def test_a_checkout_that_is_none_keeps_the_rule_in_and_says_why(world, tmp_path):
    desk, reviewer, item = world
    desk.rules.drafts.drop(item)
    app = leaving_page(desk, reviewer, tmp_path, candidate=item)
    press(app, "act-export")
    app.text_input(key="rule-checkout").input(str(tmp_path / "nowhere"))
    sign(app, "Sign and export")
    assert "there is no folder" in drawn(app)
    assert desk.standing().exports == {}
    assert not (tmp_path / "exports").exists()


@pytest.mark.parametrize("target", ["agents_section", "claude_section", "skill"])
def test_every_target_has_a_preview_before_a_checkout_is_named(candidate, target):
    app, item = candidate
    app.selectbox(key=f"rule-target-{item}").select(target).run()
    press(app, "act-preview")
    assert not app.exception
    assert "## Its source, word for word" in drawn(app)


def _dirty(place):
    (place / "AGENTS.md").write_bytes(b"Be quick.\n")


def _fenced(place):
    (place / "AGENTS.md").write_bytes(b"```sh\nmake\n")
    run_git(place, "commit", "-q", "-a", "-m", "fence")


def _linked(place):
    (place / "AGENTS.md").unlink()
    (place / "AGENTS.md").symlink_to(place.parent / "elsewhere")


def _ignored(place):
    (place / ".gitignore").write_text(".claude/\n")


def _inside(place):
    return place / "docs"


@pytest.mark.parametrize(
    ("spoil", "target", "why"),
    [
        (_dirty, "agents_section", "has changes that are not committed"),
        (_fenced, "agents_section", "ends inside a code fence that line 1 opens"),
        (_linked, "agents_section", "is a link or cannot be read"),
        (_ignored, "claude_rules", "git would not take .claude/rules/"),
        (_inside, "claude_rules", "lies inside a checkout"),
        (lambda _: "", "agents_section", "needs the checkout it goes to"),
    ],
)
def test_what_is_in_the_way_of_a_rule_is_said_and_nothing_is_signed(
    world, tmp_path, spoil, target, why
):
    desk, reviewer, item = world
    desk.rules.drafts.drop(item)
    place = checkout(tmp_path / "shop", {"AGENTS.md": b"Be kind.\n", "docs/a.md": b"a\n"})
    named = spoil(place)
    app = leaving_page(desk, reviewer, tmp_path / "home", candidate=item)
    app.selectbox(key=f"rule-target-{item}").select(target).run()
    press(app, "act-export")
    app.text_input(key="rule-checkout").input(str(place if named is None else named))
    sign(app, "Sign and export")
    assert why in drawn(app)
    assert "Nothing was exported" in drawn(app)
    assert desk.standing().exports == {}
    assert not (tmp_path / "home" / "exports").exists()


def test_an_insight_that_falls_while_its_dialog_is_open_does_not_leave(irina, tmp_path):
    desk = desk_over(store_for(irina), irina)
    item = ready(desk, irina)
    app = leaving_page(desk, irina, tmp_path, candidate=item)
    press(app, "act-export")
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    app.text_input(key="passphrase").input(PASSPHRASE)
    next(one for one in app.button if one.label == "Sign and export").click().run()
    assert not app.exception
    assert "No such durable insight" in shown(app)
    assert desk.standing().exports == {}
    assert not (tmp_path / "exports").exists()
