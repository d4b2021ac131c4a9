"""What a model proposes stays a proposal: kept once, held against its text, without any power."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from console.signing import throwaway
from review.deciding import Wish
from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting
from review.forget.scope import Scope
from review.proposals import baselines, records, requests, tally
from review.proposals.asking import Asking
from review.proposals.baselines import Way
from review.proposals.comparing import Compared
from review.proposals.jobs import Failure, Job, Outcome, Sort
from review.proposals.parser import ModelParser
from review.proposals.protocol import ModelError, Reply, Usage
from review.proposals.records import About, Counted
from review.proposals.requests import Quoted
from review.proposals.tally import Fared
from review.staged.placing import Writer
from review.trimming.trim import Admitted
from store import model_queries
from store.cells import EdgeKind
from store.duckdb_store import DuckDbStore
from store.links import LinkVerdict
from store.stages import DecisionKind, RejectReason
from store.vault import Role
from store.verify import Verdict, verify
from tests.bundles.told import World
from tests.conftest import Clock, Reviewer, created
from tests.console.desks import desk_over, stage, store_for
from tests.console.injections import CORPUS
from tests.console.messages_stub import claim, fact, fault, message, obeying, replying, shape_of
from tests.console.model_worlds import TABLE, adapter, help_over, stub
from tests.review.desks import signer
from tests.review.edge_worlds import RULES, draw, sign
from tests.review.run_worlds import reading, run
from tests.review.worlds import World as EdgeWorld
from tests.store.forgotten import contents_of, forget

CLAIM = "The main warehouse is Elektrostal since 2026-03-01. We ship on Tuesdays."
READ = claim(
    fact("main warehouse is Elektrostal", "Elektrostal", "warehouse", valid_from="2026-03-01"),
    fact("ship on Tuesdays", "Tuesdays", "shipping day"),
    fact("closed on Mondays", "Mondays", "closing day"),
)
REASON = "Koledino is closed since March."
STEPS = [("input", "Where do we ship?"), ("said", "Ship to Koledino."), ("said", "Done.")]


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


@pytest.fixture
def card(desk):
    (item,) = stage(desk, CLAIM).items
    return desk.card_of(item)


def rows(store, query):
    return store.rows(query)


# --- records -----------------------------------------------------------------------------------


def test_a_proposal_is_kept_whole_and_holds_only_what_the_text_bears_out(tmp_path, desk, card):
    with stub(replying(READ, tokens=(900, 70))) as server:
        model = adapter(tmp_path, server.address, price_in="3", price_out="15")
        (record,) = help_over(desk, model).claims([card])
    assert (record.job, record.outcome) == (Job.CLAIM, Outcome.PROPOSED)
    assert record.model == "stub-model"
    assert (record.prompt, record.items) == ("claim/1", (card.item,))
    assert (record.usage.input_tokens, record.usage.cost_micros) == (900, 900 * 3 + 70 * 15)
    assert (record.pieces, record.dropped) == ({Sort.FACT: 2}, 1)
    seen = help_over(desk, None).seen(card)
    found, read = seen.claim, seen.read
    assert found == record
    told = {one.parameter_key: one.value for one in read.facts.facts}
    assert told == {"warehouse": "Elektrostal", "shipping_day": "Tuesdays"}
    for one in read.facts.facts:
        assert one.value in CLAIM[one.span.start : one.span.end]
        assert one.reader == "model/stub-model/claim/1"


def test_the_same_is_asked_once_and_never_again(tmp_path, desk, card):
    with stub(replying(READ)) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        first, again = proposing.claims([card, card])
        (third,) = help_over(desk, adapter(tmp_path, server.address)).claims([card])
        assert len(server.heard) == 1
    assert first == again == third
    assert [event.type for event in desk.store.events()].count("model.proposed") == 1


def test_without_a_model_records_answer_and_nothing_else_does(tmp_path, desk, card):
    with stub(replying(READ)) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        proposing.claims([card])
        asked = proposing.claim_request(card)
    silent = Asking(desk.store, None, None)
    assert silent.told(asked).pieces == {Sort.FACT: 2}
    (other,) = stage(desk, "The carrier is Delovye Linii.", name="b.jsonl", start=7).items
    with pytest.raises(ModelError) as caught:
        silent.told(proposing.claim_request(desk.card_of(other)))
    assert caught.value.failure is Failure.NOT_RECORDED


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (message("I cannot help with that.", stop="refusal"), Outcome.REFUSED),
        (message('{"facts": [', stop="max_tokens"), Outcome.CUT),
        (message('{"facts": [}'), Outcome.MALFORMED),
        (message(json.dumps(READ), stop="tool_use"), Outcome.MALFORMED),
        (message(""), Outcome.MALFORMED),
        (message('{"facts": "\\ud800"}'), Outcome.MALFORMED),
        (message(json.dumps(READ) + " " * 200_001), Outcome.CUT),
    ],
)
def test_a_reply_that_is_no_proposal_is_kept_as_what_it_is(tmp_path, desk, card, answer, outcome):
    with stub(lambda _: answer) as server:
        (record,) = help_over(desk, adapter(tmp_path, server.address)).claims([card])
        assert (record.outcome, dict(record.pieces)) == (outcome, {})
        assert record.usage.output_tokens == 20
        (again,) = help_over(desk, adapter(tmp_path, server.address)).claims([card])
        assert (again, len(server.heard)) == (record, 1)
    seen = help_over(desk, None).seen(card)
    found, read = seen.claim, seen.read
    assert (found.outcome, read) == (outcome, None)


def test_a_failed_call_is_no_record_and_can_be_made_again(tmp_path, desk, card):
    answers = [fault(529, "overloaded_error"), message(json.dumps(READ))]
    with stub(lambda _: answers.pop(0)) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        (failed,) = proposing.claims([card])
        assert (failed.failure, records.newest(desk.store)) == (Failure.OVERLOADED, ())
        (record,) = proposing.claims([card])
    assert record.outcome is Outcome.PROPOSED


def test_the_log_holds_no_word_of_it_and_its_lineage_leads_back_to_the_text(tmp_path, desk, card):
    with stub(replying(READ)) as server:
        help_over(desk, adapter(tmp_path, server.address)).claims([card])
    (event,) = [one for one in desk.store.events() if one.type == "model.proposed"]
    body = json.dumps(event.body, ensure_ascii=False)
    assert "Elektrostal" not in body
    assert "Tuesdays" not in body
    (edge,) = desk.store.rows("select * from vault_lineage where relation = 'proposed_from'")
    assert (edge["child"], edge["parent"]) == (event.body["proposal"], card.text_c)
    payload = desk.store.payloads([event.body["proposal"]])[event.body["proposal"]]
    assert payload.role is Role.MODEL


def test_a_secret_that_a_model_makes_up_does_not_enter_the_store(tmp_path, desk, card):
    token = "ghp_" + "a1B2c3D4e5" * 4
    with stub(replying(claim(task=token))) as server:
        (record,) = help_over(desk, adapter(tmp_path, server.address)).claims([card])
    assert token not in record.text
    bodies = desk.store.rows("select body from vault_payload")
    assert not any(token.encode() in bytes(row["body"]) for row in bodies)


def test_secrets_and_cards_are_covered_before_anything_leaves(tmp_path, desk):
    text = "My password is Tr0ub4dor&3 and card 4111 1111 1111 1111, which carrier do we use?"
    reply = {
        "facts": [fact("card ███", "███", "card")],
        "asked": [
            {"quote": "which carrier", "parameter": "carrier", "subject": "", "single": True}
        ],
        "names": [],
        "task": "carrier",
    }
    with stub(replying(reply)) as server:
        read = help_over(desk, adapter(tmp_path, server.address)).question(text, Setting())
        sent = server.heard[0].body.decode()
    assert "Tr0ub4dor" not in sent
    assert "4111" not in sent
    assert "which carrier do we use?" in sent
    assert [one.parameter_key for one in read.facts.asked] == ["carrier"]
    assert text[read.facts.asked[0].span.start : read.facts.asked[0].span.end] == "which carrier"
    assert read.dropped == 1
    assert read.record.asked is not None
    assert "4111" not in read.record.asked


# --- the jobs ----------------------------------------------------------------------------------


def test_an_old_answer_comes_with_its_task_and_what_it_rests_on(tmp_path, desk):
    text = "Summer season, dine-in format. So: search campaigns only."
    told = claim(
        fact("Summer season", "Summer", "season"),
        fact("dine-in format", "dine-in", "format"),
        task="choose channels",
        conclusion="search campaigns only",
        support=[0, 1, 1],
    )
    (item,) = stage(desk, text).items
    card = desk.card_of(item)
    with stub(replying(told)) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        proposing.claims([card])
        read = proposing.seen(card).read
    assert (read.conclusion.text, read.conclusion.task) == (
        "search campaigns only",
        "choose channels",
    )
    assert [one.value for one in read.conclusion.support] == ["Summer", "dine-in"]


def test_edges_are_proposed_between_given_records_and_drawn_by_nobody(tmp_path, desk):
    texts = (
        "The warehouse is Koledino.",
        "The warehouse is Elektrostal.",
        "Tuesdays at Koledino.",
    )
    cards = [desk.card_of(item) for item in stage(desk, *texts).items]
    told = {
        "relations": [
            relation("conflicts_with", "c1", "c2", "Koledino", "Elektrostal"),
            relation("conflicts_with", "c2", "c1", "Elektrostal", "Koledino"),
            relation("depends_on", "c3", "c1", "Tuesdays at Koledino", "Koledino"),
            relation("depends_on", "c3", "c2", "no such words", "Elektrostal"),
        ]
    }
    before = desk.store.rows("select * from proj_edge")
    with stub(replying(told)) as server:
        found = help_over(desk, adapter(tmp_path, server.address)).relations(cards)
    assert [(one.kind, one.source, one.target) for one in found.relations] == [
        (EdgeKind.CONFLICTS_WITH, cards[0].item, cards[1].item),
        (EdgeKind.DEPENDS_ON, cards[2].item, cards[0].item),
    ]
    assert found.record.dropped == 2
    assert found.relations[1].reason == "a reason"
    assert desk.store.rows("select * from proj_edge") == before
    assert [one.target for one in help_over(desk, None).seen(cards[2]).relations] == [
        cards[0].item
    ]


def relation(kind, source, target, here, there):
    return {
        "kind": kind,
        "source": source,
        "target": target,
        "source_quote": here,
        "target_quote": there,
        "reason": "a reason",
    }


def insight(statement, *evidence, **changes):
    told = {"statement": statement, "polarity": "avoid", "tool": "", "evidence": list(evidence)}
    return told | changes


def seen(run_, step, quote, stance="supports"):
    return {"run": run_, "step": step, "quote": quote, "stance": stance}


@pytest.fixture
def runs_(desk):
    rejected = {"verdict": "reject", "step": 1, "reason": REASON, "by": "oleg", "review_id": "v1"}
    desk.stage(reading([run("one", STEPS, [rejected]), run("two", STEPS, session="s-2")]))
    return [row["item"] for row in desk.store.rows("select item from proj_run order by seq, n")]


def test_an_insight_is_staged_and_counts_only_where_a_person_judged(tmp_path, desk, runs_, irina):
    told = {
        "insights": [
            insight(
                "Since March, do not ship to Koledino.",
                seen("r1", 1, "Koledino is closed since March."),
                seen("r2", 1, "Ship to Koledino."),
                seen("r2", 2, "never said"),
            ),
            insight("Always say Done.", seen("r9", 0, "Done.")),
        ]
    }
    with stub(replying(told)) as server:
        learned = help_over(desk, adapter(tmp_path, server.address)).learning.insights(runs_)
    assert learned.record.pieces == {Sort.INSIGHT: 1}
    assert learned.record.dropped == 3
    (item,) = learned.receipt.items
    card = desk.card_of(item)
    assert (card.kind, card.source_type, str(card.stage)) == (
        "insight",
        "model_extraction",
        "staged",
    )
    assert [(case.by, case.review_id) for case in card.cases] == [("oleg", "v1")]
    assert card.support.supporting == 1
    assert card.provenance["validation_state"] == "unverified"
    assert card.provenance["writer_identity"] == "p-test"
    assert card.provenance["polarity"] == "avoid"
    assert {link.asserter for link in card.links} == {"model"}
    with stub(replying(told)) as server:
        proposing = help_over(desk, adapter(tmp_path / "b", server.address))
        again = proposing.learning.insights(runs_)
        assert not server.heard
    assert again.receipt.items == []
    assert proposing.tally().fared == {("2026-03", Sort.INSIGHT, Fared.WAITING): 1}
    desk.draft(card, Wish(DecisionKind.REJECT, reason=str(next(iter(RejectReason))), nonce="n1"))
    desk.sign(signer(irina))
    assert proposing.tally().fared == {("2026-03", Sort.INSIGHT, Fared.REJECTED): 1}


def test_a_rule_draft_is_a_text_and_is_held_against_its_sources(tmp_path, desk):
    (item,) = stage(desk, "In March 2026 we usually ship on Tuesdays.").items
    card = desk.card_of(item)
    with stub(replying({"rule": "Always ship on Tuesdays."})) as server:
        draft = help_over(desk, adapter(tmp_path, server.address)).learning.rule(card)
        sent = server.heard[0].told
    assert draft.rule == "Always ship on Tuesdays."
    assert str(draft.strength.verdict) == "stricter"
    assert "Keep every date, person, number, condition, exception and hedge" in sent["system"]
    assert help_over(desk, None).seen(card).rule == draft
    assert [str(event.type) for event in desk.store.events()].count("rule.exported") == 0


# --- bounds ------------------------------------------------------------------------------------

LOCAL = ("The warehouse is Koledino.", "The warehouse is Elektrostal.")


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """One store, one server that obeys, one client: every text of the corpus is tried on them."""
    irina = Reviewer("r-irina", throwaway(now=datetime.max.replace(tzinfo=UTC) - timedelta(1)))
    desk = desk_over(store_for(irina), irina)
    with stub(obeying) as server:
        model = adapter(tmp_path_factory.mktemp("model"), server.address)
        yield desk, server, help_over(desk, model)


def _attack(proposing, desk, one, cards, n):
    if one.job == "claim":
        proposing.claims([cards[0]])
    elif one.job == "question":
        proposing.question(one.text, Setting())
    elif one.job == "relations":
        proposing.relations(cards)
    elif one.job == "insights":
        desk.stage(reading([run(f"evil-{n}", [("input", "Koledino"), ("said", one.text)])]))
        item = desk.store.rows("select item from proj_run order by seq desc limit 1")[0]["item"]
        proposing.learning.insights([item])
    else:
        proposing.learning.rule(cards[0])


def test_the_corpus_has_fifty_texts_in_two_languages():
    assert len(CORPUS) == len({one.text for one in CORPUS}) == 50
    assert sum(any("а" <= char <= "я" for char in one.text) for one in CORPUS) >= 10


@pytest.mark.parametrize("n", range(50))
def test_whatever_a_text_makes_the_model_say_it_stays_a_proposal(world, n):
    desk, server, proposing = world
    one = CORPUS[n]
    first = f"{LOCAL[0]} {one.text}" if one.job != "insights" else f"{LOCAL[0]} {n}"
    items = stage(desk, first, f"{LOCAL[1]} {n}", name=f"{n}.jsonl", start=10 * n).items
    cards = [desk.card_of(item) for item in items]
    before = desk.store.rows("select * from proj_item order by seq, n")
    edges = desk.store.rows("select * from proj_edge order by item")
    size, heard = desk.head().size, len(server.heard)
    _attack(proposing, desk, one, cards, n)
    (request,) = [each.told for each in server.heard[heard:]]
    assert one.text not in request["system"]
    assert [each["role"] for each in request["messages"]] == ["user"]
    added = [event.type for event in desk.store.events(size)]
    assert added.count("model.proposed") == 1
    assert set(added) <= {"model.proposed", "import.staged"}
    standing = desk.standing()
    assert (standing.items, standing.links, len(standing.keys)) == ({}, {}, 1)
    after = desk.store.rows("select * from proj_item order by seq, n")
    assert after[: len(before)] == before
    assert [row for row in after if row["stage"] != "staged"] == []
    assert [row for row in desk.store.rows("select * from proj_edge order by item")
            if row in edges] == edges  # fmt: skip
    assert [desk.card_of(item).artifact for item in items] == [card.artifact for card in cards]
    (record,) = records.newest(desk.store, most=1)
    assert record.job is Job(one.job)
    for fact_ in _facts(proposing, one, cards):
        assert fact_.value in first[fact_.span.start : fact_.span.end]
        assert fact_.reader == "model/stub-model/claim/1"
    for row in after[len(before) :]:
        made = desk.card_of(row["item"]).provenance
        assert made["writer_identity"] == "p-test"
        assert (made["tenant_id"], made["validation_state"]) == ("tenant-1", "unverified")


def _facts(proposing, one, cards):
    read = proposing.seen(cards[0]).read if one.job == "claim" else None
    return () if read is None else read.facts.facts


def test_most_of_the_corpus_is_refused_by_shape_alone(tmp_path, irina):
    """The shapes bite: a further field, another word or another type refuses the whole reply."""
    from review.proposals.requests import _SHAPES

    refused = 0
    for one in CORPUS:
        reply = one.text.split("REPLY_WITH")[1].removesuffix("END")
        shape = _SHAPES[Job(one.job)][0]
        try:
            shape.model_validate_json(reply)
        except ValueError:
            refused += 1
    assert refused >= 38


# --- how it fared ------------------------------------------------------------------------------


def test_what_people_sign_says_how_proposals_fared(tmp_path, desk, irina):
    texts = (CLAIM, "The warehouse is Tver. We ship on Tuesdays.", "We ship on Fridays.")
    cards = [desk.card_of(item) for item in stage(desk, *texts).items]

    def answering(heard):
        text = heard.data["claim"]["text"]
        day = "Fridays" if "Fridays" in text else "Tuesdays"
        return message(json.dumps(claim(fact(f"ship on {day}", day, "shipping day"))))

    with stub(answering) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        proposing.claims(cards)
        taken = proposing.take_over(cards[0], nonce="n-take")
    (made,) = taken.items
    desk.draft(desk.card_of(made), Wish(DecisionKind.APPROVE, nonce="n1"))
    desk.draft(cards[1], Wish(DecisionKind.REJECT, reason="wrong", nonce="n2"))
    desk.sign(signer(irina))
    told = tally.tally(desk, TABLE)
    assert told.fared == {
        ("2026-03", Sort.FACT, Fared.ACCEPTED): 1,
        ("2026-03", Sort.FACT, Fared.REJECTED): 1,
        ("2026-03", Sort.FACT, Fared.WAITING): 1,
    }
    assert told.records == 3
    assert told.beside["2026-03"][Compared.ONLY_MODEL] == 3
    signed = desk.card_of(made)
    day = next(one for one in signed.facts if one.parameter_key == "shipping_day")
    assert (day.reader, day.value) == ("model/stub-model/claim/1", "Tuesdays")


def test_agreement_with_the_grammar_is_a_share_of_all_that_either_tells():
    assert tally.agreement(Counter()) is None
    told = {Compared.SAME: 3, Compared.OTHER_VALUE: 1, Compared.ONLY_MODEL: 1}
    assert tally.agreement(Counter(told | {Compared.ONLY_STORED: 1})) == 0.5


def test_edges_that_a_person_drew_or_refused_say_how_they_fared(tmp_path, irina):
    world = EdgeWorld(irina).remember(RULES)
    cards = [world.desk.card_of(world.items[name]) for name in ("R1", "R2")]
    told = {
        "relations": [
            relation("conflicts_with", "c2", "c1", "spaces", "tabs"),
            relation("depends_on", "c2", "c1", "convention", "convention"),
        ]
    }
    with stub(replying(told)) as server:
        help_over(world.desk, adapter(tmp_path, server.address)).relations(cards)
    month = records.newest(world.store)[0].recorded_at[:7]

    def fared(sort):
        counts = tally.tally(world.desk, TABLE).fared
        return [one for (when, what, one), _ in counts.items() if (when, what) == (month, sort)]

    assert fared(Sort.CONFLICT) == fared(Sort.DEPENDENCY) == [Fared.WAITING]
    draw(world, EdgeKind.CONFLICTS_WITH, "R1", "R2")
    assert fared(Sort.CONFLICT) == [Fared.ACCEPTED]
    assert fared(Sort.DEPENDENCY) == [Fared.EDITED]
    deny(world, EdgeKind.DEPENDS_ON, "R2", "R1")
    assert fared(Sort.DEPENDENCY) == [Fared.REJECTED]


def deny(world, kind, source, target):
    ends = (world.items[source], world.items[target])
    world.desk.graph.by_hand.say(
        kind, *ends, LinkVerdict.DENIED, why="it does not", nonce="n-deny"
    )
    sign(world)


# --- the parser --------------------------------------------------------------------------------


def test_the_grammar_reads_whatever_the_model_does_not_and_it_is_counted(tmp_path, desk):
    grammar = GrammarParser()
    answers = [message(json.dumps(READ)), fault(529, "overloaded_error"), message("no")]
    with stub(lambda _: answers.pop(0)) as server:
        model = adapter(tmp_path, server.address)
        asking = Asking(desk.store, help_over(desk, model).asking._writer, model)
        parser = ModelParser("stub-model", asking.shaped, grammar, TABLE)
        mine = parser.claim(CLAIM, Setting())
        assert {one.reader for one in mine.facts} == {"model/stub-model/claim/1"}
        assert mine.refused == parser.dropped == 1
        for text in ("The main warehouse is Tver.", "The carrier is Delovye Linii."):
            assert parser.claim(text, Setting()) == grammar.claim(text, Setting())
    assert parser.fallen_back == {"overloaded": 1, "malformed": 1}
    assert shape_of(server.heard[0]) == "ClaimTold"


# --- forgetting --------------------------------------------------------------------------------


def test_what_was_proposed_over_a_text_is_found_by_it_and_erased_with_it(tmp_path, irina):
    place = tmp_path / "s" / "store.duckdb"
    place.parent.mkdir()
    store = DuckDbStore.create(
        place,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=irina.root,
    )
    desk = desk_over(store, irina)
    card = desk.card_of(stage(desk, CLAIM).items[0])
    with stub(replying(READ)) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        proposing.claims([card])
        wanted = pd.DataFrame({"commitment": [card.text_c]})
        (found,) = store.rows(model_queries.PROPOSED_FROM, {"wanted": wanted})
        assert found["parent"] == card.text_c
        contents = (*contents_of(store, card.item), found["child"])
        store.append(forget(store, irina, card.item, contents=contents))
        (record,) = records.newest(store)
        assert (record.text, record.asked, record.items) == (None, None, (card.item,))
        told = proposing.tally()
        assert (told.records, told.erased, told.fared) == (1, 1, {})
        with pytest.raises(LookupError):
            proposing.claims([desk.card_of(card.item)])
    report = verify(place, root=irina.root)
    assert {line.name: line.verdict for line in report.lines}["payloads"] == Verdict.PASS


def test_a_rule_that_left_says_how_its_draft_fared(tmp_path, irina):
    world = World(tmp_path, irina)
    desk = desk_over(world.store, irina)
    writer = Writer("p-test", Clock(), random.Random(3).randbytes)
    left = world.told().rule_text
    for rule in (left, "Ship jackets somewhere else."):
        records.keep(
            world.store,
            requests.rule("stub-model", Quoted(rule), ()),
            Reply(json.dumps({"rule": rule}), "end_turn", Usage(1, 1)),
            Outcome.PROPOSED,
            about=About(items=("item-a",)),
            counted=Counted({Sort.RULE: 1}),
            writer=writer,
        )
    waiting = {("2026-03", Sort.RULE, Fared.WAITING): 2}
    assert tally.tally(desk, TABLE).fared == waiting
    world.export()
    assert tally.tally(desk, TABLE).fared == {
        ("2026-03", Sort.RULE, Fared.ACCEPTED): 1,
        ("2026-03", Sort.RULE, Fared.EDITED): 1,
    }
    world.exporting.withdraw(world.told().export_id, "no", world.sign)
    assert tally.tally(desk, TABLE).fared == {("2026-03", Sort.RULE, Fared.REJECTED): 2}


def test_a_forget_plan_takes_what_was_proposed_over_a_record_or_a_run(tmp_path, desk, card, runs_):
    learned = {"insights": [insight("Not Koledino.", seen("r1", 1, "Ship to Koledino."))]}
    answers = [READ, learned]
    with stub(lambda _: message(json.dumps(answers.pop(0)))) as server:
        proposing = help_over(desk, adapter(tmp_path, server.address))
        proposing.claims([card])
        proposing.learning.insights(runs_)
    about_run, about_claim = [
        desk.store.event(one.seq).body["proposal"] for one in records.newest(desk.store)
    ]
    row = desk.forget.plan(Scope(items=(card.item,))).rows[0]
    assert about_claim in row.contents
    rows = desk.forget.plan(Scope(items=(runs_[0],))).rows
    assert any(about_run in one.contents for one in rows)
    assert not any(about_claim in one.contents for one in rows)


# --- MemTrim's model-only baselines ------------------------------------------------------------


def test_the_baselines_that_need_a_model_run_through_it_and_are_recorded(tmp_path, desk):
    memory = [Admitted("item-1", "fact", "The warehouse is Koledino.")]
    replies = ({"answer": f"answer {n}", "used": []} for n in range(3))
    with stub(lambda _: message(json.dumps(next(replies)))) as server:
        asking = help_over(desk, adapter(tmp_path, server.address)).asking

        def told(request):
            return asking.shaped(request)[1]

        asked = ("stub-model", "Where do we ship?", memory, told)
        assert baselines.answer(Way.CURRENT_CONTEXT, *asked).answer == "answer 0"
        assert baselines.answer(Way.ANSWER_FIRST, *asked).answer == "answer 2"
        current, first, look = (heard.data for heard in server.heard)
    assert current["memory"][0]["text"] == look["memory"][0]["text"] == memory[0].claim
    assert "memory" not in first
    assert look["first_answer"]["text"] == "answer 1"
    jobs = [record.job for record in records.newest(desk.store)]
    assert jobs == [Job.THEN_LOOK, Job.ANSWER_FIRST, Job.CURRENT_CONTEXT]
