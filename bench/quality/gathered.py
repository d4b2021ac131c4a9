"""What a recall says, by the source ids that the bench gave: candidates, admitted, handed over."""

from __future__ import annotations

from review.gate.scored import Scored
from review.recall import Recall


def scored(recall: Recall) -> dict[str, Scored]:
    """Each candidate once, by source id; of several sub-questions, where it stands best."""
    found: dict[str, Scored] = {}
    for part in recall.parts:
        for one in part.scored:
            known = found.get(one.source_id)
            if known is None or (one.admitted, one.score) > (known.admitted, known.score):
                found[one.source_id] = one
    return found


def admitted(recall: Recall) -> set[str]:
    """Source ids that at least one sub-question admits."""
    return {one.source_id for part in recall.parts for one in part.scored if one.admitted}


def by_relevance(recall: Recall, most: int) -> list[Scored]:
    """The most relevant candidates, best first; equal ones in the order of the answer."""
    return sorted(scored(recall).values(), key=lambda one: -one.zeta)[:most]


def reasons(one: Scored) -> str:
    """What keeps a candidate out: the parts of h that failed, or its low F."""
    if one.admitted:
        return "admitted"
    return "+".join(sorted(map(str, one.bars))) or "F below theta"


def handed_over(recall: Recall) -> str:
    """All memory text that the context hands over, without the question and without gaps."""
    return "\n".join(part.context.texts() for part in recall.parts)
