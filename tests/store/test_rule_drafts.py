"""Rules that are being worded, in their file: kept, replaced, bounded, and never believed."""

from __future__ import annotations

import json

import pytest

from store.draft_file import DraftsUnreadableError
from store.rule_drafts import MOST, ByModel, PutBack, RuleBook, RuleInHand, Worded, words_of

WORDED = Worded(
    "Always ship jackets.",
    (("k1", "The yard closed."),),
    (PutBack("k2", "date", "March", ""),),
    "runbook",
    "logistics",
)
BY = ByModel("Ship jackets.", "m-1", "p-1", Worded("Before."))


def draft(item="i1", **changes):
    told = {"artifact": "a" * 64, "drafted_at": "2026-03-10T12:00:00Z", "worded": WORDED}
    return RuleInHand(item, **(told | changes))


@pytest.fixture
def book(tmp_path):
    return RuleBook.beside(tmp_path / "drafts" / "r-irina.json")


def test_a_draft_is_there_for_another_process_and_only_its_owner_may_read_it(book, tmp_path):
    book.put(draft())
    book.put(draft("i2", by_model=BY))
    other = RuleBook.beside(tmp_path / "drafts" / "r-irina.json")
    assert other.all() == [draft(), draft("i2", by_model=BY)]
    path = tmp_path / "drafts" / "r-irina.rules.json"
    assert path.stat().st_mode & 0o777 == 0o600


def test_one_draft_an_insight_the_last_one_counts_and_the_oldest_go_first(book):
    book.put(draft())
    book.put(draft("i2"))
    book.put(draft(worded=Worded("Other.")))
    assert [(one.item, one.worded.text) for one in book.all()] == [
        ("i2", WORDED.text),
        ("i1", "Other."),
    ]
    for n in range(MOST + 3):
        book.put(draft(f"n{n}"))
    assert len(book.all()) == MOST
    assert book.all()[0].item == "n3"


def test_a_dropped_draft_leaves_no_byte_in_its_file(book, tmp_path):
    book.put(draft())
    book.put(draft("i2", worded=Worded("Kept.")))
    book.drop(["i1", "never"])
    assert [one.item for one in book.all()] == ["i2"]
    for path in (tmp_path / "drafts").iterdir():
        assert b"jackets" not in path.read_bytes()


def test_every_word_of_a_draft_can_be_looked_for():
    words = words_of(draft(by_model=BY))
    for one in ("Always ship", "yard closed", "March", "logistics", "Ship jackets", "Before"):
        assert one in words


@pytest.mark.parametrize(
    "change",
    [
        {"item": 5},
        {"worded": None},
        {"worded": {"text": "x"}},
        {"by_model": {"text": "x"}},
        {"drafted_at": None},
    ],
)
def test_a_file_that_is_none_of_ours_is_not_believed(book, tmp_path, change):
    book.put(draft())
    path = tmp_path / "drafts" / "r-irina.rules.json"
    (told,) = json.loads(path.read_bytes())
    path.write_text(json.dumps([told | change]))
    with pytest.raises(DraftsUnreadableError, match="Nothing was signed or lost"):
        book.all()


def test_without_a_path_it_lies_in_memory():
    book = RuleBook.beside(None)
    book.put(draft())
    assert book.all() == [draft()]
