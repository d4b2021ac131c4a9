"""Which decisions over records may take effect, and where each record stands after them."""

from __future__ import annotations

from collections.abc import Callable, Container

from store.stages import ArtifactsOf, IllegalMoveError, Stage, Stands, advance
from store.statements import DecisionStatement


class DecisionNotAcceptedError(ValueError):
    """A decision may not take effect. The message says what was refused and why."""


def examine(
    statement: DecisionStatement,
    nonces: Container[str],
    *,
    artifacts_of: ArtifactsOf,
    stage_of: Callable[[str, int], Stage],
) -> None:
    """Whether every decision of ``statement`` may take effect now. Changes nothing.

    Raises:
        DecisionNotAcceptedError: For a repeated decision, or another artifact than was signed.
        store.stages.IllegalMoveError: If an item has moved since it was looked at.
    """
    fresh: set[str] = set()
    artifacts = artifacts_of((verdict.item, verdict.rev) for verdict in statement.verdicts)
    for verdict in statement.verdicts:
        if verdict.nonce in nonces or verdict.nonce in fresh:
            msg = f"the decision on item {verdict.item} was already recorded."
            raise DecisionNotAcceptedError(msg)
        fresh.add(verdict.nonce)
        if artifacts.get((verdict.item, verdict.rev)) != verdict.artifact:
            msg = (
                f"item {verdict.item} is not the artifact that was signed. Nothing was saved. "
                "Open it again and look at what it is now."
            )
            raise DecisionNotAcceptedError(msg)
        stage = stage_of(verdict.item, verdict.rev)
        target = advance(verdict.item, stage, verdict.decision)
        if (verdict.came_from, verdict.goes_to) != (stage, target):
            raise IllegalMoveError(verdict.item, verdict.decision, stage)
    if len({verdict.item for verdict in statement.verdicts}) != len(statement.verdicts):
        msg = "one statement decides an item twice."
        raise DecisionNotAcceptedError(msg)


def record(statement: DecisionStatement, sha256: str, items: dict[str, Stands]) -> None:
    """Let the decisions of an accepted statement take effect in ``items``."""
    for verdict in statement.verdicts:
        before = items.get(verdict.item)
        same = before is not None and before.rev == verdict.rev
        items[verdict.item] = Stands(
            rev=verdict.rev,
            artifact=verdict.artifact,
            stage=verdict.goes_to,
            by=statement.reviewer,
            signed_at=statement.signed_at,
            statement=sha256,
            count=(before.count if before is not None and same else 0) + 1,
        )
