"""What the importers of traces share: messages, order, repetition, bounds, broken input."""

import json
import random

import pytest

from importers import catalogue
from importers.encodings import reencoded
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.runs import MAX_STEPS
from importers.source import from_bytes
from importers.traces import documents, judgements
from importers.traces import json as traces_json
from importers.traces.attributes import at, nested
from importers.traces.json import Opener
from importers.traces.messages import Messages
from importers.traces.places import Inside
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import StepKind, Trajectory, Verdict

OURS = ("otlp", "langfuse", "phoenix", "langsmith")


def run(own, sort="llm", parent=None, second=0, **more):
    return {
        "id": own,
        "name": own,
        "run_type": sort,
        "trace_id": "t",
        "parent_run_id": parent,
        "start_time": f"2026-03-01T10:{second // 60:02}:{second % 60:02}Z",
        "inputs": {},
        "outputs": {},
    } | more


def said(text):
    return {"role": "assistant", "content": text}


def asked(*texts):
    return {"messages": [{"role": "user", "content": one} for one in texts]}


def source(records, **how):
    return from_bytes("t", json.dumps(records, ensure_ascii=False, **how).encode())


def steps(one):
    return [(str(step.kind), step.text) for step in one.steps]


def told_by(value, role="user"):
    return [
        (str(one.kind), one.text, one.name, one.call) for one in Messages(Opener()).of(value, role)
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", [("input", "plain", "", "")]),
        ({"role": "user", "content": "hi"}, [("input", "hi", "", "")]),
        ({"role": "developer", "content": "be brief"}, [("instruction", "be brief", "", "")]),
        (
            [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
            [("input", "hi", "", "")],
        ),
        ([{"role": "user", "parts": [{"text": "hi"}]}], [("input", "hi", "", "")]),
        ([["human", "hi"]], [("input", "hi", "", "")]),
        ([{"type": "human", "data": {"content": "hi"}}], [("input", "hi", "", "")]),
        ([{"message": {"role": "user", "content": "hi"}}], [("input", "hi", "", "")]),
        ([{"message.role": "user", "message.content": "hi"}], [("input", "hi", "", "")]),
        ({"messages": json.dumps([{"role": "user", "content": "hi"}])}, [("input", "hi", "", "")]),
        (
            {"system": "be brief", "prompt": "hi", "temperature": 0},
            [("instruction", "be brief", "", ""), ("input", "hi", "", "")],
        ),
        (
            [{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}],
            [("thought", "hm", "", "")],
        ),
        (
            [{"role": "assistant", "reasoning_content": "hm", "content": "yes"}],
            [("thought", "hm", "", ""), ("said", "yes", "", "")],
        ),
        (
            [
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"q": 1}}],
                    "tool_calls": [{"id": "c", "name": "f", "args": {"q": 1}}],
                }
            ],
            [("action", '{"q":1}', "f", "c")],
        ),
        (
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c",
              "content": [{"type": "text", "text": "r"}]}]}],
            [("result", "r", "", "c")],
        ),
        (
            [
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c", "output": "r"},
            ],
            [("action", "{}", "f", "c"), ("result", "r", "", "c")],
        ),
        (
            [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
             {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": "r"}}]}],
            [("action", "{}", "f", ""), ("result", "r", "f", "")],
        ),
        (
            {"choices": [{"index": 0, "message": {"role": "assistant", "content": "yes"}}]},
            [("said", "yes", "", "")],
        ),
        (
            {"output": [{"type": "message", "role": "assistant",
                         "content": [{"type": "output_text", "text": "yes"}]}]},
            [("said", "yes", "", "")],
        ),
        (
            [{"event.name": "gen_ai.choice", "index": 0, "message": said("yes")}],
            [("said", "yes", "", "")],
        ),
        (
            [{"kind": "request", "parts": [
                {"part_kind": "system-prompt", "content": "be brief"},
                {"part_kind": "user-prompt", "content": "hi"},
                {"part_kind": "tool-return", "tool_name": "f", "content": "r",
                 "tool_call_id": "c"}]}],
            [("instruction", "be brief", "", ""), ("input", "hi", "", ""),
             ("result", "r", "f", "c")],
        ),
        (
            [{"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c",
                                           "toolName": "f", "output": {"value": "r"}}]}],
            [("result", "r", "f", "c")],
        ),
        ({"state": 1, "other": "x"}, [("input", '{"state":1,"other":"x"}', "", "")]),
        (None, []),
        ([], []),
        ("  ", []),
    ],
)  # fmt: skip
def test_messages_of_every_library_are_read(value, expected):
    assert told_by(value) == expected


def test_text_that_only_looks_like_json_stays_as_it_is():
    assert told_by("{not json}") == [("input", "{not json}", "", "")]
    assert told_by('"quoted"') == [("input", '"quoted"', "", "")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", "b"], [("a", ""), ("b", "")]),
        ([{"id": 7, "content": "a"}], [("a", "7")]),
        ([{"document": {"id": "m", "content": "a"}, "score": 1}], [("a", "m")]),
        ([{"document.id": "m", "document.content": "a"}], [("a", "m")]),
        ({"nodes": [{"node": {"id_": "n", "text": "a"}, "score": 1}]}, [("a", "n")]),
        ({"results": [{"id": "m", "memory": "a"}]}, [("a", "m")]),
        ({"ids": [["m", "n"]], "documents": [["a", "b"]]}, [("a", "m"), ("b", "n")]),
        ([{"lc": 1, "id": ["x", "Document"], "kwargs": {"page_content": "a", "id": "m"}}],
         [("a", "m")]),
        ('[{"id": "m", "text": "a"}]', [("a", "m")]),
        ([{"metadata": {"doc_id": "m"}, "page_content": "a"}], [("a", "m")]),
        ({"state": 1}, []),
        (None, []),
    ],
)  # fmt: skip
def test_documents_of_every_library_are_read_with_their_ids(value, expected):
    found = documents.of(value, Opener(), name="memory")
    assert [(one.text, one.call) for one in found] == expected
    assert all(one.name == "memory" and one.kind is StepKind.RECALLED for one in found)


@pytest.mark.parametrize(
    ("name", "label", "score", "verdict"),
    [
        ("correctness", "correct", None, Verdict.ACCEPT),
        ("anything", "Rejected", None, Verdict.REJECT),
        ("quality", None, 1.0, Verdict.ACCEPT),
        ("userFeedback", None, 0, Verdict.REJECT),
        ("thumbs", None, -1, Verdict.REJECT),
        ("оценка", "да", None, Verdict.ACCEPT),
        ("toxicity", None, 1, None),
        ("toxicity", "positive", None, None),
        ("bias", "negative", None, None),
        ("hallucination", "correct", None, None),
        ("error_rate", "good", None, None),
        ("risk", "approved", None, Verdict.ACCEPT),
        ("not_helpful", None, 1, None),
        ("incorrect", "true", 1, None),
        ("quality", None, 0.7, None),
        ("quality", None, 5, None),
        ("shoe_size", None, 1, None),
        ("correctness", "mostly", 1, None),
    ],
)
def test_a_score_decides_only_where_it_is_a_plain_yes_or_no(name, label, score, verdict):
    assert judgements.verdict(name, label, score) is verdict


def test_a_person_who_says_the_same_twice_is_heard_twice(told):
    (one,) = told(
        source(
            [
                run("a", second=1, inputs=asked("да"), outputs=said("что?")),
                run(
                    "b",
                    second=2,
                    inputs={"messages": [*asked("да")["messages"], said("что?"),
                                         *asked("да")["messages"]]},
                    outputs=said("понял"),
                ),
                run(
                    "c",
                    second=3,
                    inputs={"messages": [*asked("да")["messages"], said("что?"),
                                         *asked("да")["messages"], said("понял")]},
                    outputs=said("понял"),
                ),
            ]
        )
    ).found  # fmt: skip
    assert [text for _, text in steps(one)] == ["да", "что?", "да", "понял", "понял"]


def test_a_wrapper_repeats_nothing_of_its_parts(told):
    (one,) = told(
        source(
            [
                run("r", "chain", inputs=asked("hi"), outputs=said("hello")),
                run("w", "llm", "r", 1, inputs=asked("hi"), outputs=said("hello")),
                run("m", "llm", "w", 2, inputs=asked("hi"), outputs=said("hello")),
            ]
        )
    ).found
    assert steps(one) == [("input", "hi"), ("said", "hello")]


def test_parallel_calls_of_one_tool_find_their_own_results(told):
    calls = [{"name": "f", "args": {"n": n}, "id": f"c{n}"} for n in (1, 2)]
    (one,) = told(
        source(
            [
                run("m", second=1, outputs={"role": "assistant", "tool_calls": calls}),
                run("y", "tool", second=2, name="f", inputs={"n": 2}, outputs={"output": "two"}),
                run("x", "tool", second=3, name="f", inputs={"n": 1}, outputs={"output": "one"}),
            ]
        )
    ).found
    assert [(step.text, step.call) for step in one.steps] == [
        ('{"n":1}', "c1"),
        ('{"n":2}', "c2"),
        ("two", "c2"),
        ("one", "c1"),
    ]


def test_a_circle_of_parents_and_a_missing_parent_lose_no_span(told):
    (one,) = told(
        source(
            [
                run("a", parent="b", second=1, outputs=said("one")),
                run("b", parent="a", second=2, outputs=said("two")),
                run("c", parent="gone", second=3, outputs=said("three")),
                run("d", parent="d", second=4, outputs=said("four")),
            ]
        )
    ).found
    assert {text for _, text in steps(one)} == {"one", "two", "three", "four"}


def test_a_chain_of_many_spans_is_no_deep_recursion(told):
    chain = [run(f"r{n}", "chain", f"r{n - 1}" if n else None, n % 60) for n in range(3_000)]
    (one,) = told(source([*chain, run("m", parent="r2999", outputs=said("deep"))])).found
    assert ("said", "deep") in steps(one)


def test_a_text_over_64_kib_is_cut_with_a_digest_and_its_neighbours_stay(told):
    long = "склад " * 20_000
    (one,) = told(source([run("a", outputs=said(long)), run("b", outputs=said("ok"))])).found
    assert len(one.steps[0].text.encode()) <= 64 * 1024
    assert one.steps[0].omitted.size == len(long.encode())
    assert one.steps[1].text == "ok"
    assert RemarkCode.STEPS_CUT in one.remarks


def test_messages_in_a_string_over_64_kib_are_opened(told):
    history = json.dumps(asked(*(f"строка {n} " + "x" * 50 for n in range(1_500)))["messages"])
    (one,) = told(source([run("a", inputs={"messages": history}, outputs=said("ok"))])).found
    assert len(one.steps) == 1_501
    assert RemarkCode.ENCODED_TWICE in one.remarks


def test_a_long_text_with_half_a_letter_is_refused():
    raw = b'{"a": "' + b"x" * 70_000 + b'\\ud800"}'
    with pytest.raises(RecordFaultError) as fault:
        traces_json.parse(raw)
    assert fault.value.failed.reason is FailReason.LONE_SURROGATE


def test_bulk_is_a_pointer(told):
    picture = {"type": "image", "source": {"type": "base64", "data": "QUJD" * 2_000}}
    content = [{"type": "text", "text": "see"}, picture]
    message = {"messages": [{"role": "user", "content": content}]}
    (one,) = told(source([run("a", inputs=message, outputs=said("ok"))])).found
    assert one.steps[1].omitted.size == 6_000
    assert "QUJD" not in one.steps[1].text
    assert RemarkCode.BULK_REPLACED in one.remarks


def test_steps_beyond_the_bound_are_counted(told):
    texts = [f"line {n}" for n in range(MAX_STEPS + 5)]
    (one,) = told(source([run("a", inputs=asked(*texts), outputs=said("end"))])).found
    assert len(one.steps) == MAX_STEPS
    assert one.foreign["steps_beyond"] == 6
    assert one.steps[0].text == "line 0"


def test_a_trace_over_the_bound_of_one_element_keeps_its_parts(told):
    def observation(own, second):
        return {
            "id": own,
            "traceId": "t",
            "type": "GENERATION",
            "startTime": f"2026-03-01T10:00:{second:02}Z",
            "output": f"{own} " + "x" * 30_000,
        }

    record = {
        "id": "t",
        "timestamp": "2026-03-01T10:00:00Z",
        "sessionId": "s",
        "userId": "u",
        "tags": [],
        "observations": [observation(f"g{n}", n) for n in range(6)],
    }
    file = source(record)
    (read,) = told(file).reads
    assert len(read.found.steps) == 6
    for step in read.found.steps:
        kept = read.raw[step.span.start : step.span.end]
        assert len(kept) > 4_000
        assert step.text.encode().startswith(kept)
        assert step.text.encode() in file.content[step.start : step.end]


def test_text_in_another_encoding_is_read_through_a_stream_that_cannot_seek(told):
    text = "\n".join(
        json.dumps(one, ensure_ascii=False)
        for one in (run("b", second=2, outputs=said("два")), run("a", outputs=said("раз")))
    )
    again = reencoded(from_bytes("t", text.encode("cp1251")), "cp1251")
    (one,) = told(again).found
    assert [text for _, text in steps(one)] == ["раз", "два"]


def test_lines_end_in_cr_lf_and_a_bom_is_skipped(told):
    lines = [json.dumps(run("a", outputs=said("one"))), json.dumps(run("b", outputs=said("two")))]
    data = b"\xef\xbb\xbf" + "\r\n".join(lines).encode()
    (one,) = told(from_bytes("t", data)).found
    assert [text for _, text in steps(one)] == ["one", "two"]
    assert [step.line for step in one.steps] == [1, 2]


def test_a_line_with_something_after_its_object_fails(told):
    good = json.dumps(run("a", outputs=said("one")))
    reading = told(from_bytes("t", f"{good}\n{good} tail\n".encode()))
    assert [one.reason for one in reading.found if isinstance(one, Failed)] == [
        FailReason.NOT_JSON
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('"inputs": NaN', FailReason.NOT_A_NUMBER),
        ('"inputs": {"a": 1, "a": 2}', FailReason.DUPLICATE_KEYS),
        ('"inputs": "\\ud800"', FailReason.LONE_SURROGATE),
        ('"inputs": ' + "[" * 40 + "]" * 40, FailReason.TOO_DEEP),
        ('"inputs": 123456789012345678901', FailReason.NUMBER_TOO_LONG),
        ('"id": "a", "inputs": {}', FailReason.DUPLICATE_KEYS),
    ],
)
def test_what_every_format_refuses_is_refused_here_too(told, text, reason):
    bad = '{"id": "a", "run_type": "llm", "trace_id": "t", ' + text + "}"
    good = json.dumps(run("b", outputs=said("ok")))
    found = told(from_bytes("t", f"[{good}, {bad}]".encode())).found
    assert [one.reason for one in found if isinstance(one, Failed)] == [reason]
    assert [steps(one) for one in found if isinstance(one, Trajectory)] == [[("said", "ok")]]


def test_parts_of_a_record_have_their_exact_places():
    raw = b' {"a": [1, {"b": "}"}],\n "c": {"d": null}}'
    inside = Inside(Slice(3, 10, 10 + len(raw), raw))
    members = inside.members(inside.all())
    assert {key: raw[one.start : one.end] for key, one in members.items()} == {
        "a": b'[1, {"b": "}"}]',
        "c": b'{"d": null}',
    }
    cut = inside.cut(members["c"])
    assert (cut.line, raw[cut.start - 10 : cut.end - 10]) == (4, b'{"d": null}')


def test_names_with_dots_are_taken_apart_and_a_bomb_of_dots_is_not():
    tree = nested({"a.1.b": "y", "a.0": {"b.c": "x"}, "a.10.b": "z", "v": 1, "v.w": 2})
    assert tree["a"] == [{"b": {"c": "x"}}, {"b": "y"}, {"b": "z"}]
    assert (at(tree, "v"), at(tree, "v.w")) == (1, 2)
    bomb: dict[str, object] = {}
    for _ in range(30):
        bomb = {".".join("a" * 90): bomb}
    assert nested(bomb)


@pytest.mark.parametrize("importer", OURS)
def test_no_broken_bytes_break_a_reader(importer):
    chosen = catalogue.named(importer)
    whole = json.dumps(
        [
            run("a", outputs=said("x"), inputs=asked("y")),
            {"traceId": "0" * 31 + "1", "spanId": "1" * 16, "startTimeUnixNano": "1",
             "attributes": [{"key": "gen_ai.prompt.0.content", "value": {"stringValue": "q"}}]},
            {"id": "o", "traceId": "t", "type": "TOOL", "startTime": "2026-01-01T00:00:00Z"},
            {"context": {"trace_id": "t", "span_id": "s"}, "span_kind": "LLM", "parent_id": None,
             "attributes": {"input.value": "[1]"}},
        ]
    ).encode()  # fmt: skip
    dice = random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(dice.randint(0, 4)):
            data[dice.randrange(len(data))] = dice.choice(b'"{}[],:0n\\\xff\n')
        file = from_bytes("t", bytes(data[: dice.randrange(len(data) + 1)]))
        chosen.recognises(file.head())
        reads = [one for one in chosen.read(file) if isinstance(one, Read)]
        for read in reads:
            assert isinstance(read.found, Trajectory | Nothing | Failed)
            assert 0 <= read.place.start <= read.place.end <= file.size


@pytest.mark.parametrize("importer", OURS)
@pytest.mark.parametrize(
    "data", [b"", b"x", b"[]", b"{}", b"[1, null, [], {}]", b'"x"', b"{", b"["]
)
def test_small_files_of_no_use_are_accounted_for(importer, data):
    chosen = catalogue.named(importer)
    file = from_bytes("t", data)
    assert not chosen.recognises(file.head())
    for one in chosen.read(file):
        assert not isinstance(one, Read) or isinstance(one.found, Nothing | Failed)


@pytest.mark.parametrize("importer", OURS)
def test_files_of_other_formats_are_not_recognised(data, importer):
    chosen = catalogue.named(importer)
    for path in data.rglob("*"):
        if path.is_file():
            assert not chosen.recognises(from_bytes("t", path.read_bytes()).head()), path


def test_a_copy_of_a_span_is_nothing(told):
    record = run("a", outputs=said("one"))
    reading = told(source([record, record]))
    assert Nothing(NothingReason.COPIED_LINE) in reading.found
    assert reading.remarks[RemarkCode.COPIED_LINES] == 1
