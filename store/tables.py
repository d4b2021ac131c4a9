"""The tables of a tenant's store, the same on DuckDB and PostgreSQL.

``log_`` tables only grow; triggers and the interface both see to it. ``vault_`` tables hold what
can be erased. What pages query are projections, which ``store.projections`` makes from these.
No sequences and no defaults: ids come from the application, so that a file can be copied whole.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, LargeBinary, String
from sqlmodel import Field, SQLModel


class EventRow(SQLModel, table=True):
    """One event. ``canon`` is the only authority; the last three columns are read from it."""

    __tablename__ = "log_event"

    seq: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    """0, 1, 2, … without gaps."""

    canon: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    prev: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    h: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    type: str = Field(sa_column=Column(String, nullable=False))
    item: str | None = Field(default=None, sa_column=Column(String, nullable=True))
    recorded_at: str = Field(sa_column=Column(String, nullable=False))


class LeafRow(SQLModel, table=True):
    """One item of a batch event; the event commits to the Merkle root over ``canon``."""

    __tablename__ = "log_leaf"

    seq: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    ordinal: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    canon: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class CheckpointRow(SQLModel, table=True):
    """The head of the log as a signed-note body, written with each human signature."""

    __tablename__ = "log_checkpoint"

    size: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    note: str = Field(sa_column=Column(String, nullable=False))


class SignatureRow(SQLModel, table=True):
    """A statement, exactly as signed, and its SSHSIG signature."""

    __tablename__ = "log_signature"

    statement_sha256: str = Field(sa_column=Column(String, primary_key=True))
    statement: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    sshsig: str = Field(sa_column=Column(String, nullable=False))
    key_fpr: str = Field(sa_column=Column(String, nullable=False))


class DecisionGuardRow(SQLModel, table=True):
    """Lets exactly one of several racing decisions through: the n-th on an item's revision."""

    __tablename__ = "log_decision_guard"

    item: str = Field(sa_column=Column(String, primary_key=True))
    rev: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    nth: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    from_state: str = Field(sa_column=Column(String, nullable=False))


class PayloadRow(SQLModel, table=True):
    """Erasable content, addressed by the salted commitment that the log holds."""

    __tablename__ = "vault_payload"

    commitment: str = Field(sa_column=Column(String, primary_key=True))
    salt: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    role: str = Field(sa_column=Column(String, nullable=False))
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class LineageRow(SQLModel, table=True):
    """Which payload was made from which: what an erasure has to follow."""

    __tablename__ = "vault_lineage"

    child: str = Field(sa_column=Column(String, primary_key=True))
    parent: str = Field(sa_column=Column(String, primary_key=True))
    relation: str = Field(sa_column=Column(String, primary_key=True))


class KeyRow(SQLModel, table=True):
    """The tenant's key for digests that find repeats."""

    __tablename__ = "vault_key"

    name: str = Field(sa_column=Column(String, primary_key=True))
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class IdentityRow(SQLModel, table=True):
    """Which store this is, for which tenant, in which schema version. One row."""

    __tablename__ = "log_identity"

    store: str = Field(sa_column=Column(String, primary_key=True))
    tenant: str = Field(sa_column=Column(String, nullable=False))
    version: int = Field(sa_column=Column(BigInteger, nullable=False))


class AppendOnlyRow(SQLModel, table=True):
    """Always empty: the table that the append-only triggers pretend to write to."""

    __tablename__ = "log_append_only"

    nothing: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))


APPEND_ONLY: Final = (
    "log_event",
    "log_leaf",
    "log_checkpoint",
    "log_signature",
    "log_decision_guard",
    "log_identity",
)
"""The tables in which nothing is ever changed or removed."""
