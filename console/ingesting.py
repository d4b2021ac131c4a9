"""Takes in what agents left in the spools of their doors, in order, each batch exactly once.

A file that is no batch is set aside and named; it stops nothing that comes after it. What a batch
was is decided by the log: if this is killed between two steps, the next run finds what was done.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from console import doors
from console.doors import Door
from importers import sandbox
from importers.catalogue import DOOR, UnknownFormatError
from importers.source import SourceRefusedError, from_bytes
from review.door_intake import BadBatchError, DoorIntake
from review.facts.parameters import Table
from review.identities import Chance, Clock, stamp
from review.policy_in_force import PolicyInForce
from review.staged.placing import Writer
from store import canonical
from store.log import Store
from store.spool import BatchKind, OddBatchError, Waiting

_SPOOLED: Final = "memory-console-spool/1"
_HEADER: Final = "memory-console-door/1"
_MOST_LINES: Final = 200
"""Records of a batch: as many as the door stages, and few enough for one event of the log."""

_HALF_WRITTEN: Final = timedelta(minutes=10)
_FROM_THE_BATCH: Final = (
    BadBatchError,
    KeyError,
    OddBatchError,
    RecursionError,
    SourceRefusedError,
    TypeError,
    UnknownFormatError,
    ValueError,
)
"""What only the content of a batch is at fault for."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A file of a spool that is no batch, and why. The name is foreign text."""

    door: str
    name: str
    why: str


@dataclass
class Ingested:
    """What one run took in."""

    staged: int = 0
    """Batches of memories."""

    reads: int = 0
    answers: int = 0
    aside: list[Aside] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)
    """Doors that another process takes from just now."""

    @property
    def taken(self) -> int:
        """Batches in all."""
        return self.staged + self.reads + self.answers


@dataclass(frozen=True)
class Ingesting:
    """The console's side of all doors of one tenant."""

    home: Path
    tenant: str
    clock: Clock
    chance: Chance

    def waiting(self) -> int:
        """How many files lie in the spools. Cheap: it only lists them."""
        count = 0
        for door in doors.of(self.home, self.tenant):
            with contextlib.suppress(OddBatchError, OSError):
                count += len(door.spool.waiting())
        return count

    def run(
        self, store: Store, policy: PolicyInForce, table: Table, *, most: int | None = None
    ) -> Ingested:
        """Take in what waits, oldest first, at most ``most`` batches of each door.

        Raises:
            store.connections.StoreBusyError: If another process holds the store. What was taken
                in before is in; the rest still waits.
        """
        told = Ingested()
        for door in doors.of(self.home, self.tenant):
            with _alone(door) as mine:
                if not mine:
                    told.busy.append(door.name)
                    continue
                intake = DoorIntake(store, policy, table, Writer(door.id, self.clock, self.chance))
                try:
                    self._door(door, intake, told, most)
                except OSError as error:  # its folder is not ours to read or to write
                    why = error.strerror or type(error).__name__
                    told.aside.append(Aside(door.name, "", why))
        return told

    def _door(self, door: Door, intake: DoorIntake, told: Ingested, most: int | None) -> None:
        try:
            door.spool.sweep((self.clock() - _HALF_WRITTEN).timestamp())
            waiting = door.spool.waiting()
        except OddBatchError as error:
            told.aside.append(Aside(door.name, "spool", str(error)))
            return
        for one in waiting[:most]:
            try:
                receipt = self._batch(door, intake, one, told)
            except _FROM_THE_BATCH as error:
                why = str(error) if isinstance(error, _TOLD) else type(error).__name__
                told.aside.append(Aside(door.name, one.name, why))
                self._set_aside(door, one, why)
                continue
            door.spool.done(one, receipt)

    def _batch(self, door: Door, intake: DoorIntake, one: Waiting, told: Ingested) -> bytes | None:
        if one.kind is None:
            msg = "its name is none of a batch."
            raise BadBatchError(msg)
        data = door.spool.read(one)
        head, _, rest = data.partition(b"\n")
        header = _header(head, one)
        if one.kind is BatchKind.STAGE:
            records = self._stage(door, intake, one, header, rest)
            told.staged += 1
            return self._receipt(one, {"records": records})
        if one.kind is BatchKind.READ:
            intake.observed(one.id, header, rest.removesuffix(b"\n"))
            told.reads += 1
            return None  # a receipt for each question would be a file for each question
        intake.answered(header)
        told.answers += 1
        return self._receipt(one, {})

    def _stage(
        self,
        door: Door,
        intake: DoorIntake,
        one: Waiting,
        header: dict[str, Any],
        lines: bytes,
    ) -> list[dict[str, Any]]:
        """Stage the lines under a header of our own: who wrote them is not theirs to say."""
        if lines.count(b"\n") > _MOST_LINES:
            msg = f"it has more than {_MOST_LINES} records."
            raise BadBatchError(msg)
        above = {
            "format": _HEADER,
            "door": door.id,
            "at": self._moment(header.get("at")),
            "scope": dict(door.scope),
        }
        content = canonical.encode(above) + b"\n" + lines
        source = from_bytes(f"{door.name}/{one.id}.jsonl", content)
        reading = sandbox.open_reading(source, DOOR)
        return intake.stage(one.id, reading, verbatim=header.get("verbatim") is True)

    def _moment(self, told: object) -> str:
        """When the agent says it wrote; now, if it says nothing that can be."""
        now = self.clock()
        try:
            moment = datetime.fromisoformat(str(told))
        except ValueError:
            return stamp(now)
        return stamp(now if moment.tzinfo is None or moment > now else moment)

    def _receipt(self, one: Waiting, more: dict[str, Any]) -> bytes:
        receipt = {"job": one.id, "kind": str(one.kind), "state": "done", **more}
        receipt["taken_at"] = stamp(self.clock())
        return json.dumps(receipt, indent=1).encode("ascii") + b"\n"

    def _set_aside(self, door: Door, one: Waiting, why: str) -> None:
        with contextlib.suppress(OddBatchError):
            door.spool.set_aside(one)
            if one.id and one.kind is not BatchKind.READ:
                told = {"job": one.id, "kind": str(one.kind), "state": "set_aside", "why": why}
                receipt = json.dumps(told, indent=1).encode("ascii") + b"\n"
                door.spool.done(one, receipt)


_TOLD: Final = (BadBatchError, OddBatchError, SourceRefusedError)
"""Errors whose words are ours."""


def _header(head: bytes, one: Waiting) -> dict[str, Any]:
    told = canonical.decode(head)
    if (
        type(told) is not dict
        or told.get("format") != _SPOOLED
        or (told.get("batch"), told.get("kind")) != (one.id, str(one.kind))
    ):
        msg = "its first line is not that of such a batch."
        raise BadBatchError(msg)
    return told


@contextlib.contextmanager
def _alone(door: Door) -> Iterator[bool]:
    """Whether nobody else takes from this door now; held until the end."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(door.folder / ".taking", flags, 0o600)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        yield False
        return
    try:
        yield True
    finally:
        os.close(handle)
