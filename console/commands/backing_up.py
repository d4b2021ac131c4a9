"""``backup`` and ``restore``: copies of a store for a while, and one of them put back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, may_ask, paint, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.backup.kept import Kept
    from console.backup.making import Deleted
    from console.backup.putting_back import PutBack

EXAMPLES: Final = """
memory-console backup new
memory-console backup list
memory-console backup delete --due
"""
NEW_EXAMPLES: Final = """
memory-console backup new --keep-days 7
memory-console backup new --into /mnt/backups
"""
LIST_EXAMPLES: Final = """
memory-console backup list --json
"""
DELETE_EXAMPLES: Final = """
memory-console backup delete --due
memory-console backup delete b-01J8…
"""
RESTORE_EXAMPLES: Final = """
memory-console restore b-01J8…
memory-console restore /mnt/backups/b-01J8… --forgets store.duckdb.forgets
"""
_MOST_DAYS: Final = 30


def new(
    days: Annotated[
        int, typer.Option("--keep-days", min=0, max=_MOST_DAYS, help="Days until it is deleted.")
    ] = _MOST_DAYS,
    folder: Annotated[
        Path | None, typer.Option("--into", metavar="FOLDER", help="Not into the workspace.")
    ] = None,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Write a backup of a tenant's store, with the day by which it has to be deleted."""
    from console.backup import making

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    if place.has_store(which):
        path = place.store_path(which)
        size = f", {_size(path.stat().st_size)}," if path.exists() else ""
        into = "the workspace" if folder is None else escape_line(str(folder))
        say(f"Copying the store of {escape_line(which.name)}{size} into {into}.")
        say("A large store takes a while. The copy counts once its manifest is written.")
    try:
        made, at = making.write(place, which, days=days, into=folder)
    except FileNotFoundError as error:
        raise CommandError(_sentence(error), ExitCode.NOT_FOUND) from error
    if as_json:
        told = {"backup": made.backup, "delete_by": made.delete_by, "events": made.size}
        tell_json({**told, "sha256": made.sha256, "bytes": made.bytes, "folder": str(at)})
        return
    tell(f"backup     {made.backup}")
    tell(f"folder     {escape_line(str(at))}")
    tell(f"holds      {count(made.size)} events, {_size(made.bytes)}")
    tell(f"delete by  {made.delete_by} (memory-console backup delete --due)")
    say("What is forgotten from now on stays in it until then. A restore forgets it again.")


def list_(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List the backups of a tenant, with what has to be deleted."""
    from console.backup import folders

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    found: tuple[Kept, ...] = ()
    if place.has_store(which):
        opening.wait_for(place.store_path(which), seconds=wait)
        found = folders.kept(place, which, place.store(which))
    today = identity.now().date()
    if as_json:
        told = [{**one.as_json(), "overdue": one.overdue(today)} for one in found]
        tell_json({"backups": told})
    else:
        for one in found:
            tell(_line(one, overdue=one.overdue(today)))
        if not found:
            say("There is no backup. Make one with: memory-console backup new")
    if any(one.overdue(today) for one in found):
        say("Overdue ones have to be deleted: memory-console backup delete --due")
        raise typer.Exit(ExitCode.LEFT)


def delete(
    backup: Annotated[str | None, typer.Argument(metavar="[BACKUP]", help="Its id.")] = None,
    due: Annotated[bool, typer.Option("--due", help="Those whose day is past.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Overwrite and delete a backup, or those whose day is past."""
    from console.backup import folders, kept, making

    if (backup is None) is not due:
        sentence = "Name a backup, or give --due. Nothing was deleted."
        raise CommandError(sentence, ExitCode.USAGE)
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    store = place.store(which)
    if backup is None:
        today = identity.now().date()
        wanted = list(kept.overdue(folders.kept(place, which, store), today))
    else:
        wanted = [folders.named(place, which, store, backup)]
        if not yes and not _agreed(wanted[0], ask=may_ask(no_input=no_input)):
            say("Nothing was deleted.")
            raise typer.Exit(ExitCode.ERROR)
    done = [making.delete(place, which, store, one) for one in wanted]
    if as_json:
        tell_json({"deleted": [_deleted(one) for one in done]})
        return
    for gone in done:
        tell(f"{gone.backup}  {'deleted' if gone.found else 'was gone already; recorded'}")
        if gone.found and not gone.overwritten:
            say("Another name stands for its bytes, so they were not overwritten.")
    if not done:
        say("No backup is due.")


def restore(
    backup: Annotated[str, typer.Argument(help="The id of a backup, or its folder.")],
    forgets: Annotated[
        list[Path] | None,
        typer.Option("--forgets", metavar="FILE", help="A list of what was forgotten."),
    ] = None,
    as_json: opening.JsonOption = False,
) -> None:
    """Put a backup back where the store is gone, and forget again what was forgotten since.

    Without a workspace one is made around it; then --forgets is needed. Nothing can be read before
    everything on the list is erased again.
    """
    from console.backup import putting_back

    home, lists = identity.home(), forgets or []
    try:
        if (home / identity.CONFIG).exists():
            place = opening.workspace()
            told = putting_back.into(place, putting_back.find(place, backup), lists=lists)
        else:
            folder = putting_back.folder_named(backup)
            told = putting_back.into_nothing(home, folder, lists=lists, clock=identity.now)
    except FileExistsError as error:
        raise CommandError(_sentence(error)) from error
    if as_json:
        tell_json(_put_back(told))
    else:
        _tell(told)
    if told.unfinished:
        raise typer.Exit(ExitCode.LEFT)


def _tell(told: PutBack) -> None:
    manifest = told.restored.manifest
    tell(f"restored   {manifest.backup}, {count(manifest.size)} events")
    tell(f"tenant     {escape_line(told.tenant.name)}")
    tell(f"forgotten  {count(told.restored.requests)} requests were heard since, and applied")
    tell(f"erased     {count(told.restored.contents)} contents that the backup still held")
    if told.new_workspace:
        say(f"A workspace was made in {escape_line(str(identity.home()))}. It has no key.")
        say("Copy the folder keys of the old one into it and name the reviewer in config.toml.")
        say("Pin the trust root: it is the one that the backup names.")
    if told.unfinished:
        say("They are erased here; their reports are still to be made, from the files about them")
        say("or, where those are lost, from what was signed: memory-console forget --request ID")
    say("What was staged and decided after the backup is not in it. Agents' doors refuse an")
    say("earlier state than they have seen: see docs/forget.md.")


def _put_back(told: PutBack) -> dict[str, Any]:
    return {
        "backup": told.restored.manifest.backup,
        "tenant": told.tenant.id,
        "events": told.restored.manifest.size,
        "requests": told.restored.requests,
        "contents": told.restored.contents,
        "unfinished": list(told.unfinished),
        "new_workspace": told.new_workspace,
    }


def _line(one: Kept, *, overdue: bool) -> str:
    mark = paint("overdue", "red") if overdue else "       "
    parts = (one.backup, one.written_at[:10], f"by {one.delete_by}", mark, one.where)
    return "  ".join((*map(str, parts), _size(one.bytes), escape_line(one.folder)))


def _deleted(one: Deleted) -> dict[str, Any]:
    return {"backup": one.backup, "found": one.found, "overwritten": one.overwritten}


def _agreed(one: Kept, *, ask: bool) -> bool:
    if not ask:
        sentence = "There is nobody to ask. Nothing was deleted. Use --yes."
        raise CommandError(sentence, ExitCode.USAGE)
    question = f"Delete backup {one.backup}, to be kept until {one.delete_by}?"
    return typer.confirm(question, err=True)


def _size(number: int) -> str:
    return f"{number / 2**20:,.1f} MiB"


def _sentence(error: OSError) -> str:
    words = str(error)
    return words[:1].upper() + words[1:]
