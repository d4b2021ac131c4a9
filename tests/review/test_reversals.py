"""Choices that a return to an earlier one undoes."""

import pytest

from review.text.reversals import undone


@pytest.mark.parametrize(
    "claims",
    [
        ["The tent is the blue dome", "Marta brings soup", "Let's try the red tunnel instead",
         "tent_choice: red tunnel", "Actually, let's go back to the blue dome."],
        ["Палатка — синий купол", "Марта варит суп", "Попробуем красный тоннель",
         "выбор: красный тоннель", "Нет, вернёмся к синему куполу."],
    ],
)  # fmt: skip
def test_what_was_tried_in_between_is_undone_wherever_it_is_named(claims):
    assert undone(claims) == {2: 4, 3: 4}


@pytest.mark.parametrize(
    "claims",
    [
        ["Let's try the red tunnel instead", "Let's go back to the report."],
        ["The tent is the blue dome", "Marta brings soup", "We go back to the blue dome."],
        ["Палатка — синий купол", "Марта варит суп", "Вернёмся к отчёту."],
    ],
)
def test_a_return_to_what_nobody_named_or_with_nothing_tried_undoes_nothing(claims):
    assert undone(claims) == {}
