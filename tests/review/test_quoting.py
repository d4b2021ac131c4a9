"""Claims that a later one of the conversation quotes and takes back."""

import pytest

from review.text.quoting import disowned


@pytest.mark.parametrize(
    "claims",
    [
        ["So the trip costs 7,500 in all", "The bus leaves at nine",
         "Our conclusion 'the trip costs 7,500' was based on wrong data."],
        ["Значит, поездка стоит 7500 рублей", "Автобус уходит в девять",
         "Вывод «поездка стоит 7500 рублей» был ошибочным."],
    ],
)  # fmt: skip
def test_quoted_words_that_are_taken_back_fall_and_nothing_else(claims):
    assert disowned(claims) == {0: 2, 2: 2}


def test_a_claim_that_goes_on_to_tell_something_stays():
    claims = ["The trip costs 7,500", "'The trip costs 7,500' is wrong. The guide takes 900."]
    assert disowned(claims) == {0: 1}


@pytest.mark.parametrize(
    "claims",
    [
        ["Поставка: 300 коробок в неделю", "Было: 300 коробок в неделю. Стало: 200 коробок"],
        ["We get 300 boxes a week",
         "Correction. The value was: 300 boxes a week. The actual value is: 200 boxes."],
    ],
)  # fmt: skip
def test_the_old_words_of_a_correction_fall_and_the_correction_stays(claims):
    assert disowned(claims) == {0: 1}


@pytest.mark.parametrize(
    "claims",
    [
        ["The trip costs 7,500", "Somebody said 'the trip costs 7,500' on the phone."],
        ["The trip costs 7,500", "That conclusion was wrong."],
        ["'The trip costs 7,500' is wrong.", "The trip costs 7,500"],
        ["Поездка стоит 7500 рублей", "Кто-то сказал: «поездка стоит 7500 рублей»."],
    ],
)
def test_a_mere_quotation_a_nameless_verdict_and_an_earlier_one_take_nothing_back(claims):
    assert disowned(claims) == {}
