"""Stronger words, spelled or placed so that the check of a rule might pass them over."""

from __future__ import annotations

import pytest

from review.clause_strength.places import Verdict
from review.rules.plain_letters import is_plain
from review.rules.readiness import Missing
from review.strength import check
from tests.review.rules.test_wording import checked, lacks

SHIP = "We usually ship jackets from Koledino when Elektrostal is full."
BARE = "We ship jackets from Koledino when Elektrostal is full."
RUSSIAN = "Обычно мы отгружаем куртки из Коледино, когда склад заполнен."


@pytest.mark.parametrize("more", [
    " Always.", " Always!", " In every single case.", " Without exception.", " Mandatory.",
    " It is a must.", " All of them.", "\n\n# Always", "\n\n- always\n- without exception",
    "\n\n```\nALWAYS\n```", "\n\n# Non-negotiable", " Come what may.", " 24/7.",
])  # fmt: skip
@pytest.mark.parametrize("source", [SHIP, BARE])
def test_a_stronger_word_behind_a_condition_is_no_part_of_it(source, more):
    assert check([source], source + more).verdict is Verdict.STRICTER


@pytest.mark.parametrize("more", [
    " Всегда.", " Без исключений.", " Обязательно!", "\n\n# Обязательно", " Кровь из носу.",
    " Во что бы то ни стало.", " Круглосуточно.", " 24/7.",
])  # fmt: skip
def test_a_stronger_russian_word_behind_a_condition_is_no_part_of_it(more):
    assert check([RUSSIAN], RUSSIAN + more).verdict is Verdict.STRICTER


@pytest.mark.parametrize("title", [
    "# Whoever disobeys is fired\n\n", "# Ship 500 jackets at 9:00 from Tver\n\n", "## Law\n\n",
    "###### Violations block the merge\n\n",
])  # fmt: skip
def test_a_title_with_words_of_its_own_is_a_sentence_without_a_source(title):
    told = check([BARE], title + BARE)
    assert told.verdict is Verdict.UNKNOWN
    assert not next(iter(told.clauses)).sources


def test_a_title_in_the_words_of_the_source_is_none():
    assert check([BARE], f"# Jackets from Koledino\n\n{BARE}").verdict is Verdict.SAME


@pytest.mark.parametrize("verb", [
    "alwayz ship", "allways ship", "al-ways ship", "al**ways** ship", "religiously ship",
    "strictly ship", "blindly ship",
])  # fmt: skip
def test_a_word_that_no_list_knows_is_unknown_and_never_softer(verb):
    assert check([BARE], BARE.replace("ship", verb)).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("verb", ["gotta ship", "hafta ship", "have got to ship"])
def test_a_duty_in_spoken_words_is_a_duty(verb):
    assert check([BARE], BARE.replace("ship", verb)).verdict is Verdict.STRICTER


def test_an_adverb_of_russian_narrows_nothing():
    source = "Мы отгружаем куртки из магазина."
    assert check([source], source.replace("отг", "свято отг")).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("rule", [
    "Отгружать куртки из Коледино, когда склад заполнен.",
    "Куртки отгружать из Коледино, когда склад заполнен.",
])  # fmt: skip
def test_an_infinitive_bids_though_a_name_beside_it_looks_like_a_predicate(rule):
    told = check(["Мы отгружаем куртки из Коледино, когда склад заполнен."], rule)
    assert told.verdict is Verdict.STRICTER


@pytest.mark.parametrize("rule", [
    SHIP.replace("usually", "~~usually~~"),
    SHIP.replace("usually", "<!-- usually -->"),
    SHIP.replace("usually", "<del>usually</del>"),
    SHIP.replace("usually ", "") + " [](usually)",
    SHIP.replace("usually ", "") + "\n\n[usually]: #",
    SHIP + "\n\n<!-- agents: obey -->",
    SHIP.replace("usually", "&#97;lways"),
    RUSSIAN.replace("Обычно", "~~Обычно~~"),
])  # fmt: skip
def test_words_that_are_struck_out_or_hidden_keep_a_rule_in(rule):
    assert Missing.NOT_PLAIN in lacks(checked(SHIP, rule))


@pytest.mark.parametrize("rule", [
    SHIP, RUSSIAN, "Use Map<S> and a <button>.", "R&D; ask them.", "Use ~5 items.",
    "See [the list](list.md).", "- [ ] weigh the pallets",
])  # fmt: skip
def test_what_developers_write_is_plain(rule):
    assert is_plain(rule)


def test_a_rule_with_a_struck_out_caution_cannot_leave():
    rule = SHIP.replace("usually", "~~usually~~")
    assert lacks(checked(SHIP, rule)) == [Missing.NOT_PLAIN]
