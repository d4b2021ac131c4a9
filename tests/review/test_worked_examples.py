"""The worked examples of the gate, in English and Russian, through import, staging and signing."""

from __future__ import annotations

import pytest

from review.gate.numbers import Bar
from review.gate.reasons import due_sentence, gap_sentence
from review.memory.validity import Status
from review.trimming.fate import Fate
from review.trimming.partition import Group
from review.trimming.trim import Zone
from store.stages import DecisionKind
from tests.review.worlds import World, admitted, cell, verdict

ENGLISH = [
    cell(
        "The main warehouse for the jackets is Koledino, storage limit up to 400k RUB a month.",
        "M1",
        "2025-11-10",
    ),
    cell(
        "For shipping to Koledino we use the carrier Delovye Linii, on Tuesdays.",
        "M2",
        "2025-11-12",
    ),
    cell(
        "From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal.",
        "M3",
        "2026-02-15",
        source_type="owner_order",
        kind="decision",
    ),
    cell(
        "The fulfilment commission in Elektrostal is agreed at 45 RUB a unit.", "M4", "2026-02-16"
    ),
]
RUSSIAN = [
    cell(
        "Основной склад отгрузки наших пуховиков — Коледино, "
        "лимит хранения — до 400 тыс. руб. в месяц.",
        "M1",
        "2025-11-10",
    ),
    cell(
        'Для отгрузки в Коледино используем перевозчика "Деловые Линии" по вторникам.',
        "M2",
        "2025-11-12",
    ),
    cell(
        "С 1 марта 2026 года полностью закрываем отгрузки в Коледино и переводим все поставки "
        "пуховиков на склад Электросталь.",
        "M3",
        "2026-02-15",
        source_type="owner_order",
        kind="decision",
    ),
    cell(
        "Комиссия фулфилмента в Электростали согласована на уровне 45 руб. за единицу.",
        "M4",
        "2026-02-16",
    ),
]
LANGUAGES = pytest.mark.parametrize("language", ["en", "ru"])
CELLS = {"en": ENGLISH, "ru": RUSSIAN}
ASKED = {
    "next week": {
        "en": "Where and by which carrier do we ship the jackets next week?",
        "ru": "Куда и каким перевозчиком нам отправлять партию пуховиков на следующей неделе?",
    },
    "last autumn": {
        "en": "And which warehouse was our main one last autumn?",
        "ru": "И какой склад был у нас основным прошлой осенью?",
    },
    "carrier": {
        "en": "Which carrier did we use last autumn?",
        "ru": "Каким перевозчиком мы пользовались прошлой осенью?",
    },
    "where": {
        "en": "Where do we ship next week?",
        "ru": "Куда мы отправляем на следующей неделе?",
    },
    "change": {
        "en": "How did our main warehouse change over the last year?",
        "ru": "Как менялся наш основной склад за последний год?",
    },
    "jackets": {
        "en": "Where do we ship the jackets?",
        "ru": "Куда мы отправляем пуховики?",
    },
    "both": {
        "en": "1) Where and by which carrier do we ship the jackets next week?\n"
        "2) And remind me, which warehouse was our main one last autumn?",
        "ru": "1) Куда и каким перевозчиком нам отправлять партию пуховиков на следующей неделе?\n"
        "2) И напомни, какой склад был у нас основным прошлой осенью?",
    },
}


@pytest.fixture(params=["found", "given"])
def warehouses(request, irina):
    """The four memories, with their links found in the words or given by the source."""

    def told(language: str) -> World:
        rows = [dict(row) for row in CELLS[language]]
        if request.param == "given":
            rows[1]["edges"] = [{"kind": "depends_on", "target": "M1"}]
            rows[2]["edges"] = [{"kind": "supersedes", "target": "M1"}]
            rows[3]["edges"] = [{"kind": "depends_on", "target": "M3"}]
        return World(irina).remember(rows)

    return told


@LANGUAGES
def test_the_new_warehouse_is_told_and_the_missing_carrier_is_said(warehouses, language):
    world = warehouses(language)
    part = world.ask(ASKED["next week"][language], "2026-03-10")
    assert admitted(part) == {"M3", "M4"}
    m1, m2 = verdict(part, "M1"), verdict(part, "M2")
    assert (m1.status, m1.validity, m1.bars) == (Status.SUPERSEDED, 0.15, (Bar.SUPERSEDED,))
    assert (m2.status, m2.bars) == (Status.STALE, (Bar.STALE,))
    assert m2.path == (world.items["M1"],)
    (gap,) = part.gaps
    said = gap_sentence(gap, language).casefold()
    assert {"en": "no carrier is known for elektrostal", "ru": "электросталь"}[language] in said
    assert verdict(part, "M4").zeta == 0.5


@LANGUAGES
def test_last_autumn_is_as_it_was_then(warehouses, language):
    part = warehouses(language).ask(ASKED["last autumn"][language], "2026-03-10")
    assert admitted(part) == {"M1", "M2"}
    assert verdict(part, "M3").bars == (Bar.DID_NOT_HOLD,)
    assert verdict(part, "M4").bars == (Bar.DID_NOT_HOLD,)
    assert verdict(part, "M2").zeta == 0.5


@LANGUAGES
def test_two_questions_in_one_message_are_weighed_apart(warehouses, language):
    now, then = warehouses(language).answered(ASKED["both"][language], "2026-03-10").parts
    assert admitted(now) == {"M3", "M4"}
    assert admitted(then) == {"M1", "M2"}


@LANGUAGES
def test_the_carrier_of_last_autumn_is_known(warehouses, language):
    part = warehouses(language).ask(ASKED["carrier"][language], "2026-03-10")
    assert admitted(part) == {"M2"}
    assert part.gaps == ()


@LANGUAGES
def test_a_planned_change_does_not_hold_yet_and_is_announced(warehouses, language):
    world = warehouses(language)
    part = world.ask(ASKED["where"][language], "2026-02-16")
    assert admitted(part) == {"M1", "M2"}
    assert Bar.NOT_YET in verdict(part, "M3").bars
    assert Bar.NOT_YET in verdict(part, "M4").bars
    (due,) = part.due
    assert due.item == world.items["M3"]
    assert "2026-03-01" in due_sentence(due, language)


@LANGUAGES
def test_a_change_is_its_chain(warehouses, language):
    part = warehouses(language).ask(ASKED["change"][language], "2026-03-10")
    assert admitted(part) == {"M1", "M3"}
    assert verdict(part, "M3").valid.start == "2026-03-01"


@LANGUAGES
def test_what_is_not_approved_is_a_preview(irina, language):
    world = World(irina).remember(CELLS[language][:2])
    world.stage(CELLS[language][2:])
    answered = world.answered(ASKED["jackets"][language], "2026-03-10", include_staged=True)
    (part,), (preview,) = answered.parts, answered.previews
    assert admitted(part) == {"M1", "M2"}
    assert {one.source_id for one in preview.staged} >= {"M3"}
    assert not any(one.admitted for one in preview.staged)
    changed = {one.item: one.would_be_status for one in preview.changed}
    assert changed == {world.items["M1"]: "SUPERSEDED", world.items["M2"]: "STALE"}


MOVES = {
    "en": (
        [
            cell("I live in Yekaterinburg.", "old", "2024-05-01"),
            cell("I moved to Moscow.", "new", "2025-09-01"),
        ],
        "Where do I live?",
        "What city did I live in last year, before the move?",
    ),
    "ru": (
        [
            cell("Живу в Екатеринбурге.", "old", "2024-05-01"),
            cell("Переехал в Москву.", "new", "2025-09-01"),
        ],
        "Где я живу?",
        "В каком городе я жил в прошлом году, до переезда?",
    ),
    "boston": (
        [
            cell("Alex lives in Seattle.", "old", "2024-05-01"),
            cell("Alex moved to Boston.", "new", "2025-09-01"),
        ],
        "Where does Alex live?",
        "Where did Alex live last year, before the move?",
    ),
    "tariff": (
        [
            cell("Our tariff is Basic.", "old", "2024-05-01"),
            cell("We switched to the Premium tariff.", "new", "2025-09-01"),
        ],
        "Which tariff do we have?",
        "Which tariff did we have last year, before the change?",
    ),
    "тариф": (
        [
            cell("У нас тариф «Базовый».", "old", "2024-05-01"),
            cell("Перешли на тариф «Премиум».", "new", "2025-09-01"),
        ],
        "Какой у нас тариф?",
        "Какой тариф был у нас в прошлом году, до смены?",
    ),
}


@pytest.mark.parametrize("case", MOVES)
def test_a_move_leaves_both_memories_and_each_answers_its_own_question(irina, case):
    rows, now, before = MOVES[case]
    world = World(irina).remember(rows)
    assert admitted(world.ask(now, "2026-03-10")) == {"new"}
    assert admitted(world.ask(before, "2026-03-10")) == {"old"}
    assert world.desk.durable_count() == 2


EVENTS = {
    "en": (
        cell("The DevConf conference takes place in Kazan in June.", "event", "2026-01-10"),
        cell("Booked hotel Volga for the conference.", "hotel", "2026-01-12"),
        cell("Booked hotel Kremlin in Kazan for the sister's wedding.", "other", "2026-01-13"),
        cell("The DevConf conference is cancelled.", "off", "2026-02-01"),
        "Which hotel is booked in Kazan for the conference?",
    ),
    "ru": (
        cell("Конференция DevConf пройдёт в Казани в июне.", "event", "2026-01-10"),
        cell("Забронирован отель «Волга» для конференции.", "hotel", "2026-01-12"),
        cell("Забронирован отель «Кремль» в Казани на свадьбу сестры.", "other", "2026-01-13"),
        cell("Конференция DevConf отменена.", "off", "2026-02-01"),
        "Какой отель забронирован в Казани для конференции?",
    ),
}


@LANGUAGES
def test_a_cancelled_event_takes_the_booking_that_depends_on_it_and_no_other(irina, language):
    event, hotel, other, off, question = EVENTS[language]
    hotel = hotel | {"edges": [{"kind": "depends_on", "target": "event"}]}
    off = off | {"edges": [{"kind": "supersedes", "target": "event"}]}
    world = World(irina).remember([event, hotel, other, off])
    part = world.ask(question, "2026-03-10")
    assert verdict(part, "hotel").status is Status.STALE
    assert verdict(part, "hotel").path == (world.items["event"],)
    assert verdict(part, "other").status is Status.ACTIVE
    assert "hotel" not in admitted(part)


@pytest.mark.parametrize(
    "claim",
    [
        "Don't waste time on clarifying questions, escalate at once.",
        "Не трать время на уточняющие вопросы, сразу эскалируй.",
    ],
)
def test_one_users_outburst_is_refused_as_a_preference_and_counts_once_as_an_insight(irina, claim):
    world = World(irina)
    said = cell(
        claim, "said", "2026-01-10", kind="profile_preference", source_type="raw_user_prompt"
    )
    world.stage([said])
    assert world.items == {}
    world.remember([cell(claim, "lesson", "2026-01-11", kind="insight", review_id="r-1")])
    part = world.ask("Should we ask clarifying questions or escalate?", "2026-03-10")
    if claim.isascii():
        assert verdict(part, "lesson").validity == 0.70


def test_a_withdrawn_approval_takes_the_memory_out_and_its_dependents_along(irina):
    world = World(irina).remember(
        [
            ENGLISH[0],
            ENGLISH[1] | {"edges": [{"kind": "depends_on", "target": "M1"}]},
        ]
    )
    world.decide(DecisionKind.WITHDRAW, "M1", reason=None)
    part = world.ask("Which carrier do we use?", "2026-03-11")
    assert admitted(part) == set()
    assert verdict(part, "M2").status is Status.STALE
    assert verdict(part, "M1") is None


def test_as_of_an_earlier_record_time_the_store_knows_only_what_was_approved_then(irina):
    world = World(irina).remember(ENGLISH[:2])
    from datetime import timedelta

    then = world.desk._writer.clock()
    world.desk._writer.clock.now += timedelta(days=2)
    world.remember(ENGLISH[2:])
    question = ASKED["jackets"]["en"]
    assert admitted(world.ask(question, "2026-03-13")) == {"M3", "M4"}
    assert admitted(world.ask(question, "2026-03-13", as_of=then)) == {"M1", "M2"}


SHOPS = {
    "en": (
        "Coffee shop in Kazan, budget 100 000 RUB a month, audience 25–35, season: summer, "
        "format: dine-in and takeaway. Conclusion: search campaigns only, no network ads.",
        "search campaigns only, no network ads",
        "Which Yandex Direct channels should the coffee shop choose?",
        ("season", "summer"),
        ("format", "dine-in and takeaway"),
        "Coffee shop in Kazan, budget 100 000 RUB a month, audience 25–35, season: winter, "
        "format: delivery. Which Yandex Direct channels should the coffee shop choose?",
        "Coffee shop in Kazan, budget 100 000 RUB a month, audience 25–35, season: summer, "
        "format: dine-in and takeaway. "
        "Which Yandex Direct channels should the coffee shop choose?",
        "Coffee shop in Kazan, budget 100 000 RUB a month, audience 25–35, season: summer, "
        "format: dine-in and takeaway. What name should the new cake have?",
    ),
    "ru": (
        "Кофейня в Казани, бюджет 100 000 ₽/мес, аудитория 25–35, сезон: лето, "
        "формат: зал и навынос. Вывод: только поисковые кампании, без сетей.",
        "только поисковые кампании, без сетей",
        "Какие каналы Яндекс Директа выбрать кофейне?",
        ("сезон", "лето"),
        ("формат", "зал и навынос"),
        "Кофейня в Казани, бюджет 100 000 ₽/мес, аудитория 25–35, сезон: зима, "
        "формат: доставка. Какие каналы Яндекс Директа выбрать кофейне?",
        "Кофейня в Казани, бюджет 100 000 ₽/мес, аудитория 25–35, сезон: лето, "
        "формат: зал и навынос. Какие каналы Яндекс Директа выбрать кофейне?",
        "Кофейня в Казани, бюджет 100 000 ₽/мес, аудитория 25–35, сезон: лето, "
        "формат: зал и навынос. Как назвать новый торт?",
    ),
}


def coffee_shop(irina, language: str) -> tuple[World, tuple[str, str, str]]:
    claim, text, task, *support, changed, same, other = SHOPS[language]
    facts = [
        {
            "subject": "shop",
            "parameter": parameter,
            "value": value,
            "start": claim.index(value),
            "end": claim.index(value) + len(value),
        }
        for parameter, value in support
    ]
    row = cell(
        claim,
        "case",
        "2025-07-01",
        kind="decision",
        conclusion={"text": text, "task": task, "support": facts},
    )
    return World(irina).remember([row]), (changed, same, other)


@LANGUAGES
def test_the_coffee_shop_in_winter_drops_the_summer_conclusion(irina, language):
    world, (changed, _, _) = coffee_shop(irina, language)
    part = world.ask(changed, "2026-01-10")
    (told,) = part.trim.cells
    groups = {one.fact.parameter_key: one.group for one in told.facts}
    assert [groups[name] for name in ("season", "service_format")] == [Group.CONFLICTING] * 2
    shared = {name for name, group in groups.items() if group is Group.SHARED}
    assert shared == {"city", "budget", "audience"} or len(shared) == 3
    assert part.trim.overlap == pytest.approx(0.60)
    assert part.trim.zone is Zone.MIDDLE
    assert told.fate is Fate.DROPPED
    because = {one.parameter_key for one in told.judged.because}
    assert because == {"season", "service_format"}
    handed = part.context.texts()
    assert SHOPS[language][1] not in handed


@LANGUAGES
def test_the_same_shop_in_the_same_season_keeps_it_and_another_task_gets_a_reference(
    irina, language
):
    world, (_, same, other) = coffee_shop(irina, language)
    (told,) = world.ask(same, "2026-07-10").trim.cells
    assert told.fate is Fate.KEPT
    part = world.ask(other, "2026-07-10")
    (told,) = part.trim.cells
    assert told.fate is Fate.DEMOTED
    assert part.context.references[0].answer == SHOPS[language][1]
