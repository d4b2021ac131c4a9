"""``forget``: preview a request, run it under a signature, and go on with one that was cut off."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import forget_telling, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import may_ask, tell_json

if TYPE_CHECKING:
    from console.identity import Tenant
    from console.wiring import Workspace
    from review.deciding import Signer
    from review.desk import Desk
    from review.forget.plan import Plan
    from review.forget.report import Report
    from review.forget.scope import Scope
    from store.statements import SignedStatement

EXAMPLES: Final = """
memory-console forget --text "dark mode"                       records to choose from, by id
memory-console forget --subject client:4411 --preview > plan.json   writes nothing
memory-console forget --plan plan.json --type-count 12         asks for the passphrase
memory-console forget --request 01J8ZK4QH7V5M2N3P4R5S6T7V8      go on with one that was cut off
memory-console forget --discard 01J8ZK4QH7V5M2N3P4R5S6T7V8      throw one away that nobody signed
"""
Many = list[str] | None

PassphraseOption = Annotated[
    bool, typer.Option("--passphrase-stdin", help="Read the passphrase from standard input.")
]


def run(  # noqa: PLR0913 - each is an option of the command
    subject: Annotated[
        str, typer.Option("--subject", metavar="ID", help="Whom or what it is about. Literal.")
    ] = "",
    imports: Annotated[
        Many, typer.Option("--import", metavar="IMPORT", help="All that came with an import.")
    ] = None,
    sources: Annotated[
        Many, typer.Option("--source-id", metavar="ID", help="A record by its id in its source.")
    ] = None,
    run_: Annotated[
        str, typer.Option("--run", metavar="ID", help="One run, and its records.")
    ] = "",
    items: Annotated[
        Many, typer.Option("--item", metavar="ID", help="A record by this program's id.")
    ] = None,
    since: Annotated[str, typer.Option("--since", metavar="DAY", help="First day, UTC.")] = "",
    until: Annotated[str, typer.Option("--until", metavar="DAY", help="Last day, UTC.")] = "",
    whole: Annotated[
        bool, typer.Option("--whole-tenant", help="All memory of the tenant.")
    ] = False,
    also: Annotated[
        Many, typer.Option("--also", metavar="ID", help="A row that the preview left to you.")
    ] = None,
    holds: Annotated[
        Many, typer.Option("--hold", metavar="ID=BASIS:DAY", help="Keep a record for a duty.")
    ] = None,
    text: Annotated[
        str, typer.Option("--text", metavar="WORDS", help="List records that hold these words.")
    ] = "",
    reference: Annotated[str, typer.Option("--reference", help="The person's case number.")] = "",
    due: Annotated[str, typer.Option("--due", metavar="DAY", help="When an answer is owed.")] = "",
    preview: Annotated[
        bool, typer.Option("--preview", help="Print the plan; into a file or a pipe as JSON.")
    ] = False,
    plan: Annotated[
        Path | None, typer.Option("--plan", metavar="FILE", help="Run this preview.")
    ] = None,
    type_count: Annotated[
        int | None, typer.Option("--type-count", min=1, help="How many rows it erases.")
    ] = None,
    request: Annotated[
        str, typer.Option("--request", metavar="ID", help="Go on with this request.")
    ] = "",
    discard: Annotated[
        str, typer.Option("--discard", metavar="ID", help="Drop one that nobody signed.")
    ] = "",
    tenant: opening.TenantOption = None,
    passphrase_stdin: PassphraseOption = False,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Erase what can be traced of a person, a source or a run, and report what is left.

    First a preview, valid for 15 minutes; then the run, under your signature. It cannot be undone.
    """
    place, _which, desk = opened(tenant, wait)
    if text:
        forget_telling.matches(desk.forget.matches(text), as_json=as_json)
        return
    if discard:
        desk.forget.discard(discard)
        forget_telling.discarded(discard, as_json=as_json)
        return
    if request or plan is not None:
        sign = signer(place, from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input))
        report = (
            desk.forget.resume(request, sign)
            if request
            else _run(desk, _read(plan), sign, type_count)
        )
        _finish(report, as_json=as_json)
        return
    scope = _scope(
        subject=subject,
        imports=imports or (),
        sources=sources or (),
        run=run_,
        items=items or (),
        since=since,
        until=until,
        tenant=whole,
        also=also or (),
        holds=[_hold(one) for one in holds or ()],
        reference=reference,
        due=due,
    )
    found = desk.forget.plan(scope)
    if as_json or (preview and not sys.stdout.isatty()):
        tell_json({**found.as_json(), "token": desk.forget.token(found).text})
    else:
        ids = [row.id for row in found.rows[: forget_telling.MOST]]
        words = {**desk.claims_of(ids), **desk.forget.questions(ids)}
        forget_telling.plan(found, words)
    _nothing(found)


def opened(tenant: str | None, wait: float) -> tuple[Workspace, Tenant, Desk]:
    """The workspace, the tenant, and its desk with the files under it. What waits is taken in."""
    from console import door_wiring
    from console.forget.files import ground

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    desk = ground(place, which, place.desk(which))
    door_wiring.ingest(place, which, desk)
    return place, which, desk


def signer(place: Workspace, *, from_stdin: bool, ask: bool) -> Signer:
    """Signs with the reviewer's key, which is opened for each signature: a run may take long.

    Raises:
        CommandError: Without a reviewer, or with nobody to type a passphrase.
        console.signing.PassphraseError: If it is the wrong one.
    """
    from console import signing

    reviewer = place.settings.reviewer
    if reviewer is None:
        sentence = "No reviewer identity is set. Make one with: memory-console reviewer new"
        raise CommandError(sentence)
    path = place.key_path(reviewer)
    if from_stdin:
        passphrase = sys.stdin.readline().rstrip("\r\n")
    elif ask:
        passphrase = str(typer.prompt("Your passphrase", hide_input=True, err=True))
    else:
        sentence = (
            "A passphrase is needed and there is nobody to type it. Nothing was erased. "
            "Use --passphrase-stdin."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    signing.unlock(path, passphrase, now=place.clock()).forget()  # a wrong one is said at once

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        key = signing.unlock(path, passphrase, now=place.clock())
        try:
            return key.sign(statements, now=place.clock())
        finally:
            key.forget()

    return sign


def _run(desk: Desk, told: dict[str, Any], sign: Signer, typed: int | None) -> Report:
    from review.forget import scope, token

    if typed is None:
        sentence = (
            f"Type how many rows it erases: --type-count {told.get('type_count', 'N')}. "
            "Nothing was erased."
        )
        raise CommandError(sentence, ExitCode.USAGE)
    wanted = scope.read_scope(told.get("scope", {}))
    shown = token.read(str(told.get("token", "")))
    try:
        return desk.forget.run(wanted, shown, sign, typed=typed)
    except token.PreviewMovedError as moved:
        rows = told.get("rows", [])
        new, gone = moved.plan.news(str(row.get("id")) for row in rows if isinstance(row, dict))
        more = f" New rows: {len(new)}. Rows that are gone: {len(gone)}."
        msg = f"{str(moved)[:1].upper()}{str(moved)[1:]}{more}"
        raise CommandError(msg) from moved


def _read(path: Path | None) -> dict[str, Any]:
    try:
        found = json.loads((path or Path()).read_bytes())
    except (OSError, ValueError) as error:
        sentence = "The plan cannot be read. Nothing was erased. Preview again."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    if not isinstance(found, dict):
        sentence = "That file is no plan. Nothing was erased. Preview again."
        raise CommandError(sentence)
    return found


def _finish(report: Report, *, as_json: bool) -> None:
    """Tell the report; the exit code says whether something is left."""
    if as_json:
        tell_json(report.as_json())
    else:
        forget_telling.report(report)
    if forget_telling.something_left(report):
        raise typer.Exit(ExitCode.LEFT)


def _nothing(plan: Plan) -> None:
    if plan.empty:
        from review.forget.plan import Foreseen

        left = plan.counted()[Foreseen.NEEDS_DECISION]
        sentence = (
            f"Nothing here matches: 0 records, {len(plan.missing)} ids not found. That does not "
            "prove that there is none"
            + (f": {plan.unlinked} do not say what they were made from." if plan.unlinked else ".")
            + (f" {left} only mention it: look at each, and tick it with --also ID." * bool(left))
        )
        raise CommandError(sentence, ExitCode.NOT_FOUND)


def _hold(told: str) -> dict[str, str]:
    item, _, rest = told.partition("=")
    basis, _, until = rest.rpartition(":")
    if not (item and basis and until):
        sentence = "A duty is stated as ID=BASIS:YYYY-MM-DD."
        raise CommandError(sentence, ExitCode.USAGE)
    return {"item": item, "basis": basis, "until": until}


def _scope(**stated: Any) -> Scope:  # noqa: ANN401 - each part has its own type
    from review.forget.scope import BadScopeError, read_scope

    try:
        return read_scope(stated)
    except BadScopeError as error:
        msg = f"{str(error)[:1].upper()}{str(error)[1:]}"
        raise CommandError(msg, ExitCode.USAGE) from error
