"""The command line as a person or a script meets it: surface, exit codes, streams, escapes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import typer.main
from typer.testing import CliRunner

from console.cli import app
from console.commands.faults import CommandError, ExitCode, Fault, explained
from console.commands.listing import LaneName
from console.phrases import six_words, words_of_fingerprint
from console.wiring import new_workspace, open_workspace
from review.queue import Lane
from store.canonical import sha256
from tests.console.test_demo import demo_home

PASSPHRASE = "correct horse battery"
HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "MEMORY_CONSOLE_HOME": str(home), "PYTHONUTF8": "1"}


def command(*args: str) -> list[str]:
    return [sys.executable, "-c", "from console.cli import main; main()", *args]


def cli(home: Path, *args: str, **more) -> subprocess.CompletedProcess[str]:
    """The real program, in a process of its own."""
    return subprocess.run(
        command(*args), env=environment(home), capture_output=True, text=True, timeout=120, **more
    )


def quick(home: Path, *args: str, typed: str | None = None):
    """The same program inside this process."""
    return CliRunner().invoke(app, list(args), env={"MEMORY_CONSOLE_HOME": str(home)}, input=typed)


@pytest.fixture
def demo() -> Path:
    return demo_home()


@pytest.fixture
def own_demo(tmp_path) -> Path:
    return shutil.copytree(demo_home(), tmp_path / "own")


# --- the surface ------------------------------------------------------------------------------

SURFACE = {
    "": {"--version", "--install-completion", "--show-completion", "--help"},
    "demo": {"--port", "--no-browser", "--keep", "--help"},
    "run": {"--port", "--no-browser", "--help"},
    "import": {
        "paths",
        "--tenant",
        "--importer",
        "--columns",
        "--map",
        "--map-file",
        "--encoding",
        "--verbatim",
        "--background",
        "--wait",
        "--json",
        "--quiet",
        "--no-input",
        "--help",
    },
    "jobs": {"--tenant", "--limit", "--json", "--help"},
    "jobs show": {"job", "--tenant", "--follow", "--json", "--help"},
    "jobs stop": {"job", "--tenant", "--help"},
    "jobs go-on": {"job", "--tenant", "--follow", "--help"},
    "jobs drop": {"job", "--tenant", "--help"},
    "model": {"--help"},
    "model status": {"--json", "--help"},
    "model set": {"changes", "--help"},
    "model dry-run": {"job", "what", "--tenant", "--wait", "--help"},
    "model ask": {"--most", "--tenant", "--wait", "--json", "--help"},
    "model propose": {"job", "what", "--waiting", "--tenant", "--wait", "--help"},
    "model agreement": {"--tenant", "--wait", "--json", "--help"},
    "runs": {"--ending", "--help", "--json", "--page", "--tenant", "--wait", "run"},
    "insights": {"--help"},
    "insights build": {"--help", "--json", "--read-again", "--tenant", "--wait"},
    "ask": {
        "question",
        "--asked-at",
        "--as-of",
        "--scope",
        "--purpose",
        "--baseline",
        "--staged",
        "--strict",
        "--record",
        "--language",
        "--tenant",
        "--wait",
        "--json",
        "--help",
    },
    "audit": {"--tenant", "--page", "--search", "--wait", "--json", "--help"},
    "audit show": {
        "answer",
        "--text",
        "--fact",
        "--language",
        "--tenant",
        "--wait",
        "--json",
        "--md",
        "--help",
    },
    "audit report": {
        "file",
        "--question",
        "--asked-at",
        "--tenant",
        "--wait",
        "--json",
        "--help",
    },
    "audit labels": {"--tenant", "--wait", "--help"},
    "audit shares": {"--tenant", "--wait", "--json", "--help"},
    "gate": {"--help"},
    "gate fit": {"labels", "--from-audit", "--tenant", "--wait", "--json", "--help"},
    "gate show": {"--tenant", "--wait", "--json", "--help"},
    "list": {"--lane", "--outcome", "--limit", "--raw", "--tenant", "--wait", "--json", "--help"},
    "forget": {
        "--also",
        "--discard",
        "--due",
        "--help",
        "--hold",
        "--import",
        "--item",
        "--json",
        "--no-input",
        "--passphrase-stdin",
        "--plan",
        "--preview",
        "--reference",
        "--request",
        "--run",
        "--since",
        "--source-id",
        "--subject",
        "--tenant",
        "--text",
        "--type-count",
        "--until",
        "--wait",
        "--whole-tenant",
    },
    "forget-report": {
        "request",
        "--bring",
        "--help",
        "--json",
        "--language",
        "--letter",
        "--md",
        "--tenant",
        "--wait",
    },
    "forget-verify": {"named", "--help", "--json", "--tenant", "--text-stdin", "--wait"},
    "forget-confirm": {
        "request",
        "place",
        "--beyond-use",
        "--evidence",
        "--help",
        "--json",
        "--no-input",
        "--passphrase-stdin",
        "--tenant",
        "--wait",
    },
    "verify": {
        "--pin",
        "--require-pin",
        "--since-state",
        "--tenant",
        "--wait",
        "--json",
        "--help",
    },
    "show": {"statement", "--json", "--help"},
    "doctor": {"--json", "--help"},
    "rules": {"--help"},
    "rules list": {
        "--show",
        "--search",
        "--page",
        "--exported",
        "--tenant",
        "--wait",
        "--json",
        "--help",
    },
    "rules show": {"item", "--tenant", "--wait", "--json", "--help"},
    "rules why-not": {"item", "--tenant", "--wait", "--json", "--help"},
    "rules export": {
        "item",
        "--rule",
        "--target",
        "--owner",
        "--into",
        "--because",
        "--dry-run",
        "--tenant",
        "--passphrase-stdin",
        "--wait",
        "--no-input",
        "--json",
        "--help",
    },
    "rules withdraw": {
        "export",
        "--reason",
        "--tenant",
        "--passphrase-stdin",
        "--wait",
        "--no-input",
        "--json",
        "--help",
    },
    "rules write": {"export", "--tenant", "--wait", "--json", "--help"},
    "memory": {"--help"},
    "memory export": {"--language", "--tenant", "--wait", "--json", "--help"},
    "memory protocol": {"which", "--language", "--help"},
    "bundle-check": {
        "folder",
        "--pin",
        "--require-pin",
        "--tenant",
        "--wait",
        "--json",
        "--help",
    },
    "publish": {
        "--tenant",
        "--valid-days",
        "--passphrase-stdin",
        "--wait",
        "--no-input",
        "--json",
        "--help",
    },
    "ingest": {"--tenant", "--wait", "--json", "--help"},
    "agent": {"--help"},
    "agent new": {"name", "--tenant", "--purpose", "--kinds", "--user", "--scope", "--help"},
    "agent list": {"--json", "--help"},
    "agent run": {"name", "--help"},
    "database": {"--help"},
    "database move": {
        "words",
        "--yes",
        "--tenant",
        "--wait",
        "--no-input",
        "--json",
        "--help",
    },
    "backup": {"--help"},
    "backup new": {"--keep-days", "--into", "--tenant", "--wait", "--json", "--help"},
    "backup list": {"--tenant", "--wait", "--json", "--help"},
    "backup delete": {
        "backup",
        "--due",
        "--yes",
        "--tenant",
        "--wait",
        "--no-input",
        "--json",
        "--help",
    },
    "restore": {"backup", "--forgets", "--json", "--help"},
    "reviewer": {"--help"},
    "reviewer new": {"--name", "--passphrase-stdin", "--no-input", "--help"},
    "reviewer list": {"--tenant", "--wait", "--json", "--help"},
    "reviewer add": {
        "public",
        "--name",
        "--tenant",
        "--passphrase-stdin",
        "--no-input",
        "--help",
    },
    "reviewer revoke": {"reviewer", "--tenant", "--passphrase-stdin", "--no-input", "--help"},
}


def found_surface(group, path=""):
    """Every command with all its parameters, hidden ones too."""
    context = group.make_context(path or "memory-console", [], resilient_parsing=True)
    names = set()
    for parameter in group.get_params(context):
        options = [*parameter.opts, *parameter.secondary_opts]
        names |= set(options)
    found = {path: names}
    for name, each in getattr(group, "commands", {}).items():
        found |= found_surface(each, f"{path} {name}".strip())
    return found


def test_the_whole_surface_is_exactly_this():
    assert found_surface(typer.main.get_command(app)) == SURFACE


FILES_LEAVE = {"rules export", "memory export", "export", "--exported"}
"""These write files for a repository; what is in the store is as durable as it was."""

SAID_OF_COPIES = {"forget-confirm"}
"""A person says what became of a copy elsewhere; no record of the store changes."""


def test_no_name_in_the_surface_makes_anything_durable_or_trusted():
    words = {word for name, options in SURFACE.items() for word in (name, *options)}
    words -= FILES_LEAVE | SAID_OF_COPIES
    bad = ("promote", "approve", "trust", "accept", "sign", "export", "confirm", "durable")
    assert not [word for word in words if any(one in word for one in bad)]


@pytest.mark.parametrize(
    "words", [["promote"], ["approve", "x"], ["reviewer", "trust"], ["export-rule", "--help"]]
)
def test_an_unknown_command_says_who_decides_and_where(tmp_path, words):
    result = cli(tmp_path, *words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("unknown command: ")
    assert (
        "Making records durable is done by a person in the console: memory-console run"
    ) in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in SURFACE if name != "reviewer list"])
def test_every_help_begins_with_examples(tmp_path, name):
    result = quick(tmp_path, *name.split(), "--help")
    assert result.exit_code == 0
    if name != "reviewer revoke":
        assert result.stdout.startswith("Examples:\n  memory-console")
    assert result.stdout.count("Examples:") <= 1


def test_help_starts_quickly_because_nothing_heavy_is_imported():
    heavy = ("pandas", "duckdb", "streamlit", "sqlmodel", "altair", "cryptography", "rich")
    code = f"import sys, console.cli; print([name for name in {heavy!r} if name in sys.modules]); "
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_version_is_printed(tmp_path):
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", quick(tmp_path, "--version").stdout)


def test_completion_is_offered(tmp_path):
    result = subprocess.run(
        command(),
        env={
            **environment(tmp_path),
            "_MEMORY_CONSOLE_COMPLETE": "complete_bash",
            "COMP_WORDS": "memory-console ver",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in result.stderr


# --- list -------------------------------------------------------------------------------------


def test_our_names_of_lanes_are_the_queues():
    assert [str(lane) for lane in LaneName] == [str(lane) for lane in Lane]


@pytest.mark.parametrize(
    ("asked", "total"),
    [
        ([], 31),
        (["--lane", "needs-eyes"], 5),
        (["--lane", "duplicates"], 9),
        (["--lane", "routine"], 17),
        (["--lane", "nothing"], 4),
        (["--outcome", "parse_failed"], 2),
        (["--outcome", "refused"], 2),
        (["--outcome", "written"], 31),
        (["--tenant", "coffee"], 2),
    ],
)
def test_list_tells_each_lane_and_outcome_as_json(demo, asked, total):
    result = quick(demo, "list", *asked, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["total"], len(told["records"])) == (0, total, total)
    assert {one.get("validation_state", "unverified") for one in told["records"]} == {"unverified"}


def test_list_gives_no_more_than_the_limit_and_says_so(demo):
    result = quick(demo, "list", "--limit", "2")
    assert len(result.stdout.splitlines()) == 4
    assert "2 of 31 shown." in result.stderr


def test_hostile_text_reaches_the_terminal_with_every_hidden_character_visible(demo):
    result = quick(demo, "list", "--lane", "needs-eyes")
    assert result.exit_code == 0
    for mark in ("⟦U+001B ESC⟧[31m", "⟦U+202E RLO⟧", "⟦U+200B ZWSP⟧"):
        assert mark in result.stdout
    assert not HIDDEN.search(result.stdout + result.stderr)


def test_json_carries_the_exact_text_in_escapes_that_no_terminal_obeys(demo):
    result = quick(demo, "list", "--lane", "needs-eyes", "--json")
    assert result.stdout.isascii()
    assert not HIDDEN.search(result.stdout)
    claims = [one["claim"] for one in json.loads(result.stdout)["records"]]
    assert any("\x1b[31mred" in claim and "\u202e" in claim for claim in claims)


def test_raw_text_goes_to_a_pipe_and_never_to_a_terminal(demo):
    assert "\x1b[31mred" in cli(demo, "list", "--lane", "needs-eyes", "--raw").stdout
    shown, own = os.openpty()
    try:
        result = subprocess.run(
            command("list", "--raw"),
            env=environment(demo),
            stdout=own,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    finally:
        os.close(own)
        os.close(shown)
    assert result.returncode == 2
    assert "Nothing was printed" in result.stderr


def test_list_writes_nothing_to_the_store(own_demo):
    before = json.loads(quick(own_demo, "verify", "--json").stdout)["root"]
    policy = own_demo / "policy.yaml"
    policy.write_text(policy.read_text() + "\n# a remark\n")
    assert quick(own_demo, "list").exit_code == 0
    assert json.loads(quick(own_demo, "verify", "--json").stdout)["root"] == before


def test_a_workspace_without_a_store_lists_nothing_and_makes_none(tmp_path):
    home = new_workspace(tmp_path / "home").home
    result = quick(home, "list", "--json")
    assert (result.exit_code, json.loads(result.stdout)["total"]) == (0, 0)
    assert not (home / "stores").exists()


# --- verify -----------------------------------------------------------------------------------


def test_verify_prints_a_line_for_each_check_and_what_is_not_covered(demo):
    result = quick(demo, "verify")
    assert result.exit_code == 0
    assert re.search(r"^chain +PASS", result.stdout, re.M)
    assert re.search(r"^trust root +WARN +SHA256:\S+ NOT PINNED", result.stdout, re.M)
    assert result.stdout.splitlines()[-1].startswith("NOT COVERED: ")


def test_a_pin_is_required_only_when_asked_and_ends_with_seven(demo):
    root = open_workspace(demo).root.key.fingerprint
    assert quick(demo, "verify", "--require-pin").exit_code == 7
    assert quick(demo, "verify", "--require-pin", "--pin", root).exit_code == 0
    other = quick(demo, "verify", "--pin", "SHA256:someone-else")
    assert other.exit_code == 5
    assert "FAIL" in other.stdout


def test_a_report_is_the_state_that_a_later_verify_starts_from(demo, tmp_path):
    seen = tmp_path / "seen.json"
    seen.write_text(quick(demo, "verify", "--json").stdout)
    later = json.loads(quick(demo, "verify", "--since-state", str(seen), "--json").stdout)
    assert {"rollback": "PASS"}.items() <= {
        c["name"]: c["verdict"] for c in later["checks"]
    }.items()
    told = json.loads(seen.read_text()) | {"root": "00" * 32}
    seen.write_text(json.dumps(told))
    assert quick(demo, "verify", "--since-state", str(seen)).exit_code == 5
    seen.write_text("[]")
    assert quick(demo, "verify", "--since-state", str(seen)).exit_code == 2
    assert quick(demo, "verify", "--since-state", str(tmp_path / "no")).exit_code == 3


def test_verify_fails_on_a_file_that_is_no_store_and_on_an_altered_root(own_demo):
    place = open_workspace(own_demo)
    path = place.store_path(place.settings.tenants[0])
    path.write_bytes(b"not a store at all" * 500)
    result = quick(own_demo, "verify")
    assert result.exit_code == 5
    assert result.stderr.startswith("FAIL: the store cannot be read")
    assert quick(own_demo, "list").exit_code == 1
    root = own_demo / "trust" / "root.json"
    root.write_text(root.read_text().replace("ssh-ed25519", "ssh-ed25518"))
    assert quick(own_demo, "verify").exit_code == 5
    altered = quick(own_demo, "list")
    assert altered.exit_code == 1
    assert "Restore it" in altered.stderr


# --- doctor and show --------------------------------------------------------------------------


def test_doctor_says_what_is_so_and_never_the_key(own_demo):
    result = quick(own_demo, "doctor", "--json")
    told = {one["name"]: one for one in json.loads(result.stdout)["findings"]}
    assert result.exit_code == 0
    assert "duckdb" in told["versions"]["detail"]
    assert told["permissions"]["verdict"] == "ok"
    assert told["trust root"]["verdict"] == "warn"
    assert "nobody holds it" in told["store acme"]["detail"]
    assert told["drafts acme"]["detail"] == "0 not signed yet"
    key = next((own_demo / "keys").glob("r-*[!b]")).read_text()
    assert key.splitlines()[1] not in result.stdout


def test_doctor_finds_open_permissions_a_bad_policy_and_leftover_files(own_demo):
    own_demo.chmod(0o755)
    (own_demo / "policy.yaml").write_text("memory: 7\n")
    (own_demo / "config.new").write_text("")
    result = quick(own_demo, "doctor", "--json")
    verdicts = {one["name"]: one["verdict"] for one in json.loads(result.stdout)["findings"]}
    assert result.exit_code == 1
    assert verdicts["permissions"] == "fail"
    assert verdicts["policy"] == "fail"
    assert verdicts["leftovers"] == "warn"


def test_doctor_of_nothing_is_well_and_makes_nothing(tmp_path):
    result = quick(tmp_path / "none", "doctor")
    assert result.exit_code == 0
    assert "none in" in result.stdout
    assert not (tmp_path / "none").exists()


def test_show_prints_six_words_and_what_a_statement_decides(demo, tmp_path):
    place = open_workspace(demo)
    path = place.store_path(place.settings.tenant("acme"))
    with duckdb.connect(str(path), read_only=True) as store:
        statements = [
            row[0] for row in store.execute("select statement from log_signature").fetchall()
        ]
    statement = max(statements, key=len)
    file = tmp_path / "statement.json"
    file.write_bytes(statement)
    told = json.loads(quick(tmp_path, "show", str(file), "--json").stdout)
    assert told["words"] == six_words(sha256(statement))
    assert told["statement"] == "decision"
    assert {one["decision"] for one in told["decisions"]} == {"approve", "reject"}
    assert f"words           {told['words']}" in quick(tmp_path, "show", str(file)).stdout
    file.write_bytes(b'{"hello": 1}')
    assert quick(tmp_path, "show", str(file)).exit_code == 1
    assert quick(tmp_path, "show", str(tmp_path / "no.json")).exit_code == 3


def test_six_words_are_proquints_of_the_first_ninety_six_bits():
    vector = bytes([127, 0, 0, 1, 63, 84, 220, 193, 63, 118, 7, 35])
    assert six_words(vector + b"more") == "lusab-babad-gutih-tugad-gutuk-bisog"
    assert six_words(bytes(12)) != six_words(bytes(11) + b"\x01")
    with pytest.raises(ValueError, match="12 bytes"):
        six_words(b"short")
    with pytest.raises(ValueError, match="SHA256:"):
        words_of_fingerprint("MD5:00")


# --- reviewers --------------------------------------------------------------------------------


def new_reviewer(home: Path, name: str):
    return quick(
        home, "reviewer", "new", "--name", name, "--passphrase-stdin", typed=f"{PASSPHRASE}\n"
    )


def test_the_first_reviewer_is_the_root_and_hears_what_a_key_does_not_stop(tmp_path):
    home = tmp_path / "home"
    result = new_reviewer(home, "Irina")
    root = open_workspace(home).root
    assert result.exit_code == 0
    assert root.key.fingerprint in result.stdout
    assert f"root         {words_of_fingerprint(root.key.fingerprint)}" in result.stdout
    assert "could approve if it alters this program" in result.stderr.replace("\n", " ")
    assert PASSPHRASE not in result.output
    again = new_reviewer(home, "Irina")
    assert again.exit_code == 1
    assert "No key was made" in again.stderr


def test_a_passphrase_is_never_guessed_and_a_short_one_makes_no_key(tmp_path):
    silent = quick(tmp_path / "a", "reviewer", "new", "--no-input")
    assert silent.exit_code == 2
    assert not (tmp_path / "a").exists()
    short = quick(tmp_path / "b", "reviewer", "new", "--passphrase-stdin", typed="short\n")
    assert short.exit_code == 1
    assert "No key was made" in short.stderr


def test_a_second_reviewer_is_added_listed_and_revoked_under_a_signature(own_demo, tmp_path):
    other = tmp_path / "other"
    assert new_reviewer(other, "Oleg").exit_code == 0
    public = next((other / "keys").glob("*.pub"))
    oleg = public.read_text().split()[-1]

    def signed(*words, passphrase="demo-demo-demo"):
        return quick(own_demo, "reviewer", *words, "--passphrase-stdin", typed=f"{passphrase}\n")

    wrong = signed("add", str(public), passphrase="not the passphrase")
    assert wrong.exit_code == 1
    assert "wrong passphrase" in wrong.stderr.lower()
    added = signed("add", str(public), "--name", "Oleg \x1b[31mP.")
    assert added.exit_code == 0, added.output
    assert words_of_fingerprint(open_workspace(other).root.key.fingerprint) in added.stderr
    listed = {
        one["reviewer"]: one
        for one in json.loads(quick(own_demo, "reviewer", "list", "--json").stdout)["reviewers"]
    }
    assert listed[oleg]["name"] == "Oleg \x1b[31mP."
    assert not HIDDEN.search(quick(own_demo, "reviewer", "list").stdout)
    assert [one["root"] for one in listed.values()].count(True) == 1
    assert signed("add", str(public)).exit_code == 1
    assert signed("revoke", "r-nobody").exit_code == 3
    assert signed("revoke", oleg).exit_code == 0
    assert len(json.loads(quick(own_demo, "reviewer", "list", "--json").stdout)["reviewers"]) == 1
    me = open_workspace(own_demo).settings.reviewer
    only = signed("revoke", me)
    assert only.exit_code == 1
    assert "only reviewer" in only.stderr
    assert quick(own_demo, "verify").exit_code == 0


def test_a_key_file_of_somebody_elses_making_is_not_added(own_demo, tmp_path):
    file = tmp_path / "x.pub"
    file.write_text("ssh-rsa AAAA someone\n")
    assert quick(own_demo, "reviewer", "add", str(file), "--passphrase-stdin").exit_code == 1
    assert quick(own_demo, "reviewer", "add", str(tmp_path / "no.pub")).exit_code == 3


# --- faults -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["list"], ["verify"], ["reviewer", "list"], ["reviewer", "revoke", "r-1"]]
)
def test_without_a_workspace_a_command_says_how_to_make_one_and_makes_none(tmp_path, words):
    result = quick(tmp_path / "none", *words)
    assert result.exit_code == 3
    assert "memory-console reviewer new" in result.stderr
    assert not (tmp_path / "none").exists()


def test_another_tenant_is_not_there(demo):
    for words in (["list"], ["verify"], ["reviewer", "list"]):
        result = quick(demo, *words, "--tenant", "beta")
        assert result.exit_code == 3
        assert result.stderr == "No such tenant, or no access.\n"


def test_a_newer_store_and_a_broken_configuration_are_one_sentence_each(own_demo):
    config = own_demo / "config.toml"
    told = config.read_text()
    config.write_text("language = \n")
    result = quick(own_demo, "list")
    assert result.exit_code == 1
    assert "config.toml cannot be used" in result.stderr
    config.write_text(told)
    place = open_workspace(own_demo)
    with duckdb.connect(str(place.store_path(place.settings.tenants[0]))) as store:
        store.execute("drop trigger log_identity_no_update on log_identity")
        store.execute("update log_identity set version = 99")
    newer = quick(own_demo, "list")
    assert newer.exit_code == 1
    assert "written by a newer version" in newer.stderr


def test_an_unexpected_fault_is_not_turned_into_a_sentence():
    assert explained(KeyError("item")) is None
    assert explained(BrokenPipeError(32, "Broken pipe")) is None
    assert explained(CommandError("No.", ExitCode.BUSY)) == Fault("No.", ExitCode.BUSY)
    assert explained(PermissionError(13, "Permission denied", "x")).code == ExitCode.ERROR


def test_a_busy_store_is_waited_for_and_its_holder_named(own_demo):
    place = open_workspace(own_demo)
    path = place.store_path(place.settings.tenants[0])
    code = (
        "import duckdb, sys, time\n"
        "held = duckdb.connect(sys.argv[1])\n"
        "print('held', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        try:
            assert holder.stdout.readline() == "held\n"
            waited = cli(own_demo, "list", "--wait", "1")
            assert waited.returncode == 6, waited.stderr
            assert f"(PID {holder.pid}) is using it" in waited.stderr
            own = ["import", str(own_demo / "policy.yaml"), "--importer", "own_jsonl"]
            for words in (["verify"], own):
                result = quick(own_demo, *words, "--wait", "0")
                assert result.exit_code == 6, result.stderr
                assert f"(PID {holder.pid}) is using it" in result.stderr
            findings = json.loads(quick(own_demo, "doctor", "--json").stdout)["findings"]
            held = {one["name"]: one for one in findings}["store acme"]
            assert str(holder.pid) in held["detail"]
        finally:
            holder.kill()
    assert quick(own_demo, "list").exit_code == 0
