"""Makes an edit of what a person takes over from a proposal; it is staged like any other edit."""

from __future__ import annotations

from review.cards.card import Card
from review.cards.marking import Marking, NotMarkedError, marked
from review.editing import Edit
from review.proposals.reading import ReadClaim
from store.cells import Kind


def edit_of(card: Card, read: ReadClaim) -> Edit:
    """The edit that gives a record the facts of a proposal, and its old answer if it is marked."""
    return Edit(
        claim=card.claim or "",
        kind=Kind(card.kind),
        valid_from=card.valid_from or "",
        valid_to=card.valid_to or "",
        verbatim=card.verbatim,
        marking=_marking(card.claim or "", read),
        facts=read.facts.facts,
    )


def _marking(claim: str, read: ReadClaim) -> Marking | None:
    told = read.conclusion
    if told is None:
        return None
    pairs = tuple((one.parameter, one.value) for one in told.support)
    marking = Marking(told.task, pairs, "" if told.text == claim else told.text)
    try:
        marked(claim, marking)
    except NotMarkedError:
        return None
    return marking
