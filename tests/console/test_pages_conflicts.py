"""Conflicts, the stale lane and the past, through their widgets down to the signed event."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from review.deciding import Wish
from review.identities import short
from review.queue import Wanted
from review.recall import Question
from store.links import LinkVerdict
from store.stages import DecisionKind, Stage
from tests.console.desks import (
    PASSPHRASE,
    desk_over,
    open_page,
    press,
    stage,
    store_for,
    unlocking,
)

TWO = ("Alex lives in Seattle.", "Alex lives in Boston.")
WAREHOUSES = (
    "The main warehouse for the jackets is Koledino.",
    "For shipping to Koledino we use the carrier Delovye Linii, on Tuesdays.",
)
MOVE = "From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal."
HOSTILE = "Alex lives in ![x](http://evil.test/a.png) :red[Boston] <img src=x onerror=alert(1)>."


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def durable(desk, irina, *claims, **changes):
    """Stage and sign through the desk."""
    items = stage(desk, *claims, **changes).items
    for item in items:
        card = desk.card_of(item)
        seen = tuple(str(flag.code) for flag in card.flags)
        wish = Wish(DecisionKind.APPROVE, acknowledged=seen, nonce=desk.new_nonce())
        desk.draft(card, wish)
    with unlocking(irina)(PASSPHRASE) as signer:
        desk.sign(signer)
    return items


def shown(app):
    kinds = (*app.info, *app.text, *app.caption, *app.error, *app.warning, *app.subheader)
    return " ".join(str(one.value) for one in kinds)


def page(desk, irina, name="conflicts", **params):
    return open_page(name, desk, reviewer=irina, **params)


def draft(app, why="I was there"):
    app.text_input(key="edge-why").input(why)
    button = next(one for one in app.button if one.key == "edge-draft" or one.label == "Draft")
    button.click().run()
    assert not app.exception, app.exception
    return app


def sign(app, passphrase=PASSPHRASE):
    press(app, "act-sign-links")
    app.text_input(key="passphrase").input(passphrase)
    button = next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign-links"
    )
    button.click().run()
    assert not app.exception, app.exception
    return app


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_an_empty_store_has_no_conflicts_and_says_how_many_were_compared(desk, irina, lang):
    told = shown(page(desk, irina, lang=lang))
    assert ("No open conflicts. 0 durable records" in told) == (lang == "en")


def test_one_conflict_is_opened_with_its_picture_and_why_it_is_open(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina)
    assert "1 open conflict" in shown(app)
    assert "nobody can tell which is later" in shown(app)
    assert "0.60" in shown(app)
    assert len(app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")) == 1


def test_the_table_twin_says_the_same(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina, view="table")
    nodes, edges = app.dataframe[1].value, app.dataframe[2].value
    assert sorted(nodes["claim"]) == sorted(TWO)
    assert set(nodes["status"]) == {"■ active"}
    assert list(edges["kind"]) == ["conflicts with"]
    assert list(edges["strength"]) == ["0.60"]
    assert "by rule" in edges["who"][0]


def test_a_person_settles_a_conflict_and_it_leaves_the_list(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina)
    focus = desk.graph.at().conflicts[0].items[0]
    press(app, "act-wins-this-0")
    assert "becomes superseded" in shown(app)
    draft(app, "Alex told us on the phone")
    assert len(desk.duplicates.drafts()) == 1
    assert len(desk.graph.at().conflicts) == 1
    sign(app)
    assert len(desk.graph.at().conflicts) == 0
    (told,) = desk.standing().links.values()
    assert (told.link.start.item, told.link.verdict) == (focus, LinkVerdict.ASSERTED)
    assert (
        desk.store.payloads([told.link.note])[told.link.note].body == b"Alex told us on the phone"
    )
    assert "No open conflicts." in shown(page(desk, irina))
    told = page(desk, irina, focus=focus)
    assert "Alex told us on the phone" in " ".join(str(one.value) for one in told.get("html"))


def test_both_hold_is_a_signed_denial_that_can_be_taken_back(desk, irina):
    items = durable(desk, irina, *TWO)
    app = page(desk, irina)
    press(app, "act-not-0")
    sign(draft(app, "Two people of that name"))
    assert len(desk.graph.at().conflicts) == 0
    app = page(desk, irina, focus=items[0])
    assert "does not hold: conflicts with" in shown(app)
    press(app, "act-restore-0")
    sign(draft(app, "I mixed them up"))
    assert len(desk.graph.at().conflicts) == 1


def test_a_reason_is_asked_for_and_nothing_is_drafted_without_it(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina)
    press(app, "act-wins-other-0")
    draft(app, "   ")
    assert desk.duplicates.drafts() == []
    assert "Say why" in shown(app)


def test_a_wrong_passphrase_signs_nothing(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina)
    press(app, "act-not-0")
    sign(draft(app), "wrong horse")
    assert desk.standing().links == {}
    assert "Wrong passphrase" in shown(app)


def test_without_an_identity_nothing_can_be_said_of_an_edge(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk_over(desk.store), irina)
    for key in ("act-wins-this-0", "act-not-0", "act-edge-new"):
        assert app.button(key=key).disabled


def test_hostile_text_stays_text_in_the_picture_and_the_table(desk, irina):
    durable(desk, irina, HOSTILE, TWO[0])
    for params in ({}, {"view": "table"}):
        for item in [one for one in desk.graph.at().known.cells.text("item")]:
            app = page(desk, irina, focus=str(item), **params)
            for one in (*app.markdown, *app.caption, *app.warning):
                assert "evil.test" not in one.value


def test_many_conflicts_are_paged_and_the_next_one_is_a_key_away(desk, irina):
    claims = [f"{name}{n} lives in {city}." for n in range(30) for name in ("Alex", "Boris")
              for city in ("Seattle", "Boston")]  # fmt: skip
    durable(desk, irina, *claims)
    app = page(desk, irina)
    assert len(app.dataframe[0].value) == 50
    assert "60 open conflicts" in shown(app)
    first = app.query_params.get("focus")
    press(app, "act-next")
    assert app.query_params.get("focus") != first
    assert len(page(desk, irina, p="2").dataframe[0].value) == 10


def test_an_unknown_focus_tells_nothing_of_it(desk, irina):
    durable(desk, irina, *TWO)
    app = page(desk, irina, focus="somebody-elses")
    assert "not durable at this moment" in shown(app)


@pytest.fixture
def moved(desk, irina):
    items = durable(desk, irina, *WAREHOUSES, written_at="2025-11-10T10:00:00Z")
    (last,) = durable(desk, irina, MOVE, written_at="2026-02-15T10:00:00Z", start=5,
                      name="order.jsonl")  # fmt: skip
    return (*items, last)


def test_the_stale_lane_shows_the_path_and_a_signature_ends_it(desk, irina, moved):
    app = page(desk, irina, "inbox", lane="stale")
    told = " ".join(str(one.value) for one in app.get("html")) + shown(app)
    assert WAREHOUSES[1] in told
    press(app, "act-holds-0")
    assert "is no longer stale" in shown(app)
    sign(draft(app, "The carrier serves both"))
    assert desk.graph.stale().total == 0
    assert "No durable record has lost" in shown(page(desk, irina, "inbox", lane="stale"))


def test_withdrawing_says_first_what_follows(desk, irina, moved):
    app = page(desk, irina, "fact", id=moved[2])
    press(app, "act-withdraw")
    told = shown(app)
    assert "is no longer superseded" in told
    assert "is no longer stale" in told


def test_the_passport_shows_life_versions_and_edges(desk, irina, moved):
    app = page(desk, irina, "fact", id=moved[0], tab="life")
    told = shown(app)
    assert "✚ superseded" in told
    assert "2026-03-01" in told
    assert "takes effect 2026-03-01" in told
    assert "2 edges" in told
    assert "No past answer" in shown(page(desk, irina, "fact", id=moved[0], tab="used"))


def test_a_past_moment_is_a_banner_and_offers_no_act(desk, irina, moved):
    events = desk.store.events()
    first = next(one for one in events if one.type == "batch.decided").recorded_at
    app = page(desk, irina, "fact", id=moved[0], tab="life", asof=first)
    assert "This page shows the past" in shown(app)
    assert "■ active" in shown(app)
    assert "✚ superseded" not in shown(app)
    assert not [one for one in app.button if one.key == "act-withdraw"]
    facts = page(desk, irina, "facts", asof=first)
    assert len(facts.dataframe[0].value) == 2
    assert set(facts.dataframe[0].value["status"]) == {"■ active"}
    assert len(page(desk, irina, "facts").dataframe[0].value) == 3
    assert "not durable at this moment" in shown(
        page(desk, irina, "conflicts", focus=moved[2], asof=first)
    )


def test_presets_write_a_plain_moment_and_the_way_back_leaves_the_url(desk, irina, moved):
    app = page(desk, irina, "facts")
    app.selectbox(key="as_of").set_value("before").run()
    assert not app.exception, app.exception
    told = app.query_params["asof"]
    told = told[0] if isinstance(told, list) else told
    assert told.endswith("Z")
    assert told < desk.graph.last_decision()
    assert len(app.dataframe[0].value) == 2
    press(app, "act-now")
    assert len(app.dataframe[0].value) == 3


@pytest.mark.parametrize("told", ["yesterday", "2999-01-01T00:00:00Z", "0000", "<b>"])
def test_a_moment_that_is_none_shows_the_present_and_says_so(desk, irina, moved, told):
    app = page(desk, irina, "facts", asof=told)
    assert len(app.dataframe[0].value) == 3
    assert "Write the moment as" in shown(app)


def test_facts_are_listed_by_status(desk, irina, moved):
    app = page(desk, irina, "facts", status="STALE")
    assert list(app.dataframe[0].value["claim"]) == [WAREHOUSES[1]]


def test_the_card_says_what_approving_would_do_to_past_answers(desk, irina):
    items = durable(desk, irina, *WAREHOUSES, written_at="2025-11-10T10:00:00Z")
    moment = desk._writer.clock.now + timedelta(days=-8)
    for _ in range(2):
        answered = desk.ask(Question("Where do we ship the jackets?", asked_at=moment))
        desk.record_recall(answered.recall)
    (order,) = stage(desk, MOVE, written_at="2026-02-15T10:00:00Z", start=5, name="o.jsonl").items
    told = desk.consequence(desk.card_of(order))
    assert items[0] in told.superseded
    assert dict(told.used)[items[0]] == 2
    app = page(desk, irina, "inbox", lane="routine", item=order)
    assert "2 past answers used" in shown(app).replace("\\", "")
    assert desk.standing().stage_of(order, 1) == Stage.STAGED


def test_an_edge_is_drawn_to_a_record_that_a_search_finds(desk, irina):
    items = durable(desk, irina, "The hotel Volga is booked.", "DevConf takes place in June.")
    app = page(desk, irina, focus=items[0])
    press(app, "act-edge-new")
    app.selectbox(key="edge-kind").set_value("depends_on").run()
    app.text_input(key="edge-search").input("DevConf").run()
    box = app.selectbox(key="edge-other")
    assert sum("DevConf" in one for one in box.options) == 1
    box.set_value(f"{short(items[1])} DevConf takes place in June.").run()
    press(app, "edge-next")
    sign(draft(app, "The room is for the conference"))
    (told,) = desk.standing().links.values()
    assert [told.link.start.item, told.link.target.item] == list(items)
    assert str(told.link.kind) == "depends_on"


def test_the_steps_and_the_kinds_are_in_the_url(desk, irina, moved):
    app = page(desk, irina, focus=moved[0], view="table")
    assert len(app.dataframe[0].value) == 3
    press(app, "act-steps-2")
    assert "2" in app.query_params["steps"]
    app.selectbox(key="edge").set_value("depends").run()
    assert "depends" in app.query_params["edge"]
    assert set(app.dataframe[1].value["kind"]) == {"depends on"}


def test_the_passport_says_where_it_was_used_and_when_it_had_fallen_already(desk, irina, moved):
    desk.record_recall(desk.ask(Question("Where do we ship the jackets?")).recall)
    told = shown(page(desk, irina, "fact", id=moved[2], tab="used"))
    assert "In the context of 1 past answer." in told
    assert "observed: served here" in told
    assert "already" not in told
    first = desk.store.events()[0].recorded_at
    before = shown(page(desk, irina, "fact", id=moved[2], tab="used", asof=first))
    assert "No such record" in before


# --- one record alone, and the next version of a record -----------------------------------------


def test_a_record_that_contradicts_itself_is_an_open_conflict_with_no_edge_to_itself(desk, irina):
    (item,) = durable(desk, irina, "Alex lives in Seattle. Alex lives in Boston.")
    (told,) = desk.graph.at().conflicts.page(1, 50)
    assert (told.items, told.why) == ((item,), "self")
    assert "This record contradicts itself" in shown(page(desk, irina))
    assert desk.graph.at().graph.edges(item) == ()


def test_the_state_without_conflicts_says_when_it_was_checked(desk, irina):
    durable(desk, irina, TWO[0])
    assert re.search(r"checked at 2\d{3}-\d\d-\d\d \d\d", shown(page(desk, irina)))


def test_a_durable_record_is_replaced_by_a_new_version_that_shows_what_changed(desk, irina):
    (old,) = durable(desk, irina, WAREHOUSES[0])
    app = press(page(desk, irina, "fact", id=old, tab="life"), "act-replace")
    app.text_area(key=f"edit-claim-{old}").input("The main warehouse for the jackets is Tver.")
    next(one for one in app.button if one.label == "Stage the new record").click().run()
    assert not app.exception, app.exception
    assert desk.card_of(old).stage is Stage.DURABLE
    assert desk.drafts() == []
    (row,) = desk.waiting(Wanted()).rows
    card = desk.card_of(row.item)
    assert {link.kind for link in card.links if link.outgoing} == {"derived_from", "supersedes"}
    seen = tuple(str(flag.code) for flag in card.flags)
    desk.draft(card, Wish(DecisionKind.APPROVE, acknowledged=seen, nonce=desk.new_nonce()))
    with unlocking(irina)(PASSPHRASE) as signer:
        desk.sign(signer)
    now = page(desk, irina, "fact", id=row.item, tab="life")
    html = " ".join(str(one.value) for one in now.get("html"))
    assert "<del>Koledino</del><ins>Tver</ins>" in html
    assert "superseded" in shown(page(desk, irina, "fact", id=old))
