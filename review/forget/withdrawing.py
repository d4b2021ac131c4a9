"""Takes records with several sources out of use, by signed decisions, when one source goes."""

from __future__ import annotations

from review.cards.card import card
from review.deciding import Recorder, Signer, Wish, drafted
from review.forget.started import Started
from review.identities import new_id, stamp
from review.staged.placing import Writer
from store.drafts import DraftBook
from store.log import Store
from store.stages import DecisionKind, Stage


def withdraw(
    store: Store,
    started: Started,
    sign: Signer,
    writer: Writer,
    *,
    reviewer: str,
    policy_sha256: str,
) -> int:
    """Withdraw what is durable of the request's multi-source derivatives; how many.

    What waits, was deferred or rejected is served by nobody, and stays where it is.
    """
    standing = store.standing()
    durable = [
        row.id for row in started.withdrawn if standing.stage_of(row.id, row.rev) == Stage.DURABLE
    ]
    if not durable:
        return 0
    book = DraftBook(None)
    book.add(
        [
            drafted(
                store,
                card(store, item),
                Wish(DecisionKind.WITHDRAW, nonce=new_id(writer.clock(), writer.chance(10))),
                now=stamp(writer.clock()),
            )
            for item in durable
        ]
    )
    recorder = Recorder(
        store,
        reviewer=reviewer,
        process=writer.process,
        clock=writer.clock,
        chance=writer.chance,
    )
    receipt = recorder.record(book, sign, policy_sha256=policy_sha256)
    return int(receipt.recorded[DecisionKind.WITHDRAW])
