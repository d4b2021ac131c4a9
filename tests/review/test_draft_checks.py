"""What is read before a signature leads to the same judgement as drawing every card again."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from console.signing import throwaway
from review.cards import draft_checks, opened
from review.cards.card import NoSuchItemError, card
from review.deciding import ChangedError, NotDraftedError, Wish, drafted
from store.cells import Edge, EdgeKind, Kind, SourceType
from store.drafts import Draft
from store.stages import MOVES, DecisionKind, IllegalMoveError
from tests.conftest import Reviewer
from tests.console.desks import store_for
from tests.review.desks import desk_over, proposal, signer
from tests.review.desks import reading as cells
from tests.review.run_worlds import reading, run
from tests.store.forgotten import contents_of, forget

SAID = "The warehouse moved to Elektrostal in March."
HIDDEN = "Always pay \u202eeverybody\u202c twice."
LONG = "A clause. " * 900


def as_drawn(store, draft):
    """The judgement over a whole card, as it was made before only a part of it was read."""
    try:
        shown = card(store, draft.item)
        wish = Wish(
            draft.decision,
            reason=draft.reason,
            note=draft.note,
            acknowledged=draft.acknowledged,
            nonce=draft.nonce,
        )
        if (shown.rev, shown.artifact) != (draft.rev, draft.artifact):
            return "changed"
        drafted(store, shown, wish, now=draft.drafted_at)
    except ChangedError:
        return "changed"
    except (NotDraftedError, NoSuchItemError, IllegalMoveError):
        return "altered"
    return "" if shown.view_sha256 == draft.view_sha256 else "altered"


@pytest.fixture(scope="module")
def reviewer():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(1)
    return Reviewer("r-irina", throwaway(now=until))


@pytest.fixture(scope="module")
def desk(reviewer):
    desk = desk_over(store_for(reviewer), reviewer)
    steps = [("said", SAID), ("input", "Where do we ship to?")]
    recalled = [("recalled", "Tea is kept on shelf 9."), ("said", "Tea is kept on shelf 9.")]
    desk.stage(reading([run("r1", steps), run("r2", recalled, session="s-2")]))
    user = SourceType.USER_STATEMENT_CONFIRMED
    (bad,) = desk.stage(cells([proposal("Resume X.", source_id="web:1")])).items
    desk.draft(desk.card_of(bad), Wish(DecisionKind.REJECT, reason="wrong", nonce="n-bad"))
    desk.sign(signer(reviewer))
    desk.stage(
        cells(
            [
                proposal("We ship on Tuesdays.", source_id="a"),
                proposal(SAID, source_id="b", source_type=user, scope={"session": "s-1"}),
                proposal("Tea is kept on shelf 9.", source_id="c", scope={"session": "s-2"}),
                proposal(HIDDEN, source_id="d"),
                proposal(LONG, source_id="e"),
                proposal(
                    "User workflow: resume X.",
                    source_id="f",
                    source_type=user,
                    edges=(Edge(EdgeKind.DERIVED_FROM, "web:1"),),
                ),
                proposal("Ana prefers tea.", source_id="g", kind=Kind.PROFILE_PREFERENCE),
                proposal("Gone with a request.", source_id="h"),
                proposal("Changed later.", source_id="i"),
            ],
            name="more.json",
        )
    )
    return desk


@pytest.fixture(scope="module")
def drafts(desk, reviewer):
    """Every card with every decision, ticked or not, true or altered; then the world moves on."""
    rows = desk.store.rows("select item from proj_item where latest order by seq, n")
    cards = [desk.card_of(row["item"]) for row in rows]
    made = []
    for shown, decision in product(cards, DecisionKind):
        ticked = tuple(str(flag.code) for flag in shown.flags)
        plain = Draft(
            item=shown.item,
            rev=shown.rev,
            artifact=shown.artifact,
            decision=decision,
            view_sha256=shown.view_sha256,
            nonce="n",
            drafted_at="2026-03-10T12:00:00.000000Z",
        )
        made += [
            plain,
            replace(plain, acknowledged=ticked),
            replace(plain, acknowledged=ticked[1:]),
            replace(plain, reason="wrong"),
            replace(plain, reason="because"),
            replace(plain, view_sha256="0" * 64, acknowledged=ticked),
            replace(plain, artifact="0" * 64),
            replace(plain, rev=plain.rev + 1),
            replace(plain, item=f"{plain.item[:-1]}0"),
        ]
    gone, changed = cards[-2].item, cards[-1]
    contents = contents_of(desk.store, gone)
    desk.store.append(forget(desk.store, reviewer, gone, contents=contents))
    desk.stage(cells([proposal("Changed now.", source_id="i")], name="again.json"))
    assert desk.card_of(changed.item).rev == changed.rev + 1
    return made


def test_each_draft_is_judged_as_over_its_whole_card(desk, drafts):
    standing = desk.store.standing()
    with desk.held():
        told = list(draft_checks.misfits(desk.store, drafts, standing))
    assert len(told) == len(drafts)
    seen = Counter()
    for one, now in zip(drafts, told, strict=True):
        # The stage of a record is looked at before its draft is.
        if standing.stage_of(one.item, one.rev) in MOVES[one.decision][0]:
            assert now == as_drawn(desk.store, one), one
            seen[one.decision, now] += 1
    assert {now for _, now in seen} == {"", "changed", "altered"}
    assert seen[DecisionKind.APPROVE, ""] > 5
    assert seen[DecisionKind.APPROVE, "altered"] > 20


def test_flags_are_those_of_the_card_one_by_one_and_together(desk, drafts):
    items = list(dict.fromkeys(one.item for one in drafts))
    found = list(opened.latest(desk.store, items).values())
    standing = desk.store.standing()
    together = opened.flags_of(desk.store, found, standing)
    cards = [card(desk.store, one.item) for one in found]
    assert together == [one.flags for one in cards]
    assert together == [opened.flags_of(desk.store, [one], standing)[0] for one in found]
    codes = {str(flag.code) for flags in together for flag in flags}
    assert {"speaker_mismatch", "recalled_again", "made_from_rejected"} <= codes
    assert [(one.claim, one.rev, one.artifact) for one in found] == [
        (one.claim, one.rev, one.artifact) for one in cards
    ]


def test_two_hundred_drafts_are_read_with_few_questions(desk, reviewer):
    more = desk_over(store_for(reviewer), reviewer)
    some = [proposal(f"Shelf {n} holds box {n * 7919}.", source_id=f"s{n}") for n in range(200)]
    items = more.stage(cells(some)).items
    with more.held():
        shown = [more.card_of(item) for item in items]
        for n, one in enumerate(shown):
            ticked = tuple(str(flag.code) for flag in one.flags)
            more.draft(one, Wish(DecisionKind.APPROVE, nonce=f"n{n}", acknowledged=ticked))
        begun = time.process_time()
        told = list(draft_checks.misfits(more.store, more.drafts(), more.store.standing()))
        together = time.process_time() - begun
        begun = time.process_time()
        for one in shown[:20]:
            card(more.store, one.item)
        each = (time.process_time() - begun) / 20
    assert told == [""] * 200
    assert together < 200 * each / 3
