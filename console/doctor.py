"""Looks at an installation and says what is so: versions, permissions, locks, clock, identity.

It changes nothing, and it never prints a passphrase, a key or any text of a memory.
"""

from __future__ import annotations

import platform
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from console import identity
from console.backup import folders, kept
from console.bundles.examined import trouble
from console.bundles.exporting import Folders
from console.forget.examined import examined
from console.identity import Settings, SettingsError, Tenant
from console.phrases import words_of_fingerprint
from console.wiring import (
    NoPolicyError,
    Workspace,
    open_workspace,
    read_parameters,
    read_policy_file,
    root_statement,
)
from review.facts.parameters import TableError
from review.identities import stamp
from review.policy import PolicyError, digest, read_policy
from review.rules import ground
from store import link_drafts, migrations, rule_drafts
from store.connections import Opener, StoreAwayError, StoreBusyError, StoreUnreadableError
from store.drafts import DraftBook, DraftsUnreadableError
from store.link_drafts import LinkBook
from store.log import DamagedStoreError
from store.migrations import StoreNewerError
from store.rule_drafts import RuleBook

OK: Final = "ok"
WARN: Final = "warn"
FAIL: Final = "fail"

_PACKAGES: Final = ("memory-console", "streamlit", "duckdb", "sqlmodel", "pandas", "cryptography")
_LEFTOVERS: Final = ("*.new", "*.creating", "*.wal", "*.tmp")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    verdict: str
    detail: str


def examine(home: Path, now: datetime) -> list[Finding]:
    """Everything there is to say about the installation in ``home``."""
    found = [_versions()]
    if not (home / identity.CONFIG).exists():
        detail = f"none in {home} yet; make one with: memory-console reviewer new"
        return [*found, Finding("workspace", WARN, detail)]
    try:
        place = open_workspace(home)
    except (ValueError, RuntimeError, OSError) as error:
        return [*found, Finding("workspace", FAIL, str(error))]
    found.append(Finding("workspace", OK, str(home)))
    found += [*_permissions(home), *_identity(place), _policy(home), _parameters(home)]
    for tenant in place.settings.tenants:
        found += _store(place, tenant, now)
    return [*found, _leftovers(home)]


def is_well(found: list[Finding]) -> bool:
    """Whether nothing failed."""
    return all(one.verdict != FAIL for one in found)


def _versions() -> Finding:
    told = [f"python {platform.python_version()}"]
    told += [f"{name} {_version(name)}" for name in _PACKAGES]
    return Finding("versions", OK, ", ".join(told))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"


def _permissions(home: Path) -> Iterator[Finding]:
    """The workspace, its keys and its stores are readable by their owner alone."""
    loose = [path for path in _private_paths(home) if stat.S_IMODE(path.lstat().st_mode) & 0o077]
    if not loose:
        yield Finding("permissions", OK, "readable by you alone")
        return
    named = ", ".join(str(path.relative_to(home.parent)) for path in loose)
    if home in loose or any(path.is_file() for path in loose):
        yield Finding("permissions", FAIL, f"others can read {named}; chmod go-rwx")
    else:
        detail = f"{named} is open, though inside a private folder; chmod go-rwx"
        yield Finding("permissions", WARN, detail)


def _private_paths(home: Path) -> Iterator[Path]:
    """What should be 0700 or 0600."""
    folders = [home, home / "keys", home / "trust", home / "stores", *home.glob("stores/*")]
    yield from (path for path in folders if path.is_dir())
    files = [home / identity.CONFIG, *home.glob("stores/*/*.duckdb"), *home.glob("keys/*")]
    yield from (path for path in files if path.is_file() and path.suffix != ".pub")


def _identity(place: Workspace) -> Iterator[Finding]:
    settings = place.settings
    tenants = ", ".join(f"{tenant.name} ({tenant.id})" for tenant in settings.tenants)
    yield Finding("identity", OK, f"process {settings.process}; tenants {tenants}")
    yield _reviewer(place, settings)
    if place.root is None:
        yield Finding("trust root", WARN, "no reviewer yet, so nothing can be made durable")
        return
    fingerprint = place.root.key.fingerprint
    told = f"{fingerprint} ({words_of_fingerprint(fingerprint)})"
    if identity.pinned_root() is None:
        advice = "NOT PINNED: whoever can write to this folder can replace it"
        yield Finding("trust root", WARN, f"{told} {advice}")
    else:
        yield Finding("trust root", OK, f"{told} pinned")


def _reviewer(place: Workspace, settings: Settings) -> Finding:
    if settings.reviewer is None:
        return Finding("reviewer", WARN, "none: you can look but not decide")
    if not place.key_path(settings.reviewer).is_file():
        return Finding("reviewer", FAIL, f"{settings.reviewer} has no key file in keys/")
    return Finding("reviewer", OK, f"{settings.reviewer} {settings.reviewer_name}".strip())


def _policy(home: Path) -> Finding:
    try:
        text = read_policy_file(home)
        read_policy(text)
    except NoPolicyError as error:
        return Finding("policy", FAIL, str(error))
    except PolicyError as error:
        return Finding("policy", FAIL, "; ".join(error.problems))
    return Finding("policy", OK, f"sha256 {digest(text)}")


def _parameters(home: Path) -> Finding:
    """The table that facts are read with; a workspace can extend it."""
    try:
        table = read_parameters(home)
    except TableError as error:
        return Finding("parameters", FAIL, "; ".join(error.faults))
    return Finding("parameters", OK, f"{len(table.parameters)} known")


def _store(place: Workspace, tenant: Tenant, now: datetime) -> Iterator[Finding]:
    """A tenant's store. Anything the database says against it is a finding, not a crash."""
    name = f"store {tenant.name}"
    try:
        if not place.has_store(tenant):
            yield Finding(name, OK, "none yet; made by the first import")
            return
        yield Finding(name, OK, _opened(place, tenant))
        yield _clock(place, tenant, now)
        yield _backups(place, tenant, now)
        yield from _forgets(place, tenant)
        yield from _rules(place, tenant, now)
        yield from _bundles(place, tenant)
    except StoreBusyError as busy:
        yield Finding(name, WARN, f"held by {busy.holder}")
    except (
        *(DamagedStoreError, SettingsError, StoreAwayError, StoreNewerError),
        StoreUnreadableError,
    ) as error:
        yield Finding(name, FAIL, str(error))
    except Exception as error:
        first = str(error).split("\n", 1)[0]
        yield Finding(name, FAIL, f"cannot be opened ({first}); run memory-console verify")
    yield from _drafts(place, tenant)


def _opened(place: Workspace, tenant: Tenant) -> str:
    """What can be said of a store once it is open."""
    if tenant.database:
        size = place.store(tenant).head().size
        return f"in PostgreSQL; {size} events; schema {migrations.KNOWN} or earlier"
    with Opener(place.store_path(tenant), patience=0).work() as connection:
        version = migrations.version_of(connection)
    return f"schema {version} of {migrations.KNOWN}; nobody holds it"


def _backups(place: Workspace, tenant: Tenant, now: datetime) -> Finding:
    """Whether a backup should have been deleted by now: it holds what was forgotten since."""
    name, found = f"backups {tenant.name}", folders.kept(place, tenant, place.store(tenant))
    late = kept.overdue(found, now.date())
    if late:
        named = ", ".join(one.backup for one in late)
        detail = f"{len(late)} overdue: {named}; memory-console backup delete --due"
        return Finding(name, WARN, detail)
    return Finding(name, OK, f"{len(found)}, none overdue")


def _forgets(place: Workspace, tenant: Tenant) -> Iterator[Finding]:
    """Forget requests that were cut off, before their signature or after it, and lost reports."""
    if told := "; ".join(examined(place, tenant)):
        yield Finding(f"forget {tenant.name}", WARN, told)


def _clock(place: Workspace, tenant: Tenant, now: datetime) -> Finding:
    """Whether this machine's clock is behind the newest event, which it must not be."""
    store = place.store(tenant)
    size = store.head().size
    newest = store.events(start=size - 1)[0].recorded_at
    name, told = f"clock {tenant.name}", f"newest event {newest}, now {stamp(now)}"
    if stamp(now) < newest:
        return Finding(name, WARN, f"{told}: the clock is behind; set it before you sign")
    return Finding(name, OK, told)


def _rules(place: Workspace, tenant: Tenant, now: datetime) -> Iterator[Finding]:
    """Exported rules, and those of them that stand on fallen ground."""
    store, name = place.store(tenant), f"rules {tenant.name}"
    exports = store.standing().exports
    if not exports:
        return
    try:
        policy, table = read_policy(read_policy_file(place.home)), read_parameters(place.home)
    except (NoPolicyError, PolicyError, TableError):
        return  # each has a line of its own
    fallen = ground.fallen_now(store, policy, table, now)
    if not fallen:
        yield Finding(name, OK, f"{len(exports)} exported; what they were made from stands")
        return
    told = ", ".join(f"{one.export.export[:8]} ({one.fall})" for one in fallen)
    detail = f"on fallen ground: {told}; see memory-console rules list --exported"
    yield Finding(name, WARN, detail)


def _bundles(place: Workspace, tenant: Tenant) -> Iterator[Finding]:
    """Whether the folders of exported rules are there, whole and as they were recorded."""
    store = place.store(tenant)
    if store.standing().exports:
        wrong = trouble(Folders(place.home, store, lambda: root_statement(place.home)))
        yield Finding(f"bundles {tenant.name}", WARN if wrong else OK, wrong or "as recorded")


def _drafts(place: Workspace, tenant: Tenant) -> Iterator[Finding]:
    for path in sorted((place.store_path(tenant).parent / "drafts").glob("*.json")):
        name = f"drafts {tenant.name}"
        try:
            yield Finding(name, OK, f"{_drafted(path)} not signed yet")
        except DraftsUnreadableError as error:
            yield Finding(name, FAIL, str(error))


def _drafted(path: Path) -> int:
    """How many drafts a file has: of decisions, of links, of rules."""
    if path.name.endswith(rule_drafts.SUFFIX):
        return len(RuleBook(path).all())
    if path.name.endswith(link_drafts.SUFFIX):
        return len(LinkBook(path).all())
    return len(DraftBook(path).all())


def _leftovers(home: Path) -> Finding:
    left = sorted(str(p.relative_to(home)) for kind in _LEFTOVERS for p in home.rglob(kind))
    if left:
        detail = f"{', '.join(left)}: of a program that was cut off, or of one that is running"
        return Finding("leftovers", WARN, detail)
    return Finding("leftovers", OK, "none")
