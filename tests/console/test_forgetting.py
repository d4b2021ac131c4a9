"""Forget requests over real workspaces: files, doors, snapshots, searches, reports."""

from __future__ import annotations

import json

import pytest

from console.forget.files import Files
from review.forget import report as reports
from review.forget.confirming import NotConfirmedError
from review.forget.ground import ASKED
from review.forget.headline import headline
from review.forget.letter import letter
from review.forget.markdown import markdown
from review.forget.running import NothingToForgetError, WrongCountError
from review.forget.scope import Scope
from review.forget.statuses import Status
from review.person import ReadOnlyError
from review.recall import Question
from store import rewriting
from store.spool import BatchKind
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    made_from,
    run,
    statuses,
    told_in,
    vault_words,
)

CANARY = "canary 7f3a91c2 sits by the river"
ANA = f"Ana keeps a {CANARY} and a note of it since 2024"


@pytest.fixture(scope="module")
def acme(tmp_path_factory):
    """A request over a subject with derivatives, a door, drafts, jobs and answers: carried out."""
    one = firm(tmp_path_factory.mktemp("forget") / "w", "acme", "other")
    one.items = one.learn(
        cell(ANA, 1, **about("ana")),
        cell("Boris likes dark roast coffee in the morning", 2, **about("boris")),
    )
    one.single, one.mixed = one.learn(
        cell("Somebody in the house keeps birds near water", 3, **made_from(1)),
        cell("The people of the house have birds and coffee", 4, **made_from(1, 2)),
    )
    one.waiting = one.stage(cell(f"A second thought: {CANARY}, they said", 5, **about("ana")))[0]
    one.bot = one.door("bot", user="ana")
    one.publish()
    one.acts(one.bot).recall("What does Ana keep?")
    one.ingest()
    desk = desk_of(one)
    shown = desk.card_of(one.waiting)
    from review.deciding import Wish
    from store.stages import DecisionKind

    desk.draft(shown, Wish(DecisionKind.DEFER, nonce="n-1", note=f"ask about the {CANARY}"))
    (one.place.home / "notes.txt").write_text("nothing of interest is in this file\n")
    one.before = bytes_with(one.place.home, b"canary 7f3a91c2")
    one.plan, one.report = run(
        one, Scope(subject="ana", reference="T-4411", due="2027-01-10"), desk
    )
    one.told = desk
    return one


def test_before_the_request_its_words_were_in_the_store_the_snapshot_and_the_drafts(acme):
    places = {path.split("/")[2] for path in acme.before if path.startswith("stores/")}
    assert places == {"store.duckdb", "published", "drafts"}


def test_after_it_no_file_of_the_workspace_holds_them(acme):
    assert bytes_with(acme.place.home, b"canary 7f3a91c2", CANARY.encode("utf-16-le")) == set()
    assert "canary" not in vault_words(acme)


def test_every_record_has_exactly_its_status(acme):
    told = statuses(acme.report)
    assert told[acme.items[0]] == told[acme.waiting] == told[acme.single] == "erased"
    assert told[acme.mixed] == "withdrawn_pending_review"
    assert acme.items[1] not in told
    assert acme.report.outcome == "completed"


def test_erased_left_and_unknown_are_the_scope_counted_again(acme):
    counts = acme.report.counts()
    assert sum(counts.values()) == len(acme.report.rows)
    assert [row.gone for row in acme.report.rows] == [row.contents for row in acme.report.rows]
    head = acme.report.head
    assert (head.derivatives_erased, head.derivatives_withdrawn) == (1, 1)
    assert head.store_root_before == acme.plan.root != head.store_root_after


def test_each_place_has_evidence_with_its_controls(acme):
    for name in ("store", "snapshot", "list", "requests"):
        place = acme.report.location(name)
        assert place.status is Status.ERASED, name
        assert place.evidence.hits == 0
        assert place.evidence.control_hits > 0
    assert acme.report.location("store").method == "rewrite"
    assert acme.report.location("snapshot").method == "published_again"
    drafts = acme.report.location("drafts")
    assert (drafts.method, drafts.items, drafts.status) == ("dropped", 1, Status.ERASED)


def test_what_nobody_can_look_into_is_always_listed(acme):
    names = {one.location_id for one in acme.report.always()}
    assert names == {
        f"always:{one}"
        for one in ("skeleton", "guard", "memory", "disk", "screens", "models", "git", "copies")
    }


def test_the_report_holds_no_word_of_what_was_erased_nor_what_was_asked_for(acme):
    assert told_in(acme.report, "canary", "7f3a91c2", "Ana", "ana ", "birds", "river") == []
    for lang in ("en", "ru"):
        text = markdown(acme.report, lang) + letter(acme.report, lang)
        assert "canary" not in text
        assert "Ana" not in text


def test_the_log_knows_the_report_and_a_changed_file_is_refused(acme):
    desk = desk_of(acme)
    assert desk.forget.report(acme.plan.forget) == acme.report
    name = f"{acme.plan.forget}.report.json"
    path = acme.place.store_path(acme.tenant).parent / "forgets" / name
    data = path.read_bytes()
    assert reports.read_report(json.loads(data)) == acme.report
    path.write_bytes(data.replace(b'"completed"', b'"partial"  '))
    with pytest.raises(reports.BadReportError):
        desk.forget.report(acme.plan.forget)
    path.write_bytes(data)


def test_the_store_still_verifies_and_nothing_is_unfinished(acme):
    assert faults(acme) == []
    assert desk_of(acme).forget.unfinished() == ()


def test_p54_after_a_reload_nothing_finds_it(acme):
    desk = desk_of(acme)
    assert desk.forget.matches("canary").records == ()
    from review.queue import Wanted

    assert desk.facts(Wanted(q="canary")).total == 0
    assert {desk.standing().stage_of(one, 1) for one in (acme.items[0], acme.single)} == {"erased"}


def test_p55_an_answer_after_it_uses_none_of_it(acme):
    desk = desk_of(acme)
    answered = desk.ask(Question("What does Ana keep?", scope={"user": "ana"}))
    used = {one.item for part in answered.recall.parts for one in part.scored}
    assert used & {acme.items[0], acme.single, acme.mixed, acme.waiting} == set()
    assert "canary" not in repr(answered)


def test_p57_an_answer_that_was_given_is_listed_as_given(acme):
    place = acme.report.location("answers:" + acme.bot.id)
    place = place or next(o for o in acme.report.locations if o.location_id.startswith("answers:"))
    assert place.status is Status.OUTSIDE_CONTROL
    assert place.items == acme.report.head.answers_given == 1
    assert "1 answer already given" in headline(acme.report)


def test_a_door_serves_none_of_it_any_more(acme):
    told = acme.acts(acme.bot).recall("What does Ana keep?")
    assert "canary" not in json.dumps(told, default=str)


def test_p63_the_old_export_does_not_come_back(acme):
    desk = desk_of(acme)
    before = desk.counts()
    receipt = acme.stage(cell(ANA, 1, **about("ana")))
    assert receipt == []
    assert desk.counts() != before  # the refused record is counted
    assert "canary" not in vault_words(acme)


def test_what_comes_in_through_a_door_afterwards_is_refused_too(acme):
    acme.acts(acme.bot).stage([{"claim": ANA, "kind": "fact"}])
    assert list(acme.bot.spool.waiting())
    acme.ingest()
    assert "canary" not in vault_words(acme)


def test_checking_again_finds_the_same_and_says_when(acme):
    again = desk_of(acme).forget.check_again(acme.plan.forget)
    assert again.checked_at
    assert statuses(again) == statuses(acme.report)
    assert again.location("store").evidence.control_hits > 0


def test_words_that_somebody_brings_are_searched_for_and_not_kept(acme):
    desk = desk_of(acme)
    stays = b"Boris likes dark roast coffee in the morning"
    told = [desk.forget.search(words) for words in (CANARY.encode(), stays, b"short")]
    assert [str(one.status_of(ASKED)) for one in told] == ["clean", "found", "inconclusive"]
    assert bytes_with(acme.place.home, CANARY.encode()) == set()


# --- refusals ---------------------------------------------------------------------------------


def test_p58_p66_p70_zero_matches_is_never_success(acme):
    desk = desk_of(acme)
    head = desk.head()
    for scope in (Scope(items=("0" * 26,)), Scope(subject="ana maria"), Scope(subject="ana")):
        plan = desk.forget.plan(scope)
        assert plan.empty
        with pytest.raises(NothingToForgetError, match="0 records erased"):
            desk.forget.run(scope, desk.forget.token(plan), acme.sign, typed=1)
    assert desk.head() == head


def test_the_number_that_is_typed_has_to_be_the_one_of_the_preview(acme):
    desk, scope = desk_of(acme), Scope(subject="boris")
    plan = desk.forget.plan(scope)
    with pytest.raises(WrongCountError, match="Nothing was erased"):
        desk.forget.run(scope, desk.forget.token(plan), acme.sign, typed=plan.typed + 1)
    assert desk.standing().stage_of(acme.items[1], 1) == "durable"


def test_without_an_identity_or_a_signature_nothing_is_erased(acme):
    desk, scope = desk_of(acme), Scope(subject="boris")
    plan = desk.forget.plan(scope)
    shown = desk.forget.token(plan)

    def refuse(_statements):
        msg = "wrong passphrase"
        raise PermissionError(msg)

    with pytest.raises(PermissionError):
        desk.forget.run(scope, shown, refuse, typed=plan.typed)
    desk.forget._person = None
    with pytest.raises(ReadOnlyError):
        desk.forget.run(scope, shown, acme.sign, typed=plan.typed)
    assert desk.standing().stage_of(acme.items[1], 1) == "durable"
    assert desk.forget.unfinished() == ()


def test_nothing_can_be_said_of_a_place_that_is_ours_or_nobodys(acme):
    desk = desk_of(acme)
    for place in ("store", "always:disk", "none:such"):
        with pytest.raises(NotConfirmedError):
            desk.forget.confirm(acme.plan.forget, place, acme.sign)


def test_what_a_person_says_of_a_copy_is_signed_and_shown_as_said(acme):
    desk = desk_of(acme)
    place = next(
        o.location_id for o in acme.report.locations if o.location_id.startswith("answers:")
    )
    told = desk.forget.confirm(acme.plan.forget, place, acme.sign, evidence="told by mail")
    one = told.location(place)
    assert one.status is Status.OUTSIDE_CONTROL
    assert [(said.name, said.what) for said in one.confirmed] == [("Irina", "removed")]
    assert "Irina says removed" in markdown(told)
    assert "Irina сообщает: убрано" in markdown(told, "ru")
    assert faults(acme) == []


# --- negative controls ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A workspace with a record that will go and one that stays."""
    made = firm(tmp_path_factory.mktemp("template") / "w")
    made.learn(cell(ANA, 1, **about("ana")), cell("a sentence that stays here for good", 2))
    return made


@pytest.fixture
def one(template, tmp_path):
    return template.copied(tmp_path / "w")


class NotRewritten(Files):
    """Files of which the rewrite was left out: the delete call alone has run."""

    def rewrite(self, request, watch):
        from review.forget.ground import Rewritten

        return Rewritten(0, 0, 0, old_overwritten=False, payloads=self.waiting(request))


def test_er2_with_the_rewrite_left_out_the_report_says_failed(one):
    desk = desk_of(one, NotRewritten)
    _plan, report = run(one, Scope(subject="ana"), desk)
    assert report.outcome == "partial"
    assert set(statuses(report).values()) == {"failed"}
    assert report.location("store").status is Status.FAILED
    assert report.location("store").evidence.hits > 0
    assert desk.forget.unfinished() == (report.head.forget_id,)
    again = desk_of(one).forget.resume(report.head.forget_id, one.sign)
    assert again.outcome == "completed"
    assert set(statuses(again).values()) == {"erased"}


def test_er2_with_compression_nothing_is_claimed(tmp_path, monkeypatch):
    one = firm(tmp_path / "w")
    others = [cell(f"a sentence number {n} that stays for good", 100 + n) for n in range(300)]
    one.stage(cell(ANA, 1, **about("ana")), *others)
    monkeypatch.setattr(rewriting, "_SETTINGS", ("SET force_compression='zstd'",))
    _plan, report = run(one, Scope(subject="ana"))
    assert report.location("store").status is Status.ERASED_UNVERIFIED
    assert report.location("store").residual_reason == "no_control"
    assert set(statuses(report).values()) == {"erased_unverified"}


def test_p67_one_place_that_fails_makes_it_partial_with_a_row_for_each(one):
    drafts = one.place.store_path(one.tenant).parent / "drafts"
    drafts.mkdir(exist_ok=True)
    (drafts / "r-somebody.json").write_text(f'[{{"note": "{ANA}", broken')
    _plan, report = run(one, Scope(subject="ana"))
    assert report.outcome == "partial"
    assert report.location("drafts").status is Status.FAILED
    assert report.location("drafts").residual_reason == "unreadable"
    assert report.location("store").status is Status.ERASED
    (drafts / "r-somebody.json").unlink()
    again = desk_of(one).forget.resume(report.head.forget_id, one.sign)
    assert again.outcome == "completed"
    assert set(statuses(again).values()) == {
        "erased_unverified"
    }  # nobody knows the words any more


def test_a_batch_that_waits_in_a_spool_is_taken_in_and_refused(one):
    bot = one.door("bot")
    one.publish()
    desk = desk_of(one)
    scope = Scope(subject="ana")
    plan = desk.forget.plan(scope)
    one.acts(bot).stage([{"claim": ANA, "kind": "fact"}])
    assert [w.kind for w in bot.spool.waiting()] == [BatchKind.STAGE]
    report = desk.forget.run(scope, desk.forget.token(plan), one.sign, typed=plan.typed)
    assert report.outcome == "completed"
    assert bytes_with(one.place.home, b"canary 7f3a91c2") == set()


def test_a_question_that_waits_in_a_spool_does_not_bring_the_words_back(one):
    bot = one.door("bot")
    one.publish()
    desk = desk_of(one)
    scope = Scope(subject="ana")
    plan = desk.forget.plan(scope)
    one.acts(bot).recall(f"Is it so that {ANA}")
    one.acts(bot).recall("What stays here for good?")
    report = desk.forget.run(scope, desk.forget.token(plan), one.sign, typed=plan.typed)
    assert report.outcome == "completed"
    assert bytes_with(one.place.home, b"canary 7f3a91c2") == set()
    assert "canary" not in vault_words(one)
    assert report.location("spool:bot").items == 1
    assert "What stays here for good?" in vault_words(one)  # other questions are taken in
