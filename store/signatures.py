"""Checks OpenSSH signatures over exact bytes. It can verify; it cannot sign.

The format is SSHSIG, so that anybody can check a decision with stock ``ssh-keygen -Y verify``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NAMESPACE: Final = "memory-decision@v1"
"""Binds a signature to this purpose: one made for e-mail or git is not an approval."""

ALGORITHM: Final = b"ssh-ed25519"
_MAGIC: Final = b"SSHSIG"
_BEGIN: Final = "-----BEGIN SSH SIGNATURE-----"
_END: Final = "-----END SSH SIGNATURE-----"


class BadSignatureError(ValueError):
    """A signature does not prove what it is offered for. The message says why."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key in OpenSSH's wire form."""

    blob: bytes

    @classmethod
    def from_line(cls, line: str) -> PublicKey:
        """Read ``ssh-ed25519 AAAA… [comment]``.

        Raises:
            BadSignatureError: If the line is anything else.
        """
        parts = line.split()
        try:
            blob = base64.b64decode(parts[1], validate=True)
            kind, rest = _string(blob)
            raw, tail = _string(rest)
        except (IndexError, binascii.Error, ValueError) as error:
            msg = "not an OpenSSH public key line. Expected: ssh-ed25519 AAAA… name"
            raise BadSignatureError(msg) from error
        if parts[0] != "ssh-ed25519" or kind != ALGORITHM or len(raw) != 32 or tail:
            msg = f"the key is {parts[0]!r}; only ssh-ed25519 keys can sign decisions."
            raise BadSignatureError(msg)
        return cls(blob)

    @property
    def line(self) -> str:
        """The key as in an ``.pub`` file, without a comment."""
        return f"ssh-ed25519 {base64.b64encode(self.blob).decode('ascii')}"

    @property
    def fingerprint(self) -> str:
        """``SHA256:…`` as ``ssh-keygen -l`` prints it."""
        digest = base64.b64encode(hashlib.sha256(self.blob).digest()).decode("ascii")
        return f"SHA256:{digest.rstrip('=')}"

    @property
    def raw(self) -> bytes:
        """The 32 bytes of the Ed25519 key itself."""
        return self.blob[-32:]


def to_be_signed(message: bytes, namespace: str = NAMESPACE) -> bytes:
    """The bytes that an SSHSIG signature covers. Source: OpenSSH PROTOCOL.sshsig."""
    return (
        _MAGIC
        + packed(namespace.encode("ascii"))
        + packed(b"")
        + packed(b"sha512")
        + packed(hashlib.sha512(message).digest())
    )


def armored(public: PublicKey, signature: bytes, namespace: str = NAMESPACE) -> str:
    """A raw Ed25519 signature in SSHSIG's text form. Source: OpenSSH PROTOCOL.sshsig."""
    blob = (
        _MAGIC
        + (1).to_bytes(4, "big")
        + packed(public.blob)
        + packed(namespace.encode("ascii"))
        + packed(b"")
        + packed(b"sha512")
        + packed(packed(ALGORITHM) + packed(signature))
    )
    body = base64.b64encode(blob).decode("ascii")
    lines = [body[i : i + 70] for i in range(0, len(body), 70)]
    return "\n".join([_BEGIN, *lines, _END, ""])


def verify(message: bytes, signature: str, namespace: str = NAMESPACE) -> PublicKey:
    """The key that signed ``message``. Whether that key may sign is the caller's question.

    Raises:
        BadSignatureError: If the text is no SSHSIG, is for another namespace or algorithm, or
            does not match ``message``.
    """
    try:
        key, found, hash_name, raw = _parse(signature)
    except (ValueError, binascii.Error) as error:
        msg = "this is not an SSH signature."
        raise BadSignatureError(msg) from error
    if found != namespace.encode("ascii"):
        msg = f"the signature is for {found.decode('utf-8', 'replace')!r}, not for {namespace!r}."
        raise BadSignatureError(msg)
    if hash_name != b"sha512":
        msg = "the signature uses another hash than sha512."
        raise BadSignatureError(msg)
    try:
        Ed25519PublicKey.from_public_bytes(key.raw).verify(raw, to_be_signed(message, namespace))
    except InvalidSignature as error:
        msg = f"the signature of {key.fingerprint} does not match these bytes."
        raise BadSignatureError(msg) from error
    return key


def packed(data: bytes) -> bytes:
    """An SSH string: four bytes of length, big-endian, and the data. Source: RFC 4251, 5."""
    return len(data).to_bytes(4, "big") + data


def _parse(signature: str) -> tuple[PublicKey, bytes, bytes, bytes]:
    lines = [line.strip() for line in signature.strip().splitlines()]
    if len(lines) < 3 or lines[0] != _BEGIN or lines[-1] != _END:
        raise ValueError(_BEGIN)
    blob = base64.b64decode("".join(lines[1:-1]), validate=True)
    if blob[:6] != _MAGIC or blob[6:10] != (1).to_bytes(4, "big"):
        raise ValueError(_MAGIC)
    key_blob, rest = _string(blob[10:])
    namespace, rest = _string(rest)
    _reserved, rest = _string(rest)
    hash_name, rest = _string(rest)
    wrapped, rest = _string(rest)
    algorithm, inner = _string(wrapped)
    raw, tail = _string(inner)
    if rest or tail or algorithm != ALGORITHM or len(raw) != 64:
        raise ValueError(algorithm)
    key = PublicKey.from_line(f"ssh-ed25519 {base64.b64encode(key_blob).decode('ascii')}")
    return key, namespace, hash_name, raw


def _string(data: bytes) -> tuple[bytes, bytes]:
    size = int.from_bytes(data[:4], "big")
    if len(data) < 4 or len(data) < 4 + size:
        raise ValueError(size)
    return data[4 : 4 + size], data[4 + size :]
