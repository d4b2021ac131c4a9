"""What was forgotten does not come back by import, and no byte of it is kept when it tries."""

import pytest

from review import runs
from review.placing import Writer
from review.resurrection import FORGOTTEN, Content, Guard
from store.records import Outcome
from tests.review.desks import desk_over, proposal, reading
from tests.review.run_worlds import reading as of_runs
from tests.review.run_worlds import run

CLAIM = "Ana's spare key is under the third flower pot."


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


@pytest.fixture
def forget(desk, clock, chance):
    guard = Guard(desk.store)

    def remember(*contents):
        return guard.remember(contents, Writer("p-test", clock, chance), forget="fr-1")

    return remember


def outcomes(desk, *proposals):
    return desk.stage(reading(proposals)).counts


def everything(desk):
    return b"\n".join(
        bytes(row["body"]) for row in desk.store.rows("select body from vault_payload")
    )


@pytest.mark.parametrize(
    "again",
    [
        CLAIM,
        CLAIM.upper(),
        "  Ana's spare key is under the third flower-pot ",
        "Ana’s spare key is under the third flower pot!",
    ],
)
def test_the_same_words_about_the_same_subject_are_refused(desk, forget, again):
    forget(Content("ana", CLAIM, "mem0:1"))
    receipt = desk.stage(reading([proposal(again, source_id="other:9")]))
    assert receipt.counts[Outcome.REFUSED] == 1
    (row,) = desk.outcomes_of(receipt.import_id)
    assert row.reason == "forgotten"


def test_no_byte_of_it_enters_the_store_when_it_tries_to_come_back(desk, forget):
    forget(Content("ana", CLAIM, "mem0:1"))
    outcomes(desk, proposal(CLAIM))
    assert b"flower pot" not in everything(desk)
    assert b"flower pot" not in b"".join(
        bytes(row["canon"]) for row in desk.store.rows("select canon from log_leaf")
    )


def test_the_same_sentence_about_somebody_else_is_imported(desk, forget):
    forget(Content("ana", CLAIM, "mem0:1"))
    assert outcomes(desk, proposal(CLAIM, scope={"user": "ben"}))[Outcome.WRITTEN] == 1


def test_a_record_that_names_nobody_is_held_against_the_words_alone(desk, forget):
    forget(Content("ana", CLAIM, "mem0:1"))
    assert outcomes(desk, proposal(CLAIM, scope={}))[Outcome.REFUSED] == 1


def test_a_short_text_is_known_by_its_record(desk, forget):
    forget(Content("ana", "Yes.", "mem0:1"))
    counts = outcomes(
        desk, proposal("Yes.", source_id="mem0:1"), proposal("Yes.", source_id="mem0:2")
    )
    assert (counts[Outcome.REFUSED], counts[Outcome.WRITTEN]) == (1, 1)


def test_a_rewording_is_not_found(desk, forget):
    """The known limit: digests find words, not meaning. The report of a forget says so."""
    forget(Content("ana", CLAIM, "mem0:1"))
    assert outcomes(desk, proposal("The third pot hides Ana's key."))[Outcome.WRITTEN] == 1


def test_neighbours_of_the_forgotten_are_imported(desk, forget):
    forget(Content("ana", CLAIM, "mem0:1"))
    counts = outcomes(desk, proposal("Ana likes tea."), proposal(CLAIM), proposal("Ana skis."))
    assert (counts[Outcome.WRITTEN], counts[Outcome.REFUSED]) == (2, 1)


def test_in_russian_too(desk, forget):
    forget(Content("анна", "Запасной ключ Анны лежит под третьим горшком.", "mem0:1"))
    again = proposal("запасной ключ анны лежит под третьим горшком", scope={"user": "Анна"})
    assert outcomes(desk, again)[Outcome.REFUSED] == 1


def test_a_run_is_kept_without_the_forgotten_step(desk, forget):
    forget(Content("ana", CLAIM, "mem0:1"))
    desk.stage(of_runs([run("one", [("input", CLAIM), ("said", "Noted, thank you.")])]))
    (kept,) = runs.everything(desk.store)
    assert [step.text for step in kept.run.steps] == [FORGOTTEN, "Noted, thank you."]
    assert b"flower pot" not in everything(desk)


def test_the_log_holds_digests_only_the_tenant_can_compute(desk, forget):
    event = forget(Content("ana", CLAIM, "mem0:1"))
    assert event.body["forget"] == "fr-1"
    assert all(len(key) == 32 and int(key, 16) >= 0 for key in event.body["keys"])
    assert "flower" not in str(event)
