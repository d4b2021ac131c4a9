"""How much authority a source has. It never rises above that of what a record was made from.

A consolidation rewrites a web page's words as if the user had said them; the claim then looks like
the user's. Whoever decides has to see that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from store.cells import SourceType

_RANK: Final[Mapping[str, int]] = {
    SourceType.EXTERNAL_HTML: 0,
    SourceType.UNVALIDATED_TOOL_OUTPUT: 0,
    SourceType.MODEL_EXTRACTION: 1,
    SourceType.AGENT_SUMMARY: 1,
    SourceType.FOREIGN_MEMORY: 1,
    SourceType.RAW_USER_PROMPT: 2,
    SourceType.DOCUMENT: 3,
    SourceType.USER_STATEMENT_CONFIRMED: 3,
    SourceType.HUMAN_REVIEW: 3,
    SourceType.SYSTEM_OF_RECORD: 4,
    SourceType.OWNER_ORDER: 4,
}


def above(source_type: str, made_from: Iterable[str]) -> bool:
    """Whether a record of ``source_type`` speaks above the lowest of what it was made from."""
    ranks = [_RANK.get(one, 0) for one in made_from]
    return bool(ranks) and _RANK.get(source_type, 0) > min(ranks)


def above_all(source_type: str, said_by: Iterable[str]) -> bool:
    """Whether a record of ``source_type`` speaks above everybody who said its words in a run."""
    ranks = [_RANK.get(one, 0) for one in said_by]
    return bool(ranks) and _RANK.get(source_type, 0) > max(ranks)
