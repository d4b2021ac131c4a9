"""The demo workspace: two made-up firms, imported and signed through the same code as real ones.

It is deterministic but for the key, which is new each time: the same clock and the same seed give
the same records, ids and artifacts. The passphrase is public, so its key must never sign anything
else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Final

from console import identity, signing
from console.demo_story import (
    ENDS,
    PASSPHRASE,
    SECRET_FILE,
    TENANTS,
    Answered,
    Choice,
    Decided,
    Heard,
    Imported,
    Learned,
    Step,
    secret_line,
    story,
)
from console.identity import Settings, Tenant
from console.signing import Unlocked
from console.wiring import POLICY_FILE, Workspace, plant_root, read_root, shipped_policy
from importers.catalogue import open_reading
from importers.source import from_bytes
from review.auditing.reported import Document, Reported
from review.deciding import Wish
from review.desk import Desk
from review.identities import Chance, new_id
from review.recall import Question
from review.staged.flags import needs_tick
from store.canonical import encode, sha256
from store.stages import DecisionKind
from store.statements import SignedStatement

REVIEWER: Final = "Irina K."
SEED: Final = b"memory-console demo 1"

Staged = dict[str, list[str]]
"""Ids of the records that were staged, by file."""


@dataclass
class StoryClock:
    """Stands at the moment of the story that is being told; each look is a millisecond later."""

    moment: datetime = ENDS

    def move_to(self, moment: datetime) -> None:
        """Go on to ``moment``; never back."""
        self.moment = max(self.moment, moment)

    def __call__(self) -> datetime:
        """The present moment of the story."""
        self.moment += timedelta(milliseconds=1)
        return self.moment


@dataclass
class SeededChance:
    """Bytes that look random and are the same for the same seed. Source: SHAKE-256, FIPS 202."""

    seed: bytes = SEED
    drawn: int = 0

    def __call__(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        self.drawn += 1
        return hashlib.shake_256(self.seed + self.drawn.to_bytes(8, "big")).digest(count)


def build(
    folder: Path, *, clock: StoryClock | None = None, chance: Chance | None = None
) -> Workspace:
    """Make the demo workspace in ``folder``, an empty or new folder, and tell the story in it.

    Raises:
        FileExistsError: If there is a workspace already.
    """
    clock = clock or StoryClock(story()[0].at)
    chance = chance or SeededChance()
    if (folder / identity.CONFIG).exists():
        msg = f"there is a workspace in {folder} already. Nothing was changed."
        raise FileExistsError(msg)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = _settings(folder, clock(), chance)
    identity.write_settings(settings)
    (folder / POLICY_FILE).write_bytes(shipped_policy())
    reviewer, steps = str(settings.reviewer), story()
    first = next(n for n, step in enumerate(steps) if isinstance(step, Decided))
    place = Workspace(settings, None, clock, chance)
    staged: Staged = {}
    with ThreadPoolExecutor(1) as aside:  # a key takes a second, and so do the first imports
        key = aside.submit(_new_pen, place.key_path(reviewer), reviewer, clock.moment)
        _tell(place, clock, steps[:first], staged, None)
        pen = key.result()
    plant_root(folder, reviewer, pen.key, now=pen.opened)
    place = replace(place, root=read_root(folder, pin=None))
    _tell(place, clock, steps[first:], staged, pen)
    pen.key.forget()
    clock.move_to(ENDS)
    return place


class Pen:
    """Irina's key, open for the whole story: its minute is one of real time."""

    def __init__(self, key: Unlocked, opened: datetime) -> None:
        """Hold a key that was opened at that moment of the story."""
        self.key = key
        self.opened = opened

    def __call__(self, statements: Sequence[bytes]) -> list[SignedStatement]:
        """Sign."""
        return self.key.sign(statements, now=self.opened)


def _settings(folder: Path, now: datetime, chance: Chance) -> Settings:
    return Settings(
        home=folder,
        process=f"p-{new_id(now, chance(10))}",
        tenants=tuple(Tenant(new_id(now, chance(10)), name) for name in TENANTS),
        reviewer=f"r-{new_id(now, chance(10))}",
        reviewer_name=REVIEWER,
        demo=True,
    )


def _new_pen(path: Path, reviewer: str, now: datetime) -> Pen:
    return Pen(signing.new_key(path, PASSPHRASE, comment=reviewer, now=now), now)


def _tell(
    place: Workspace, clock: StoryClock, steps: Sequence[Step], staged: Staged, pen: Pen | None
) -> None:
    """Take these steps. Decisions need the pen."""
    with ExitStack() as stack:
        desks = {tenant.name: place.desk(tenant) for tenant in place.settings.tenants}
        for desk in desks.values():
            stack.enter_context(desk.held())
        for step in steps:
            clock.move_to(step.at)
            desk = desks[step.tenant]
            if isinstance(step, Imported):
                staged[step.file] = _import(desk, step)
            elif isinstance(step, Learned):
                built = desk.experience.build().receipt
                staged[step.name] = built.items if built is not None else []
            elif isinstance(step, Answered | Heard):
                _answer(desk, step)
            elif pen is not None:
                for choice in step.choices:
                    _draft(desk, choice, staged[choice.file])
                desk.sign(pen)


def _import(desk: Desk, step: Imported) -> list[str]:
    content = resources.files("console").joinpath("demo_data", step.file).read_bytes()
    if step.file == SECRET_FILE:
        content += secret_line()
    modified = step.at.isoformat().replace("+00:00", "Z")
    source = from_bytes(step.file, content, modified_at=modified)
    return desk.stage(open_reading(source)).items


def _answer(desk: Desk, step: Answered | Heard) -> None:
    """An answer of the agent: what it was given, as it was recorded, and what it said."""
    recall, system = "", "langfuse"
    documents: tuple[Document, ...] = ()
    if isinstance(step, Answered):
        served = desk.ask(Question(step.question, asked_at=step.at)).recall
        recall, system = str(desk.record_recall(served).body["recall"]), "command_line"
    else:
        documents = tuple(Document(text, "", "") for text in step.read)
    told = Reported(
        question=step.question,
        answer=step.said,
        asked_at=step.at.isoformat(),
        documents=documents,
        trace="",
        system=system,
        recall=recall,
    )
    desk.audit.report(told)


def _draft(desk: Desk, choice: Choice, items: Sequence[str]) -> None:
    shown = [desk.card_of(items[place]) for place in choice.places]
    wish = Wish(
        DecisionKind(choice.decision),
        reason=choice.reason,
        note=choice.note,
        acknowledged=tuple(code for card in shown for code in needs_tick(card.flags)),
        nonce=desk.new_nonce(),
    )
    if choice.as_list:
        frozen = sha256(encode([card.item for card in shown])).hex()
        desk.draft_list(shown, replace(wish, mode="bulk", list_sha256=frozen))
        return
    for card in shown:
        desk.draft(card, wish)
