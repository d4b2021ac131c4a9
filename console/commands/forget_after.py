"""``forget-report``, ``forget-verify``, ``forget-confirm``: what comes after a forget request."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import forget_telling, forgetting, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, may_ask, say, tell, tell_json

if TYPE_CHECKING:
    from review.forget.report import Report
    from store.scans import Scan

REPORT_EXAMPLES: Final = """
memory-console forget-report                                   all requests
memory-console forget-report 01J8ZK4QH7V5M2N3P4R5S6T7V8 --md
memory-console forget-report 01J8ZK4QH7V5M2N3P4R5S6T7V8 --letter ru
"""
VERIFY_EXAMPLES: Final = """
memory-console forget-verify 01J8ZK4QH7V5M2N3P4R5S6T7V8
memory-console forget-verify report.json --text-stdin < what-was-said.txt
"""
CONFIRM_EXAMPLES: Final = """
memory-console forget-confirm REQUEST export:8d5b7865b1c2d3e4 --evidence "PR 12 merged"
memory-console forget-confirm REQUEST backup:01J8… --beyond-use
"""
_MOST_TEXT: Final = 1 << 20


def report(
    request: Annotated[str, typer.Argument(metavar="[REQUEST]", show_default=False)] = "",
    letter: Annotated[
        str, typer.Option("--letter", metavar="en|ru", help="A letter to the person who asked.")
    ] = "",
    markdown: Annotated[bool, typer.Option("--md", help="The whole report as Markdown.")] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|ru", help="Of it.")] = "en",
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Print the report of a forget request, or list all requests."""
    from review.forget.headline import headline
    from review.forget.letter import letter as written
    from review.forget.markdown import markdown as marked

    _place, _which, desk = forgetting.opened(tenant, wait)
    if not request:
        _all(desk.forget.reports(), desk.forget.unfinished(), as_json=as_json)
        return
    found = desk.forget.report(request)
    if not {letter or "en", language} <= {"en", "ru"}:
        msg = "The languages are en and ru."
        raise CommandError(msg, ExitCode.USAGE)
    if letter:
        tell(written(found, letter))
    elif as_json:
        tell_json(found.as_json())
    elif markdown:
        tell(marked(found, language))
    else:
        tell(headline(found, language))
        forget_telling.report(found)


def verify(
    named: Annotated[str, typer.Argument(metavar="REPORT", show_default=False)],
    text_stdin: Annotated[
        bool, typer.Option("--text-stdin", help="Search for the words on standard input.")
    ] = False,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Search again: rows, files, their controls, and what came back. REPORT is an id or a file.

    The erased words are not known any more. Bring them with --text-stdin to search for them; they
    are not kept.
    """
    _place, _which, desk = forgetting.opened(tenant, wait)
    request = _request_of(named)
    found = desk.forget.check_again(request)
    scan = _search(desk.forget.search) if text_stdin else None
    if as_json:
        told: dict[str, Any] = {"report": found.as_json()}
        if scan is not None:
            told["search"] = scan.as_json()
        tell_json(told)
    else:
        forget_telling.report(found)
        if scan is not None:
            _tell_scan(scan)
    if scan is not None and _status(scan) == "found":
        raise typer.Exit(ExitCode.VERIFY_FAILED)
    if any(str(row.status) == "failed" for row in found.rows):
        raise typer.Exit(ExitCode.VERIFY_FAILED)
    inconclusive = scan is not None and _status(scan) != "clean"
    if inconclusive or forget_telling.something_left(found):
        raise typer.Exit(ExitCode.LEFT)


def confirm(  # noqa: PLR0913 - each is an option of the command
    request: Annotated[str, typer.Argument(metavar="REQUEST", show_default=False)],
    place: Annotated[str, typer.Argument(metavar="PLACE", show_default=False)],
    beyond_use: Annotated[
        bool,
        typer.Option(
            "--beyond-use",
            help="Of a backup: it is not used, nobody gets at it, it is kept safe, and it is "
            "deleted on its day.",
        ),
    ] = False,
    evidence: Annotated[
        str, typer.Option("--evidence", metavar="TEXT", help="Words or a link. Kept, masked.")
    ] = "",
    tenant: opening.TenantOption = None,
    passphrase_stdin: forgetting.PassphraseOption = False,
    wait: opening.WaitOption = opening.PATIENCE,
    no_input: opening.NoInputOption = False,
    as_json: opening.JsonOption = False,
) -> None:
    """Record under your signature that a copy elsewhere was removed, or put beyond use.

    It is shown as what you said, with your name and the time; nobody here can look.
    """
    from review.forget import confirming

    where, _which, desk = forgetting.opened(tenant, wait)
    sign = forgetting.signer(where, from_stdin=passphrase_stdin, ask=may_ask(no_input=no_input))
    what = confirming.BEYOND_USE if beyond_use else confirming.REMOVED
    found = desk.forget.confirm(request, place, sign, evidence=evidence, what=what)
    if as_json:
        tell_json(found.as_json())
        return
    one = found.location(place)
    assert one is not None
    tell(f"{place}  {one.status}  said {one.confirmed[-1].what} at {one.confirmed[-1].at}")


def _all(reports: tuple[Report, ...], unfinished: tuple[str, ...], *, as_json: bool) -> None:
    from review.forget.headline import headline

    if as_json:
        told = [
            {"request": one.head.forget_id, "ended": one.head.ended, "outcome": one.outcome}
            for one in reports
        ]
        tell_json({"reports": told, "unfinished": list(unfinished)})
        return
    for one in reports:
        tell(f"{one.head.forget_id}  {one.head.ended[:16]}  {one.outcome}  {headline(one)}")
    for forget in unfinished:
        say(f"{forget} is not carried out in full: memory-console forget --request {forget}")
    if not reports and not unfinished:
        say("There was no forget request yet.")


def _request_of(named: str) -> str:
    """The request that is named, or whose report a file holds.

    Raises:
        CommandError: If the file is no report.
    """
    path = Path(named)
    if not path.is_file():
        return named
    from review.forget.report import BadReportError, read_report

    try:
        return read_report(json.loads(path.read_bytes())).head.forget_id
    except (OSError, ValueError, BadReportError) as error:
        msg = f"{path.name} is no forget report of ours."
        raise CommandError(msg) from error


def _search(search: Any) -> Scan:  # noqa: ANN401 - the desk's own method
    words = sys.stdin.buffer.read(_MOST_TEXT + 1)
    if len(words) > _MOST_TEXT:
        msg = "At most 1 MB of words can be searched for."
        raise CommandError(msg, ExitCode.USAGE)
    found: Scan = search(words.strip())
    return found


def _tell_scan(scan: Scan) -> None:
    tell(f"search   {_status(scan)}  {count(scan.hits)} places in {count(len(scan.files))} files")
    if not scan.patterns:
        say("The words are under 12 bytes, so they were not looked for.")
    for one in scan.files:
        if one.hits:
            tell(f"         {one.path}  {count(len(one.hits))} places")


def _status(scan: Scan) -> str:
    from review.forget.ground import ASKED

    return str(scan.status_of(ASKED))
