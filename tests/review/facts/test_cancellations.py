from __future__ import annotations

import pytest

from store.cells import FactRole
from tests.review.facts.reading_facts import ALEX, ended, facts, only, read, rested_on


@pytest.mark.parametrize(
    ("text", "old", "new", "goods"),
    [
        (
            "From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal.",
            "koledino",
            "elektrostal",
            "jacket",
        ),
        (
            "С 1 марта 2026 года полностью закрываем отгрузки в Коледино и переводим все поставки "
            "пуховиков на склад Электросталь.",
            only("Закрываем Коледино").value_key,
            "электросталь",
            "пуховик",
        ),
    ],
)
def test_a_move_ends_the_old_warehouse_and_states_the_new_one_from_its_day(text, old, new, goods):
    assert ended(text) == {("warehouse", old)}
    assert read(text) == {(goods, "warehouse", new)}
    assert {f.valid.start for f in facts(text)} == {"2026-03-01"}


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("I no longer live in Kazan", ("residence", "kazan")),
        ("I don't live in Kazan anymore", ("residence", "kazan")),
        ("Больше не живу в Казани", ("residence", "казань")),
        ("Больше не работаю в «Ромашке»", ("employer", "ромашка")),
        ("Anna left Acme", ("employer", "acme")),
        ("We stopped shipping to Koledino.", ("warehouse", "koledino")),
        ("We no longer use Jenkins", ("tool", "jenkins")),
        ("I used to live in Kazan", ("residence", "kazan")),
    ],
)
def test_what_is_no_longer_so_ends(text, gone):
    assert ended(text, ALEX) == {gone}
    assert not read(text, ALEX)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("We switched the carrier from Aero to Bolt", "aero", "bolt"),
        ("The carrier was changed from Aero to Bolt", "aero", "bolt"),
        ("Сменили перевозчика с «Аэро» на «Болт»", "аэро", "болт"),
    ],
)
def test_a_named_switch_ends_one_value_and_states_the_other(text, old, new):
    assert ended(text) == {("carrier", old)}
    assert {(p, v) for _, p, v in read(text)} == {("carrier", new)}


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("We switched from Postgres to MySQL", "postgres", "mysql"),
        ("We replaced Jenkins with Drone", "jenkins", "drone"),
        ("Мы перешли с Postgres на ClickHouse", "postgres", "clickhouse"),
        ("We now use ruff instead of flake8", "flake8", "ruff"),
        ("Вместо Jira теперь используем Linear", "jira", "linear"),
    ],
)
def test_a_switch_of_something_unnamed_ends_the_old_value_whatever_it_was(text, old, new):
    assert {value for _, value in ended(text)} == {old}
    assert {value for _, _, value in read(text)} == {new}


def test_a_switch_keeps_the_parameter_that_had_the_old_value_just_before():
    earlier = facts("Our database is Postgres", ALEX)
    setting = ALEX.__class__(ALEX.written_at, "alex", earlier=earlier)
    assert ("alex", "database", "mysql") in read("We switched from Postgres to MySQL", setting)
    assert ended("We switched from Postgres to MySQL", setting) == {("database", "postgres")}


@pytest.mark.parametrize("text", ["DevConf is cancelled.", "We cancelled DevConf"])
def test_a_cancelled_event_ends(text):
    assert "devconf" in {value for _, value in ended(text)}


def test_the_booking_rests_on_the_event_and_the_cancellation_names_it():
    assert rested_on("We booked a hotel in Kazan for DevConf.") == {("event", "devconf")}
    assert rested_on("Hotel in Kazan for a visit to grandma") == set()
    assert ("devconf", "status", "cancelled") in read("DevConf is cancelled.")
    assert ("", "event", "devconf") in read("DevConf takes place in Kazan on 5 May 2026.")
    assert rested_on("Забронировали отель в Казани для конференции «Весна»") == {
        ("event", "весна")
    }
    assert ("", "весна") in ended("Конференция «Весна» отменена.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Сервис больше не отвечает после обновления", "Прокси больше не падает ночью"),
        ("The proxy no longer crashes at night", "The login page no longer loads on phones"),
    ],
)
def test_two_incidents_that_say_no_longer_share_nothing(one, other):
    first = {value for _, value in ended(one)}
    second = {value for _, value in ended(other)}
    assert not first & second
    assert not first


@pytest.mark.parametrize(
    "text",
    [
        "We did not cancel DevConf",
        "If DevConf is cancelled, we lose the deposit",
        "Did we switch from Postgres to MySQL?",
        "We might move the jackets to Elektrostal",
        "The shop closes at nine",
    ],
)
def test_what_did_not_happen_ends_nothing(text):
    assert not [f for f in facts(text) if f.role is FactRole.ENDS]


def test_a_moved_deadline_names_both_days():
    text = "The deadline for the report has been moved from 15 October to 16 October."
    assert ended(text) == {("deadline", "2026-10-15")}
    assert read(text) == {("report", "deadline", "2026-10-16")}
    assert read("Перенесли дедлайн на 16 октября") == {("", "deadline", "2026-10-16")}
