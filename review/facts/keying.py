"""Normal forms for facts that a source states itself: its own names for ours.

A parameter that the table does not know keeps its own name as key; its cardinality is unknown.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from review.facts import values
from review.facts.parameters import Parameter, Table
from review.facts.protocol import ValueType
from store.cells import Cardinality, Fact


class Keys:
    """The table's parameters by every name they have."""

    def __init__(self, table: Table) -> None:
        """Index the names once."""
        self._by_name: dict[str, Parameter] = {}
        for parameter in table.parameters.values():
            for name in (parameter.key, *parameter.en, *parameter.ru):
                self._by_name.setdefault(_name(name), parameter)

    def named(self, name: str) -> Parameter | None:
        """The parameter that goes by ``name``, in any inflection; None if there is none."""
        return self._by_name.get(_name(name))

    def of(self, fact: Fact) -> Fact:
        """``fact`` with its keys; what it has already is kept."""
        known = self.named(fact.parameter)
        kind = known.value_type if known is not None else _sort(fact.value)
        cardinality = fact.cardinality
        if cardinality is Cardinality.UNKNOWN and known is not None:
            cardinality = known.cardinality
        return replace(
            fact,
            subject_key=fact.subject_key or values.name_key(fact.subject),
            parameter_key=fact.parameter_key
            or (known.key if known is not None else _name(fact.parameter)),
            value_key=fact.value_key or self._value(known, fact.value, kind),
            cardinality=cardinality,
        )

    @staticmethod
    def _value(known: Parameter | None, value: str, kind: ValueType) -> str:
        if known is not None and kind is ValueType.ENUM:
            wanted = values.name_key(value)
            for canonical, names in known.values.items():
                if wanted in {values.name_key(name) for name in (canonical, *names)}:
                    return canonical
        return values.key(value, kind)


@lru_cache(maxsize=50_000)
def _name(name: str) -> str:
    return values.name_key(name.replace("_", " "))


def _sort(value: str) -> ValueType:
    """What sort of value this is when nobody says: a measure if it is one as a whole."""
    found = values.find(value)
    if len(found) == 1 and len(found[0].text.strip()) >= len(value.strip()) - 2:
        return found[0].value_type
    return ValueType.NAME
