"""Reads a statement of which every byte is known: what it says is spelled again and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from store.statements import BadStatementError, opened


class _Spelled(Protocol):
    def encode(self) -> bytes: ...


_Told = TypeVar("_Told", bound=_Spelled)


def read_whole(
    data: bytes,
    predicate_type: str,
    read: Callable[[Sequence[Any], dict[str, Any]], _Told],
    what: str,
) -> _Told:
    """The statement that signed bytes hold.

    Args:
        data: The bytes.
        predicate_type: Which statement it has to be.
        read: Makes it from its subjects and its predicate.
        what: What it is called in a message, such as "forget statement".

    Raises:
        BadStatementError: If the bytes are none, or say more than one of ours.
    """
    subjects, predicate = opened(data, predicate_type)
    try:
        told = read(subjects, predicate)
        same = told.encode() == data
    except (KeyError, TypeError, ValueError, IndexError) as error:
        msg = f"the {what} is malformed ({type(error).__name__})."
        raise BadStatementError(msg) from error
    if not same:
        msg = f"the {what} says more than one of ours, or otherwise."
        raise BadStatementError(msg)
    return told
