from __future__ import annotations

import pytest

from review.facts.grammar import GrammarParser
from review.facts.parameters import TableError, load
from review.facts.protocol import Setting, ValueType
from store.cells import Cardinality

OURS = load()


def test_the_table_knows_what_a_team_a_person_and_the_world_are_asked_about():
    known = set(OURS.parameters)
    assert len(known) >= 120
    assert {"warehouse", "carrier", "deadline", "budget", "owner", "port", "database"} <= known
    assert {"residence", "employer", "birth_date", "hobby", "allergy", "spouse"} <= known
    assert {"capital", "head_of_state", "author", "head_coach", "continent", "sport"} <= known


def test_every_parameter_has_a_name_in_both_languages():
    unnamed = [key for key, p in OURS.parameters.items() if not (p.en and p.ru)]
    assert not unnamed


def test_no_name_means_two_parameters():
    seen: dict[str, str] = {}
    for key, parameter in OURS.parameters.items():
        for name in (*parameter.en, *parameter.ru):
            assert seen.setdefault(name, key) == key, f"{name!r} is both {seen[name]} and {key}"


@pytest.mark.parametrize("key", ["residence", "budget", "deadline", "head_coach", "warehouse"])
def test_one_value_at_a_time_is_only_said_of_what_has_one(key):
    assert OURS.parameters[key].cardinality is Cardinality.ONE


@pytest.mark.parametrize(
    "key", ["hobby", "language_spoken", "child", "role", "visited", "merged", "load"]
)
def test_what_people_have_several_of_is_many(key):
    assert OURS.parameters[key].cardinality is Cardinality.MANY


@pytest.mark.parametrize("key", ["author", "citizenship", "official_language", "preference"])
def test_where_two_values_can_both_be_true_nobody_claims_to_know(key):
    assert OURS.parameters[key].cardinality is Cardinality.UNKNOWN


def test_the_same_table_is_loaded_twice():
    assert load() == load()


def test_a_tenant_adds_a_parameter_of_its_own():
    extra = """
parameters:
  roast:
    type: text
    cardinality: one
    en: [roast, roast level]
    ru: [обжарка]
    frames: ["{subject} is|are roasted {value}"]
"""
    parser = GrammarParser(load(extra=extra))
    facts = parser.claim("The roast of Blend One is medium.", Setting()).facts
    assert [(f.subject_key, f.parameter_key, f.value_key) for f in facts] == [
        ("blend one", "roast", "medium")
    ]


def test_a_tenant_adds_words_and_changes_a_cardinality_but_loses_nothing():
    extra = "parameters: {employer: {cardinality: many, en: [day job]}}"
    employer = load(extra=extra).parameters["employer"]
    assert employer.cardinality is Cardinality.MANY
    assert {"employer", "day job"} <= set(employer.en)
    assert employer.frames == OURS.parameters["employer"].frames
    assert OURS.parameters["employer"].cardinality is Cardinality.ONE


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("parameters: {budget: {type: name}}", "its type is money and cannot become name"),
        (
            "parameters: {mood: {en: [mood], cardinality: two}}",
            "'two' is none of one, many, unknown",
        ),
        ("parameters: {mood: {en: [mood], kind: text}}", "there is no field 'kind'"),
        ("parameters: {mood: {en: mood}}", "mood.en must be a list of words"),
        ("parameters: {mood: {en: [yes]}}", "True is not a word; put it in quotes"),
        ("parameters: {mood: {}}", "nothing says it"),
        ("parameters: {mood: {type: enum, en: [mood]}}", "an enum needs values"),
        ("parameters: {mood: {en: [mood], frames: ['{subject} feels']}}", "has no {value}"),
        ("parameters: {mood: {en: [mood], frames: ['{who} feels {value}']}}", "has a slot 'who'"),
        (
            "parameters: {mood: {en: [mood], frames: ['{subject} {value}']}}",
            "no word that must be",
        ),
        ("words: {}", "there is no section 'words'"),
        ("- a list", "it must be a mapping, got list"),
        ("a: [", "it is not YAML"),
    ],
)
def test_what_is_wrong_with_a_tenants_table_is_said(extra, says):
    with pytest.raises(TableError) as refused:
        load(extra=extra)
    assert any(says in fault for fault in refused.value.faults)
    assert "Nothing was loaded" in str(refused.value)


def test_all_faults_are_said_at_once():
    with pytest.raises(TableError) as refused:
        load(extra="parameters: {a: {en: b}, c: {type: colour, en: [c]}}")
    assert len(refused.value.faults) >= 2


def test_a_table_of_ones_own_stands_alone():
    table = load("parameters: {mood: {type: text, en: [mood]}}")
    assert list(table.parameters) == ["mood"]
    assert table.parameters["mood"].value_type is ValueType.TEXT
