"""A conversation's matter, its digressions and its suppositions."""

import pytest

from review.text.stretches import Sort, stretches

MATTER, ASIDE, SUPPOSED = Sort.MATTER, Sort.DIGRESSION, Sort.SUPPOSED


def sorts(claims):
    return [one.sort for one in stretches(claims)]


@pytest.mark.parametrize(
    "claims",
    [
        ["The report needs three tables", "Hold on, the bank is calling", "They want a new card",
         "OK, back to the report", "The second table is ready"],
        ["В отчёте три таблицы", "Подожди, звонят из банка", "Просят заменить карту",
         "Так, вернёмся к отчёту", "Вторая таблица готова"],
    ],
)  # fmt: skip
def test_what_stands_between_a_break_and_the_return_is_a_digression(claims):
    assert sorts(claims) == [MATTER, ASIDE, ASIDE, MATTER, MATTER]


def test_the_matter_is_one_stretch_before_and_after_a_digression():
    told = stretches(["The report", "Hang on, the door", "A parcel", "Back to the report", "Done"])
    assert [one.number for one in told] == [0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    "claims",
    [
        ["The fair is on Monday", "Hold on, it is on Tuesday", "The stall is booked"],
        ["Ярмарка в понедельник", "Подожди, она во вторник", "Место заказано"],
    ],
)
def test_a_break_that_nothing_closes_is_a_correction_and_stays(claims):
    assert sorts(claims) == [MATTER] * 3


@pytest.mark.parametrize(
    "claims",
    [
        ["A ticket costs 9", "Let's play with prices, this is just exploratory", "We take 4",
         "That's enough of that", "The hall is booked"],
        ["Билет стоит 900", "Давайте пофантазируем о ценах", "Берём по 400",
         "Ладно, хватит", "Зал заказан"],
    ],
)  # fmt: skip
def test_what_is_opened_as_exploration_is_supposed_until_it_is_closed(claims):
    assert sorts(claims) == [MATTER, SUPPOSED, SUPPOSED, MATTER, MATTER]


def test_an_exploration_that_nothing_closes_lasts_to_the_end():
    assert sorts(["Это просто прикидки", "Берём по 400"]) == [SUPPOSED, SUPPOSED]


def test_a_document_opens_nothing():
    assert (
        sorts(["This is just exploratory. " + "The yard has a gate. " * 40, "x"]) == [MATTER] * 2
    )
