"""Why a run did not begin, in the words of the screen: what is so now, and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from console.cards.refusals import Told
from review.forget.afterwards import NoGroundError
from review.forget.ground import AtWorkError
from review.forget.plan import Plan
from review.forget.running import NothingToForgetError, WrongCountError
from review.forget.token import BadTokenError, PreviewError, PreviewExpiredError, PreviewMovedError

NOT_BEGUN = (
    AtWorkError,
    NoGroundError,
    NothingToForgetError,
    PreviewError,
    WrongCountError,
)
"""Errors after which nothing was signed and nothing erased."""


def told(error: Exception, plan: Plan) -> list[Told]:
    """The sentences for one of them; ``plan`` is the preview that was to be run."""
    if isinstance(error, PreviewMovedError):
        return list(_moved(error, [row.id for row in plan.rows]))
    if isinstance(error, WrongCountError):
        return [("forget.wrong_count", {"n": error.wanted})]
    if isinstance(error, NothingToForgetError):
        return [("forget.nothing", {"n": error.unlinked})]
    keys: dict[type[Exception], str] = {
        AtWorkError: "refused.at_work",
        BadTokenError: "forget.refused.token",
        NoGroundError: "forget.refused.memory",
        PreviewExpiredError: "forget.refused.expired",
    }
    return [
        (next((key for kind, key in keys.items() if isinstance(error, kind)), "forget.moved"), {})
    ]


def _moved(error: PreviewMovedError, before: Iterable[str]) -> Iterable[Told]:
    yield "forget.refused.moved", {"n": error.events}
    new, gone = error.plan.news(before)
    if error.same:
        yield "forget.refused.same", {}
    if new:
        yield "forget.refused.new", {"n": len(new)}
    if gone:
        yield "forget.refused.gone", {"n": len(gone)}
