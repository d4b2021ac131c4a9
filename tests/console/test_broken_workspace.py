"""A workspace that is damaged, odd or addressed wrongly is refused with one sentence."""

from __future__ import annotations

import asyncio
import json
import shutil

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from console import identity, server, wiring
from console.commands import verifying
from console.commands.faults import ExitCode, explained
from console.identity import SettingsError
from console.wiring import NoPolicyError, TrustRootError, new_workspace, open_workspace, read_root
from store.log import DamagedStoreError
from tests.console.test_cli import quick
from tests.console.test_demo import demo_home

NO_ROOTS = [b"[]", b'""', b"null", b"7", b"{}", b'{"statement":', b"\x00\xff\xfe", b"",
            b'{"statement": 7, "signature": 7}', b'{"statement": "{}", "signature": []}',
            b"[" * 100_000]  # fmt: skip


@pytest.fixture
def own_demo(tmp_path):
    return shutil.copytree(demo_home(), tmp_path / "own")


@pytest.fixture
def bare(tmp_path):
    return new_workspace(tmp_path / "w", tenants=("acme",)).home


def store_of(home):
    place = open_workspace(home)
    return place.store_path(place.settings.tenants[0])


@pytest.mark.parametrize("content", NO_ROOTS, ids=lambda one: repr(one[:20]))
def test_a_trust_root_that_is_none_is_refused_with_a_sentence(tmp_path, content):
    (tmp_path / "trust").mkdir()
    (tmp_path / "trust" / "root.json").write_bytes(content)
    with pytest.raises(TrustRootError, match=r"is not a self-signed root .* Restore it"):
        read_root(tmp_path, pin=None)


def test_a_trust_root_that_is_a_folder_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "trust" / "root.json").mkdir(parents=True)
    with pytest.raises(TrustRootError, match="Restore it"):
        read_root(tmp_path, pin=None)


@pytest.mark.parametrize("bad", ["../../x", "", " ", "a/b", "a\\u0000b", "..", "x" * 65, "a b"])
@pytest.mark.parametrize("place", ["tenant", "reviewer"])
def test_an_id_that_is_no_name_of_a_folder_is_refused(bare, bad, place):
    config = bare / identity.CONFIG
    text = config.read_text()
    if place == "tenant":
        head, _, rest = text.partition("[[tenant]]\nid = ")
        text = f'{head}[[tenant]]\nid = "{bad}"\n{rest.partition(chr(10))[2]}'
    else:
        text += f'\n[reviewer]\nid = "{bad}"\nname = "x"\n'
    config.write_text(text)
    with pytest.raises(SettingsError, match="is no id of a tenant or reviewer"):
        identity.read_settings(bare)
    result = quick(bare, "list")
    assert result.exit_code == 1
    assert "Nothing was opened" in result.stderr
    assert not (bare / "stores").exists()


def test_a_configuration_that_is_a_folder_is_refused(tmp_path):
    (tmp_path / identity.CONFIG).mkdir()
    with pytest.raises(SettingsError, match="Mend it"):
        identity.read_settings(tmp_path)


# --- the store --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"a block of clocks, locked" * 500, b"", b"\x00" * 9000], ids=["words", "0", "nul"]
)
def test_a_store_of_other_bytes_fails_verify_and_stops_the_rest_and_is_never_busy(
    own_demo, content
):
    store_of(own_demo).write_bytes(content)
    verified = quick(own_demo, "verify", "--wait", "0")
    assert verified.exit_code == 5
    listed = quick(own_demo, "list", "--wait", "0")
    assert listed.exit_code == 1
    looked = quick(own_demo, "doctor")
    assert looked.exit_code == 1
    for result in (verified, listed, looked):
        assert "busy" not in result.stderr + result.stdout
        assert not result.exception or isinstance(result.exception, SystemExit)
    assert "cannot be" in listed.stderr


def test_a_truncated_store_is_refused_with_a_sentence_everywhere(own_demo):
    path = store_of(own_demo)
    path.write_bytes(path.read_bytes()[:20_000])
    assert quick(own_demo, "verify").exit_code == 5
    for words in (["list"], ["import", str(own_demo / "policy.yaml")], ["doctor"]):
        result = quick(own_demo, *words)
        assert result.exit_code == 1, words
        assert isinstance(result.exception, SystemExit), words


@pytest.mark.parametrize(
    "error", [DamagedStoreError("It is off."), duckdb.IOException("block 7 of the file")]
)
def test_verify_of_an_odd_store_prints_the_sentence_and_ends_with_five(
    own_demo, monkeypatch, error
):
    def verify(*_args, **_known):
        raise error

    monkeypatch.setattr("store.verify.verify", verify)
    result = quick(own_demo, "verify")
    assert result.exit_code == 5
    assert result.stderr.startswith("FAIL: ")
    assert str(error) in result.stderr


def test_only_the_words_of_a_held_lock_mean_busy():
    for words in ("Could not set lock on file x: Conflicting lock is held", "Conflicting lock"):
        assert explained(duckdb.IOException(words)).code == ExitCode.BUSY
    for words in ("Checksum of block 7 does not match", "deadlock", "o'clock", "unlock"):
        fault = explained(duckdb.IOException(words))
        assert fault.code == ExitCode.ERROR
        assert "cannot be used" in fault.sentence
    assert verifying.is_lock(duckdb.IOException("Conflicting lock"))


def open_app(monkeypatch, home):
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(home))
    app = AppTest.from_file("../../console/entry/main.py", default_timeout=60).run()
    assert not app.exception, app.exception
    return app


def test_a_page_over_a_damaged_store_says_so_and_draws_nothing_else(own_demo, monkeypatch):
    store_of(own_demo).write_bytes(b"a block of clocks" * 1000)
    (error,) = open_app(monkeypatch, own_demo).error
    assert error.value.startswith(("The store cannot be read.", "The store's file cannot be"))


# --- the policy -------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [False, True], ids=["missing", "a folder"])
def test_a_missing_policy_is_one_sentence_that_says_what_to_do(own_demo, monkeypatch, folder):
    (own_demo / wiring.POLICY_FILE).unlink()
    if folder:
        (own_demo / wiring.POLICY_FILE).mkdir()
    place = open_workspace(own_demo)
    with pytest.raises(NoPolicyError, match="Restore it, or start memory-console run"):
        place.desk(place.settings.tenants[0])
    source = own_demo / "m.json"
    source.write_text("[]")
    result = quick(own_demo, "import", str(source), "--importer", "own_jsonl")
    assert result.exit_code == 1
    assert "policy.yaml is missing or cannot be read" in result.stderr
    looked = quick(own_demo, "doctor", "--json")
    found = {one["name"]: one for one in json.loads(looked.stdout)["findings"]}
    assert found["policy"]["verdict"] == "fail"
    assert "Restore it" in found["policy"]["detail"]
    assert found["store acme"]["verdict"] == "ok"
    (error,) = open_app(monkeypatch, own_demo).error
    assert error.value.startswith("The policy file policy.yaml is missing")


# --- the host ---------------------------------------------------------------------------------


def answer(*hosts: bytes) -> int:
    """The status that a request with these Host headers gets."""
    sent = []

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "headers": [(b"host", one) for one in hosts]}
    asyncio.run(server.Headers(app)(scope, None, send))
    return sent[0]["status"]


@pytest.mark.parametrize("host", [b"localhost", b"127.0.0.1:8501", b"localhost:1"])
def test_this_machine_is_answered(host):
    assert answer(host) == 200


@pytest.mark.parametrize(
    "host",
    [b"127.0.0.1:8599@evil.test", b"evil.test", b"evil.test:8501", b"localhost.evil.test", b"",
     b"127.0.0.1:", b"127.0.0.1:999999", b"localhost\n", b"127x0y0z1", b"[::1]:8501",
     b"127.0.0.1:8501:evil"],
)  # fmt: skip
def test_no_other_host_is_answered(host):
    assert answer(host) == 421


def test_a_request_with_no_host_or_with_two_is_not_answered():
    assert answer() == 421
    assert answer(b"localhost", b"evil.test") == 421
