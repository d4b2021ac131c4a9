"""``model propose``: asks a model and keeps what it says as a proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import model_targets, model_telling, model_words, opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from review.proposals.proposing import Proposing

EXAMPLES: Final = """
memory-console model propose claim 01M8N99H18M4HHV12TN4FZ2JXW
memory-console model propose claim --waiting 20
memory-console model propose relations ITEM ITEM ITEM
memory-console model propose insights RUN RUN
"""


def propose(
    job: model_targets.JobArgument,
    what: model_targets.WhatArgument = None,
    waiting: Annotated[
        int, typer.Option("--waiting", min=0, max=1000, help="Of claim: so many that wait.")
    ] = 0,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
) -> None:
    """Ask the model, keep what it says as a proposal, and show it. It decides nothing.

    What was asked before is taken from its record and not asked again.
    """
    from review.proposals.protocol import ModelError

    proposing = model_targets.proposing(tenant, wait)
    words = list(what or [])
    if job == "claim" and waiting:
        words += model_targets.waiting(proposing, waiting)
        if not words:
            tell("Every record that waits has a proposal.")
            return
    model_targets.checked(job, words)
    try:
        _propose(proposing, job, words)
    except ModelError as error:
        sentence = f"{model_words.why(error)} {model_words.GRAMMAR}"
        raise CommandError(sentence, ExitCode.LEFT) from error


def _propose(proposing: Proposing, job: str, words: Sequence[str]) -> None:
    from review.facts.protocol import Setting

    if job == "claim":
        _claims(proposing, words)
    elif job == "question":
        model_telling.question(proposing.question(" ".join(words), Setting()))
    elif job == "relations":
        cards = [model_targets.card(proposing, item) for item in words]
        model_telling.relations(proposing.relations(cards))
    elif job == "insights":
        kept = model_targets.kept_runs(proposing, words)
        model_telling.insights(proposing.learning.insights([one.item for one in kept]))
    else:
        card = model_targets.card(proposing, words[0])
        model_telling.rule(proposing.learning.rule(card))


def _claims(proposing: Proposing, words: Sequence[str]) -> None:
    from review.proposals.protocol import ModelError

    cards = [model_targets.card(proposing, item) for item in words]
    failed = 0
    for card, found in zip(cards, proposing.claims(cards), strict=True):
        if isinstance(found, ModelError):
            failed += 1
            tell(f"{card.item}  {model_words.why(found)} {model_words.GRAMMAR}")
        else:
            model_telling.claim(found, proposing.read(found, card))
    if failed:
        raise typer.Exit(ExitCode.LEFT)
