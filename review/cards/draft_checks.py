"""Whether a decision may be drafted, and whether a draft still fits what is stored.

The drafts file is not believed: before a signature each record is read again from the log, and its
draft is held against it as if it were new. Only what is held against it is read, so what stands
beside a record on its card (links into it, look-alikes) is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from review.cards import opened
from review.cards.opened import Opened
from review.staged.flags import Flag, approvable, needs_tick
from store.drafts import Draft
from store.log import Store
from store.stages import DecisionKind, RejectReason
from store.standing import Standing

_AT_ONCE: Final = 25
"""Records that are read together: with each come the runs beside it, and a run may be large."""


def why_refused(
    decision: DecisionKind,
    reason: str | None,
    acknowledged: Collection[str],
    *,
    erased: bool,
    flags: Sequence[Flag],
) -> str:
    """Why a decision on a record may not be drafted, for people; blank if it may.

    Args:
        decision: What is decided.
        reason: Of a rejection.
        acknowledged: Codes of flags that were ticked.
        erased: Whether the record's text is gone.
        flags: The record's; they matter for an approval alone.
    """
    if decision == DecisionKind.REJECT and reason not in list(RejectReason):
        return "a rejection needs a reason; without one it is not evidence. Nothing was recorded."
    if decision != DecisionKind.APPROVE:
        return ""
    if erased:
        return "the text of this record was erased. It cannot be made durable."
    if not approvable(flags):
        return "this record has a Stop flag. It can be rejected, or edited as a new record."
    missing = [code for code in needs_tick(flags) if code not in acknowledged]
    return f"not looked at yet: {', '.join(missing)}. Tick each one first." if missing else ""


def misfits(store: Store, drafts: Sequence[Draft], standing: Standing) -> Iterator[str]:
    """Of each draft why it cannot be signed: ``changed``, ``altered``, or blank if it can.

    Raises:
        store.log.DamagedStoreError: If the log, the vault and the list disagree.
    """
    for start in range(0, len(drafts), _AT_ONCE):
        some = drafts[start : start + _AT_ONCE]
        found = opened.latest(store, [one.item for one in some])
        approved = [one.item for one in some if one.decision == DecisionKind.APPROVE]
        looked = [found[item] for item in dict.fromkeys(approved) if item in found]
        flags = dict(
            zip(
                (one.item for one in looked), opened.flags_of(store, looked, standing), strict=True
            )
        )
        yield from (_misfit(one, found.get(one.item), flags.get(one.item, ())) for one in some)


def _misfit(draft: Draft, now: Opened | None, flags: Sequence[Flag]) -> str:
    if now is None:
        return "altered"
    if (now.rev, now.artifact) != (draft.rev, draft.artifact):
        return "changed"
    erased = now.claim is None
    if why_refused(draft.decision, draft.reason, draft.acknowledged, erased=erased, flags=flags):
        return "altered"
    return "" if opened.view_sha256(now.claim) == draft.view_sha256 else "altered"
