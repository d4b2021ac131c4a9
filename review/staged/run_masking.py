"""Makes a run fit to keep: secrets masked in every text of it and blanked in its bytes.

A run is evidence, so a secret in it does not refuse it; the secret is what goes. Every string and
every key is looked at, alone and behind the names that stand for it. At the end the run is
searched as it will be spelled: a part that still shows a secret loses its texts, and if the parts
together show one, all texts go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from review import secrets
from review.staged import run_spelling, secret_evidence
from store.records import RemarkCode
from store.trajectories import HumanDecision, Omitted, Step, Trajectory

PIECE: Final = 128 * 1024
"""Bytes of one line that are searched; longer lines of a run are not kept by their importer."""

BLANK: Final = secret_evidence.MARK

_NAMING_KEYS: Final = ("name", "key", "field", "parameter", "label")
_LONGEST_NAME: Final = 60
_LONGEST_VALUE: Final = 200
_BESIDE: Final = 3
_NAMES: Final = 6
_PROBE: Final = "Qx7vB93kLm2"
_SHORTEST: Final = 4
"""Letters of a piece of a secret that is looked for in the bytes."""


def masked(run: Trajectory, raw: bytes) -> tuple[Trajectory, bytes]:
    """``run`` and its bytes without their secrets; spans of steps stay valid.

    Where a text shows a secret that the bytes as they stand do not show, all bytes are blanked: it
    is composed of pieces that stand apart.
    """
    texts = list(dict.fromkeys(_texts(run)))
    marks: dict[str, str] = {}
    values: set[str] = set()
    seen: set[str] = set()
    for n in secrets.suspects(texts):
        marks[texts[n]], hits = secrets.mask(texts[n])
        for hit in hits:
            seen.add(hit.category)
            values.add(texts[n][hit.start : hit.end])
    named = False
    for text in texts:
        told = secret_evidence.named_values_masked(before := marks.get(text, text))
        if told != before:
            marks[text], named = told, True
    marks = {text: told for text, told in marks.items() if told != text}
    safe = _marked(run, marks) if marks else run
    safe, leftover = _without_leftovers(safe)
    kept, found = _bytes(raw)
    if leftover or named or not seen <= found or _shows(kept, values):
        kept = secret_evidence.blank(raw)
    if marks or leftover:
        safe = replace(safe, remarks=(*safe.remarks, RemarkCode.SECRETS_MASKED))
    return safe, kept


def _bytes(raw: bytes) -> tuple[bytes, frozenset[str]]:
    """The bytes line by line with secrets blanked, and the sorts that were found."""
    pieces = raw.split(b"\n")
    told = secret_evidence.masked_each(pieces, [False] * len(pieces), keep=PIECE)
    whole = [
        masked if len(masked) == len(piece) else masked + b"*" * (len(piece) - len(masked))
        for piece, (masked, _) in zip(pieces, told, strict=True)
    ]
    return b"\n".join(whole), frozenset(hit.category for _, hits in told for hit in hits)


def _shows(kept: bytes, values: set[str]) -> bool:
    """Whether a piece of a secret that a text shows stands in the bytes still."""
    parts = {
        part
        for value in values
        for part in secrets.plain_forms(value)[0].split()
        if len(part) >= _SHORTEST
    }
    if not parts:
        return False
    forms = secrets.plain_forms(secrets.decoded(kept)[0])
    return any(part in form for part in parts for form in forms)


# --- every text of a run -------------------------------------------------------------------------


def _texts(run: Trajectory) -> Iterator[str]:
    """Every string and key of the run, and every value behind a name that may be its own."""
    yield from _set(run.source_id, run.branch_of, run.started_at, run.ended_at)
    yield from (str(code) for code in run.remarks)
    for step in run.steps:
        yield from _set(step.text, step.who, step.name, step.call, step.at)
        if step.omitted is not None:
            yield from _set(step.omitted.media_type, step.omitted.sha256)
    for one in run.decisions:
        yield from _set(one.reason, one.edit, one.by, one.review_id, one.at)
    yield from _strings(run.run, ())
    yield from _strings(run.foreign, ())


def _set(*texts: str | None) -> Iterator[str]:
    return (text for text in texts if text)


def _strings(value: object, names: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner, own in _members(value, names):
            yield key
            yield from _strings(inner, own)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner, names)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
        yield from _named(str(value), names)


def _members(
    value: Mapping[str, object], names: tuple[str, ...]
) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    """Keys and values of a mapping, each with the names that may be the value's own.

    Those are its key, a name that stands beside it, and the nearest of those above.
    """
    beside = [(key, inner) for key, inner in value.items() if _may_name(str(key), inner)]
    for key, inner in value.items():
        labels = [str(label) for other, label in beside if other != key][:_BESIDE]
        yield str(key), inner, tuple(dict.fromkeys((str(key), *labels, *names)))[:_NAMES]


def _may_name(key: str, value: object) -> bool:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME:
        return False
    return key in _NAMING_KEYS or _names_secret(value)


@lru_cache(maxsize=1024)
def _names_secret(text: str) -> bool:
    """Whether something that looks random would be a secret behind this text."""
    return bool(secrets.find(f"{text}: {_PROBE}"))


def _named(value: str, names: tuple[str, ...]) -> Iterator[str]:
    """``value`` behind each of its names; behind its key alone if it is a long text."""
    near = names if len(value) <= _LONGEST_VALUE else names[:1]
    return (f"{name}: {value}" for name in near if name != value)


# --- putting marks in their places ---------------------------------------------------------------


def _marked(run: Trajectory, marks: Mapping[str, str]) -> Trajectory:
    def safe(text: str) -> str:
        return marks.get(text, text)

    def when(text: str | None) -> str | None:
        return None if text in marks else text

    return replace(
        run,
        steps=tuple(_step(step, marks) for step in run.steps),
        decisions=tuple(
            replace(
                one,
                reason=safe(one.reason) if one.reason else one.reason,
                edit=safe(one.edit) if one.edit else one.edit,
                by=safe(one.by),
                review_id=safe(one.review_id),
                at=when(one.at),
            )
            for one in run.decisions
        ),
        run={key: str(value) for key, value in _mapping(run.run, (), marks).items()},
        foreign=_mapping(run.foreign, (), marks),
        source_id=safe(run.source_id),
        branch_of=safe(run.branch_of) if run.branch_of else None,
        started_at=when(run.started_at),
        ended_at=when(run.ended_at),
        remarks=tuple(code for code in run.remarks if str(code) not in marks),
    )


def _step(step: Step, marks: Mapping[str, str]) -> Step:
    if not any(text in marks for text in (step.text, step.who, step.name, step.call, step.at)):
        told = step
    else:
        told = replace(
            step,
            text=marks.get(step.text, step.text),
            who=marks.get(step.who, step.who),
            name=marks.get(step.name, step.name),
            call=marks.get(step.call, step.call),
            at=None if step.at in marks else step.at,
        )
    if step.omitted is None:
        return told
    sort, sha = step.omitted.media_type, step.omitted.sha256
    shown = Omitted(step.omitted.size, "" if sha in marks else sha, marks.get(sort, sort))
    return told if shown == step.omitted else replace(told, omitted=shown)


def _mapping(
    value: Mapping[str, object], names: tuple[str, ...], marks: Mapping[str, str]
) -> dict[str, object]:
    """``value`` with its secrets masked; a key that is one becomes ``masked``, numbered."""
    told: dict[str, object] = {}
    for key, inner, own in _members(value, names):
        name, number = key, 1
        if key in marks:
            name = "masked"
            while name in told or name in value:
                number += 1
                name = f"masked_{number}"
        told[name] = _foreign(inner, own, marks)
    return told


def _foreign(value: object, names: tuple[str, ...], marks: Mapping[str, str]) -> object:
    if isinstance(value, Mapping):
        return _mapping(value, names, marks)
    if isinstance(value, list | tuple):
        return [_foreign(inner, names, marks) for inner in value]
    if value is None or isinstance(value, bool):
        return value
    text = str(value)
    if text in marks:
        return marks[text]
    lines = (marks.get(line, text) for line in _named(text, names))
    return value if all(line.endswith(text) for line in lines) else BLANK


# --- what is left --------------------------------------------------------------------------------


def _without_leftovers(run: Trajectory) -> tuple[Trajectory, bool]:
    """The run without the parts that show a secret as they will be kept, and if there were any."""
    if not _leaks(run):
        return run, False
    empty = Trajectory("", ())
    run = replace(
        run,
        steps=tuple(
            _blank_step(one) if _leaks(replace(empty, steps=(one,))) else one for one in run.steps
        ),
        decisions=tuple(
            _blank_decision(one) if _leaks(replace(empty, decisions=(one,))) else one
            for one in run.decisions
        ),
        run={} if _leaks(replace(empty, run=run.run)) else run.run,
        foreign={} if _leaks(replace(empty, foreign=run.foreign)) else run.foreign,
        source_id=BLANK if _leaks(replace(empty, source_id=run.source_id)) else run.source_id,
    )
    return (_blank_run(run) if _leaks(run) else run), True


def _leaks(run: Trajectory) -> bool:
    told = run_spelling.spelled(run).decode("utf-8")
    return bool(secrets.suspects([told])) and bool(secrets.find(told))


def _blank_run(run: Trajectory) -> Trajectory:
    return Trajectory(
        source_id=BLANK,
        steps=tuple(_blank_step(step) for step in run.steps),
        decisions=tuple(_blank_decision(one) for one in run.decisions),
        status=run.status,
        remarks=tuple(code for code in run.remarks if isinstance(code, RemarkCode)),
    )


def _blank_step(step: Step) -> Step:
    omitted = step.omitted and Omitted(step.omitted.size, "")
    return replace(
        step,
        text=BLANK if step.text else "",
        who="",
        name="",
        call="",
        at=None,
        omitted=omitted,
    )


def _blank_decision(one: HumanDecision) -> HumanDecision:
    return replace(one, reason=None, edit=None, by="", at=None, review_id="")
