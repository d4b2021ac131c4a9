"""Builds requests: every text of somebody else's becomes a quoted block of one JSON object.

Blocks are named by labels of the request, never by ids of the store, and no tenant, writer or
path is in them. Secrets are covered before anything else is done with a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from review import secrets
from review.facts.parameters import Table
from review.facts.protocol import Setting
from review.proposals import covering, prompts, shapes
from review.proposals.jobs import Failure, Job
from review.proposals.protocol import ModelError, Request
from store import canonical
from store.trajectories import Trajectory

TRUST: Final = "unverified-context"
MOST_BLOCKS: Final = 60
LONGEST: Final = 120_000
"""Bytes of the data of one request."""

_CLAIM: Final = 20_000
"""Characters of one text; what is longer is a document."""

_STEP: Final = 1_000
_SHAPES: Final[Mapping[Job, tuple[type[BaseModel], int]]] = {
    Job.CLAIM: (shapes.ClaimTold, 4_000),
    Job.QUESTION: (shapes.QuestionTold, 2_000),
    Job.RELATIONS: (shapes.RelationsTold, 4_000),
    Job.INSIGHTS: (shapes.InsightsTold, 6_000),
    Job.RULE: (shapes.RuleTold, 1_500),
    Job.CURRENT_CONTEXT: (shapes.AnswerTold, 2_000),
    Job.ANSWER_FIRST: (shapes.AnswerTold, 2_000),
    Job.THEN_LOOK: (shapes.AnswerTold, 2_000),
}
"""What a reply has to be, and how many tokens it may have. A change is another version of the
instructions: see ``review.proposals.prompts``."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text of somebody else's with what is known of it."""

    text: str
    source_type: str = ""
    written_at: str = ""
    kind: str = ""


def claim(model: str, text: str, setting: Setting, table: Table) -> Request:
    """Ask for the facts of a claim, in the setting that the grammar would have."""
    return _request(
        model,
        Job.CLAIM,
        {"claim": _block("claim", Quoted(text)), **_setting(setting)},
        table,
    )


def question(model: str, text: str, setting: Setting, table: Table) -> Request:
    """Ask what a question states and asks for."""
    return _request(
        model,
        Job.QUESTION,
        {"question": _block("question", Quoted(text)), **_setting(setting)},
        table,
    )


def relations(model: str, records: Sequence[Quoted]) -> Request:
    """Ask which records contradict or carry each other. They are ``c1``, ``c2`` and so on."""
    return _request(model, Job.RELATIONS, {"blocks": _blocks("c", records)})


def insights(model: str, runs: Sequence[Trajectory]) -> Request:
    """Ask what could be learned from runs. They are ``r1``, ``r2`` and so on."""
    blocks = [_run(f"r{n}", one) for n, one in enumerate(runs, 1)]
    return _request(model, Job.INSIGHTS, {"blocks": blocks})


def rule(model: str, insight: Quoted, cases: Iterable[str]) -> Request:
    """Ask for a rule's text. ``cases`` are words of the cases that the insight has."""
    quoted = [Quoted(one) for one in cases]
    return _request(
        model,
        Job.RULE,
        {"insight": _block("insight", insight), "cases": _blocks("e", quoted)},
    )


def current_context(model: str, asked: str, memory: Sequence[Quoted]) -> Request:
    """MemTrim's first model-only baseline. Memory is ``m1``, ``m2`` and so on."""
    return _request(model, Job.CURRENT_CONTEXT, _asked(asked, memory))


def answer_first(model: str, asked: str) -> Request:
    """The first half of MemTrim's second one."""
    return _request(model, Job.ANSWER_FIRST, {"question": _block("question", Quoted(asked))})


def then_look(model: str, asked: str, first: str, memory: Sequence[Quoted]) -> Request:
    """The second half: ``first`` is what the model answered without memory."""
    told = _asked(asked, memory)
    return _request(
        model, Job.THEN_LOOK, told | {"first_answer": _block("first_answer", Quoted(first))}
    )


def fewest_tokens(job: Job) -> int:
    """What a call for ``job`` is entered with at least: a byte is never less than a token."""
    return len(prompts.instructions(job).encode("utf-8")) + _SHAPES[job][1]


def again(model: str, job: Job, data: bytes, masked: int = 0) -> Request:
    """The request that has ``data``, by the instructions and the shape of now."""
    shape, most = _SHAPES[job]
    return Request(
        job=job,
        prompt=prompts.version(job),
        model=model,
        instructions=prompts.instructions(job),
        data=data,
        shape=shape,
        most_tokens=most,
        masked=masked,
    )


def _request(model: str, job: Job, told: Mapping[str, Any], table: Table | None = None) -> Request:
    safe, masked = covering.covered_value(told)
    data = canonical.encode(safe | _parameters(table))
    if len(data) > LONGEST:
        words = f"{len(data):,} bytes of data; at most {LONGEST:,} are sent in one request"
        raise ModelError(Failure.TOO_LONG, words)
    return again(model, job, data, masked)


def _block(label: str, one: Quoted) -> dict[str, str]:
    if len(one.text) > _CLAIM:
        words = f"a text of {len(one.text):,} characters; at most {_CLAIM:,} are sent"
        raise ModelError(Failure.TOO_LONG, words)
    about = {"source_type": one.source_type, "written_at": one.written_at, "kind": one.kind}
    told = {name: value for name, value in about.items() if value}
    return {"id": label, "trust": TRUST, **told, "text": one.text}


def _blocks(letter: str, some: Sequence[Quoted]) -> list[dict[str, str]]:
    if len(some) > MOST_BLOCKS:
        words = f"{len(some)} texts; at most {MOST_BLOCKS} are sent in one request"
        raise ModelError(Failure.TOO_LONG, words)
    return [_block(f"{letter}{n}", one) for n, one in enumerate(some, 1)]


def _asked(asked: str, memory: Sequence[Quoted]) -> dict[str, Any]:
    return {"question": _block("question", Quoted(asked)), "memory": _blocks("m", memory)}


def _setting(setting: Setting) -> dict[str, Any]:
    earlier = [[one.subject, one.parameter, one.value] for one in setting.earlier]
    told: dict[str, Any] = {
        "written_at": setting.written_at.isoformat() if setting.written_at else "",
        "speaker": setting.speaker,
        "said_before": earlier,
    }
    return {name: value for name, value in told.items() if value}


def _parameters(table: Table | None) -> dict[str, Any]:
    """Names of parameters are of our own table, so nothing in them is covered."""
    return {} if table is None else {"known_parameters": sorted(table.parameters)}


def _run(label: str, run: Trajectory) -> dict[str, Any]:
    """A run as a block: its steps, each cut to its beginning, and what people decided."""
    steps = [
        {"step": n, "kind": str(one.kind), "tool": one.name, "text": _begun(one.text)}
        for n, one in enumerate(run.steps)
    ]
    decided = [
        {
            "step": one.step,
            "verdict": str(one.verdict),
            "reason": _begun(one.reason or ""),
            "edit": _begun(one.edit or ""),
        }
        for one in run.decisions
        if not one.weak
    ]
    return {"id": label, "trust": TRUST, "steps": steps, "decisions": decided}


def _begun(text: str) -> str:
    """The beginning of a text, cut before a secret and not within it: half of one is not seen."""
    if len(text) <= _STEP:
        return text
    across = (one.start for one in secrets.find(text) if one.start < _STEP < one.end)
    return text[: min(across, default=_STEP)]
