"""What may be read through a door: kinds, purposes and sessions by the matrix, tenants apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from review.read_rules import RULES, Form, Purpose
from store.cells import Kind
from tests.console.agents import Firm, cell

WORDS = {kind: f"canary{n}" for n, kind in enumerate(Kind)}
ALLOWED = (Purpose.TASK, Purpose.PERSONALISATION)


def asked(acts, kind: Kind) -> str:
    """Everything that a door says of the one cell of a kind."""
    question = f"What is the {WORDS[kind]} code of the depot?"
    told = [acts.recall(question), acts.explain_now(question)]
    return json.dumps(told).replace(question, "")


@pytest.fixture(scope="module")
def firm(tmp_path_factory) -> Firm:
    """One cell of every kind, said by Ana in her session s1."""
    (made,) = Firm.founded(tmp_path_factory.mktemp("matrix") / "home", "acme")
    policy = made.place.home / "policy.yaml"
    text = policy.read_text().replace(
        "    - session_summary\n",
        "    - session_summary\n" + ("    - procedure\n    - reference\n"),
    )
    policy.write_text(text)
    made.items = made.learn(
        *(
            cell(
                f"The {word} code of the depot is {word}-value.",
                word,
                kind=str(kind),
                scope={"user": "ana", "session": "s1"},
                confidence="0.95",
            )
            for kind, word in WORDS.items()
        )
    )
    made.door("seed")
    made.publish()
    return made


def expected(kind: Kind, purpose: Purpose, *, same_user: bool, same_session: bool) -> bool:
    """The matrix of the trust specification, section 7, written out again."""
    rule = RULES[kind]
    allowed = rule.personalisation if purpose is Purpose.PERSONALISATION else rule.task is not None
    if kind is Kind.PROFILE_PREFERENCE:
        return purpose is Purpose.PERSONALISATION and same_user
    if kind is Kind.SESSION_SUMMARY:
        return purpose is Purpose.TASK and same_session
    if kind in (Kind.REFERENCE, Kind.INSIGHT):
        return purpose is Purpose.TASK
    return allowed


@pytest.mark.parametrize("purpose", ALLOWED)
@pytest.mark.parametrize("user", ["ana", None])
@pytest.mark.parametrize("session", ["s1", None])
def test_each_kind_is_read_by_whom_the_matrix_says_and_by_nobody_else(
    firm, purpose, user, session
):
    scope = {key: one for key, one in (("user", user), ("session", session)) if one}
    acts = firm.acts(firm.door(f"m-{purpose}-{user}-{session}".lower(), purpose=purpose, **scope))
    for kind, word in WORDS.items():
        told = asked(acts, kind)
        may = expected(kind, purpose, same_user=user == "ana", same_session=session == "s1")
        item = firm.items[list(WORDS).index(kind)]
        assert (item in told) == may, (kind, told[:500])
        if not may:
            assert f"{word}-value" not in told
            with pytest.raises(LookupError):
                acts.pieces([item], 0, None)
        elif RULES[kind].task is Form.POINTER and purpose is Purpose.TASK:
            assert f"{word}-value" not in told  # only by its range
            (piece,) = acts.pieces([item], 0, None)["pieces"]
            assert f"{word}-value" in piece["text"]


def test_another_users_and_another_sessions_memory_is_not_there(firm):
    for name, scope in (("bob", {"user": "bob"}), ("other", {"user": "ana", "session": "s2"})):
        for purpose in ALLOWED:
            acts = firm.acts(firm.door(f"o-{name}-{purpose}", purpose=purpose, **scope))
            for kind, word in WORDS.items():
                told = asked(acts, kind)
                assert f"{word}-value" not in told, (kind, purpose)
                assert not set(firm.items) & set(told.split('"')), (kind, purpose)


def test_a_door_of_some_kinds_reads_no_other(firm):
    acts = firm.acts(firm.door("facts-only", kinds={Kind.FACT}))
    assert f"{WORDS[Kind.FACT]}-value" in asked(acts, Kind.FACT)
    for kind in set(Kind) - {Kind.FACT}:
        assert f"{WORDS[kind]}-value" not in asked(acts, kind)


def test_an_insight_is_a_hint_with_its_cases_counted(firm):
    acts = firm.acts(firm.door("hints"))
    told = acts.recall(f"What is the {WORDS[Kind.INSIGHT]} code of the depot?")
    (part,) = told["parts"]
    assert [one["kind"] for one in part["insights"]] == ["insight"]
    (hint,) = part["insights"]
    assert (hint["form"], hint["for"], hint["against"]) == ("hint", 0, 0)
    assert hint["validation_state"] == "unverified"
    assert "insight" not in {one["kind"] for one in part["memory"]}


# --- tenants -----------------------------------------------------------------------------------


def test_no_door_snapshot_or_spool_of_eight_tenants_holds_a_foreign_canary(tmp_path):
    names = tuple(f"firm{n}" for n in range(8))
    firms = Firm.founded(tmp_path / "home", *names)
    for n, firm in enumerate(firms):
        firm.learn(cell(f"The depot code is canary-{n}-words.", n))
        firm.bot = firm.door(firm.name)
        firm.publish()
    question = "What is the depot code?"
    folders: dict[int, list[Path]] = {}
    held = []
    for firm in firms:
        (item,) = firm.desk.standing().items
        held.append(item)
    for n, firm in enumerate(firms):
        acts = firm.acts(firm.bot)
        told = json.dumps([acts.recall(question), acts.explain_now(question), acts.status()])
        told += json.dumps(acts.stage([{"claim": f"The gate code is canary-{n}-staged."}]))
        told += json.dumps(acts.recall("What is the gate code?"))
        found = {other for other in range(8) if f"canary-{other}-" in told}
        assert found == {n}
        for item in held[:n] + held[n + 1 :]:
            with pytest.raises(LookupError):
                acts.pieces([item], 0, None)
        folders[n] = [firm.published, firm.bot.folder]
    for n, places in folders.items():
        for path in (file for place in places for file in place.rglob("*") if file.is_file()):
            data = path.read_bytes()
            for other in range(8):
                if other != n:
                    assert f"canary-{other}-".encode() not in data, path
    for n, firm in enumerate(firms):
        assert firm.ingest().staged == 1
        ledger = firm.place.store(firm.tenant)
        staged = ledger.rows("select decode(body) as words from vault_payload")
        words = json.dumps([one["words"] for one in staged])
        assert {o for o in range(8) if f"canary-{o}-" in words} == {n}


def test_a_secret_in_a_question_a_claim_or_an_answer_is_in_no_file_of_door_or_store(tmp_path):
    (firm,) = Firm.founded(tmp_path / "home", "acme")
    firm.learn(cell("The carrier is Sdek.", 1))
    door = firm.door("bot")
    firm.publish()
    acts, secret = firm.acts(door), "ghp_" + "Q7" * 18
    recall = acts.recall(f"Which carrier takes {secret}?")
    assert secret not in json.dumps(recall)
    acts.answer(f"Sdek, with {secret}.", recall["recall"])
    job = acts.stage([{"claim": f"The token is {secret}."}])["job"]
    told = firm.ingest()
    assert (told.staged, told.reads, told.answers, told.aside) == (1, 1, 1, [])
    assert [one["outcome"] for one in acts.status(job)["records"]] == ["refused"]
    for path in (file for file in firm.place.home.rglob("*") if file.is_file()):
        assert secret.encode() not in path.read_bytes(), path
