"""Facts that a source marks itself, beside those that are read at the same place."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from review.memory.validity import Status
from tests.review.worlds import World, cell, verdict


class Told(NamedTuple):
    """A conclusion whose support is marked by the words of its sentence, and what changes it."""

    subject: str
    words: str
    value: str
    claim: str
    task: str
    answer: str
    changed: str

    def row(self) -> dict:
        start = self.claim.index(self.value)
        support = {"subject": self.subject, "parameter": self.words, "value": self.value}
        support |= {"start": start, "end": start + len(self.value)}
        conclusion = {"text": self.answer, "task": self.task, "support": [support]}
        return cell(self.claim, "old", "2026-01-01", kind="decision", conclusion=conclusion)


ENGLISH = Told(
    "Mira",
    "is based in",
    "Riga",
    "Mira is based in Riga. So the parcels go by ferry.",
    "How do the parcels go?",
    "by ferry",
    "Mira is based in Oslo.",
)
RUSSIAN = Told(
    "Мира",
    "проживает в",
    "Туле",
    "Мира проживает в Туле. Поэтому посылки идут поездом.",
    "Чем идут посылки?",
    "поездом",
    "Мира проживает в Казани.",
)
BOTH = pytest.mark.parametrize("told", [ENGLISH, RUSSIAN], ids=["en", "ru"])


@pytest.fixture
def world(irina) -> World:
    return World(irina)


def trimmed(world, told, stated):
    (one,) = world.ask(f"{stated} {told.task}", "2026-03-01").trim.cells
    return one


@BOTH
def test_support_in_the_words_of_the_claim_is_compared_with_what_a_question_states(world, told):
    world.remember([told.row()])
    assert trimmed(world, told, told.changed).fate == "dropped"
    assert trimmed(world, told, told.claim.partition(". ")[0] + ".").fate == "kept"


@BOTH
def test_support_in_the_words_of_the_claim_falls_by_a_later_memory(world, told):
    world.remember([told.row(), cell(told.changed, "new", "2026-02-01")])
    part = world.ask(told.task, "2026-03-01")
    assert verdict(part, "old").status is Status.STALE


@BOTH
def test_a_fact_that_is_marked_and_read_is_counted_once(world, told):
    world.remember([told.row()])
    one = trimmed(world, told, told.claim.partition(". ")[0] + ".")
    assert [str(f.group) for f in one.facts if f.fact.value == told.value] == ["shared"]


@BOTH
def test_a_name_of_ours_keeps_its_own_key_whatever_is_read_there(world, told):
    row = told.row()
    row["conclusion"]["support"][0]["parameter"] = "birthplace"
    world.remember([row])
    assert trimmed(world, told, told.changed).judged.support[0].fact.parameter_key == "birthplace"


@pytest.mark.parametrize(
    ("one", "two", "plain", "naming"),
    [
        (
            "Mira is a citizen of Norway. The capital of Norway is Oslo.",
            "The capital of Latvia is Riga.",
            "What is the capital of Latvia?",
            "Mira is a citizen of Norway. What is the capital of Latvia?",
        ),
        (
            "Гражданство Миры: Норвегия. Столица Норвегии — Осло.",
            "Столица Латвии — Рига.",
            "Какая столица Латвии?",
            "Гражданство Миры: Норвегия. Какая столица Латвии?",
        ),
    ],
)
def test_a_memory_of_what_a_question_names_is_not_one_of_another(world, one, two, plain, naming):
    world.remember([cell(one, "one", "2026-01-01"), cell(two, "two", "2026-01-01")])
    assert "of_another" in reasons(world.ask(plain, "2026-03-01"))
    assert "of_another" not in reasons(world.ask(naming, "2026-03-01"))


def reasons(part):
    told = verdict(part, "one")
    return [] if told is None else [one.code for one in told.reasons]
