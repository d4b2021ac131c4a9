"""The search through bytes: every spelling is found, and nothing is claimed without a control."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import needles, scanning, searching
from store.connections import Opener
from store.needles import Form
from store.scans import Control, ScanStatus, Unread
from store.searching import Search
from store.vault import Payload, Role

TEXT = "Склад «Коледино»: ключ №7, café, “quoted”\n\tand a tab, until 2026"
STAYS = "An ordinary sentence that stays in this file for good."


def payload(text=TEXT, role=Role.TEXT, salt=bytes(range(32))):
    return Payload(role, salt, text.encode("utf-8") if isinstance(text, str) else text)


def looked(folder, *payloads, controls=None, **more):
    sought = [needle for one in payloads for needle in needles.needles_of(one)]
    return scanning.scan(folder, sought, controls=controls or {}, **more)


SPELLINGS = {
    "utf-8": TEXT.encode(),
    "utf-16le": TEXT.encode("utf-16-le"),
    "utf-16be": TEXT.encode("utf-16-be"),
    "json": json.dumps({"x": TEXT}).encode(),
    "json utf-8": json.dumps([TEXT], ensure_ascii=False).encode(),
    "nfd": unicodedata.normalize("NFD", TEXT).encode(),
    "lower": TEXT.lower().encode(),
    "start": TEXT.encode()[:24],
    "end": TEXT.encode()[-24:],
    "salt": bytes(range(32)),
    **{f"base64+{n}": base64.b64encode(b"\x01" * n + TEXT.encode() + b"!") for n in range(3)},
    "base64url": base64.urlsafe_b64encode(b"?" + TEXT.encode()),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_each_spelling_is_found_where_it_stands(tmp_path, name):
    before = b"words before, ".ljust(200, b".")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(before + SPELLINGS[name] + b" after")
    scan = looked(tmp_path, payload())
    assert scan.status == ScanStatus.FOUND
    (one,) = scan.files
    assert one.path == "deep/file"
    assert all(200 <= hit.offset < 200 + len(SPELLINGS[name]) for hit in one.hits)
    assert {hit.of for hit in one.hits} == {payload().commitment}


def test_escapes_with_capital_digits_are_found(tmp_path):
    text = "кофе по-ирландски"
    escaped = "".join(f"\\u{ord(c):04X}" if ord(c) > 127 else c for c in text)
    (tmp_path / "f.json").write_text(f'{{"claim": "{escaped}"}}')
    hits = looked(tmp_path, payload(text)).files[0].hits
    assert Form.JSON_UPPER in {hit.form for hit in hits}


def test_a_text_that_the_database_keeps_in_pieces_is_found_by_its_pieces(tmp_path):
    text = "".join(f"line {n} of a long protocol. " for n in range(1_000))
    body = text.encode()
    (tmp_path / "f").write_bytes(STAYS.encode() + body[5_000:12_000])
    forms = {hit.form for hit in looked(tmp_path, payload(text)).files[0].hits}
    assert forms == {Form.PIECE}


def test_sentences_inside_a_structured_content_are_found_on_their_own(tmp_path):
    told = payload(json.dumps({"text": "the tenant moved to Riga", "kind": "conclusion"}))
    (tmp_path / "f").write_text("he wrote: the tenant moved to Riga, and signed")
    assert looked(tmp_path, told).status == ScanStatus.FOUND
    (tmp_path / "f").write_text('a log line of kind "conclusion" about something else')
    assert looked(tmp_path, told).status == ScanStatus.CLEAN


@pytest.mark.parametrize("size", [7, 64, 1 << 20])
def test_a_needle_across_two_chunks_is_found(tmp_path, monkeypatch, size):
    monkeypatch.setattr(searching, "_CHUNK", size)
    (tmp_path / "f").write_bytes(b"x" * (size - 9) + TEXT.encode() + b"y" * size)
    (one,) = looked(tmp_path, payload()).files
    assert (Form.UTF8, max(size - 9, 0)) in {(hit.form, hit.offset) for hit in one.hits}


@given(
    st.lists(st.binary(min_size=8, max_size=12), max_size=20, unique=True),
    st.lists(st.integers(0, 40), max_size=12),
    st.binary(max_size=80),
)
def test_the_search_finds_what_a_plain_search_finds(wanted, places, noise):
    data = noise + b"".join(wanted[n % len(wanted)] + noise[:n] for n in places if wanted)
    plain = [
        (needle, at) for needle in wanted for at in range(len(data)) if data.startswith(needle, at)
    ]
    assert sorted(Search(wanted).in_bytes(data)) == sorted(plain)
    assert sorted(Search(wanted, like=noise).in_bytes(data)) == sorted(plain)


@given(
    st.lists(st.binary(min_size=8, max_size=30), min_size=1, max_size=12, unique=True),
    st.lists(st.integers(0, 40), max_size=9),
    st.binary(max_size=60),
    st.integers(1, 50),
)
def test_in_chunks_of_any_size_each_place_is_told_once(wanted, order, noise, size):
    data = noise + b"".join(wanted[n % len(wanted)] + noise[:n] for n in order)
    plain = [
        (needle, at) for needle in wanted for at in range(len(data)) if data.startswith(needle, at)
    ]
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    found = Search(wanted).in_stream(chunks, lambda start, stop: data[start:stop])
    assert sorted(found) == sorted(plain)


def test_a_large_file_is_searched_by_several_threads_and_each_place_is_told_once(tmp_path):
    """Needles over each border of the pieces that the threads take."""
    size, step = (32 << 20) + 777, 1 << 20
    needles = [b"harbour-%04d-wall" % n for n in range(size // step + 1)]
    data, places = bytearray(size), []
    for n, needle in enumerate(needles):
        at = min(max(0, n * step - n % len(needle)), size - len(needle))
        data[at : at + len(needle)] = needle
        places.append((needle, at))
    path, taken = tmp_path / "large", hashlib.sha256()
    path.write_bytes(data)
    with path.open("rb") as file:
        found = list(Search(needles).in_file(file.fileno(), taken.update))
    assert sorted(found) == places
    assert taken.digest() == hashlib.sha256(data).digest()


def test_bodies_that_share_all_but_a_number_are_told_apart_at_little_cost():
    """Of records of one shape hardly a window is rare; the one with the number has to be found."""

    def body(n):
        told = {"evidence": [[11, 90]], "file": None, "source_id": f"notes:{n}", "step": None}
        return (json.dumps(told) + "written at 2026-02-01 by an agent of ours " * 8).encode()

    gone, stays = [body(n) for n in range(300)], [body(n) for n in range(1_000, 4_000)]
    data = b"|".join(stays)
    search = Search(gone, like=data[:200_000])
    assert list(search.in_bytes(data)) == []
    assert sum(1 for _ in search._candidates(data)) < len(stays)
    found = list(search.in_bytes(data + gone[7]))
    assert found == [(gone[7], len(data))]


def test_a_needle_of_many_pieces_is_looked_for_by_its_rarest():
    common = b"the same words again and again " * 40
    needle = common + b"ZQXJKV-7919" + common
    search = Search([needle], like=common * 20)
    data = common * 300 + needle + common * 300
    assert [place for _, place in search.in_bytes(data)] == [len(common) * 300]
    assert sum(1 for _ in search._candidates(data)) < 20


def test_plain_text_carries_its_own_control(tmp_path):
    (tmp_path / "notes.txt").write_text(STAYS)
    (one,) = looked(tmp_path, payload()).files
    assert (one.control, one.controls, one.control_hits) == (Control.OWN_TEXT, 1, 1)
    assert one.status == ScanStatus.CLEAN


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress((TEXT + STAYS).encode()),
        (TEXT + STAYS).encode("utf-16"),
        STAYS.encode() + b"\x00",
        STAYS.encode() + "я".encode()[:1],
    ],
)
def test_without_a_control_nothing_is_claimed(tmp_path, data):
    (tmp_path / "f.gz").write_bytes(data)
    scan = looked(tmp_path, payload("another text that is not in it"))
    assert scan.status == ScanStatus.INCONCLUSIVE
    assert scan.files[0].control == Control.NONE
    assert scan.status_of(payload("another text that is not in it").commitment) == scan.status


def test_a_control_that_is_given_has_to_be_found(tmp_path):
    (tmp_path / "index.bin").write_bytes(b"\x00\xff" + STAYS.encode() + b"\x00")
    told = {"index.bin": [STAYS.encode()]}
    assert looked(tmp_path, payload(), controls=told).status == ScanStatus.CLEAN
    told = {"index.bin": [STAYS.encode(), b"a row that is compressed"]}
    (one,) = looked(tmp_path, payload(), controls=told).files
    assert (one.status, one.controls, one.control_hits) == (ScanStatus.INCONCLUSIVE, 2, 1)


def test_links_and_pipes_are_said_and_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret").write_text(TEXT)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(elsewhere)
    (folder / "file").symlink_to(elsewhere / "secret")
    os.mkfifo(folder / "pipe")
    scan = looked(folder, payload())
    assert [(one.path, one.unread) for one in scan.files] == [
        ("file", Unread.NOT_A_FILE),
        ("link", Unread.NOT_A_FILE),
        ("pipe", Unread.NOT_A_FILE),
    ]
    assert scan.status == ScanStatus.INCONCLUSIVE


def test_a_file_that_changes_meanwhile_proves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_text(STAYS * 10)
    real = Search.in_file

    def slow(self, handle, taken):
        yield from real(self, handle, taken)
        with path.open("a") as file:
            file.write("more")

    monkeypatch.setattr(Search, "in_file", slow)
    (one,) = looked(tmp_path, payload()).files
    assert (one.unread, one.status) == (Unread.CHANGED, ScanStatus.INCONCLUSIVE)


def test_a_short_text_is_not_looked_for_and_said_so(tmp_path):
    short = payload("да")
    assert {needle.form for needle in needles.needles_of(short)} == {Form.SALT}
    (tmp_path / "f").write_text("да, да, это другой текст")
    scan = looked(tmp_path, short, too_short=[short.commitment])
    assert scan.status == ScanStatus.CLEAN
    assert scan.status_of(short.commitment) == ScanStatus.INCONCLUSIVE
    (tmp_path / "g").write_bytes(short.salt)
    assert looked(tmp_path, short).status == ScanStatus.FOUND


def test_words_that_stay_in_the_store_are_no_sign_of_what_was_erased(tmp_path):
    gone = payload("The user prefers to be called in the morning")
    stays = b"The user prefers to be called by her first name"
    (tmp_path / "f").write_bytes(b"list: " + stays)
    assert looked(tmp_path, gone).status == ScanStatus.FOUND
    scan = looked(tmp_path, gone, kept=[b"another", stays])
    assert scan.status == ScanStatus.CLEAN
    assert (gone.commitment, Form.START) in scan.shared
    assert scan.status_of(gone.commitment) == ScanStatus.CLEAN
    (tmp_path / "f").write_bytes(b"list: " + gone.body)
    scan = looked(tmp_path, gone, kept=[gone.body])
    assert scan.status == ScanStatus.CLEAN
    assert scan.status_of(gone.commitment) == ScanStatus.INCONCLUSIVE


def test_a_text_that_a_person_brings_along_can_be_looked_for(tmp_path):
    (tmp_path / "f").write_text(f"{STAYS} " + TEXT)
    (tmp_path / "g").write_text(STAYS)
    scan = scanning.scan(tmp_path, needles.spellings("brought", TEXT.encode()), controls={})
    assert [(one.path, one.status) for one in scan.files] == [
        ("f", ScanStatus.FOUND),
        ("g", ScanStatus.CLEAN),
    ]
    assert needles.spellings("brought", b"too short") == []


def test_a_hit_of_one_content_is_not_held_against_another(tmp_path):
    one, other = payload("the first thing that went"), payload("a second thing that went")
    (tmp_path / "f").write_text(f"{STAYS} {one.body.decode()}")
    scan = looked(tmp_path, one, other)
    assert scan.status_of(one.commitment) == ScanStatus.FOUND
    assert scan.status_of(other.commitment) == ScanStatus.CLEAN
    assert scan.status_of(other.commitment, ["nowhere"]) == ScanStatus.INCONCLUSIVE


def test_the_result_holds_no_word_of_what_was_looked_for(tmp_path):
    (tmp_path / "f").write_text(TEXT + STAYS)
    scan = looked(tmp_path, payload())
    told = json.dumps(scan.as_json(), ensure_ascii=False)
    assert scan.hits
    assert not any(word in told for word in ("Склад", "Коледино", "ordinary", "quoted"))
    assert scan.as_json()["files"][0]["hits"][0]["content"] == payload().commitment


def test_a_store_that_is_held_open_is_not_read_behind_the_lock(tmp_path):
    opener = Opener(tmp_path / "s.duckdb")
    with opener.held(), pytest.raises(RuntimeError, match="held open"):
        looked(tmp_path, payload())
    assert looked(tmp_path, payload()).files


def test_nothing_searched_claims_nothing(tmp_path):
    assert looked(tmp_path, payload()).status == ScanStatus.INCONCLUSIVE
    (tmp_path / "empty").touch()
    assert looked(tmp_path, payload()).status == ScanStatus.CLEAN
    with pytest.raises(NotADirectoryError):
        looked(tmp_path / "none", payload())
