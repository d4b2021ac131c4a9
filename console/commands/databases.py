"""``database``: where a tenant's store is kept."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, may_ask, say, tell, tell_json
from review.text.visible import escape_line

MOVE_EXAMPLES: Final = """
memory-console database move service=memory
memory-console database move "host=db.example dbname=memory user=console" --tenant support --yes
"""


def move(
    words: Annotated[
        str, typer.Argument(metavar="WORDS", help="How to connect, without a password.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Keep a tenant's store in a PostgreSQL database, which several consoles use at once.

    A store that is there as a file is copied, verified on the server, and its file is overwritten.
    Stop the other consoles of the workspace first.
    """
    from console import moving

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    if place.store_path(which).exists() and not yes:
        if not may_ask(no_input=no_input):
            sentence = "There is nobody to ask. Nothing was moved. Use --yes."
            raise CommandError(sentence, ExitCode.USAGE)
        question = f"Move the store of {escape_line(which.name)} and overwrite its file?"
        if not typer.confirm(question, err=True):
            say("Nothing was moved.")
            raise typer.Exit(ExitCode.ERROR)
    try:
        moved = moving.move(place, which, words)
    except FileExistsError as error:
        raise CommandError(str(error)[:1].upper() + str(error)[1:]) from error
    if as_json:
        tell_json(
            {"events": moved.events, "schema": moved.schema, "overwritten": moved.overwritten}
        )
        return
    tell(f"schema  {moved.schema}")
    tell(f"moved   {count(moved.events)} events")
    if not moved.events:
        say("There was no store yet: the first import makes it there.")
    elif not moved.overwritten:
        say("The file is gone, but its bytes could not be overwritten.")
    say("A report on a forget request lists what such a server keeps: see docs/databases.md.")
