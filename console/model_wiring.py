"""Builds model help for a workspace: its settings, its key, its ledger, and a desk to ask from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from console import identity, wiring
from console.asking.kept import FOLDER, Keeping
from console.asking.starting import Asking
from console.identity import Tenant
from console.model import settings
from console.model.settings import ModelSettings, ModelSettingsError
from console.model.spending import Ledger
from console.model_help import ModelHelp
from console.wiring import Workspace
from review.desk import Desk
from review.proposals.proposing import Proposing
from review.staged.placing import Writer


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


def asking(workspace: Workspace, tenant: Tenant) -> Asking:
    """Asking about what waits, in a process that is given this one's environment."""
    return Asking(workspace.home, tenant.id, identity.environment())


def keeping(workspace: Workspace, tenant: Tenant) -> Keeping:
    """What is kept of asking about what waits."""
    return Keeping(workspace.home, tenant.id)


class Switch:
    """Reads and changes what model help is set to in one workspace."""

    def __init__(self, home: Path) -> None:
        """``home`` is the workspace's folder."""
        self._home = home

    def settings(self) -> ModelSettings:
        """What is set now."""
        return identity.read_settings(self._home).model

    def change(self, changes: Mapping[str, str]) -> None:
        """Set what is named, from its words. Where requests go cannot be set here.

        Raises:
            ModelSettingsError: If one of them cannot be used; nothing is changed then.
        """
        if "address" in changes:
            msg = "[model] address is set by a command"
            raise ModelSettingsError(msg)
        told = identity.read_settings(self._home)
        identity.write_settings(replace(told, model=settings.changed(told.model, changes)))
