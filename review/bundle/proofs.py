"""``proof.json``: that a signed export is an event of the log, and that the head followed on it.

The event is the last of its tree, so its path is the older part of the tree: folded without the
event it gives the head that was signed, with it the head that was recorded. What binds the proof
to a person is that first head, which stands in the signed statement.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from review.exported.past import PastExport
from store import canonical, export_queries, merkle, trust_root
from store.log import Store
from store.statements import SignedStatement

FORMAT: Final = "memory-console/proof/1"


class BadProofError(ValueError):
    """Bytes are no proof of ours. The message says what is off."""


@dataclass(frozen=True, slots=True)
class Proof:
    """An event of a log with its place in it, and by which statements its signer may sign."""

    event: bytes
    """Its canonical bytes."""

    size: int
    """Of the tree: the event is its last leaf."""

    root: str
    """Merkle root of the tree, hex."""

    path: tuple[str, ...]
    """Sibling hashes, hex, deepest first."""

    checkpoint: str
    """The head as the log keeps it."""

    trust: SignedStatement | None
    """The self-signed trust root."""

    reviewers: tuple[SignedStatement, ...]
    """Who was let in by whom, oldest first."""

    def encode(self) -> bytes:
        """As it is written into a bundle."""
        return canonical.encode(
            {
                "format": FORMAT,
                "event": self.event.decode("utf-8"),
                "size": self.size,
                "root": self.root,
                "path": list(self.path),
                "checkpoint": self.checkpoint,
                "trust": None if self.trust is None else _spelled(self.trust),
                "reviewers": [_spelled(one) for one in self.reviewers],
            }
        )


def proof_of(store: Store, export: PastExport, trust: SignedStatement | None) -> bytes:
    """The proof that ``export`` is in the log. The same whenever it is asked for.

    Args:
        store: The log.
        export: One of its exports.
        trust: The workspace's trust root, as it is signed.
    """
    seq = export.signed.seq
    leaves = store.frame(export_queries.LEAVES_BEFORE, size=seq + 1)["leaf"]
    hashes = [bytes.fromhex(one) for one in leaves]
    ((event,),) = ([bytes(one["canon"])] for one in store.rows(export_queries.CANON, seq=seq))
    notes = store.rows(export_queries.CHECKPOINT, size=seq + 1)
    added = store.rows(export_queries.REVIEWERS, seq=seq)
    return Proof(
        event=event,
        size=seq + 1,
        root=merkle.root(hashes).hex(),
        path=tuple(one.hex() for one in merkle.inclusion_proof(hashes, seq)),
        checkpoint=str(notes[0]["note"]),
        trust=trust,
        reviewers=tuple(
            SignedStatement(bytes(one["statement"]), str(one["sshsig"])) for one in added
        ),
    ).encode()


def signed_of(store: Store, export: PastExport) -> SignedStatement:
    """What was signed for ``export``."""
    (row,) = store.rows(export_queries.SIGNED, statement=export.signed.statement)
    return SignedStatement(bytes(row["statement"]), str(row["sshsig"]))


def read(data: bytes) -> Proof:
    """The proof that ``data`` spells.

    Raises:
        BadProofError: If it is none, or is spelled in any other way.
    """
    try:
        told: dict[str, Any] = canonical.decode(data)
        proof = Proof(
            event=told["event"].encode("utf-8"),
            size=int(told["size"]),
            root=str(told["root"]),
            path=tuple(str(one) for one in told["path"]),
            checkpoint=str(told["checkpoint"]),
            trust=None if told["trust"] is None else trust_root.spelled(told["trust"]),
            reviewers=tuple(trust_root.spelled(one) for one in told["reviewers"]),
        )
        whole = proof.encode() == data
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        msg = f"this is no proof ({type(error).__name__})."
        raise BadProofError(msg) from error
    if not whole:
        msg = "this proof says more than one of ours, or otherwise."
        raise BadProofError(msg)
    return proof


def misfit(proof: Proof, *, prev_size: int, prev_root: str, store: str, tenant: str) -> str:
    """Why ``proof`` does not follow on the head that was signed; blank if it does.

    Source: RFC 9162, 2.1.3.2, and for the head without the event the fold over full subtrees.
    """
    try:
        path = [_hash(one) for one in proof.path]
        root = _hash(proof.root)
    except ValueError:
        return "a hash in the proof is none."
    if proof.size != prev_size + 1:
        return f"the proof is for a log of {proof.size} events, and {prev_size} were signed."
    leaf = merkle.leaf_hash(proof.event)
    if not merkle.includes(leaf, prev_size, proof.size, path, root):
        return "the event is not in the tree that the proof names."
    if _before(path) != prev_root:
        return "the log before the event is not the one that was signed."
    note = f"memory-console/{store}/{tenant}\n{proof.size}\n"
    if proof.checkpoint != f"{note}{base64.b64encode(root).decode('ascii')}\n":
        return "the checkpoint is of another head."
    return ""


def _before(path: Sequence[bytes]) -> str:
    """Root of the tree without its last leaf, whose path is the full subtrees, smallest first."""
    if not path:
        return merkle.EMPTY_ROOT.hex()
    root = path[0]
    for peak in path[1:]:
        root = merkle.node_hash(peak, root)
    return root.hex()


def _hash(told: str) -> bytes:
    found = bytes.fromhex(told)
    if len(found) != 32 or found.hex() != told:
        raise ValueError(told)
    return found


def _spelled(signed: SignedStatement) -> dict[str, str]:
    return {"statement": signed.statement.decode("utf-8"), "signature": signed.signature}
