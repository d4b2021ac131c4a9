"""A file confirms itself no better for being imported twice."""

from __future__ import annotations

from dataclasses import replace

from review.deciding import Wish
from review.queue import Wanted
from store.stages import DecisionKind
from tests.review.desks import desk_over, proposal, reading, signer

CLAIM = "The main warehouse is Elektrostal."


def sources_of(store, irina, *shas):
    desk = desk_over(store, irina)
    for n, sha in enumerate(shas):
        told = reading([proposal(CLAIM, source_id=f"s:{n}")], importer=f"csv_{n}")
        desk.stage(replace(told, origin=replace(told.origin, sha256=sha)))
    for row in desk.waiting(Wanted()).rows:
        desk.draft(desk.card_of(row.item), Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
    desk.sign(signer(irina))
    assert desk.durable_count() == len(shas)
    known = desk._inquiry.known(desk.policy.policy)
    return known.life.sources.tolist()


def test_one_file_read_twice_is_one_source(store, irina):
    assert sources_of(store, irina, "a" * 64, "a" * 64) == [1, 1]


def test_two_files_are_two(store, irina):
    assert sources_of(store, irina, "a" * 64, "b" * 64) == [2, 2]
