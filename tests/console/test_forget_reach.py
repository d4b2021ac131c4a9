"""200 records with three levels of derivation: every status exact, no byte left, all controls."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from review.forget.scope import Scope
from review.forget.statuses import Status
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    made_from,
    run,
    statuses,
    vault_words,
)

BASE, COUNT = 60, 200
SHORT = {3: "Ana: tea", 11: "Ana: 7"}
"""Texts under twelve bytes: their rows and salts go, and nothing can be searched for."""

COPIED, RESPOKEN = 5, 9
"""Whose words two summaries of unknown lineage hold."""


class Family:
    """Who was made from whom, and what has to become of each, worked out from the roots."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.marks = [rng.randbytes(6).hex() for _ in range(COUNT)]
        self.parents: dict[int, tuple[int, ...]] = {}
        levels = [range(BASE), range(60, 120), range(120, 165), range(165, 196)]
        for above, level in itertools.pairwise(levels):
            for n in level:
                self.parents[n] = tuple(sorted(rng.sample(above, rng.choice((1, 1, 2, 3)))))
        self.asked = {n for n in range(BASE) if n % 2}

    def claim(self, n: int) -> str:
        return SHORT.get(n, f"canary {self.marks[n]} number {n} walks along the river")

    def roots(self, n: int) -> frozenset[int]:
        @cache
        def up(one: int) -> frozenset[int]:
            above = self.parents.get(one, ())
            return frozenset({one}) if not above else frozenset().union(*map(up, above))

        return up(n)

    def status(self, n: int) -> str | None:
        """What has to stand in the report; None for what is not in it."""
        if n >= 196:
            return "unknown_lineage" if n < 198 else None
        roots = self.roots(n)
        if not roots & self.asked:
            return None
        if roots - self.asked:
            return "withdrawn_pending_review"
        words_stay = n in (COPIED, RESPOKEN)
        return "erased_unverified" if n in SHORT or words_stay else "erased"

    def records(self):
        for n in range(196):
            more = about("ana" if n in self.asked else "boris") if n < BASE else {"scope": {}}
            edges = made_from(*self.parents[n]) if n in self.parents else {}
            yield cell(self.claim(n), n, **more, **edges)
        unknown = {"source_type": "agent_summary", "scope": {}}
        yield cell(f"It is said that {self.claim(COPIED)} and more of it", 196, **unknown)
        yield cell(f"As everybody knows, {self.claim(RESPOKEN)}, or so", 197, **unknown)
        yield cell("a summary that has nothing to do with it", 198, **unknown)
        yield cell("a lone record that stays where it is", 199, scope={})


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    one = firm(tmp_path_factory.mktemp("reach") / "w")
    one.family = Family(7)
    ids = one.desk_ids = {}
    desk = one.desk
    staged = one.stage(*one.family.records())
    assert len(staged) == COUNT
    ids.update(enumerate(staged))
    mixed = next(n for n in range(60, 196) if one.family.status(n) == "withdrawn_pending_review")
    one.decide(ids[1], ids[2], ids[mixed])
    one.durable_mixed = mixed
    one.door("bot")
    one.publish()
    assert len(bytes_with(one.place.home, one.family.marks[1].encode())) == 2
    one.plan, one.report = run(one, Scope(subject="ana"), desk_of(one))
    del desk
    return one


def test_every_status_is_exact(done):
    told = statuses(done.report)
    items = set(done.desk_ids.values())
    wanted = {
        done.desk_ids[n]: status
        for n in range(COUNT)
        if (status := done.family.status(n)) is not None
    }
    assert {item: status for item, status in told.items() if item in items} == wanted
    assert {"erased", "erased_unverified", "withdrawn_pending_review", "unknown_lineage"} == set(
        wanted.values()
    )


def test_the_counts_are_those_of_the_family(done):
    found = [done.family.status(n) for n in range(COUNT)]
    head, counts = done.report.head, done.report.counts()
    derived = [s for n, s in enumerate(found) if 60 <= n < 196]
    assert head.derivatives_erased == derived.count("erased")
    assert head.derivatives_withdrawn == derived.count("withdrawn_pending_review")
    assert head.needs_decision == counts["unknown"] == 2
    assert sum(counts.values()) == len(done.report.rows)
    assert done.report.outcome == "completed"
    assert all(row.gone == row.contents for row in done.report.rows)


def test_no_byte_of_what_is_erased_is_in_any_file(done):
    erased = [n for n in range(196) if done.family.status(n) == "erased"]
    words = vault_words(done)
    for n in erased:
        assert done.family.marks[n] not in words
    needles = [done.family.marks[n].encode() for n in erased]
    assert bytes_with(done.place.home, *needles) == set()


def test_what_stays_is_there_and_every_control_was_found(done):
    words = vault_words(done)
    for n in range(BASE):
        if n not in done.family.asked:
            assert done.family.marks[n] in words
    own = [one for one in done.report.locations if one.evidence.files_scanned]
    assert {one.location_id for one in own} >= {"store", "snapshot", "list", "door:bot"}
    for one in own:
        assert one.status is Status.ERASED, one
        assert one.evidence.hits == 0
        assert one.evidence.control_hits >= 1 or one.evidence.bytes < 24, one


def test_what_was_durable_and_has_other_sources_is_withdrawn_by_a_signed_decision(done):
    desk = desk_of(done)
    item = done.desk_ids[done.durable_mixed]
    assert desk.standing().stage_of(item, 1) == "staged"
    assert [event.decision for event in desk.life(item)][-1] == "withdraw"
    assert done.desk_ids[done.durable_mixed] not in {i for i, _, _ in desk.standing().durable()}


def test_it_can_be_done_again_and_again_and_the_log_still_verifies(done):
    desk = desk_of(done)
    for n in (0, 2, 4):
        item = done.desk_ids[n]
        plan, report = run(done, Scope(items=(item,)), desk)
        assert statuses(report)[item] == "erased", n
        assert plan.typed >= 1
        assert faults(done) == []
    assert len(desk.forget.reports()) == 4
