"""What somebody says an agent answered: kept once, without secrets, and known as a report."""

from __future__ import annotations

import json
import random

import pytest

from review import recording
from review.auditing import reported
from review.auditing.reported import BadReportError, Document, Reported
from review.recall import Question
from review.staged.placing import Writer
from review.staged.resurrection import Content, Guard
from review.text.skeleton import FORGOTTEN
from store.events import EventType
from store.verify import Verdict, verify
from tests.conftest import Clock
from tests.review.worlds import World, cell

TOLD = Reported(
    question="Where do we ship the jackets?",
    answer="Ship to Koledino.",
    asked_at="2026-02-25T14:03:00+03:00",
    documents=(Document("The main warehouse is Koledino.", "doc-1", "0.82"),),
    trace="trace-7",
    system="langfuse",
    recall="",
)


@pytest.fixture
def writer():
    return Writer("p-agent", Clock(), random.Random(3).randbytes)


def kept(store, event) -> Reported:
    name = event.body["answer"]
    return reported.read(store.payloads([name])[name].body)


def test_a_report_comes_back_as_it_was_told_and_the_log_has_none_of_its_words(store, writer):
    event = reported.record(store, TOLD, writer=writer)
    assert event.type == EventType.READ_REPORTED
    assert kept(store, event) == TOLD
    spelled = json.dumps(dict(event.body))
    assert not any(word in spelled for word in ("Koledino", "trace-7", "doc-1"))
    assert event.body["system"] == "langfuse"


def test_the_same_report_is_one_event_and_another_answer_is_another(store, writer):
    first = reported.record(store, TOLD, writer=writer)
    assert reported.record(store, TOLD, writer=writer) == first
    other = Reported(**{n: getattr(TOLD, n) for n in TOLD.__slots__} | {"answer": "To Tver."})
    assert reported.record(store, other, writer=writer).seq == first.seq + 1


def test_secrets_are_masked_in_every_text_of_a_report(store, writer):
    token = "".join(("gh", "p_", "R7v2Kq9LwX4bN8sTz3Yc6MdH1pFgJ5aEu0W"))
    told = Reported(
        f"use {token}",
        f"I used {token}",
        None,
        (Document(f"key {token}", token, ""),),
        token,
        "",
        "",
    )
    event = reported.record(store, told, writer=writer)
    assert token not in repr(kept(store, event))
    assert "⟦secret: github_token⟧" in kept(store, event).answer


def test_what_was_erased_does_not_come_back_in_a_report(store, writer):
    words = "the customer asked never to be called on a Sunday morning again please"
    Guard(store).remember([Content("", words, "x:1")], writer, forget="fr-1")
    told = Reported("Whom may I call?", f"Well, {words}.", None, (), "", "", "")
    assert kept(store, reported.record(store, told, writer=writer)).answer == FORGOTTEN


def test_a_report_names_our_recall_and_any_other_name_is_dropped(irina):
    world = World(irina).remember([cell("The main warehouse is Koledino", "t:1", "2026-01-01")])
    writer = Writer("p-agent", Clock(), random.Random(3).randbytes)
    answered = world.desk.ask(Question("where is the main warehouse?"))
    recalled = recording.record(
        world.store, answered.recall, policy_sha256=world.desk.policy.sha256, writer=writer
    )
    changed = {n: getattr(TOLD, n) for n in TOLD.__slots__}
    event = reported.record(
        world.store, Reported(**changed | {"recall": recalled.body["recall"]}), writer=writer
    )
    assert event.body["recall"] == recalled.body["recall"]
    event = reported.record(world.store, Reported(**changed | {"recall": "Ivan"}), writer=writer)
    assert event.body["recall"] == ""
    event = reported.record(world.store, Reported(**changed | {"system": "Ivan"}), writer=writer)
    assert event.body["system"] == "other"
    assert kept(world.store, event).system == "Ivan"


def test_what_says_nothing_or_too_much_is_not_kept(store, writer):
    size = store.head().size
    changed = {n: getattr(TOLD, n) for n in TOLD.__slots__}
    for change in (
        {"question": " ", "answer": ""},
        {"answer": "a" * (reported.LONGEST + 1)},
        {"documents": TOLD.documents * (reported.MOST + 1)},
    ):
        with pytest.raises(BadReportError, match="Nothing was recorded"):
            reported.record(store, Reported(**changed | change), writer=writer)
    assert store.head().size == size


def test_half_characters_are_kept_as_marks(store, writer):
    told = Reported("a \ud83d b", "c", None, (), "", "", "")
    assert kept(store, reported.record(store, told, writer=writer)).question == "a \ufffd b"


def test_a_store_with_reports_verifies(tmp_path, irina, writer):
    path = tmp_path / "store.duckdb"
    store = World(irina, path).store
    reported.record(store, TOLD, writer=writer)
    report = verify(path, root=irina.root, pin=irina.root.key.fingerprint)
    assert not [line for line in report.lines if line.verdict == Verdict.FAIL]
