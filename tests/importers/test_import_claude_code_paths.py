"""Branches, copies and odd parents: the tree of a transcript cut into runs."""

import json
import tracemalloc
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers import catalogue
from importers.claude_code import importer as claude_code
from importers.claude_code.ids import Ids
from importers.claude_code.index import Index
from importers.claude_code.paths import Runs
from importers.json_reading import slices as json_slices
from importers.source import from_path
from store.records import Read, RemarkCode
from store.trajectories import Trajectory

from .claude_code_lines_made import SESSION, asks, call, gives, line, says, source
from .test_import_shared_samples import SAMPLES

MIB = 1 << 20


@pytest.fixture
def told_runs(told):
    def read(*records):
        reading = told(source(*records), "claude_code")
        found = [one for one in reading.found if isinstance(one, Trajectory)]
        return {run.source_id.rsplit("/", 1)[1]: run for run in found}, reading.remarks

    return read


def texts(run):
    return [step.text for step in run.steps]


def test_a_rewind_leaves_an_alternative_beside_the_path_that_was_followed(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "start"),
        says("a1", "u1", "ok"),
        asks("u2", "a1", "wrong way"),
        says("a2", "u2", "going"),
        asks("u3", "a2", "further"),
        asks("u4", "a1", "right way"),
        says("a4", "u4", "gone"),
    )
    beside = {name: run.branch_of for name, run in runs.items()}
    other = f"claude-code:{SESSION}/u4"
    assert beside == {"u1": None, "u2": other, "u3": other, "u4": None}
    assert remarks[RemarkCode.OTHER_BRANCHES] == 1
    assert runs["u2"].decisions == ()


def test_a_retried_reply_is_an_alternative_to_the_run_it_was_tried_in(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "q"),
        says("a1", "u1", "first try"),
        says("a2", "u1", "second try"),
    )
    assert texts(runs["u1"]) == ["q", "second try"]
    assert texts(runs["a1"]) == ["first try"]
    assert runs["a1"].branch_of == runs["u1"].source_id
    assert remarks[RemarkCode.OTHER_BRANCHES] == 1


def test_results_of_calls_made_together_are_no_branches(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "q"),
        says("a1", "u1", call("t1"), reply="m1"),
        says("a2", "a1", call("t2"), reply="m1"),
        gives("r1", "a1", "t1", "one"),
        gives("r2", "a2", "t2", "two"),
        says("a3", "r2", "both"),
    )
    assert [step.call or step.text for step in runs["u1"].steps] == [
        "q", "t1", "t2", "t1", "t2", "both"
    ]  # fmt: skip
    assert RemarkCode.OTHER_BRANCHES not in remarks


def test_a_reply_in_several_lines_is_no_branch_when_the_chain_leaves_it_early(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "q"),
        says("a1", "u1", call("t1"), reply="m1"),
        says("a2", "a1", call("t2"), reply="m1"),
        gives("r2", "a2", "t2", "two"),
        gives("r1", "a1", "t1", "one"),
        says("a3", "r1", "both"),
    )
    assert list(runs) == ["u1"]
    assert RemarkCode.OTHER_BRANCHES not in remarks


def test_a_compact_boundary_hangs_on_its_logical_parent(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "q"),
        says("a1", "u1", "old"),
        asks("u2", "a1", "left behind"),
        line("system", "s1", None, logicalParentUuid="a1", subtype="compact_boundary"),
        asks("u3", "s1", "summary", isCompactSummary=True),
        says("a3", "u3", "new"),
    )
    assert texts(runs["u1"])[-2:] == ["summary", "new"]
    assert runs["u2"].branch_of == runs["u1"].source_id
    assert remarks[RemarkCode.OTHER_BRANCHES] == 1


def test_lines_without_parents_follow_each_other(told_runs):
    runs, remarks = told_runs(
        asks("u1", None, "one"),
        says("a1", None, "1"),
        asks("u2", None, "two"),
        says("a2", None, "2"),
    )
    assert {name: texts(run) for name, run in runs.items()} == {
        "u1": ["one", "1"],
        "u2": ["two", "2"],
    }
    assert RemarkCode.OTHER_BRANCHES not in remarks


def test_a_parent_that_is_not_there_is_said_and_the_line_follows_the_one_before_it(told_runs):
    runs, remarks = told_runs(asks("u1", None, "q"), says("a1", "gone", "a"))
    assert texts(runs["u1"]) == ["q", "a"]
    assert remarks[RemarkCode.DANGLING_LINK] == 1


def test_parents_that_come_later_or_go_in_a_circle_end(told_runs):
    runs, _ = told_runs(
        says("a1", "u1", "a"),
        asks("u1", None, "q"),
        asks("c1", "c2", "round"),
        says("c2", "c1", "and round"),
    )
    assert sorted(step for run in runs.values() for step in texts(run)) == [
        "a", "and round", "q", "round"
    ]  # fmt: skip


def test_subagents_that_run_at_the_same_time_stay_apart(told_runs):
    runs, _ = told_runs(
        asks("s1", None, "left", isSidechain=True),
        asks("s2", None, "right", isSidechain=True),
        says("x1", "s1", "l", isSidechain=True),
        says("x2", "s2", "r", isSidechain=True),
    )
    assert {name: texts(run) for name, run in runs.items()} == {
        "s1": ["left", "l"],
        "s2": ["right", "r"],
    }


TURN = st.tuples(st.integers(-2, 12), st.sampled_from(["ask", "say", "give", "note"]))


@given(st.lists(TURN, min_size=1, max_size=12))
def test_whatever_the_parents_every_line_is_in_exactly_one_run(shape):
    records = []
    for number, (parent, kind) in enumerate(shape):
        above = None if parent < 0 else f"n{parent}"
        own = f"n{number}"
        records.append(
            {
                "ask": lambda own=own, above=above: asks(own, above, f"ask {own}"),
                "say": lambda own=own, above=above: says(own, above, f"say {own}"),
                "give": lambda own=own, above=above: gives(own, above, "t", f"give {own}"),
                "note": lambda own=own, above=above: line("system", own, above, content=own),
            }[kind]()
        )
    found = [one.found for one in claude_code.read(source(*records)) if isinstance(one, Read)]
    lines = [step.line for run in found for step in run.steps]
    assert sorted(lines) == list(range(1, len(records) + 1))
    assert len({run.source_id for run in found}) == len(found)
    for run in found:
        assert run.branch_of != run.source_id


def test_twenty_megabytes_of_interleaved_runs_are_read_in_a_few(tmp_path):
    path = tmp_path / "big.jsonl"
    text, parent, number = "Коледино " * 120, None, 0
    with path.open("w", encoding="utf-8") as stream:
        while stream.tell() < 20 * MIB:
            for one in (
                asks(f"u{number}", parent, text),
                asks(f"s{number}", None, text, isSidechain=True),
                says(f"a{number}", f"u{number}", text, call(f"t{number}", command=text)),
                says(f"x{number}", f"s{number}", text, isSidechain=True),
                gives(f"r{number}", f"a{number}", f"t{number}", text),
            ):
                stream.write(json.dumps(one, ensure_ascii=False) + "\n")
            parent, number = f"r{number}", number + 1
    tracemalloc.start()
    try:
        reading = catalogue.open_reading(from_path(path))
        runs = sum(
            isinstance(one, Read) and isinstance(one.found, Trajectory) for one in reading.records
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert runs == number * 2
    assert peak < 5 * MIB


def test_the_index_takes_less_than_100_bytes_a_line():
    count = 20_000
    stub = {"type": "system", "sessionId": "s"}
    rows = [json.dumps(stub | {"uuid": f"a{n}", "parentUuid": f"a{n - 1}"}) for n in range(count)]
    data = "\n".join(rows).encode()
    tracemalloc.start()
    try:
        index = Index(Ids())
        index.fill(json_slices.lines(BytesIO(data)))
        runs = Runs(index)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(index) == count
    assert len(runs.first) == 1
    assert held < count * 100


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "runs", "steps", "others", "decisions"),
    [
        ("claude_code/ccl_representative_messages.jsonl", 4, 11, 1, 0),
        ("claude_code/ccl_session_b.jsonl", 2, 3, 0, 0),
        ("claude_code/ccl_todowrite_examples.jsonl", 2, 11, 1, 0),
        ("claude_code/cct_sample_session.jsonl", 2, 8, 1, 0),
        ("claude_code/cct_sample_session_web.json", 5, 39, 0, 0),
        ("claude_code/ccv_agent_sidechain.jsonl", 1, 2, 0, 0),
        ("claude_code/ccv_session_1.0.108.jsonl", 3, 53, 0, 0),
        ("claude_code/constructed_2.1.144_compaction_rejection.jsonl", 2, 10, 6, 1),
        ("claude_code/ctxray_claude_session.jsonl", 5, 6, 0, 0),
        ("_adversarial/huge_line.jsonl", 1, 1, 0, 0),
    ],
)
def test_every_line_of_a_sample_is_accounted_for(told, sample, runs, steps, others, decisions):
    reading = told(SAMPLES / sample)
    found = [one for one in reading.found if isinstance(one, Trajectory)]
    rest = [one for one in reading.found if not isinstance(one, Trajectory)]
    assert len(found) == runs
    assert sum(len(run.steps) for run in found) == steps
    assert len(rest) == others
    assert sum(len(run.decisions) for run in found) == decisions
