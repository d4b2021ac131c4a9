"""What joins a name to its value: "is now set at", "was moved to", "согласована на уровне".

A form of "be", a verb of setting or changing, a preposition, in this order and not all of them.
"""

from __future__ import annotations

from typing import Final

from review.facts.sayings import FILLERS, word_set

_BE: Final = word_set(
    "is are was were be been has have had will would 's remains becomes became equals stays "
    "means называется это есть был была было были будет будут является являются составляет "
    "составляют составил составила составило равен равна равно равны становится остается"
)
_SETS: Final = word_set(
    "set agreed fixed scheduled planned due limited called capped stands amounts comes "
    "equal held установлен установлена установлено согласован согласована согласовано "
    "согласованы утвержден утверждена утверждено назначен назначена назначено назначены "
    "запланирован запланирована запланировано ограничен ограничена ограничено зафиксирован "
    "зафиксирована пройдет состоится"
)
CHANGES: Final = word_set(
    "changed changing moved raised increased reduced cut lowered extended postponed pushed "
    "rescheduled shifted updated rose grew went went dropped fell upgraded downgraded "
    "becomes became изменен изменена изменено перенесен перенесена перенесено перенесены "
    "сдвинут сдвинута увеличен увеличена увеличено повышен повышена повышено снижен снижена "
    "снижено уменьшен уменьшена сокращен сокращена продлен продлена продлено поднят поднята "
    "вырос выросла упал упала стал стала стало стали изменился изменилась поменялся "
    "поменялась"
)
"""Verbs that say that the value is another one than before."""

PAST: Final = word_set("was were been had был была было были составил составила составило")
_TO: Final = word_set("to at on in by for until till up back around в во на до с к")
_LEVEL: Final = (("на", "уровне"), ("в", "размере"), ("в", "объеме"))
_VERBS: Final = _SETS | CHANGES
STARTS: Final = _BE | _VERBS | {"на", "в"}
"""Any word that can begin a link."""

_LONG: Final = 8


def behind(forms: list[str], at: int, last: int, *, bare: bool = False) -> int:
    """The word behind the link that begins at word ``at``; 0 when none does.

    Args:
        forms: The words, folded.
        at: Where it may begin.
        last: The word that it must end before.
        bare: A preposition behind a form of "be" belongs to the value: "is on track".
    """
    place, last = at, min(last, at + _LONG)
    while place < last and (forms[place] in _BE or (place > at and forms[place] in FILLERS)):
        place += 1
    be = place > at
    verb = place < last and forms[place] in _VERBS
    if verb:
        place += 1
    level = tuple(forms[place : place + 2]) in _LEVEL
    if level:
        return place + 2
    if not be and not verb:
        return 0
    end = place
    if not (bare and not verb):
        while end < last and (forms[end] in _TO or (forms[end] in FILLERS and end > place)):
            end += 1
    return end if be or end > place or (forms[at] in CHANGES and not forms[at].isascii()) else 0
