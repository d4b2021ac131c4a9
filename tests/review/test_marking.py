"""What a person adds on the card: the task and its support, a pointer in place of bulk."""

import pytest

from review.cards.marking import Lack, Marking, NotMarkedError
from review.editing import Edit
from review.pointed import content_of
from review.queue import Wanted
from store.cells import Conclusion, Kind, SourceType
from store.records import Outcome
from store.stages import DecisionKind
from store.verify import Verdict, verify
from tests.review.desks import desk_over, proposal, reading, signer

ANSWER = "For the winter season choose search campaigns only, because the format is lead forms."
PAIRS = (("season", "winter"), ("format", "lead forms"))


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def card_of(desk, claim=None):
    rows = desk.waiting(Wanted()).rows
    return desk.card_of(next(row.item for row in rows if claim is None or row.claim == claim))


def edited(desk, card, **changes):
    edit = Edit(card.claim, Kind(card.kind), **changes)
    return desk.edit_as_new(card, edit, nonce=desk.new_nonce())


@pytest.mark.parametrize("store", ["memory", "file"], indirect=True)
def test_marking_the_task_and_support_makes_a_new_item_by_the_person(desk):
    desk.stage(reading([proposal(ANSWER)]))
    old = card_of(desk)
    receipt = edited(desk, old, marking=Marking("choose channels", PAIRS))
    new = desk.card_of(receipt.items[0])
    assert new.item != old.item
    assert new.source_type == SourceType.HUMAN_REVIEW
    assert new.conclusion.task == "choose channels"
    assert [(f.parameter, f.value) for f in new.conclusion.support] == list(PAIRS)
    assert all(ANSWER[f.span.start : f.span.end] == f.value for f in new.conclusion.support)
    assert [draft.decision for draft in desk.drafts()] == [DecisionKind.EDIT]


@pytest.mark.parametrize(
    ("marking", "lack"),
    [
        (Marking(" ", PAIRS), Lack.TASK),
        (Marking("t", PAIRS[:1]), Lack.COUNT),
        (Marking("t", (*PAIRS, ("a", "for"), ("b", "the"), ("c", "only"))), Lack.COUNT),
        (Marking("t", (*PAIRS, PAIRS[0])), None),  # a repeat is one
        (Marking("t", (("season", "summer"), PAIRS[1])), Lack.QUOTE),
        (Marking("t", (("", "winter"), PAIRS[1])), Lack.PARAMETER),
        (Marking("t", PAIRS, answer="buy a horse"), Lack.QUOTE),
    ],
)
def test_a_marking_that_does_not_hold_stages_nothing(desk, marking, lack):
    desk.stage(reading([proposal(ANSWER)]))
    old = card_of(desk)
    if lack is None:
        assert edited(desk, old, marking=marking).items
        return
    with pytest.raises(NotMarkedError) as raised:
        edited(desk, old, marking=marking)
    assert raised.value.lack is lack
    assert desk.drafts() == []


def test_an_old_answer_without_task_or_support_has_a_check(desk):
    bare = proposal(ANSWER, conclusion=Conclusion("search campaigns only", "", ()))
    desk.stage(reading([bare]))
    assert "vague_support" in [flag.code for flag in card_of(desk).flags]
    receipt = edited(desk, card_of(desk), marking=Marking("choose channels", PAIRS))
    flags = desk.card_of(receipt.items[0]).flags
    assert "vague_support" not in [flag.code for flag in flags]


@pytest.mark.parametrize("store", ["file"], indirect=True)
def test_a_pointer_keeps_the_bulk_apart_and_the_claim_short(desk, irina):
    bulk = "step done; " * 3_000
    desk.stage(reading([proposal(bulk)]))
    old = card_of(desk)
    receipt = desk.edit_as_new(
        old, Edit("Log of the March migration", Kind.FACT, pointer=True), nonce=desk.new_nonce()
    )
    new = desk.card_of(receipt.items[0])
    assert new.claim == "Log of the March migration"
    assert new.pointer.size == len(bulk.encode())
    assert content_of(desk.store, new.pointer, 0, 10) == bulk.encode()[:10]
    assert content_of(desk.store, new.pointer, 32_990, 99_999) == bulk.encode()[32_990:]
    desk.sign(signer(irina))
    report = verify(desk.store.path, root=irina.root)
    assert [line for line in report.lines if line.verdict == Verdict.FAIL] == []


def test_a_pointer_is_part_of_what_is_signed(desk):
    desk.stage(reading([proposal("x " * 200)]))
    old = card_of(desk)
    plain = desk.edit_as_new(old, Edit("Short name", Kind.FACT), nonce=desk.new_nonce())
    (leaf,) = desk.store.leaves_at([(desk.store.head().size - 1, 0)]).values()
    assert b'"pointer":null' in leaf
    assert plain.counts[Outcome.WRITTEN] == 1
