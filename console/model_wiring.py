"""Builds model help for a workspace: its settings, its key, its ledger, and a desk to ask from."""

from __future__ import annotations

from typing import Final

from console import identity, wiring
from console.model.spending import Ledger
from console.model_help import ModelHelp
from console.wiring import Workspace
from review.desk import Desk
from review.placing import Writer
from review.proposals.proposing import Proposing

FOLDER: Final = "model"
"""Holds what was spent, one small file a day."""


def model_help(workspace: Workspace) -> ModelHelp:
    """The adapter, as the workspace's settings have it. Nobody is called."""
    told = workspace.settings.model
    longest = told.attempts * (told.connect_seconds + told.read_seconds + told.longest_wait)
    ledger = Ledger(workspace.home / FOLDER, workspace.clock, longest_call=longest)
    return ModelHelp(told, identity.model_key(), ledger)


def proposing(workspace: Workspace, desk: Desk) -> Proposing:
    """What can be asked over a desk, and what was proposed before.

    Raises:
        review.facts.parameters.TableError: If the workspace's parameter table has faults.
    """
    writer = Writer(workspace.settings.process, workspace.clock, workspace.chance)
    table = wiring.read_parameters(workspace.home)
    return Proposing(desk, writer, table, model_help(workspace))
