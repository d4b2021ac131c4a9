"""``gate fit`` and ``gate show``: a gate learned from labelled verdicts, beside the other one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell, tell_json

if TYPE_CHECKING:
    from review.gate.fitted_gate import Figures, FittedGate

FIT_EXAMPLES: Final = """
memory-console gate fit verdicts.jsonl
memory-console gate fit --from-audit      from what people said of recorded verdicts

Each line: {"zeta": 0.8, "V": 0.7, "psi": 1.0, "R": 0.0, "admit": true}
"""
SHOW_EXAMPLES: Final = """
memory-console gate show --json
"""


def fit(
    labels: Annotated[
        Path | None, typer.Argument(metavar="LABELS.jsonl", show_default=False)
    ] = None,
    from_audit: Annotated[
        bool, typer.Option("--from-audit", help="Learn from the labels that people gave.")
    ] = False,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Learn a gate from labelled verdicts and record it. It decides only if the policy says so."""
    from review.gate.fitted_gate import LabelsError

    if (labels is None) is not from_audit:
        sentence = "Name one file of labels, or --from-audit. Nothing was learned."
        raise CommandError(sentence, ExitCode.USAGE)
    text = b"" if labels is None else _text(labels)
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    desk = place.desk(which)
    try:
        gate = desk.fit_gate(desk.audit.label_lines() if from_audit else text)
    except LabelsError as error:
        raise CommandError(str(error)) from error
    _tell(gate, decides=desk.policy.policy.fitted_decides, as_json=as_json)


def _text(labels: Path) -> bytes:
    try:
        return labels.read_bytes()
    except FileNotFoundError as error:
        sentence = f"There is no {labels}. Nothing was learned."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error


def show(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Show the gate that was learned last: its weights, and how it did on what it had not seen."""
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    if place.has_store(which):
        opening.wait_for(place.store_path(which), seconds=wait)
        desk = place.desk(which)
        gate = desk.fitted_gate()
        if gate is not None:
            _tell(gate, decides=desk.policy.policy.fitted_decides, as_json=as_json)
            return
    sentence = "No gate was learned here. Learn one with: memory-console gate fit LABELS.jsonl"
    raise CommandError(sentence, ExitCode.NOT_FOUND)


def _tell(gate: FittedGate, *, decides: bool, as_json: bool) -> None:
    from review.gate.fitted_gate import FEATURES, as_value

    if as_json:
        tell_json(as_value(gate) | {"decides": decides})
        return
    for name, weight in zip((*FEATURES, "constant"), gate.weights, strict=True):
        tell(f"{name:<10}{weight:+.3f}")
    tell(f"learned from {gate.trained_on} verdicts")
    tell(f"held out     {_figures(gate.held_out)}")
    tell(f"plain gate   {_figures(gate.training_free)}")
    if not decides:
        say("The plain gate decides; the policy's gate.fitted_decides would change that.")


def _figures(told: Figures) -> str:
    shares: dict[str, Any] = {
        "accuracy": told.accuracy,
        "precision": told.precision,
        "recall": told.recall,
    }
    words = ", ".join(
        f"{name} {'-' if value is None else f'{value:.3f}'}" for name, value in shares.items()
    )
    return f"n {told.n}, {words}"
