import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers import message_tree
from importers.message_tree import MAX_PREFIX, Node, runs


def nodes(*links):
    """Nodes by ``(key, parent)``; those that begin with u open a run."""
    return [
        Node(key, parent, key.startswith("u"), float(n)) for n, (key, parent) in enumerate(links)
    ]


def keys(found):
    return [one.keys for one in found]


def test_nothing_gives_nothing():
    assert runs([], None) == []


def test_what_comes_before_the_first_question_belongs_to_it():
    made = nodes(("s", None), ("u1", "s"), ("a1", "u1"), ("u2", "a1"))
    assert keys(runs(made, "u2")) == [("s", "u1", "a1"), ("u2",)]


def test_a_conversation_without_a_question_is_one_run():
    assert keys(runs(nodes(("a", None), ("b", "a")), "b")) == [("a", "b")]


def test_a_branch_repeats_the_turn_it_leaves():
    made = nodes(("u1", None), ("a1", "u1"), ("b1", "a1"), ("b2", "a1"))
    first, second = runs(made, "b1")
    assert first.keys == ("u1", "a1", "b1")
    assert (second.keys, second.own, second.beside) == (("u1", "a1", "b2"), "b2", 0)


def test_a_long_turn_is_not_repeated_whole():
    chain = [("u", None)] + [(f"a{n}", f"a{n - 1}" if n else "u") for n in range(200)]
    made = nodes(*chain, ("x", "a199"), ("y", "a199"))
    shared = runs(made, "x")[1].keys
    assert len(shared) == MAX_PREFIX + 1
    assert (shared[0], shared[-1]) == ("u", "y")


def test_a_leaf_that_has_answers_of_its_own_keeps_them_beside():
    made = nodes(("u1", None), ("a1", "u1"), ("u2", "a1"))
    first, second = runs(made, "a1")
    assert (first.keys, second.keys, second.beside) == (("u1", "a1"), ("u2",), 0)


def test_without_times_the_last_leaf_of_the_file_is_the_newest():
    made = [Node("u", None, True), Node("a", "u", False), Node("b", "u", False)]
    assert keys(runs(made, None))[0] == ("u", "b")


def test_a_node_that_is_its_own_parent_is_a_root():
    assert keys(runs(nodes(("u", "u"), ("a", "u")), "a")) == [("u", "a")]


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-1, 12)), min_size=1, max_size=12),
    st.integers(-1, 12),
)
def test_whatever_the_tree_every_message_is_new_in_exactly_one_run(links, leaf):
    made = [Node(str(n), str(parent), opens) for n, (opens, parent) in enumerate(links)]
    found = runs(made, str(leaf))
    own = [key for one in found for key in one.keys[one.keys.index(one.own) :]]
    assert sorted(own, key=int) == [one.key for one in made]
    assert found[0].beside is None
    for index, one in enumerate(found):
        assert one.beside is None or one.beside < index


@pytest.mark.parametrize("count", [500])
def test_many_answers_to_one_question_repeat_it_a_bounded_number_of_times(count):
    made = nodes(("u", None), *[(f"a{n}", "u") for n in range(count)])
    found = runs(made, "a0")
    assert len(found) == count
    assert sum("u" in one.keys for one in found) == message_tree.MAX_PREFIXED + 1
