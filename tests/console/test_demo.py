"""The demo workspace: exact counts, real signatures, and the same story every time."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from console import demo
from console.demo import PASSPHRASE, SeededChance, StoryClock
from console.demo_story import TENANTS, secret_line, story
from console.signing import unlock
from console.wiring import Workspace, open_workspace
from review.auditing.answers import AnswersWanted
from review.auditing.why import Verdict
from review.queue import Lane, Wanted
from review.staged.flags import FlagCode
from review.trimming.fate import Fate
from store.stages import Stage
from store.verify import verify

DATA = Path(demo.__file__).with_name("demo_data")
KOLEDINO = "The main warehouse for the down jackets is Koledino"
CARRIER = "The carrier for shipping to Koledino"
ELEKTROSTAL = "From 1 March 2026 we close shipping to Koledino"
COMMISSION = "The fulfilment commission in Elektrostal"


@cache
def demo_home() -> Path:
    """One demo workspace for the whole session. Read it; copy it to change it."""
    folder = Path(tempfile.mkdtemp(prefix="demo-for-tests-")) / "home"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    before = os.umask(0o077)
    try:
        demo.build(folder)
    finally:
        os.umask(before)
    return folder


@pytest.fixture
def place() -> Workspace:
    return open_workspace(demo_home(), clock=StoryClock())


@pytest.fixture
def acme(place):
    desk = place.desk(place.settings.tenant("acme"))
    with desk.held():
        yield desk


@pytest.fixture
def coffee(place):
    desk = place.desk(place.settings.tenant("coffee"))
    with desk.held():
        yield desk


def rows(desk, lane=""):
    return desk.waiting(Wanted(lane=lane)).rows


def card(desk, beginning):
    found = [*rows(desk), *desk.facts(Wanted()).rows]
    (row,) = [row for row in found if row.claim.startswith(beginning)]
    return desk.card_of(row.item)


def test_thirty_one_records_wait_in_lanes_of_five_nine_and_seventeen(acme):
    lanes = acme.counts().lanes
    assert lanes == {
        Lane.NEEDS_EYES: 5,
        Lane.DUPLICATES: 9,
        Lane.ROUTINE: 17,
        Lane.NOTHING: 4,
        Lane.FAILED: 2,
        Lane.REFUSED: 2,
    }
    assert len(rows(acme)) == 31


def test_the_order_stands_beside_the_run_in_which_it_was_given(acme):
    (beside, *_) = card(acme, ELEKTROSTAL).beside
    assert [decision.reason for decision in beside.kept.run.decisions] == [
        card(acme, ELEKTROSTAL).claim
    ]
    assert beside.kept.analysis.ending == "rejected"
    assert beside.carrying
    assert "speaker_mismatch" not in [flag.code for flag in card(acme, ELEKTROSTAL).flags]


def test_the_nine_look_alikes_are_three_clusters_of_three_from_different_sources(acme):
    clusters = set()
    for row in rows(acme, Lane.DUPLICATES):
        shown = acme.card_of(row.item)
        clusters.add(frozenset((row.item, *shown.look_alikes)))
        kinds = {acme.card_of(item).source.name for item in (row.item, *shown.look_alikes)}
        assert len(kinds) == 3
    assert sorted(map(len, clusters)) == [3, 3, 3]


def test_exactly_one_record_is_hostile_in_every_way_we_name(acme):
    (hostile,) = [row for row in rows(acme) if row.worst == 3]
    codes = {flag.code for flag in hostile.flags}
    assert codes >= {
        FlagCode.BIDI_OVERRIDE,
        FlagCode.HIDDEN_CHARACTERS,
        FlagCode.ORDERS_TO_AI,
        FlagCode.HTML_MARKUP,
        FlagCode.MIXED_SCRIPT,
        FlagCode.URL,
        FlagCode.FOREIGN_TRUST_CLAIM,
    }
    for part in ("\u202e", "\u200b", "<img", "onerror", "![", "\x1b[31m", "Ignore previous"):
        assert part in hostile.claim


def test_the_warehouse_story_stands_with_its_facts_links_and_evidence(acme):
    m1, m2, m3, m4 = (card(acme, one) for one in (KOLEDINO, CARRIER, ELEKTROSTAL, COMMISSION))
    assert [one.stage for one in (m1, m2, m3, m4)] == [
        Stage.DURABLE,
        Stage.DURABLE,
        Stage.STAGED,
        Stage.STAGED,
    ]

    def out(shown):
        return [(link.kind, link.other) for link in shown.links if link.outgoing]

    assert out(m2) == [("depends_on", m1.item)]
    assert out(m3) == [("supersedes", m1.item)]
    assert out(m4) == [("depends_on", m3.item)]
    assert m3.valid_from == "2026-03-01"
    assert m3.verbatim
    assert m4.immutable == "owner:Elektrostal warehouse"
    for shown in (m1, m2, m3, m4):
        assert shown.facts
        assert shown.entities
        assert shown.scope == {"goods": "down jackets"}
        (span,) = shown.source.evidence
        quoted = shown.source.raw[span.start : span.end].decode()
        assert quoted.casefold() != shown.claim.casefold()
        for fact in shown.facts:
            assert fact.value in shown.claim[fact.span.start : fact.span.end]


def test_making_m3_durable_would_supersede_m1_and_leave_m2_stale(acme):
    m1, m2, m3 = (card(acme, one) for one in (KOLEDINO, CARRIER, ELEKTROSTAL))
    followed = acme.consequence(m3)
    assert (followed.superseded, followed.stale) == ((m1.item,), (m2.item,))
    assert followed.since == "2026-03-01"


def test_the_coffee_shop_keeps_its_conclusion_and_what_it_rests_on(coffee):
    shop = card(coffee, "The coffee shop is in Kazan")
    assert shop.stage == Stage.DURABLE
    assert {fact.parameter for fact in shop.facts} == {
        "city",
        "budget",
        "audience",
        "season",
        "format",
    }
    assert shop.conclusion.task == "choose Yandex Direct channels"
    assert shop.conclusion.text == "search campaigns only, no network ads"
    assert [fact.parameter for fact in shop.conclusion.support] == ["season", "format"]


def test_three_answers_are_known_and_each_is_explained(acme, coffee):
    reported, observed = acme.audit.page(AnswersWanted()).answers
    assert (reported.observed, observed.observed) == (False, True)
    told = acme.audit.account(observed)
    assert told.verdict is Verdict.IN
    assert told.why.explanation.row_of(told.item).cell.claim.startswith((KOLEDINO, CARRIER))
    assert told.why.agreement.agrees
    assert [
        len(one.matched) for one in acme.audit.account(reported).why.explanation.matching.read
    ] == [1, 0]
    (conclusion,) = coffee.audit.page(AnswersWanted()).answers
    (part,) = conclusion.scores.parts
    assert [one.fate for one in part.trimmed] == [Fate.DROPPED]
    assert 0.3 <= part.overlap <= 0.7


def test_decisions_have_a_history_by_list_by_reason_and_taken_back(acme):
    history = {
        row.claim: [(e.decision, e.mode, e.reason) for e in acme.life(row.item)]
        for row in [*rows(acme), *acme.facts(Wanted()).rows]
    }
    assert history["Client 4411 pays by bank transfer within 14 days."] == [
        ("approve", "bulk", None)
    ]
    assert history["The spare carrier is PEK."] == [
        ("approve", "single", None),
        ("withdraw", "single", None),
    ]
    assert acme.counts().stages == {"durable": 11, "rejected": 2, "staged": 31}


def test_one_conflict_is_open_and_one_record_has_lost_what_it_rests_on(acme):
    (conflict,) = acme.graph.at().conflicts.page(1, 50)
    assert (conflict.parameter, conflict.subject) == ("contact", "client 4520")
    (stale,) = acme.graph.stale().rows
    assert stale.claim.startswith("The carrier for urgent parcels is PEK")


def test_one_insight_has_reached_every_threshold_and_may_leave_as_a_rule(acme):
    (candidate,) = acme.rules.page().rows
    assert candidate.reached
    assert candidate.learned.claim.startswith("We usually ask the warehouse")
    opened = acme.rules.open(candidate.learned.item)
    found = {str(one.name): one.found for one in opened.thresholds}
    assert (found["confidence"], found["votes"], found["people"]) == ("1.00", "5", "5")
    assert (opened.transfer.holds, opened.transfer.fails) == (1, 0)
    checked = acme.rules.checked(opened, acme.rules.begun(opened))
    assert checked.ready, checked.lacks


def test_what_was_not_staged_says_why(acme):
    def reasons(lane):
        return sorted(row.reason for row in acme.records(lane).rows)

    assert reasons(Lane.REFUSED) == ["contains_access_tokens", "source_denied"]
    assert reasons(Lane.FAILED) == ["field_missing", "not_json"]
    assert reasons(Lane.NOTHING) == ["blank_line", "empty_text", "empty_text", "empty_text"]
    assert acme.counts().outcomes["already_known"] == 1


def test_the_token_stands_neither_in_the_repository_nor_in_the_store(acme):
    token = secret_line().split(b" with ")[1].split(b'"')[0]
    for path in Path(demo.__file__).parent.rglob("*"):
        if path.is_file() and path.suffix in (".py", ".jsonl"):
            assert token not in path.read_bytes()
    for path in demo_home().rglob("*"):
        if path.is_file():
            assert token not in path.read_bytes()


def test_the_demo_files_hold_nothing_invisible():
    for path in DATA.glob("*.jsonl"):
        text = path.read_text(encoding="utf-8")
        assert all(char.isprintable() or char == "\n" for char in text), path.name


@pytest.mark.parametrize("tenant", TENANTS)
def test_everything_durable_rests_on_a_real_signature_and_verifies(place, tenant):
    path = place.store_path(place.settings.tenant(tenant))
    report = verify(path, root=place.root, pin=place.root.key.fingerprint)
    assert report.exit_code == 0
    assert report.pinned


def test_the_passphrase_that_is_printed_opens_the_key(place):
    key = place.key_path(place.settings.reviewer)
    assert unlock(key, PASSPHRASE, now=StoryClock()()).public == place.root.key


def test_the_same_seed_and_clock_give_the_same_records_ids_and_artifacts(tmp_path, acme):
    again = demo.build(tmp_path / "again", clock=StoryClock(story()[0].at), chance=SeededChance())
    desk = again.desk(again.settings.tenant("acme"))

    def told(one):
        found = [*rows(one), *one.facts(Wanted()).rows]
        return sorted((row.item, row.artifact, row.lane) for row in found)

    with desk.held():
        assert told(desk) == told(acme)
    assert again.settings.reviewer == open_workspace(demo_home()).settings.reviewer


def test_a_workspace_that_is_there_is_not_built_over(place):
    with pytest.raises(FileExistsError, match="Nothing was changed"):
        demo.build(place.home)
