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
    from review.desk import Desk
    from review.forget.report import Report
    from store.scans import Scan

REPORT_EXAMPLES: Final = """
memory-console forget-report                                   all requests
memory-console forget-report 01J8ZK4QH7V5M2N3P4R5S6T7V8 --md
memory-console forget-report 01J8ZK4QH7V5M2N3P4R5S6T7V8 --letter ru
memory-console forget-report --bring report.json               keep one here again
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


def report(  # noqa: PLR0913 - each is an option of the command
    request: Annotated[str, typer.Argument(metavar="[REQUEST]", show_default=False)] = "",
    letter: Annotated[
        str, typer.Option("--letter", metavar="en|ru", help="A letter to the person who asked.")
    ] = "",
    markdown: Annotated[bool, typer.Option("--md", help="The whole report as Markdown.")] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|ru", help="Of it.")] = "en",
    bring: Annotated[
        Path | None, typer.Option("--bring", metavar="FILE", help="Keep this report here again.")
    ] = None,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Print the report of a forget request, or list all requests."""
    from review.forget.headline import headline
    from review.forget.letter import letter as written
    from review.forget.markdown import markdown as marked

    _place, _which, desk = forgetting.opened(tenant, wait)
    if bring is not None:
        request = desk.forget.bring(_read(bring)).head.forget_id
    if not request:
        _all(desk, as_json=as_json)
        return
    found = _report(desk, request)
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
    are not kept. Where the report is not in this workspace, a file of it is held against the log,
    and without one what was signed is looked at alone.
    """
    _place, _which, desk = forgetting.opened(tenant, wait)
    brought = _brought(named)
    named_by_log = None if brought is None else desk.forget.is_named(brought)
    request = named if brought is None else brought.head.forget_id
    found = desk.forget.check_again(request, brought)
    scan = _search(desk.forget.search) if text_stdin else None
    if as_json:
        told: dict[str, Any] = {"report": found.as_json(), "named_by_log": named_by_log}
        if scan is not None:
            told["search"] = scan.as_json()
        tell_json(told)
    else:
        _tell_source(found, named_by_log)
        forget_telling.report(found)
        if scan is not None:
            _tell_scan(scan)
    if scan is not None and _status(scan) == "found":
        raise typer.Exit(ExitCode.VERIFY_FAILED)
    if any(str(row.status) == "failed" for row in found.rows):
        raise typer.Exit(ExitCode.VERIFY_FAILED)
    inconclusive = scan is not None and _status(scan) != "clean"
    if inconclusive or named_by_log is False or forget_telling.something_left(found):
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


def _all(desk: Desk, *, as_json: bool) -> None:
    from review.forget.headline import headline

    reports, forget = desk.forget.reports(), desk.forget
    if as_json:
        told = [
            {"request": one.head.forget_id, "ended": one.head.ended, "outcome": one.outcome}
            for one in reports
        ]
        tell_json(
            {
                "reports": told,
                "unfinished": list(forget.unfinished()),
                "unsigned": [one.forget for one in forget.unsigned()],
                "without_report": [one.forget for one in forget.unreported()],
                "altered": list(forget.strange()),
                "at_work": forget.at_work(),
            }
        )
        return
    for one in reports:
        tell(f"{one.head.forget_id}  {one.head.ended[:16]}  {one.outcome}  {headline(one)}")
    forget_telling.open_requests(desk)
    if not reports and not forget.unfinished() and not forget.unreported():
        say("There was no forget request yet.")


def _report(desk: Desk, request: str) -> Report:
    """The report of a request.

    Raises:
        CommandError: If the log has the request and its report is not here.
        review.forget.running.NoSuchRequestError: If there is none.
    """
    from review.forget.running import NoSuchRequestError

    try:
        return desk.forget.report(request)
    except NoSuchRequestError as error:
        for one in desk.forget.unreported():
            if one.forget == request:
                told = forget_telling.without_report(one)
                raise CommandError(told, ExitCode.NOT_FOUND) from error
        if request in desk.forget.unfinished():
            msg = f"It is not carried out in full: memory-console forget --request {request}"
            raise CommandError(msg, ExitCode.NOT_FOUND) from error
        raise


def _brought(named: str) -> Report | None:
    """The report that a file holds; None if it is an id that is named."""
    path = Path(named)
    return _read(path) if path.is_file() else None


def _read(path: Path) -> Report:
    """The report in a file that somebody has.

    Raises:
        CommandError: If the file is none.
    """
    from review.forget.report import BadReportError, read_report

    try:
        return read_report(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError, BadReportError) as error:
        msg = f"{path.name} is no forget report of ours."
        raise CommandError(msg) from error


def _tell_source(found: Report, named_by_log: bool | None) -> None:
    """Whose report was looked at: the log's, a person's file, or one made from the request."""
    from review.forget.locations import LOST

    if named_by_log is False:
        say("The log does not name this report: the store was put back to before it, or the file")
        say("was altered or is of a later look. The statements that it names are signed here, so")
        say("the rows below are checked; what else the file says is not vouched for.")
    if found.location(LOST) is not None:
        say("The report of this request is not here. This is what was signed, and what is so now.")


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
