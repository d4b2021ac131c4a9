"""No secret is kept in a record's own bytes, nor in the names it came under."""

from __future__ import annotations

import base64
import json
import random
from urllib.parse import quote

import pytest

from importers import catalogue
from importers.source import from_bytes, from_members
from review import secrets
from review.staged import secret_evidence
from store.records import Failed, FailReason, Outcome, Place, Read
from tests.review.desks import desk_over, proposal, reading

PW = "Qx7" + "vB93kLm2"
TOKEN = "ghp_" + "a1B2" * 9
TIME = "2026-01-01T00:00:00Z"


@pytest.fixture
def desk(store):
    return desk_over(store, chance=random.Random(5).randbytes)


def kept(desk):
    rows = desk.store.rows(
        "select body as x from vault_payload union all select canon from log_leaf"
        " union all select canon from log_event"
    )
    return b"\n".join(bytes(row["x"]) for row in rows if row["x"] is not None)


def staged(desk, source, importer):
    return desk.stage(catalogue.open_reading(source, catalogue.named(importer)))


def lines(*records):
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def entity(name, sort, *observations):
    return {"type": "entity", "name": name, "entityType": sort, "observations": [*observations]}


def mem0(**told):
    row = {"id": "m1", "memory": "likes tea", "created_at": TIME, "user_id": "u", **told}
    return json.dumps({"results": [row]}).encode()


@pytest.mark.parametrize(
    ("importer", "name", "data"),
    [
        ("mcp_memory", "a.jsonl", lines(entity("database password", "credential", PW))),
        ("mcp_memory", "a.jsonl", lines(entity("database password", "x", "see vault", PW))),
        ("mcp_memory", "a.jsonl", lines(entity("Admin", "password", PW))),
        (
            "mcp_memory",
            "a.jsonl",
            lines({"type": "relation", "from": "password", "to": PW, "relationType": "is"}),
        ),
        ("claude_memory", "CLAUDE.md", f"# Database password\n\n- {PW}\n".encode()),
        ("mem0", "a.json", mem0(metadata={"password": [PW]})),
        ("mem0", "a.json", mem0(metadata={"password": {"v": PW}})),
        ("mem0", "a.json", mem0(metadata={"key": "password", "value": PW})),
        ("mem0", "a.json", mem0(metadata={"password": [PW]}, created_at="no time")),
        ("mem0", "a.json", mem0(metadata={"password": [PW]})[:-3]),
    ],
)
def test_a_secret_seen_only_in_composed_text_is_kept_nowhere(desk, importer, name, data):
    receipt = staged(desk, from_bytes(name, data, modified_at=TIME), importer)
    assert receipt.counts[Outcome.REFUSED] + receipt.counts[Outcome.PARSE_FAILED] >= 1
    assert PW.encode() not in kept(desk)


def test_a_refused_record_keeps_the_words_around_a_secret_that_masking_found(desk):
    desk.stage(reading([proposal(f"deploy with {TOKEN} today")]))
    assert b"deploy with " + b"*" * len(TOKEN) + b" today" in kept(desk)


def test_a_token_across_the_cut_is_masked_before_the_cut():
    raw = b"x y " * (secret_evidence.RAW_KEPT // 4 - 5) + TOKEN.encode() + b" end"
    ((masked, found),) = secret_evidence.masked_each([raw], [False])
    assert len(masked) == secret_evidence.RAW_KEPT
    assert len(found) == 1
    assert b"ghp_" not in masked


def test_a_letter_cut_in_two_does_not_turn_the_rest_into_another_encoding():
    raw = ("пароль: Весна2026 " + "ж" * 200_000).encode()
    for shift in (b"", b"-"):
        ((masked, found),) = secret_evidence.masked_each([shift + raw], [False])
        assert found
        assert "Весна".encode() not in masked


def test_a_record_that_cannot_be_read_and_speaks_of_a_password_keeps_no_words(desk):
    raw = b'{"name": "db password", "observations": ["' + PW.encode() + b'"'
    failed = Read(Place(1, 0, len(raw)), raw, Failed(FailReason.CUT_SHORT))
    ((masked, _),) = secret_evidence.masked_each([failed.raw], [True])
    assert masked == b"*" * len(raw)


def test_a_key_given_twice_hides_no_value():
    raw = b'{"password": ["%s"], "password": null}' % PW.encode()
    ((masked, _),) = secret_evidence.masked_each([raw], [True])
    assert PW.encode() not in masked


def test_a_topic_that_holds_a_refused_block_keeps_none_of_that_blocks_bytes(desk):
    front = "---\nname: x\ndescription: d\ntype: user\n---\n"
    text = f"{front}I use tabs\n\n# Database password\n\nis\n\n- {PW}\n"
    receipt = staged(desk, from_bytes("x.md", text.encode(), modified_at=TIME), "claude_memory")
    assert receipt.counts[Outcome.REFUSED] >= 1
    assert receipt.counts[Outcome.WRITTEN] >= 1
    assert PW.encode() not in kept(desk)


def test_secrets_in_names_of_files_folders_and_members_are_masked(desk):
    member = from_bytes(f"{TOKEN}/CLAUDE.md", b"- use tabs in code\n", modified_at=TIME)
    other = from_bytes(f"{TOKEN}.bin", b"\0")
    receipt = staged(desk, from_members(f"k_{TOKEN}", (member, other)), "claude_memory")
    assert TOKEN not in receipt.origin.name
    assert TOKEN.encode() not in kept(desk)
    assert "⟦secret: github_token⟧".encode() in kept(desk)


@pytest.mark.parametrize(
    "text",
    [
        quote("password=Tr0ub4dor&3xy!", safe=""),
        "x " + "".join(f"%{ord(c):02x}" for c in TOKEN),
        "v " + base64.b64encode(TOKEN.encode()).decode(),
        "v " + base64.urlsafe_b64encode(f"password: {PW}!".encode()).decode().rstrip("="),
    ],
)
def test_a_secret_in_percent_signs_or_base64_is_found_whole(text):
    masked, found = secrets.mask(text)
    assert len(found) == 1
    assert masked.rpartition("⟦secret: ")[2].endswith("⟧")


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/%D0%BF%D0%B0%D1%80%D0%BA/%D1%82%D0%B2%D0%B5%D1%80%D1%8C",
        "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGJhc2U2NCBydW4gMTIzNDU2Nzg5MA",
    ],
)
def test_harmless_encoded_text_is_left_alone(text):
    assert secrets.find(text) == ()


@pytest.mark.parametrize(
    ("heading", "words"),
    [("Passwords", "Use the manager, never a note."), ("Password policy", "Rotate every year.")],
)
def test_a_rule_about_passwords_is_not_taken_for_one(desk, heading, words):
    source = from_bytes("MEMORY.md", f"# {heading}\n\n- {words}\n".encode(), modified_at=TIME)
    assert staged(desk, source, "claude_memory").counts[Outcome.WRITTEN] == 1


def test_a_secret_in_the_target_of_a_link_is_found_however_far_behind(desk):
    """Only the first 128 KiB of a record's bytes are searched; every text of it is."""
    record = {
        "claim": "Ana likes tea.",
        "kind": "fact",
        "source_type": "document",
        "source_id": "doc:1",
        "written_at": TIME,
        "foreign": {f"pad{n}": "word " * 12_000 for n in range(3)},
        "edges": [{"kind": "supports", "target": TOKEN}],
    }
    counts = staged(desk, from_bytes("a.jsonl", lines(record)), "own_jsonl").counts
    assert counts[Outcome.REFUSED] == 1
    assert TOKEN.encode() not in kept(desk)


def test_a_claim_that_is_json_hides_no_password_under_a_name_beside_it(desk):
    told = json.dumps({"fields": [{"name": "password", "value": PW}]})
    assert desk.stage(reading([proposal(told)])).counts[Outcome.REFUSED] == 1
    assert PW.encode() not in kept(desk)
    assert desk.stage(reading([proposal('{"password": "required"}')])).counts[Outcome.WRITTEN] == 1
