"""Values in words: what is found in a text, and which values are the same."""

from __future__ import annotations

import pytest

from review.facts import values
from review.facts.protocol import ValueType

N, M, D, T = ValueType.NUMBER, ValueType.MONEY, ValueType.DURATION, ValueType.DATE


def keys(text: str) -> list[str]:
    return [found.key for found in values.find(text)]


@pytest.mark.parametrize(
    ("same", "value_type", "key"),
    [
        (
            (
                "100 000 ₽/мес", "100k RUB a month", "100 тыс. руб. в месяц",
                "100,000 RUB per month", "100 000 рублей ежемесячно",
                "сто тысяч рублей в месяц", "100 т.р./мес.",
            ),
            M,
            "100000 RUB/month",
        ),
        (
            ("$75,000", "75k USD", "75 000 dollars", "seventy-five thousand dollars"),
            M,
            "75000 USD",
        ),
        (
            ("45 RUB a unit", "45 рублей за единицу", "45 руб./шт.", "45 RUB each"),
            M,
            "45 RUB/unit",
        ),
        (("€1.5m", "1,5 млн евро", "1.500.000 EUR", "1.5 million euros"), M, "1500000 EUR"),
        (("45 руб. 50 коп.", "45.50 RUB", "45,5 рубля"), M, "45.5 RUB"),
        (
            ("six months", "6 months", "полгода", "half a year", "6 месяцев", "two quarters"),
            D,
            "6 month",
        ),
        (("полтора года", "a year and a half", "1.5 years", "18 months"), D, "18 month"),
        (
            ("about two hours", "2 hours", "около двух часов", "120 minutes", "~2h"),
            D,
            "2 hour",
        ),
        (
            ("1 hour 30 minutes", "полтора часа", "90 минут", "an hour and a half"),
            D,
            "90 minute",
        ),
        (("a couple of weeks", "две недели", "пара недель", "14 days"), D, "2 week"),
        (
            ("two hours each day", "2 hours a day", "по 2 часа в день", "2 h/day"),
            D,
            "2 hour/day",
        ),
        (
            ("twice a month", "2 раза в месяц", "two times per month", "дважды в месяц"),
            D,
            "2/month",
        ),
        (
            ("every week", "weekly", "раз в неделю", "каждую неделю", "once a week"),
            D,
            "1/week",
        ),
        (("every two weeks", "раз в две недели", "every other week"), D, "1/2 week"),
        (("20 %", "20 percent", "двадцать процентов", "20%"), N, "20 %"),
        (("25–35", "25-35", "from 25 to 35", "от 25 до 35", "between 25 and 35"), N, "25-35"),
        (
            ("10-12 hours", "10 to 12 hours", "от 10 до 12 часов", "ten or twelve hours"),
            D,
            "10-12 hour",
        ),
        (("5 km", "5 километров", "five kilometres", "5000 м"), N, "5 km"),
        (("1.5 kg", "1500 g", "полтора килограмма", "1,5 кг"), N, "1500 g"),
        (("up to 400k RUB", "до 400 тыс. руб.", "at most 400,000 RUB"), M, "<=400000 RUB"),
        (
            ("at least 20 stars", "не менее 20 звёзд", "20+ stars", "20 stars or more"),
            N,
            ">=20 star",
        ),
        (("37 coins", "37 rare coins", "thirty-seven coins"), N, "37 coin"),
        (("a dozen", "12", "двенадцать", "twelve"), N, "12"),
        (("one", "1", "один", "одну"), N, "1"),
        (("7:30 am", "07:30", "7:30"), T, "07:30"),
        (("7 pm", "19:00", "7 вечера", "7 p.m.", "в 7 часов вечера"), T, "19:00"),
        (("the Elektrostal", "«Elektrostal»", "ELEKTROSTAL"), ValueType.NAME, "elektrostal"),
        (("Электростали", "Электросталь", "«Электросталью»"), ValueType.NAME, "электросталь"),
        (("Нижнем Новгороде", "Нижний Новгород"), ValueType.NAME, "нижний новгород"),
    ],
)  # fmt: skip
def test_the_same_value_in_other_words_has_the_same_key(same, value_type, key):
    assert {text: values.key(text, value_type) for text in same} == dict.fromkeys(same, key)


@pytest.mark.parametrize(
    ("one", "other", "value_type"),
    [
        ("$100", "100 €", M),
        ("100 RUB a month", "100 RUB a year", M),
        ("up to 5 days", "5 days", D),
        ("30 days", "1 month", D),
        ("5 pounds", "£5", M),
        ("3 dogs", "3 cats", N),
        ("15 October", "16 October", T),
        ("PR 260", "PR 480", ValueType.NAME),
        ("20 %", "20", N),
        ("twice a week", "three times a week", D),
    ],
)
def test_different_values_have_different_keys(one, other, value_type):
    assert values.key(one, value_type) != values.key(other, value_type)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "The shop has 100 000 ₽/мес for people of 25–35.",
            ["100 000 ₽/мес", "25–35"],
        ),
        ("Лимит хранения до 400 тыс. руб. в месяц.", ["до 400 тыс. руб. в месяц"]),
        ("I have 37 coins and about two hours each day", ["37 coins", "two hours each day"]),
        ("It took 2 hours, 15 minutes and cost $12.", ["2 hours, 15 minutes", "$12"]),
        ("a 30-minute jog at 7:30 am, twice a week", ["30-minute", "7:30 am", "twice a week"]),
        ("Она пробежала 5 км за 25 минут.", ["5 км", "25 минут"]),
    ],
)
def test_values_are_found_with_their_own_words(text, found):
    values_found = values.find(text)
    assert [one.text for one in values_found] == found
    assert [text[one.span.start : one.span.end] for one in values_found] == found


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-03-12, 12.03.2026 or 12/03/2026",
        "March 5, 5 March 2026, the 5th of May, May 5th, 5-го мая, пятого мая",
        "in 2024, since 2019, в 2024 году, 2019-2021",
        "two weeks ago, три дня назад",
        "GPT-4, the B12 vitamin, a Sony A7R and his new Pixel 8 Pro",
        "1. Milk\n2. Bread\n3) Salt",
        "one of my friends, the one I met; one day I will go; first of all; at first",
        "в первую очередь; the second time",
        "call +7 903 000-00-00, see https://example.org/123/45",
        "I used to read a lot.",
        "",
    ],
)
def test_dates_names_and_turns_of_speech_are_no_values(text):
    assert values.find(text) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("release v2.3", "v2.3"),
        ("версия 2.3", "v2.3"),
        ("merged #260", "#260"),
        ("merged PR 480", "pr 480"),
        ("порт 22", "port 22"),
        ("my third marathon", "ordinal 3"),
        ("третий этаж", "ordinal 3"),
        ("she came 3rd", "ordinal 3"),
    ],
)
def test_identifiers_and_ordinals_are_not_amounts(text, key):
    assert keys(text) == [key]


def test_what_was_found_has_the_same_key_by_itself():
    text = (
        "my third flat costs up to $1,200 a month, 25–35 minutes from PR #480, twice a week, 20+"
        " stars; второй этаж, 5 новых окон, полгода, 45 руб. 50 коп., v2.3, at 7:30 am, 5 ft"
    )
    found = values.find(text)
    assert len(found) == 13
    assert [values.key(one.text, one.value_type) for one in found] == [one.key for one in found]


def test_a_change_from_one_value_to_another_is_no_range():
    assert keys("increased from 350 to 500 followers") == ["350", "500 follower"]
    assert keys("вырос с 350 до 500 подписчиков") == ["350", "500 подписчик"]
    assert keys("it takes from 5 to 6 hours") == ["5-6 hour"]


def test_an_amount_and_its_unit_can_be_asked_for_apart():
    money, coins, often = values.find("up to 400k RUB a month for 37 coins, twice a week")
    assert (money.amount, money.unit) == ("<=400000", "RUB/month")
    assert (coins.amount, coins.unit) == ("37", "coin")
    assert (often.amount, often.value_type) == ("2", D)


def test_a_year_is_a_number_where_a_number_is_expected():
    assert values.key("2024", N) == "2024"


def test_a_date_is_told_as_far_as_it_is_known():
    assert values.key("12 марта 2026", T) == values.key("2026-03-12", T) == "2026-03-12"
    assert values.key("March 2026", T) == "2026-03"


def test_words_that_are_no_number_are_compared_as_words():
    assert values.key("a few hours more", N) == "few hour more"
    assert values.key("  ", ValueType.NAME) == ""


@pytest.mark.parametrize("word", ["The Who", "the", "a", "Vitamin A", "node.js", "C++", "AT&T"])
def test_a_name_never_loses_all_of_its_words(word):
    assert values.name_key(word)


def test_names_that_differ_by_a_mark_stay_apart():
    assert values.name_key("C++") != values.name_key("C")
    assert values.name_key("Vitamin A") != values.name_key("Vitamin")


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "$",
        "5 or",
        "a",
        "half",
        "до",
        "from 5 to",
        "25-",
        "1" * 50 + " kg",
        "1,2,3",
        "²³½",
        "−",
        "99:99",
    ],
)
def test_broken_words_break_nothing(text):
    for found in values.find(text):
        assert text[found.span.start : found.span.end] == found.text
