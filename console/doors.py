"""The doors of a workspace: who each agent is, whose memory it may read, and for what.

A door is a folder, ``doors/NAME``. Its ``door.json`` is written here and only read by the door's
process; nothing that an agent says changes any of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from review.read_rules import Purpose
from review.readers import Reader
from store import whole_files
from store.cells import Kind
from store.spool import Spool

FOLDER: Final = "doors"
CONFIG: Final = "door.json"
FORMAT: Final = "memory-console-door/1"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ID: Final = re.compile(r"[0-9A-Za-z-]{1,64}")
_FINGERPRINT: Final = re.compile(r"SHA256:[0-9A-Za-z+/]{43}")
_PURPOSES: Final = (Purpose.TASK, Purpose.PERSONALISATION)


class DoorError(ValueError):
    """A door that cannot be made or used. The message says why and what to do."""


class NoSuchDoorError(LookupError):
    """There is no door of this name."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("No such door. See memory-console agent list.")


@dataclass(frozen=True, slots=True)
class Door:
    """One agent's door, as its folder says."""

    folder: Path
    id: str
    """Opaque: the ``writer_identity`` of what comes in through it."""

    tenant: str
    purpose: Purpose
    root: str
    """Fingerprint of the trust root that its snapshots are verified under."""

    kinds: frozenset[Kind] | None = None
    """The only kinds it may read; None for all that its purpose allows."""

    scope: Mapping[str, str] = field(default_factory=dict)
    """Whose session it is: ``{"user": "ana"}``. Also the scope of what it stages."""

    @property
    def name(self) -> str:
        """The name for people: that of its folder."""
        return self.folder.name

    @property
    def published(self) -> Path:
        """Where its snapshots are."""
        return self.folder.parents[1] / "stores" / self.tenant / "published"

    @property
    def spool(self) -> Spool:
        """Where its batches and receipts are."""
        return Spool(self.folder)

    @property
    def reader(self) -> Reader:
        """What it may read."""
        kinds = None if self.kinds is None else frozenset(str(kind) for kind in self.kinds)
        return Reader(self.purpose, kinds, dict(self.scope))

    def told(self) -> dict[str, Any]:
        """What ``door.json`` holds."""
        return {
            "format": FORMAT,
            "id": self.id,
            "tenant": self.tenant,
            "purpose": str(self.purpose),
            "kinds": None if self.kinds is None else sorted(map(str, self.kinds)),
            "scope": dict(self.scope),
            "root": self.root,
        }


def folder_of(home: Path, name: str) -> Path:
    """Where a door of this name lives, or would.

    Raises:
        DoorError: If it is no name of a door.
    """
    if _NAME.fullmatch(name) is None:
        msg = "a door's name is 1 to 40 of a-z, 0-9 and hyphens. Nothing was made."
        raise DoorError(msg)
    return home / FOLDER / name


def make(door: Door) -> None:
    """Write a new door.

    Raises:
        DoorError: If it is there already.
    """
    if (door.folder / CONFIG).exists():
        msg = f"there is a door {door.name} already. Nothing was changed."
        raise DoorError(msg)
    for name in ("spool", "receipts"):
        (door.folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    data = json.dumps(door.told(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    whole_files.put(door.folder / CONFIG, data.encode("utf-8"), mode=0o640)


def read(home: Path, name: str) -> Door:
    """The door called ``name``.

    Raises:
        NoSuchDoorError: If there is none.
        DoorError: If its configuration cannot be used.
    """
    folder = home / FOLDER / name
    if _NAME.fullmatch(name) is None or not (folder / CONFIG).is_file():
        raise NoSuchDoorError
    try:
        return _door(folder, json.loads((folder / CONFIG).read_bytes()))
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        msg = f"{name}/{CONFIG} cannot be used ({type(error).__name__}). Nothing was opened."
        raise DoorError(msg) from error


def of(home: Path, tenant: str | None = None) -> list[Door]:
    """The doors of a workspace, or of one tenant of it; those that cannot be read are left out."""
    found = []
    for path in sorted((home / FOLDER).glob(f"*/{CONFIG}")):
        try:
            door = read(home, path.parent.name)
        except (NoSuchDoorError, DoorError):
            continue
        if tenant is None or door.tenant == tenant:
            found.append(door)
    return found


def _door(folder: Path, told: dict[str, Any]) -> Door:
    kinds, scope = told["kinds"], told["scope"]
    words = (told["id"], told["tenant"], told["root"], *scope, *scope.values())
    fits = (
        told["format"] == FORMAT
        and all(type(word) is str and word for word in words)
        and _ID.fullmatch(told["id"])
        and _ID.fullmatch(told["tenant"])
        and _FINGERPRINT.fullmatch(told["root"])
        and Purpose(told["purpose"]) in _PURPOSES
    )
    if not fits:
        raise ValueError(CONFIG)
    return Door(
        folder,
        id=told["id"],
        tenant=told["tenant"],
        purpose=Purpose(told["purpose"]),
        root=told["root"],
        kinds=None if kinds is None else frozenset(Kind(kind) for kind in kinds),
        scope=dict(scope),
    )
