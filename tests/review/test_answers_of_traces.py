"""Answers come in from traces and transcripts, and what they had read is matched to our cells."""

from __future__ import annotations

import json

import pytest

from importers import catalogue
from importers.source import from_bytes
from review.auditing.matching import Match
from review.auditing.why import Verdict
from tests.importers import test_import_langfuse as langfuse
from tests.importers import test_import_langsmith as langsmith
from tests.importers import test_import_otlp as otlp
from tests.importers import test_import_phoenix as phoenix
from tests.review.worlds import World, cell

STORE = "The main warehouse for the jackets is Koledino"
OTHER = "The guard room has a spare key"
ASKED, SAID = "Where is the main warehouse?", "It is Koledino."


def of_langfuse():
    found = {"documents": [{"page_content": STORE, "metadata": {"id": "m-1"}}, OTHER]}
    return langfuse.trace(
        langfuse.observation("r1", "RETRIEVER", 1, input=ASKED, output=found),
        langfuse.observation(
            "g1",
            "GENERATION",
            3,
            input=[{"role": "user", "content": ASKED}],
            output={"role": "assistant", "content": SAID},
        ),
        input=ASKED,
        output=SAID,
    )


def of_langsmith():
    documents = [{"page_content": STORE, "metadata": {"id": "m-1"}}, {"page_content": OTHER}]
    return [
        langsmith.run("root", "chain", 0, inputs={"input": ASKED}, outputs={"output": SAID}),
        langsmith.run(
            "r1", "retriever", 1, inputs={"query": ASKED}, outputs={"documents": documents}
        ),
        langsmith.run(
            "m1",
            "llm",
            3,
            inputs={"messages": [[langsmith.lc("HumanMessage", ASKED)]]},
            outputs={"generations": [[{"message": langsmith.lc("AIMessage", SAID)}]]},
        ),
    ]


def of_phoenix():
    return [
        phoenix.span("a1", "AGENT", 1, input__value=ASKED, output__value=SAID),
        phoenix.span(
            "r1",
            "RETRIEVER",
            2,
            "a1",
            input__value=ASKED,
            retrieval__documents__0__document__id="m-1",
            retrieval__documents__0__document__content=STORE,
            retrieval__documents__1__document__content=OTHER,
        ),
        phoenix.span(
            "m1",
            "LLM",
            3,
            "a1",
            llm__input_messages__0__message__role="user",
            llm__input_messages__0__message__content=ASKED,
            llm__output_messages__0__message__role="assistant",
            llm__output_messages__0__message__content=SAID,
        ),
    ]


def of_otlp():
    return otlp.export(
        otlp.span(
            "a",
            openinference__span__kind="AGENT",
            input__value=ASKED,
            output__value=SAID,
        ),
        otlp.span(
            "b",
            "a",
            at=1,
            openinference__span__kind="RETRIEVER",
            input__value=ASKED,
            retrieval__documents__0__document__id="m-1",
            retrieval__documents__0__document__content=STORE,
            retrieval__documents__1__document__content=OTHER,
        ),
        otlp.span(
            "c",
            "a",
            at=2,
            openinference__span__kind="LLM",
            llm__input_messages__0__message__role="user",
            llm__input_messages__0__message__content=ASKED,
            llm__output_messages__0__message__role="assistant",
            llm__output_messages__0__message__content=SAID,
        ),
    )


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("langfuse", of_langfuse()),
        ("langsmith", of_langsmith()),
        ("phoenix", of_phoenix()),
        ("otlp", of_otlp()),
    ],
)
def test_an_answer_of_a_trace_is_reported_and_its_documents_are_matched(irina, name, record):
    world = World(irina).remember([cell(STORE, "t:1", "2025-11-10")])
    data = json.dumps(record).encode()
    world.desk.stage(catalogue.open_reading(from_bytes("trace.json", data), catalogue.named(name)))
    (found,) = world.desk.audit.find(SAID).found
    answer = found.answer
    assert not answer.observed
    assert (answer.system, answer.said) == (name, SAID)
    account = world.desk.audit.account(answer)
    assert (account.item, account.verdict) == (world.items["t:1"], Verdict.READ)
    read = account.why.explanation.matching.read
    told = [[one.match for one in document.matched] for document in read]
    assert told == [[Match.TEXT], []]
    assert read[0].document.id == "m-1"
    assert account.chain[-1].step == "run"
