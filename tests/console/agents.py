"""A workspace with a reviewer, memories, doors and real MCP clients, for the tests of doors."""

from __future__ import annotations

import atexit
import json
import shutil
import sys
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from console import door_wiring, doors, signing
from console.agent_acts import Acts
from console.agent_wiring import acts_of
from console.doors import Door
from console.wiring import Workspace, enrol, new_workspace, open_workspace
from importers import catalogue, source
from review.deciding import Wish
from review.desk import Desk
from review.read_rules import Purpose
from review.staged.flags import needs_tick
from store.cells import Kind
from store.stages import DecisionKind
from tests.console.test_cli import PASSPHRASE, environment


def cell(claim: str, n: object, **more: Any) -> dict[str, Any]:
    told = {
        "claim": claim,
        "kind": "fact",
        "source_type": "document",
        "source_id": f"notes:{n}",
        "written_at": "2026-03-01T10:00:00Z",
    }
    return told | more


@cache
def _founded(tenants: tuple[str, ...], stores: bool) -> Path:
    """The workspace that ``Firm.founded`` copies; a store takes most of a second to make."""
    folder = Path(tempfile.mkdtemp(prefix="firms-for-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = new_workspace(folder / "home", tenants=tenants)
    place, _ = enrol(made, name="Irina", passphrase=PASSPHRASE)
    for tenant in place.settings.tenants if stores else ():
        place.desk(tenant)
    return place.home


@dataclass
class Firm:
    """One tenant of a workspace, with the reviewer's key open."""

    place: Workspace
    name: str
    key: signing.Unlocked
    items: list[str] = field(default_factory=list)
    bot: Door | None = None

    @classmethod
    def founded(cls, home: Path, *tenants: str, stores: bool = True) -> list[Firm]:
        """A workspace with a reviewer. With ``stores`` each tenant has one that is empty."""
        place = open_workspace(shutil.copytree(_founded(tenants, stores), home))
        path = place.key_path(place.settings.reviewer or "")
        key = signing.unlock(path, PASSPHRASE, now=place.clock())
        return [cls(place, tenant, key) for tenant in tenants]

    def copied(self, home: Path) -> Firm:
        """The same in a workspace of its own, to be changed."""
        place = open_workspace(shutil.copytree(self.place.home, home))
        bot = self.bot and doors.read(place.home, self.bot.name)
        return replace(self, place=place, items=list(self.items), bot=bot)

    @property
    def tenant(self):
        return self.place.settings.tenant(self.name)

    @property
    def desk(self) -> Desk:
        return self.place.desk(self.tenant)

    @property
    def published(self) -> Path:
        return self.place.store_path(self.tenant).parent / "published"

    def sign(self, statements):
        return self.key.sign(statements, now=self.key._until)

    def stage(self, *records: dict[str, Any]) -> list[str]:
        lines = [json.dumps({"format": "memory-console/1"}), *map(json.dumps, records)]
        data = "\n".join([*lines, ""]).encode()
        desk = self.desk
        with desk.held():
            reading = catalogue.open_reading(source.from_bytes("n.jsonl", data))
            return desk.stage(reading).items

    def decide(self, *items: str, decision: DecisionKind = DecisionKind.APPROVE) -> None:
        desk = self.desk
        with desk.held():  # as a page does it
            for item in items:
                shown = desk.card_of(item)
                ticks = tuple(str(code) for code in needs_tick(shown.flags))
                desk.draft(shown, Wish(decision, nonce=desk.new_nonce(), acknowledged=ticks))
            receipt = desk.sign(self.sign)
        assert not receipt.set_aside, receipt

    def learn(self, *records: dict[str, Any]) -> list[str]:
        items = self.stage(*records)
        self.decide(*items)
        return items

    def withdraw(self, *items: str) -> None:
        self.decide(*items, decision=DecisionKind.WITHDRAW)

    def door(
        self,
        name: str,
        *,
        purpose: Purpose = Purpose.TASK,
        kinds: set[Kind] | None = None,
        **scope: str,
    ) -> Door:
        return door_wiring.new_door(
            self.place,
            self.tenant,
            name,
            purpose=purpose,
            kinds=None if kinds is None else frozenset(kinds),
            scope=scope,
        )

    @property
    def publishing(self):
        return door_wiring.publishing(self.place, self.tenant, self.place.store(self.tenant))

    def publish(self, **more: Any):
        return self.publishing.publish(self.sign, **more)

    def ingest(self):
        return door_wiring.ingest(self.place, self.tenant, self.desk)

    def acts(self, door: Door) -> Acts:
        return acts_of(door, clock=self.place.clock, chance=self.place.chance)


@asynccontextmanager
async def client(home: Path, name: str):
    """A real client, connected to the real process of a door."""
    words = ["-c", "from console.cli import main; main()", "agent", "run", name]
    server = StdioServerParameters(
        command=sys.executable, args=words, env=environment(home), cwd=str(Path.cwd())
    )
    async with Client(server, read_timeout_seconds=60) as connected:
        yield connected


async def told(connected: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gives when it does not fail."""
    found = await connected.call_tool(name, arguments)
    assert not found.is_error, found
    return found.structured_content


async def refused(connected: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Why a tool does nothing."""
    found = await connected.call_tool(name, arguments)
    assert found.is_error, found
    return found.structured_content["error"]


def run(work, *args):
    """Run one conversation with a door to its end."""
    return anyio.run(work, *args)
