"""``verify``: re-derives the store from its bytes and prints what holds, a line for each check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import CommandError, ExitCode, is_lock
from console.commands.telling import paint, say, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.identity import Tenant
    from console.wiring import Workspace
    from store.verify import SeenState, VerifyReport

EXAMPLES: Final = """
memory-console verify
memory-console verify --pin SHA256:... --require-pin
memory-console verify --json > seen.json
memory-console verify --since-state seen.json
"""
_COLOURS: Final = {"PASS": "green", "FAIL": "red", "WARN": "yellow", "INCONCLUSIVE": "yellow"}


def run(
    pin: Annotated[
        str | None,
        typer.Option("--pin", metavar="SHA256:...", help="The trust root, known from elsewhere."),
    ] = None,
    require_pin: Annotated[
        bool, typer.Option("--require-pin", help="End with 7 when no trust root is pinned.")
    ] = False,
    since: Annotated[
        Path | None,
        typer.Option("--since-state", metavar="FILE", help="An earlier report, from --json."),
    ] = None,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Check a store against its raw bytes.

    Chain, signatures, contents and lists are derived again from the bytes, a line for each check.
    """
    seen = _seen(since) if since is not None else None
    place = _workspace()
    which = opening.chosen(place, tenant)
    if not place.has_store(which):
        sentence = f"Tenant {which.name} has no store yet, so there is nothing to verify."
        raise CommandError(sentence, ExitCode.NOT_FOUND)
    known = pin or identity.pinned_root()
    asked = {"root": place.root, "pin": known, "seen": seen}
    if which.database:
        report = _of_a_server(which, wait=wait, **asked)
    else:
        report = _verified(place.store_path(which), wait=wait, **asked)
    if as_json:
        tell_json({"tenant_name": which.name, **report.as_json()})
    else:
        _tell(which.name, report)
    code = report.exit_code
    if code != ExitCode.VERIFY_FAILED and require_pin and not report.pinned:
        say("The trust root is not pinned: whoever can write to this folder can replace it.")
        code = ExitCode.NOT_PINNED
    raise typer.Exit(code)


def _workspace() -> Workspace:
    """The workspace; an altered trust root is what verify is there to find."""
    from console.wiring import TrustRootError

    try:
        return opening.workspace()
    except TrustRootError as error:
        sentence = f"FAIL: {error}"
        raise CommandError(sentence, ExitCode.VERIFY_FAILED) from error


def _of_a_server(which: Tenant, *, wait: float, **known: Any) -> VerifyReport:  # noqa: ANN401 - passed on
    """The report on a store in PostgreSQL."""
    from console.tenant_store import place_of
    from store.log import DamagedStoreError

    place = place_of(which)
    from store.postgres_verify import verify_place

    try:
        return verify_place(place, patience=wait, **known)
    except DamagedStoreError as error:
        sentence = f"FAIL: {error}"
        raise CommandError(sentence, ExitCode.VERIFY_FAILED) from error


def _verified(path: Path, *, wait: float, **known: Any) -> VerifyReport:  # noqa: ANN401 - passed on
    """The report. A busy store is waited for; one that cannot be read has failed."""
    import duckdb

    from store.connections import StoreUnreadableError
    from store.log import DamagedStoreError
    from store.verify import verify

    try:
        try:
            return verify(path, **known)
        except duckdb.Error as error:
            if not is_lock(error):
                raise
        opening.wait_for(path, seconds=wait)
        return verify(path, **known)
    except duckdb.Error as error:
        if is_lock(error):
            raise
        first = str(error).split("\n", 1)[0]
        sentence = f"FAIL: the store cannot be read ({first}). Restore it from a backup."
        raise CommandError(sentence, ExitCode.VERIFY_FAILED) from error
    except (StoreUnreadableError, DamagedStoreError) as error:
        sentence = f"FAIL: {error}"
        raise CommandError(sentence, ExitCode.VERIFY_FAILED) from error


def _seen(path: Path) -> SeenState:
    from store.verify import SeenState

    try:
        told: dict[str, Any] = json.loads(path.read_bytes())
        return SeenState(size=int(told["size"]), root=str(told["root"]))
    except FileNotFoundError as error:
        sentence = f"There is no {path}. Nothing was verified."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    except (ValueError, KeyError, TypeError) as error:
        sentence = (
            f"{path.name} is no earlier report: it needs size and root. Nothing was verified."
        )
        raise CommandError(sentence, ExitCode.USAGE) from error


def _tell(name: str, report: VerifyReport) -> None:
    tell(
        f"store {report.store}  tenant {escape_line(name)} ({report.tenant})  "
        f"head size {report.size}  root {report.root}"
    )
    width = max(len(line.name) for line in report.lines)
    for line in report.lines:
        verdict = paint(f"{line.verdict:<4}", _COLOURS.get(line.verdict, "white"))
        tell(f"{line.name:<{width}}  {verdict}  {escape_line(line.detail)}")
    tell(f"NOT COVERED: {'; '.join(report.not_covered)}.")
