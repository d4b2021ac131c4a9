"""Grounds that look like more than they are: a person under two names, a reason without words."""

from __future__ import annotations

import pytest

from review import independence
from review.rules.drafting import NotReadyError, RuleDraft
from review.rules.readiness import Missing
from store.cells import Case, Stance
from tests.review.rules.test_wording import checked, exported, lacks, opened


def counted(*names):
    return independence.count(
        [Case(f"r{n}", Stance.SUPPORTS, f"s{n}", "", by) for n, by in enumerate(names)]
    )


@pytest.mark.parametrize("names", [
    ("Олег", "Oleg"), ("Oleg Petrov", "Petrov, Oleg"), ("Иванов Пётр", "пётр иванов"),
    ("Пётр Иванов", "ivanov.petr"), ("oleg.petrov@acme.example", "Oleg Petrov", "Олег Петров"),
    ("Сергей", "Sergey"), ("Юрий", "Yuri"), ("Дмитрий", "Dmitry"), ("Aнна", "Anna", "Анна"),
])  # fmt: skip
def test_one_person_under_two_spellings_is_one_person_and_one_vote(names):
    told = counted(*names)
    assert (told.people, told.supporting) == (1, 1)


def test_people_with_other_names_stay_other_people():
    told = counted("Oleg", "Olga", "Олег Петров", "Anna", "Ivan", "oleg2")
    assert (told.people, told.supporting) == (6, 6)


@pytest.mark.parametrize("reason", ["\u200b", "\u3164", "\u2060\ufeff", "...", "—", "\u2800"])
def test_a_reason_without_a_letter_that_can_be_read_is_none(reason):
    source, rule = "We usually ship jackets.", "We ship jackets."
    reasons = {one.key: reason for one in checked(source, rule).places}
    assert reasons
    assert lacks(checked(source, rule, reasons=reasons)) == [Missing.PLACES]
    with pytest.raises(NotReadyError):
        exported(opened(source), RuleDraft(rule, reasons))


def test_a_reason_does_not_go_over_to_another_sentence_with_the_same_words():
    source = "We usually ship jackets at noon. We usually weigh pallets at dawn."
    one = checked(source, "We always ship jackets at noon. We usually weigh pallets at dawn.")
    reasons = {place.key: "the yard agreed" for place in one.places}
    other = "We usually ship jackets at noon. We always weigh pallets at dawn."
    assert lacks(checked(source, other, reasons=reasons)) == [Missing.PLACES]
