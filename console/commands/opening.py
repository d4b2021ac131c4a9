"""Opens what a command works on: the workspace, one tenant, and a store that may be busy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console import identity
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say

if TYPE_CHECKING:
    from console.identity import Settings, Tenant
    from console.wiring import Workspace

PATIENCE: Final = 10.0
"""Seconds that a command waits for a busy store by itself."""

TenantOption = Annotated[
    str | None,
    typer.Option("--tenant", metavar="NAME", help="Which tenant of the workspace. First one."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Machine readable, on standard output.")]
WaitOption = Annotated[
    float,
    typer.Option("--wait", metavar="SECONDS", min=0, help="How long to wait for a busy store."),
]
NoInputOption = Annotated[bool, typer.Option("--no-input", help="Never ask anything.")]


def workspace() -> Workspace:
    """The user's workspace.

    Raises:
        CommandError: If there is none.
    """
    from console.wiring import open_workspace

    home = identity.home()
    try:
        return open_workspace(home)
    except FileNotFoundError as error:
        raise _none(home) from error


def settings() -> Settings:
    """The settings of the user's workspace, for what opens no store.

    Raises:
        CommandError: If there is none.
    """
    home = identity.home()
    try:
        return identity.read_settings(home)
    except FileNotFoundError as error:
        raise _none(home) from error


def settings_or_new() -> Settings:
    """The same; the workspace is made on first use."""
    if (identity.home() / identity.CONFIG).exists():
        return settings()
    return workspace_or_new().settings


def workspace_or_new() -> Workspace:
    """The user's workspace, made on first use."""
    from console.wiring import new_workspace

    home = identity.home()
    if (home / identity.CONFIG).exists():
        return workspace()
    made = new_workspace(home)
    say(f"Made a workspace in {home}, with one tenant: {made.settings.tenants[0].name}.")
    return made


def _none(home: Path) -> CommandError:
    sentence = (
        f"There is no workspace in {home}. Nothing was changed. "
        "Make one with: memory-console reviewer new"
    )
    return CommandError(sentence, ExitCode.NOT_FOUND)


def chosen(place: Workspace, name: str | None) -> Tenant:
    """The tenant that a command works on: the option, the environment, or the first one.

    Raises:
        console.identity.NoSuchTenantError: If there is none of that name.
    """
    return place.settings.tenant(name or identity.tenant_name())


def wait_for(path: Path, *, seconds: float) -> None:
    """Wait until nobody else holds the store, saying who does.

    Raises:
        store.connections.StoreBusyError: If it is still held after ``seconds``.
    """
    from store.connections import Opener, StoreBusyError

    if not path.exists():
        return
    try:
        with Opener(path, patience=0).work():
            return
    except StoreBusyError as busy:
        if seconds <= 0:
            raise
        say(f"The store is busy: {busy.holder} is using it. Waiting up to {seconds:g} s.")
    with Opener(path, patience=seconds).work():
        return
