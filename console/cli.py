"""The command line: ``memory-console``. It names the commands; each lives in ``commands``.

What is not here is the point: no command makes a record durable, and none turns one into a rule.
A test lists the whole surface.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from console.commands import (
    asking,
    examining,
    gating,
    importing,
    listing,
    reviewers,
    serving,
    showing,
    verifying,
)
from console.commands.surface import Command, Group
from console.hardening import harden

EXAMPLES: Final = """
memory-console demo                                try it, nothing is left over
memory-console import crm.jsonl --tenant acme      stage a file for review
memory-console list --lane needs-eyes              what waits for a person
memory-console run                                 the console, where people decide
memory-console ask "where do we ship next week?"   what memory an answer would get, and why
memory-console verify                              re-derive everything from raw bytes
"""
_REVIEWER_EXAMPLES: Final = """
memory-console reviewer new --name "Irina K."
memory-console reviewer list
"""
_GATE_EXAMPLES: Final = """
memory-console gate fit verdicts.jsonl
memory-console gate show
"""

app = typer.Typer(
    name="memory-console",
    cls=Group,
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    suggest_commands=False,
)
_reviewer = typer.Typer(
    cls=Group,
    epilog=_REVIEWER_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)
_gate = typer.Typer(
    cls=Group,
    epilog=_GATE_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    suggest_commands=False,
)

app.command("demo", cls=Command, epilog=serving.DEMO_EXAMPLES)(serving.demo)
app.command("run", cls=Command, epilog=serving.RUN_EXAMPLES)(serving.run)
app.command("import", cls=Command, epilog=importing.EXAMPLES)(importing.run)
app.command("list", cls=Command, epilog=listing.EXAMPLES)(listing.run)
app.command("ask", cls=Command, epilog=asking.EXAMPLES)(asking.run)
app.command("verify", cls=Command, epilog=verifying.EXAMPLES)(verifying.run)
app.command("show", cls=Command, epilog=showing.EXAMPLES)(showing.run)
app.command("doctor", cls=Command, epilog=examining.EXAMPLES)(examining.run)
app.add_typer(_gate, name="gate", help="A gate learned from labelled verdicts.")
_gate.command("fit", cls=Command, epilog=gating.FIT_EXAMPLES)(gating.fit)
_gate.command("show", cls=Command, epilog=gating.SHOW_EXAMPLES)(gating.show)
app.add_typer(_reviewer, name="reviewer", help="Who may sign.")
_reviewer.command("new", cls=Command, epilog=reviewers.NEW_EXAMPLES)(reviewers.new)
_reviewer.command("list", cls=Command)(reviewers.list_)
_reviewer.command("add", cls=Command, epilog=reviewers.ADD_EXAMPLES)(reviewers.add)
_reviewer.command("revoke", cls=Command)(reviewers.revoke)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("memory-console"))
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print it and end."),
    ] = False,
) -> None:
    """Decide what an AI agent may remember, see why, and take memories out again.

    Results go to standard output, talk to standard error. Exit codes: 0 ok, 1 error, 2 usage,
    3 not found, 4 done with something left, 5 verify failed, 6 store busy, 7 not pinned.
    """


def main() -> None:
    """Run the command line."""
    harden()
    app()
