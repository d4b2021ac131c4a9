"""Records a recall as it was used: every candidate with every number, admitted or not.

Explaining an answer later reads this record; it never computes again under other rules. The
question and the reasons are content in the vault, so that they can be erased; the log keeps ids,
counts and digests.
"""

from __future__ import annotations

from typing import Any

from review.gate.scored import Scored
from review.identities import stamp
from review.recall import Part, Question, Recall
from review.staged.placing import Writer
from review.trimming.trim import CellTrim, Sorted
from store import canonical
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.vault import Payload, Role


def record(store: Store, recall: Recall, *, policy_sha256: str, writer: Writer) -> Event:
    """Append a recall that was used.

    Args:
        store: Where to.
        recall: As it was handed over.
        policy_sha256: The policy it was made under.
        writer: The process that used it.

    Returns:
        The event ``memory.recalled``; its ``recall`` names the content.
    """
    payload = Payload(Role.RECALL, writer.chance(32), encoded(recall))
    told = {
        "recall": payload.commitment,
        "policy": policy_sha256,
        "size": recall.size,
        "parts": len(recall.parts),
        "candidates": sum(len(part.scored) for part in recall.parts),
        "items": sorted({one.item for part in recall.parts for one in part.admitted}),
    }
    happening = Happening(
        EventType.MEMORY_RECALLED,
        recorded_at=stamp(writer.clock()),
        actor=writer.process,
        actor_kind=ActorKind.PROCESS,
        process=writer.process,
        body=told,
    )
    return store.append(Entry(happening, payloads=[payload]))


def encoded(recall: Recall) -> bytes:
    """A recall as the bytes that are kept of it, canonical JSON."""
    return canonical.spell(as_value(recall))


def as_value(recall: Recall) -> dict[str, Any]:
    """A recall as canonical JSON holds it: numbers as the shortest text that gives them back."""
    return {
        "asked_at": recall.asked_at.isoformat(),
        "as_of": recall.as_of,
        "size": recall.size,
        "asked": None if recall.question is None else _asked(recall.question),
        "parts": [_part(part) for part in recall.parts],
    }


def _asked(question: Question) -> dict[str, Any]:
    """What has to be known to ask the same again."""
    theta = question.theta
    return {
        "text": question.text,
        "scope": [[key, value] for key, value in sorted(question.scope.items())],
        "purpose": str(question.purpose),
        "candidates": question.candidates,
        "baseline": question.baseline,
        "strict": question.strict,
        "theta": None if theta is None else repr(theta),
        "without": sorted(question.without),
        "kinds": None if question.kinds is None else sorted(question.kinds),
        "about": None if question.about is None else str(question.about),
    }


def _part(part: Part) -> dict[str, Any]:
    intent = part.sub.intent
    return {
        "question": part.sub.text,
        "intent": str(intent.kind),
        "target": intent.target.isoformat(),
        "start": None if intent.start is None else intent.start.isoformat(),
        "end": None if intent.end is None else intent.end.isoformat(),
        "scored": [_scored(one) for one in part.scored],
        "excluded": dict(part.excluded),
        "gaps": [[gap.parameter, gap.entity, list(gap.known_by)] for gap in part.gaps],
        "due": [[due.item, due.since] for due in part.due],
        "trim": [_trimmed(cell) for cell in part.trim.cells],
        "overlap": None if part.trim.overlap is None else repr(part.trim.overlap),
        "left_out": list(part.context.left_out),
    }


def _trimmed(cell: CellTrim) -> dict[str, Any]:
    """What became of an admitted cell: its facts by place, and its old conclusion."""
    judged = cell.judged
    return {
        "item": cell.item,
        "facts": [_sorted(one) for one in cell.facts],
        "fate": None if cell.fate is None else str(cell.fate),
        "because": [[one.parameter_key, one.value_key] for one in judged.because],
        "support": [
            [one.fact.parameter_key, one.fact.value_key, str(one.group)] for one in judged.support
        ],
    }


def _sorted(one: Sorted) -> list[str | None]:
    """A fact's group, why it was held back, and the value that the question gives instead."""
    against = None if one.against is None else one.against.value
    return [str(one.group), None if one.held is None else str(one.held), against]


def _scored(one: Scored) -> dict[str, Any]:
    return {
        "zeta": repr(one.zeta),
        "V": repr(one.validity),
        "psi": repr(one.psi),
        "R": repr(one.risk),
        "F": repr(one.score),
        "theta": repr(one.theta),
        "item": one.item,
        "rev": one.rev,
        "digest": one.digest,
        "status": str(one.status),
        "h": one.h,
        "admitted": one.admitted,
        "fitted": None if one.fitted is None else repr(one.fitted),
        "bars": [str(bar) for bar in one.bars],
        "reasons": [[reason.code, dict(reason.told)] for reason in one.reasons],
        "valid": [one.valid.start, one.valid.end],
        "path": list(one.path),
    }
