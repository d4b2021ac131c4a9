"""Cases from the field about approval and promotion: P96, P97, P99, P106. Others stand elsewhere.

P100 is in ``test_pages_edits``, P102, P103 and P105 in ``test_pages_rules``, ``test_counting`` and
``test_wording``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from review.deciding import Wish
from review.queue import Lane, Wanted
from review.recall import Question
from store.cells import Kind, SourceType
from store.stages import DecisionKind, RejectReason, Stage
from tests.review.desks import desk_over, proposal, reading, signer
from tests.review.rules import lessons
from tests.review.run_worlds import reading as runs_reading
from tests.review.run_worlds import run


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def test_a_signing_that_fails_leaves_nothing_live(desk):
    """P96: the error is shown, and the memory is not live behind it."""
    (item,) = desk.stage(reading([proposal("Ship to Elektrostal.")])).items
    desk.draft(desk.card_of(item), Wish(DecisionKind.APPROVE, nonce="n"))

    def locked(statements):
        raise PermissionError

    before = desk.head()
    with pytest.raises(PermissionError):
        desk.sign(locked)
    assert desk.head() == before
    assert desk.durable_count() == 0
    assert desk.ask(Question("Where do we ship?")).parts[0].admitted == ()


def test_a_flood_of_routine_records_does_not_hide_the_sensitive_ones(desk, irina):
    """P97: 400 routine and 6 sensitive: the six stand first, the oldest can be asked for."""
    routine = [
        proposal(f"Parcel {n} went by truck {n}.", source_type=SourceType.DOCUMENT)
        for n in range(400)
    ]
    six = [proposal(f"Oleg decided on tariff {n}.", kind=Kind.DECISION) for n in range(6)]
    items = desk.stage(reading([*routine, *six])).items
    counts = desk.counts().lanes
    assert counts[Lane.NEEDS_EYES] >= 6
    first = [row.item for row in desk.waiting(Wanted(lane=str(Lane.NEEDS_EYES)), per=6).rows]
    assert set(items[400:]) <= {
        row.item for row in desk.waiting(Wanted(lane=str(Lane.NEEDS_EYES)), per=500).rows
    }
    assert first
    (oldest,) = desk.waiting(Wanted(sort="oldest"), per=1).rows
    assert oldest.item == items[0]
    shown = [desk.card_of(item) for item in items[:5]]
    desk.draft_list(shown, Wish(DecisionKind.APPROVE, nonce="bulk"))
    desk.sign(signer(irina))
    assert desk.durable_count() == 5


def test_a_record_that_was_edited_between_draft_and_signature_is_looked_at_again(desk, irina):
    """P99: a decision is over the exact artifact; another revision sets the draft aside."""
    told = proposal("M is in Koledino.", source_id="test:m")
    (item,) = desk.stage(reading([told])).items
    desk.draft(desk.card_of(item), Wish(DecisionKind.APPROVE, nonce="one"))
    changed = replace(told, claim="M is in Elektrostal.")
    desk.stage(reading([changed], name="second.json"))
    assert desk.card_of(item).rev == 2
    receipt = desk.sign(signer(irina))
    assert [one.why for one in receipt.set_aside] == ["changed"]
    assert desk.durable_count() == 0
    assert desk.card_of(item).stage is Stage.STAGED


def test_a_failed_run_blames_no_memory_that_it_had_been_shown(desk, irina):
    """P106: exposure is no cause. Shown, repeated and blamed are counted apart."""
    item = lessons.learn(desk, irina, lessons.supporting())
    before = desk.rules.open(item)
    failed = run(
        "failed",
        [
            ("input", "Ship it."),
            ("recalled", lessons.REASON),
            ("action", "ship nowhere", {"name": "ship", "call": "c1"}),
            ("result", "error: no such warehouse", {"call": "c1", "failed": True}),
            ("said", "I could not ship it."),
        ],
        session="s-failed",
    )
    desk.stage(runs_reading([failed], name="failed.jsonl"))
    after = desk.rules.open(item)
    assert after.exposure.blamed == before.exposure.blamed == 0
    assert after.exposure.shown == before.exposure.shown + 1
    assert after.thresholds == before.thresholds
    assert (after.transfer.holds, after.transfer.fails) == (0, 0)
    told = {"verdict": "reject", "step": 1, "reason": "Bad advice.", "by": "zoe"}
    blaming = run("blaming", [("input", "?"), ("said", lessons.REASON)], [told], session="s-b")
    desk.stage(runs_reading([blaming], name="blaming.jsonl"))
    assert desk.rules.open(item).exposure.blamed == 1


def test_a_rejection_with_a_reason_is_kept_as_evidence_and_gives_no_rule(desk, irina):
    """An insight that a person rejected is no candidate, however many cases it has."""
    desk.stage(runs_reading(lessons.supporting()))
    desk.experience.build()
    (row,) = desk.waiting(Wanted(kind=str(Kind.INSIGHT))).rows
    lessons.decide(
        desk, irina, DecisionKind.REJECT, row.item, reason=str(RejectReason.TRUE_ONLY_HERE)
    )
    assert desk.rules.page().total == 0
