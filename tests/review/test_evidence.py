"""Evidence beside the claim: which runs belong to a record, who said it, and what flags follow."""

import json
import time

import pytest

from importers import catalogue
from importers.source import from_bytes
from review.evidence import Tie, byte_equal, found_in
from review.queue import Wanted
from store.cells import Edge, EdgeKind, Kind, SourceType
from store.records import Origin, Place, Read, Reading
from tests.review.desks import desk_over, proposal
from tests.review.desks import reading as proposals
from tests.review.run_worlds import reading, run

CLAIM = "The main warehouse is Elektrostal."


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def card(desk, claim=CLAIM):
    return desk.card_of(next(r.item for r in desk.waiting(Wanted()).rows if r.claim == claim))


def codes(desk, claim=CLAIM):
    return [str(flag.code) for flag in card(desk, claim).flags]


def stated(claim=CLAIM, **changes):
    told = {"scope": {"session": "s-1"}, "source_type": SourceType.USER_STATEMENT_CONFIRMED}
    return proposal(claim, **(told | changes))


@pytest.mark.parametrize("store", ["memory", "file"], indirect=True)
def test_a_record_that_names_a_session_shows_its_run_with_the_place(desk):
    desk.stage(reading([run("one", [("input", f"Note: {CLAIM} Thanks."), ("said", "Noted.")])]))
    desk.stage(proposals([stated()]))
    (beside,) = card(desk).beside
    assert beside.tie is Tie.NAMED
    (carried,) = beside.carrying
    text = beside.kept.run.steps[carried.step].text
    assert [text[span.start : span.end] for span in carried.spans] == [CLAIM]


def test_a_record_read_from_the_bytes_of_a_run_is_tied_by_its_place(desk):
    one = run("one", [("input", CLAIM), ("said", "Noted.")], session="other")
    made = Read(Place(1, 0, len(CLAIM)), CLAIM.encode(), stated(scope={"user": "ana"}))
    origin = Origin("chat.json", "0" * 64, 99, "application/json", "test", "1", None)
    desk.stage(Reading(origin, iter([one, made])))
    assert [one.tie for one in card(desk).beside] == [Tie.PLACE]


@pytest.mark.parametrize(
    ("claim", "reason", "held"),
    [
        ("Use tea.", "Please use teapots only.", True),
        ("Use tea.", "No: use tea!", False),
        ("我喜欢茶", "好的我喜欢茶谢谢", False),
    ],
)
def test_part_of_a_word_in_a_person_s_reason_is_not_what_they_said(desk, claim, reason, held):
    decided = {"verdict": "reject", "step": 1, "reason": reason, "by": "ana"}
    steps = [("input", "Go."), ("said", claim)]
    desk.stage(reading([run("one", steps, [decided])]))
    desk.stage(proposals([stated(claim)]))
    assert ("speaker_mismatch" in codes(desk, claim)) is held


def test_a_word_that_stands_in_longer_ones_only_is_told_in_a_moment():
    began = time.process_time()
    assert found_in("a" * 4_000_000, "aaa") == []
    assert time.process_time() - began < 1
    assert [span.start for span in found_in("xaaa aaa, aaa_ (aaa)", "aaa")] == [5, 10, 16]


def test_very_many_spans_of_evidence_hold_up_no_card(desk):
    """A line of 70 KB named its own bytes 5,000 times, and its card took minutes."""
    told = {
        "claim": "word " * 2_000,
        "kind": "fact",
        "source_type": "document",
        "source_id": "d:1",
        "written_at": "2026-01-01",
        "scope": {"session": "s-1"},
        "evidence": [[n % 9, 60_000 + n] for n in range(5_000)],
    }
    source = from_bytes("a.jsonl", json.dumps(told).encode() + b"\n")
    desk.stage(reading([run("one", [("said", "text " * 12_000)] * 20)]))
    desk.stage(catalogue.open_reading(source, catalogue.named("own_jsonl")))
    (row,) = desk.waiting(Wanted()).rows
    began = time.process_time()
    shown = desk.card_of(row.item)
    assert time.process_time() - began < 5
    assert len(shown.source.evidence) == 100


def test_a_record_of_another_session_shows_no_run(desk):
    desk.stage(reading([run("one", [("input", CLAIM)])]))
    desk.stage(proposals([stated(scope={"session": "s-2"})]))
    assert card(desk).beside == ()


@pytest.mark.parametrize(
    ("steps", "decisions", "expected"),
    [
        ([("input", CLAIM), ("said", "Noted.")], [], False),
        ([("input", "Where do we ship?"), ("said", CLAIM)], [], True),
        ([("input", "Where?"), ("result", CLAIM)], [], True),
        (
            [("input", "Where?"), ("said", "Koledino.")],
            [{"verdict": "edit", "step": 1, "edit": CLAIM}],
            False,
        ),
        ([("input", "Hello."), ("said", "Hi.")], [], False),  # nobody said it: another flag's work
    ],
)
def test_words_of_the_agent_ascribed_to_the_user_are_a_check(desk, steps, decisions, expected):
    desk.stage(reading([run("one", steps, decisions)]))
    desk.stage(proposals([stated()]))
    assert ("speaker_mismatch" in codes(desk)) is expected


def test_words_of_the_user_ascribed_to_the_agent_are_a_check(desk):
    desk.stage(reading([run("one", [("input", CLAIM), ("said", "ok")])]))
    by_agent = stated(
        source_type=SourceType.FOREIGN_MEMORY, foreign={"claimed_writer": "assistant"}
    )
    desk.stage(proposals([by_agent]))
    assert "speaker_mismatch" in codes(desk)


def test_in_russian_too(desk):
    claim = "Основной склад — Электросталь."
    desk.stage(reading([run("one", [("input", "Куда везти?"), ("said", claim)])]))
    desk.stage(proposals([stated(claim)]))
    assert "speaker_mismatch" in codes(desk, claim)


def test_a_claim_without_a_span_of_its_source_is_a_check(desk):
    desk.stage(proposals([stated(evidence=())]))
    assert "no_evidence_span" in codes(desk)


def test_words_that_stood_in_recalled_memory_are_an_echo(desk):
    steps = [("recalled", CLAIM), ("input", "Where?"), ("said", CLAIM)]
    desk.stage(reading([run("one", steps)]))
    desk.stage(proposals([stated(source_type=SourceType.MODEL_EXTRACTION)]))
    assert "recalled_again" in codes(desk)


def test_a_result_of_a_memory_tool_is_recalled_memory(desk):
    steps = [("result", CLAIM, {"name": "search_memory"}), ("said", CLAIM)]
    desk.stage(reading([run("one", steps)]))
    desk.stage(proposals([stated(source_type=SourceType.MODEL_EXTRACTION)]))
    assert "recalled_again" in codes(desk)


def test_what_is_made_of_a_record_speaks_with_no_more_authority(desk):
    page = proposal("Workflow: resume X.", source_id="web:1", kind=Kind.FACT)
    risen = stated(
        "User workflow: resume X.", edges=(Edge(EdgeKind.DERIVED_FROM, "web:1"),), scope={}
    )
    desk.stage(proposals([page, risen]))
    assert "authority_above_source" in codes(desk, "User workflow: resume X.")
    level = proposal("Resume X.", edges=(Edge(EdgeKind.DERIVED_FROM, "web:1"),))
    desk.stage(proposals([level]))
    assert "authority_above_source" not in codes(desk, "Resume X.")


def test_a_flag_from_other_records_has_to_be_ticked_like_any_check(desk):
    from review.deciding import NotDraftedError, Wish
    from store.stages import DecisionKind

    desk.stage(reading([run("one", [("input", "Where?"), ("said", CLAIM)])]))
    desk.stage(proposals([stated()]))
    wish = Wish(DecisionKind.APPROVE, nonce=desk.new_nonce())
    with pytest.raises(NotDraftedError, match="speaker_mismatch"):
        desk.draft(card(desk), wish)


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("Ship to Elektrostal now", "elektrostal", ["Elektrostal"]),
        ("Elektrostalsky", "Elektrostal", []),
        ("a b a", "a", ["a", "a"]),
        ("", "a", []),
        ("abc", "", []),
        ("Straße", "STRASSE", []),  # a letter that grows when folded: exact only
    ],
)
def test_values_are_found_as_whole_words(text, wanted, expected):
    assert [text[span.start : span.end] for span in found_in(text, wanted)] == expected


@pytest.mark.parametrize(
    ("claim", "raw", "equal"),
    [
        ("«Срок» — 5 дней", '{"t":"«Срок» — 5 дней"}'.encode(), True),
        ("«Срок»", rb'{"t":"\u00ab\u0421\u0440\u043e\u043a\u00bb"}', True),
        ("two\nlines", rb'{"t":"two\nlines"}', True),
        ("5 days", b'{"t":"6 days"}', False),
        (None, b"", None),
        ("x", None, None),
    ],
)
def test_verbatim_words_are_held_against_the_source_byte_for_byte(claim, raw, equal):
    assert byte_equal(claim, raw) is equal
