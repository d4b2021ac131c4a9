"""The fate of an old conclusion, and when two tasks are one."""

from __future__ import annotations

import pytest

from review.question.tasks import same_task
from review.trimming.fate import Fate, fate
from review.trimming.partition import Group
from store.cells import Conclusion
from tests.review.coffee_shop import OTHER_TASKS, SAME, TASKS, asked, fact, remembered, stated

BOTH = pytest.mark.parametrize("language", ["en", "ru"])


def judged(language, question, **more):
    return fate(remembered(language).conclusion, question.facts, question.task, **more)


@BOTH
def test_a_conclusion_whose_support_changed_is_dropped_and_both_facts_are_named(language):
    told = judged(language, asked(language))
    assert told.fate is Fate.DROPPED
    assert [one.fact.parameter for one in told.changed] == ["season", "format"]
    assert [one.against.value_key for one in told.changed] == ["winter", "delivery"]
    assert [one.parameter for one in told.because] == ["season", "format"]


@BOTH
def test_one_changed_support_fact_is_enough(language):
    told = judged(language, asked(language, season="summer"))
    assert told.fate is Fate.DROPPED
    assert [one.parameter for one in told.because] == ["format"]


@BOTH
def test_a_conclusion_with_its_support_intact_is_kept_for_the_same_task(language):
    told = judged(language, asked(language, **SAME))
    assert told.fate is Fate.KEPT
    assert told.same_task
    assert not told.unchecked


@BOTH
def test_a_conclusion_with_its_support_intact_is_demoted_for_another_task(language):
    told = judged(language, asked(language, **SAME, task=OTHER_TASKS[language]))
    assert told.fate is Fate.DEMOTED
    assert not told.same_task


@BOTH
def test_unmentioned_support_counts_as_intact_and_is_reported(language):
    told = judged(language, stated(("season", "summer"), task=TASKS[language][1]))
    assert told.fate is Fate.KEPT
    assert [one.fact.parameter for one in told.unchecked] == ["format"]


@BOTH
def test_strict_mode_drops_on_unmentioned_support(language):
    told = judged(language, stated(("season", "summer"), task=TASKS[language][1]), strict=True)
    assert told.fate is Fate.DROPPED
    assert [one.parameter for one in told.because] == ["format"]


def test_strict_mode_drops_on_any_conflicting_fact_of_the_cell():
    old = remembered("en")
    question = asked("en", **SAME)
    kept = fate(old.conclusion, question.facts, question.task, strict=True)
    dropped = fate(
        old.conclusion, question.facts, question.task, strict=True, conflicting=old.facts[:1]
    )
    assert (kept.fate, dropped.fate) == (Fate.KEPT, Fate.DROPPED)


def test_a_conclusion_without_support_is_demoted_at_best_and_flagged():
    bare = Conclusion("search only", TASKS["en"][0])
    told = fate(bare, (), TASKS["en"][1])
    assert (told.fate, told.unsupported, told.same_task) == (Fate.DEMOTED, True, True)
    assert fate(bare, (), TASKS["en"][1], strict=True).fate is Fate.DROPPED


def test_a_question_without_a_task_keeps_nothing():
    assert judged("en", asked("en", **SAME, task="")).fate is Fate.DEMOTED


def test_no_conclusion_has_no_fate():
    assert fate(None, (), "anything").fate is Fate.NONE


def test_support_of_a_parameter_with_many_values_does_not_fall_by_another_value():
    support = fact("uses search and maps", "channel", "search", cardinality="many")
    old = Conclusion("go on", "choose channels", (support,))
    question = stated(("channel", "maps"), task="choose channels")
    told = fate(old, question.facts, question.task)
    assert told.fate is Fate.KEPT
    assert told.support[0].group is Group.MEMORY_ONLY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which carrier do we use for the jackets?", "What carriers are we using for jackets?"),
        ("Choose the channels in Yandex Direct", "Please choose channels in the Yandex Direct."),
        ("What is the capital of France?", "France: what's the capital?"),
        ("How many coins do I have", "How many coins have I"),
        ("Каким перевозчиком мы возим куртки?", "Какой перевозчик возит наши куртки"),
        ("Сколько монет у меня есть?", "Сколько у меня монет"),
        ("Где хранить куртки зимой?", "Где нам хранить куртку зимой"),
    ],
)
def test_the_same_content_words_are_the_same_task(one, other):
    assert same_task(one, other)
    assert same_task(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which carrier do we use?", "Which carrier do we cancel?"),
        ("Choose channels in Yandex Direct", "Choose a city in Yandex Direct"),
        ("What is the capital of France?", "What is the capital of Italy?"),
        ("When did she move?", "Where did she move?"),
        ("How many coins do I have?", "Which coins do I have?"),
        ("Should we ship in winter?", "Should we not ship in winter?"),
        ("Will it increase the chance?", "Will it decrease the chance?"),
        ("Report for 2024", "Report for 2025"),
        ("Где храним куртки?", "Когда храним куртки?"),
        ("Выбрать каналы", "Отключить каналы"),
        ("Ехать с зонтом", "Ехать без зонта"),
        ("", ""),
        ("What is it?", "Что это?"),
    ],
)
def test_another_verb_object_place_or_number_is_another_task(one, other):
    assert not same_task(one, other)
