"""``rules export``, ``rules withdraw`` and ``rules write``: a rule leaves, or is taken back.

Leaving is a folder of files and a signed record. Nothing is merged, pushed or committed, and the
memory stays what it was.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import opening, rule_telling
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import may_ask, say, tell, tell_json
from review.rules.export_told import Target

if TYPE_CHECKING:
    from console.bundles.exporting import Folders
    from console.identity import Tenant
    from console.wiring import Workspace
    from review.bundle.recording import Exporting
    from review.deciding import Signer
    from review.desk import Desk

EXPORT_EXAMPLES: Final = """
memory-console rules export 01KK... --dry-run
memory-console rules export 01KK... --rule rule.txt --into ~/shop --owner logistics
memory-console rules export 01KK... --rule rule.txt --because 3f0c...="The yard closed for good."
"""
WITHDRAW_EXAMPLES: Final = """
memory-console rules withdraw 0f0f... --reason "Koledino has room again."
"""
WRITE_EXAMPLES: Final = """
memory-console rules write 0f0f...
"""
_LARGEST: Final = 1024 * 1024
"""Bytes of a file with a rule's text."""

PassphraseStdin = Annotated[
    bool, typer.Option("--passphrase-stdin", help="Read the passphrase from standard input.")
]


def export(  # noqa: PLR0913 - the options of a command
    item: Annotated[str, typer.Argument(metavar="ITEM")],
    rule: Annotated[
        Path | None,
        typer.Option(
            "--rule", metavar="FILE", help="The rule's text. The insight, word for word."
        ),
    ] = None,
    target: Annotated[
        Target, typer.Option("--target", help="What kind of file it is meant for.")
    ] = Target.CLAUDE_RULES,
    owner: Annotated[
        str, typer.Option("--owner", metavar="NAME", help="Who answers for the rule.")
    ] = "",
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="CHECKOUT", help="Make the patch for this checkout."),
    ] = None,
    because: Annotated[
        list[str] | None,
        typer.Option(
            "--because",
            metavar="KEY=REASON",
            help="Why a stricter or unclear place stays. See --dry-run.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is missing and end. Nothing is signed.")
    ] = False,
    tenant: opening.TenantOption = None,
    passphrase_stdin: PassphraseStdin = False,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Export one insight as a rule: a folder with evidence and a patch, under your signature.

    Nothing is merged or pushed, and the memory stays an unverified hint.
    """
    from review.rules.drafting import RuleDraft

    place, which, desk = _desk(tenant, wait)
    opened = desk.rules.open(item)
    text = desk.rules.begun(opened).text if rule is None else _text(rule)
    draft = RuleDraft(text, _reasons(because or []), target=target, owner=owner)
    checked = desk.rules.checked(opened, draft)
    earlier = [one.export for one in desk.rules.earlier(item)]
    if dry_run or checked.lacks:
        rule_telling.missing(checked, earlier, as_json=as_json)
        raise typer.Exit(ExitCode.LEFT if checked.lacks else ExitCode.OK)
    with _signing(place, from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input)) as sign:
        told = desk.rules.told(desk.rules.open(item), draft)  # as it is after the typing
        done = _folders(place, desk).export(told, _exporting(place, desk), sign, checkout=into)
    rule_telling.left(which.name, done, earlier, as_json=as_json)


def withdraw(
    export: Annotated[str, typer.Argument(metavar="EXPORT")],
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why.")] = "",
    tenant: opening.TenantOption = None,
    passphrase_stdin: PassphraseStdin = False,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Mark an export as not to be followed any more, under your signature.

    Files stay where people put them: close the branch or take the rule out there.
    """
    place, _which, desk = _desk(tenant, wait)
    name = _whole(desk, export)
    with _signing(place, from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input)) as sign:
        told = _exporting(place, desk).withdraw(name, reason, sign)
    path = None if told.kept is None else told.kept.path
    if as_json:
        tell_json({"export": name, "withdrawn_at": told.signed.withdrawn_at, "path": path})
        return
    tell(f"withdrawn  {name}")
    if path is not None:
        say(
            f"If it was merged, take {path} out there; close memory-rule-{name[:8]} if it is open."
        )


def write(
    export: Annotated[str, typer.Argument(metavar="EXPORT")],
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Write the folder of a recorded export again, bit for bit, when it is missing."""
    place, which, desk = _desk(tenant, wait)
    rule_telling.left(
        which.name, _folders(place, desk).write_again(_whole(desk, export)), as_json=as_json
    )


def _desk(tenant: str | None, wait: float) -> tuple[Workspace, Tenant, Desk]:
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    return place, which, place.desk(which)


def _folders(place: Workspace, desk: Desk) -> Folders:
    from console.bundles.exporting import Folders
    from console.wiring import root_statement

    return Folders(place.home, desk.store, lambda: root_statement(place.home))


def _exporting(place: Workspace, desk: Desk) -> Exporting:
    from review.bundle.recording import Exporting
    from review.person import ReadOnlyError
    from review.staged.placing import Writer

    if desk.person is None:
        raise ReadOnlyError
    writer = Writer(place.settings.process, place.clock, place.chance)
    return Exporting(desk.store, desk.person, writer, desk.policy.sha256)


@contextmanager
def _signing(place: Workspace, *, from_stdin: bool, ask: bool) -> Iterator[Signer]:
    """The reviewer's key, open for one signing."""
    from console import signing

    me = place.settings.reviewer
    if me is None:
        sentence = "No reviewer identity is set. Make one with: memory-console reviewer new"
        raise CommandError(sentence)
    if not ask and not from_stdin:
        sentence = (
            "A passphrase is needed and there is nobody to type it. Nothing was signed. "
            "Use --passphrase-stdin."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    typed = (
        sys.stdin.readline().rstrip("\r\n")
        if from_stdin
        else str(typer.prompt("Your passphrase", hide_input=True, err=True))
    )
    key = signing.unlock(place.key_path(me), typed, now=place.clock())
    try:
        yield lambda statements: key.sign(statements, now=place.clock())
    finally:
        key.forget()


def _whole(desk: Desk, begin: str) -> str:
    """The id of the only export that begins so."""
    found = [one for one in desk.standing().exports if one.startswith(begin)]
    if len(found) == 1 and begin:
        return found[0]
    why = "No export" if not found or not begin else "More than one export"
    sentence = f"{why} begins with {begin!r}. Nothing was done. See: rules list --exported"
    raise CommandError(sentence, ExitCode.NOT_FOUND)


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            sentence = f"{path} is no plain file. Nothing was exported."
            raise CommandError(sentence)
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            sentence = f"{path} has more than {_LARGEST:,} bytes. Nothing was exported."
            raise CommandError(sentence)
        return data.decode("utf-8").removeprefix("\ufeff").rstrip("\r\n")
    except FileNotFoundError as error:
        sentence = f"There is no {path}. Nothing was exported."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    except (OSError, UnicodeDecodeError) as error:
        sentence = f"{path} is no text in UTF-8 that can be read. Nothing was exported."
        raise CommandError(sentence) from error


def _reasons(told: Sequence[str]) -> dict[str, str]:
    reasons = dict[str, str]()
    for one in told:
        key, sign, reason = one.partition("=")
        if not sign or not key or not reason.strip():
            sentence = "--because wants KEY=REASON, as --dry-run prints the keys."
            raise CommandError(sentence, ExitCode.USAGE)
        reasons[key] = reason.strip()
    return reasons
