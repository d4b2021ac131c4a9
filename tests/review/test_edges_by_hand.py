"""Edges that a person signs: what they do to the lives of cells, and how they are taken back."""

from __future__ import annotations

import pytest

from review.duplicates.link_signing import NotLinkedError
from review.graphs.edges_by_hand import NotDrawnError
from store.cells import Asserter, EdgeKind
from store.links import LinkVerdict
from store.stages import DecisionKind
from tests.review.desks import desk_over
from tests.review.edge_worlds import (
    RULES,
    WAREHOUSES,
    draw,
    edge,
    refuse,
    sign,
    statuses,
)
from tests.review.worlds import World, admitted, cell

LANGUAGES = pytest.mark.parametrize("language", ["en", "ru"])


def test_p28_of_two_opposite_rules_a_person_retires_one_with_a_reason(irina):
    world = World(irina).remember(RULES)
    # Nobody stated an order that a rule may use: both stand until a person says something.
    first = statuses(world)
    draw(world, EdgeKind.SUPERSEDES, "R2", "R1", why="The team agreed on spaces, marked FINAL")
    assert statuses(world) == {"R1": "SUPERSEDED", "R2": first["R2"]}
    told = edge(world, EdgeKind.SUPERSEDES, "R2", "R1").person
    assert told.by == irina.name
    (payload,) = world.store.payloads([told.note]).values()
    assert payload.body.decode() == "The team agreed on spaces, marked FINAL"


def test_the_later_rule_can_be_retired_by_the_earlier_one_too(irina):
    world = World(irina).remember(RULES)
    draw(world, EdgeKind.SUPERSEDES, "R1", "R2")
    assert statuses(world)["R2"] == "SUPERSEDED"


def test_an_immutable_cell_is_superseded_by_a_person_and_by_nothing_that_is_found(irina):
    limit = cell("Our storage limit is 400 000 RUB a month.", "L1", "2025-11-10",
                 immutable="owner:landlord")  # fmt: skip
    raised = cell("Our storage limit is 500 000 RUB a month.", "L2", "2026-02-10")
    world = World(irina).remember([limit, raised])
    assert statuses(world)["L1"] != "SUPERSEDED"
    draw(world, EdgeKind.SUPERSEDES, "L2", "L1")
    assert statuses(world)["L1"] == "SUPERSEDED"
    refuse(world, EdgeKind.SUPERSEDES, "L2", "L1", why="the landlord has not signed yet")
    assert statuses(world)["L1"] != "SUPERSEDED"


def test_a_signed_retraction_gives_the_older_cell_its_life_back_and_changes_no_content(irina):
    world = World(irina).remember(RULES)
    before, claims = statuses(world), world.desk.claims_of(list(world.items.values()))
    draw(world, EdgeKind.SUPERSEDES, "R2", "R1")
    refuse(world, EdgeKind.SUPERSEDES, "R2", "R1")
    assert statuses(world) == before
    assert world.desk.claims_of(list(world.items.values())) == claims
    verdicts = world.store.rows("select verdict from proj_link order by seq")
    assert [row["verdict"] for row in verdicts] == ["asserted", "retracted"]


@LANGUAGES
def test_what_was_found_is_denied_and_stays_denied(irina, language):
    world = World(irina).remember(WAREHOUSES[language])
    assert statuses(world) == {"M1": "SUPERSEDED", "M2": "STALE", "M3": "ACTIVE"}
    refuse(world, EdgeKind.SUPERSEDES, "M3", "M1", why="Koledino stays open for returns")
    after = statuses(world)
    assert after["M1"] == "ACTIVE"
    assert edge(world, EdgeKind.SUPERSEDES, "M3", "M1") is None
    # Another approval makes everything be worked out again; the denial still counts.
    world.remember([cell("The office plant is a ficus.", "X", "2026-02-20")])
    assert statuses(world)["M1"] == "ACTIVE"


@LANGUAGES
def test_a_denied_dependency_frees_a_stale_cell_at_once(irina, language):
    world = World(irina).remember(WAREHOUSES[language])
    (told,) = world.desk.graph.stale().rows
    assert (told.item, told.rests_on) == (world.items["M2"], world.items["M1"])
    hand = world.desk.graph.by_hand
    hand.unbind(told.item, told.rests_on, why="The carrier serves both", nonce="n-1")
    sign(world)
    assert statuses(world) == {"M1": "SUPERSEDED", "M2": "ACTIVE", "M3": "ACTIVE"}
    assert world.desk.graph.stale().total == 0


def test_a_denial_can_be_taken_back_and_the_rule_counts_again(irina):
    world = World(irina).remember(WAREHOUSES["en"])
    before = statuses(world)
    refuse(world, EdgeKind.SUPERSEDES, "M3", "M1")
    hand = world.desk.graph.by_hand
    (told,) = hand.of(world.items["M1"])
    hand.restore(told, why="I was wrong", nonce="n-2")
    sign(world)
    assert statuses(world) == before


def test_a_denied_closing_lets_the_next_value_close(irina):
    rows = [
        cell("Alex lives in Seattle.", "A", "2023-05-01"),
        cell("Alex moved to Boston.", "B", "2024-09-01"),
        cell("Alex moved to Chicago.", "C", "2025-09-01"),
    ]
    world = World(irina).remember(rows)
    by = edge(world, EdgeKind.SUPERSEDES, "B", "A")
    assert by is not None
    refuse(world, EdgeKind.SUPERSEDES, "B", "A")
    assert statuses(world)["A"] == "SUPERSEDED"
    assert edge(world, EdgeKind.SUPERSEDES, "C", "A").effect == "2025-09-01T10:00:00Z"


def test_a_dependency_drawn_by_hand_cascades_and_its_retraction_frees(irina):
    rows = [
        cell("The DevConf conference takes place in Kazan in June.", "event", "2026-01-10"),
        cell("Booked hotel Volga.", "hotel", "2026-01-12"),
        cell("The taxi to the hotel is ordered.", "taxi", "2026-01-13"),
        cell("DevConf is off for good.", "off", "2026-02-01"),
    ]
    world = World(irina).remember(rows)
    draw(world, EdgeKind.DEPENDS_ON, "hotel", "event")
    draw(world, EdgeKind.DEPENDS_ON, "taxi", "hotel")
    assert set(statuses(world).values()) == {"ACTIVE"}
    draw(world, EdgeKind.SUPERSEDES, "off", "event")
    assert statuses(world)["hotel"] == statuses(world)["taxi"] == "STALE"
    paths = {one.item: one.path for one in world.desk.graph.stale().rows}
    assert paths[world.items["taxi"]] == (world.items["hotel"], world.items["event"])
    refuse(world, EdgeKind.DEPENDS_ON, "hotel", "event")
    assert statuses(world)["hotel"] == statuses(world)["taxi"] == "ACTIVE"


def test_a_withdrawn_premise_leaves_work_that_its_denial_or_its_return_ends(irina):
    world = World(irina).remember(WAREHOUSES["en"][:2])
    draw(world, EdgeKind.DEPENDS_ON, "M2", "M1")
    world.decide(DecisionKind.WITHDRAW, "M1", reason=None)
    (told,) = world.desk.graph.stale().rows
    assert (told.item, told.rests_on, told.fate) == (world.items["M2"], world.items["M1"], "gone")
    hand = world.desk.graph.by_hand
    hand.unbind(told.item, told.rests_on, why="It holds without it", nonce="n-3")
    sign(world)
    assert world.desk.graph.stale().total == 0
    world.decide(DecisionKind.APPROVE, "M1", reason=None)
    assert statuses(world) == {"M1": "ACTIVE", "M2": "ACTIVE"}


def test_a_stale_cell_leaves_the_lane_by_a_new_cell(irina):
    world = World(irina).remember(WAREHOUSES["en"])
    assert world.desk.graph.stale().total == 1
    world.remember([cell("The carrier is Boxberry.", "M5", "2026-03-02")])
    draw(world, EdgeKind.SUPERSEDES, "M5", "M2")
    assert world.desk.graph.stale().total == 0
    assert statuses(world)["M2"] == "SUPERSEDED"


def test_a_contradiction_by_hand_is_an_open_conflict_and_weighs_in_answers(irina):
    rows = [
        cell("The returns desk is open on Saturdays.", "S1", "2026-01-10"),
        cell("Nobody works at the returns desk at the weekend.", "S2", "2026-01-12"),
    ]
    world = World(irina).remember(rows)
    question = "Is the returns desk open on Saturdays?"
    before = {one.source_id: one.risk for one in world.ask(question, "2026-03-10").scored}
    assert len(world.desk.graph.at().conflicts) == 0
    draw(world, EdgeKind.CONTRADICTS, "S2", "S1")
    (told,) = world.desk.graph.at().conflicts.page(1, 50)
    assert set(told.items) == set(world.items.values())
    after = {one.source_id: one.risk for one in world.ask(question, "2026-03-10").scored}
    assert before["S1"] == 0.0 < after["S1"]


def test_a_denied_conflict_is_not_open_and_weighs_nothing(irina):
    rows = [
        cell("Alex lives in Seattle.", "A", "2025-05-01"),
        cell("Alex lives in Boston.", "B", "2025-05-01"),
    ]
    world = World(irina).remember(rows)
    assert len(world.desk.graph.at().conflicts) == 1
    refuse(world, EdgeKind.CONFLICTS_WITH, "A", "B", why="There are two people named Alex")
    assert len(world.desk.graph.at().conflicts) == 0
    part = world.ask("Where does Alex live?", "2026-03-10")
    assert admitted(part) == {"A", "B"}
    assert {one.risk for one in part.admitted} == {0.0}


@pytest.mark.parametrize(
    ("kind", "source", "target", "why", "code"),
    [
        (EdgeKind.SUPERSEDES, "R1", "R1", "x", "same"),
        (EdgeKind.DUPLICATE_OF, "R1", "R2", "x", "kind"),
        (EdgeKind.DERIVED_FROM, "R1", "R2", "x", "kind"),
        (EdgeKind.SUPERSEDES, "R1", "R2", "  ", "reason"),
        (EdgeKind.SUPERSEDES, "R1", "R2", "x" * 1001, "reason"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_leaves_nothing(
    irina, kind, source, target, why, code
):
    world = World(irina).remember(RULES)
    size, hand = world.store.head().size, world.desk.graph.by_hand
    with pytest.raises(NotDrawnError) as told:
        hand.draw(kind, world.items[source], world.items[target], why=why, nonce="n")
    assert told.value.code == code
    assert (world.store.head().size, world.desk.duplicates.drafts()) == (size, [])


def test_an_edge_to_what_is_not_durable_a_circle_and_a_repeat_are_refused(irina):
    world = World(irina).remember(RULES)
    world.stage([cell("The convention is four spaces.", "R3", "2026-02-02")])
    hand = world.desk.graph.by_hand
    for source, target, code in (("R3", "R1", "not_durable"), ("R1", "R3", "not_durable")):
        with pytest.raises(NotDrawnError) as told:
            hand.draw(EdgeKind.SUPERSEDES, world.items[source], world.items[target],
                      why="x", nonce="n")  # fmt: skip
        assert told.value.code == code
    draw(world, EdgeKind.SUPERSEDES, "R2", "R1")
    for source, target, code in (("R1", "R2", "circle"), ("R2", "R1", "stands")):
        with pytest.raises(NotDrawnError) as told:
            hand.draw(EdgeKind.SUPERSEDES, world.items[source], world.items[target],
                      why="x", nonce="n")  # fmt: skip
        assert told.value.code == code


def test_without_an_identity_nothing_is_drawn(irina):
    from review.person import ReadOnlyError

    world = World(irina).remember(RULES)
    reader = desk_over(world.store)
    with pytest.raises(ReadOnlyError):
        reader.graph.by_hand.draw(
            EdgeKind.SUPERSEDES, world.items["R2"], world.items["R1"], why="x", nonce="n"
        )


def test_an_edge_counts_for_the_artifacts_it_was_signed_over_and_comes_back_with_them(irina):
    world = World(irina).remember(RULES)
    draw(world, EdgeKind.SUPERSEDES, "R2", "R1")
    world.decide(DecisionKind.WITHDRAW, "R2", reason=None)
    assert statuses(world)["R1"] != "SUPERSEDED"
    world.decide(DecisionKind.APPROVE, "R2", reason=None)
    assert statuses(world)["R1"] == "SUPERSEDED"


def test_a_drafted_edge_changes_nothing(irina):
    world = World(irina).remember(RULES)
    before = statuses(world)
    world.desk.graph.by_hand.draw(
        EdgeKind.SUPERSEDES, world.items["R2"], world.items["R1"], why="x", nonce="n"
    )
    assert statuses(world) == before
    assert world.desk.duplicates.undo() is not None
    with pytest.raises((AssertionError, NotLinkedError)):
        sign(world)


def test_who_asserts_an_edge_is_told_for_each_of_them(irina):
    world = World(irina).remember(WAREHOUSES["en"])
    draw(world, EdgeKind.SUPERSEDES, "M3", "M1")
    told = edge(world, EdgeKind.SUPERSEDES, "M3", "M1")
    assert {one.asserter for one in told.assertions} == {Asserter.RULE, Asserter.PERSON}
    # Taking it back has to outweigh the rule as well.
    refuse(world, EdgeKind.SUPERSEDES, "M3", "M1")
    assert edge(world, EdgeKind.SUPERSEDES, "M3", "M1") is None
    assert statuses(world)["M1"] == "ACTIVE"


def test_what_signing_would_change_is_what_it_changes(irina):
    world = World(irina).remember(WAREHOUSES["en"][:2])
    world.remember([cell("We ship from Elektrostal only.", "M5", "2026-02-15")])
    hand, before = world.desk.graph.by_hand, statuses(world)
    ends = (world.items["M5"], world.items["M1"])
    link = hand.said(EdgeKind.SUPERSEDES, *ends, LinkVerdict.ASSERTED)
    told = world.desk.graph.if_linked([link])
    assert [one.item for one in told.superseded] == [world.items["M1"]]
    assert [one.item for one in told.stale] == [world.items["M2"]]
    assert statuses(world) == before
    draw(world, EdgeKind.SUPERSEDES, "M5", "M1")
    after = statuses(world)
    assert (after["M1"], after["M2"]) == ("SUPERSEDED", "STALE")
    back = world.desk.graph.if_linked(
        [hand.refusing(edge(world, EdgeKind.SUPERSEDES, "M5", "M1"))]
    )
    assert [one.item for one in back.restored] == [world.items["M1"]]
    assert [one.item for one in back.freed] == [world.items["M2"]]


def test_withdrawing_says_what_loses_its_footing_and_what_comes_back(irina):
    world = World(irina).remember(WAREHOUSES["en"])
    told = world.desk.graph.if_withdrawn(world.desk.card_of(world.items["M3"]))
    assert [one.item for one in told.restored] == [world.items["M1"]]
    assert [one.item for one in told.freed] == [world.items["M2"]]
    world.decide(DecisionKind.WITHDRAW, "M3", reason=None)
    assert statuses(world) == {"M1": "ACTIVE", "M2": "ACTIVE"}


def test_p30_an_invalidation_by_hand_shows_who_did_it_and_why_and_is_undone(irina):
    rows = [
        cell("Nadia works at Orbita.", "job", "2025-05-01"),
        cell("Nadia administers the Lumen repository.", "role", "2026-01-10"),
    ]
    world = World(irina).remember(rows)
    assert "SUPERSEDED" not in statuses(world).values()
    draw(world, EdgeKind.SUPERSEDES, "role", "job", why="she changed firms")
    told = edge(world, EdgeKind.SUPERSEDES, "role", "job").person
    assert (told.by, bool(told.since), bool(told.note)) == (irina.name, True, True)
    refuse(world, EdgeKind.SUPERSEDES, "role", "job", why="she did not")
    assert "SUPERSEDED" not in statuses(world).values()


@pytest.mark.parametrize(
    ("old", "new", "now", "before"),
    [
        (
            "The SSH port of the gateway is 22.",
            "The SSH port of the gateway is 49222.",
            "What is the SSH port of the gateway?",
            "What was the SSH port of the gateway in January 2026?",
        ),
        (
            "SSH-порт шлюза — 22.",
            "SSH-порт шлюза — 49222.",
            "Какой SSH-порт у шлюза?",
            "Какой SSH-порт был у шлюза в январе 2026 года?",
        ),
    ],
    ids=["en", "ru"],
)
def test_p27_p33_what_a_person_retires_is_kept_from_the_present_and_stays_in_history(
    irina, old, new, now, before
):
    rows = [cell(old, "old", "2025-12-01"), cell(new, "new", "2026-02-01")]
    world = World(irina).remember(rows)
    if edge(world, EdgeKind.SUPERSEDES, "new", "old") is None:
        draw(world, EdgeKind.SUPERSEDES, "new", "old")
    assert "old" not in admitted(world.ask(now, "2026-03-10"))
    assert "old" in admitted(world.ask(before, "2026-03-10"))
    assert world.desk.durable_count() == 2


def test_p36_a_pair_that_cannot_both_be_true_is_a_row_of_the_list_until_it_is_settled(irina):
    rows = [
        cell("The flag fast-path was removed from the gateway.", "gone", "2026-02-01"),
        cell("The flag fast-path is present in the gateway.", "there", "2026-02-01"),
    ]
    world = World(irina).remember(rows)
    if not len(world.desk.graph.at().conflicts):
        draw(world, EdgeKind.CONTRADICTS, "gone", "there")
    (told,) = world.desk.graph.at().conflicts.page(1, 50)
    assert set(told.items) == set(world.items.values())
    draw(world, EdgeKind.SUPERSEDES, "there", "gone", why="it came back in 4.2")
    assert len(world.desk.graph.at().conflicts) == 0


def test_a_secret_in_a_reason_is_written_nowhere(irina):
    secret = "ghp_" + "a1B2" * 9
    world = World(irina).remember(RULES)
    draw(world, EdgeKind.SUPERSEDES, "R2", "R1", why=f"see the issue, token {secret}")
    note = edge(world, EdgeKind.SUPERSEDES, "R2", "R1").person.note
    (payload,) = world.store.payloads([note]).values()
    assert secret.encode() not in payload.body
    assert b"see the issue" in payload.body


# --- the same words from another import ----------------------------------------------------------

ALEX = [
    cell("Alex lives in Seattle.", "A", "2025-05-01"),
    cell("Alex lives in Boston.", "B", "2025-05-01"),
]
AGAIN = [
    cell("ALEX lives in Seattle", "A2", "2025-05-01"),
    cell("Alex lives in Boston!", "B2", "2025-05-01"),
]
"""The same words but for case and marks, from another file."""


def test_a_denied_conflict_stays_denied_for_the_same_words_from_another_import(irina):
    world = World(irina).remember(ALEX)
    refuse(world, EdgeKind.CONFLICTS_WITH, "A", "B")
    world.remember(AGAIN)
    graph, now = world.desk.graph, world.desk.graph.at()
    assert len(now.conflicts) == 0
    (akin,) = graph.denied_by_words(now, world.items["A2"])
    assert akin.link.start.item == world.items["A"]
    assert graph.denied_by_words(now, world.items["A"]) == ()
    graph.by_hand.restore(akin, why="it was right", nonce=world.desk.new_nonce())
    sign(world)
    assert len(world.desk.graph.at().conflicts) == 1


def test_a_denial_reaches_no_other_words_and_yields_to_what_a_person_says_of_the_pair(irina):
    world = World(irina).remember(ALEX)
    refuse(world, EdgeKind.CONFLICTS_WITH, "A", "B")
    world.remember([cell("Alex lives in Denver.", "C", "2025-05-01"), *AGAIN])
    assert edge(world, EdgeKind.CONFLICTS_WITH, "C", "A2") is not None
    draw(world, EdgeKind.CONFLICTS_WITH, "B2", "A2")
    told = edge(world, EdgeKind.CONFLICTS_WITH, "B2", "A2")
    assert told is not None
    assert told.person is not None


def test_one_denial_holds_for_a_bounded_number_of_copies(irina, monkeypatch):
    monkeypatch.setattr("review.memory.signed_edges.MOST_TWINS", 1)
    world = World(irina).remember(ALEX)
    refuse(world, EdgeKind.CONFLICTS_WITH, "A", "B")
    world.remember(AGAIN)
    denied = world.desk.graph.at().known.cells.denied
    assert len(denied.of("conflicts_with")) == 4  # two pairs, both ways
