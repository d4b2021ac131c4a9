"""What makes a rule stricter than its source, what only looks like it, and where it is said."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import strength as bench
from review.clause_strength.places import Change, Drift, Strength, Verdict
from review.facts.tables import word_set
from review.strength import LONGEST, check


def drifts(told: Strength) -> set[str]:
    return {place.drift.value for place in told.places}


def place(told: Strength, drift: Drift):
    (found,) = [one for one in told.places if one.drift is drift]
    return found


def cues(told: Strength) -> set[tuple[str, str, str]]:
    return {(p.drift.value, p.source.cue if p.source else "", p.rule.cue) for p in told.places}


# --- the pairs written for this project ---------------------------------------------------------


def test_there_are_a_hundred_pairs_of_each_language_and_half_are_held_out():
    pairs, odd = bench.read(bench.FILES)
    assert odd == 0
    for language in ("en", "ru"):
        own = [pair for pair in pairs if pair.language == language]
        assert len(own) >= 100
        assert sum(pair.held_out for pair in own) * 2 == len(own)
        kinds = {kind for pair in own for kind in pair.kinds}
        assert kinds == {drift.value for drift in Drift} - {"wording", "unaligned"}
        assert {pair.verdict for pair in own} == set(Verdict)


def test_every_target_holds_on_the_pairs_that_the_rules_were_written_with():
    rows = bench.measure(part="dev")
    assert len(rows) > 50
    assert [row for row in rows if row.holds is False] == []


def test_no_stricter_rule_passes_as_the_same_or_softer_among_further_pairs():
    more = bench.FILES[0].with_name("strength_more.jsonl")
    rows = bench.measure([more])
    passed = [row for row in rows if row.measure == "STRICTER called SAME or SOFTER"]
    assert sum(row.n for row in passed) > 100
    assert [row.value for row in passed] == [0.0, 0.0]


# --- places and their cues ----------------------------------------------------------------------

SEED = "In March we usually shipped jackets to Elektrostal when Koledino was full."


def test_each_place_points_at_its_cue_in_both_texts():
    rule = "Always ship jackets to Elektrostal."
    told = check([SEED], rule)
    assert told.verdict is Verdict.STRICTER
    assert cues(told) >= {
        ("universality", "usually", "Always"),
        ("condition_dropped", "when Koledino was full", ""),
        ("date", "March", ""),
        ("tense", "shipped", "ship"),
        ("name", "Koledino", ""),
    }
    for one in told.places:
        assert rule[one.rule.span.start : one.rule.span.end] == one.rule.cue
        assert SEED[one.source.span.start : one.source.span.end] == one.source.cue


def test_a_missing_cue_is_an_empty_span_behind_the_clause_it_is_missing_in():
    told = check(["Reportedly, the depot closes early."], "The depot closes early.")
    one = place(told, Drift.CERTAINTY)
    assert (one.change, one.source.cue) == (Change.DROPPED, "Reportedly")
    assert one.rule.span.start == one.rule.span.end == len("The depot closes early")


def test_the_source_text_of_each_place_is_numbered():
    told = check(
        ["The depot takes glass.", "Only once did the courier ring."], "The courier rings always."
    )
    assert {one.source.text for one in told.stricter} == {1}
    assert told.cases == 1


def test_a_sentence_without_a_source_is_named_and_leaves_the_others_judged():
    told = check(["Boxes are weighed."], "Boxes are weighed. Clients get a friendly letter.")
    assert told.verdict is Verdict.UNKNOWN
    assert [one.verdict for one in told.clauses] == [Verdict.SAME, Verdict.UNKNOWN]
    one = place(told, Drift.UNALIGNED)
    assert (one.source, one.rule.cue) == (None, "Clients get a friendly letter")


def test_cautions_in_a_sentence_of_their_own_are_missed_when_they_are_gone():
    source = "The seal breaks on ramp 4. Not confirmed. Seen once. But on ramp 5 it held."
    told = check([source], "The seal breaks on ramp 4.")
    assert {"certainty", "cases", "condition_dropped"} <= drifts(told)


def test_the_author_and_the_date_of_a_sentence_that_was_left_out_are_missed():
    source = "Oleg wrote this on 3 March 2026. Fragile boxes need foam."
    told = check([source], "Fragile boxes need foam.")
    assert {("date", "3 March 2026", ""), ("name", "Oleg", "")} <= cues(told)


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("Send dairy to the annex if hall C is full.", "Send dairy to the annex."),
        ("Use foam for glass bottles.", "Use foam for bottles."),
        ("A pallet holds up to 40 cartons.", "A pallet holds cartons."),
        ("Склад Коледино не берёт стекло.", "Склад не берёт стекло."),
    ],
)
def test_the_true_sentence_beside_it_does_not_hide_a_stricter_one(whole, part):
    for rule in (f"{part} {whole}", f"{whole} {part}"):
        assert check([whole], rule).verdict is Verdict.STRICTER


def test_one_source_sentence_may_become_two_of_the_rule():
    told = check(
        ["Weigh pallets at ramp 4 and wrap jars in foam."],
        "Weigh pallets at ramp 4. Wrap jars in foam.",
    )
    assert told.verdict is Verdict.SAME


def test_marks_of_lists_and_titles_are_no_sentences():
    source = "# Lesson 12\n- Pallets *usually* lean when the strap is wet.\n"
    rule = "## Pallets\n\n1. Pallets lean when the strap is wet.\n"
    told = check([source], rule)
    assert cues(told) == {("universality", "usually", "")}
    assert [rule[one.rule.start : one.rule.end] for one in told.clauses] == [
        "Pallets lean when the strap is wet"
    ]


# --- traps --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("Couriers do not always ring.", "Couriers always ring."),
        ("Couriers do not always ring.", "Couriers never ring."),
        ("Couriers do not always ring.", "Couriers do not ring."),
        ("Not every box is sealed.", "No box is sealed."),
        ("The seal is not necessarily broken.", "The seal is broken."),
        ("A photo is not necessarily required.", "A photo is required."),
        ("You do not have to attach a photo.", "You must not attach a photo."),
        ("Perhaps the depot is closed.", "Reportedly the depot is closed."),
        ("Reportedly the depot is closed.", "The depot is closed."),
        ("Ship by air if it is urgent.", "Ship by air only if it is urgent."),
        ("Weigh it before loading.", "Weigh it after loading."),
        ("This supplier is late.", "The supplier is late."),
        ("Can couriers leave parcels?", "Couriers can leave parcels."),
        ("The box takes about 40 jars.", "The box takes 40 jars."),
        ("The box takes at least 40 jars.", "The box takes at most 40 jars."),
        ("Курьеры не всегда звонят.", "Курьеры всегда звонят."),
        ("Курьеры не всегда звонят.", "Курьеры никогда не звонят."),
        ("Не все коробки целы.", "Все коробки целы."),
        ("Не обязательно курьер сорвал пломбу.", "Курьер сорвал пломбу."),
        ("Фото прикладывать не обязательно.", "Фото прикладывать обязательно."),
        ("Фото прикладывать не обязательно.", "Фото прикладывать нельзя."),
        ("Нельзя не проверить пломбу.", "Нельзя проверить пломбу."),
        ("Возвраты согласуют не только менеджеры.", "Возвраты согласуют только менеджеры."),
        ("Возможно, депо закрыто.", "Говорят, депо закрыто."),
        ("Почти все коробки целы.", "Все коробки целы."),
        ("Вряд ли депо открыто.", "Депо не открыто."),
    ],
)
def test_a_trap_is_seen_as_stricter(source, rule):
    assert check([source], rule).verdict is Verdict.STRICTER


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("Drivers must not smoke.", "Drivers are not allowed to smoke."),
        ("You do not have to attach a photo.", "Attaching a photo is optional."),
        ("It is not forbidden to open the box.", "You can open the box."),
        ("Never store a token in the notes.", "Tokens must never be stored in the notes."),
        ("Clients often, but not always, pay in cash.", "Clients often pay in cash."),
        ('The "Always On" plan renews monthly.', 'The "Always On" plan is renewed monthly.'),
        ("Answer within 48 hours.", "Answer within two days."),
        ("In May the depot is open.", "The depot is open in May."),
        ("Unless it is wet, take the box.", "Take the box unless it is wet."),
        ("Нельзя не проверить пломбу.", "Необходимо проверить пломбу."),
        ("Фото прикладывать не обязательно.", "Прикладывать фото необязательно."),
        ("Водителям нельзя курить.", "Водителям запрещено курить."),
        ("Никогда не храните токен.", "Токен никогда нельзя хранить."),
        ("15 марта 2026 года тариф сменился.", "Тариф сменился 15.03.2026."),
        ("Не запрещено открыть коробку.", "Можно открыть коробку."),
        ("Клиенты часто, но не всегда, платят картой.", "Клиенты часто платят картой."),
    ],
)
def test_what_only_looks_stricter_is_the_same(source, rule):
    told = check([source], rule)
    assert (told.verdict, told.places) == (Verdict.SAME, ())


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("The portal accepts returns.", "The portal refuses returns."),
        ("Load boxes into hall A.", "Load boxes from hall A."),
        ("Riga pays Turku for storage.", "Turku pays Riga for storage."),
        ("The hall is almost full.", "The hall is full."),
        ("Fold the sleeves.", "Compress outerwear."),
        ("Депо закрыто.", "The depot is closed."),
        ("The depot closes at six.", "Does the depot close at six?"),
        ("Марина платит Олегу за хранение.", "Олег платит Марине за хранение."),
        ("Зал почти полон.", "Зал полон."),
        ("", "Ship it."),
        ("Ship it.", ""),
        ("Ship it.", "—"),
    ],
)
def test_what_nobody_here_can_judge_is_unknown_and_never_the_same(source, rule):
    assert check([source] if source else [], rule).verdict in (Verdict.UNKNOWN, Verdict.STRICTER)


def test_a_lost_may_is_a_lost_leave_of_people_and_a_lost_doubt_of_things():
    people = check(["Agents may refund orders."], "Agents refund orders.")
    things = check(["The proxy may drop headers."], "The proxy drops headers.")
    assert (drifts(people), drifts(things)) == ({"deontic"}, {"certainty"})


def test_both_languages_in_one_text_are_judged_clause_by_clause():
    source = "Agents may refund orders. Курьеры обычно звонят, если адрес неясен."
    told = check([source], "Agents must refund orders. Курьеры звонят.")
    assert [one.verdict for one in told.clauses] == [Verdict.STRICTER] * 2
    assert drifts(told) == {"deontic", "universality", "condition_dropped"}


def test_an_unchanged_text_is_the_same_though_it_is_full_of_cues():
    assert check([SEED], SEED).places == ()


# --- the seed's two bad instructions ------------------------------------------------------------

INSIGHTS = [
    "On 3 March 2026 Irina refunded a buyer once because the parcel was wet.",
    "In two of six runs the agent skipped the changelog; Oleg asked for it on 5 May 2026.",
    "Buyers from Kazan sometimes ask for a paper invoice, Marina noticed in April 2026.",
    "In one case the courier Baikal lost a box, and Lena probably repacked it at night.",
    "If hall C is full, Pavel usually sends dairy to the annex in summer.",
    "3 марта 2026 года Ирина один раз вернула деньги, потому что посылка промокла.",
    "В двух запусках из шести агент пропустил журнал, и 5 мая 2026 года Олег попросил его.",
    "По словам Марины, покупатели из Казани иногда просят бумажный счёт.",
    "В одном случае перевозчик Байкал потерял коробку, и Лена, вероятно, упаковала её ночью.",
    "Если зал С полон, Павел летом обычно отправляет молоко в пристройку.",
]
WITHOUT_ORIGIN = [
    "Refund a buyer when the parcel is wet.",
    "The agent skips the changelog.",
    "Buyers ask for a paper invoice.",
    "The courier loses boxes and they are repacked.",
    "If the hall is full, send dairy to the annex.",
    "Деньги возвращают, если посылка промокла.",
    "Агент пропускает журнал.",
    "Покупатели просят бумажный счёт.",
    "Перевозчик теряет коробки, их упаковывают.",
    "Если зал полон, отправляют молоко в пристройку.",
]
ABSOLUTE = [
    "A buyer must always be refunded when the parcel is wet.",
    "The agent must never skip the changelog.",
    "Buyers must always get a paper invoice.",
    "Boxes must always be repacked.",
    "Dairy must always be sent to the annex.",
    "Если посылка промокла, деньги обязаны вернуть всегда.",
    "Агент никогда не должен пропускать журнал.",
    "Покупателям всегда обязательно дают бумажный счёт.",
    "Коробки всегда необходимо упаковывать.",
    "Молоко всегда должны отправлять в пристройку.",
]


@pytest.mark.parametrize(("source", "rule"), list(zip(INSIGHTS, WITHOUT_ORIGIN, strict=True)))
def test_removing_dates_people_and_single_cases_is_caught(source, rule):
    told = check([source], rule)
    assert told.verdict is Verdict.STRICTER
    gone = {one.drift for one in told.stricter if one.change is Change.DROPPED}
    assert gone & {Drift.DATE, Drift.NAME, Drift.CASES}


@pytest.mark.parametrize(("source", "rule"), list(zip(INSIGHTS, ABSOLUTE, strict=True)))
def test_stating_an_absolute_standard_is_caught(source, rule):
    told = check([source], rule)
    assert {"deontic", "universality"} <= {one.drift.value for one in told.stricter}


# --- any text -----------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    sorted(
        word_set(
            "Agents may refund never not always only if unless before according to said that , ; "
            ". but если только для не всегда нельзя обязательно пока никто кроме 3 2026-03-01 "
            "March #12 `x` two of five runs once дважды в одном случае Oleg Олег ( ) « » \" ' - "
            "— ё İ ﬁ 🙂"
        )
    )
)
_TEXTS = st.one_of(st.text(max_size=120), st.lists(_PIECES, max_size=30).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(st.lists(_TEXTS, max_size=3), _TEXTS)
def test_no_text_raises_and_every_cue_is_where_it_says(sources, rule):
    told = check(sources, rule)
    for one in told.places:
        assert rule[one.rule.span.start : one.rule.span.end] == one.rule.cue
        if one.source is not None:
            text = sources[one.source.text]
            assert text[one.source.span.start : one.source.span.end] == one.source.cue
    again = json.dumps(check(sources, rule).told(), ensure_ascii=False, sort_keys=True)
    assert json.dumps(told.told(), ensure_ascii=False, sort_keys=True) == again


@settings(max_examples=100, deadline=None)
@given(_TEXTS)
def test_a_text_is_never_stricter_or_softer_than_itself(text):
    assert check([text], text).verdict in (Verdict.SAME, Verdict.UNKNOWN)


def test_a_text_of_20_kb_takes_less_than_a_second():
    sentences = [
        f"On {day} March 2026 the courier usually left box {day * 7 + n} at ramp {n}, "
        f"if hall {n} was full; курьеры обычно звонят в зал {n}, когда заказ {day} готов."
        for day in range(1, 29)
        for n in range(5)
    ]
    source = " ".join(sentences)[:20_000]
    check([source[:500]], SEED)
    began = time.process_time()
    told = check([source], " ".join(sentences[:20]).replace("usually", "always"))
    assert time.process_time() - began < 1.0
    assert told.verdict is Verdict.STRICTER


def test_what_is_too_long_to_be_read_is_unknown_at_best():
    text = "Ship it. " + "x" * LONGEST
    assert check([text], text).verdict is Verdict.UNKNOWN
