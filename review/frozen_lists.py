"""One decision over a frozen list of records: which records may stand in it together.

Making durable in a list is for records that need no single look. Rejecting is not held to that
within one import, so that an import that should not have been made can be turned down whole: a
rejection lets nothing into an answer, and a person may take it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from review.cards.card import Card
from review.person import NotForBulkError
from review.staged.flags import bulk_allowed
from store.drafts import Draft
from store.stages import DecisionKind
from store.statements import MOST_SUBJECTS

MOST_OF_IMPORT: Final = 1_000
"""Records of one import that are rejected in one list; it is signed as several statements."""


def hold(shown: Sequence[Card], decision: DecisionKind, *, import_id: str = "") -> None:
    """Hold a list of at most 200 cards against the rules above.

    Args:
        shown: Its cards.
        decision: What is decided on all of them.
        import_id: The import that is turned down by it; blank for a list that was chosen.

    Raises:
        NotForBulkError: If one of them needs a single look.
    """
    of_import = bool(import_id) and all(one.import_id == import_id for one in shown)
    rejected = decision == DecisionKind.REJECT and of_import
    single = not rejected and not all(bulk_allowed(one.flags) for one in shown)
    if single or not 1 <= len(shown) <= MOST_SUBJECTS:
        msg = (
            f"a list holds 1 to {MOST_SUBJECTS} records without Stop or Check, or rejects records"
            " of one import. Nothing was recorded."
        )
        raise NotForBulkError(msg)


def together(drafts: Sequence[Draft], one: Draft) -> list[str]:
    """Items of the drafts that were made by the same press as ``one``: its whole frozen list."""
    if one.list_sha256 is None:
        return [one.item]
    return [draft.item for draft in drafts if draft.list_sha256 == one.list_sha256]
