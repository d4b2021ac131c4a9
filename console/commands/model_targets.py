"""What a job of model help is about, named by the words of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from review.text.visible import escape_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.model_help import ModelHelp
    from review.cards.card import Card
    from review.proposals.asking import Asked
    from review.proposals.proposing import Proposing
    from review.runs import Kept

JOBS: Final = ("claim", "question", "relations", "insights", "rule")
JobArgument = Annotated[str, typer.Argument(metavar="JOB", help=", ".join(JOBS))]
WhatArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[WHAT]...", help="Ids, or the words of a question.")
]


def asked(proposing: Proposing, job: str, words: Sequence[str]) -> list[Asked]:
    """The requests for a job about what ``words`` name.

    Raises:
        CommandError: If they name nothing that can be asked about.
    """
    from review.facts.protocol import Setting

    checked(job, words)
    if job == "claim":
        return [proposing.claim_request(card(proposing, item)) for item in words]
    if job == "question":
        return [proposing.question_request(" ".join(words), Setting())]
    if job == "relations":
        return [proposing.relations_request([card(proposing, item) for item in words])]
    if job == "insights":
        return [proposing.learning.insights_request(kept_runs(proposing, words))]
    return [proposing.learning.rule_request(card(proposing, words[0]))]


def checked(job: str, words: Sequence[str]) -> None:
    """Refuse a job that does not exist, or one with too few words.

    Raises:
        CommandError: In either case.
    """
    if job not in JOBS:
        sentence = f"There is no job {escape_line(job)!r}. Known ones: {', '.join(JOBS)}."
        raise CommandError(sentence, ExitCode.USAGE)
    fewest = 2 if job == "relations" else 1
    if len(words) < fewest:
        sentence = f"{job} needs at least {fewest} of what it is about. Nobody was asked."
        raise CommandError(sentence, ExitCode.USAGE)


def card(proposing: Proposing, item: str) -> Card:
    """One record.

    Raises:
        CommandError: If there is none.
    """
    from review.cards.card import NoSuchItemError

    try:
        return proposing.desk.card_of(item)
    except NoSuchItemError as error:
        raise CommandError(str(error), ExitCode.NOT_FOUND) from error


def kept_runs(proposing: Proposing, items: Sequence[str]) -> list[Kept]:
    """Runs by id.

    Raises:
        CommandError: If one is not there.
    """
    from review import runs

    try:
        return [runs.run_of(proposing.desk.store, item) for item in items]
    except runs.NoSuchRunError as error:
        raise CommandError(str(error), ExitCode.NOT_FOUND) from error


def waiting(proposing: Proposing, most: int) -> list[str]:
    """Records that wait and have no proposal yet."""
    from review.proposals import records
    from review.proposals.jobs import Job
    from review.queue import Wanted

    desk = proposing.desk
    found: list[str] = []
    number = 1
    while len(found) < most:
        page = desk.waiting(Wanted(sort="newest"), number)
        if not page.rows:
            break
        found += [
            row.item
            for row in page.rows
            if records.last_of(desk.store, row.item, Job.CLAIM) is None
        ]
        number += 1
    return found[:most]


def proposing(tenant: str | None, wait: float) -> Proposing:
    """Model help over a tenant of the workspace."""
    from console import model_wiring

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    return model_wiring.proposing(place, place.desk(which))


def model(proposing: Proposing) -> ModelHelp:
    """The adapter behind model help."""
    from console.model_help import ModelHelp

    found = proposing.model
    if not isinstance(found, ModelHelp):
        raise TypeError
    return found
