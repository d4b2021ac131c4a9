"""What a command says: data to standard output, talk to standard error, no raw escape codes."""

from __future__ import annotations

import json
import sys
from typing import Any

import typer

from console import identity
from review.text.visible import escape_line


def tell(line: str = "") -> None:
    """One line of data. Foreign parts of it have been escaped by the caller."""
    typer.echo(line, color=_colour())


def tell_raw(line: str) -> None:
    """One line exactly as it is. The caller has made sure that no terminal reads it."""
    sys.stdout.write(f"{line}\n")


def say(line: str) -> None:
    """One line for the person at the terminal."""
    typer.echo(line, err=True, color=_colour())


def say_escaped(text: str) -> None:
    """Several lines that may hold foreign names, each made harmless."""
    for line in text.split("\n"):
        say(escape_line(line))


def tell_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """``value`` as JSON. What is not ASCII is escaped, so a terminal cannot be led astray."""
    typer.echo(json.dumps(value, indent=1))


def paint(word: str, colour: str) -> str:
    """``word`` in a colour; plain where standard output is no terminal or colour is unwanted."""
    return typer.style(word, fg=colour) if sys.stdout.isatty() and _colour() is None else word


def count(number: int) -> str:
    """A number as people write it."""
    return f"{number:,}"


def may_ask(*, no_input: bool) -> bool:
    """Whether there is a person at the terminal to answer a question."""
    return not no_input and sys.stdin.isatty() and sys.stderr.isatty()


def _colour() -> bool | None:
    return False if identity.plain_terminal() else None
