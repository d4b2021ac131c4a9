"""``reviewer``: who may sign. Adding or revoking somebody takes a present reviewer's signature."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import may_ask, say, tell, tell_json
from console.phrases import words_of_fingerprint
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.identity import Tenant
    from console.wiring import Workspace
    from review.desk import Desk
    from store.signatures import PublicKey

NEW_EXAMPLES: Final = """
memory-console reviewer new --name "Irina K."
"""
ADD_EXAMPLES: Final = """
memory-console reviewer add oleg.pub --name "Oleg P."
"""
_ID: Final = re.compile(r"r-[0-9A-Za-z-]{1,64}")

PassphraseStdin = Annotated[
    bool, typer.Option("--passphrase-stdin", help="Read the passphrase from standard input.")
]
NameOption = Annotated[str | None, typer.Option("--name", help="The person's name.")]


def new(
    name: NameOption = None,
    passphrase_stdin: PassphraseStdin = False,
    no_input: opening.NoInputOption = False,
) -> None:
    """Make this installation's reviewer key. The first one of a workspace is its trust root."""
    from console.signing import L1_BANNER
    from console.wiring import enrol

    asks = may_ask(no_input=no_input)
    if not asks and not passphrase_stdin:
        raise CommandError(_NO_PASSPHRASE, ExitCode.USAGE)
    place = opening.workspace_or_new()
    if place.settings.reviewer is not None:
        sentence = f"This installation has a reviewer: {place.settings.reviewer}. No key was made."
        raise CommandError(sentence)
    first = place.root is None
    if name is None:
        name = str(typer.prompt("Name", default="Reviewer", err=True)) if asks else "Reviewer"
    passphrase = _typed("Passphrase", twice=True, from_stdin=passphrase_stdin)
    place, public = enrol(place, name=name, passphrase=passphrase)
    reviewer = str(place.settings.reviewer)
    tell(f"reviewer     {reviewer}")
    tell(f"fingerprint  {public.fingerprint}")
    tell(f"{'root' if first else 'key':<11}  {words_of_fingerprint(public.fingerprint)}")
    say(f"The key is in {place.key_path(reviewer)}, under your passphrase.")
    if first:
        say("It is the trust root. Keep its fingerprint where this computer's agent cannot write.")
    else:
        say(f"To be added, send {place.key_path(reviewer)}.pub to a present reviewer.")
    say(L1_BANNER)


def list_(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List who may sign here."""
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    told = _present(place, which, wait)
    if as_json:
        tell_json({"tenant": which.name, "reviewers": told})
        return
    if not told:
        say(
            "There is no reviewer yet, so nothing can be made durable. memory-console reviewer new"
        )
    for one in told:
        marks = " (trust root)" if one["root"] else ""
        tell(f"{one['reviewer']}  {escape_line(one['name'])}{marks}")
        tell(f"    {one['fingerprint']}  {one['words']}")


def add(
    public: Annotated[Path, typer.Argument(metavar="FILE.pub")],
    name: NameOption = None,
    tenant: opening.TenantOption = None,
    passphrase_stdin: PassphraseStdin = False,
    no_input: opening.NoInputOption = False,
) -> None:
    """Let another reviewer sign in one tenant, under your own signature."""
    from store.signatures import PublicKey

    try:
        line = public.read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        sentence = f"There is no {public}. Nothing was recorded."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    except UnicodeDecodeError as error:
        sentence = f"{public.name} is no OpenSSH public key. Nothing was recorded."
        raise CommandError(sentence) from error
    key = PublicKey.from_line(line)
    reviewer = line.split()[-1]
    if _ID.fullmatch(reviewer) is None:
        sentence = (
            f"{public.name} does not name its reviewer. Nothing was recorded. Use the .pub file "
            "that memory-console reviewer new has made."
        )
        raise CommandError(sentence)
    say(f"{reviewer}: {key.fingerprint}")
    say(f"Compare these words with the person: {words_of_fingerprint(key.fingerprint)}")
    _record(
        ("added", reviewer, key, name or ""),
        tenant,
        from_stdin=passphrase_stdin,
        ask=may_ask(no_input=no_input),
    )
    tell(f"added {reviewer}")


def revoke(
    reviewer: Annotated[str, typer.Argument(metavar="ID")],
    tenant: opening.TenantOption = None,
    passphrase_stdin: PassphraseStdin = False,
    no_input: opening.NoInputOption = False,
) -> None:
    """Take a reviewer's right to sign in one tenant. What they signed before stands."""
    _record(
        ("revoked", reviewer, None, ""),
        tenant,
        from_stdin=passphrase_stdin,
        ask=may_ask(no_input=no_input),
    )
    tell(f"revoked {escape_line(reviewer)}")


_NO_PASSPHRASE: Final = (
    "A passphrase is needed and nobody can be asked for it. Nothing was done. "
    "Use a terminal, or --passphrase-stdin."
)


def _record(
    what: tuple[str, str, PublicKey | None, str],
    tenant: str | None,
    *,
    from_stdin: bool,
    ask: bool,
) -> None:
    """Sign and record that a reviewer was added or revoked."""
    from console import signing
    from store.statements import ReviewerStatement

    action, reviewer, key, name = what
    place = opening.workspace()
    me = place.settings.reviewer
    if me is None:
        sentence = "You are no reviewer here, so you can change nobody's rights. Nothing was done."
        raise CommandError(sentence)
    if not ask and not from_stdin:
        raise CommandError(_NO_PASSPHRASE, ExitCode.USAGE)
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=opening.PATIENCE)
    desk = place.desk(which)
    if action == "revoked":
        key = _key_to_revoke(desk, reviewer)
    assert key is not None
    statement = ReviewerStatement(
        action,
        reviewer,
        key,
        signed_at=desk.now(),
        by=me,
        store=desk.store.store_id,
        tenant=desk.store.tenant_id,
    )
    passphrase = _typed("Your passphrase", twice=False, from_stdin=from_stdin)
    unlocked = signing.unlock(place.key_path(me), passphrase, now=place.clock())
    try:
        (signed,) = unlocked.sign([statement.encode()], now=place.clock())
    finally:
        unlocked.forget()
    desk.record_reviewer(signed, added=action == "added", name=name)


def _key_to_revoke(desk: Desk, reviewer: str) -> PublicKey:
    keys = desk.standing().keys
    if reviewer not in keys:
        sentence = "There is no such reviewer here. Nothing was done. See: reviewer list"
        raise CommandError(sentence, ExitCode.NOT_FOUND)
    if len(keys) == 1:
        sentence = (
            "This is the only reviewer; without one nothing could be decided any more. "
            "Nothing was done. Add another one first."
        )
        raise CommandError(sentence)
    return keys[reviewer]


def _present(place: Workspace, which: Tenant, wait: float) -> list[dict[str, Any]]:
    """Reviewers of one tenant; before it has a store, the trust root alone."""
    root, mine = place.root, place.settings.reviewer
    keys = {root.reviewer: root.key} if root is not None else {}
    names = {mine: place.settings.reviewer_name} if mine is not None else {}
    if place.has_store(which):
        from review import reviewers

        opening.wait_for(place.store_path(which), seconds=wait)
        store = place.store(which)
        keys = dict(store.standing().keys)
        names = {**reviewers.names(store), **names}
    return [
        {
            "reviewer": reviewer,
            "name": names.get(reviewer, ""),
            "fingerprint": key.fingerprint,
            "words": words_of_fingerprint(key.fingerprint),
            "root": root is not None and root.reviewer == reviewer,
            "here": reviewer == mine,
        }
        for reviewer, key in keys.items()
    ]


def _typed(question: str, *, twice: bool, from_stdin: bool) -> str:
    """A passphrase, typed hidden, or the first line of standard input."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt(question, hide_input=True, confirmation_prompt=twice, err=True))
