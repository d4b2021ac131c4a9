"""Checks a bundle from its files alone: digests, signature, signer, place in the log.

No store is needed, and nothing in a bundle is believed before it is checked. What cannot be told
without the log is said: whether the log still has the export, and whether it was withdrawn.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from review.bundle import folder, proofs
from review.bundle.proofs import Proof
from store import canonical, reviewer_standing, trust_root
from store.events import EventType, read_event
from store.rule_exports import PROVENANCE, ExportAct, ExportStatement, read_export
from store.signatures import BadSignatureError, PublicKey, verify
from store.statements import STATEMENT_TYPE, BadStatementError, SignedStatement, read_reviewer

NOT_COVERED: Final = (
    "that the log still has the export, and that nobody withdrew it: give --tenant to ask it",
    "a reviewer who was let go since",
    "anything the reviewer's key signed while it was stolen",
)
_TOLD: Final = ("export", "store", "tenant", "item", "rev", "artifact")


class Told(StrEnum):
    """What a check found."""

    PASS = "PASS"
    FAIL = "FAIL"
    WARN = "WARN"
    STOP = "STOP"
    """The files hold, and must not be submitted: the export was withdrawn."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report."""

    name: str
    told: Told
    detail: str


class _WrongError(ValueError):
    """What is being checked does not hold. The message is the line's detail."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The whole report."""

    lines: tuple[Line, ...]
    pinned: bool
    """Whether the trust root, or the signer's key, was known from elsewhere."""

    statement: ExportStatement | None = None
    proof: Proof | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing failed."""
        return all(line.told != Told.FAIL for line in self.lines)


def check(files: Mapping[str, bytes], *, pin: str | None) -> Checked:
    """Check the files of a bundle.

    Args:
        files: Name to bytes, of everything in the folder.
        pin: Fingerprint of the trust root or of the signer's key, known from elsewhere.
    """
    lines = [_files(files)]
    statement = proof = None
    try:
        provenance = _provenance(files)
        lines.append(Line("digests", Told.PASS, f"{len(folder.WRITTEN)} files"))
        statement = _statement(files, provenance)
        lines.append(Line("statement", Told.PASS, f"export {statement.export}"))
        signed = _signed(files)
        key = _key(signed)
        lines.append(Line("signature", Told.PASS, f"by {key.fingerprint}"))
        proof = proofs.read(files.get(folder.PROOF, b""))
        signer, pinned = _signer(proof, statement, key, pin)
        lines.append(signer)
        lines.append(_event(proof, statement, signed))
        return Checked(tuple(lines), pinned, statement, proof)
    except (_WrongError, proofs.BadProofError) as error:
        lines.append(Line("bundle", Told.FAIL, str(error)))
        return Checked(tuple(lines), pinned=False)


def _files(files: Mapping[str, bytes]) -> Line:
    missing, extra = sorted(set(folder.ALL) - set(files)), sorted(set(files) - set(folder.ALL))
    told = [f"missing: {', '.join(missing)}"] if missing else []
    told += [f"not of the bundle: {', '.join(extra)}"] if extra else []
    if told:
        return Line("files", Told.FAIL, "; ".join(told))
    return Line("files", Told.PASS, f"{len(folder.ALL)}, and no other")


def _provenance(files: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        told = canonical.decode(files[PROVENANCE])
        kind = (told["_type"], told["predicateType"])
        subjects = [(one["name"], one["digest"]["sha256"]) for one in told["subject"]]
        predicate = told["predicate"]
        salt = bytes.fromhex(predicate["salt"])
    except (KeyError, TypeError, ValueError) as error:
        msg = f"{PROVENANCE} cannot be read ({type(error).__name__})"
        raise _WrongError(msg) from error
    if kind != (STATEMENT_TYPE, folder.BUNDLE) or len(salt) != 32:
        msg = f"{PROVENANCE} is not of a bundle"
        raise _WrongError(msg)
    if [name for name, _ in subjects] != list(folder.WRITTEN):
        msg = f"{PROVENANCE} names other files"
        raise _WrongError(msg)
    for name, sha256 in subjects:
        if name not in files or folder.sha256(files[name]) != sha256:
            msg = f"{name} is not the file that {PROVENANCE} names"
            raise _WrongError(msg)
    return dict(predicate)


def _statement(files: Mapping[str, bytes], provenance: Mapping[str, Any]) -> ExportStatement:
    try:
        told = read_export(files.get(folder.STATEMENT, b""))
    except BadStatementError as error:
        raise _WrongError(str(error)) from error
    if told.act != ExportAct.EXPORTED:
        msg = "the statement withdraws a bundle"
        raise _WrongError(msg)
    if folder.sha256(files[PROVENANCE]) != told.bundle_sha256:
        msg = f"{PROVENANCE} is not the file that was signed"
        raise _WrongError(msg)
    apart = [name for name in _TOLD if provenance.get(name) != getattr(told, name)]
    if provenance.get("exported_by") != told.reviewer:
        apart.append("exported_by")
    if apart:
        msg = f"{PROVENANCE} and the statement differ in: {', '.join(apart)}"
        raise _WrongError(msg)
    return told


def _signed(files: Mapping[str, bytes]) -> SignedStatement:
    try:
        signature = files[folder.SIGNATURE].decode("ascii")
    except (KeyError, UnicodeDecodeError) as error:
        msg = f"{folder.SIGNATURE} is no signature"
        raise _WrongError(msg) from error
    return SignedStatement(files[folder.STATEMENT], signature)


def _key(signed: SignedStatement) -> PublicKey:
    """The key that made a signature, which must be spelled in the one way it is written."""
    try:
        key = verify(signed.statement, signed.signature)
        spelled = _spelled(signed.signature)
    except (BadSignatureError, binascii.Error, IndexError) as error:
        raise _WrongError(str(error)) from error
    if spelled != signed.signature:
        msg = "a signature is spelled in another way than it was written"
        raise _WrongError(msg)
    return key


def _spelled(signature: str) -> str:
    begin, *body, end = signature.split("\n")[:-1]
    text = base64.b64encode(base64.b64decode("".join(body), validate=True)).decode("ascii")
    return "\n".join([begin, *(text[i : i + 70] for i in range(0, len(text), 70)), end, ""])


def _signer(
    proof: Proof, statement: ExportStatement, key: PublicKey, pin: str | None
) -> tuple[Line, bool]:
    """Whether the reviewer may sign: by the trust root, or by whoever it let in."""
    if proof.trust is None:
        msg = "the bundle names no trust root"
        raise _WrongError(msg)
    try:
        _key(proof.trust)
        root = trust_root.opened(proof.trust)
        keys = {root.reviewer: root.key}
        for one in proof.reviewers:
            added, by = read_reviewer(one.statement), _key(one)
            here = (added.store, added.tenant) == (statement.store, statement.tenant)
            if not here or reviewer_standing.misfit(added, by, keys):
                msg = "the bundle names a reviewer whom nobody let in"
                raise _WrongError(msg)
            keys[added.reviewer] = added.key
    except (BadSignatureError, BadStatementError) as error:
        raise _WrongError(str(error)) from error
    if keys.get(statement.reviewer) != key:
        msg = f"{key.fingerprint} is not a key of reviewer {statement.reviewer}"
        raise _WrongError(msg)
    told = f"reviewer {statement.reviewer}, under trust root {root.key.fingerprint}"
    if pin is None:
        return Line(
            "signer", Told.WARN, f"{told} NOT PINNED: whoever made the bundle named it"
        ), False
    if pin not in (root.key.fingerprint, key.fingerprint):
        msg = f"{told}, but {pin} is pinned"
        raise _WrongError(msg)
    return Line("signer", Told.PASS, f"{told} PINNED"), True


def _event(proof: Proof, statement: ExportStatement, signed: SignedStatement) -> Line:
    try:
        event = read_event(proof.event, b"")
    except (canonical.NotCanonicalError, KeyError, TypeError) as error:
        msg = "the proof holds no event"
        raise _WrongError(msg) from error
    found = (event.type, event.store, event.tenant, event.item, event.rev, event.actor)
    wanted = (
        *(str(EventType.RULE_EXPORTED), statement.store, statement.tenant),
        *(statement.item, statement.rev, statement.reviewer),
    )
    body = {"export": statement.export, "statement": signed.sha256}
    if found != wanted or dict(event.body) != body or event.seq != statement.prev.size:
        msg = "the event in the proof is of another export"
        raise _WrongError(msg)
    why = proofs.misfit(
        proof,
        prev_size=statement.prev.size,
        prev_root=statement.prev.root,
        store=statement.store,
        tenant=statement.tenant,
    )
    if why:
        raise _WrongError(why)
    detail = f"event {event.seq} follows the head that was signed; root {proof.root}"
    return Line("inclusion", Told.PASS, detail)
