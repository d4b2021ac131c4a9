"""Who signed is told by name with the id beside it, and records by what they say."""

from __future__ import annotations

from datetime import timedelta

import pytest

from console.cards import people
from review.deciding import Wish
from review.identities import short
from review.queue import Wanted
from store.stages import DecisionKind
from store.statements import ReviewerStatement
from tests.conftest import Reviewer
from tests.console.desks import desk_over, open_page, press, stage, store_for

CLAIM = "The main warehouse is Koledino."
ODD = "**Oleg** <b>P.</b> \u202ehttp://evil.test"


@pytest.fixture
def world(irina):
    """A durable record that Irina signed, and a reviewer whom she let in under an odd name."""
    desk = desk_over(store_for(irina), irina)
    stage(desk, CLAIM)
    (row,) = desk.waiting(Wanted()).rows
    desk.draft(desk.card_of(row.item), Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
    desk.sign(lambda texts: irina.key.sign(texts, now=desk._writer.clock()))
    return desk, row.item


def add(desk, irina, name):
    from console.signing import throwaway

    oleg = Reviewer("r-oleg-0001-PQRS", throwaway(now=desk._writer.clock()))
    statement = ReviewerStatement(
        "added",
        oleg.name,
        oleg.key.public,
        signed_at=desk.now(),
        by=irina.name,
        store=desk.store.store_id,
        tenant=desk.store.tenant_id,
    )
    (signed,) = irina.key.sign([statement.encode()], now=desk._writer.clock())
    desk.record_reviewer(signed, added=True, name=name)
    return oleg


def texts(app):
    return " ".join(str(one.value) for one in (*app.text, *app.caption, *app.header))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_passport_says_who_signed_by_name_and_is_headed_by_its_claim(world, irina, lang):
    desk, item = world
    app = open_page("fact", desk, reviewer=irina, lang=lang, id=item, tab="life")
    assert f"Irina K. ({short(irina.name)})" in texts(app)
    html = " ".join(str(one.proto.body) for one in app.get("html"))
    assert f'<h2 class="mc-headline">{CLAIM}</h2>' in html


def test_the_line_of_results_says_what_the_record_says_and_not_only_its_id(irina):
    desk = desk_over(store_for(irina), irina)
    stage(desk, CLAIM, "Another one.")
    item = next(row.item for row in desk.waiting(Wanted()).rows if row.claim == CLAIM)
    app = open_page("inbox", desk, reviewer=irina, view="focus", item=item)
    desk._writer.clock.now += timedelta(seconds=2)
    told = texts(press(app, "act-skip"))
    assert CLAIM in told
    assert f"{short(item)}: skipped" in told


def test_the_list_of_facts_names_who_signed(world, irina):
    desk, _ = world
    (row,) = open_page("facts", desk, reviewer=irina).dataframe[0].value.to_dict("records")
    assert row["by"] == f"Irina K. ({short(irina.name)})"


def test_a_name_given_when_a_reviewer_was_added_is_known_and_inert(world, irina):
    desk, _ = world
    oleg = add(desk, irina, ODD)
    told = people.of(desk).named(oleg.name)
    assert told.endswith(f"({short(oleg.name)})")
    assert "\u202e" not in told
    assert people.of(desk).named("r-unknown-0000-ABCD") == short("r-unknown-0000-ABCD")


def test_a_person_without_a_name_is_told_by_id(world, irina):
    desk, _ = world
    oleg = add(desk, irina, "")
    assert people.of(desk).named(oleg.name) == short(oleg.name)
