"""How the command line looks: examples first in every help, and an answer to unknown commands."""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from console.commands.faults import ExitCode, explained
from console.commands.telling import say, say_escaped, tell_json

PERSON: Final = "Making records durable is done by a person in the console: memory-console run"


class Command(TyperCommand):
    """A command whose help begins with examples; they are given as its epilogue."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps them private
        """Examples, then the usual help."""
        _write_examples(self.epilog, formatter)
        super().format_help(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps them private
        """Nothing: the examples stand at the beginning."""


class Group(TyperGroup):
    """A group of commands: it explains expected faults and refuses unknown names."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps them private
        """Examples, then the usual help."""
        _write_examples(self.epilog, formatter)
        super().format_help(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps them private
        """Nothing: the examples stand at the beginning."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - typer keeps it private
        """The command that ``args`` name; of an unknown one, who does such things and where."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            say(f"unknown command: {args[0]!r}. See memory-console --help.")
            say(PERSON)
            raise typer.Exit(ExitCode.USAGE)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer keeps it private
        """Run the command; an expected fault is a sentence and an exit code, not a traceback.

        With ``--json`` the fault is an object on standard output, too.
        """
        as_json = "--json" in (*ctx._protected_args, *ctx.args) or ctx.params.get("as_json")
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("Stopped.")
            raise typer.Exit(ExitCode.ERROR) from None
        except Exception as error:
            fault = explained(error)
            if fault is None:
                raise
            say_escaped(fault.sentence)
            if as_json:
                tell_json({"error": fault.as_json()})
            raise typer.Exit(fault.code) from error


def _write_examples(examples: str | None, formatter: Any) -> None:  # noqa: ANN401 - as above
    if examples:
        formatter.write("Examples:\n")
        for line in examples.strip().split("\n"):
            formatter.write(f"  {line.strip()}\n")
        formatter.write("\n")
