"""``audit``: why a fact reached an answer: from what was recorded to the bytes it came from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.surface import Group
from console.commands.telling import say, tell, tell_json

if TYPE_CHECKING:
    from review.auditing.answers import Answer
    from review.auditing.audit import Audit
    from review.desk import Desk

EXAMPLES: Final = """
memory-console audit                          the answers that are known, newest first
memory-console audit ans-412                  why each fact reached it, and where it comes from
memory-console audit --text answer.txt        the answer that this text is
memory-console audit report answer.json       bring an answer in that another system gave
memory-console audit labels > labels.jsonl    what people said of recorded verdicts
memory-console audit shares                   which sources the answers are made of
"""
SHOW_EXAMPLES: Final = """
memory-console audit ans-412 --fact 01K5ZV
pbpaste | memory-console audit --text -
memory-console audit ans-412 --md > why.md
"""
LABELS_EXAMPLES: Final = """
memory-console audit labels > labels.jsonl
memory-console gate fit --from-audit
"""
SHARES_EXAMPLES: Final = "memory-console audit shares --json"
_LARGEST: Final = 1024 * 1024
_LANGUAGES: Final = ("en", "ru")


class AuditGroup(Group):
    """``audit ANSWER`` and ``audit --text FILE`` show one answer; else all are listed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer keeps it private
        """The words of a call; an id or a text stands for ``show``."""
        named = bool(args) and not args[0].startswith("-") and args[0] not in self.commands
        if named or any(one.split("=", 1)[0] == "--text" for one in args):
            args = args if args[:1] == ["show"] else ["show", *args]
        return list(super().parse_args(ctx, args))


def list_(
    ctx: typer.Context,
    tenant: opening.TenantOption = None,
    page: Annotated[int, typer.Option("--page", min=1, help="25 answers on each.")] = 1,
    words: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="In questions and answers.")
    ] = "",
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List the answers that are known, newest first: observed by us, or reported by others."""
    if ctx.invoked_subcommand is not None:
        return
    from console.commands import audit_telling
    from review.auditing.answers import AnswersWanted

    desk = _desk(tenant, wait)
    with desk.held():
        found = desk.audit.page(AnswersWanted(q=words), page)
    if as_json:
        value = {"total": found.total, "answers": [audit_telling.brief(a) for a in found.answers]}
        tell_json(value)
        return
    for line in audit_telling.listed(found.answers):
        tell(line)
    if not found.answers:
        say("No answer is known. An agent's door records what it serves; so does ask --record.")
    elif found.total > len(found.answers):
        say(f"{found.total:,} answers; --page shows more.")


def show(  # noqa: PLR0913 - the options of a command
    answer: Annotated[str, typer.Argument(metavar="ANSWER", show_default=False)] = "",
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FILE", help="What an agent said; - reads it.")
    ] = None,
    fact: Annotated[
        str, typer.Option("--fact", metavar="ID", help="The cell to look at first.")
    ] = "",
    language: Annotated[str, typer.Option("--language", help="Of the words: en or ru.")] = "en",
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
    as_markdown: Annotated[bool, typer.Option("--md", help="As Markdown, for a ticket.")] = False,
) -> None:
    """Show why a fact reached an answer: verdict, numbers, then and now, and where it is from."""
    from console.cards import why_document
    from console.commands import audit_telling
    from console.words import Say

    if language not in _LANGUAGES:
        sentence = f"No words in {language!r}. Known languages: {', '.join(_LANGUAGES)}."
        raise CommandError(sentence, ExitCode.USAGE)
    if bool(answer) == (text is not None):
        sentence = "Name one answer, or one text with --text. Nothing was looked up."
        raise CommandError(sentence, ExitCode.USAGE)
    pasted = None if text is None else _pasted(text)
    desk = _desk(tenant, wait)
    with desk.held():
        found = desk.audit.one(answer) if pasted is None else _found(desk.audit, pasted)
        told = desk.audit.account(found, fact)
    speak = Say(language)
    if as_json:
        tell_json(why_document.as_value(told))
        return
    lines = (
        audit_telling.markdown(told, speak) if as_markdown else audit_telling.lines(told, speak)
    )
    for line in lines:
        tell(line)


def labels(
    tenant: opening.TenantOption = None, wait: opening.WaitOption = opening.PATIENCE
) -> None:
    """Print what people said of recorded verdicts, as ``gate fit`` learns from it."""
    desk = _desk(tenant, wait)
    with desk.held():
        told = desk.audit.label_lines().decode("ascii")
    for line in told.splitlines():
        tell(line)
    count = len(told.splitlines())
    say(f"{count:,} labels." if count else "Nobody has labelled a verdict yet.")


def shares(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Show which sources the answers are made of, beside their part of the store."""
    from console.commands import audit_telling

    desk = _desk(tenant, wait)
    with desk.held():
        told = desk.audit.shares()
    if as_json:
        tell_json(audit_telling.shares_value(told))
        return
    for line in audit_telling.shares(told):
        tell(line)
    if not told.uses:
        say("Nothing was handed over yet.")


def _desk(tenant: str | None, wait: float) -> Desk:
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    return place.desk(which)


def _pasted(path: Path) -> str:
    try:
        data = sys.stdin.buffer.read(_LARGEST + 1) if str(path) == "-" else _bytes(path)
    except FileNotFoundError as error:
        sentence = f"There is no {path}. Nothing was looked up."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    if len(data) > _LARGEST:
        sentence = "The text is longer than 1 MiB. Nothing was looked up."
        raise CommandError(sentence, ExitCode.USAGE)
    return data.decode("utf-8", "replace")


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_LARGEST + 1)


def _found(audit: Audit, text: str) -> Answer:
    """The answer that a text is; where there is none, what is known of it instead.

    Raises:
        CommandError: If no answer is known.
    """
    from review.identities import short
    from review.text.visible import clip, escape_line

    told = audit.find(text)
    if told.found:
        first, *others = told.found
        if others:
            say(f"{len(told.found)} answers fit; this is the first ({first.how}).")
        return first.answer
    since = f" since {told.since[:10]}" if told.since else ""
    say(f"No answer that is recorded here contains this text. {told.known:,} are known{since}.")
    for one in told.cells:
        head = clip(escape_line(one.cell.claim or ""), 200)[0]
        say(f"  {short(one.cell.item)}  {'durable' if one.durable else 'waits'}  {head}")
    sentence = (
        "These cells state what stands in it." if told.cells else "No durable cell stands in it."
    )
    raise CommandError(sentence, ExitCode.NOT_FOUND)
