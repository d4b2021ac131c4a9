"""Complaints from the field about duplicates and over-merging, in English and in Russian.

Each goes through the public path: a file is imported, and the desk is asked.
"""

from __future__ import annotations

import pytest

from review.duplicates.clusters import Method
from review.duplicates.differences import Difference
from review.editing import Edit
from store.cells import Kind
from store.links import LinkVerdict
from store.stages import DecisionKind, Stage
from tests.review.desks import signer
from tests.review.worlds import World, cell


@pytest.fixture
def world(irina):
    return World(irina)


def claims(*told, day="2026-02-01", **more):
    return [cell(claim, f"t:{n}", day, **more) for n, claim in enumerate(told)]


def opened(world):
    desk = world.desk.duplicates
    desk.refresh()
    return [desk.cluster(row.cluster.id) for row in desk.page().rows]


def differences(cluster):
    return {kind for one in cluster.shown for kind in one.place.differences}


def chosen(world):
    return [
        one.row.claim for cluster in opened(world) for one in cluster.shown if one.place.chosen
    ]


def sign(world):
    return world.desk.duplicates.sign(signer(world.irina), policy_sha256=world.desk.policy.sha256)


P01_EN = (
    ("The user", "User", "The user, as noted before,", "As noted earlier, the user",
     "It is known that the user", "Reminder: the user"),
    ("works at Initech", "is employed by Initech", "works for Initech", "is working at Initech"),
    ("", ".", " now", " currently", " at present"),
    [f"We talked about {what} for a while." for what in
     ("kites", "rain", "bread", "chess", "opera", "paint", "tents", "maps", "wool", "salt")],
    [f"The invoice of {name} was paid in {month}." for name in ("Acme", "Borealis", "Contoso",
     "Dynacorp", "Ember") for month in ("January", "March", "May", "August")],
)  # fmt: skip
P01_RU = (
    ("Пользователь", "пользователь", "Как отмечалось, пользователь", "Напоминание: пользователь",
     "Известно, что пользователь", "Ранее: пользователь"),
    ("работает в Ромашке", "сейчас работает в Ромашке", "по-прежнему работает в Ромашке",
     "работает сейчас в Ромашке"),
    ("", ".", "!", " (см. память)", " ."),
    [f"Немного поговорили про {what}." for what in
     ("змеев", "дождь", "хлеб", "шахматы", "оперу", "краску", "палатки", "карты", "шерсть",
      "соль")],
    [f"Счёт от «{name}» оплачен в {month}." for name in ("Альфа", "Бета", "Вектор", "Грань",
     "Дельта") for month in ("январе", "марте", "мае", "августе")],
)  # fmt: skip


@pytest.mark.parametrize("told", [P01_EN, P01_RU], ids=["en", "ru"])
def test_p01_a_false_fact_told_120_times_by_a_model_is_one_cluster_and_nothing_is_chosen(
    world, told
):
    who, does, tails, talk, facts = told
    echoes = [f"{a} {b}{c}" for a in who for b in does for c in tails]
    assert len(echoes) == 120
    boilerplate = [f"{one[:-1]}, part {n}." for n in range(6) for one in talk]
    rows = [
        cell(claim, f"echo:{n}", "2026-02-01", source_type="agent_summary")
        for n, claim in enumerate(echoes)
    ]
    rows += [cell(claim, f"talk:{n}", "2026-02-01") for n, claim in enumerate(boilerplate)]
    rows += [cell(claim, f"fact:{n}", "2026-02-01") for n, claim in enumerate(facts)]
    assert len(rows) == 200
    world.stage(rows)
    found = opened(world)
    largest = found[0]
    assert len(largest.cluster.rows) == 120
    assert largest.cluster.model_text == 120
    assert largest.cluster.voices == 1
    assert not any(one.place.chosen for one in largest.shown)
    inside = {one.row.claim for one in largest.shown}
    assert not inside & {*boilerplate, *facts}


@pytest.mark.parametrize(
    "wish", ["Prefers answers in bullet points", "Предпочитает ответы списком"], ids=["en", "ru"]
)
def test_p13_one_wish_of_two_kinds_can_be_linked(world, wish):
    world.stage(
        [
            cell(wish, "text:1", "2026-02-01", kind="fact"),
            cell(wish + ".", "pref:1", "2026-02-02", kind="profile_preference"),
        ]
    )
    (one,) = opened(world)
    assert one.cluster.method is Method.NORMALISED
    assert {shown.row.kind for shown in one.shown} == {"fact", "profile_preference"}
    assert len(chosen(world)) == 1


@pytest.mark.parametrize(
    "pair",
    [
        ("deadline 15 October", "deadline 16 October"),
        ("The deadline is 15.10.2026", "The deadline is 16.10.2026"),
        ("срок 15 октября", "срок 16 октября"),
        ("Срок сдачи: 2026-10-15", "Срок сдачи: 2026-10-16"),
    ],
)
def test_p15_dates_one_digit_apart_are_never_duplicates(world, pair):
    world.stage(claims(*pair))
    for one in opened(world):
        assert one.cluster.method is Method.DIFFERS
        assert Difference.DATE in differences(one)
    assert chosen(world) == []


@pytest.mark.parametrize(
    "pair",
    [
        ("Anna works at Acme", "Anna joined Borealis"),
        ("Анна работает в Ромашке", "Анна перешла на работу в Вектор"),
    ],
)
def test_p16_an_update_is_no_duplicate(world, pair):
    first, second = claims(*pair)
    world.remember([first])
    world.stage([second | {"written_at": "2026-03-01T10:00:00Z"}])
    assert chosen(world) == []
    assert all(one.cluster.method is Method.DIFFERS for one in opened(world))
    follows = world.desk.consequence(world.desk.card_of(world.items["t:1"]))
    assert follows.superseded == (world.items["t:0"],)


@pytest.mark.parametrize(
    "notes",
    [
        ("The pump no longer starts after the storm", "The portal no longer shows old invoices"),
        ("Насос больше не запускается после грозы", "Портал больше не показывает старые счета"),
    ],
)
def test_p18_a_shared_no_longer_makes_nothing_of_two_unrelated_notes(world, notes):
    world.stage(claims(*notes))
    assert opened(world) == []
    for item in world.items.values():
        assert world.desk.consequence(world.desk.card_of(item)).conflicts == ()


@pytest.mark.parametrize(
    "series",
    [
        ("load 40 % on 1 May", "load 70 % on 1 June"),
        ("нагрузка 40 % на 1 мая", "нагрузка 70 % на 1 июня"),
    ],
)
def test_p19_dated_readings_are_a_series_and_both_stay(world, series):
    world.stage(claims(*series))
    assert chosen(world) == []
    for one in opened(world):
        assert {Difference.DATE, Difference.NUMBER} <= differences(one)
    assert world.desk.counts().stages == {"staged": 2}


@pytest.mark.parametrize("claim", ["The fee is 45 RUB", "Комиссия 45 рублей"])
def test_p21_the_same_row_twice_changes_nothing_and_another_source_adds_one_voice(world, claim):
    world.remember([cell(claim, "a:1", "2026-02-01")])
    world.stage([cell(claim, "a:1", "2026-02-01")])
    assert world.desk.counts().outcomes["already_known"] == 1
    assert opened(world) == []
    world.stage([cell(claim, "b:1", "2026-02-05")], name="other.jsonl")
    (one,) = opened(world)
    assert one.kept.row.stage == "durable"
    assert (len(one.cluster.rows), one.cluster.voices) == (2, 2)
    world.desk.duplicates.link(one, [one.shown[1].row.item], "n-1")
    sign(world)
    stages = {world.desk.standing().stage_of(item, 1) for item in world.items.values()}
    assert stages == {Stage.DURABLE, Stage.STAGED}
    assert opened(world) == []


def test_p21_an_approved_copy_of_one_import_is_one_confirmation_and_of_another_two(world):
    claim = "The fee is 45 RUB"
    world.remember([cell(claim, "a:1", "2026-02-01"), cell(claim, "a:2", "2026-02-02")])
    known = world.desk._inquiry.known(world.desk.policy.policy)
    assert known.life.sources.tolist() == [1, 1]
    world.remember([cell(claim, "b:1", "2026-02-03")])
    known = world.desk._inquiry.known(world.desk.policy.policy)
    assert known.life.sources.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "pair",
    [("merged #260", "merged #480"), ("слит запрос №260", "слит запрос №480")],
)
def test_p22_numbers_tell_requests_apart(world, pair):
    world.stage(claims(*pair))
    assert chosen(world) == []
    assert all(one.cluster.method is Method.DIFFERS for one in opened(world))


@pytest.mark.parametrize(
    "pair", [("I love apples", "I love cars"), ("Я люблю яблоки", "Я люблю машины")]
)
def test_p117_sentences_of_one_frame_are_two_rows(world, pair):
    world.stage(claims(*pair))
    assert world.desk.counts().stages == {"staged": 2}
    assert chosen(world) == []


@pytest.mark.parametrize(
    ("pair", "again"),
    [
        (
            ("Ships on Mondays from Riga", "Ships on Fridays from Riga"),
            ("ships on mondays from Riga!", "Ships on Fridays, from Riga"),
        ),
        (
            ("Отгрузка по понедельникам из Риги", "Отгрузка по пятницам из Риги"),
            ("отгрузка по понедельникам из Риги!", "Отгрузка по пятницам, из Риги"),
        ),
    ],
)
def test_told_different_is_remembered_by_the_words_and_not_by_the_items(world, pair, again):
    world.stage(claims(*pair))
    (one,) = opened(world)
    world.desk.duplicates.different(one, "n-1")
    assert sign(world).recorded == 1
    assert opened(world) == []
    world.decide(DecisionKind.REJECT, "t:0", "t:1", reason="wrong")
    world.stage([cell(c, f"z:{n}", "2026-03-01") for n, c in enumerate(again)], name="z.jsonl")
    assert opened(world) == []
    (standing,) = world.desk.duplicates.standing()
    assert standing.link.verdict == LinkVerdict.DIFFERENT


@pytest.mark.parametrize("words", ["The fee is forty five, as agreed", "THE FEE is 45 in Riga!"])
def test_what_a_person_edited_is_no_look_alike_of_what_it_was_made_of(world, words):
    world.stage(claims("The fee is 45 in Riga"))
    desk = world.desk
    edit = Edit(words, Kind.FACT)
    desk.edit_as_new(desk.card_of(world.items["t:0"]), edit, nonce=desk.new_nonce())
    assert opened(world) == []
    world.stage([cell("the fee is 45, in Riga", "z:1", "2026-02-02")], name="z.jsonl")
    copies = [{one.row.claim for one in cluster.shown} for cluster in opened(world)]
    assert any("the fee is 45, in Riga" in one for one in copies)


def test_a_draft_whose_record_moved_is_dropped_and_counted(world):
    world.stage(claims("The fee is 45", "the fee is 45!"))
    (one,) = opened(world)
    world.desk.duplicates.link(one, [one.shown[1].row.item], "n-1")
    moved = world.desk.card_of(one.shown[1].row.item).provenance["source_id"]
    world.stage([cell("the fee is 46!", moved, "2026-02-09")], name="again.jsonl")
    receipt = sign(world)
    assert (receipt.recorded, receipt.set_aside) == (0, 1)
    assert world.desk.duplicates.drafts() == []
    assert world.desk.standing().links == {}


def test_another_tenants_records_are_not_there(irina):
    first, second = World(irina), World(irina)
    first.stage(claims("The fee is 45"))
    second.stage(claims("the fee is 45"))
    assert opened(first) == opened(second) == []
