"""Trees and proofs against published vectors, and against every small tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import merkle

# The leaf inputs and roots of Certificate Transparency's reference tests.
INPUTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOT_OF_8 = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
LEAVES = [merkle.leaf_hash(data) for data in INPUTS]
MANY = [merkle.leaf_hash(bytes([n])) for n in range(64)]


def test_the_root_of_the_published_inputs():
    assert merkle.root(LEAVES).hex() == ROOT_OF_8
    assert merkle.root([]).hex() == merkle.EMPTY_ROOT.hex()


def test_a_growing_frontier_has_the_root_of_the_whole_tree():
    frontier = merkle.Frontier()
    for size in range(len(MANY)):
        assert frontier.root() == merkle.root(MANY[:size])
        frontier = frontier.grow(MANY[size])


def test_every_inclusion_proof_up_to_64_leaves_is_accepted_and_no_other_place():
    for size in range(1, 65):
        head = merkle.root(MANY[:size])
        for index in range(size):
            path = merkle.inclusion_proof(MANY[:size], index)
            assert merkle.includes(MANY[index], index, size, path, head)
            assert not merkle.includes(MANY[index], (index + 1) % (size + 1), size, path, head)


def test_every_consistency_proof_up_to_64_leaves_is_accepted():
    roots = [merkle.root(MANY[:size]) for size in range(65)]
    for new in range(1, 65):
        for old in range(1, new + 1):
            path = merkle.consistency_proof(MANY[:new], old)
            assert merkle.consistent(old, roots[old], new, roots[new], path)
            if old < new:
                assert not merkle.consistent(old, roots[old - 1], new, roots[new], path)


@given(
    st.integers(1, 40), st.data(), st.integers(0, 255), st.sampled_from(["path", "leaf", "root"])
)
def test_a_changed_bit_in_a_proof_is_refused(size, data, bit, where):
    index = data.draw(st.integers(0, size - 1))
    leaves = MANY[:size]
    path, head, leaf = merkle.inclusion_proof(leaves, index), merkle.root(leaves), leaves[index]

    def flip(value):
        return bytes(
            [*value[: bit // 8], value[bit // 8] ^ (1 << bit % 8), *value[bit // 8 + 1 :]]
        )

    if where == "path" and path:
        at = data.draw(st.integers(0, len(path) - 1))
        path = [*path[:at], flip(path[at]), *path[at + 1 :]]
    elif where == "leaf":
        leaf = flip(leaf)
    else:
        head = flip(head)
    assert not merkle.includes(leaf, index, size, path, head)


@given(st.integers(2, 40), st.data())
def test_a_shortened_or_lengthened_proof_is_refused(size, data):
    leaves, head = MANY[:size], merkle.root(MANY[:size])
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion_proof(leaves, index)
    assert not merkle.includes(leaves[index], index, size, path[:-1], head)
    assert not merkle.includes(leaves[index], index, size, [*path, path[0]], head)


def test_a_proof_for_no_leaf_is_an_error():
    with pytest.raises(IndexError, match="no leaf 3 in a tree of 2"):
        merkle.inclusion_proof(MANY[:2], 3)
    with pytest.raises(IndexError, match="no prefix"):
        merkle.consistency_proof(MANY[:2], 3)
