"""Builds the console's side of the doors: what publishes for them, and what takes from them."""

from __future__ import annotations

from console import doors, identity
from console.doors import Door
from console.identity import Tenant
from console.ingesting import Ingested, Ingesting
from console.wiring import PARAMETERS_FILE, Workspace, read_parameters, root_statement
from review.desk import Desk
from review.person import Person
from review.publishing import Publishing
from review.read_rules import Purpose
from review.staged.placing import Writer
from store.cells import Kind
from store.log import Store
from store.shelf import Shelf
from store.snapshot_tables import PARAMETERS


def publishing(place: Workspace, tenant: Tenant, store: Store) -> Publishing:
    """What this installation's reviewer publishes of a tenant.

    Without a trust root, or a door that reads the tenant, there is nobody to publish for.
    """
    told = place.settings
    person = None
    if told.reviewer is not None:
        person = Person(told.reviewer, told.reviewer_name)
    writer = Writer(told.process, place.clock, place.chance)
    return Publishing(store, person, writer, _shelf(place, tenant))


def _shelf(place: Workspace, tenant: Tenant) -> Shelf | None:
    if place.root is None or not doors.of(place.home, tenant.id):
        return None
    extra = place.home / PARAMETERS_FILE
    return Shelf(
        place.store_path(tenant).parent / "published",
        root=root_statement(place.home),
        texts={PARAMETERS: extra.read_bytes() if extra.exists() else b""},
    )


def ingesting(place: Workspace, tenant: Tenant) -> Ingesting:
    """What takes from the spools of a tenant's doors."""
    return Ingesting(place.home, tenant.id, place.clock, place.chance)


def ingest(place: Workspace, tenant: Tenant, desk: Desk, *, most: int | None = None) -> Ingested:
    """Take in what waits for a tenant. See ``console.ingesting``."""
    taking = ingesting(place, tenant)
    if not taking.waiting():
        return Ingested()
    with desk.held():
        return taking.run(desk.store, desk.policy, read_parameters(place.home), most=most)


def new_door(
    place: Workspace,
    tenant: Tenant,
    name: str,
    *,
    purpose: Purpose,
    kinds: frozenset[Kind] | None,
    scope: dict[str, str],
) -> Door:
    """Make a door for a tenant, under the trust root of the workspace.

    Raises:
        console.doors.DoorError: If there is no trust root yet, the name is none, or it is taken.
    """
    if place.root is None:
        msg = (
            "there is no reviewer yet, so nothing can be published for a door. Nothing was made. "
            "Begin with: memory-console reviewer new"
        )
        raise doors.DoorError(msg)
    door = Door(
        doors.folder_of(place.home, name),
        id=f"d-{identity.fresh_id()}",
        tenant=tenant.id,
        purpose=purpose,
        root=place.root.key.fingerprint,
        kinds=kinds,
        scope=scope,
    )
    doors.make(door)
    return door
