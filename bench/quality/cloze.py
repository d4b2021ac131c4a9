"""MQuAKE as text: stored conclusions over chains of facts, and single facts, with their places.

A hop is one sentence, ``<cloze> <answer>.``; a conclusion is its hops and the answer to its
question. Keys are Wikidata's (subject, relation); they are for scoring and, in the variants
called ``given``, their labels are stated as subject and parameter. Text alone is ``found``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.quality.datasets import Item

Key = tuple[str, str]
"""Subject and relation, by id."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One fact: its key and value for scoring, its labels, and its sentence."""

    key: Key
    value: str
    subject_label: str
    relation_label: str
    value_label: str
    cloze: str
    question: str = ""

    @property
    def sentence(self) -> str:
        """The fact as text."""
        return f"{self.cloze} {self.value_label}."


@dataclass(frozen=True, slots=True)
class Case:
    """A stored conclusion, and the same chain after edits."""

    id: str
    question: str
    rewordings: tuple[str, ...]
    answer: str
    new_answer: str
    hops: tuple[Hop, ...]
    new_hops: tuple[Hop, ...]

    def claim(self) -> str:
        """The chain and what follows, as one text."""
        return f"{chain(self.hops)} So the answer to “{self.question}” is {self.answer}."

    def conclusion(self, *, labelled: bool) -> dict[str, Any]:
        """The conclusion field of our own format.

        Args:
            labelled: Name each support fact by the labels of subject and relation; otherwise by
                the words of its sentence, as a reviewer marks them.
        """
        support = facts(self.hops, labelled=labelled)
        return {"text": self.answer, "task": self.question, "support": support}


def cases(items: list[Item]) -> list[Case]:
    """The cases whose original chain can be read."""
    found = []
    for n, item in enumerate(items):
        asked = [str(one) for one in item.get("questions") or [] if one]
        told = item.get("orig") or {}
        hops = _hops(told.get("triples"), told.get("triples_labeled"), item.get("single_hops"))
        new = _hops(
            told.get("new_triples"), told.get("new_triples_labeled"), item.get("new_single_hops")
        )
        if asked and hops and item.get("answer"):
            found.append(
                Case(
                    id=f"case:{n}",
                    question=asked[0],
                    rewordings=tuple(asked[1:]),
                    answer=str(item["answer"]),
                    new_answer=str(item.get("new_answer") or ""),
                    hops=hops,
                    new_hops=new,
                )
            )
    return found


def edits(items: list[Item]) -> list[Hop]:
    """Every requested edit once, as the hop that it makes true."""
    found: dict[tuple[Key, str], Hop] = {}
    for item in items:
        told = item.get("orig") or {}
        labels = {
            (one[0], one[1]): two[1]
            for one, two in zip(
                told.get("new_triples") or [], told.get("new_triples_labeled") or [], strict=False
            )
        }
        by_relation = {(one[1], one[2]): one[0] for one in told.get("edit_triples") or []}
        for rewrite in item.get("requested_rewrite") or []:
            relation, target = rewrite.get("relation_id"), rewrite.get("target_new") or {}
            subject = by_relation.get((relation, target.get("id")))
            prompt, name = rewrite.get("prompt"), rewrite.get("subject")
            if subject is None or not prompt or not name or not target.get("str"):
                continue
            key = (subject, str(relation))
            found[key, str(target["id"])] = Hop(
                key=key,
                value=str(target["id"]),
                subject_label=str(name),
                relation_label=str(labels.get(key, relation)),
                value_label=str(target["str"]),
                cloze=str(prompt).replace("{}", str(name)),
            )
    return list(found.values())


def chain(hops: Sequence[Hop]) -> str:
    """The sentences of several facts."""
    return " ".join(hop.sentence for hop in hops)


def facts(hops: Sequence[Hop], *, labelled: bool) -> list[dict[str, Any]]:
    """The facts of ``chain(hops)`` as our own format states them, each at its value's place."""
    told, at = [], 0
    for hop in hops:
        start = at + len(hop.cloze) + 1
        told.append(
            {
                "subject": hop.subject_label,
                "parameter": hop.relation_label if labelled else _words(hop),
                "value": hop.value_label,
                "start": start,
                "end": start + len(hop.value_label),
            }
        )
        at += len(hop.sentence) + 1
    return told


def _words(hop: Hop) -> str:
    """What the sentence says of its subject: ``is a citizen of``."""
    return " ".join(hop.cloze.replace(hop.subject_label, " ").split()) or hop.relation_label


def _hops(triples: Any, labelled: Any, single: Any) -> tuple[Hop, ...]:  # noqa: ANN401 - JSON
    if not (isinstance(triples, list) and isinstance(labelled, list) and isinstance(single, list)):
        return ()
    if not len(triples) == len(labelled) == len(single):
        return ()
    found = []
    for triple, labels, hop in zip(triples, labelled, single, strict=True):
        if len(triple) < 3 or len(labels) < 3 or not hop.get("cloze") or not hop.get("answer"):
            return ()
        found.append(
            Hop(
                key=(str(triple[0]), str(triple[1])),
                value=str(triple[2]),
                subject_label=str(labels[0]),
                relation_label=str(labels[1]),
                value_label=str(hop["answer"]),
                cloze=str(hop["cloze"]),
                question=str(hop.get("question") or ""),
            )
        )
    return tuple(found)
