"""The past by the log alone: twenty moments against stores that really stopped there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from console.signing import throwaway
from review.cards.card import NoSuchItemError
from review.queue import Wanted
from review.recall import Question
from store.cells import EdgeKind
from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from tests.conftest import Reviewer
from tests.review.desks import desk_over
from tests.review.edge_worlds import RULES, WAREHOUSES, draw, refuse
from tests.review.worlds import World, cell

MOMENTS = 20
ASKED = [n if n % 3 == 0 else pytest.param(n, marks=pytest.mark.soak) for n in range(MOMENTS)]
"""Every third by default, all of them with ``make soak``."""


@dataclass
class Stopped:
    """A moment and the store file as it was then."""

    moment: datetime
    path: Path


@dataclass
class Story:
    world: World
    stops: list[Stopped]


def acts(world: World):
    """Twenty acts on one store, in order; each changes what the store knows."""
    yield lambda: world.remember(WAREHOUSES["en"][:1])
    yield lambda: world.stage(WAREHOUSES["en"][1:2])
    yield lambda: world.decide(DecisionKind.APPROVE, "M2")
    yield lambda: world.remember(WAREHOUSES["en"][2:])
    yield lambda: world.remember(RULES)
    yield lambda: draw(world, EdgeKind.SUPERSEDES, "R2", "R1")
    yield lambda: refuse(world, EdgeKind.SUPERSEDES, "M3", "M1")
    yield lambda: world.decide(DecisionKind.WITHDRAW, "M3", reason=None)
    yield lambda: draw(world, EdgeKind.CONTRADICTS, "M2", "R1")
    yield lambda: world.decide(DecisionKind.APPROVE, "M3", reason=None)
    yield lambda: refuse(world, EdgeKind.SUPERSEDES, "R2", "R1")
    yield lambda: draw(world, EdgeKind.DEPENDS_ON, "R1", "M1")
    yield lambda: world.decide(DecisionKind.WITHDRAW, "M1", reason=None)
    yield lambda: world.stage([cell("Alex lives in Seattle.", "A", "2025-05-01")])
    yield lambda: world.stage([cell("Alex lives in Boston.", "B", "2025-05-01")])
    yield lambda: world.decide(DecisionKind.APPROVE, "A", "B")
    yield lambda: refuse(world, EdgeKind.CONFLICTS_WITH, "A", "B")
    yield lambda: world.decide(DecisionKind.REJECT, "M1", reason="wrong")
    yield lambda: world.remember([cell("The carrier is Boxberry.", "M5", "2026-03-02")])
    yield lambda: draw(world, EdgeKind.SUPERSEDES, "M5", "M2")


@pytest.fixture(scope="module")
def story(tmp_path_factory) -> Story:
    folder = tmp_path_factory.mktemp("past")
    far = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    world = World(Reviewer("r-irina", throwaway(now=far)), folder / "store.duckdb")
    stops = []
    for n, act in enumerate(acts(world)):
        with world.desk.held():
            act()
        clock = world.desk._writer.clock
        path = folder / f"stopped-{n}.duckdb"
        shutil.copy(folder / "store.duckdb", path)
        stops.append(Stopped(clock(), path))
        clock.now += timedelta(hours=1)
    return Story(world, stops)


def everything(desk, moment, items):
    """What is told of a moment: who is durable, how each stands, its edges and open conflicts."""
    told = desk.graph.at(moment)
    graph = told.graph
    return {
        "statuses": told.statuses(items),
        "nodes": {item: graph.node(item) for item in items},
        "edges": {item: graph.edges(item) for item in items},
        "conflicts": told.conflicts.page(1, 50),
        "stale": desk.graph.stale(1, moment),
    }


def answers_of(desk, as_of):
    """What a question gets: every candidate with its numbers, and what is not known."""
    asked_at = datetime(2026, 4, 1, tzinfo=UTC)
    told = []
    for text in ("Where do we ship the jackets?", "Which carrier do we use?", "Where is Alex?"):
        (part,) = desk.ask(Question(text, asked_at=asked_at, as_of=as_of)).parts
        told.append((part.scored, part.gaps, part.due))
    return told


def rows_of(desk, moment):
    page = desk.graph.facts(Wanted(), moment=moment)
    return [(row.item, row.claim, row.signed_at) for row in page.rows], page.total


def cards_of(desk, moment, items):
    told = {}
    for item in items:
        try:
            card = desk.graph.card(item, moment)
        except NoSuchItemError:
            told[item] = None
        else:
            told[item] = (card.claim, card.stage, card.rev, card.artifact, card.links)
    return told


@pytest.mark.parametrize("n", ASKED)
def test_a_past_moment_is_told_as_by_a_store_that_stopped_there(story, n):
    stop = story.stops[n]
    stopped = DuckDbStore(stop.path, trust=story.world.irina.root)
    replayed = desk_over(stopped)
    items = list(story.world.items.values())
    desk = story.world.desk
    with desk.held(), replayed.held():
        assert everything(desk, stop.moment, items) == everything(replayed, stop.moment, items)
        assert answers_of(desk, stop.moment) == answers_of(replayed, None)
        assert rows_of(desk, stop.moment) == rows_of(replayed, stop.moment)
        assert cards_of(desk, stop.moment, items) == cards_of(replayed, stop.moment, items)


def test_the_twenty_moments_differ(story):
    items = list(story.world.items.values())
    desk = story.world.desk
    with desk.held():
        told = [str(everything(desk, one.moment, items)) for one in story.stops]
    assert len(set(told)) > MOMENTS // 2


def test_before_the_first_event_nothing_was_known(story):
    told = story.world.desk.graph.at(datetime(2020, 1, 1, tzinfo=UTC))
    assert len(told.known.cells) == 0
    assert len(told.conflicts) == 0
    with pytest.raises(NoSuchItemError):
        story.world.desk.graph.card(story.world.items["M1"], datetime(2020, 1, 1, tzinfo=UTC))


def test_the_last_decision_is_the_newest_signature(story):
    signed = [
        one.recorded_at
        for one in story.world.store.events()
        if one.type in ("batch.decided", "links.decided")
    ]
    assert story.world.desk.graph.last_decision() == max(signed)
