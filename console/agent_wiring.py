"""Builds what an agent's door may have: its own folder, the published one, and nothing else."""

from __future__ import annotations

from pathlib import Path

from console import doors, identity
from console.agent_acts import Acts
from console.door_jobs import DoorJobs
from console.door_recalls import DoorRecalls
from console.door_snapshot import DoorSnapshot
from console.doors import Door, DoorError
from review.doorway import Doorway
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.identities import Chance, Clock
from store.published import Published
from store.snapshot_checks import Expected
from store.snapshot_tables import PARAMETERS


def open_door(
    home: Path,
    name: str,
    *,
    clock: Clock = identity.now,
    chance: Chance = identity.chance,
) -> Acts:
    """The acts of the door called ``name``. Nothing published is opened yet.

    Raises:
        console.doors.NoSuchDoorError: If there is none.
        console.doors.DoorError: If it cannot be used, or another trust root is pinned outside it.
    """
    door = doors.read(home, name)
    pin = identity.pinned_root()
    if pin is not None and pin != door.root:
        msg = f"door {name} goes by the trust root {door.root}, but {pin} is pinned. Not opened."
        raise DoorError(msg)
    return acts_of(door, clock=clock, chance=chance)


def acts_of(door: Door, *, clock: Clock, chance: Chance) -> Acts:
    """The acts of one door."""

    def before(snapshot: Published) -> Doorway:
        table = parameters.load(extra=snapshot.text(PARAMETERS).decode("utf-8"))
        return Doorway(snapshot, door.reader, GrammarParser(table), table)

    snapshot = DoorSnapshot(
        door.published,
        Expected(door.tenant, door.root),
        door.folder / "seen.json",
        clock=clock,
        make=before,
    )
    return Acts(
        door=door,
        snapshot=snapshot,
        jobs=DoorJobs(door.folder, door.spool),
        recalls=DoorRecalls(door.folder),
        clock=clock,
        chance=chance,
    )
