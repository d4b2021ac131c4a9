"""``model …``: what model help is set to, what it would send, what it proposes, how that fared."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Final

import typer

from console import identity
from console.commands import model_targets, model_words, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import count, say, tell, tell_json
from review.text.visible import escape_line

EXAMPLES: Final = """
memory-console model status
memory-console model set on=true name=MODEL tokens_per_day=200000
memory-console model dry-run claim 01M8N99H18M4HHV12TN4FZ2JXW
"""
STATUS_EXAMPLES: Final = """
memory-console model status --json
"""
SET_EXAMPLES: Final = """
memory-console model set on=true name=MODEL tokens_per_day=200000
memory-console model set price_in=3 price_out=15 money_per_day=2.50
memory-console model set on=false
"""
DRY_RUN_EXAMPLES: Final = """
memory-console model dry-run claim 01M8N99H18M4HHV12TN4FZ2JXW
memory-console model dry-run question "where do we ship next week?"
memory-console model dry-run relations ITEM ITEM ITEM > request.json
"""
AGREEMENT_EXAMPLES: Final = """
memory-console model agreement
memory-console model agreement --json
"""


def status(as_json: opening.JsonOption = False) -> None:
    """Say whether model help is on, with which model, and what it spent today."""
    from dataclasses import asdict

    from console.model_wiring import model_help

    told = model_help(opening.workspace()).spending()
    if as_json:
        tell_json(asdict(told))
        return
    for line in model_words.spent(told):
        tell(line)


def set_(
    changes: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE...", help="As in docs/model-help.md.")
    ],
) -> None:
    """Change settings of model help. The key comes from the environment and is kept nowhere."""
    from console.model import settings as model_settings

    settings = opening.settings()
    wanted: dict[str, str] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            sentence = f"{escape_line(change)!r} is not NAME=VALUE. Nothing was changed."
            raise CommandError(sentence, ExitCode.USAGE)
        wanted[name] = value
    try:
        model = model_settings.changed(settings.model, wanted)
    except model_settings.ModelSettingsError as error:
        sentence = f"{escape_line(str(error))}. Nothing was changed."
        raise CommandError(sentence, ExitCode.USAGE) from error
    identity.write_settings(replace(settings, model=model))
    status()


def dry_run(
    job: model_targets.JobArgument,
    what: model_targets.WhatArgument = None,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
) -> None:
    """Show exactly what would be sent, and send nothing.

    Into a file or a pipe it is the very bytes; on a terminal hidden characters are made visible.
    """
    from review.proposals.protocol import ModelError

    proposing = model_targets.proposing(tenant, wait)
    try:
        requests = [one.request for one in model_targets.asked(proposing, job, what or [])]
        model = model_targets.model(proposing)
        bodies = [model.body(one) for one in requests]
    except ModelError as error:
        raise CommandError(model_words.why(error)) from error
    for request, body in zip(requests, bodies, strict=True):
        where = f"POST {model.settings.address}/v1/messages"
        say(f"{where}, {count(len(body))} bytes. Nothing was sent.")
        say(f"Secrets covered: {request.masked}. Reply of at most {request.most_tokens:,} tokens.")
        if sys.stdout.isatty():
            tell(escape_line(body.decode("utf-8")))
        else:
            sys.stdout.buffer.write(body)
            if len(bodies) > 1:
                sys.stdout.buffer.write(b"\n")
            sys.stdout.buffer.flush()


def agreement(
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Say how often proposals agreed with the grammar, and were accepted, edited, rejected."""
    proposing = model_targets.proposing(tenant, wait)
    told = proposing.tally()
    rows = sorted(told.fared.items(), reverse=True)
    if as_json:
        beside = {
            month: {str(name): n for name, n in sorted(one.items())}
            for month, one in sorted(told.beside.items())
        }
        outcomes = {str(name): n for name, n in told.outcomes.items()}
        more = {"dropped": told.dropped, "tokens": told.tokens, "cost_micros": told.cost_micros}
        fared = [
            {"month": month, "sort": str(sort), "fared": str(name), "n": n}
            for (month, sort, name), n in rows
        ]
        tell_json({"fared": fared, "beside_grammar": beside, "outcomes": outcomes, **more})
        return
    for (month, sort, name), n in rows:
        tell(f"{month}  {sort:<11} {name:<9} {count(n)}")
    for month, one in sorted(told.beside.items(), reverse=True):
        names = ", ".join(f"{name} {count(n)}" for name, n in sorted(one.items()))
        tell(f"{month}  beside the grammar: {names}")
    say(f"{count(told.records)} records, {count(told.dropped)} things that no text bears out.")
