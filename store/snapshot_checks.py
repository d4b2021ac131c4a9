"""Whether a published snapshot may be served: every check before it is, and the first that fails.

It reads the published folder and nothing else. The order is: who signed, for whom, until when;
the file's bytes; the log's events; the decisions; the state; what was seen before; the deny list.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb

from store import reviewer_standing, snapshot_tables, trust_root, whole_files
from store.last_seen import Seen
from store.log import DamagedStoreError
from store.publications import (
    DenyStatement,
    PublishStatement,
    read_deny,
    read_publish,
    state_root,
)
from store.published import Published
from store.refusing import NotServedError, Refused
from store.signatures import BadSignatureError, PublicKey, verify
from store.standing import Standing, TrustRoot
from store.statements import BadStatementError, SignedStatement, read_reviewer

CURRENT: Final = "current.json"
DENY: Final = "deny.json"
FORMAT: Final = "memory-console-published/1"
_NAME: Final = re.compile(r"snapshot-[0-9]{1,16}-[0-9a-f]{16}\.duckdb")
_LONGEST: Final = 16 * 1024 * 1024
"""Bytes of a small file that are read at most."""

_ODD: Final = (
    OSError,
    KeyError,
    TypeError,
    ValueError,
    RecursionError,
    BadSignatureError,
    BadStatementError,
)

_COLUMNS: Final = (
    ("item", "item"),
    ("rev", "rev"),
    ("kind", "kind"),
    ("source_type", "source_type"),
    ("text", "text_c"),
    ("provenance", "provenance_c"),
    ("scope", "scope_c"),
    ("facts", "facts_c"),
    ("conclusion", "conclusion_c"),
    ("valid_from", "valid_from"),
    ("valid_to", "valid_to"),
    ("expires_at", "expires_at"),
)
"""Names in a manifest, and the columns that readers find and judge a cell by."""

_NAMES: Final = ", ".join(f"'$.artifact.{name}'" for name, _ in _COLUMNS)
_HELD: Final = ", ".join(f"p.{column}::varchar" for _, column in _COLUMNS)
_MANIFESTS: Final = f"""
    select count(*) as n from proj_item p
    left join log_leaf l on l.seq = p.seq and l.ordinal = p.n
    where p.digest is distinct from
        sha256(regexp_extract(decode(l.canon), '^\\{{"artifact":(.*?\\}}),"digest":"', 1))
    or json_extract_string(decode(l.canon), [{_NAMES}]) is distinct from [{_HELD}]
    or l.place is distinct from {snapshot_tables.place_of("l")}
"""
"""Cells whose manifest is not the one of their digest, or that are listed as something else than
it says, such as of another kind or scope; or that are kept under the key of another. A manifest
has no key ``digest``."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reader goes by, from its own configuration."""

    tenant: str
    root: str
    """Fingerprint of the trust root."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What ``current.json`` points at, with the signature over it checked in itself."""

    path: Path
    root: TrustRoot
    key: PublicKey
    """The key that made the signature. Whose it is, the snapshot's own log says."""

    statement: PublishStatement
    sha256: str
    """Of the statement."""


def pointed(folder: Path, expected: Expected, now: str) -> Pointed:
    """What is published now.

    Args:
        folder: The published folder of one tenant.
        expected: Tenant and pinned root.
        now: The present moment, as the log writes times.

    Raises:
        NotServedError: With the first thing that does not hold.
    """
    told = _read(folder / CURRENT, Refused.NOTHING_PUBLISHED)
    try:
        root = trust_root.opened(trust_root.spelled(told["root"]))
        signed = trust_root.spelled(told)
        key, statement = verify(signed.statement, signed.signature), read_publish(signed.statement)
        name = str(told["snapshot"])
    except (BadSignatureError, BadStatementError) as error:
        raise NotServedError(Refused.NOT_SIGNED, str(error)) from error
    except _ODD as error:
        raise NotServedError(Refused.UNREADABLE, type(error).__name__) from error
    if root.key.fingerprint != expected.root:
        raise NotServedError(Refused.OTHER_ROOT, root.key.fingerprint)
    if statement.tenant != expected.tenant:
        raise NotServedError(Refused.OTHER_TENANT)
    if statement.valid_until is not None and statement.valid_until <= now:
        raise NotServedError(Refused.EXPIRED, statement.valid_until)
    if _NAME.fullmatch(name) is None:
        raise NotServedError(Refused.UNREADABLE, "the name of the snapshot")
    return Pointed(folder / name, root, key, statement, signed.sha256)


def opened(at: Pointed) -> Published:
    """The snapshot, after everything in it was held against what was signed.

    Raises:
        NotServedError: With the first thing that does not hold.
    """
    try:
        if not at.path.is_file() or at.path.is_symlink():
            raise NotServedError(Refused.UNREADABLE, "the snapshot is not there")
        if whole_files.sha256_of(at.path) != at.statement.snapshot_sha256:
            raise NotServedError(Refused.FILE_DIFFERS)
        found = Published(at.path)
    except (OSError, duckdb.Error, DamagedStoreError) as error:
        raise NotServedError(Refused.UNREADABLE, type(error).__name__) from error
    try:
        _believed(found, at)
    except NotServedError:
        found.close()
        raise
    except (*_ODD, duckdb.Error, DamagedStoreError) as error:
        found.close()
        raise NotServedError(Refused.LOG_DIFFERS, type(error).__name__) from error
    return found


def _believed(found: Published, at: Pointed) -> None:
    told = at.statement
    if (found.store_id, found.tenant_id) != (told.store, told.tenant):
        raise NotServedError(Refused.OTHER_TENANT)
    if len(found.roots()) - 1 != told.size or found.root_at(told.size) != told.root:
        raise NotServedError(Refused.LOG_DIFFERS)
    standing = found.replayed(at.root)
    if standing.keys.get(told.reviewer) != at.key:
        raise NotServedError(Refused.NOT_SIGNED, f"{at.key.fingerprint} may not sign here")
    if told.reviewer_seq != standing.sequence.get(told.reviewer, 0) + 1:
        raise NotServedError(Refused.NOT_SIGNED, "it is not the reviewer's next statement")
    durable = list(standing.durable())
    if state_root(durable) != told.state_root:
        raise NotServedError(Refused.STATE_DIFFERS)
    _items(found, durable)
    found.believe(at.root, standing)


def _items(found: Published, durable: list[tuple[str, int, str]]) -> None:
    """Each durable cell is there, as the very artifact that was approved, and no other is."""
    held = {
        (row["item"], row["rev"], row["digest"])
        for row in found.rows("select item, rev, digest from proj_item")
    }
    if held != set(durable) or found.rows(_MANIFESTS)[0]["n"]:
        raise NotServedError(Refused.ITEM_DIFFERS)


def continues(found: Published, at: Pointed, seen: Seen | None) -> None:
    """Whether the snapshot comes after what was seen.

    Raises:
        NotServedError: For an older one, another store, or a log that was bent since.
    """
    if seen is None:
        return
    if seen.store != at.statement.store:
        raise NotServedError(Refused.OTHER_TENANT)
    if at.statement.size < seen.size:
        raise NotServedError(Refused.OLDER, f"{at.statement.size} events; {seen.size} before")
    if found.root_at(seen.size) != seen.root:
        raise NotServedError(Refused.FORKED)


def denied(
    folder: Path, at: Pointed, standing: Standing, seen: Seen | None
) -> tuple[DenyStatement, str] | None:
    """The deny list over the snapshot, with its statement's digest; None if there is none.

    A list that was signed before the snapshot is in the snapshot already.

    Args:
        folder: The published folder.
        at: What is published.
        standing: What stands by the snapshot.
        seen: What was verified here before.

    Raises:
        NotServedError: If it is not signed by somebody who may, or one seen before is gone.
    """
    found = _deny_list(folder, at, standing)
    newest = -1 if found is None else found[0].size
    if seen is not None and seen.denied >= at.statement.size and newest < seen.denied:
        raise NotServedError(Refused.DENY_LIST_MISSING)
    return None if newest < at.statement.size else found


def _deny_list(folder: Path, at: Pointed, standing: Standing) -> tuple[DenyStatement, str] | None:
    if not (folder / DENY).exists():
        return None
    told = _read(folder / DENY, Refused.DENY_LIST)
    try:
        signed = trust_root.spelled(told)
        key, deny = verify(signed.statement, signed.signature), read_deny(signed.statement)
        reviewers = [trust_root.spelled(one) for one in told["reviewers"]]
        if (deny.store, deny.tenant) != (at.statement.store, at.statement.tenant):
            raise NotServedError(Refused.DENY_LIST, "it is for another tenant or store")
        if deny.size < at.statement.size:
            return deny, signed.sha256  # older than the snapshot: its key may be gone by now
        keys = _keys(standing, reviewers)
    except _ODD as error:
        raise NotServedError(Refused.DENY_LIST, type(error).__name__) from error
    if keys.get(deny.reviewer) != key:
        raise NotServedError(Refused.DENY_LIST, f"{key.fingerprint} may not sign here")
    return deny, signed.sha256


def _keys(standing: Standing, reviewers: list[SignedStatement]) -> dict[str, PublicKey]:
    """Who may sign after the statements about reviewers that came since the snapshot."""
    keys = dict(standing.keys)
    for signed in reviewers:
        key, told = verify(signed.statement, signed.signature), read_reviewer(signed.statement)
        if (told.store, told.tenant) != (standing.store, standing.tenant):
            raise NotServedError(Refused.DENY_LIST, "a reviewer of another store")
        if why := reviewer_standing.misfit(told, key, keys):
            raise NotServedError(Refused.DENY_LIST, why)
        if told.action == "added":
            keys[told.reviewer] = told.key
        else:
            del keys[told.reviewer]
    return keys


def stamp_of(folder: Path, at: Pointed | None) -> tuple[object, ...]:
    """Changes whenever one of the published files does."""
    paths = [folder / CURRENT, folder / DENY, *([] if at is None else [at.path])]
    told: list[object] = []
    for path in paths:
        try:
            found = os.stat(path)
        except OSError:
            told.append(None)
        else:
            told.append((found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))
    return tuple(told)


def _read(path: Path, absent: Refused) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
    except OSError as error:
        raise NotServedError(absent) from error
    try:
        told = json.loads(data)
        if len(data) > _LONGEST or type(told) is not dict or told.get("format") != FORMAT:
            raise NotServedError(Refused.UNREADABLE, path.name)
    except (ValueError, RecursionError) as error:
        raise NotServedError(Refused.UNREADABLE, path.name) from error
    return told
