"""Forgetting finds the rules that people are wording: by their insight, and by their words."""

from __future__ import annotations

import pytest

from review.forget.scope import Scope
from review.forget.statuses import Status
from store.rule_drafts import RuleBook, RuleInHand, Worded
from tests.console.agents import cell
from tests.console.forget_worlds import about, bytes_with, desk_of, firm, run

SECRET = "Ana keeps three green canaries, ring 7f3a91c2, by the window"


@pytest.fixture
def one(tmp_path):
    one = firm(tmp_path / "w")
    one.erased, one.kept = one.learn(
        cell(SECRET, 1, **about("ana")), cell("Boris drinks dark coffee", 2, **about("boris"))
    )
    return one


def drafted(item, text, reason=""):
    reasons = (("k1", reason),) if reason else ()
    worded = Worded(text, reasons, target="runbook")
    return RuleInHand(item, "a" * 64, "2026-03-10T12:00:00Z", worded)


def test_a_drafted_rule_about_a_forgotten_record_is_dropped_and_others_stay(one):
    folder = one.place.store_path(one.tenant).parent / "drafts"
    mine, theirs = (RuleBook.beside(folder / f"{name}.json") for name in ("r-one", "r-two"))
    mine.put(drafted(one.erased, "Keep birds of ring 7f3a91c2 away from the window."))
    mine.put(drafted(one.kept, "Offer dark coffee."))
    theirs.put(drafted("another", "Keep calm.", reason=f"She said: {SECRET}."))
    plan, report = run(one, Scope(subject="ana"))
    assert any(told.location_id == "drafts" for told in plan.locations), plan.locations
    place = report.location("drafts")
    assert (place.method, place.items, place.status) == ("dropped", 2, Status.ERASED)
    assert [draft.item for draft in mine.all()] == [one.kept]
    assert theirs.all() == []
    assert bytes_with(one.place.home, b"7f3a91c2") == set()
    assert report.outcome == "completed"


def test_a_drafts_file_that_cannot_be_read_makes_it_partial(one):
    folder = one.place.store_path(one.tenant).parent / "drafts"
    folder.mkdir(exist_ok=True)
    (folder / "r-one.rules.json").write_text(f'[{{"text": "{SECRET}"')
    _, report = run(one, Scope(subject="ana"))
    assert report.outcome == "partial"
    assert report.location("drafts").residual_reason == "unreadable"
    (folder / "r-one.rules.json").unlink()
    assert desk_of(one).forget.resume(report.head.forget_id, one.sign).outcome == "completed"
