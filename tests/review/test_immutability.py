"""What nothing but a person, or the procedure that made it, may supersede."""

import pytest

from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.facts.keying import Keys
from review.queue import Wanted
from review.staged.fact_reading import FactReading
from review.staged.immutability import assigned
from store.cells import Kind, SourceType
from tests.review.desks import desk_over, proposal, reading
from tests.review.worlds import World, admitted, cell

TABLE = parameters.load()
OWNER = SourceType.OWNER_ORDER


def read(claim, **changes):
    facts = FactReading(GrammarParser(TABLE), Keys(TABLE))
    return assigned(facts.read(proposal(claim, **changes)))


@pytest.mark.parametrize(
    ("claim", "changes", "expected"),
    [
        # a value with an outside owner, in the owner's own words
        ("The storage limit is 400 000 rubles.", {"source_type": OWNER}, "owner:ana"),
        ("Лимит хранения — 400 000 рублей.", {"source_type": OWNER}, "owner:ana"),
        ("Clause 4.2: the penalty is 0.5 % per day.", {"source_type": OWNER}, "owner:ana"),
        ("Пункт 4.2: штраф 0,5 % в день.", {"source_type": OWNER}, "owner:ana"),
        ("Policy: refunds over 100 euros must not be made.", {"source_type": OWNER}, "owner:ana"),
        # or from a file that names the owner
        (
            "The storage limit is 400 000 rubles.",
            {"source_type": SourceType.DOCUMENT, "foreign": {"owner": "warehouse"}},
            "owner:warehouse",
        ),
        # a document that names nobody, a chat, a model's summary: no owner's word
        ("The storage limit is 400 000 rubles.", {"source_type": SourceType.DOCUMENT}, None),
        ("The storage limit is 400 000 rubles.", {"source_type": SourceType.AGENT_SUMMARY}, None),
        # no outside owner has a say in where somebody lives
        ("I live in Kazan.", {"source_type": OWNER}, None),
        # one of several facts may well be superseded: the whole cell is left open
        (
            "The main warehouse is Koledino, the storage limit is 400 000 rubles.",
            {"source_type": OWNER},
            None,
        ),
        # a verified fact names its procedure; without a name nothing is assigned
        (
            "The bridge carries 12 t.",
            {"kind": Kind.VALIDATED_FACT, "foreign": {"procedure": "load test 7"}},
            "procedure:load test 7",
        ),
        ("The bridge carries 12 t.", {"kind": Kind.VALIDATED_FACT}, None),
        # what the source says itself is kept
        ("I live in Kazan.", {"immutable": "owner:registry"}, "owner:registry"),
    ],
)
def test_immutability_is_assigned_as_the_domain_says(claim, changes, expected):
    assert read(claim, **changes) == expected


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def test_it_is_shown_flagged_and_part_of_what_is_signed(desk):
    claim = "The storage limit is 400 000 rubles."
    desk.stage(reading([proposal(claim, source_type=OWNER)]))
    card = desk.card_of(desk.waiting(Wanted()).rows[0].item)
    assert card.immutable == "owner:ana"
    assert "immutable" in [flag.code for flag in card.flags]
    (leaf,) = desk.store.leaves_at([(desk.store.head().size - 1, 0)]).values()
    assert b'"immutable":true' in leaf


def test_importing_it_again_finds_it_known(desk):
    told = proposal("The storage limit is 400 000 rubles.", source_type=OWNER)
    desk.stage(reading([told]))
    assert desk.stage(reading([told])).counts["already_known"] == 1


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        (
            "The storage limit is 400 000 rubles.",
            "The storage limit is 500 000 rubles.",
            "What is the storage limit?",
        ),
        (
            "Лимит хранения — 400 000 рублей.",
            "Лимит хранения — 500 000 рублей.",
            "Какой лимит хранения?",
        ),
    ],
)
def test_an_owners_limit_is_not_superseded_by_what_a_conversation_concludes(
    irina, old, new, question
):
    rows = [
        cell(old, "order", "2025-05-01", source_type="owner_order"),
        cell(new, "chat", "2026-01-01", source_type="agent_summary"),
    ]
    world = World(irina).remember(rows)
    assert "order" in admitted(world.ask(question, "2026-03-10"))


def test_a_cell_that_a_decision_rests_on_is_not_rewritten_by_inference(irina):
    rows = [
        cell("The main warehouse is Koledino.", "m1", "2025-05-01"),
        cell(
            "We rent a second truck for Koledino.",
            "d1",
            "2025-06-01",
            kind="decision",
            edges=[{"kind": "depends_on", "target": "m1"}],
        ),
        cell("The main warehouse is Elektrostal.", "m3", "2026-01-01"),
    ]
    world = World(irina).remember(rows)
    known = world.desk._inquiry.known(world.desk.policy.policy)
    by_source = dict(zip(known.cells.text("source_id"), known.cells.guards, strict=True))
    assert by_source == {"m1": "cited", "d1": "", "m3": ""}
