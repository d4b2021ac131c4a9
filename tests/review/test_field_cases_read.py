"""Complaints from the field about reading: whose memory it was, and why a fact reached an answer.

Section F as far as it is about reading, and section L; each name begins with the number of its
case. Everything goes through the public path.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from console.signing import throwaway
from review.auditing.answers import AnswersWanted, NoSuchAnswerError
from review.auditing.reported import Document, Reported
from review.auditing.why import Verdict
from review.duplicates.link_signing import NotLinkedError
from store.cells import EdgeKind
from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from tests.conftest import Clock, Reviewer, created
from tests.review.desks import POLICY, desk_over
from tests.review.test_worked_examples import ASKED, CELLS
from tests.review.worlds import World, admitted, cell

AT = "2026-03-10"


class Tenant(World):
    """A world of one of several tenants, with one reviewer for all."""

    def __init__(self, irina: Reviewer, n: int, path: Path | None = None) -> None:
        self.irina, self.path = irina, path
        self.store = DuckDbStore.create(
            path,
            store_id=f"store-{n}",
            tenant_id=f"tenant-{n}",
            key=bytes([n]) * 32,
            first=created(),
            trust=irina.root,
        )
        self.items = {}
        self.clock, self.chance = Clock(), random.Random(n).randbytes
        self.desk = desk_over(self.store, irina, clock=self.clock, chance=self.chance)

    def restart(self) -> None:
        """What a new process has: the file, and nothing that an earlier one held."""
        self.store = DuckDbStore(self.path, trust=self.irina.root)
        self.desk = desk_over(self.store, self.irina, clock=self.clock, chance=self.chance)

    def record(self, text: str, at: str = AT):
        """Ask, record it as used, and give the answer."""
        return record(self, self.answered(text, at).recall)


def person() -> Reviewer:
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    return Reviewer("r-irina", throwaway(now=until))


@pytest.fixture
def tenants(irina) -> tuple[Tenant, Tenant]:
    return Tenant(irina, 1), Tenant(irina, 2)


# --- F. Tenant leaks, read ---------------------------------------------------------------------

EMPLOYERS = pytest.mark.parametrize(
    ("one", "two", "three"),
    [
        ("Ana lives in Seattle.", "Ana lives in Boston.", "Ana lives in Austin."),
        ("Анна живёт в Казани.", "Анна живёт в Перми.", "Анна живёт в Туле."),
    ],
)


@EMPLOYERS
def test_p75_one_slot_of_two_tenants_is_no_conflict_in_any_picture(tenants, one, two, three):
    """P75: conflict edges that link two users' private facts."""
    ours, theirs = tenants
    ours.remember([cell(one, "one", "2026-01-01")])
    theirs.remember([cell(two, "two", "2026-01-01")])
    assert [len(world.desk.graph.at().conflicts) for world in tenants] == [0, 0]
    for world, name in ((ours, "one"), (theirs, "two")):
        picture = world.desk.graph.at().graph.around([world.items[name]], steps=3)
        assert [node.item for node in picture.nodes] == [world.items[name]]
        assert not picture.edges
    ours.remember([cell(three, "three", "2026-01-01")])  # the same within one tenant is one
    (found,) = ours.desk.graph.at().conflicts.page(1, 10)
    assert set(found.items) == {ours.items["one"], ours.items["three"]}
    assert len(theirs.desk.graph.at().conflicts) == 0


def test_p75_what_an_act_would_change_names_nothing_of_another_tenant(tenants):
    """P75: neither before an approval nor by hand does anything reach across."""
    ours, theirs = tenants
    theirs.remember([cell("Ana lives in Boston.", "two", "2026-01-01")])
    theirs.record("Where does Ana live?")
    ours.remember([cell("Ana lives in Seattle.", "one", "2026-01-01")])
    ours.stage([cell("Ana lives in Austin.", "three", "2026-02-01")])
    blast = ours.desk.graph.if_durable(ours.desk.card_of(ours.items["three"]))
    assert ours.items["one"] in repr(blast)  # it does name what it reaches
    assert theirs.items["two"] not in repr(blast)
    assert blast.used == ()
    with pytest.raises((LookupError, NotLinkedError)):
        ours.desk.graph.by_hand.draw(
            EdgeKind.CONFLICTS_WITH,
            ours.items["one"],
            theirs.items["two"],
            why="the same person",
            nonce=ours.desk.new_nonce(),
        )
    assert not ours.desk.graph.at().graph.around([theirs.items["two"]]).nodes


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("Ana works at Acme.", "Where does Ana work?"),
        ("Анна работает в Ромашке.", "Где работает Анна?"),
    ],
)
def test_p76_one_sentence_of_two_tenants_is_read_from_each_and_falls_in_one(
    tenants, claim, question
):
    """P76: what is the same by its words is still each tenant's own."""
    for world in tenants:
        world.remember([cell(claim, "one", "2026-01-01")])
        assert admitted(world.ask(question, AT)) == {"one"}
    ours, theirs = tenants
    answer = ours.record(question)
    assert answer.items == (ours.items["one"],)
    theirs.decide(DecisionKind.WITHDRAW, "one")
    assert admitted(theirs.ask(question, AT)) == set()
    assert admitted(ours.ask(question, AT)) == {"one"}
    assert ours.desk.audit.fallen() == frozenset()
    assert not theirs.desk.audit.using(theirs.items["one"])


def test_p78_after_a_restart_every_read_is_of_its_own_tenant(irina, tmp_path):
    """P78: a server that searches the default tenant after it starts again."""
    told = [("jam", "honey"), ("honey", "jam")]
    tenants = [Tenant(irina, n, tmp_path / f"{n}.duckdb") for n in range(2)]
    for world, (own, _) in zip(tenants, told, strict=True):
        with world.store.held():
            world.remember([cell(f"The breakfast is {own}.", "one", "2026-01-01")])
            world.record("What is the breakfast?")
            read = (Document(f"The breakfast is {own}.", "", ""),)
            said = Reported("What is there?", f"There is {own}.", None, read, "", "door", "")
            world.desk.audit.report(said)
    for world, (own, foreign) in reversed(list(zip(tenants, told, strict=True))):
        world.restart()
        with world.store.held():
            reads_its_own(world, own, foreign)


def reads_its_own(world: Tenant, own: str, foreign: str) -> None:
    """Every way of reading answers and memory tells of this tenant alone."""
    audit, item = world.desk.audit, world.items["one"]
    (part,) = world.answered("What is the breakfast?", AT).parts
    assert [own in text for one in part.context.memory for text in one.texts] == [True]
    assert audit.page(AnswersWanted(q=own)).total > 0
    assert audit.page(AnswersWanted(q=foreign)).total == 0
    assert len(audit.find(f"There is {own}.").found) == 1
    assert foreign not in repr(audit.find(f"There is {foreign}."))
    assert {one.source for one in audit.using(item)} == {"memory.recalled", "read.reported"}
    for answer in audit.page(AnswersWanted()).answers:
        account = audit.account(answer)
        assert account.item == item
        assert foreign not in repr(account)


def test_p78_an_answer_or_a_cell_of_another_tenant_is_not_there(tenants):
    """P78, P12: an id of somebody else reads like an id that nobody has."""
    ours, theirs = tenants
    ours.remember([cell("The breakfast is jam.", "one", "2026-01-01")])
    theirs.remember([cell(f"The breakfast of day {n} is honey.", f"{n}", AT) for n in range(4)])
    answer = ours.record("What is the breakfast?")
    for _ in range(9):
        last = theirs.record("What is the breakfast of day 2?")
    errors = []
    for id_ in (last.id, "ans-99999"):
        with pytest.raises(NoSuchAnswerError) as refused:
            ours.desk.audit.one(id_)
        errors.append(str(refused.value))
    assert len(set(errors)) == 1
    assert not ours.desk.audit.using(theirs.items["2"])
    assert ours.desk.audit.cells([theirs.items["2"]]) == {}
    told = ours.desk.audit.account(answer, theirs.items["2"])
    assert told.verdict is Verdict.NOT_THERE
    assert {link.gap for link in told.chain[2:]} == {"not_there"}
    assert "honey" not in repr(told)


# --- L. Explain and audit ----------------------------------------------------------------------


def record(world: World, recall):
    """Record a recall as used, and give the answer."""
    event = world.desk.record_recall(recall)
    return world.desk.audit.one(f"ans-{event.seq}")


def handed_over(part) -> set[str]:
    """Cells of which anything was in the context."""
    context = part.context
    return {one.item for one in (*context.memory, *context.references)}


def shown_as_in(part) -> set[str]:
    """Cells that the explanation says were in the prompt."""
    return {row.item for row in part.rows if row.verdict is Verdict.IN}


SHOPS = {
    "en": (
        "The coffee shop: season summer, format dine-in, city Kazan.",
        "The coffee shop: season summer, format dine-in, city Kazan. Choose the channels.",
        "The coffee shop: season winter, format delivery, city Kazan. Choose the channels.",
    ),
    "ru": (
        "Кофейня: сезон лето, формат зал, город Казань.",
        "Кофейня: сезон лето, формат зал, город Казань. Выбери каналы.",
        "Кофейня: сезон зима, формат доставка, город Казань. Выбери каналы.",
    ),
}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p123_what_is_told_as_in_the_prompt_is_what_was_handed_over(irina, language):
    """P123: a debug view that calls rows "injected" which the live path drops."""
    world = World(irina).remember([dict(row) for row in CELLS[language]])
    shop, same, other = SHOPS[language]
    world.remember([cell(shop, "K", "2025-06-01")])
    questions = [texts[language] for texts in ASKED.values()]
    dropped = 0
    for text in (*questions, same, other):
        for at in ("2026-02-25", AT):
            told = world.answered(text, at)
            why = world.desk.audit.why(record(world, told.recall))
            assert [shown_as_in(part) for part in why.then] == list(map(handed_over, told.parts))
            dropped += sum(part.funnel.admitted - part.funnel.kept for part in why.then)
    assert dropped > 0  # some were admitted and dropped all the same, and are not called "in"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p123_later_decisions_and_other_rules_change_nothing_of_what_was_recorded(irina, language):
    """P123: explaining reads the recorded decision and does not decide again by another rule."""
    world = World(irina)
    rows = [dict(row) for row in CELLS[language]]
    world.remember(rows[:2])
    world.stage(rows[2:])
    text = ASKED["next week"][language]
    audit = world.desk.audit
    answer = record(world, world.answered(text, "2026-02-25").recall)
    before = audit.why(answer)
    world.decide(DecisionKind.APPROVE, *(row["source_id"] for row in rows[2:]))
    stricter = POLICY.replace(b"theta: 0.55 ", b"theta: 0.65 ")
    assert stricter != POLICY
    world.desk.adopt_policy(stricter)
    after = audit.why(audit.one(answer.id))
    assert after.then == before.then
    assert after.explanation.focus == before.explanation.focus
    assert after.agreement.agrees  # under the rules of then
    assert {row.score.theta for part in after.then for row in part.rows} == {0.55}
    assert {row.score.theta for part in after.now for row in part.rows} == {0.65}
    assert any(one.moved for one in after.movements)


def test_p123_a_record_that_the_rules_would_not_give_is_shown_as_recorded_and_said(irina):
    """P123: where the two differ, the record is what happened."""
    world = World(irina).remember([dict(row) for row in CELLS["en"][:2]])
    recall = world.answered("Where do we ship the jackets next week?", "2026-02-25").recall
    (part,) = recall.parts
    best, *others = part.scored
    forced = replace(best, h=False, admitted=False, score=0.125)
    told = replace(recall, parts=(replace(part, scored=(forced, *others)),))
    why = world.desk.audit.why(record(world, told))
    row = why.explanation.row_of(best.item)
    assert (row.verdict, row.score.score) == (Verdict.BLOCKED, 0.125)
    assert not why.agreement.agrees
    assert [one.item for one in why.agreement.differing] == [best.item]
    assert {"h", "admitted", "score"} <= set(why.agreement.differing[0].fields)


NONSENSE = ("qwx zzrp blorf vintu", "щкцъ жбрф ыйцх эъюм")
ROOMS = [cell(f"The meeting room {n} is blue.", f"r{n}", "2026-01-01") for n in range(1, 7)]


@pytest.fixture(scope="module")
def rooms() -> World:
    return World(person()).remember([*ROOMS, cell("Ana likes tea.", "tea", "2026-01-01")])


@pytest.mark.parametrize("text", NONSENSE)
def test_p124_a_nonsense_question_leads_to_nothing(rooms, text):
    """P124: the same five rows with the score 1.0 for every query."""
    answer = record(rooms, rooms.answered(text, AT).recall)
    assert answer.candidates == 0
    account = rooms.desk.audit.account(answer)
    assert (account.item, account.flat) == ("", ())


def test_p124_one_score_for_all_that_was_found_sounds_an_alarm(rooms):
    """P124: a search that gives everything to everybody is seen in the record itself."""
    audit = rooms.desk.audit
    honest = rooms.answered("Is the meeting room blue?", AT).recall
    flat = [one for one in honest.parts[0].scored if one.source_id != "tea"][:5]
    assert len(flat) == 5

    def broken(text: str):
        """What a broken search would have recorded for a question."""
        told = rooms.answered(text, AT).recall
        scored = tuple(
            replace(one, zeta=1.0, validity=1.0, psi=1.0, risk=0.0, score=1.0) for one in flat
        )
        parts = tuple(replace(part, scored=scored) for part in told.parts)
        return record(rooms, replace(told, parts=parts))

    answers = [broken(text) for text in ("What does Ana like?", *NONSENSE)]
    (alarm,) = audit.account(answers[-1]).flat
    assert (alarm.part, alarm.count, alarm.score, alarm.others) == (0, 5, 1.0, 2)
    assert not audit.why(answers[-1]).agreement.agrees
    healthy = record(rooms, rooms.answered("What does Ana like?", AT).recall)
    assert audit.account(healthy).flat == ()


def test_p124_four_of_a_kind_or_scores_that_differ_are_no_alarm(irina):
    """P124: an alarm that sounds for a small memory, or for values of one slot, is not heard."""
    world = World(irina).remember(ROOMS[:4])
    answer = record(world, world.answered("Is the meeting room blue?", AT).recall)
    assert answer.candidates == 4
    assert world.desk.audit.account(answer).flat == ()
    budgets = [
        cell(f"The budget of the shop is ${n}.", f"b{n}", f"2026-01-01T00:00:0{n % 10}Z")
        for n in range(1000, 1008)
    ]
    world.remember(budgets)
    answer = record(world, world.answered("What is the budget of the shop?", AT).recall)
    assert answer.candidates >= 8
    assert world.desk.audit.account(answer).flat == ()
