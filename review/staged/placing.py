"""Gives the records of one batch their ids: what is new, what is known, which edges resolve.

The result is the batch's canonical items and the content behind them, ready for one append.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from review import analysis
from review.identities import Chance, Clock, new_id
from review.policy import LaneHint
from review.staged import flags, run_spelling
from review.staged.manifests import manifest
from review.staged.spelling import Cell
from store import canonical
from store.cells import Edge, Proposal, Provenance
from store.events import LeafType
from store.log import Store
from store.records import Barred, Failed, Nothing, Outcome, Place
from store.stages import Stage
from store.trajectories import Trajectory, Verdict
from store.vault import Payload, Role, digester


@dataclass(frozen=True, slots=True)
class Writer:
    """Who stages, from the process's configuration, and where time and chance come from."""

    process: str
    clock: Clock
    chance: Chance


@dataclass(frozen=True, slots=True)
class Found:
    """One record after policy and secrets, before the store was asked what it knows.

    ``rule`` names the rule that refused it. A record that may be staged has all three keys.
    """

    place: Place
    raw: bytes
    result: Proposal | Trajectory | Nothing | Barred | Failed
    rule: str | None = None
    at_fault: str = ""
    marks: tuple[flags.Flag, ...] = ()
    hint: LaneHint | None = None
    content_key: str = ""
    source_key: str = ""
    look_key: str = ""
    session_key: str = ""
    """Of a trajectory: the session it belongs to."""

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Edges of a record that may be staged."""
        return self.result.edges if isinstance(self.result, Proposal) and self.content_key else ()


class Placing:
    """A batch with ids given, repeats set apart and edges resolved."""

    def __init__(
        self,
        store: Store,
        key: bytes,
        writer: Writer,
        found: Sequence[Found],
        known: Mapping[str, str],
        *,
        parser: str,
        told: Container[str] = (),
    ) -> None:
        """Place ``found``, given which content keys the store knows.

        Args:
            store: Asked for what it holds under the records' source ids and edge targets.
            key: The tenant's key for digests.
            writer: Identity, clock and chance.
            found: The batch.
            known: Content key to item.
            parser: ``importer/version``, part of what is signed.
            told: Source keys of records that earlier batches of the same import told.
        """
        self.leaves: list[bytes] = []
        self.payloads: list[Payload] = []
        self.counts: Counter[Outcome] = Counter()
        self.items: list[str] = []
        self._tenant = store.tenant_id
        self._source_key = digester(key, "source")
        self._writer = writer
        self._parser = parser
        self._importer = parser.partition("/")[0]
        self._targets: dict[str, str] = {}
        self._newest: dict[str, str | None] = {}
        self._held = store.by_source(self._wanted(found))
        self._fresh: dict[str, str] = {}
        self._told = told
        self.told: set[str] = set()
        fresh, seen = self._new_items(len(found)), dict(known)
        places: list[tuple[Found, str, int]] = []
        for one in found:
            item, rev = "", 0
            if one.content_key and one.content_key not in seen:
                item, rev = self._identity(one, fresh)
                seen[one.content_key] = item
                self._fresh[one.source_key] = item
            if one.content_key:
                self.told.add(one.source_key)
            places.append((one, item, rev))
        for n, (one, item, rev) in enumerate(places):
            self._place(n, one, item, rev, seen)

    def _wanted(self, found: Sequence[Found]) -> list[str]:
        """Every key once: thousands of records may point at the same one."""
        wanted = dict.fromkeys(one.source_key for one in found if one.source_key)
        for target in dict.fromkeys(edge.target for one in found for edge in one.edges):
            self._targets[target] = self._source_key(target.encode("utf-8"))
        return list(wanted | dict.fromkeys(self._targets.values()))

    def _new_items(self, count: int) -> Iterator[str]:
        now, drawn = self._writer.clock(), self._writer.chance(10 * count)
        return (new_id(now, drawn[10 * n : 10 * n + 10]) for n in range(count))

    def _identity(self, one: Found, fresh: Iterator[str]) -> tuple[str, int]:
        """A new item, or the next revision of one that still waits for the same source record.

        An id belongs to the format that it was read from: a file of another one that names it
        does not take the place of what waits. Nor does a record take that of another one in the
        same source: the two stand beside each other, in whichever batches they come.
        """
        if isinstance(one.result, Trajectory) or one.source_key in self.told:
            return next(fresh), 1
        for held in reversed(self._held.get(one.source_key, ())):
            if held.importer == self._importer and held.stage in (Stage.STAGED, Stage.DEFERRED):
                if one.source_key in self._told:  # asked last, for it takes long
                    break
                return held.item, held.rev + 1
        return next(fresh), 1

    def _place(self, n: int, one: Found, item: str, rev: int, known: Mapping[str, str]) -> None:
        if item:
            outcome = Outcome.WRITTEN
            made = self._run if isinstance(one.result, Trajectory) else self._written
            self.leaves.append(made(n, one, item, rev))
            if isinstance(one.result, Proposal):
                self.items.append(item)
        else:
            leaf: dict[str, Any] = {
                "n": n,
                "line": one.place.line,
                "start": one.place.start,
                "end": one.place.end,
                "raw": None,
                "place": None,
            }
            if one.content_key:
                outcome = Outcome.ALREADY_KNOWN
                leaf["item"] = known[one.content_key]
            else:
                outcome = self._not_staged(one, leaf)
            leaf["type"] = str(LeafType(f"write.{outcome}"))
            self.leaves.append(canonical.encode(leaf))
        self.counts[outcome] += 1

    def _not_staged(self, one: Found, leaf: dict[str, Any]) -> Outcome:
        leaf["raw"] = self._kept(Role.RAW, one.raw)
        if one.place.member:
            leaf["place"] = self._kept(Role.PLACE, one.place.member.encode("utf-8"))
        result = one.result
        if isinstance(result, Nothing):
            leaf["reason"] = str(result.reason)
            return Outcome.NOTHING_EXTRACTED
        if isinstance(result, Failed):
            leaf |= {"reason": str(result.reason), "column": result.column, "field": result.name}
            return Outcome.PARSE_FAILED
        if isinstance(result, Barred):
            leaf |= {"reason": str(result.rule), "field": ""}
            return Outcome.REFUSED
        assert isinstance(result, Proposal), "a trajectory is always kept"
        leaf |= {
            "reason": one.rule,
            "field": one.at_fault,
            "kind": str(result.kind),
            "source_type": str(result.source_type),
        }
        return Outcome.REFUSED

    def _written(self, n: int, one: Found, item: str, rev: int) -> bytes:
        """The leaf of a staged record, spelled by hand: all that it says is in our own words."""
        assert isinstance(one.result, Proposal)
        assert one.result.written_at is not None
        edges, unresolved = self._resolved(one)
        made = manifest(
            Cell(
                item=item,
                rev=rev,
                proposal=one.result if not one.edges else replace(one.result, edges=unresolved),
                provenance=Provenance(
                    source_type=one.result.source_type,
                    source_id=one.result.source_id,
                    writer_identity=self._writer.process,
                    tenant_id=self._tenant,
                    written_at=one.result.written_at,
                ),
                place=one.place,
                edges=edges,
                parser=self._parser,
            ),
            salt=self._salt,
        )
        self.payloads += made.payloads
        marks = flags.with_unknown_targets(one.marks, len(unresolved))
        told = ",".join([f'["{mark.code}",{mark.count}]' for mark in marks])
        lane, order = (f'"{one.hint.lane}"', one.hint.order) if one.hint else ("null", 0)
        raw, place = self._kept(Role.RAW, one.raw), one.place
        rest = (
            f'"digest":"{made.digest}","end":{place.end},"ext":"{one.source_key}","flags":[{told}],'
            f'"item":"{item}","key":"{one.content_key}","lane":{lane},"line":{place.line},'
            f'"look":"{one.look_key}","n":{n},"order":{order},"place":null,"raw":"{raw}",'
            f'"rev":{rev},"start":{place.start},"type":"{LeafType.WRITTEN}",'
            f'"worst":{flags.worst(marks)}}}'
        )
        return b'{"artifact":%s,%s' % (made.manifest, rest.encode("ascii"))

    def _run(self, n: int, one: Found, item: str, _rev: int) -> bytes:
        """The leaf of a trajectory, with its first reading."""
        run, place = one.result, one.place
        assert isinstance(run, Trajectory)
        reading = analysis.analysed(run)
        judged = [decision.verdict for decision in run.decisions if not decision.weak]
        where = self._kept(Role.PLACE, place.member.encode("utf-8")) if place.member else None
        return canonical.encode(
            {
                "type": str(LeafType.RUN),
                "n": n,
                "item": item,
                "key": one.content_key,
                "ext": one.source_key,
                "session": one.session_key,
                "run": self._kept(Role.RUN, run_spelling.spelled(run)),
                "analysis": self._kept(Role.ANALYSIS, analysis.spelled(reading)),
                "analyser": reading.analyser,
                "raw": self._kept(Role.RAW, one.raw),
                "place": where,
                "line": place.line,
                "start": place.start,
                "end": place.end,
                "steps": len(run.steps),
                "decisions": [judged.count(verdict) for verdict in Verdict],
                "ending": str(reading.ending),
            }
        )

    def _resolved(self, one: Found) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
        """Edges with item ids as targets, and those whose target the store does not hold."""
        resolved, unresolved = [], []
        for edge in one.edges:
            key = self._targets[edge.target]
            target = self._fresh.get(key) or self._held_item(key)
            if target is None:
                unresolved.append(edge)
            else:
                resolved.append(replace(edge, target=target))
        return tuple(dict.fromkeys(resolved)), tuple(dict.fromkeys(unresolved))

    def _held_item(self, key: str) -> str | None:
        """The newest item that was read from a record of this id, of the same format if any is."""
        if key not in self._newest:
            held = self._held.get(key, ())
            own = [one for one in held if one.importer == self._importer]
            self._newest[key] = (own or held)[-1].item if held else None
        return self._newest[key]

    def _salt(self) -> bytes:
        return self._writer.chance(32)

    def _kept(self, role: Role, body: bytes) -> str:
        payload = Payload(role, self._salt(), body)
        self.payloads.append(payload)
        return payload.commitment
