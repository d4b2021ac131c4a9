"""Makes a run fit to keep: secrets masked in every text of it and blanked in its bytes.

A run is evidence, so a secret in it does not refuse it; the secret is what goes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from review import secret_evidence, secrets
from store.records import RemarkCode
from store.trajectories import HumanDecision, Step, Trajectory

PIECE: Final = 128 * 1024
"""Bytes of one line that are searched; longer lines of a run are not kept by their importer."""


def masked(run: Trajectory, raw: bytes) -> tuple[Trajectory, bytes]:
    """``run`` and its bytes without their secrets; spans of steps stay valid.

    Where a text shows a sort of secret that the bytes as they stand do not, all bytes are blanked:
    it is composed of pieces that stand apart.
    """
    texts = _texts(run)
    suspect = secrets.suspects(texts)
    seen = {hit.category for n in suspect for hit in secrets.find(texts[n])}
    kept, found = _bytes(raw)
    if not seen <= found:
        kept = secret_evidence.blank(raw)
    if not seen:
        return run, kept
    marks = {texts[n]: secrets.mask(texts[n])[0] for n in suspect}

    def safe(text: str) -> str:
        return marks.get(text, text)

    return (
        replace(
            run,
            steps=tuple(_step(step, marks) for step in run.steps),
            decisions=tuple(_decision(one, marks) for one in run.decisions),
            run={name: safe(value) for name, value in run.run.items()},
            foreign={name: _foreign(value, marks) for name, value in run.foreign.items()},
            source_id=safe(run.source_id),
            branch_of=safe(run.branch_of) if run.branch_of else None,
            remarks=(*run.remarks, RemarkCode.SECRETS_MASKED),
        ),
        kept,
    )


def _bytes(raw: bytes) -> tuple[bytes, frozenset[str]]:
    """The bytes line by line with secrets blanked, and the sorts that were found."""
    pieces = raw.split(b"\n")
    told = secret_evidence.masked_each(pieces, [False] * len(pieces), keep=PIECE)
    whole = [
        masked if len(masked) == len(piece) else masked + b"*" * (len(piece) - len(masked))
        for piece, (masked, _) in zip(pieces, told, strict=True)
    ]
    return b"\n".join(whole), frozenset(hit.category for _, hits in told for hit in hits)


def _texts(run: Trajectory) -> list[str]:
    texts = [run.source_id, run.branch_of or "", *run.run.values()]
    for step in run.steps:
        texts += (step.text, step.who, step.name, step.call)
    for one in run.decisions:
        texts += (one.reason or "", one.edit or "", one.by)
    for value in run.foreign.values():
        _strings(value, texts)
    return texts


def _strings(value: object, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            into.append(f"{key}: {inner}" if isinstance(inner, str) else str(key))
            _strings(inner, into)
    elif isinstance(value, list | tuple):
        for inner in value:
            _strings(inner, into)


def _step(step: Step, marks: dict[str, str]) -> Step:
    told = {
        name: marks[value]
        for name in ("text", "who", "name", "call")
        if (value := getattr(step, name)) in marks
    }
    return replace(step, **told) if told else step  # type: ignore[arg-type]  # texts alone


def _decision(one: HumanDecision, marks: dict[str, str]) -> HumanDecision:
    told = {
        name: marks[value]
        for name in ("reason", "edit", "by")
        if (value := getattr(one, name)) in marks
    }
    return replace(one, **told) if told else one  # type: ignore[arg-type]  # texts alone


def _foreign(value: object, marks: dict[str, str]) -> object:
    if isinstance(value, str):
        return marks.get(value, value)
    if isinstance(value, dict):
        return {
            key: "⟦secret⟧"
            if isinstance(inner, str) and f"{key}: {inner}" in marks
            else _foreign(inner, marks)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_foreign(inner, marks) for inner in value]
    return value
