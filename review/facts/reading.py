"""What was read at a place of a text: the form in which readers of values hand it on."""

from __future__ import annotations

from typing import NamedTuple

from review.facts.protocol import ValueType


class Reading(NamedTuple):
    """What tokens ``[start, end)`` say, in its normal form.

    An empty ``key`` is to be passed over: it belongs to a date.
    """

    value_type: ValueType
    key: str
    start: int
    end: int
