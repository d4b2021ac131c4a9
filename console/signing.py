"""The only place that signs. A key is unlocked by a passphrase that a person types, and forgotten.

Keys are OpenSSH Ed25519 files, so that a person can also sign and check with stock tools.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_ssh_private_key,
)

from store.signatures import PublicKey, armored, to_be_signed
from store.statements import SignedStatement

KDF_ROUNDS: Final = 100
"""bcrypt rounds of the key file: half a second for a person, a long time for a guesser."""

UNLOCKED_FOR: Final = timedelta(seconds=60)
SHORTEST_PASSPHRASE: Final = 8

L1_BANNER: Final = (
    "This computer's agent runs as you. It cannot approve by database or by web call. It could "
    "approve if it alters this program or captures your passphrase. Use a hardware key or another "
    "account for that."
)


class PassphraseError(ValueError):
    """The passphrase does not open the key, or is too short to make one."""


class LockedError(RuntimeError):
    """The unlocked minute is over; the passphrase has to be typed again."""


class Unlocked:
    """A signing key in memory for at most 60 seconds, and then no more."""

    def __init__(self, key: Ed25519PrivateKey, *, now: datetime) -> None:
        """Hold ``key`` from ``now`` on."""
        self._key: Ed25519PrivateKey | None = key
        self._until = now + UNLOCKED_FOR
        self.public = _public(key)

    def sign(self, statements: Sequence[bytes], *, now: datetime) -> list[SignedStatement]:
        """Sign each statement as it is.

        Raises:
            LockedError: If the key has been let go, or its 60 seconds are over.
        """
        if self._key is None or now > self._until:
            self.forget()
            msg = "the key is locked again after 60 seconds. Nothing was signed. Type it again."
            raise LockedError(msg)
        return [
            SignedStatement(data, armored(self.public, self._key.sign(to_be_signed(data))))
            for data in statements
        ]

    def forget(self) -> None:
        """Let the key go. Python cannot promise to overwrite it; the L1 banner says so."""
        self._key = None


def new_key(path: Path, passphrase: str, *, comment: str, now: datetime) -> Unlocked:
    """Make a key pair, ``path`` (0600, under the passphrase) and ``path.pub``, and leave it open.

    Raises:
        PassphraseError: If the passphrase has fewer than eight characters.
        FileExistsError: If there is a key already; it is never overwritten.
    """
    if len(passphrase) < SHORTEST_PASSPHRASE:
        msg = f"a passphrase has at least {SHORTEST_PASSPHRASE} characters. No key was made."
        raise PassphraseError(msg)
    key = Ed25519PrivateKey.generate()
    locked = (
        PrivateFormat.OpenSSH.encryption_builder()
        .kdf_rounds(KDF_ROUNDS)
        .build(passphrase.encode("utf-8"))
    )
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(path, "xb", opener=_private) as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, locked))
    public = _public(key)
    with path.with_suffix(".pub").open("w", encoding="ascii") as file:
        file.write(f"{public.line} {comment}\n")
    return Unlocked(key, now=now)


def unlock(path: Path, passphrase: str, *, now: datetime) -> Unlocked:
    """Open the key file for one signing session.

    Raises:
        PassphraseError: If the passphrase is not the one of this key.
        FileNotFoundError: If there is no key.
    """
    data = path.read_bytes()
    try:
        key = load_ssh_private_key(data, passphrase.encode("utf-8"))
    except ValueError as error:
        msg = "wrong passphrase. Nothing was signed; your drafts are still here. Try again."
        raise PassphraseError(msg) from error
    if not isinstance(key, Ed25519PrivateKey):
        msg = "only Ed25519 keys sign decisions. Nothing was signed."
        raise PassphraseError(msg)
    return Unlocked(key, now=now)


def throwaway(*, now: datetime) -> Unlocked:
    """A key that exists only in memory, for demo stores, tests and benches."""
    return Unlocked(Ed25519PrivateKey.generate(), now=now)


def _public(key: Ed25519PrivateKey) -> PublicKey:
    line = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    return PublicKey.from_line(line.decode("ascii"))


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
