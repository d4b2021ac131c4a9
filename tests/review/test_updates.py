"""What an "Update: …" takes the place of."""

import pytest

from review.text.updates import renewed


@pytest.mark.parametrize(
    "claims",
    [
        ["The piano lesson with Marta is in the red room", "Marta feeds the cats",
         "Update: the piano lesson with Marta is by phone"],
        ["Урок фортепиано у Марты в красной комнате", "Марта кормит кошек",
         "Обновление: урок фортепиано у Марты по телефону"],
    ],
)  # fmt: skip
def test_an_update_renews_what_is_most_like_it_and_nothing_else(claims):
    assert renewed(claims) == {0: 2}


@pytest.mark.parametrize(
    "claims",
    [
        ["Marta feeds the cats", "Update: the piano lesson with Marta is by phone"],
        ["The piano lesson with Marta is in the red room",
         "The piano lesson with Marta is by phone"],
        ["log: the piano lesson with Marta is by phone",
         "Update: the piano lesson with Marta is by phone"],
        ["Update: the piano lesson with Marta is by phone",
         "The piano lesson with Marta is in the red room"],
        ["Марта кормит кошек", "Обновление: урок фортепиано у Марты по телефону"],
    ],
)  # fmt: skip
def test_one_common_word_no_mark_a_copy_and_what_comes_later_renew_nothing(claims):
    assert renewed(claims) == {}
