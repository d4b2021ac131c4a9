"""Which parser the stores of the quality measures read claims and questions with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from review.desk import Desk
from review.facts import parameters
from review.facts.protocol import Parser
from review.inquiry import Inquiry

_chosen: list[Parser] = []


@contextmanager
def parser(chosen: Parser) -> Iterator[None]:
    """Read with ``chosen`` in place of the grammar until the block ends."""
    _chosen.append(chosen)
    try:
        yield
    finally:
        _chosen.pop()


def apply(desk: Desk) -> None:
    """Let a fresh desk read with the parser that is chosen, if one is."""
    if _chosen:
        read = _chosen[-1]
        inquiry = Inquiry(desk.store, read, parameters.load())
        vars(desk).update(_parser=read, _inquiry=inquiry)
