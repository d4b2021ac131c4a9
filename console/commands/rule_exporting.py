"""``rules export``, ``rules withdraw`` and ``rules write``: a rule leaves, or is taken back.

Leaving is a folder of files and a signed record. Nothing is merged, pushed or committed, and the
memory stays what it was.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import may_ask, say, say_escaped, tell, tell_json
from review.rules.export_told import Target
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.bundles.checkouts import Flag
    from console.bundles.exporting import Exported, Folders
    from console.identity import Tenant
    from console.wiring import Workspace
    from review.bundle.recording import Exporting
    from review.deciding import Signer
    from review.desk import Desk
    from review.rules.drafting import Checked

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
FLAGS: Final = {
    "dirty": "Other files there differ from what is checked out.",
    "not_told": "Whether files there differ could not be told.",
    "read_only": "You cannot write there, so you cannot apply the patch there.",
    "unborn": "Nothing is committed there yet.",
    "renamed": "The name or heading was taken, so another one was used.",
}
"""What to know of a checkout, by member of ``console.bundles.checkouts.Flag``."""

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
            "--because", metavar="KEY=REASON", help="Why a stricter place stays. See --dry-run."
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
    if dry_run or checked.lacks:
        _tell_missing(checked, as_json=as_json)
        raise typer.Exit(ExitCode.LEFT if checked.lacks else ExitCode.OK)
    with _signing(place, from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input)) as sign:
        told = desk.rules.told(desk.rules.open(item), draft)  # as it is after the typing
        done = _folders(place, desk).export(told, _exporting(place, desk), sign, checkout=into)
    _tell(which.name, done, as_json=as_json)


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
    _tell(which.name, _folders(place, desk).write_again(_whole(desk, export)), as_json=as_json)


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
        return path.read_bytes().decode("utf-8").removeprefix("\ufeff").rstrip("\r\n")
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


def _tell_missing(checked: Checked, *, as_json: bool) -> None:
    """What is missing, and each place that says more than its source, with its key."""
    places = [
        {
            "key": one.key,
            "drift": str(one.place.drift),
            "change": str(one.place.change),
            "source": "" if one.place.source is None else one.place.source.cue,
            "rule": one.place.rule.cue,
            "settled": one.settled,
        }
        for one in checked.places
    ]
    told: dict[str, Any] = {
        "ready": checked.ready,
        "strength": str(checked.strength.verdict),
        "missing": [{"what": str(one.what), "n": one.n} for one in checked.lacks],
        "places": places,
    }
    if as_json:
        tell_json(told)
        return
    from console.cards.rules.words import cues, differs, lack
    from console.words import Say

    speak = Say("en")
    tell(f"strength  {speak.plain(f'rules.verdict.{checked.strength.verdict}')}")
    for at in checked.places:
        mark = "settled" if at.settled else "open"
        tell(f"{mark:<8}  {at.key}  {differs(speak, at.place)}: {escape_line(cues(at.place))}")
    for one in checked.lacks:
        tell(f"missing   {lack(speak, one)}")
    if any(not at.settled for at in checked.places):
        say("A place is settled by --because KEY=REASON, or by other words in the rule.")
    say(
        "Nothing was signed. This check looks for known words. It can miss a stronger meaning."
        if checked.ready
        else "Not ready, so nothing was exported. See also: rules why-not"
    )


def _tell(tenant: str, done: Exported, *, as_json: bool) -> None:
    if as_json:
        tell_json(
            {
                "tenant": tenant,
                "export": done.export,
                "folder": str(done.folder),
                "sha256": done.sha256,
                "path": done.path,
                "files": [{"name": name, "bytes": size} for name, size in done.sizes],
                "flags": [str(flag) for flag in done.flags],
            }
        )
        return
    total = sum(size for _, size in done.sizes)
    tell(f"export    {done.export}")
    tell(f"folder    {done.folder}")
    tell(f"files     {len(done.sizes)}, {total:,} bytes, sha256 {done.sha256}")
    tell(f"goes to   {done.path}")
    for flag in done.flags:
        say_escaped(_sentence(flag))
    say("Nothing was merged or pushed. README.md in the folder says how to check and apply it.")


def _sentence(flag: Flag) -> str:
    return FLAGS[str(flag)]
