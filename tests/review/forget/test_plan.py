"""The preview: what a scope names, what is made from it, what a person has to look at."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from review.auditing.reported import Document, Reported
from review.deciding import Wish
from review.forget import token
from review.forget.plan import Foreseen, Why
from review.forget.scope import BadScopeError, Hold, Scope, read_scope
from review.recall import Question
from store.cells import Edge, EdgeKind, Kind, SourceType
from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from tests.conftest import NOON, Clock, created
from tests.review.desks import desk_over, proposal, reading, signer
from tests.review.run_worlds import reading as runs_reading
from tests.review.run_worlds import run

LISBON = "Ana lives in Lisbon near the river Tagus since the spring of 2024"
CAT = "Ana has a grey cat called Moss and two bicycles"
COFFEE = "Boris likes dark roast coffee in the morning before work"


def made(*sources, **more):
    edges = tuple(Edge(EdgeKind.DERIVED_FROM, f"test:{one}") for one in sources)
    return {"edges": edges, "scope": {}, **more}


@pytest.fixture(scope="module")
def world():
    from console.signing import throwaway
    from tests.conftest import Reviewer

    irina = Reviewer("r-irina", throwaway(now=NOON + timedelta(days=300)))
    store = DuckDbStore.create(
        None,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=irina.root,
    )
    clock = Clock()
    desk = desk_over(store, irina, clock=clock)
    desk.clock, desk.irina, desk.names = clock, irina, {}

    def put(name, *proposals):
        receipt = desk.stage(reading(proposals, name=name))
        for one in proposals:
            desk.names[one.claim] = receipt.items[proposals.index(one)]
        return receipt

    desk.crm = put(
        "crm.json",
        proposal(LISBON),
        proposal(CAT, entities=("Moss",)),
        proposal(COFFEE, scope={"user": "boris"}),
    ).import_id
    clock.now += timedelta(days=3)
    put(
        "more.json",
        proposal("A short note about where somebody lives", **made(LISBON)),
        proposal(
            "A note on that note, of the second order",
            **made("A short note about where somebody lives"),
        ),
        proposal("People of the house like rivers and coffee", **made(LISBON, COFFEE)),
        proposal(
            "Seen elsewhere: Ana lives in Lisbon near the river Tagus since the spring, they say",
            scope={"user": "x"},
        ),
        proposal(LISBON.upper() + "!", scope={"user": "y"}, source_id="other:1"),
        proposal("ana was mentioned here only in passing", scope={"user": "z"}),
        proposal("A summary of unknown origin", scope={}, source_type=SourceType.AGENT_SUMMARY),
    )
    desk.put = put
    for claim in (LISBON, COFFEE):
        shown = desk.card_of(desk.names[claim])
        desk.draft(shown, Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
    assert desk.sign(signer(irina)).recorded
    return desk


def rows(plan):
    return {row.id: row for row in plan.rows}


def named(desk, claim):
    found = [one for known, one in desk.names.items() if known.startswith(claim)]
    assert len(found) == 1, claim
    return found[0]


def test_a_subject_is_matched_literally_but_for_case_and_outer_blanks(world):
    for subject in ("ana", " ANA ", "Ana"):
        plan = world.forget.plan(Scope(subject=subject))
        scope = {row.id for row in plan.erased if row.depth == 0 and row.why is Why.SUBJECT}
        assert {named(world, LISBON), named(world, CAT)} <= scope
        assert named(world, COFFEE) not in rows(plan)


@pytest.mark.parametrize(
    "hostile", ["%", "_", "a%", "*", "'; drop table log_event; --", "a" * 900]
)
def test_a_hostile_subject_is_no_pattern(world, hostile):
    plan = world.forget.plan(Scope(subject=hostile))
    assert plan.empty
    assert plan.rows == ()


def test_derivatives_go_or_are_withdrawn_by_their_sources(world):
    found = rows(world.forget.plan(Scope(items=(named(world, LISBON),))))
    first, second = named(world, "A short note"), named(world, "A note on that note")
    mixed = named(world, "People of the house")
    told = [(found[one].foreseen, found[one].depth) for one in (first, second, mixed)]
    assert told == [
        (Foreseen.ERASED, 1),
        (Foreseen.ERASED, 2),
        (Foreseen.WITHDRAWN, 1),
    ]
    assert found[second].made_from == (first,)
    assert found[mixed].other_sources == 1
    assert found[mixed].contents == ()


def test_equal_and_near_text_is_left_to_a_person_who_may_tick_it(world):
    scope = Scope(items=(named(world, LISBON),))
    found = rows(world.forget.plan(scope))
    equal, near = named(world, "ANA LIVES"), named(world, "Seen elsewhere")
    assert (found[equal].why, found[equal].foreseen) == (Why.EQUAL_TEXT, Foreseen.NEEDS_DECISION)
    assert (found[near].why, found[near].foreseen) == (Why.NEAR_TEXT, Foreseen.NEEDS_DECISION)
    ticked = rows(world.forget.plan(Scope(items=scope.items, also=(near,))))
    assert (ticked[near].why, ticked[near].foreseen) == (Why.MARKED, Foreseen.ERASED)
    assert ticked[equal].foreseen is Foreseen.NEEDS_DECISION


def test_a_mention_of_the_subject_is_looked_at_and_never_erased_by_itself(world):
    found = rows(world.forget.plan(Scope(subject="ana")))
    mention = found[named(world, "ana was mentioned")]
    assert (mention.why, mention.foreseen) == (Why.MENTION, Foreseen.NEEDS_DECISION)


def test_p51_rows_without_a_link_to_what_they_were_made_from_are_counted(world):
    assert world.forget.plan(Scope(subject="ana")).unlinked == 1


def test_p61_the_two_sorts_of_ids_are_never_mixed(world):
    item = named(world, LISBON)
    with pytest.raises(BadScopeError, match="foreign system are stated as sources"):
        Scope(items=(f"test:{LISBON}",))
    with pytest.raises(BadScopeError, match="State it as an id"):
        Scope(sources=(item,))
    by_source = world.forget.plan(Scope(sources=(f"test:{LISBON}",)))
    assert {row.id for row in by_source.erased if not row.depth and row.kind == "item"} == {item}


def test_p61_words_only_find_records_for_a_person_to_tick(world):
    for claim in ("dark mode in editor", "dark mode in terminal"):
        world.put(f"{claim}.json", proposal(claim, scope={"user": "kim"}))
    found = world.forget.matches("dark mode").records
    assert {one.claim for one in found} == {"dark mode in editor", "dark mode in terminal"}
    one = next(match.item for match in found if "editor" in match.claim)
    plan = world.forget.plan(Scope(items=(one,)))
    assert {row.id for row in plan.erased if row.kind == "item"} == {one}
    assert not world.forget.matches("dark_mode").found
    assert not world.forget.matches("  ").found


def test_p69_parts_of_a_scope_narrow_each_other_and_a_preview_writes_nothing(world):
    head = world.head()
    day, later = NOON.date().isoformat(), (NOON + timedelta(days=1)).date().isoformat()
    wide = world.forget.plan(Scope(subject="ana"))
    on_the_day = world.forget.plan(Scope(subject="ana", since=day, until=day))
    after = world.forget.plan(Scope(subject="ana", since=later))
    assert {row.id for row in on_the_day.erased if not row.depth} <= {r.id for r in wide.erased}
    assert named(world, CAT) in rows(on_the_day)
    assert rows(after)[named(world, CAT)].foreseen is Foreseen.NEEDS_DECISION  # it names her
    assert world.head() == head


def test_an_import_goes_with_what_is_kept_of_its_source(world):
    plan = world.forget.plan(Scope(imports=(world.crm,)))
    kinds = sorted(row.kind for row in plan.erased if not row.depth)
    assert kinds == ["item", "item", "item", "source"]
    assert world.forget.plan(Scope(imports=("imp-none",))).missing == ("imp-none",)


def test_the_whole_tenant_can_be_named(world):
    plan = world.forget.plan(Scope(tenant=True))
    assert set(world.names.values()) <= {row.id for row in plan.erased}
    assert not plan.of(Foreseen.WITHDRAWN)


def test_p58_ids_that_nothing_has_are_told_and_are_no_success(world):
    plan = world.forget.plan(Scope(items=("0" * 26, "1" * 26)))
    assert plan.empty
    assert plan.missing == ("0" * 26, "1" * 26)


def test_p66_another_name_of_the_subject_matches_nothing_and_says_so(world):
    assert world.forget.plan(Scope(subject="Ana Maria")).empty


def test_a_record_that_must_be_kept_is_retained_with_its_basis(world):
    item = named(world, CAT)
    plan = world.forget.plan(Scope(subject="ana", holds=(Hold(item, "LH-2", "2027-01-01"),)))
    row = rows(plan)[item]
    assert (row.foreseen, row.hold) == (Foreseen.RETAINED, ("LH-2", "2027-01-01"))
    assert row.contents == ()


def test_answers_that_used_it_are_told_and_their_words_are_left_to_a_person(world):
    answered = world.ask(Question("Where does Ana live?", scope={"user": "ana"}))
    event = world.record_recall(answered.recall)
    said = Reported(
        "Where?", f"I know that {LISBON}.", None, (Document(LISBON, "m1", ""),), "", "other", ""
    )
    reported = world.audit.report(said)
    found = rows(world.forget.plan(Scope(items=(named(world, LISBON),))))
    given, quoted = found[f"answer-{event.seq}"], found[f"answer-{reported.seq}"]
    assert named(world, LISBON) in given.made_from
    assert given.foreseen in (Foreseen.GIVEN, Foreseen.NEEDS_DECISION)
    assert (quoted.why, quoted.foreseen) == (Why.NEAR_TEXT, Foreseen.NEEDS_DECISION)
    also = world.forget.plan(
        Scope(items=(named(world, LISBON),), also=(f"answer-{reported.seq}",))
    )
    assert rows(also)[f"answer-{reported.seq}"].foreseen is Foreseen.ERASED
    assert rows(also)[f"answer-{reported.seq}"].contents


def test_runs_are_found_by_subject_and_by_id_with_what_was_made_from_them(world):
    one = run("r-1", [("said", "Dora moved to Porto in the autumn")], user="dora")
    other = run("r-2", [("said", "nothing about her")], session="s-2", user="egon")
    world.stage(runs_reading([one, other]))
    plan = world.forget.plan(Scope(subject="dora"))
    (row,) = (row for row in plan.erased if row.kind == "run")
    assert len(row.contents) >= 2
    assert world.forget.plan(Scope(run="test:s-1/r-1")).erased[0].id == row.id
    assert world.forget.plan(Scope(run=row.id)).erased[0].id == row.id


def test_a_plan_and_its_json_hold_no_text_of_a_record(world):
    told = json.dumps(world.forget.plan(Scope(items=(named(world, LISBON),))).as_json())
    assert "Lisbon" not in told
    assert "Tagus" not in told


def test_a_scope_comes_back_from_its_json_and_nonsense_is_refused():
    scope = Scope(
        subject="ana", also=("1/2",), holds=(Hold("x", "LH", "2027-01-01"),), due="2026-04-01"
    )
    assert read_scope(json.loads(json.dumps(scope.as_json()))) == scope
    for told in ({}, {"subject": " "}, {"items": ["short"]}, {"subject": "a", "since": "soon"}):
        with pytest.raises(BadScopeError):
            read_scope(told)


# --- the token --------------------------------------------------------------------------------


def test_a_token_holds_for_fifteen_minutes(world):
    scope = Scope(subject="ana")
    plan = world.forget.plan(scope)
    shown = token.read(world.forget.token(plan).text)
    assert world.forget.checked(scope, shown).digest == plan.digest
    before = world.clock.now
    world.clock.now += timedelta(minutes=16)
    with pytest.raises(token.PreviewExpiredError):
        world.forget.checked(scope, shown)
    world.clock.now = before


def test_a_token_is_tied_to_its_plan_store_and_head(world):
    scope = Scope(items=(named(world, CAT),))
    plan = world.forget.plan(scope)
    shown = world.forget.token(plan)
    with pytest.raises(token.PreviewMovedError):
        world.forget.checked(Scope(items=(named(world, COFFEE),)), shown)
    for forged in (shown.text.replace("~", "x", 1), "", shown.text[:-4] + "0000"):
        with pytest.raises(token.BadTokenError):
            world.forget.checked(scope, token.read(forged))
    longer = shown.text.replace(shown.expires, "2099-01-01T00:00:00.000000Z")
    with pytest.raises(token.BadTokenError):
        world.forget.checked(scope, token.read(longer))


def test_the_plan_is_not_made_twice_where_it_would_be_the_same(world):
    """In one process, at one head, for one scope; otherwise it is made again and compared."""
    forget, scope = world.forget, Scope(subject="ana")
    plan = forget.plan(scope)
    shown = forget.token(plan)
    assert forget.checked(scope, shown) is plan
    again = forget.checked(Scope(subject="Ana"), shown)
    assert again is not plan
    assert again.digest == plan.digest
    with pytest.raises(token.PreviewMovedError):
        forget.checked(Scope(subject="boris"), shown)
    other = forget.plan(Scope(subject="boris"))  # a later preview takes the place of the first
    assert forget.checked(scope, shown) is not plan
    assert forget.checked(other.scope, forget.token(other)).forget == other.forget
    plan = forget.plan(scope)
    shown = forget.token(plan)
    world.put("late.json", proposal("Ana has a boat on the lake since last week"))
    with pytest.raises(token.PreviewMovedError) as moved:
        forget.checked(scope, shown)
    assert moved.value.plan is not plan


def test_when_the_store_moves_on_the_preview_is_void_and_says_what_is_new(world):
    scope = Scope(subject="ana")
    plan = world.forget.plan(scope)
    shown = world.forget.token(plan)
    item = world.put("new.json", proposal("Ana bought a boat in March", kind=Kind.EVENT)).items[0]
    with pytest.raises(token.PreviewMovedError, match="Preview again") as moved:
        world.forget.checked(scope, shown)
    assert moved.value.events == 1
    assert item in moved.value.plan.news(row.id for row in plan.rows)[0]
