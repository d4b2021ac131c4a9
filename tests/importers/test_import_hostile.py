import json

import pytest

from importers.catalogue import UnknownFormatError
from importers.source import from_bytes
from store.cells import Proposal
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode


@pytest.mark.parametrize(
    ("fixture", "reason"),
    [
        ("nan", FailReason.NOT_A_NUMBER),
        ("infinity", FailReason.NOT_A_NUMBER),
        ("overflow_to_infinity", FailReason.NOT_A_NUMBER),
        ("huge_integer", FailReason.NUMBER_TOO_LONG),
        ("duplicate_keys", FailReason.DUPLICATE_KEYS),
        ("lone_surrogate", FailReason.LONE_SURROGATE),
        ("control_character", FailReason.NOT_JSON),
        ("trailing_comma", FailReason.NOT_JSON),
        ("unclosed_quote", FailReason.NOT_JSON),
        ("too_many_keys", FailReason.TOO_MANY_KEYS),
        ("deep_record_among_others", FailReason.TOO_DEEP),
    ],
)
def test_a_bad_record_fails_for_its_own_reason_and_its_neighbours_survive(told, fixture, reason):
    found = told(f"hostile/{fixture}.json").found
    assert [one.reason for one in found if isinstance(one, Failed)] == [reason]
    assert len([one for one in found if isinstance(one, Proposal)]) == len(found) - 1 >= 1


def test_a_surrogate_pair_written_in_escapes_is_one_letter(told):
    assert told("hostile/surrogate_pair_escaped.json").found[0].foreign["hash"] == "🙂"


def test_a_hundred_thousand_brackets_are_counted_and_not_followed(told):
    (found,) = told("hostile/deep_brackets.json", "mem0").found
    assert found.reason is FailReason.TOO_DEEP


def test_another_encoding_fails_at_its_first_letter_and_nothing_is_guessed(told):
    first, second = told("hostile/cp1251.jsonl").found
    assert (first.reason, first.column) == (FailReason.NOT_UTF8, 28)
    assert second.claim == "Bob: two"


def test_utf16_is_in_no_known_format(told):
    with pytest.raises(UnknownFormatError, match="not UTF-8 text"):
        told("hostile/utf16.json")


def test_a_bom_and_crlf_change_no_place(told):
    reading = told("hostile/bom_and_crlf.jsonl")
    first, blank, second, cut = reading.reads
    assert (first.place.start, first.place.line) == (3, 1)
    assert blank.found == Nothing(NothingReason.BLANK_LINE)
    assert second.place.line == 3
    assert not second.raw.endswith(b"\r")
    assert cut.found.reason is FailReason.CUT_SHORT
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_a_line_separator_inside_a_string_ends_no_line(told):
    first, second = told("hostile/separators_inside_strings.jsonl").found
    assert first.claim == "A: one\u2028two\u0085three\u2029four"
    assert second.claim == "B: next"


def test_a_file_cut_inside_a_letter_is_cut_short(told):
    whole, cut = told("hostile/cut_inside_a_letter.jsonl").found
    assert whole.claim == "Склад: Коледино"
    assert cut.reason is FailReason.CUT_SHORT


@pytest.mark.parametrize("importer", ["mem0", "own_jsonl", "mcp_memory"])
def test_a_file_that_is_not_what_it_was_read_as_is_failed_records(told, importer):
    found = told("hostile/not_json.xml", importer).found
    assert {one.reason for one in found} == {FailReason.NOT_JSON}


def test_a_line_of_200_kb_is_read_when_its_strings_are_short(told):
    texts = ["наблюдение " + "x" * 900] * 215
    line = json.dumps({"type": "entity", "name": "A", "observations": texts}).encode()
    assert len(line) > 200_000
    found = told(from_bytes("a.jsonl", line)).found
    assert len(found) == 215
    assert all(isinstance(one, Proposal) for one in found)


def test_a_string_of_200_kb_is_too_long_and_fails_alone(told):
    rows = [{"id": "1", "memory": "x" * 200_000, "user_id": "a"}, {"id": "2", "memory": "good"}]
    first, second = told(from_bytes("a.json", json.dumps(rows).encode()), "mem0").found
    assert first.reason is FailReason.TOO_LONG
    assert second.claim == "good"
