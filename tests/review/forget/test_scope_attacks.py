"""Scopes that are meant to take more than they say, or to break the preview."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from importers import catalogue, source
from review.forget.plan import Foreseen, RowKind, Why
from review.forget.running import NothingToForgetError, WrongCountError
from review.forget.scope import BadScopeError, Hold, Scope, read_scope
from tests.console.forget_worlds import Firm, about, cell, desk_of, firm, statuses

NAMES = ("ana", "Ana", "ana maria", "mariana", "an", "ana.", "a-n-a", "апа", "ańa")


@pytest.fixture(scope="module")
def one(tmp_path_factory) -> Firm:
    made = firm(tmp_path_factory.mktemp("scopes") / "w")
    told = [
        cell(f"record number {n} speaks of gate {n * 7}", n, **about(name))
        for n, name in enumerate(NAMES)
    ]
    made.items = made.stage(*told, cell("the cafe\u0301 in the old town is closed (.*)", 90))
    return made


def going(one, scope):
    plan = desk_of(one).forget.plan(scope)
    return {row.id for row in plan.erased if row.kind is RowKind.ITEM}


def at(one, *places):
    return {one.items[place] for place in places}


@pytest.mark.parametrize(
    ("subject", "places"),
    [
        ("ana", (0, 1)),
        (" ANA ", (0, 1)),
        ("ana maria", (2,)),
        ("mariana", (3,)),
        ("an", (4,)),
        ("ana.", (5,)),
        ("a-n-a", (6,)),
        ("апа", (7,)),  # Cyrillic letters that look alike are another name
        ("an\u0301a", (8,)),  # the same letter, spelled in two parts
        ("a%", ()),
        (".*", ()),
        ("ana\u200b", ()),
        ("ana' or '1'='1", ()),
        ("\u0000", ()),
    ],
)
def test_a_subject_takes_its_own_records_and_no_longer_or_shorter_names(one, subject, places):
    assert going(one, Scope(subject=subject)) == at(one, *places)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"subject": "   \t "},
        {"subject": "", "items": (), "tenant": False},
        {"run": "  "},
        {"also": ("01J8ZK4QH7V5M2N3P4R5S6T7V8",)},
        {"reference": "T-1", "due": "2026-04-01"},
        {"tenant": "yes"},
        {"subject": "x" * 1_001},
        {"sources": ("y" * 1_001,)},
        {"items": "0" * 26},
        {"items": ("01J8ZK4QH7V5M2N3P4R5S6T7V8 ",)},
        {"items": ("O" * 26,)},
    ],
)
def test_a_scope_that_says_nothing_or_something_odd_is_refused(told):
    with pytest.raises(BadScopeError):
        read_scope(told)


@pytest.mark.parametrize(
    "day",
    [
        "2026-02-30",
        "2026-13-01",
        "2026-01-01T00:00:00Z",
        "2026-01-01+03:00",
        "2026-01-01 ",
        "01.02.2026",
        "2026-1-1",
        "٢٠٢٦-٠١-٠١",
        "２０２６-01-01",
        "9999-12-31",
        "0000-01-01",
        "today",
        "2026-W01-1",
    ],
)
@pytest.mark.parametrize("name", ["since", "until", "due"])
def test_a_day_is_a_day_of_utc_in_plain_digits(name, day):
    with pytest.raises(BadScopeError, match="YYYY-MM-DD"):
        Scope(**{"subject": "ana", name: day})
    with pytest.raises(BadScopeError, match="YYYY-MM-DD"):
        Scope(subject="ana", holds=(Hold("0" * 26, "LH-1", day),))


def test_days_in_the_wrong_order_are_refused_and_a_day_holds_its_last_moment(one):
    with pytest.raises(BadScopeError, match="after the last one"):
        Scope(since="2026-03-02", until="2026-03-01")
    row = one.place.store(one.tenant).rows("select min(recorded_at) as at from proj_item")[0]
    day = str(row["at"])[:10]
    assert going(one, Scope(since=day, until=day)) == set(one.items)
    assert going(one, Scope(since="0001-01-01", until="2020-01-01")) == set()
    assert going(one, Scope(since="0001-01-01", until="9999-12-30")) == set(one.items)


def test_ids_that_nothing_has_are_told_and_take_nothing(one):
    odd = ("01J8ZK4QH7V5M2N3P4R5S6T7V8",)
    plan = desk_of(one).forget.plan(Scope(items=odd))
    assert (plan.empty, plan.missing, plan.rows) == (True, odd, ())
    hostile = (
        *("1/0", "x/y", "/", "1/2/3", "99999999999999999999/1", "-1/0"),
        *("answer-", "answer-x", "answer-99999", "imp-", "imp-everything", "imp-'; drop table"),
        *("f" * 64, "0" * 26, "<b>", "\u202e", "Ana lives by the harbour"),
    )
    plan = desk_of(one).forget.plan(Scope(subject="ana", also=hostile))
    assert {row.id for row in plan.rows if row.foreseen is Foreseen.ERASED} >= at(one, 0, 1)
    assert not {row.id for row in plan.rows} & set(hostile)
    assert "harbour" not in json.dumps([row.id for row in plan.rows])


def test_a_scope_that_matches_all_has_to_be_typed_by_its_number(one):
    forget = desk_of(one).forget
    for scope in (Scope(tenant=True), Scope(since="0001-01-01"), Scope(until="9999-12-30")):
        plan = forget.plan(scope)
        assert plan.typed == len(one.items) + 1, "the records, and what is kept of their source"
        for typed in (0, 1, plan.typed - 1, len(one.items), -1):
            with pytest.raises(WrongCountError):
                forget.run(scope, forget.token(plan), one.sign, typed=typed)
    plan = forget.plan(Scope(subject="nobody at all"))
    with pytest.raises(NothingToForgetError):
        forget.run(plan.scope, forget.token(plan), one.sign, typed=0)
    assert len(one.place.store(one.tenant).standing().forgets) == 0


@pytest.mark.parametrize(
    ("words", "n"),
    [
        ("e", 10),
        ("GATE 7", 1),
        (".*", 1),
        ("^record", 0),
        ("%", 0),
        ("_", 0),
        ("record number 1", 1),
        ("café", 1),
        ("CAFE\u0301", 1),
        ("cafe", 1),  # it is the beginning of the letter with its accent apart: not so
    ],
)
def test_words_are_looked_for_literally_and_whatever_they_are(one, words, n):
    found = desk_of(one).forget.matches(words)
    want = 0 if words == "cafe" else n
    assert (found.found, len(found.records)) == (want, want)


def test_few_of_many_are_told_as_few_of_many_and_a_long_text_is_looked_for(one):
    forget = desk_of(one).forget
    some = forget.matches("record", most=3)
    assert (len(some.records), some.found) == (3, len(NAMES))
    assert [r.item for r in some.records] == one.items[:9][::-1][:3], "the newest first"
    began = time.perf_counter()
    assert forget.matches("canary " * 14_000).found == 0
    assert forget.matches("(a+)+$" * 5_000).found == 0
    assert time.perf_counter() - began < 5


def imported(one, name, *records):
    lines = [json.dumps({"format": "memory-console/1"}), *map(json.dumps, records)]
    reading = catalogue.open_reading(source.from_bytes(name, "\n".join([*lines, ""]).encode()))
    return one.desk.stage(reading)


def test_a_source_that_came_under_two_names_is_told_under_both(tmp_path):
    one = firm(tmp_path / "w")
    both = (cell("Ana keeps a canary 9911 at home", 1, **about("ana")), cell("Boris has none", 2))
    first = imported(one, "crm.jsonl", *both)
    again = imported(one, "ana-export-copy.jsonl", *both)
    assert (len(first.items), again.items) == (2, [])
    forget = desk_of(one).forget

    # by the second name: all of it was known by then, so a person decides
    plan = forget.plan(Scope(imports=(again.import_id,)))
    assert plan.empty
    told = {row.id: (row.why, row.foreseen) for row in plan.rows}
    assert told == dict.fromkeys(first.items, (Why.SHARED, Foreseen.NEEDS_DECISION))
    narrowed = forget.plan(Scope(imports=(again.import_id,), subject="ana"))
    assert [r.id for r in narrowed.rows if r.why is Why.SHARED] == first.items[:1]
    ticked = forget.plan(Scope(imports=(again.import_id,), also=tuple(first.items)))
    assert {row.id for row in ticked.erased} == {*first.items, first.import_id, again.import_id}

    # of one record of two: the other keeps both sources in use
    (row,) = forget.plan(Scope(subject="ana")).erased
    assert row.id == first.items[0]

    # by the first name: nothing is left of the second one either, not even its name
    scope = Scope(imports=(first.import_id,))
    plan = forget.plan(scope)
    assert {row.id for row in plan.erased} == {*first.items, first.import_id, again.import_id}
    report = forget.run(scope, forget.token(plan), one.sign, typed=plan.typed)
    assert set(statuses(report).values()) == {"erased"}
    data = one.place.store_path(one.tenant).read_bytes()
    assert b"ana-export-copy" not in data
    assert b"canary 9911" not in data


def test_a_preview_of_another_scope_is_not_run_with_this_token(one):
    forget = desk_of(one).forget
    plan = forget.plan(Scope(subject="an"))
    shown = forget.token(plan)
    for other in (Scope(subject="ana"), Scope(tenant=True), replace(plan.scope, reference="T-2")):
        try:
            found = forget.checked(other, shown)
        except ValueError:
            continue
        assert found.digest == plan.digest, "only what changes no row"
