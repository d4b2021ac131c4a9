"""Builds the real objects for the console and the command line. It names the concrete store."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import Final

from console import identity, signing, tenant_store
from console.identity import Settings, Tenant
from console.signing import Unlocked
from console.tenant_store import Founding
from review.desk import Desk
from review.facts import parameters
from review.facts.parameters import Table
from review.identities import Chance, Clock, new_id, stamp
from review.person import Person
from store import trust_root
from store.drafts import DraftBook
from store.events import ActorKind, EventType, Happening
from store.log import Entry
from store.log_store import LogStore
from store.signatures import BadSignatureError, PublicKey
from store.standing import TrustRoot
from store.statements import BadStatementError, ReviewerStatement, SignedStatement

STORE_FILE: Final = "store.duckdb"
FORGETS: Final = "forgets"
"""The folder beside a store with the files about forget requests."""

POLICY_FILE: Final = "policy.yaml"
PARAMETERS_FILE: Final = "parameters.yaml"
_ROOT: Final = "root.json"
_NO_ROOT: Final = (
    AttributeError,
    BadSignatureError,
    BadStatementError,
    KeyError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading a file raises that is no root: other JSON, no JSON, no text, no file."""


class TrustRootError(RuntimeError):
    """The workspace's trust root is missing, altered, or not the one that was pinned."""


class NoPolicyError(RuntimeError):
    """The workspace's policy file is not there, or is no file that can be read."""

    def __init__(self, path: Path) -> None:
        """Say what to do."""
        super().__init__(
            f"{path} is missing or cannot be read. Nothing was opened. Restore it, or start "
            "memory-console run with a new workspace and copy its policy.yaml here; it is the "
            "one in the package (review/default_policy.yaml)."
        )


@dataclass(frozen=True, slots=True)
class Workspace:
    """One installation: its settings, its trust root, and where things are."""

    settings: Settings
    root: TrustRoot | None
    clock: Clock
    chance: Chance

    @property
    def home(self) -> Path:
        """The workspace folder."""
        return self.settings.home

    def store_path(self, tenant: Tenant) -> Path:
        """The file that holds a tenant's store, or what its files are named after."""
        return self.home / "stores" / tenant.id / STORE_FILE

    def key_path(self, reviewer: str) -> Path:
        """The key file of a reviewer."""
        return self.home / "keys" / reviewer

    def facts(self, tenant: Tenant) -> dict[str, str]:
        """What the console was started with, for people: its process, its folder, its database."""
        told = {"process": self.settings.process, "home": str(self.home)}
        return told | tenant_store.told(tenant)

    def has_store(self, tenant: Tenant) -> bool:
        """Whether a tenant has a store already.

        Raises:
            As ``console.tenant_store``.
        """
        return tenant_store.exists(self.store_path(tenant), tenant)

    def store(self, tenant: Tenant) -> LogStore:
        """A tenant's store; made on first use.

        Raises:
            As ``console.tenant_store``.
        """
        path = self.store_path(tenant)
        return tenant_store.opened(path, tenant, trust=self.root, founding=self._founding)

    def desk(self, tenant: Tenant) -> Desk:
        """A desk over a tenant's store, with the workspace's policy adopted.

        Raises:
            NoPolicyError: If there is no policy file.
            review.policy.PolicyError: If what it says is no policy and none was recorded.
            store.connections.StoreBusyError: If another process holds the store.
            store.connections.StoreAwayError: If its database cannot be reached.
        """
        policy = read_policy_file(self.home)
        person = None
        if self.settings.reviewer is not None:
            person = Person(self.settings.reviewer, self.settings.reviewer_name)
        drafts = None
        if person is not None:
            folder = self.store_path(tenant).parent / "drafts"
            drafts = folder / f"{person.reviewer}.json"
        desk = Desk(
            self.store(tenant),
            person=person,
            book=DraftBook(drafts),
            process=self.settings.process,
            clock=self.clock,
            chance=self.chance,
            table=read_parameters(self.home),
        )
        desk.adopt_policy(policy)
        return desk

    def _founding(self) -> Founding:
        process = self.settings.process
        store, key, now = new_id(self.clock(), self.chance(10)), self.chance(32), self.clock()
        created = EventType.STORE_CREATED
        first = Happening(created, stamp(now), process, ActorKind.PROCESS, process)
        return Founding(store, key, Entry(first))


def open_workspace(folder: Path, *, clock: Clock = identity.now) -> Workspace:
    """The workspace in ``folder``, under the trust root that is pinned outside it, if one is.

    Raises:
        FileNotFoundError: If there is none.
        console.identity.SettingsError: If its configuration cannot be read.
        TrustRootError: If its trust root was altered or is not the pinned one.
    """
    settings = identity.read_settings(folder)
    root = read_root(folder, pin=identity.pinned_root())
    return Workspace(settings, root, clock, identity.chance)


def new_workspace(folder: Path, *, tenants: tuple[str, ...] = ("main",)) -> Workspace:
    """Make a workspace: configuration, the shipped policy, no reviewer yet.

    Raises:
        FileExistsError: If there is one already.
    """
    if (folder / identity.CONFIG).exists():
        msg = "there is a workspace here already. Nothing was changed."
        raise FileExistsError(msg)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = Settings(
        home=folder,
        process=f"p-{identity.fresh_id()}",
        tenants=tuple(Tenant(identity.fresh_id(), name) for name in tenants),
        reviewer=None,
        reviewer_name="",
    )
    if not (folder / POLICY_FILE).exists():
        (folder / POLICY_FILE).write_bytes(shipped_policy())
    identity.write_settings(settings)
    return open_workspace(folder)


def read_policy_file(folder: Path) -> bytes:
    """The workspace's policy as it is written.

    Raises:
        NoPolicyError: If it cannot be read.
    """
    path = folder / POLICY_FILE
    try:
        return path.read_bytes()
    except OSError as error:
        raise NoPolicyError(path) from error


def read_parameters(folder: Path) -> Table:
    """The parameter table, extended by the workspace's ``parameters.yaml`` if there is one.

    Raises:
        review.facts.parameters.TableError: With every fault of the file.
    """
    path = folder / PARAMETERS_FILE
    extra = path.read_text(encoding="utf-8") if path.exists() else ""
    return parameters.load(extra=extra)


def shipped_policy() -> bytes:
    """The policy that a new workspace starts with."""
    return resources.files("review").joinpath("default_policy.yaml").read_bytes()


def enrol(workspace: Workspace, *, name: str, passphrase: str) -> tuple[Workspace, PublicKey]:
    """Make this installation's reviewer key. The first one of a workspace is its trust root.

    Raises:
        console.signing.PassphraseError: If the passphrase is too short.
        FileExistsError: If this installation has a reviewer already.
    """
    if workspace.settings.reviewer is not None:
        msg = f"this installation has a reviewer: {workspace.settings.reviewer}. No key was made."
        raise FileExistsError(msg)
    reviewer = f"r-{identity.fresh_id()}"
    path = workspace.key_path(reviewer)
    key = signing.new_key(path, passphrase, comment=reviewer, now=workspace.clock())
    if workspace.root is None:
        plant_root(workspace.home, reviewer, key, now=workspace.clock())
    key.forget()
    settings = replace(workspace.settings, reviewer=reviewer, reviewer_name=name)
    identity.write_settings(settings)
    return open_workspace(workspace.home, clock=workspace.clock), key.public


def read_root(folder: Path, *, pin: str | None) -> TrustRoot | None:
    """The trust root of a workspace; None before the first reviewer.

    Raises:
        TrustRootError: If it is not signed by itself, or is not the pinned one.
    """
    try:
        signed = root_statement(folder)
        root = trust_root.opened(signed)
    except FileNotFoundError:
        return None
    except _NO_ROOT as error:
        msg = f"trust/{_ROOT} is not a self-signed root ({type(error).__name__}). Restore it."
        raise TrustRootError(msg) from error
    if pin is not None and pin != root.key.fingerprint:
        found = root.key.fingerprint
        msg = f"the trust root is {found}, but {pin} is pinned. Nothing was opened."
        raise TrustRootError(msg)
    return root


def root_statement(folder: Path) -> SignedStatement:
    """The self-signed statement that declares a workspace's trust root.

    Raises:
        FileNotFoundError: If there is none yet.
        OSError, KeyError, TypeError, ValueError, RecursionError: If the file holds none.
    """
    told = json.loads((folder / "trust" / _ROOT).read_text(encoding="utf-8"))
    return trust_root.spelled(told)


def plant_root(folder: Path, reviewer: str, key: Unlocked, *, now: datetime) -> None:
    """Write the trust root: a reviewer's key, signed by itself."""
    statement = ReviewerStatement("root", reviewer, key.public, signed_at=stamp(now), by=reviewer)
    (signed,) = key.sign([statement.encode()], now=now)
    plant_statement(folder, signed)


def plant_statement(folder: Path, signed: SignedStatement) -> None:
    """Write the statement that declares a workspace's trust root."""
    (folder / "trust").mkdir(exist_ok=True, mode=0o700)
    told = {"statement": signed.statement.decode("utf-8"), "signature": signed.signature}
    (folder / "trust" / _ROOT).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
