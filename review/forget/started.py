"""A request that was begun: what its run and its report need, kept beside the store.

It holds ids, digests and codes, never a word of what is forgotten, and not what was asked for. It
is written before the first signature, so that a run that is cut off goes on with the same rows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from review.forget.plan import Foreseen, Plan, PlanRow, RowKind, Why, digest_of
from review.forget.scope import Scope
from store import canonical

FORMAT: Final = "memory-console-forget-request/1"


class BadRequestFileError(ValueError):
    """The file about a request is none of ours, or of another request."""


@dataclass(frozen=True)
class Started:
    """What was previewed and is to be carried out."""

    forget: str
    reviewer: str
    started_at: str
    plan_sha256: str
    size: int
    root: str
    """The head that the preview was made at."""

    rows: tuple[PlanRow, ...]
    scope_by: tuple[str, ...]
    missing: int
    unlinked: int
    reference: str = ""
    due: str = ""
    guard: str = ""
    """Digest of the keyed digests, which is signed with every part; empty for none."""

    rebuilt: bool = False
    """Whether the file was lost, and this is what the signed request alone tells."""

    @property
    def erased(self) -> tuple[PlanRow, ...]:
        """Rows that are erased."""
        return tuple(row for row in self.rows if row.foreseen is Foreseen.ERASED)

    @property
    def withdrawn(self) -> tuple[PlanRow, ...]:
        """Rows that are withdrawn."""
        return tuple(row for row in self.rows if row.foreseen is Foreseen.WITHDRAWN)

    @property
    def name(self) -> str:
        """Of its file."""
        return file_of(self.forget)

    def encode(self) -> bytes:
        """The bytes of its file."""
        told = asdict(self)
        told["rows"] = [_told(row) for row in self.rows]
        return canonical.encode({"format": FORMAT, **told})


def file_of(forget: str) -> str:
    """Name of the file about a request."""
    return f"{forget}.request.json"


def begin(plan: Plan, *, reviewer: str, now: str, guard: str = "") -> Started:
    """The request that carries out ``plan``; ``guard`` is the digest of its keyed digests."""
    return Started(
        forget=plan.forget,
        reviewer=reviewer,
        started_at=now,
        plan_sha256=plan.digest,
        size=plan.size,
        root=plan.root,
        rows=plan.rows,
        scope_by=stated(plan.scope),
        missing=len(plan.missing),
        unlinked=plan.unlinked,
        reference=plan.scope.reference,
        due=plan.scope.due,
        guard=guard,
    )


def stated(scope: Scope) -> tuple[str, ...]:
    """Which parts of a scope were stated, by name."""
    names = ("subject", "imports", "sources", "run", "since", "until", "items", "tenant", "also")
    return tuple(name for name in names if getattr(scope, name))


def read(data: bytes, forget: str) -> Started:
    """The request that ``Started.encode`` told.

    Raises:
        BadRequestFileError: If it is none, or another one, or its rows are not those of its plan.
    """
    try:
        told: dict[str, Any] = canonical.decode(data)
        if told.pop("format") != FORMAT or told["forget"] != forget:
            msg = "the file is of another request or format."
            raise BadRequestFileError(msg)
        told["rows"] = tuple(_read(row) for row in told["rows"])
        told["scope_by"] = tuple(told["scope_by"])
        begun = Started(**told)
        whole = digest_of(begun.rows) == begun.plan_sha256
    except (canonical.NotCanonicalError, KeyError, TypeError, ValueError) as error:
        msg = f"the file about request {forget} cannot be used ({type(error).__name__})."
        raise BadRequestFileError(msg) from error
    if not whole:
        msg = f"the rows in the file about request {forget} are not those that were previewed."
        raise BadRequestFileError(msg)
    return begun


def _told(row: PlanRow) -> dict[str, Any]:
    told = asdict(row)
    for name in ("kind", "why", "foreseen"):
        told[name] = str(told[name])
    return told


def _read(told: dict[str, Any]) -> PlanRow:
    return PlanRow(
        **{
            **told,
            "kind": RowKind(told["kind"]),
            "why": Why(told["why"]),
            "foreseen": Foreseen(told["foreseen"]),
            "made_from": tuple(told["made_from"]),
            "contents": tuple(told["contents"]),
            "hold": None if told["hold"] is None else tuple(told["hold"]),
        }
    )
