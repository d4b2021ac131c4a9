"""The trust root: the first reviewer's key, signed by itself, from which everybody else comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from store.signatures import PublicKey, verify
from store.statements import BadStatementError, SignedStatement, read_reviewer


@dataclass(frozen=True, slots=True)
class TrustRoot:
    """The first reviewer's key: everything else is a chain of signatures from it."""

    reviewer: str
    key: PublicKey


def opened(signed: SignedStatement) -> TrustRoot:
    """The root that a self-signed statement declares.

    Raises:
        store.signatures.BadSignatureError: If the signature does not prove it.
        store.statements.BadStatementError: If it declares no root, or another key than its own.
    """
    key, told = verify(signed.statement, signed.signature), read_reviewer(signed.statement)
    if told.key != key or told.action != "root":
        msg = "it names another key than the one that signed it."
        raise BadStatementError(msg)
    return TrustRoot(told.reviewer, key)


def spelled(told: Mapping[str, object]) -> SignedStatement:
    """The signed statement in an object with ``statement`` and ``signature`` as texts.

    Raises:
        KeyError, TypeError, ValueError: If it holds none.
    """
    statement, signature = told["statement"], told["signature"]
    if type(statement) is not str or type(signature) is not str:
        msg = "a statement and its signature are texts."
        raise TypeError(msg)
    return SignedStatement(statement.encode("utf-8"), signature)
