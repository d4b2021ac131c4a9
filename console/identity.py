"""Who this process is: settings, clock, randomness and tenant. The only reader of the environment.

Identities come from here when the process starts and are never taken from a page, a URL or a
command's arguments; ``--tenant`` only chooses among the tenants that the workspace names.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from console.model import settings as model_settings
from console.model.settings import ModelSettings
from review.identities import new_id

CONFIG: Final = "config.toml"
_DEFAULT_HOME: Final = Path("~/.local/share/memory-console")


_MODEL_KEY: Final = "ANTHROPIC_API_KEY"
_ID: Final = re.compile(r"[0-9A-Za-z-]{1,64}")
"""Ids of tenants and reviewers are names of folders and files, so they are this and no more."""


class SettingsError(ValueError):
    """The workspace's configuration cannot be used. The message says which line and what to do."""


class NoSuchTenantError(LookupError):
    """A tenant that is not there, or not yours: the two look the same."""

    def __init__(self) -> None:
        """Say the same in both cases."""
        super().__init__("No such tenant, or no access.")


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant of this workspace: an opaque id and a name for people."""

    id: str
    name: str
    database: str = ""
    """Connection words of the PostgreSQL database of its store; empty for a file here."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one process was started with."""

    home: Path
    process: str
    """Opaque id of this installation's processes: the ``writer_identity`` of what they stage."""

    tenants: tuple[Tenant, ...]
    reviewer: str | None
    """Opaque id of the reviewer whose key signs here."""

    reviewer_name: str
    language: str = "en"
    demo: bool = False
    model: ModelSettings = field(default_factory=ModelSettings)
    """Model help; off unless somebody switched it on."""

    def tenant(self, name: str | None = None) -> Tenant:
        """The tenant called ``name`` or with that id; the first one when None.

        Raises:
            NoSuchTenantError: If there is none.
        """
        for tenant in self.tenants:
            if name is None or name in (tenant.name, tenant.id):
                return tenant
        raise NoSuchTenantError


def is_id(word: str) -> bool:
    """Whether ``word`` may be the id of a tenant or reviewer."""
    return _ID.fullmatch(word) is not None


def now() -> datetime:
    """The present moment, UTC."""
    return datetime.now(tz=UTC)


def chance(count: int) -> bytes:
    """Random bytes from the operating system."""
    return os.urandom(count)


def fresh_id() -> str:
    """A new opaque id."""
    return new_id(now(), chance(10))


def home() -> Path:
    """The workspace folder: ``MEMORY_CONSOLE_HOME``, or the user's default one."""
    return Path(os.environ.get("MEMORY_CONSOLE_HOME") or _DEFAULT_HOME).expanduser()


def tenant_name() -> str | None:
    """The tenant that the environment chooses, if it does."""
    return os.environ.get("MEMORY_CONSOLE_TENANT") or None


def pinned_root() -> str | None:
    """Fingerprint of the trust root, from a place outside this workspace, if it is pinned."""
    pinned = os.environ.get("MEMORY_CONSOLE_PIN")
    if pinned:
        return pinned.strip()
    try:
        return Path("/etc/memory-console/root").read_text(encoding="ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def model_key() -> str | None:
    """The key of the account that model help is paid from, if the environment has one."""
    return os.environ.get(_MODEL_KEY) or None


def environment() -> dict[str, str]:
    """The whole environment, for a process that this one starts."""
    return dict(os.environ)


def keyless_environment() -> dict[str, str]:
    """The environment without the key for model help, for a process that asks no model."""
    return {name: value for name, value in os.environ.items() if name != _MODEL_KEY}


def plain_terminal() -> bool:
    """Whether the user asked for output without colour."""
    return bool(os.environ.get("NO_COLOR"))


def read_settings(folder: Path) -> Settings:
    """The settings of the workspace in ``folder``.

    Raises:
        FileNotFoundError: If there is no workspace.
        SettingsError: If its configuration cannot be read.
    """
    path = folder / CONFIG
    try:
        told: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        tenants = tuple(
            Tenant(str(t["id"]), str(t["name"]), str(t.get("database", "")))
            for t in told["tenant"]
        )
        reviewer = told.get("reviewer", {})
        settings = Settings(
            home=folder,
            process=str(told["process"]["id"]),
            tenants=tenants,
            reviewer=reviewer.get("id"),
            reviewer_name=str(reviewer.get("name", "")),
            language=str(told.get("language", "en")),
            demo=bool(told.get("demo", False)),
            model=model_settings.read(told.get("model", {})),
        )
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        msg = f"{path.name} cannot be used ({type(e).__name__}: {e}). Nothing was opened. Mend it."
        raise SettingsError(msg) from e
    if not tenants:
        msg = f"{path.name} names no tenant. Nothing was opened. Add a [[tenant]] section."
        raise SettingsError(msg)
    ids = [one.id for one in tenants]
    if settings.reviewer is not None:
        ids.append(str(settings.reviewer))
    for id_ in ids:
        if _ID.fullmatch(id_) is None:
            msg = (
                f"{path.name}: {id_!r} is no id of a tenant or reviewer: 1 to 64 letters, digits "
                "and hyphens. Nothing was opened. Mend it."
            )
            raise SettingsError(msg)
    return settings


def write_settings(settings: Settings) -> None:
    """Write the workspace's configuration, readable by its owner alone."""
    lines = ["# Who this console is. Identities are read from here when it starts.", ""]
    lines += [f"language = {_quoted(settings.language)}"]
    lines += ["demo = true"] if settings.demo else []
    lines += ["", "[process]", f"id = {_quoted(settings.process)}"]
    if settings.reviewer is not None:
        lines += ["", "[reviewer]", f"id = {_quoted(settings.reviewer)}"]
        lines += [f"name = {_quoted(settings.reviewer_name)}"]
    for tenant in settings.tenants:
        lines += ["", "[[tenant]]", f"id = {_quoted(tenant.id)}", f"name = {_quoted(tenant.name)}"]
        lines += [f"database = {_quoted(tenant.database)}"] if tenant.database else []
    chosen = model_settings.told(settings.model)
    lines += ["", "[model]"] if chosen else []
    lines += [f"{name} = {_spelled(value)}" for name, value in chosen.items()]
    path = settings.home / CONFIG
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join([*lines, ""]), encoding="utf-8")
    fresh.chmod(0o600)
    fresh.replace(path)


def _spelled(value: bool | int | float | str) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
