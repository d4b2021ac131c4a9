"""``rules`` at the command line, from kept runs to a signed export, and what the doctor says."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from console import signing
from console.leaving import way_out
from console.wiring import enrol, new_workspace, open_workspace
from review.deciding import Wish
from review.queue import Wanted
from store.cells import Kind
from store.stages import DecisionKind
from tests.console.test_cli import HIDDEN, quick
from tests.review.rules.lessons import PEOPLE, REASON, judged, stamp
from tests.review.run_worlds import reading

PASSPHRASE = "correct horse battery"
EVIL = "Never send \x1b[31mparcels\x1b[0m by pigeon.\u202e"


def decided(desk, sign, kind, *items):
    for item in items:
        shown = desk.card_of(item)
        seen = tuple(str(flag.code) for flag in shown.flags)
        desk.draft(shown, Wish(kind, acknowledged=seen, nonce=desk.new_nonce()))
    assert not desk.sign(sign).set_aside


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Two candidates: one is ready, has left as a rule and lost its source; one is hostile."""
    folder = tmp_path_factory.mktemp("rules") / "w"
    new_workspace(folder, tenants=("acme",))
    place, _ = enrol(open_workspace(folder), name="Irina K.", passphrase=PASSPHRASE)
    desk = place.desk(place.settings.tenants[0])
    now = place.clock()
    key = signing.unlock(place.key_path(place.settings.reviewer), PASSPHRASE, now=now)
    ago = [stamp(now - timedelta(days=days)) for days in (24, 2)]
    runs = [judged(f"r-{who}", by=who, at=ago[0]) for who in PEOPLE]
    runs += [
        judged(f"e-{who}", by=who, at=ago[1], reason=EVIL, act="coo", tool="pigeon")
        for who in PEOPLE[:2]
    ]
    desk.stage(reading(runs))
    desk.experience.build()
    rows = desk.waiting(Wanted(kind=str(Kind.INSIGHT))).rows
    items = {row.claim: row.item for row in rows}

    def sign(statements):
        return key.sign(statements, now=now)

    ready = items[REASON]
    decided(desk, sign, DecisionKind.APPROVE, ready)
    desk.stage(reading([judged("x", by="sofia", reason="No.", at=ago[1])], name="later.jsonl"))
    opened = desk.rules.open(ready)
    left = way_out(place, desk.store)
    left.export(desk, desk.rules.told(opened, desk.rules.begun(opened)), sign, "")
    return folder


def candidates(home):
    told = json.loads(quick(home, "rules", "list", "--json").stdout)
    return {one["statement"]: one for one in told["candidates"]}


def test_candidates_are_listed_with_what_was_computed(home):
    (one,) = candidates(home).values()
    assert (one["statement"], one["supporting"], one["reached"]) == (REASON, 5, True)
    assert one["thresholds"][0]["computed"].startswith("supporting / (supporting + contradicting)")
    line = quick(home, "rules", "list").stdout
    assert "5 for, 0 against" in line
    assert quick(home, "rules", "list", "--search", "pigeon").stdout == ""


def test_one_is_shown_and_nothing_keeps_it(home):
    item = candidates(home)[REASON]["item"]
    told = quick(home, "rules", "show", item).stdout
    assert "unverified" in told
    assert "tried      holds" in told
    result = quick(home, "rules", "why-not", item, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["ready"] is True


def test_an_id_that_is_none_is_not_found(home):
    result = quick(home, "rules", "show", "01XYZ")
    assert result.exit_code == 3
    assert "No such durable insight, or no access." in result.stderr


def test_what_left_is_listed_and_the_doctor_tells_when_its_source_fell(home):
    told = json.loads(quick(home, "rules", "list", "--exported", "--json").stdout)
    (one,) = told["exports"]
    assert (one["statement"], one["state"]) == (REASON, "stands")
    finding = {
        f["name"]: f for f in json.loads(quick(home, "doctor", "--json").stdout)["findings"]
    }
    assert finding["rules acme"]["verdict"] == "ok"
    place = open_workspace(home)
    desk = place.desk(place.settings.tenants[0])
    now = place.clock()
    key = signing.unlock(place.key_path(place.settings.reviewer), PASSPHRASE, now=now)
    decided(desk, lambda told: key.sign(told, now=now), DecisionKind.WITHDRAW, one["item"])
    told = json.loads(quick(home, "rules", "list", "--exported", "--json").stdout)
    assert told["exports"][0]["state"] == "withdrawn"
    finding = {
        f["name"]: f for f in json.loads(quick(home, "doctor", "--json").stdout)["findings"]
    }
    assert finding["rules acme"]["verdict"] == "warn"
    assert one["export"][:8] in finding["rules acme"]["detail"]


def test_hostile_words_do_nothing_to_a_terminal(home):
    place = open_workspace(home)
    desk = place.desk(place.settings.tenants[0])
    rows = desk.waiting(Wanted(kind=str(Kind.INSIGHT))).rows
    hidden = next(row for row in rows if row.claim == EVIL)
    result = quick(home, "rules", "why-not", hidden.item)
    assert result.exit_code == 3, "it is not durable"
    assert not HIDDEN.search(result.stdout + result.stderr)
