"""Complaints from the field about duplicates, contradictions and stale facts, told in our words.

Sections B and C of the list of cases; each name begins with its number there.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from review.gate.numbers import Bar
from review.gate.reasons import sentence
from review.memory.validity import Status
from store.stages import DecisionKind
from tests.review.worlds import World, admitted, cell, verdict


@pytest.fixture
def world(irina) -> World:
    return World(irina)


def consequence(world: World, source_id: str):
    """What approving a record would do, with our ids told as the test's."""
    told = world.desk.consequence(world.desk.card_of(world.items[source_id]))
    names = {item: name for name, item in world.items.items()}

    relations = ("superseded", "changed", "stale", "conflicts", "duplicates", "outdated_by")
    return SimpleNamespace(
        **{name: {names[one] for one in getattr(told, name)} for name in relations}
    )


# --- B. Duplicates and over-merging ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "preference"),
    [
        ("The preferred theme is dark.", "Prefers the dark theme."),
        ("Тема оформления: тёмная.", "Предпочитает тёмную тему."),
    ],
)
def test_p13_one_wish_in_two_kinds_is_a_duplicate_across_kinds(world, text, preference):
    world.remember([cell(text, "text", "2026-01-01", scope={"user": "ana"})])
    world.stage(
        [
            cell(
                preference,
                "preference",
                "2026-01-02",
                kind="profile_preference",
                source_type="user_statement_confirmed",
                scope={"user": "ana"},
            )
        ]
    )
    assert consequence(world, "preference").duplicates == {"text"}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The deadline is 15 October.", "The deadline is 16 October."),
        ("Срок сдачи — 15 октября.", "Срок сдачи — 16 октября."),
    ],
)
def test_p15_facts_one_digit_apart_conflict_and_are_no_duplicates(world, one, two):
    world.remember([cell(one, "one", "2026-02-01")])
    world.stage([cell(two, "two", "2026-02-01")])
    told = consequence(world, "two")
    assert told.duplicates == set()
    assert told.conflicts == {"one"}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Alex works at Acme.", "Alex joined Globex."),
        ("Алекс работает в Ромашке.", "Алекс устроился в Василёк."),
    ],
)
def test_p16_an_update_is_a_supersession_and_no_duplicate(world, one, two):
    world.remember([cell(one, "one", "2026-01-01")])
    world.stage([cell(two, "two", "2026-02-01")])
    told = consequence(world, "two")
    assert (told.superseded, told.duplicates) == ({"one"}, set())


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "The billing service no longer times out.",
            "The login page no longer flickers on Safari.",
        ),
        (
            "Сервис оплаты больше не падает по таймауту.",
            "Страница входа больше не мигает в Safari.",
        ),
    ],
)
def test_p18_two_notes_that_say_no_longer_have_nothing_to_do_with_each_other(world, one, two):
    world.remember([cell(one, "one", "2026-01-01")])
    world.stage([cell(two, "two", "2026-02-01")])
    told = consequence(world, "two")
    assert (told.superseded, told.changed, told.conflicts) == (set(), set(), set())


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The load was 40 % on 1 May 2026.", "The load was 70 % on 1 June 2026."),
        ("Нагрузка 1 мая 2026 года — 40 %.", "Нагрузка 1 июня 2026 года — 70 %."),
    ],
)
def test_p19_readings_of_two_days_are_a_series(world, one, two):
    world.remember([cell(one, "one", "2026-05-01"), cell(two, "two", "2026-06-01")])
    told = world.desk._inquiry.known(world.desk.policy.policy)
    assert not told.life.superseded(2**60).any()


def test_p21_the_same_row_twice_changes_nothing_and_another_source_confirms(world):
    row = cell("The launch date is 5 June 2026.", "one", "2026-01-01")
    world.remember([row])
    world.stage([row])
    assert world.desk.durable_count() == 1
    part = world.ask("When is the launch date?", "2026-03-10")
    assert verdict(part, "one").status is Status.ACTIVE
    world.remember([row | {"source_id": "two"}])  # another file says so
    part = world.ask("When is the launch date?", "2026-03-10")
    assert verdict(part, "one").status is Status.STABLE
    assert verdict(part, "one").validity == 0.85


def test_p22_two_numbers_are_two_things(world):
    world.remember([cell("Merged #260.", "one", "2026-01-01")])
    world.stage([cell("Merged #480.", "two", "2026-01-02")])
    told = consequence(world, "two")
    assert (told.duplicates, told.superseded, told.conflicts) == (set(), set(), set())


# --- C. Stale, contradictory, temporal ---------------------------------------------------------


def test_p24_two_employers_are_told_on_the_card_and_one_answers(world):
    world.remember([cell("Ana works at Acme.", "old", "2025-01-01")])
    world.stage([cell("Ana works at Globex.", "new", "2026-01-01")])
    assert consequence(world, "new").superseded == {"old"}
    world.decide(DecisionKind.APPROVE, "new")
    assert admitted(world.ask("Where does Ana work?", "2026-03-10")) == {"new"}


def test_p25_a_stated_supersession_leaves_no_active_cell_behind(world):
    world.remember(
        [
            cell("We deploy on Mondays.", "old", "2026-01-01"),
            cell(
                "Deployments happen daily now.",
                "new",
                "2026-02-01",
                edges=[{"kind": "supersedes", "target": "old"}],
            ),
        ]
    )
    part = world.ask("When do we deploy?", "2026-03-10")
    assert verdict(part, "old").status is Status.SUPERSEDED
    assert "old" not in admitted(part)


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The SSH port is 22.", "The SSH port is 49222.", "What is the SSH port now?"),
        ("Порт SSH — 22.", "Порт SSH — 49222.", "Какой сейчас порт SSH?"),
        ("SSH 端口: 22", "SSH 端口: 49222", "SSH 端口?"),
    ],
)
def test_p27_a_stale_port_is_kept_out_of_a_current_question_whatever_it_scores(
    world, old, new, question
):
    world.remember([cell(old, "old", "2025-01-01"), cell(new, "new", "2026-01-01")])
    part = world.ask(question, "2026-03-10")
    assert "new" in admitted(part)
    if "端口" not in old:  # no grammar for a third language: both are told, nothing is hidden
        assert admitted(part) == {"new"}
        assert verdict(part, "old").bars == (Bar.SUPERSEDED,)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Alex works at Acme.", "Alex administers Acme's repository."),
        ("Алекс работает в Ромашке.", "Алекс администрирует репозиторий Ромашки."),
    ],
)
def test_p30_an_additional_role_ends_no_employment(world, one, two):
    world.remember([cell(one, "one", "2026-01-01")])
    world.stage([cell(two, "two", "2026-02-01")])
    told = consequence(world, "two")
    assert (told.superseded, told.changed) == (set(), set())


def test_p30_every_superseding_names_what_did_it_and_is_undone_by_withdrawing_that(world):
    world.remember(
        [
            cell("Ana lives in Kazan.", "old", "2025-01-01"),
            cell("Ana moved to Moscow.", "new", "2026-01-01"),
        ]
    )
    part = world.ask("Where does Ana live?", "2026-03-10")
    (told,) = [r for r in verdict(part, "old").reasons if r.code == Bar.SUPERSEDED]
    assert told.told["by"] == world.items["new"]
    assert world.items["new"] in sentence(told)
    world.decide(DecisionKind.WITHDRAW, "new")
    assert admitted(world.ask("Where does Ana live?", "2026-03-11")) == {"old"}


def test_p31_retired_and_wrong_are_two_things(world):
    world.remember(
        [
            cell("The cache setting is on.", "was", "2026-07-16"),
            cell("The cache setting is off.", "off", "2026-07-17"),
        ]
    )
    world.stage([cell("The cache setting is broken.", "wrong", "2026-07-16")])
    world.decide(DecisionKind.REJECT, "wrong", reason="wrong")
    part = world.ask("What was the cache setting on 16 July 2026?", "2026-08-01")
    assert admitted(part) == {"was"}
    assert verdict(part, "wrong") is None
    part = world.ask("What is the cache setting?", "2026-08-01")
    assert verdict(part, "was").status is Status.SUPERSEDED


def test_p33_history_keeps_the_old_version(world):
    world.remember(
        [
            cell("Ana works at Acme.", "old", "2025-01-01"),
            cell("Ana works at Globex.", "new", "2026-01-01"),
        ]
    )
    assert admitted(world.ask("Where did Ana work in 2025?", "2026-03-10")) == {"old"}
    assert len(world.desk.life(world.items["old"])) == 1


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (
            ["We ship the boots to Tula.", "For shipping to Tula we use PEK on Tuesdays.",
             "From 1 February 2026 we close shipping to Tula."],
            "Which carrier do we use on Tuesdays?",
        ),
        (
            ["Склад ботинок — Тула.",
             "Для отгрузки в Тулу используем перевозчика ПЭК по вторникам.",
             "С 1 февраля 2026 года закрываем отгрузки в Тулу."],
            "Каким перевозчиком мы пользуемся по вторникам?",
        ),
    ],
)  # fmt: skip
def test_p34_what_rests_on_a_closed_warehouse_goes_stale_by_a_path(world, rows, question):
    place, carrier, closing = rows
    world.remember(
        [
            cell(place, "place", "2026-01-01"),
            cell(carrier, "carrier", "2026-01-02"),
            cell(closing, "closing", "2026-01-20"),
        ]
    )
    part = world.ask(question, "2026-03-10")
    assert verdict(part, "carrier").status is Status.STALE
    assert verdict(part, "carrier").path
    assert "carrier" not in admitted(part)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The --fast flag is removed.", "The --fast flag is present."),
        ("Флаг --fast удалён.", "Флаг --fast добавлен."),
    ],
)
def test_p36_a_pair_that_cannot_both_be_true_is_a_conflict(world, one, two):
    world.remember([cell(one, "one", "2026-01-01")])
    world.stage([cell(two, "two", "2026-01-01")])
    assert consequence(world, "two").conflicts == {"one"}


def test_p37_repetition_in_one_dialogue_counts_once(world):
    talk = {"scope": {"run": "7"}}
    wrong = [
        cell("The launch date is 29 May 2026.", f"w{n}", f"2026-01-0{n}", **talk)
        for n in range(1, 6)
    ]
    world.remember(wrong)
    part = world.ask("When is the launch date?", "2026-03-10")
    assert {one.status for one in part.admitted} == {Status.ACTIVE}
    world.remember([cell("The launch date is 5 June 2026.", "right", "2026-02-01", **talk)])
    assert admitted(world.ask("When is the launch date?", "2026-03-10")) == {"right"}
