"""The graph: what is around a cell, what is cut, where it stands, and which conflicts are open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.signing import throwaway
from review import instants
from review.graphs.graph import MOST_NODES, Graph
from review.graphs.graph_layout import POINTS, layout
from review.graphs.open_conflicts import OpenConflicts, Why
from review.graphs.timeline import pieces
from review.memory.lifecycle import live
from review.memory.validity import Status
from store.cells import EdgeKind
from store.standing import Standing
from tests.conftest import Reviewer
from tests.review.edge_worlds import WAREHOUSES, draw
from tests.review.memories import Told, cells, known
from tests.review.worlds import World, cell

NOW = instants.read("2026-03-10")
HOME = ("ana", "residence")


def graph_of(*told: Told, **more) -> Graph:
    return Graph(known(*told, **more), Standing("s", "t", None), NOW)


def conflicts_of(*told: Told, **more) -> OpenConflicts:
    return OpenConflicts(known(*told, **more), NOW)


@pytest.fixture(scope="module")
def story():
    far = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    world = World(Reviewer("r-irina", throwaway(now=far))).remember(
        [
            *WAREHOUSES["en"],
            cell("The commission in Elektrostal is 45 RUB a unit.", "M4", "2026-02-16"),
        ]
    )
    draw(world, EdgeKind.SUPPORTS, "M4", "M3")
    return world


def told_edges(world, item):
    name = {v: k for k, v in world.items.items()}
    return {
        (str(one.kind), name[one.source], name[one.target], str(one.assertions[0].asserter))
        for one in world.desk.graph.at().graph.edges(world.items[item])
    }


def test_the_edges_of_the_warehouse_story_say_what_and_who(story):
    assert told_edges(story, "M1") == {
        ("supersedes", "M3", "M1", "rule"),
        ("depends_on", "M2", "M1", "rule"),
    }
    assert ("supports", "M4", "M3", "person") in told_edges(story, "M3")
    assert ("depends_on", "M4", "M3", "rule") in told_edges(story, "M3")


def test_an_edge_says_since_when_by_the_log(story):
    (edge,) = [
        one
        for one in story.desk.graph.at().graph.edges(story.items["M1"])
        if one.kind is EdgeKind.SUPERSEDES
    ]
    stands = story.desk.standing().items
    assert edge.assertions[0].since == max(
        stands[story.items[name]].signed_at for name in ("M1", "M3")
    )
    assert edge.effect == "2026-03-01"


def test_one_step_by_default_and_more_on_request(story):
    graph = story.desk.graph.at().graph
    one = graph.around((story.items["M1"],))
    assert {node.item for node in one.nodes} == {story.items[n] for n in ("M1", "M2", "M3")}
    two = graph.around((story.items["M1"],), steps=2)
    assert {node.item for node in two.nodes} == set(story.items.values())
    assert [node.steps for node in two.nodes] == sorted(node.steps for node in two.nodes)
    only = graph.around((story.items["M1"],), steps=2, kinds=(EdgeKind.DEPENDS_ON,))
    assert {edge.kind for edge in only.edges} == {EdgeKind.DEPENDS_ON}
    assert story.items["M3"] not in {node.item for node in only.nodes}


def test_nodes_carry_status_and_lane(story):
    graph = story.desk.graph.at().graph
    m1 = graph.node(story.items["M1"])
    assert (m1.parameter, m1.value) == ("warehouse", "koledino")
    statuses = {name: graph.node(item).status for name, item in story.items.items()}
    assert statuses["M1"] is Status.SUPERSEDED
    assert statuses["M2"] is Status.STALE
    assert statuses["M3"] is Status.ACTIVE


def test_what_is_not_durable_has_no_node_and_no_edges(story):
    graph = story.desk.graph.at().graph
    assert graph.node("nobody") is None
    assert graph.edges("nobody") == ()
    picture = graph.around(("nobody",))
    assert (picture.nodes, picture.edges, picture.cut) == ((), (), 0)


def test_forty_nodes_at_most_the_nearest_and_the_cut_is_said():
    hub = Told("hub", "2026-01-01")
    leaves = [Told(f"n{n:03}", "2026-01-02", edges=[("depends_on", "hub")]) for n in range(60)]
    far = Told("far", "2026-01-03", edges=[("depends_on", "n059")])
    picture = graph_of(hub, *leaves, far).around(("hub",), steps=2)
    assert len(picture.nodes) == MOST_NODES
    assert (picture.found, picture.cut) == (62, 22)
    assert picture.nodes[0].item == "hub"
    assert "far" not in {one.item for one in picture.nodes}
    here = {one.item for one in picture.nodes}
    assert all({one.source, one.target} <= here for one in picture.edges)


def test_a_circle_of_dependencies_is_named_and_ends():
    told = [
        Told(name, "2026-01-01", edges=[("depends_on", other)])
        for name, other in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"))
    ]
    picture = graph_of(*told).around(("a",), steps=3)
    assert picture.ring == ("a", "b", "c")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_the_same_picture_has_the_same_places_and_no_two_cells_share_one(pairs, steps):
    told = [
        Told(
            f"n{n}",
            f"2026-01-{n + 1:02}" if n % 3 else None,
            [("ana", f"p{n % 3}", f"v{n}")],
            edges=[("depends_on", f"n{b}") for a, b in pairs if a == n and b != n],
        )
        for n in range(10)
    ]
    one, two = (layout(graph_of(*told).around(("n0",), steps=steps)) for _ in range(2))
    assert one == two
    assert len({(node.x, node.y) for node in one.nodes}) == len(one.nodes)
    rows = {lane.parameter: range(lane.first, lane.last + 1) for lane in one.lanes}
    assert all(node.y in rows[node.node.parameter] for node in one.nodes)
    assert all(len(curve.points) == POINTS for curve in one.curves)


def test_two_values_at_one_moment_are_an_open_conflict():
    (one,) = conflicts_of(
        Told("a", "2025-01-01", [(*HOME, "kazan")]), Told("b", "2025-01-01", [(*HOME, "moscow")])
    ).page(1, 50)
    assert (one.parameter, one.subject, one.why, one.strength) == (
        "residence",
        "ana",
        Why.UNCLEAR,
        0.6,
    )
    assert set(one.items) == {"a", "b"}


@pytest.mark.parametrize(
    "told",
    [
        [Told("a", "2024-05-01", [(*HOME, "x")]), Told("b", "2025-09-01", [(*HOME, "y")])],
        [Told("a", "2024-05-01", [(*HOME, "kazan")]), Told("b", "2024-05-01", [(*HOME, "kazan")])],
        [
            Told("a", "2024-01-01", [(*HOME, "kazan")], end="2024-06-01"),
            Told("b", "2024-01-01", [(*HOME, "moscow")]),
        ],
        [
            Told("a", "2024-01-01", [(*HOME, "kazan", "many")]),
            Told("b", "2024-01-01", [(*HOME, "moscow", "many")]),
        ],
        [
            Told("a", "2025-01-01", [(*HOME, "kazan")], durable=False),
            Told("b", "2025-01-01", [(*HOME, "moscow")]),
        ],
        [
            Told("a", "2025-01-01", [(*HOME, "kazan")],
                 scope='{"scope":{"user":"ana"},"entities":[]}'),
            Told("b", "2025-01-01", [(*HOME, "moscow")],
                 scope='{"scope":{"user":"bob"},"entities":[]}'),
        ],
    ],
    ids=["succession", "the same value", "over", "many values", "staged", "other scope"],
)  # fmt: skip
def test_what_is_no_conflict_is_not_listed(told):
    assert len(conflicts_of(*told)) == 0


def test_an_immutable_value_against_a_later_one_is_for_a_person():
    (one,) = conflicts_of(
        Told("a", "2024-05-01", [(*HOME, "kazan")], guard="owner:x"),
        Told("b", "2025-09-01", [(*HOME, "moscow")]),
    ).page(1, 50)
    assert (one.why, one.strength) == (Why.GUARDED, 0.9)


def test_a_slot_with_many_values_is_one_conflict_and_pages_hold_fifty():
    many = [Told(f"m{n}", "2025-01-01", [(*HOME, f"city {n}")]) for n in range(100)]
    pairs = [
        Told(f"s{n}{side}", "2025-01-01", [(f"p{n}", "residence", side)])
        for n in range(60)
        for side in "ab"
    ]
    told = conflicts_of(*many, *pairs)
    assert len(told) == 61
    assert [len(told.page(number, 50)) for number in (1, 2, 3)] == [50, 11, 0]
    place = told.place_of("s7a")
    assert "s7a" in told[place].items
    assert told.place_of("nobody") == -1


@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.sampled_from("xyz"), st.booleans()), min_size=2, max_size=8
    )
)
@settings(max_examples=60, deadline=None)
def test_a_denied_pair_neither_closes_nor_conflicts_and_others_are_as_before(rows):
    told = [
        Told(f"c{n}", f"2025-0{month}-01", [(*HOME, value)], guard="owner:x" if guarded else None)
        for n, (month, value, guarded) in enumerate(rows)
    ]
    denied = [("c0", "conflicts_with", "c1")]
    columns = cells(*told, denied=denied)
    life, free = live(columns), live(cells(*told))
    by = life.superseded_by
    assert by[0] != 1
    assert by[1] != 0
    assert (life.superseded_by[2:] == free.superseded_by[2:]).all()
    for one in conflicts_of(*told, denied=denied).page(1, 50):
        assert set(one.items) != {"c0", "c1"}


def test_the_pieces_of_a_life_join_and_end_open():
    told = known(
        Told("old", "2024-05-01", [(*HOME, "kazan")], end="2027-01-01"),
        Told("new", "2025-09-01", [(*HOME, "moscow")]),
        Told("hotel", "2024-06-01", edges=[("depends_on", "old")]),
    )

    def read(item):
        return [
            (str(one.status) if one.status else "over", instants.day(one.start))
            for one in pieces(told, item)
        ]

    assert read("old") == [
        ("ACTIVE", "2024-05-01"), ("SUPERSEDED", "2025-09-01"), ("over", "2027-01-01")
    ]  # fmt: skip
    assert read("hotel") == [("ACTIVE", "2024-06-01"), ("STALE", "2025-09-01")]
    assert pieces(told, "nobody") == ()


def test_a_graph_of_one_cell_is_that_cell():
    picture = graph_of(Told("only", None)).around(("only",))
    assert [one.item for one in picture.nodes] == ["only"]
    placed = layout(picture)
    assert (placed.rows, placed.curves) == (1, ())
