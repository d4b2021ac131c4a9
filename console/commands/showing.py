"""``show``: what a statement would have somebody sign, for a look from another screen."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import tell, tell_json
from console.phrases import six_words
from review.text.visible import escape_line

if TYPE_CHECKING:
    from store.rule_exports import ExportStatement
    from store.statements import DecisionStatement, ReviewerStatement

EXAMPLES: Final = """
memory-console show statement.json
"""
_LARGEST: Final = 4 * 1024 * 1024


def run(
    statement: Annotated[Path, typer.Argument(metavar="STATEMENT.json")],
    as_json: opening.JsonOption = False,
) -> None:
    """Show what a statement decides.

    Prints its digest as six words, to compare with another screen, and ids and codes only.
    """
    from store import canonical

    try:
        with statement.open("rb") as file:
            data = file.read(_LARGEST)
    except FileNotFoundError as error:
        sentence = f"There is no {statement}. Nothing was shown."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    digest = canonical.sha256(data)
    told = {"sha256": digest.hex(), "words": six_words(digest), **_read(data)}
    if as_json:
        tell_json(told)
        return
    for name, value in told.items():
        if name != "decisions":
            tell(f"{name:<14}  {escape_line(str(value))}")
    for one in told.get("decisions", ()):
        tell("  " + "  ".join(f"{name} {escape_line(str(v))}" for name, v in one.items() if v))


def _read(data: bytes) -> dict[str, Any]:
    from store.rule_exports import read_export
    from store.statements import BadStatementError, read_decision, read_reviewer

    try:
        return _decisions(read_decision(data))
    except BadStatementError as no_decision:
        try:
            return _reviewer(read_reviewer(data))
        except BadStatementError:
            with contextlib.suppress(BadStatementError):
                return _export(read_export(data))
            sentence = f"This is no statement: {no_decision} Nothing was shown."
            raise CommandError(sentence) from no_decision


def _decisions(told: DecisionStatement) -> dict[str, Any]:
    return {
        "statement": "decision",
        "store": told.store,
        "tenant": told.tenant,
        "reviewer": told.reviewer,
        "number": told.reviewer_seq,
        "signed_at": told.signed_at,
        "head": f"size {told.prev.size} root {told.prev.root}",
        "policy_sha256": told.policy_sha256,
        "decisions": [
            {
                "decision": str(one.decision),
                "item": one.item,
                "rev": one.rev,
                "artifact": one.artifact,
                "from": str(one.came_from),
                "to": str(one.goes_to),
                "reason": one.reason,
                "mode": one.mode,
                "list": one.list_sha256,
                "acknowledged": ", ".join(one.acknowledged),
            }
            for one in told.verdicts
        ],
    }


def _export(told: ExportStatement) -> dict[str, Any]:
    return {
        "statement": "rule export",
        "act": str(told.act),
        "export": told.export,
        "item": told.item,
        "rev": told.rev,
        "artifact": told.artifact,
        "bundle_sha256": told.bundle_sha256,
        "store": told.store,
        "tenant": told.tenant,
        "reviewer": told.reviewer,
        "number": told.reviewer_seq,
        "signed_at": told.signed_at,
        "head": f"size {told.prev.size} root {told.prev.root}",
        "policy_sha256": told.policy_sha256,
    }


def _reviewer(told: ReviewerStatement) -> dict[str, Any]:
    return {
        "statement": "reviewer",
        "action": told.action,
        "reviewer": told.reviewer,
        "key": told.key.fingerprint,
        "by": told.by,
        "signed_at": told.signed_at,
        "store": told.store,
        "tenant": told.tenant,
    }
