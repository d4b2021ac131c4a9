"""The texts a rule is held against: the insight and the words of the people behind it.

They travel word for word, each with who said it, when, and where it stands.
"""

from __future__ import annotations

from hashlib import sha256

from review.rules.cases import Cases
from review.rules.export_told import SourceText
from review.rules.learned import Learned
from review.text.edit_parts import said

CLAIM = "claim"
"""The place of an insight's own words."""


def sources(candidate: Learned, cases: Cases) -> tuple[SourceText, ...]:
    """The insight's claim, then the other ways in which supporting people wrote the same, once.

    Words that say something else are cases and no source: the rule would be held against whoever
    said it most strictly, and not against what was approved. Empty when the claim was erased.
    """
    if candidate.claim is None:
        return ()
    first = cases.supporting[0].judged if cases.supporting else None
    told = said(candidate.claim)
    same = first is not None and first.said == candidate.claim
    found = {
        candidate.claim: SourceText(
            item=candidate.item,
            revision=candidate.rev,
            place=CLAIM,
            who=(first.by or None) if first is not None and same else None,
            when=first.at if first is not None and same else candidate.written_at,
            text=candidate.claim,
            digest=_digest(candidate.claim),
        )
    }
    for one in cases.supporting:
        judged, run = one.judged, one.run
        if judged is None or run is None or judged.said in found:
            continue
        if said(judged.said) != told:
            continue
        found[judged.said] = SourceText(
            item=run.item,
            revision=0,
            place=f"step {judged.step + 1}" if judged.step >= 0 else "run",
            who=judged.by or None,
            when=judged.at,
            text=judged.said,
            digest=_digest(judged.said),
        )
    return tuple(found.values())


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
