"""Building a run: what is kept of it, where its steps stand, what is left out with a digest."""

import hashlib
import json

from importers.json_reading.slices import Slice, elements
from importers.runs import MAX_ELEMENT, MAX_STEPS, MAX_TEXT, RunBuilder, text_in
from store.records import Nothing, NothingReason, RemarkCode
from store.trajectories import StepKind


def line(number, raw, start=0):
    return Slice(number, start, start + len(raw), raw)


def test_steps_of_one_line_share_its_bytes_also_when_others_stand_between():
    first, second = line(1, b'{"a":"one","b":"two"}'), line(2, b'{"c":"three"}', 22)
    run = RunBuilder()
    run.add(StepKind.SAID, "one", first)
    run.add(StepKind.SAID, "three", second)
    run.add(StepKind.SAID, "two", first)
    read = run.read("t:1")
    assert read.raw == b'{"a":"one","b":"two"}\n{"c":"three"}\n'
    spans = [step.span for step in read.found.steps]
    assert [read.raw[span.start : span.end] for span in spans] == [b"one", b"three", b"two"]
    assert (read.place.start, read.place.end, read.place.line) == (0, 35, 1)


def test_text_is_found_however_it_is_escaped():
    text = 'Склад "A"\nдва'
    once = json.dumps(text)
    for raw in (once, json.dumps(text, ensure_ascii=False), json.dumps(once), text):
        span = text_in(raw.encode(), text)
        assert span is not None
        assert raw.encode()[span.start : span.end].strip(b'"')


def test_a_long_step_is_cut_with_a_digest_of_the_whole():
    whole = "й" * MAX_TEXT
    run = RunBuilder()
    run.add(StepKind.RESULT, whole, line(1, whole.encode()))
    read = run.read("t:1")
    (step,) = read.found.steps
    assert len(step.text.encode()) <= MAX_TEXT
    assert step.omitted.size == len(whole.encode())
    assert step.omitted.sha256 == hashlib.sha256(whole.encode()).hexdigest()
    assert RemarkCode.STEPS_CUT in read.found.remarks
    assert step.span is None  # a line too long is not kept; its place in the source is
    assert step.end == len(whole.encode())


def test_a_run_of_very_many_steps_keeps_the_first_and_counts_the_rest():
    run = RunBuilder()
    for n in range(MAX_STEPS + 7):
        run.add(StepKind.SAID, "x", line(n + 1, b"x", 2 * n))
    read = run.read("t:1")
    assert len(read.found.steps) == MAX_STEPS
    assert read.found.foreign["steps_beyond"] == 7


def test_a_run_without_a_step_is_nothing():
    assert RunBuilder().read("t:1").found == Nothing(NothingReason.EMPTY_RUN)


def test_an_element_is_kept_whole_or_not_at_all():
    small, large = b'{"t":"one"}', b'{"t":"one","x":"' + b"y" * MAX_ELEMENT + b'"}'
    for raw, kept in ((small, small), (large, b"")):
        run = RunBuilder(Slice(1, 5, 5 + len(raw), raw))
        run.add(StepKind.SAID, "one")
        read = run.read("t:1")
        assert read.raw == kept
        assert (read.found.steps[0].span is None) is (not kept)


def test_a_list_that_ends_in_a_scalar_at_the_end_of_the_file_has_true_places(tmp_path):
    data = b'[\n  {"a": 1},\n  12345\n'
    path = tmp_path / "cut.json"
    path.write_bytes(data)
    with path.open("rb") as stream:
        found = [one for one in elements(stream, frozenset()) if isinstance(one, Slice)]
    assert all(0 <= one.start <= one.end <= len(data) for one in found)
    assert all(data[one.start : one.end] == one.raw for one in found)
