"""``audit report``: brings in an answer of another system, with what it says it had read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell, tell_json

if TYPE_CHECKING:
    from review.auditing.reported import Reported

EXAMPLES: Final = """
memory-console audit report answer.json
memory-console audit report answer.txt --question "where do we ship?"

answer.json: {"question": "…", "answer": "…", "asked_at": "2026-02-25T14:03:00+03:00",
              "documents": [{"text": "…", "id": "…", "score": "0.82"}], "trace": "…"}
"""
_LARGEST: Final = 20 * 1024 * 1024
_NAMES: Final = {"question", "answer", "asked_at", "documents", "trace", "system", "recall"}


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False)],
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help="What was asked, of a plain text.")
    ] = "",
    asked_at: Annotated[
        str, typer.Option("--asked-at", metavar="TIME", help="When, of a plain text.")
    ] = "",
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Record what an agent is said to have answered. It stays a report: nobody here saw it."""
    found = reports(_read(file), question=question, asked_at=asked_at or None)
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    desk = place.desk(which)
    with desk.held():
        before = desk.head().size
        events = [desk.audit.report(one) for one in found]
    ids = [f"ans-{event.seq}" for event in events]
    fresh = sum(event.seq >= before for event in events)
    if as_json:
        tell_json({"answers": ids, "recorded": fresh, "already_known": len(ids) - fresh})
        return
    for name in ids:
        tell(name)
    say(f"{fresh} recorded, {len(ids) - fresh} known already. Look: memory-console audit {ids[0]}")


def reports(data: bytes, *, question: str = "", asked_at: str | None = None) -> list[Reported]:
    """The answers that a file holds: a JSON object, a list or lines of them, or a plain text.

    Raises:
        CommandError: If it is JSON and no answer.
    """
    from review.auditing.reported import Document, Reported

    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    objects = _objects(text)
    if objects is None:
        return [Reported(question, text.strip(), asked_at, (), "", "command_line", "")]
    found = []
    for n, one in enumerate(objects, 1):
        if not isinstance(one, dict) or not ({"question", "answer"} & one.keys()):
            raise _no_answer(n)
        documents = one.get("documents") or []
        if not isinstance(documents, list):
            raise _no_answer(n)
        read = [
            Document(document, "", "")
            if isinstance(document, str)
            else Document(*(_text(document, name) for name in ("text", "id", "score")))
            for document in documents
            if isinstance(document, str | dict)
        ]
        at = _text(one, "asked_at") or None
        found.append(
            Reported(
                _text(one, "question"),
                _text(one, "answer"),
                at,
                tuple(read),
                _text(one, "trace"),
                _text(one, "system") or "command_line",
                _text(one, "recall"),
            )
        )
        if left := sorted(set(one) - _NAMES)[:5]:
            say(f"Answer {n}: not read: {', '.join(map(repr, left))}")
    return found


def _objects(text: str) -> list[Any] | None:
    """JSON values of a text; None if it is none."""
    try:
        whole = json.loads(text)
    except ValueError:
        pass
    else:
        return whole if isinstance(whole, list) else [whole] if isinstance(whole, dict) else None
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        told = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    return told if told and all(isinstance(one, dict) for one in told) else None


def _text(told: dict[str, Any], name: str) -> str:
    value = told.get(name)
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value)


def _no_answer(n: int) -> CommandError:
    sentence = f"Answer {n} has neither a question nor an answer. Nothing was recorded."
    return CommandError(sentence)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError as error:
        sentence = f"There is no {path}. Nothing was recorded."
        raise CommandError(sentence, ExitCode.NOT_FOUND) from error
    if len(data) > _LARGEST:
        sentence = "The file is larger than 20 MiB. Nothing was recorded."
        raise CommandError(sentence)
    return data
