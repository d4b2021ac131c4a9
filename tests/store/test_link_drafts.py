"""Drafted links in their file: kept, undone by the press, and never believed."""

from __future__ import annotations

import json

import pytest

from store.cells import EdgeKind
from store.draft_file import DraftsUnreadableError
from store.link_drafts import LinkAlreadyDraftedError, LinkBook, LinkDraft
from store.links import NOTHING, End, LinkVerdict, SignedLink


def draft(nonce, *pairs):
    links = tuple(
        SignedLink(
            EdgeKind.DUPLICATE_OF,
            End(one, 1, "a" * 64),
            End(two, 1, "b" * 64),
            LinkVerdict.ASSERTED,
            NOTHING,
            "c" * 64,
        )
        for one, two in pairs
    )
    return LinkDraft(nonce, "2026-03-10T12:00:00Z", links)


@pytest.fixture
def book(tmp_path):
    return LinkBook.beside(tmp_path / "drafts" / "r-irina.json")


def test_drafts_are_there_for_another_process_and_undone_by_the_press(book, tmp_path):
    book.add(draft("n-1", ("a", "b")))
    book.add(draft("n-2", ("c", "b"), ("d", "b")))
    other = LinkBook.beside(tmp_path / "drafts" / "r-irina.json")
    assert other.all() == book.all()
    assert other.undo() == draft("n-2", ("c", "b"), ("d", "b"))
    assert [one.nonce for one in book.all()] == ["n-1"]
    assert (tmp_path / "drafts" / "r-irina.links.json").stat().st_mode & 0o777 == 0o600


def test_two_records_are_drafted_once_whichever_way(book):
    book.add(draft("n-1", ("a", "b")))
    with pytest.raises(LinkAlreadyDraftedError, match="Undo that draft first"):
        book.add(draft("n-2", ("c", "b"), ("b", "a")))
    assert len(book.all()) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"nonce": 5},
        {"links": [{"kind": "duplicate_of"}]},
        {"links": "all of them"},
        {"drafted_at": None},
    ],
)
def test_a_file_that_is_not_ours_is_refused(book, tmp_path, change):
    book.add(draft("n-1", ("a", "b")))
    file = tmp_path / "drafts" / "r-irina.links.json"
    told = json.loads(file.read_text())
    file.write_text(json.dumps([told[0] | change]))
    with pytest.raises(DraftsUnreadableError, match="Nothing was signed"):
        book.all()


def test_a_verdict_that_does_not_exist_is_refused(book, tmp_path):
    book.add(draft("n-1", ("a", "b")))
    file = tmp_path / "drafts" / "r-irina.links.json"
    file.write_text(file.read_text().replace("asserted", "merged"))
    with pytest.raises(DraftsUnreadableError):
        book.all()
