"""Records what somebody says an agent answered, and what it is said to have read for it.

It is a report: nothing here was seen by this program, and an agent can be wrong about itself. The
words are content in the vault, with secrets masked and erased texts left out as in a run; the log
keeps digests. What is reported twice is one event.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from review.identities import stamp
from review.staged import run_masking
from review.staged.placing import Found, Writer
from review.staged.resurrection import Guard
from store import canonical, read_queries
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, LogMovedError, Store
from store.records import Place
from store.trajectories import Step, StepKind, Trajectory
from store.vault import Payload, Role, digester

LONGEST: Final = 64 * 1024
"""Characters of a question, an answer or a document."""

MOST: Final = 1_000
"""Documents of one answer."""

SYSTEMS: Final = frozenset(
    ("door", "command_line", "console", "langfuse", "langsmith", "phoenix", "otlp", "transcript")
)
"""Where reports come from, by the log's word for it; any other is ``other``."""

_DIGEST: Final = 64
_HEX: Final = frozenset("0123456789abcdef")


class BadReportError(ValueError):
    """A report that cannot be kept; says why. Nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Document:
    """Something an agent is said to have read. All of it is foreign text."""

    text: str
    id: str
    """As the system that retrieved it names it."""

    score: str
    """As that system gives it; its scale is the system's own. Empty if it says none."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What somebody says of one answer. All of it is foreign text."""

    question: str
    answer: str
    asked_at: str | None
    """When, as the report says: a claim."""

    documents: tuple[Document, ...]
    trace: str
    """The run's id in its own system."""

    system: str
    """The system that tells it."""

    recall: str
    """The recall of ours that the answer was made from: its commitment, 64 hex digits."""


def record(store: Store, told: Reported, *, writer: Writer) -> Event:
    """Append a report, or find it if the same was reported before.

    Args:
        store: Where to.
        told: What is said.
        writer: The process that takes it in.

    Returns:
        The event ``read.reported``; its ``answer`` names the content.

    Raises:
        BadReportError: If it says nothing, or more than is kept.
    """
    _checked(told)
    safe = _safe(store, told)
    body = encoded(safe)
    digest = digester(store.digest_key(), "reported")
    key = digest(body)
    payload = Payload(Role.ANSWER, writer.chance(32), body)
    while True:
        size = store.head().size
        before = store.rows(read_queries.REPORTED_AS, key=key)
        if before:
            return store.event(int(before[0]["seq"]))
        known = bool(safe.recall and store.rows(read_queries.RECALL_OF, recall=safe.recall))
        happening = Happening(
            EventType.READ_REPORTED,
            recorded_at=stamp(writer.clock()),
            actor=writer.process,
            actor_kind=ActorKind.PROCESS,
            process=writer.process,
            body={
                "answer": payload.commitment,
                "key": key,
                "trace": trace_key(store, safe.trace),
                "recall": safe.recall,
                "system": safe.system if safe.system in SYSTEMS else "other",
            },
        )
        made_of = [(payload.commitment, safe.recall, "answered_from")] if known else []
        try:
            return store.append(Entry(happening, payloads=[payload], lineage=made_of), after=size)
        except LogMovedError:
            continue


def trace_key(store: Store, trace: str) -> str:
    """What the log holds of a run's id: a digest under the tenant's key, or nothing."""
    return digester(store.digest_key(), "trace")(trace.encode("utf-8")) if trace else ""


def encoded(told: Reported) -> bytes:
    """A report as the canonical bytes that are kept of it."""
    return canonical.encode(
        {
            "question": told.question,
            "answer": told.answer,
            "asked_at": told.asked_at,
            "documents": [[one.text, one.id, one.score] for one in told.documents],
            "trace": told.trace,
            "system": told.system,
            "recall": told.recall,
        }
    )


def read(body: bytes) -> Reported:
    """The report that ``body`` spells.

    Raises:
        store.canonical.NotCanonicalError: If the bytes are not canonical.
    """
    told = canonical.decode(body)
    documents = tuple(Document(*one) for one in told.pop("documents"))
    return Reported(**told, documents=documents)


def _checked(told: Reported) -> None:
    if not (told.question.strip() or told.answer.strip()):
        msg = "the report has neither a question nor an answer. Nothing was recorded."
        raise BadReportError(msg)
    if len(told.documents) > MOST:
        count = f"{len(told.documents):,} documents"
        msg = f"the report names {count}; at most {MOST:,} are kept. Nothing was recorded."
        raise BadReportError(msg)
    texts = (told.question, told.answer, *(one.text for one in told.documents))
    names = (told.trace, told.system, told.asked_at or "")
    if max(map(len, (*texts, *names))) > LONGEST:
        msg = f"a text of the report is longer than {LONGEST:,} characters. Nothing was recorded."
        raise BadReportError(msg)


def _safe(store: Store, told: Reported) -> Reported:
    """The report as it may be kept: looked at as a run is, in the same two passes."""
    steps = [
        Step(StepKind.INPUT, _whole(told.question), None, 0, 0, 0),
        Step(StepKind.SAID, _whole(told.answer), None, 0, 0, 0),
    ]
    for one in told.documents:
        name, score = _whole(one.id), _whole(one.score)
        step = Step(StepKind.RECALLED, _whole(one.text), None, 0, 0, 0, name=name, call=score)
        steps.append(step)
    run, _ = run_masking.masked(
        Trajectory(
            source_id=_whole(told.trace),
            steps=tuple(steps),
            run={"system": _whole(told.system)},
            started_at=None if told.asked_at is None else _whole(told.asked_at),
        ),
        b"",
    )
    (found,) = Guard(store).sieved([Found(Place(1, 0, 0), b"", run)])
    run = found.result if isinstance(found.result, Trajectory) else run
    asked, said, *read_ = run.steps
    recall = told.recall.strip().casefold()
    return replace(
        told,
        question=asked.text,
        answer=said.text,
        asked_at=run.started_at,
        documents=tuple(Document(one.text, one.name, one.call) for one in read_),
        trace=run.source_id,
        system=run.run.get("system", ""),
        recall=recall if len(recall) == _DIGEST and set(recall) <= _HEX else "",
    )


def _whole(text: str) -> str:
    """``text`` with half characters, which have no UTF-8 form, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
