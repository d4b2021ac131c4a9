"""``doctor``: what is so with this installation."""

from __future__ import annotations

from typing import Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import ExitCode
from console.commands.telling import paint, tell, tell_json
from review.text.visible import escape_line

EXAMPLES: Final = """
memory-console doctor
memory-console doctor --json
"""
_COLOURS: Final = {"ok": "green", "warn": "yellow", "fail": "red"}


def run(as_json: opening.JsonOption = False) -> None:
    """Look at this installation.

    Versions, permissions, stores, locks, clock, identity, trust root and policy.
    """
    from console import doctor

    found = doctor.examine(identity.home(), identity.now())
    well = doctor.is_well(found)
    if as_json:
        told = [{"name": f.name, "verdict": f.verdict, "detail": f.detail} for f in found]
        tell_json({"well": well, "findings": told})
    else:
        width = max(len(one.name) for one in found)
        for one in found:
            verdict = paint(f"{one.verdict:<4}", _COLOURS[one.verdict])
            tell(f"{one.name:<{width}}  {verdict}  {escape_line(one.detail)}")
    raise typer.Exit(ExitCode.OK if well else ExitCode.ERROR)
