"""From admitted candidates to what is handed over: opened, trimmed, and cleaned.

Nothing is served that was not opened from the signed artifact (``review.trimming.served``). A
staged cell never comes this far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from review.facts.protocol import QuestionFacts
from review.gate.scored import Gap, Scored
from review.question.intents import IntentKind, SubQuestion
from review.read_rules import Form, form
from review.text.told_versions import old_versions
from review.trimming import context
from review.trimming.context import Context
from review.trimming.served import Content, Contents
from review.trimming.trim import Admitted, Trim, trim
from review.trimming.trim_baselines import BASELINES
from store.cells import Interval

TRIMS: Final = {f"trim_{name}": rule for name, rule in BASELINES.items()}
"""Other ways to trim what the gate admitted, by the names under which they can be asked for."""


@dataclass(frozen=True)
class Served:
    """What became of the admitted candidates."""

    gaps: tuple[Gap, ...]
    """With the entity as the memories write it."""

    trim: Trim
    context: Context


def serve(
    sub: SubQuestion,
    asked: QuestionFacts,
    scored: tuple[Scored, ...],
    contents: Contents,
    *,
    gaps: tuple[Gap, ...],
    strict: Callable[[str], bool],
    baseline: str = "",
) -> Served:
    """The trimmed memory and the context of one sub-question.

    Args:
        sub: The question.
        asked: What it states and asks for.
        scored: All candidates; the admitted ones are opened.
        contents: Opens artifacts.
        gaps: What memory does not know.
        strict: Whether conclusions of a kind fall with any contradicted fact.
        baseline: A name of ``TRIMS`` to trim by instead; any other is ours.

    Raises:
        store.log.DamagedStoreError: If an admitted cell is not what was signed.
    """
    admitted = [one for one in scored if one.admitted]
    opened = contents.of(admitted)
    current = sub.intent.kind is IntentKind.CURRENT
    handed = [
        replace(_admitted(one, opened[one.item], current=current), strict=strict(one.kind))
        for one in admitted
    ]
    trimmed = TRIMS[baseline](handed, asked) if baseline in TRIMS else trim(handed, asked)
    told = tuple(_written(gap, opened) for gap in gaps)
    return Served(told, trimmed, context.cleaned(sub.text, trimmed, gaps=told))


def _admitted(one: Scored, content: Content, *, current: bool) -> Admitted:
    provenance = {
        "source_id": one.source_id,
        "source_type": one.source_type,
        "written_at": one.written_at,
        "status": str(one.status),
        "form": str(form(one.kind)),
    }
    claim = content.claim
    if form(one.kind) is Form.POINTER:
        claim = f"{one.source_id} ({content.raw_bytes} bytes)"
    return Admitted(
        item=one.item,
        kind=one.kind,
        claim=claim,
        facts=() if form(one.kind) is Form.POINTER else content.facts,
        conclusion=content.conclusion,
        provenance=provenance,
        valid=Interval(one.valid.start, one.valid.end, one.valid.precision),
        relevance=one.zeta,
        ended=frozenset(one.ended),
        over=tuple(old_versions(claim)) if current else (),
    )


def _written(gap: Gap, opened: Mapping[str, Content]) -> Gap:
    """The gap with its entity as some memory writes it, instead of its key."""
    for content in opened.values():
        for fact in content.facts:
            if gap.entity and gap.entity == fact.value_key:
                return replace(gap, entity=fact.value)
            if gap.entity and gap.entity == fact.subject_key and fact.subject:
                return replace(gap, entity=fact.subject)
    return gap
