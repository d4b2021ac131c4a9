"""Drafts: private, atomic, undone without a trace, and safe from two tabs."""

from __future__ import annotations

import stat
import threading

import pytest

from store.drafts import AlreadyDraftedError, Draft, DraftBook, DraftsUnreadableError
from store.stages import DecisionKind


def draft(item, decision=DecisionKind.APPROVE):
    return Draft(
        item,
        1,
        "a" * 64,
        decision,
        "b" * 64,
        f"n-{item}",
        "2026-03-10T12:00:00Z",
        note="а вот",
        acknowledged=("url",),
    )


ODD = (
    b'[{"item": 1, "rev": 1, "artifact": "a", "decision": "approve", "view_sha256": "b",'
    b' "nonce": "n", "drafted_at": "t", "acknowledged": []}]'
)


@pytest.fixture(params=["memory", "file"])
def book(request, tmp_path):
    return DraftBook(None if request.param == "memory" else tmp_path / "drafts" / "r-1.json")


def test_drafts_come_back_in_order_and_equal(book):
    book.add([draft("a"), draft("b", DecisionKind.REJECT)])
    book.add([draft("c")])
    assert book.all() == [draft("a"), draft("b", DecisionKind.REJECT), draft("c")]
    assert book.undo() == draft("c")
    book.drop(["a"])
    assert [one.item for one in book.all()] == ["b"]


def test_a_second_draft_of_an_item_adds_nothing_of_its_batch(book):
    book.add([draft("a")])
    with pytest.raises(AlreadyDraftedError, match="Nothing was added"):
        book.add([draft("b"), draft("a", DecisionKind.REJECT)])
    assert book.all() == [draft("a")]


def test_a_drafts_file_is_private_and_survives_a_reload(tmp_path):
    path = tmp_path / "drafts" / "r-1.json"
    DraftBook(path).add([draft("a")])
    assert DraftBook(path).all() == [draft("a")]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"{", b"[1]", b'[{"item": "a"}]', b"\xff", ODD])
def test_a_foreign_drafts_file_is_named_and_kept(tmp_path, content):
    path = tmp_path / "r-1.json"
    path.write_bytes(content)
    with pytest.raises(DraftsUnreadableError, match="Nothing was signed or lost"):
        DraftBook(path).all()
    with pytest.raises(DraftsUnreadableError):
        DraftBook(path).add([draft("a")])
    assert path.read_bytes() == content


def test_two_tabs_pressing_at_once_draft_each_item_once(tmp_path):
    path = tmp_path / "r-1.json"
    refused = []

    def press(tab):
        for n in range(20):
            try:
                DraftBook(path).add([draft(f"i{n}")])
            except AlreadyDraftedError:
                refused.append((tab, n))

    tabs = [threading.Thread(target=press, args=(tab,)) for tab in range(4)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert len(DraftBook(path).all()) == 20
    assert len(refused) == 60
