"""Opens answers: a row of their list with its contents, as one value. Nothing is computed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from review.auditing import reported
from review.auditing.known_answer import Answer, Source
from review.auditing.reported import Document, Reported
from review.staged import run_spelling
from store.canonical import NotCanonicalError
from store.log import DamagedStoreError, Store
from store.trajectories import Step, StepKind, Trajectory
from store.vault import Payload

PREFIX: Final = "ans-"
"""Before the position of an event in the log: the id of the answer that it is."""


def opened(store: Store, rows: Sequence[Mapping[str, Any]]) -> tuple[Answer, ...]:
    """Rows of the list as answers, with their contents.

    Raises:
        store.log.DamagedStoreError: If content is not what it was written as.
    """
    names = [row[name] for row in rows for name in ("recall_c", "answer_c") if row[name]]
    bodies = store.payloads(dict.fromkeys(names))
    try:
        return tuple(_opened(row, json.loads(row["body"]), bodies) for row in rows)
    except (NotCanonicalError, KeyError, TypeError, ValueError) as error:
        msg = f"an answer is not what was written ({type(error).__name__}). Run verify."
        raise DamagedStoreError(msg) from error


def _opened(
    row: Mapping[str, Any], body: Mapping[str, Any], bodies: Mapping[str, Payload]
) -> Answer:
    source = Source(row["type"])
    seq, content = int(row["seq"]), bodies.get(row["answer_c"] or "")
    if source is Source.RUN:
        run = None if content is None else run_spelling.read(content.body)
        return _of_run(row["run"], seq, row["recorded_at"], body["system"], run)
    told = None if content is None else reported.read(content.body)
    if source is Source.REPORTED:
        return _of_report(seq, row["recorded_at"], told)
    numbers = bodies.get(row["recall_c"])
    asked_at, question = (None, None) if numbers is None else _asked(numbers.body)
    return Answer(
        id=f"{PREFIX}{seq}",
        source=source,
        seq=seq,
        recorded_at=row["recorded_at"],
        asked_at=asked_at,
        question=question,
        said=told.answer if told is not None and told.answer else None,
        system="door" if source is Source.SERVED else "command_line",
        items=tuple(body["items"]),
        candidates=int(body["candidates"]),
        documents=() if told is None else told.documents,
        recall=row["recall_c"],
        policy=body["policy"],
        size=int(body["size"]),
        numbers=None if numbers is None else numbers.body,
        erased=numbers is None,
    )


def _asked(body: bytes) -> tuple[str, str]:
    """When and what was asked, without the numbers: a list has many of them."""
    told = json.loads(body)
    asked = told.get("asked")
    text = " ".join(part["question"] for part in told["parts"]) if asked is None else asked["text"]
    return str(told["asked_at"]), str(text)


def _of_report(seq: int, recorded_at: str, told: Reported | None) -> Answer:
    return Answer(
        id=f"{PREFIX}{seq}",
        source=Source.REPORTED,
        seq=seq,
        recorded_at=recorded_at,
        asked_at=None if told is None else told.asked_at,
        question=None if told is None else told.question,
        said=None if told is None else told.answer,
        system="" if told is None else told.system,
        items=(),
        candidates=0,
        documents=() if told is None else told.documents,
        erased=told is None,
    )


def _of_run(item: str, seq: int, recorded_at: str, system: str, run: Trajectory | None) -> Answer:
    """The last thing that was said in a run, what was asked for it, and what had been read."""
    asked = said = None
    documents: tuple[Document, ...] = ()
    at = None if run is None else run.started_at
    if run is not None:
        last = max(n for n, step in enumerate(run.steps) if step.kind is StepKind.SAID)
        before = run.steps[:last]
        inputs = [step for step in before if step.kind is StepKind.INPUT]
        asked, said = (inputs[-1].text if inputs else ""), run.steps[last].text
        at = run.steps[last].at or (inputs[-1].at if inputs else None) or at
        documents = tuple(_document(step) for step in _read(before))
    return Answer(
        id=item,
        source=Source.RUN,
        seq=seq,
        recorded_at=recorded_at,
        asked_at=at,
        question=asked,
        said=said,
        system=system,
        items=(),
        candidates=0,
        documents=documents,
        run=item,
        erased=run is None,
    )


def _read(steps: Iterable[Step]) -> list[Step]:
    return [step for step in steps if step.kind is StepKind.RECALLED]


def _document(step: Step) -> Document:
    return Document(step.text, step.call, "")
