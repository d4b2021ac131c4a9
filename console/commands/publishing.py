"""``publish`` and ``ingest``: what agents get to read, and what they left."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, may_ask, say, say_escaped, tell, tell_json

if TYPE_CHECKING:
    from console.identity import Tenant
    from console.ingesting import Ingested
    from console.wiring import Workspace
    from store.statements import SignedStatement

PUBLISH_EXAMPLES: Final = """
memory-console publish
memory-console publish --valid-days 7
"""
INGEST_EXAMPLES: Final = """
memory-console ingest
memory-console ingest --json
"""


def publish(
    tenant: opening.TenantOption = None,
    days: Annotated[
        int | None,
        typer.Option("--valid-days", min=1, max=3_650, help="Readers refuse it after these days."),
    ] = None,
    passphrase_stdin: Annotated[
        bool, typer.Option("--passphrase-stdin", help="Read the passphrase from standard input.")
    ] = False,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Publish what is durable for the agents of a tenant, under your signature.

    What was taken back since is denied first. Nothing becomes durable by it.
    """
    from console import signing
    from console.door_wiring import publishing

    place, which = _place(tenant, wait)
    reviewer = place.settings.reviewer
    if reviewer is None:
        sentence = "No reviewer identity is set. Make one with: memory-console reviewer new"
        raise CommandError(sentence)
    _take_in(place, which)
    store = place.store(which)
    made = publishing(place, which, store)
    if not made.wanted:
        sentence = (
            f"No agent reads tenant {which.name}, so nothing was published. "
            "Make a door with: memory-console agent new NAME"
        )
        raise CommandError(sentence, ExitCode.NOT_FOUND)
    passphrase = _typed(from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input))
    path = place.key_path(reviewer)
    signing.unlock(path, passphrase, now=place.clock()).forget()  # a wrong one is said at once

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        """Writing a large snapshot takes longer than a key may be open, so it is opened here."""
        key = signing.unlock(path, passphrase, now=place.clock())
        try:
            return key.sign(statements, now=place.clock())
        finally:
            key.forget()

    now = made.publish(sign, valid_for=None if days is None else timedelta(days=days))
    if as_json:
        tell_json({"size": now.size, "cells": now.cells, "denied": now.denied})
        return
    tell(f"published  {count(now.cells)} durable cells, at position {count(now.size)}")
    if now.denied:
        tell(f"denied     {count(now.denied)} of the snapshot before it")


def ingest(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Take in what agents left: memories to be looked at, reads, answers. Nothing is durable."""
    place, which = _place(tenant, wait)
    told = _take_in(place, which)
    if as_json:
        tell_json(
            {
                "staged": told.staged,
                "reads": told.reads,
                "answers": told.answers,
                "aside": [
                    {"door": one.door, "name": one.name, "why": one.why} for one in told.aside
                ],
                "busy": told.busy,
            }
        )
    else:
        tell(f"staged   {count(told.staged)} batches, waiting for a person")
        tell(f"reads    {count(told.reads)} recorded as observed")
        tell(f"answers  {count(told.answers)} recorded as reported")
    if told.aside or told.busy:
        raise typer.Exit(ExitCode.LEFT)


def _place(name: str | None, wait: float) -> tuple[Workspace, Tenant]:
    place = opening.workspace()
    which = opening.chosen(place, name)
    opening.wait_for(place.store_path(which), seconds=wait)
    return place, which


def _take_in(place: Workspace, which: Tenant) -> Ingested:
    from console import door_wiring
    from console.ingesting import Ingested

    if not door_wiring.ingesting(place, which).waiting():
        return Ingested()
    told = door_wiring.ingest(place, which, place.desk(which))
    for one in told.aside:
        say_escaped(f"Set aside in door {one.door}: {one.name}. {one.why}")
    for name in told.busy:
        say(f"Another process takes from door {name} just now.")
    return told


def _typed(*, from_stdin: bool, ask: bool) -> str:
    """The passphrase, typed hidden, or the first line of standard input."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not ask:
        sentence = (
            "A passphrase is needed and there is nobody to type it. Nothing was published. "
            "Use --passphrase-stdin."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    return str(typer.prompt("Your passphrase", hide_input=True, err=True))
