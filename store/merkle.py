"""Merkle trees over events and over the items of a batch.

Hashes are those of Certificate Transparency, so that proofs can be checked by other people's
programs. ``Frontier`` gives the root after each append in logarithmic time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from store.canonical import sha256

EMPTY_ROOT = sha256(b"")


def leaf_hash(data: bytes) -> bytes:
    """Hash of one leaf. Source: RFC 9162 section 2.1.1, ``SHA-256(0x00 || data)``."""
    return sha256(b"\x00", data)


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node. Source: RFC 9162 section 2.1.1, ``SHA-256(0x01 || l || r)``."""
    return sha256(b"\x01", left, right)


@dataclass(frozen=True, slots=True)
class Frontier:
    """The full subtrees of a growing tree, largest first, and how many leaves they hold.

    ``peaks[i]`` is the root of the subtree for the i-th set bit of ``size``, from the top.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def grow(self, leaf: bytes) -> Frontier:
        """The frontier after one more leaf hash."""
        peaks, size, carry = list(self.peaks), self.size, leaf
        while size & 1:
            carry = node_hash(peaks.pop(), carry)
            size >>= 1
        return Frontier(self.size + 1, (*peaks, carry))

    def root(self) -> bytes:
        """The root over all leaves so far; the hash of nothing for an empty tree."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root


def root(leaves: Sequence[bytes]) -> bytes:
    """Merkle tree hash over leaf hashes. 32 bytes; the hash of nothing when empty.

    Source: RFC 9162 section 2.1.1.
    """
    if not leaves:
        return EMPTY_ROOT
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The audit path of leaf ``index``, deepest sibling first.

    Raises:
        IndexError: If there is no such leaf.

    Source: RFC 9162 section 2.1.3.1.
    """
    if not 0 <= index < len(leaves):
        msg = f"no leaf {index} in a tree of {len(leaves)}."
        raise IndexError(msg)
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*inclusion_proof(leaves[:split], index), root(leaves[split:])]
    return [*inclusion_proof(leaves[split:], index - split), root(leaves[:split])]


def includes(leaf: bytes, index: int, size: int, path: Sequence[bytes], head: bytes) -> bool:
    """Whether ``path`` proves that ``leaf`` stands at ``index`` of the tree with root ``head``.

    Source: RFC 9162 section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    first, last, current = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if first & 1 or first == last:
            current = node_hash(step, current)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            current = node_hash(current, step)
        first, last = first >> 1, last >> 1
    return last == 0 and current == head


def consistency_proof(leaves: Sequence[bytes], old: int) -> list[bytes]:
    """Proof that the tree over the first ``old`` leaves is a prefix of this one.

    Raises:
        IndexError: If ``old`` is not between 1 and the number of leaves.

    Source: RFC 9162 section 2.1.4.1.
    """
    if not 1 <= old <= len(leaves):
        msg = f"no prefix of {old} in a tree of {len(leaves)}."
        raise IndexError(msg)
    return _subproof(leaves, old, whole=True)


def consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether ``path`` proves that the tree of ``new`` leaves extends that of ``old``.

    Source: RFC 9162 section 2.1.4.2.
    """
    if old == new:
        return not path and old_root == new_root
    if not 0 < old < new or not path:
        return False
    steps = [old_root, *path] if old & (old - 1) == 0 else list(path)
    first, last = old - 1, new - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    before = after = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            before, after = node_hash(step, before), node_hash(step, after)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            after = node_hash(after, step)
        first, last = first >> 1, last >> 1
    return last == 0 and before == old_root and after == new_root


def _subproof(leaves: Sequence[bytes], old: int, *, whole: bool) -> list[bytes]:
    if old == len(leaves):
        return [] if whole else [root(leaves)]
    split = _split(len(leaves))
    if old <= split:
        return [*_subproof(leaves[:split], old, whole=whole), root(leaves[split:])]
    return [*_subproof(leaves[split:], old - split, whole=False), root(leaves[:split])]


def _split(size: int) -> int:
    """The largest power of two below ``size``, which is at least 2."""
    return 1 << ((size - 1).bit_length() - 1)
