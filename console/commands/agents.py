"""``agent``: doors for agents. An agent can stage, recall, ask why and ask for its own jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.doors import Door
    from review.read_rules import Purpose
    from store.cells import Kind

EXAMPLES: Final = """
memory-console agent new shop-bot --tenant acme
memory-console agent list
memory-console agent run shop-bot
"""
NEW_EXAMPLES: Final = """
memory-console agent new shop-bot --tenant acme
memory-console agent new coach --purpose personalisation --user ana
memory-console agent new clerk --kinds fact,decision --scope project=warehouse
"""
RUN_EXAMPLES: Final = "memory-console agent run shop-bot"
LIST_EXAMPLES: Final = "memory-console agent list --json"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    tenant: opening.TenantOption = None,
    purpose: Annotated[
        str, typer.Option("--purpose", help="task or personalisation: what it may read for.")
    ] = "task",
    kinds: Annotated[
        str | None, typer.Option("--kinds", metavar="A,B", help="Only these kinds of memory.")
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Whose session it is.")
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", metavar="KEY=VALUE", help="Whose memory; can be repeated."),
    ] = None,
) -> None:
    """Make a door for an agent. Who it is and what it may read is fixed here, and only here."""
    from console.door_wiring import new_door

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    told = dict(_pair(one) for one in scope or [])
    if user is not None:
        told["user"] = user
    door = new_door(place, which, name, purpose=_purpose(purpose), kinds=_kinds(kinds), scope=told)
    tell(f"door    {door.name}  ({door.id})")
    tell(f"reads   {which.name}, for {door.purpose}: {_readable(door)}")
    tell(f"root    {door.root}")
    say("An agent starts it with: memory-console agent run " + door.name)
    say("It serves nothing until you publish: memory-console publish")


def list_(as_json: opening.JsonOption = False) -> None:
    """List the doors of this workspace, and how much waits in each."""
    from console import doors

    settings = opening.settings()
    names = {one.id: one.name for one in settings.tenants}
    found = doors.of(settings.home)
    if as_json:
        told = [
            {"name": one.name, **one.told(), "waiting": len(one.spool.waiting())} for one in found
        ]
        tell_json({"doors": told})
        return
    if not found:
        say("There is no door. Make one with: memory-console agent new NAME")
    for one in found:
        tenant = escape_line(names.get(one.tenant, one.tenant))
        waiting = len(one.spool.waiting())
        tell(f"{one.name}  {tenant}, for {one.purpose}: {_readable(one)}  {waiting} waiting")


def run(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Serve a door to one MCP client over standard input and output, until it goes away."""
    from console.agent import serve
    from console.agent_wiring import open_door

    serve(open_door(identity.home(), name))


def _readable(door: Door) -> str:
    kinds = "every kind that is readable for it"
    if door.kinds is not None:
        kinds = ", ".join(sorted(map(str, door.kinds)))
    scope = ", ".join(f"{key}={value}" for key, value in sorted(door.scope.items()))
    return escape_line(f"{kinds}; {scope}" if scope else kinds)


def _purpose(word: str) -> Purpose:
    from review.read_rules import Purpose

    known = (Purpose.TASK, Purpose.PERSONALISATION)
    if word not in known:
        sentence = f"An agent reads for {' or '.join(known)}, not for {word!r}. Nothing was made."
        raise CommandError(sentence, ExitCode.USAGE)
    return Purpose(word)


def _kinds(words: str | None) -> frozenset[Kind] | None:
    from store.cells import Kind

    if words is None:
        return None
    told = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in told if word not in list(Kind)]
    if unknown or not told:
        sentence = f"Kinds are some of: {', '.join(Kind)}. Nothing was made."
        raise CommandError(sentence, ExitCode.USAGE)
    return frozenset(Kind(word) for word in told)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        sentence = f"--scope {text!r} is not KEY=VALUE. Nothing was made."
        raise CommandError(sentence, ExitCode.USAGE)
    return key, value
