"""Six words for a digest, so that two people can compare one over the telephone.

The words are proquints: five letters, consonant and vowel in turn, sixteen bits each. Six of them
are the first 96 bits of the digest: enough that nobody finds another statement or key with the
same words, and not the whole digest.

Source: D. S. Wilkerson, "A Proposal for Proquints", arXiv:0901.4016.
"""

from __future__ import annotations

from base64 import b64decode
from typing import Final

WORDS: Final = 6
_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


def six_words(digest: bytes) -> str:
    """The first 96 bits of ``digest``, such as ``lusab-babad-gutih-tugad-gutuk-bisog``.

    Raises:
        ValueError: If there are fewer than twelve bytes.
    """
    if len(digest) < 2 * WORDS:
        msg = f"six words take {2 * WORDS} bytes, got {len(digest)}."
        raise ValueError(msg)
    return "-".join(_word(digest[2 * n : 2 * n + 2]) for n in range(WORDS))


def words_of_fingerprint(fingerprint: str) -> str:
    """Six words for ``SHA256:…``, as a key's fingerprint is written.

    Raises:
        ValueError: If it is no such fingerprint.
    """
    kind, _, body = fingerprint.partition(":")
    if kind != "SHA256":
        msg = f"a fingerprint begins with SHA256:, got {kind!r}."
        raise ValueError(msg)
    return six_words(b64decode(body + "=" * (-len(body) % 4), validate=True))


def _word(pair: bytes) -> str:
    number = int.from_bytes(pair, "big")
    return (
        _CONSONANTS[number >> 12]
        + _VOWELS[number >> 10 & 3]
        + _CONSONANTS[number >> 6 & 15]
        + _VOWELS[number >> 4 & 3]
        + _CONSONANTS[number & 15]
    )
