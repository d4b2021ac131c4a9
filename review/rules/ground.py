"""On what exported rules stand, for whoever looks at a store without sitting down at a desk."""

from __future__ import annotations

from datetime import datetime

from review import instants
from review.facts.grammar import GrammarParser
from review.facts.parameters import Table
from review.graphs.graphing import Moment
from review.inquiry import Inquiry
from review.policy import Policy
from review.rules.fallen import Fallen, fallen
from store.log import Store


def fallen_now(store: Store, policy: Policy, table: Table, now: datetime) -> tuple[Fallen, ...]:
    """The exported rules of a store whose source has fallen; it reads only.

    Args:
        store: Where they were recorded.
        policy: Says who owns the values of a parameter.
        table: The parameters that facts are read with.
        now: The present moment, timezone-aware.
    """
    exports = store.standing().exports
    if all(one.withdrawn for one in exports.values()):
        return ()
    known, standing = Inquiry(store, GrammarParser(table), table).at(policy)
    return fallen(exports.values(), Moment(known, standing, instants.of(now)))
