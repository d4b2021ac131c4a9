"""Worlds for edges drawn by hand: statuses by source id, and edges signed through the desk."""

from __future__ import annotations

from datetime import UTC, datetime

from review import instants
from store.cells import EdgeKind
from tests.review.desks import signer
from tests.review.worlds import World, cell

LATE = datetime(2026, 4, 1, tzinfo=UTC)
"""A moment of world time after everything in the stories below."""

WAREHOUSES = {
    "en": [
        cell("The main warehouse for the jackets is Koledino.", "M1", "2025-11-10"),
        cell(
            "For shipping to Koledino we use the carrier Delovye Linii, on Tuesdays.",
            "M2",
            "2025-11-12",
        ),
        cell(
            "From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal.",
            "M3",
            "2026-02-15",
            source_type="owner_order",
        ),
    ],
    "ru": [
        cell("Основной склад отгрузки наших пуховиков — Коледино.", "M1", "2025-11-10"),
        cell(
            'Для отгрузки в Коледино используем перевозчика "Деловые Линии" по вторникам.',
            "M2",
            "2025-11-12",
        ),
        cell(
            "С 1 марта 2026 года полностью закрываем отгрузки в Коледино и переводим все поставки "
            "пуховиков на склад Электросталь.",
            "M3",
            "2026-02-15",
            source_type="owner_order",
        ),
    ],
}

RULES = [
    cell("The indentation convention is tabs.", "R1", "2026-02-01T10:00:00Z"),
    cell("FINAL: the indentation convention is spaces.", "R2", "2026-02-01T10:03:00Z"),
]


def statuses(
    world: World, when: datetime = LATE, moment: datetime | None = None
) -> dict[str, str]:
    """Status by source id, of durable cells."""
    told = world.desk.graph.at(moment)
    cells, life, at = told.known.cells, told.known.life, instants.of(when)
    names = cells.text("source_id")
    return {
        str(names[row]): str(life.status(row, at, durable=bool(cells.durable[row])))
        for row in range(len(cells))
    }


def draw(world: World, kind: EdgeKind, source: str, target: str, why: str = "I was there") -> None:
    """Draw one edge and sign it."""
    hand = world.desk.graph.by_hand
    hand.draw(
        kind, world.items[source], world.items[target], why=why, nonce=world.desk.new_nonce()
    )
    sign(world)


def edge(world: World, kind: EdgeKind, source: str, target: str):
    """An edge as the graph tells it; None if it is not there."""
    ends = (world.items[source], world.items[target])
    told = world.desk.graph.at().graph.edges(ends[0])
    found = (one for one in told if one.kind is kind)
    either = kind in (EdgeKind.CONFLICTS_WITH, EdgeKind.CONTRADICTS, EdgeKind.DUPLICATE_OF)
    return next(
        (
            one
            for one in found
            if (one.source, one.target) == ends or (either and (one.target, one.source) == ends)
        ),
        None,
    )


def refuse(world: World, kind: EdgeKind, source: str, target: str, why: str = "not so") -> None:
    """Say that an edge does not hold, and sign it."""
    told = edge(world, kind, source, target)
    assert told is not None
    world.desk.graph.by_hand.refuse(told, why=why, nonce=world.desk.new_nonce())
    sign(world)


def sign(world: World) -> None:
    """Sign every drafted edge."""
    desk = world.desk
    receipt = desk.duplicates.sign(signer(world.irina), policy_sha256=desk.policy.sha256)
    assert receipt.recorded, receipt
