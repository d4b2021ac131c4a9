"""Takes in what came through an agent's door: memories to stage, observed reads, answers.

The batch is a foreign text and says nothing about who wrote it: the door's id comes from its own
folder. What was taken in once is found in the log and not taken in again, whatever happened to the
receipt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from review import secrets
from review.auditing import recorded, reported
from review.auditing.reported import Reported
from review.facts.grammar import GrammarParser
from review.facts.keying import Keys
from review.facts.parameters import Table
from review.identities import stamp
from review.policy_in_force import PolicyInForce
from review.staged.fact_reading import FactReading
from review.staged.placing import Writer
from review.staged.staging import Stager
from store import canonical, read_queries
from store.events import ActorKind, EventType, Happening, LeafType
from store.log import Entry, Store
from store.records import Reading
from store.vault import Payload, Role

IMPORTER: Final = "agent_door"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_IDENTITY: Final = re.compile(r"[0-9a-f]{64}|[0-9A-Z]{26}")
_BATCHES: Final = "select seq from proj_import where import = :batch order by seq"


class BadBatchError(ValueError):
    """A batch that cannot be taken in; says why, in words of ours."""


class DoorIntake:
    """The way in for one door of one store."""

    def __init__(self, store: Store, policy: PolicyInForce, table: Table, writer: Writer) -> None:
        """``writer.process`` is the door's id."""
        self._store, self._policy, self._writer = store, policy, writer
        self._table = table

    # --- memories ---------------------------------------------------------------------------

    def import_of(self, batch: str) -> str:
        """What the log calls the import that a batch becomes: a door's batch is its own."""
        return f"imp-{self._writer.process}-{batch}"

    def stage(self, batch: str, reading: Reading, *, verbatim: bool) -> list[dict[str, Any]]:
        """Stage a batch, unless the log has it. Nothing becomes durable.

        Returns:
            What became of each record, in order.
        """
        if not self._staged(batch):
            facts = FactReading(GrammarParser(self._table), Keys(self._table))
            policy, sha256 = self._policy.policy, self._policy.sha256
            stager = Stager(self._store, policy, sha256, self._writer, facts)
            stager.run(reading, verbatim=verbatim, import_id=self.import_of(batch))
        return self.outcomes(batch)

    def outcomes(self, batch: str) -> list[dict[str, Any]]:
        """What the log says became of each record of a batch."""
        leaves = [leaf for seq in self._staged(batch) for leaf in self._store.leaves(seq)]
        return [_outcome(canonical.decode(leaf)) for leaf in leaves]

    def _staged(self, batch: str) -> list[int]:
        found = self._store.rows(_BATCHES, batch=self.import_of(batch))
        return [int(one["seq"]) for one in found]

    # --- reads --------------------------------------------------------------------------------

    def observed(self, batch: str, told: Mapping[str, Any], body: bytes) -> str:
        """Record a read of our own door, unless the log has it; the commitment of its content.

        Args:
            batch: The id of the recall.
            told: ``policy`` and ``size``, as the door says.
            body: The recall, as ``review.recording`` spells it.

        Raises:
            BadBatchError: If it is no recall.
        """
        before = self._recorded(batch)
        if before is not None:
            return before
        value, items, candidates = _read(body)
        policy, size = told.get("policy"), told.get("size")
        if type(policy) is not str or not _DIGEST.fullmatch(policy) or type(size) is not int:
            msg = "it does not say under which policy, or at which position, it read."
            raise BadBatchError(msg)
        payload = Payload(Role.RECALL, self._writer.chance(32), canonical.encode(_masked(value)))
        happening = Happening(
            EventType.READ_OBSERVED,
            recorded_at=stamp(self._writer.clock()),
            actor=self._writer.process,
            actor_kind=ActorKind.PROCESS,
            process=self._writer.process,
            body={
                "recall": payload.commitment,
                "policy": policy,
                "size": size,
                "parts": len(value["parts"]),
                "candidates": candidates,
                "items": items,
                "door": self._writer.process,
                "trace": batch,
            },
        )
        self._store.append(Entry(happening, payloads=[payload]))
        return payload.commitment

    def _recorded(self, recall: str) -> str | None:
        found = self._store.rows(read_queries.OBSERVED_AS, door=self._writer.process, trace=recall)
        return str(found[0]["recall"]) if found else None

    # --- answers --------------------------------------------------------------------------------

    def answered(self, told: Mapping[str, Any]) -> None:
        """Record what an agent says it answered on a recall of this door.

        Raises:
            BadBatchError: If it is no answer, or the recall is not one of this door.
        """
        answer, recall, at = (told.get(name) for name in ("answer", "recall", "at"))
        if type(answer) is not str or type(recall) is not str or type(at) is not str:
            msg = "it says no answer, or not on which recall."
            raise BadBatchError(msg)
        commitment = self._recorded(recall)
        if commitment is None:
            msg = "it answers a recall that this door did not make."
            raise BadBatchError(msg)
        content = self._store.payloads([commitment]).get(commitment)
        question = "" if content is None else recorded.read(content.body).text
        report = Reported(
            question=question,
            answer=answer,
            asked_at=at,
            documents=(),
            trace=recall,
            system="door",
            recall=commitment,
        )
        try:
            reported.record(self._store, report, writer=self._writer)
        except reported.BadReportError as error:
            raise BadBatchError(str(error)) from error


def _read(body: bytes) -> tuple[dict[str, Any], list[str], int]:
    """A recall as its value, the items that were handed over, and how many were candidates."""
    try:
        value: dict[str, Any] = canonical.decode(body)
        told = recorded.from_value(value)
        scored = [one for part in told.parts for one in part.scored]
        items = {one.item for one in scored if one.admitted}
        items |= {str(item) for item, _start, _end in value.get("fetched", ())}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        msg = f"it is no recall ({type(error).__name__})."
        raise BadBatchError(msg) from error
    if not all(_IDENTITY.fullmatch(item) for item in items):
        msg = "it names an item that is no id."
        raise BadBatchError(msg)
    return value, sorted(items), len(scored)


def _masked(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The same value with secrets masked in every text that is not an id or a digest."""
    if isinstance(value, str):
        return value if _IDENTITY.fullmatch(value) else secrets.mask(value)[0]
    if isinstance(value, list):
        return [_masked(one) for one in value]
    if isinstance(value, dict):
        return {key: _masked(one) for key, one in value.items()}
    return value


def _outcome(leaf: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "n": int(leaf["n"]) + 1,
        "outcome": LeafType(leaf["type"]).outcome,
    }
    if leaf.get("item"):
        told["id"] = leaf["item"]
    for name in ("reason", "field"):
        if leaf.get(name):
            told[name] = leaf[name]
    return told
