"""The life of cells: succession by slots, cascades by premises, scopes, order, authority."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review import instants
from review.memory import lineage
from review.memory.lifecycle import live
from review.memory.validity import Status
from store.cells import SourceType
from tests.review.memories import Told, cells

HOME = ("ana", "residence")


def at(day: str) -> int:
    told = instants.read(day)
    assert told is not None
    return told


def until(told, life, item: str) -> str:
    return instants.day(int(life.ends[told.row_of[item]]))


def status(told, life, item: str, day: str) -> Status:
    return life.status(told.row_of[item], at(day), durable=True)


def test_a_later_value_closes_the_earlier_one_from_its_own_start():
    told = cells(
        Told("kazan", "2024-05-01", [(*HOME, "kazan")]),
        Told("moscow", "2025-09-01", [(*HOME, "moscow")]),
    )
    life = live(told)
    assert until(told, life, "kazan") == "2025-09-01"
    assert status(told, life, "kazan", "2025-08-31") is Status.ACTIVE
    assert status(told, life, "kazan", "2025-09-01") is Status.SUPERSEDED
    assert status(told, life, "moscow", "2025-09-01") is Status.ACTIVE
    assert life.superseded_by[told.row_of["kazan"]] == told.row_of["moscow"]


def test_the_order_of_approval_does_not_matter():
    first = cells(
        Told("new", "2025-09-01", [(*HOME, "moscow")]),
        Told("old", "2024-05-01", [(*HOME, "kazan")]),
    )
    assert until(first, live(first), "old") == "2025-09-01"
    assert until(first, live(first), "new") == "never"


def test_a_planned_change_lets_the_old_value_hold_until_it_begins():
    told = cells(
        Told("now", None, [(*HOME, "kazan")], written="2026-01-01T00:00:00Z"),
        Told("planned", "2026-03-01", [(*HOME, "moscow")], written="2026-02-15T00:00:00Z"),
    )
    life = live(told)
    assert life.in_force(at("2026-02-28")).tolist() == [True, False]
    assert life.in_force(at("2026-03-01")).tolist() == [False, True]


def test_equal_values_close_nothing_and_a_return_to_an_old_value_closes_the_one_between():
    told = cells(
        Told("a", "2024-01-01", [(*HOME, "kazan")]),
        Told("b", "2024-02-01", [(*HOME, "kazan")]),
        Told("c", "2024-03-01", [(*HOME, "moscow")]),
        Told("d", "2024-04-01", [(*HOME, "kazan")]),
    )
    life = live(told)
    ends = [until(told, life, item) for item in "abcd"]
    assert ends == ["2024-03-01", "2024-03-01", "2024-04-01", "never"]


def test_two_equal_moments_close_neither():
    told = cells(
        Told("a", "2024-01-01", [(*HOME, "kazan")]), Told("b", "2024-01-01", [(*HOME, "moscow")])
    )
    life = live(told)
    assert [until(told, life, item) for item in "ab"] == ["never", "never"]


@pytest.mark.parametrize("cardinality", ["many", "unknown"])
def test_a_parameter_that_may_have_several_values_closes_none(cardinality):
    told = cells(
        Told("a", "2024-01-01", [("ana", "hobby", "chess", cardinality)]),
        Told("b", "2024-02-01", [("ana", "hobby", "tennis", cardinality)]),
    )
    assert until(told, live(told), "a") == "never"


def test_written_times_of_two_systems_are_no_order():
    one = Told("a", None, [(*HOME, "kazan")], written="2024-01-01T00:00:00Z", importer="mem0")
    two = Told("b", None, [(*HOME, "moscow")], written="2024-02-01T00:00:00Z", importer="letta")
    told = cells(one, two)
    assert until(told, live(told), "a") == "never"
    told = cells(
        one, Told("b", None, [(*HOME, "moscow")], written="2024-02-01T00:00:00Z", importer="mem0")
    )
    assert until(told, live(told), "a") == "2024-02-01"


def test_an_immutable_value_is_closed_by_nothing_that_is_found():
    told = cells(
        Told("limit", "2024-01-01", [("bank", "limit", "100")], guard="owner:bank"),
        Told("claim", "2024-02-01", [("bank", "limit", "900")]),
    )
    assert until(told, live(told), "limit") == "never"


def test_a_value_under_a_procedure_is_closed_by_the_same_procedure():
    told = cells(
        Told("a", "2024-01-01", [("db", "version", "15")], guard="procedure:inventory"),
        Told("b", "2024-02-01", [("db", "version", "17")]),
        Told("c", "2024-03-01", [("db", "version", "16")], guard="procedure:inventory"),
    )
    assert until(told, live(told), "a") == "2024-03-01"


def test_a_link_of_a_file_does_not_supersede_an_immutable_cell_but_a_persons_does():
    def closed(asserter: str) -> str:
        told = cells(
            Told("a", "2024-01-01", [("bank", "limit", "100")], guard="owner:bank"),
            Told("b", "2024-02-01", edges=[("supersedes", "a", "1", asserter)]),
        )
        return until(told, live(told), "a")

    assert closed("source") == "never"
    assert closed("person") == "2024-02-01"


def test_only_the_owner_closes_a_value_that_came_from_the_owner():
    told = cells(
        Told("order", "2024-01-01", [("jackets", "fee", "45")], source_type="owner_order"),
        Told("gossip", "2024-02-01", [("jackets", "fee", "60")], source_type="agent_summary"),
        Told("order2", "2024-03-01", [("jackets", "fee", "50")], source_type="owner_order"),
    )
    life = live(told, owners={"fee": SourceType.OWNER_ORDER})
    assert until(told, life, "order") == "2024-03-01"
    assert until(told, life, "gossip") == "2024-03-01"
    assert until(told, live(told), "order") == "2024-02-01"


def scope(**keys: str) -> str:
    import json

    return json.dumps({"entities": [], "scope": keys})


def test_scopes_of_different_people_do_not_meet():
    told = cells(
        Told("a", "2024-01-01", [("", "residence", "kazan")], scope=scope(user="ana")),
        Told("b", "2024-02-01", [("", "residence", "moscow")], scope=scope(user="bob")),
    )
    assert until(told, live(told), "a") == "never"


def test_a_narrower_correction_does_not_supersede_outside_it_but_a_broader_one_does_inside():
    told = cells(
        Told("all", "2024-01-01", [("shop", "price", "10")]),
        Told("kazan", "2024-02-01", [("shop", "price", "12")], scope=scope(city="kazan")),
        Told("all2", "2024-03-01", [("shop", "price", "15")]),
    )
    life = live(told)
    assert until(told, life, "all") == "2024-03-01"
    assert until(told, life, "kazan") == "2024-03-01"


def test_an_ended_value_takes_its_cell_and_everything_that_rests_on_it():
    told = cells(
        Told("warehouse", "2025-11-10", [("jackets", "warehouse", "koledino")]),
        Told(
            "carrier",
            "2025-11-12",
            [
                ("koledino", "carrier", "delovye linii"),
                ("", "", "koledino", "unknown", "rests_on"),
            ],
        ),
        Told(
            "closing",
            "2026-03-01",
            [("", "", "koledino", "unknown", "ends"), ("jackets", "warehouse", "elektrostal")],
        ),
    )
    life = live(told)
    assert status(told, life, "warehouse", "2026-03-10") is Status.SUPERSEDED
    assert status(told, life, "carrier", "2026-02-20") is Status.ACTIVE
    assert status(told, life, "carrier", "2026-03-10") is Status.STALE
    assert lineage.path(life.falls, told.row_of["carrier"]) == (told.row_of["warehouse"],)


def test_what_is_said_of_a_place_begins_and_falls_with_it_where_goods_are_kept_in_it():
    told = cells(
        Told("move", "2026-03-01", [("jackets", "warehouse", "elektrostal")]),
        Told("fee", "2026-02-16", [("elektrostal", "commission", "45 RUB/unit")]),
        Told("back", "2026-06-01", [("jackets", "warehouse", "tula")]),
    )
    life = live(told, places=frozenset({"warehouse"}))
    assert life.in_force(at("2026-02-23")).tolist() == [False, False, False]
    assert status(told, life, "fee", "2026-05-01") is Status.ACTIVE
    assert status(told, life, "fee", "2026-06-01") is Status.STALE
    assert until(told, live(told), "fee") == "never"


def test_an_ended_value_of_somebody_else_closes_nothing():
    told = cells(
        Told("ana", "2024-01-01", [("ana", "employer", "acme")]),
        Told("bob", "2024-02-01", [("bob", "employer", "acme", "unknown", "ends")]),
    )
    assert until(told, live(told), "ana") == "never"


def test_a_cascade_goes_to_any_depth_and_names_its_path():
    chain = [
        Told(f"c{n}", "2024-01-02", edges=[("depends_on", f"c{n - 1}" if n else "root")])
        for n in range(30)
    ]
    told = cells(
        Told("root", "2024-01-01", [("event", "status", "on")]),
        *chain,
        Told("off", "2024-06-01", [("event", "status", "off")]),
        Told("other", "2024-01-02", [("town", "hotel", "plaza")]),
    )
    life = live(told)
    assert status(told, life, "c29", "2024-06-01") is Status.STALE
    assert status(told, life, "c29", "2024-05-31") is Status.ACTIVE
    assert status(told, life, "other", "2024-06-01") is Status.ACTIVE
    path = lineage.path(life.falls, told.row_of["c29"])
    assert [told.frame["item"][row] for row in path[:2]] == ["c28", "c27"]
    assert told.frame["item"][path[-1]] == "root"


def test_a_cycle_of_dependencies_ends_and_falls_together():
    told = cells(
        Told("a", "2024-01-01", edges=[("depends_on", "b")]),
        Told("b", "2024-01-01", edges=[("depends_on", "c"), ("depends_on", "root")]),
        Told("c", "2024-01-01", edges=[("depends_on", "a")]),
        Told("root", "2024-01-01", end="2024-02-01"),
    )
    life = live(told)
    assert [until(told, life, item) for item in "abc"] == ["2024-02-01"] * 3
    assert len(lineage.path(life.falls, told.row_of["a"])) <= 3


def test_a_cell_begins_with_its_premise():
    told = cells(
        Told("fee", "2026-02-16", edges=[("depends_on", "move")]), Told("move", "2026-03-01")
    )
    life = live(told)
    assert life.in_force(at("2026-02-23")).tolist() == [False, False]
    assert life.in_force(at("2026-03-01")).tolist() == [True, True]


def test_a_withdrawn_premise_makes_stale_from_that_moment_and_an_undecided_one_is_waited_for():
    told = cells(
        Told("a", "2024-01-01", edges=[("depends_on", "gone")]),
        Told("b", "2024-01-01", edges=[("depends_on", "waits")]),
        stages={"gone": ("rejected", "2024-05-01T00:00:00Z")},
    )
    life = live(told)
    assert status(told, life, "a", "2024-04-30") is Status.ACTIVE
    assert status(told, life, "a", "2024-05-01") is Status.STALE
    assert told.waiting.tolist() == [1]


def test_a_premise_value_that_two_cells_state_falls_only_when_both_do():
    facts = [("", "", "koledino", "unknown", "rests_on")]
    told = cells(
        Told("a", "2024-01-01", [("jackets", "warehouse", "koledino")]),
        Told("b", "2024-01-01", [("boots", "warehouse", "koledino")]),
        Told("carrier", "2024-01-02", facts),
        Told("c", "2024-02-01", [("jackets", "warehouse", "tula")]),
        Told("d", "2024-03-01", [("boots", "warehouse", "tula")]),
    )
    assert until(told, live(told), "carrier") == "2024-03-01"


def test_a_conclusion_goes_stale_when_what_it_rests_on_is_told_otherwise():
    told = cells(
        Told("why", "2024-01-01", [("ellie", "citizenship", "usa", "unknown", "rests_on")]),
        Told("news", "2024-02-01", [("ellie", "citizenship", "croatia", "unknown")]),
        Told("else", "2024-02-01", [("bill", "citizenship", "croatia", "unknown")]),
    )
    life = live(told)
    assert status(told, life, "why", "2024-02-01") is Status.STALE
    assert lineage.path(life.falls, 0) == (1,)


def test_a_cell_of_two_facts_that_lost_one_is_not_superseded():
    told = cells(
        Told("both", "2024-01-01", [(*HOME, "kazan"), ("ana", "employer", "acme")]),
        Told("move", "2024-02-01", [(*HOME, "moscow")]),
    )
    life = live(told)
    assert status(told, life, "both", "2024-03-01") is Status.ACTIVE
    assert instants.day(int(life.closings.at[0])) == "2024-02-01"
    assert life.closings.at[1] == instants.NEVER


def test_confirmations_count_independent_sources_and_a_conversation_once():
    def sources(*told: Told) -> list[int]:
        return live(cells(*told)).sources.tolist()

    fact = [("launch", "date", "5 june")]
    assert sources(Told("a", facts=fact), Told("b", facts=fact)) == [1, 1]
    assert sources(Told("a", facts=fact), Told("b", facts=fact, batch="imp-2")) == [2, 2]
    assert sources(Told("a", facts=fact, review="r1"), Told("b", facts=fact, review="r2")) == [
        2,
        2,
    ]
    run = scope(run="7")
    repeated = [Told(f"x{n}", facts=fact, scope=run, batch=f"imp-{n}") for n in range(5)]
    assert sources(*repeated) == [1] * 5


def test_validity_follows_status():
    told = cells(
        Told("a", "2024-01-01", [("x", "p", "1")], batch="imp-1"),
        Told("b", "2024-01-01", [("x", "p", "1")], batch="imp-2"),
        Told("c", "2024-01-01", [("x", "p", "1")], batch="imp-3"),
        Told("d", "2024-06-01", [("x", "p", "2")]),
        Told("e", "2024-01-01", edges=[("depends_on", "a")]),
        Told("f", "2024-01-01", durable=False),
    )
    life = live(told)
    before = life.validity(at("2024-05-01"), told.durable)
    after = life.validity(at("2024-07-01"), told.durable)
    assert before.tolist() == pytest.approx([0.90, 0.90, 0.90, 0.70, 0.70, 0.50])
    assert after.tolist() == pytest.approx([0.15, 0.15, 0.15, 0.70, 0.40, 0.50])


def test_ten_thousand_values_of_one_parameter_close_each_other_in_order():
    many = [Told(f"c{n}", f"{1000 + n:04d}-01-01", [("x", "p", f"v{n}")]) for n in range(0, 8999)]
    told = cells(*many)
    life = live(told)
    assert until(told, life, "c0") == "1001-01-01"
    assert until(told, life, "c8997") == "9998-01-01"
    assert until(told, life, "c8998") == "never"


_CELLS = st.lists(
    st.tuples(
        st.integers(0, 2),  # subject
        st.integers(0, 3),  # value
        st.integers(1, 9),  # month
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=150, deadline=None)
@given(_CELLS)
def test_closings_are_what_a_plain_look_at_every_pair_gives(drawn):
    told = cells(
        *[
            Told(f"c{n}", f"2024-0{month}-01", [(f"s{subject}", "p", f"v{value}")])
            for n, (subject, value, month) in enumerate(drawn)
        ]
    )
    life = live(told)
    for n, (subject, value, month) in enumerate(drawn):
        later = [m for s, v, m in drawn if s == subject and v != value and m > month]
        expected = f"2024-0{min(later)}-01" if later else "never"
        assert until(told, life, f"c{n}") == expected
