"""How proposals fared: against the grammar, and against what people signed, month by month.

Nothing is asked of people for this. A fact counts as accepted when the record that somebody signed
states it, as edited when the record states another value there, and as rejected when it does not
state it or was itself rejected. Edges, insights and rules are read from their own signatures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import pandas as pd

from review import named_cells
from review.cards.card import Card, NoSuchItemError
from review.desk import Desk
from review.facts.keying import Keys
from review.facts.parameters import Table
from review.facts.protocol import Setting
from review.named_cells import NamedCell
from review.proposals import lessons, reading, records, relating, shapes
from review.proposals.asking import proposed
from review.proposals.comparing import Compared, pairs
from review.proposals.jobs import Job, Outcome, Sort
from review.proposals.records import Record
from review.proposals.relating import Relation
from review.text.visible import escape
from store import queries
from store.cells import Asserter, Conclusion, EdgeKind
from store.links import EITHER_WAY
from store.stages import Stage
from store.standing import Standing
from store.vault import digester

MOST: Final = 2_000
"""Records that are counted; of more the newest."""


class Fared(StrEnum):
    """What people made of one proposed thing."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"
    WAITING = "waiting"
    """Nobody has decided yet."""


@dataclass
class Tally:
    """Everything that was proposed, and how it fared."""

    fared: Counter[tuple[str, Sort, Fared]] = field(default_factory=Counter)
    """By month (``2026-03``), sort and what became of it."""

    beside: dict[str, Counter[Compared]] = field(default_factory=dict)
    """By month: proposed facts beside those that the record was staged with."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    dropped: int = 0
    """Proposed things that their texts did not bear out."""

    erased: int = 0
    """Records whose content was erased; they are counted nowhere else."""

    tokens: int = 0
    cost_micros: int = 0
    records: int = 0


def tally(desk: Desk, table: Table) -> Tally:
    """Count the newest records of a store against what stands now."""
    return _Counting(desk, table).counted()


def agreement(beside: Counter[Compared]) -> float | None:
    """Equal facts among all that the model or the record tells, in [0, 1]; None without any."""
    whole = beside.total()
    return beside[Compared.SAME] / whole if whole else None


_FARED: Final = {
    Compared.SAME: Fared.ACCEPTED,
    Compared.OTHER_VALUE: Fared.EDITED,
    Compared.ONLY_MODEL: Fared.REJECTED,
}


class _Counting:
    """One count, over one state of the store."""

    def __init__(self, desk: Desk, table: Table) -> None:
        self.desk, self.store, self.keys = desk, desk.store, Keys(table)
        self.standing: Standing = desk.standing()
        self.found = records.newest(self.store, most=MOST)
        self.cells: dict[str, NamedCell] = {}
        self.successors: dict[str, list[str]] = {}
        self.result = Tally()

    def counted(self) -> Tally:
        """The tally."""
        items = {item for one in self.found for item in one.items}
        self._learn(items)
        for one in self.found:
            self.result.records += 1
            self.result.outcomes[one.outcome] += 1
            self.result.dropped += one.dropped
            self.result.tokens += one.usage.input_tokens + one.usage.output_tokens
            self.result.cost_micros += one.usage.cost_micros or 0
            if one.text is None:
                self.result.erased += 1
            elif one.outcome is Outcome.PROPOSED:
                self._count(one)
        return self.result

    def _learn(self, items: set[str]) -> None:
        wanted = pd.DataFrame({"item": pd.Series(sorted(items), dtype="str")})
        for row in self.store.rows(queries.EDGES_TO_EACH, {"wanted": wanted}) if items else ():
            if row["kind"] == EdgeKind.DERIVED_FROM and row["asserter"] == Asserter.PERSON:
                self.successors.setdefault(str(row["target"]), []).append(str(row["item"]))
        made = {one for several in self.successors.values() for one in several}
        self.cells = named_cells.latest(self.store, sorted(items | made))

    def _count(self, one: Record) -> None:
        counts = {
            Job.CLAIM: self._claim,
            Job.RELATIONS: self._relations,
            Job.INSIGHTS: self._insights,
            Job.RULE: self._rule,
        }
        counting = counts.get(one.job)
        if counting is not None:
            counting(one)

    def _add(self, one: Record, sort: Sort, fared: Fared) -> None:
        self.result.fared[one.recorded_at[:7], sort, fared] += 1

    # --- facts --------------------------------------------------------------------------------

    def _claim(self, one: Record) -> None:
        told = proposed(one, shapes.ClaimTold)
        item = one.items[0] if one.items else ""
        cell = self.cells.get(item)
        asked = json.loads(one.asked or "{}")
        if told is None or cell is None:
            return
        setting = Setting(speaker=str(asked.get("speaker", "")))
        text = str(asked.get("claim", {}).get("text", ""))
        read = reading.claim(text, told, setting, self.keys, one.reader)
        facts = read.facts.facts
        beside = self.result.beside.setdefault(one.recorded_at[:7], Counter())
        beside.update(pair.compared for pair in pairs(facts, cell.facts))
        signed = self._signed(item)
        if isinstance(signed, Fared):
            for _ in facts:
                self._add(one, Sort.FACT, signed)
        else:
            for pair in pairs(facts, signed.facts):
                if pair.compared in _FARED:
                    self._add(one, Sort.FACT, _FARED[pair.compared])
        if read.conclusion is not None:
            self._add(one, Sort.CONCLUSION, self._of_conclusion(read.conclusion, signed))

    def _signed(self, item: str) -> NamedCell | Fared:
        """What a person signed of a record or of what it was edited into; else how it stands."""
        stage = self._stage(item)
        if stage is Stage.DURABLE:
            return self.cells[item]
        if stage is not Stage.REJECTED:
            return Fared.WAITING
        made = [one for one in self.successors.get(item, ()) if one in self.cells]
        for one in reversed(made):
            if self._stage(one) is Stage.DURABLE:
                return self.cells[one]
        waits = any(self._stage(one) in (Stage.STAGED, Stage.DEFERRED) for one in made)
        return Fared.WAITING if waits else Fared.REJECTED

    def _of_conclusion(self, told: Conclusion, signed: NamedCell | Fared) -> Fared:
        if isinstance(signed, Fared):
            return signed
        card = self._card(signed.item)
        if card is None or card.conclusion is None:
            return Fared.REJECTED
        there = card.conclusion
        rests = {(one.parameter_key, one.value_key) for one in there.support}
        wanted = {(one.parameter_key, one.value_key) for one in told.support}
        return Fared.ACCEPTED if there.text == told.text and rests == wanted else Fared.EDITED

    # --- edges, insights, rules ---------------------------------------------------------------

    def _relations(self, one: Record) -> None:
        told = proposed(one, shapes.RelationsTold)
        if told is None:
            return
        asked = json.loads(one.asked or "{}").get("blocks", [])
        texts = [str(block.get("text", "")) for block in asked]
        if len(texts) != len(one.items):
            return
        for edge in relating.relations(told, one.items, texts)[0]:
            conflict = edge.kind is EdgeKind.CONFLICTS_WITH
            self._add(one, Sort.CONFLICT if conflict else Sort.DEPENDENCY, self._of_edge(edge))

    def _of_edge(self, edge: Relation) -> Fared:
        ends = (edge.source, edge.target)
        key = sorted(ends) if edge.kind in EITHER_WAY else ends
        said = self.standing.links.get((str(edge.kind), key[0], key[1]))
        if said is not None:
            return Fared.ACCEPTED if said.holds else Fared.REJECTED
        between = [
            link
            for (_kind, one, other), link in self.standing.links.items()
            if {one, other} == set(ends) and link.holds
        ]
        return Fared.EDITED if between else Fared.WAITING

    def _insights(self, one: Record) -> None:
        digest = digester(self.store.digest_key(), "source")
        numbers = range(1, one.pieces.get(Sort.INSIGHT, 0) + 1)
        keys = [digest(lessons.source_id(one.key, n).encode("utf-8")) for n in numbers]
        held = self.store.by_source(keys)
        for key in keys:
            item = held[key][-1].item if held.get(key) else ""
            self._add(one, Sort.INSIGHT, self._of_insight(item))

    def _of_insight(self, item: str) -> Fared:
        stage = self._stage(item) if item else Stage.STAGED
        if stage is Stage.DURABLE:
            return Fared.ACCEPTED
        if stage is not Stage.REJECTED:
            return Fared.WAITING
        wanted = pd.DataFrame({"item": pd.Series([item], dtype="str")})
        rows = self.store.rows(queries.EDGES_TO_EACH, {"wanted": wanted})
        edited = any(
            row["kind"] == EdgeKind.DERIVED_FROM and row["asserter"] == Asserter.PERSON
            for row in rows
        )
        return Fared.EDITED if edited else Fared.REJECTED

    def _rule(self, one: Record) -> None:
        told = proposed(one, shapes.RuleTold)
        if told is None or not one.items:
            return
        left = [each for each in self.standing.exports.values() if each.item == one.items[0]]
        live = [each for each in left if not each.withdrawn]
        fared = Fared.REJECTED if left and not live else Fared.WAITING
        if live:
            # The body of a pull request shows the text in a fence of its own.
            spelled = f"\n{escape(told.rule.strip())}\n".encode()
            bodies = self.store.payloads([each.content for each in live]).values()
            whole = any(spelled in each.body for each in bodies)
            fared = Fared.ACCEPTED if whole else Fared.EDITED
        self._add(one, Sort.RULE, fared)

    def _stage(self, item: str) -> Stage:
        cell = self.cells.get(item)
        stands = self.standing.items.get(item)
        if cell is None:
            return stands.stage if stands is not None else Stage.STAGED
        return self.standing.stage_of(item, cell.rev)

    def _card(self, item: str) -> Card | None:
        try:
            return self.desk.card_of(item)
        except NoSuchItemError:
            return None


def months(found: Mapping[tuple[str, Sort, Fared], int]) -> list[str]:
    """The months of a tally, newest first."""
    return sorted({month for month, _, _ in found}, reverse=True)
