"""Withholds candidates by what they, or others of their conversation, say of them.

Their status in the store does not change, and each reason says whose words decided.

Source: ours; ``review.text.self_described`` and ``review.text.stretches`` for such words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from review import instants
from review.gate import weighing
from review.gate.framing import Frame
from review.gate.numbers import Bar
from review.gate.scored import Reason, Scored
from review.gate.weighing import Weighed
from review.memory.conversations import talk
from review.memory.knowing import Known
from review.question.intents import IntentKind, SubQuestion
from review.text.quoting import disowned
from review.text.reversals import undone
from review.text.self_described import (
    Described,
    asks_for_suppositions,
    described,
    may_read,
    speaks_of,
)
from review.text.self_described import Sort as Saying
from review.text.stretches import Sort, stretches
from review.text.updates import renewed

_AS_RELEVANT: Final = 0.75
"""Share of a tentative memory's ζ from which a firm one can take its place."""

_LONGEST: Final = 200
"""Cells of a conversation that are read in order; longer ones are many conversations in one."""


def settled(sub: SubQuestion, weighed: Weighed, frame: Frame, known: Known) -> Weighed:
    """The verdicts after memories were taken by their own word.

    What is restricted is withheld from whom it does not name, whatever is asked; what is withdrawn
    or only supposed from a question about what is so.

    Args:
        sub: The question.
        weighed: Verdicts so far; already withheld candidates keep their reasons.
        frame: What the question brings.
        known: What it was weighed against.
    """
    readers = frozenset(value for _, value in frame.scope)
    current = frame.intent.kind is IntentKind.CURRENT
    supposing = asks_for_suppositions(sub.text)
    items = known.cells.text("item")
    firm = [one for one in weighed.scored if one.admitted and described(one.claim) is None]
    told: list[Scored] = []
    for row, one in zip(weighed.rows, weighed.scored, strict=True):
        says = described(one.claim)
        if says is not None and says.sort is Saying.RESTRICTED:
            reason = None if may_read(says.label, readers) else Reason(str(Bar.RESTRICTED))
        elif says is not None and says.sort is Saying.SCOPED:
            named = speaks_of(says.label, " ".join((sub.text, *readers)))
            reason = None if named else Reason(str(Bar.OTHER_SCOPE))
        elif not current:
            reason = None
        elif says is not None and says.sort is Saying.WITHDRAWN:
            reason = Reason(str(Bar.WITHDRAWN))
        elif not supposing and _supposed(says, one, row in _talk(known, row).supposed, firm):
            reason = Reason(str(Bar.SUPPOSED))
        elif (by := _talk(known, row).disowned.get(row)) is not None:
            reason = Reason(str(Bar.DISOWNED), {"by": str(items[by])})
        elif (by := _talk(known, row).renewed.get(row)) is not None:
            reason = Reason(str(Bar.RENEWED), {"by": str(items[by])})
        else:
            reason = None
        if reason is not None and Bar(reason.code) not in one.bars:
            one = weighing.withheld(one, Bar(reason.code), **reason.told)
        told.append(one)
    return replace(weighed, scored=tuple(told))


def _supposed(says: Described | None, one: Scored, aside: bool, firm: list[Scored]) -> bool:
    """Whether a candidate is no answer about what is so, by its own words or where it stands."""
    if says is None or says.sort is Saying.SUPPOSED:
        return aside or says is not None
    written = instants.read(one.written_at) or instants.ALWAYS
    later = (two for two in firm if (instants.read(two.written_at) or written) > written)
    return aside or any(two.zeta >= _AS_RELEVANT * one.zeta for two in later)


@dataclass(frozen=True, slots=True)
class _Talk:
    """What one conversation says of its own cells, by row."""

    supposed: frozenset[int] = frozenset()
    disowned: Mapping[int, int] = field(default_factory=dict)
    renewed: Mapping[int, int] = field(default_factory=dict)


def _talk(known: Known, row: int) -> _Talk:
    """What the conversation of a cell says; each is read once for what is known."""
    name = talk(known.cells.scopes[known.cells.scope[row]])
    told = known.asides.get(name)
    if not isinstance(told, _Talk):
        told = known.asides[name] = _conversation(known, name)
    return told


def _conversation(known: Known, name: str) -> _Talk:
    cells = known.cells
    rows = [int(row) for row in known.talks.get(name, ()) if cells.durable[row]]
    if len(rows) < 2 or len(rows) > _LONGEST:
        return _Talk()
    claims = [str(cells.text("claim")[row]) for row in rows]
    parts = zip(rows, stretches(claims), strict=True)
    return _Talk(
        frozenset(row for row, part in parts if part.sort is Sort.SUPPOSED),
        {rows[old]: rows[new] for old, new in disowned(claims).items()},
        {rows[old]: rows[new] for old, new in (undone(claims) | renewed(claims)).items()},
    )
