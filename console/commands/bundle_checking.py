"""``bundle-check``: whether the files of an exported rule are the ones that were signed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import paint, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review.bundle.checking import Checked, Line

EXAMPLES: Final = """
memory-console bundle-check memory-rules/ship-jackets-0f0f0f0f
memory-console bundle-check . --pin SHA256:... --require-pin
memory-console bundle-check . --tenant acme
"""
_COLOURS: Final = {"PASS": "green", "FAIL": "red", "WARN": "yellow", "STOP": "red"}
_STOP: Final = (
    "WITHDRAWN: these files hold, but the rule was taken back. Do not submit them. If they were "
    "submitted, close the pull request, or take the rule out where it was merged."
)
_NOT_ASKED: Final = (
    "Whether it was withdrawn is not in these files. Before you submit them, ask the log: "
    "--tenant NAME"
)


def run(
    folder: Annotated[Path, typer.Argument(metavar="DIR")],
    pin: Annotated[
        str | None,
        typer.Option(
            "--pin", metavar="SHA256:...", help="Trust root or signer's key, known from elsewhere."
        ),
    ] = None,
    require_pin: Annotated[
        bool, typer.Option("--require-pin", help="End with 7 when nothing is pinned.")
    ] = False,
    tenant: Annotated[
        str | None,
        typer.Option("--tenant", metavar="NAME", help="Also ask this tenant's log."),
    ] = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Check the files of an exported rule: digests, signature, signer, place in the log.

    No workspace is needed; with --tenant the log is asked, too. Ends with 8 when the log says that
    the export was withdrawn.
    """
    from console.bundles import reading
    from review.bundle.checking import NOT_COVERED, Told, check

    try:
        files = reading.read(folder)
    except reading.UnreadableBundleError as error:
        sentence = f"FAIL: {error}"
        raise CommandError(sentence, ExitCode.VERIFY_FAILED) from error
    checked = check(files, pin=pin or identity.pinned_root())
    lines = [*checked.lines]
    if tenant is not None and checked.holds:
        lines += _log(tenant, files, checked, wait)
    holds = all(line.told != Told.FAIL for line in lines)
    code = ExitCode.OK if holds else ExitCode.VERIFY_FAILED
    if holds and require_pin and not checked.pinned:
        code = ExitCode.NOT_PINNED
    withdrawn = any(line.told == Told.STOP for line in lines)
    if holds and withdrawn:
        code = ExitCode.WITHDRAWN
    if as_json:
        tell_json(
            {
                "holds": holds,
                "pinned": checked.pinned,
                "withdrawn": withdrawn if tenant is not None else None,
                "export": None if checked.statement is None else checked.statement.export,
                "checks": [
                    {"name": one.name, "verdict": str(one.told), "detail": one.detail}
                    for one in lines
                ],
                "not_covered": list(NOT_COVERED),
                "exit_code": int(code),
            }
        )
        raise typer.Exit(code)
    width = max(len(line.name) for line in lines)
    for line in lines:
        verdict = paint(f"{line.told:<4}", _COLOURS[str(line.told)])
        tell(f"{line.name:<{width}}  {verdict}  {escape_line(line.detail)}")
    tell(f"NOT COVERED: {'; '.join(NOT_COVERED)}.")
    if code == ExitCode.NOT_PINNED:
        say("Nothing is pinned: whoever made the bundle could have named the key.")
    if code == ExitCode.WITHDRAWN:
        say(_STOP)
    elif holds and tenant is None:
        say(_NOT_ASKED)
    raise typer.Exit(code)


def _log(tenant: str, files: Mapping[str, bytes], checked: Checked, wait: float) -> Sequence[Line]:
    from review.bundle import against_log

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    if not place.has_store(which):
        sentence = f"Tenant {which.name} has no store yet, so its log has no export."
        raise CommandError(sentence, ExitCode.NOT_FOUND)
    opening.wait_for(place.store_path(which), seconds=wait)
    assert checked.statement is not None
    assert checked.proof is not None
    return against_log.lines(files, checked.statement, checked.proof, place.store(which))
