"""``ask``: what memory there is for a question, with every number and a reason in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import ask_telling, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell, tell_json

if TYPE_CHECKING:
    from review.read_rules import Purpose

EXAMPLES: Final = """
memory-console ask "where do we ship the jackets next week?"
memory-console ask "какой склад был основным прошлой осенью?" --language ru
memory-console ask "which carrier do we use?" --asked-at 2026-03-10 --json
memory-console ask "which carrier do we use?" --baseline latest_only
"""


def run(  # noqa: PLR0913 - the options of a command
    question: Annotated[str, typer.Argument(metavar="QUESTION")],
    asked_at: Annotated[
        str | None,
        typer.Option("--asked-at", metavar="TIME", help="The moment of asking. Now."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="TIME", help="With what the store knew then. Now."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", metavar="KEY=VALUE", help="Whose memory; can be repeated."),
    ] = None,
    purpose: Annotated[
        str, typer.Option("--purpose", help="review, personalisation or task: what may be read.")
    ] = "review",
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="NAME", help="Choose by a simple rule.")
    ] = None,
    staged: Annotated[
        bool, typer.Option("--staged", help="Also what waits, marked: if it were approved.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Drop a conclusion on any conflicting fact.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Keep every number in the log, as for a use.")
    ] = False,
    language: Annotated[str, typer.Option("--language", help="Of the reasons: en or ru.")] = "en",
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Ask what memory an answer would get, and why. It reads only, unless told to record."""
    from review.gate.reasons import LANGUAGES

    if language not in LANGUAGES:
        sentence = f"No reasons in {language!r}. Known languages: {', '.join(LANGUAGES)}."
        raise CommandError(sentence, ExitCode.USAGE)
    if not question.strip():
        sentence = "The question is empty. Nothing was asked."
        raise CommandError(sentence, ExitCode.USAGE)
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    if not place.has_store(which):
        say("Nothing is remembered yet. Begin with: memory-console import FILE")
    opening.wait_for(place.store_path(which), seconds=wait)
    from review.recall import Question

    asked = Question(
        question,
        asked_at=_moment(asked_at, "--asked-at"),
        as_of=_moment(as_of, "--as-of"),
        scope=_scope(scope or []),
        purpose=_purpose(purpose),
        baseline=_baseline(baseline or ""),
        strict=strict,
        include_staged=staged,
    )
    desk = place.desk(which)
    with desk.held():
        answered = desk.ask(asked)
        if record:
            say(f"Recorded as event {desk.record_recall(answered.recall).seq}.")
    if answered.recall.cut:
        say(f"The message was cut: its last {answered.recall.cut:,} characters were not read.")
    if as_json:
        tell_json(ask_telling.as_value(answered, language))
        return
    for line in ask_telling.lines(answered, language):
        tell(line)


def _purpose(name: str) -> Purpose:
    from review.read_rules import Purpose

    try:
        return Purpose(name)
    except ValueError as error:
        sentence = f"No purpose named {name!r}. Known ones: {', '.join(Purpose)}."
        raise CommandError(sentence, ExitCode.USAGE) from error


def _baseline(name: str) -> str:
    from review.gate.baselines import NAMES
    from review.trimming.serving import TRIMS

    known = [*NAMES, *TRIMS]
    if name and name not in known:
        sentence = f"No baseline named {name!r}. Known ones: {', '.join(known)}."
        raise CommandError(sentence, ExitCode.USAGE)
    return name


def _moment(text: str | None, option: str) -> datetime | None:
    """A date or an instant; without an offset it is UTC, and the person is told."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        sentence = f"{option} {text!r} is no time. Write 2026-03-10 or 2026-03-10T12:00:00+03:00."
        raise CommandError(sentence, ExitCode.USAGE) from error
    if moment.tzinfo is None:
        say(f"{option} has no time zone; taken as UTC.")
        moment = moment.replace(tzinfo=UTC)
    return moment


def _scope(pairs: list[str]) -> dict[str, str]:
    told = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals and value):
            sentence = f"--scope {pair!r} is not KEY=VALUE. Nothing was asked."
            raise CommandError(sentence, ExitCode.USAGE)
        told[key] = value
    return told
