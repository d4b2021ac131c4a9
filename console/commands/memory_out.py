"""``memory export`` and ``memory protocol``: a ``MEMORY.md`` for agents that keep a text file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import opening
from console.commands.telling import say, tell, tell_json

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES: Final = """
memory-console memory export --language ru
memory-console memory protocol using
"""
EXPORT_EXAMPLES: Final = """
memory-console memory export
memory-console memory export --language ru --tenant acme
"""
PROTOCOL_EXAMPLES: Final = """
memory-console memory protocol keeping
memory-console memory protocol using --language ru >> AGENTS.md
"""
LanguageOption = Annotated[
    str | None,
    typer.Option("--language", metavar="en|ru", help="Of marks and protocols. The workspace's."),
]


def export(
    language: LanguageOption = None,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Write what is durable as a MEMORY.md, into a folder of its own.

    Every line is marked unverified. It is a copy: nothing in the store changes by it.
    """
    from console.bundles import writing
    from review.bundle import memory_file, memory_reading
    from review.bundle.memory_file import Taken

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    spoken = _language(language or place.settings.language)
    opening.wait_for(place.store_path(which), seconds=wait)
    desk = place.desk(which)
    with desk.held():
        head, moment = desk.head(), desk.graph.at()
        lines = memory_reading.lines(desk.store, moment)
        taken = Taken(desk.store.store_id, desk.store.tenant_id, head.size, head.root, desk.now())
    files = memory_file.files(lines, spoken, taken)
    root = writing.root_of(place.home, which.id, writing.MEMORY)
    name = _name(taken.at, spoken, root)
    folder = writing.write(place.home, which.id, writing.MEMORY, name, files)
    if as_json:
        tell_json({"tenant": which.name, "folder": str(folder), "lines": len(lines)})
        return
    tell(f"folder  {folder}")
    tell(f"lines   {len(lines):,}, {len(files[memory_file.MEMORY]):,} bytes")
    say("Each line is an unverified hint. What is forgotten later stays in copies such as this.")


def protocol(
    which: Annotated[str, typer.Argument(metavar="keeping|using")],
    language: LanguageOption = None,
) -> None:
    """Print how an agent keeps MEMORY.md, or how it uses memory, to put into AGENTS.md."""
    from review.bundle.memory_file import Protocol, protocol

    if which not in set(Protocol):
        sentence = "There are two protocols: keeping and using."
        raise typer.BadParameter(sentence)
    tell(protocol(Protocol(which), _language(language or "en")).rstrip("\n"))


def _language(asked: str) -> str:
    if asked not in ("en", "ru"):
        sentence = "The languages are en and ru."
        raise typer.BadParameter(sentence)
    return asked


def _name(at: str, language: str, root: Path) -> str:
    from console.bundles import writing
    from review.bundle.slugs import distinct

    plain = at[:19].lower().replace(":", "-")
    return distinct(f"memory-{plain}-{language}", writing.names_in(root), mark="again")
