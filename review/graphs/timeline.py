"""The life of one cell as pieces of world time: when it held, fell, was superseded or ended.

Source: the gate's specification, section 2; ux specification, section 10.
"""

from __future__ import annotations

from dataclasses import dataclass

from review import instants
from review.memory.knowing import Known
from review.memory.validity import Status


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch ``[start, end)`` of world time in one status, in instants; open ends included."""

    status: Status | None
    """None once its own time is over."""

    start: int
    end: int


def pieces(known: Known, item: str) -> tuple[Piece, ...]:
    """The stretches of a cell's life in order; none if it is not in ``known``.

    A superseded or stale cell keeps its content and its place in the past: its later stretches
    say what it has been since.
    """
    row = known.cells.row_of.get(item)
    if row is None:
        return ()
    life, cells = known.life, known.cells
    begin, over = int(life.begins[row]), int(cells.end[row])
    bounds = (over, int(life.superseded_at[row]), int(life.falls.at[row]))
    cuts = sorted({begin, *(one for one in bounds if begin < one < instants.NEVER)})
    told: list[Piece] = []
    for start, end in zip(cuts, [*cuts[1:], instants.NEVER], strict=True):
        status = None if start >= over else life.status(row, start, durable=True)
        if told and told[-1].status is status:
            told[-1] = Piece(status, told[-1].start, end)
        else:
            told.append(Piece(status, start, end))
    return tuple(told)
