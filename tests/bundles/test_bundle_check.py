"""Bundles are checked from their files alone: by us, and by tools that everybody has."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from console.bundles import reading
from console.bundles.reading import UnreadableBundleError
from console.signing import throwaway
from review.bundle import against_log, folder
from review.bundle.checking import Told, check
from store import canonical
from store.events import EventType
from store.log import Entry
from store.statements import ReviewerStatement
from tests.bundles.told import World
from tests.conftest import Reviewer
from tests.contract.staged import TIME, happening, stage

UNTIL = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


@pytest.fixture(scope="module")
def irina():
    return Reviewer("r-irina", throwaway(now=UNTIL))


@pytest.fixture(scope="module")
def world(tmp_path_factory, irina):
    world = World(tmp_path_factory.mktemp("home"), irina)
    world.done = world.export()
    return world


@pytest.fixture(scope="module")
def files(world):
    return reading.read(world.done.folder)


def pin(irina):
    return irina.key.public.fingerprint


def failed(files, pin):
    return not check(files, pin=pin).holds


def test_a_bundle_holds_by_itself_and_against_its_log(world, files, irina):
    told = check(files, pin=pin(irina))
    assert told.holds
    assert told.pinned
    assert {line.told for line in told.lines} == {Told.PASS}
    (log,) = against_log.lines(files, told.statement, told.proof, world.store)
    assert log.told == Told.PASS


def test_without_a_pin_it_says_so_and_with_another_it_fails(files, mallory):
    told = check(files, pin=None)
    assert told.holds
    assert not told.pinned
    assert [line.name for line in told.lines if line.told == Told.WARN] == ["signer"]
    assert failed(files, mallory.key.public.fingerprint)


def mutations(files):
    """Every file flipped in five places, cut, lengthened, emptied, missing; swapped; extra."""
    for name, data in sorted(files.items()):
        for n in range(5):
            at = (len(data) - 1) * n // 4
            yield f"{name}: byte {at}", {**files, name: _flipped(data, at)}
        yield f"{name}: cut", {**files, name: data[:-1]}
        yield f"{name}: longer", {**files, name: data + b"\n"}
        yield f"{name}: empty", {**files, name: b""}
        yield f"{name}: missing", {one: files[one] for one in files if one != name}
        yield f"{name}: CRLF", {**files, name: data.replace(b"\n", b"\r\n") + b"\r\n"}
    names = sorted(files)
    for one, other in zip(names, names[1:] + names[:1], strict=True):
        yield f"{one} and {other} swapped", {**files, one: files[other], other: files[one]}
    for extra in (".git", "AGENTS.md", "rule.md.bak", "RULE.md"):
        yield f"{extra} added", {**files, extra: b"x"}


def _flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_every_mutation_of_every_file_is_found(files, irina):
    told = list(mutations(files))
    assert len(told) >= 60
    assert [name for name, changed in told if not failed(changed, pin(irina))] == []
    assert not failed(dict(files), pin(irina))


def rewritten(files, name, change):
    """A file of canonical JSON with something changed, spelled as ours are."""
    told = canonical.decode(files[name])
    change(told)
    return {**files, name: canonical.encode(told)}


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(size=told["size"] + 1),
        lambda told: told.update(root="0" * 64),
        lambda told: told.update(path=told["path"][:-1]),
        lambda told: told.update(path=[*told["path"], "0" * 64]),
        lambda told: told.update(path=[one.upper() for one in told["path"]]),
        lambda told: told.update(path=[]),
        lambda told: told.update(checkpoint=told["checkpoint"].replace("store-1", "store-2")),
        lambda told: told.update(event=told["event"].replace("r-irina", "r-other")),
        lambda told: told.update(trust=None),
        lambda told: told.update(reviewers=[told["trust"]]),
        lambda told: told.update(more=1),
        lambda told: told["trust"].update(signature=told["trust"]["signature"] + "\n"),
        lambda told: told.update(format="memory-console/proof/2"),
    ],
)
def test_a_proof_that_is_changed_with_care_is_found(files, irina, change):
    assert failed(rewritten(files, folder.PROOF, change), pin(irina))


def test_a_whole_bundle_made_by_somebody_else_is_found_by_the_pin(tmp_path, irina, mallory):
    theirs = World(tmp_path, replace(mallory, name=irina.name))
    files = reading.read(theirs.export().folder)
    assert check(files, pin=None).holds
    assert failed(files, pin(irina))


def test_files_of_two_bundles_do_not_mix(world, files, irina):
    other = reading.read(world.export(world.told(n=2)).folder)
    for name in folder.ALL:
        if other[name] != files[name]:
            assert failed({**files, name: other[name]}, pin(irina)), name
    later = (folder.STATEMENT, folder.SIGNATURE, folder.PROOF)
    mixed = {**files, **{name: other[name] for name in later}}
    assert failed(mixed, pin(irina))


def test_a_reviewer_whom_the_root_let_in_is_followed_to_the_root(tmp_path, irina):
    anna = Reviewer("r-anna", throwaway(now=UNTIL))
    world = World(tmp_path, irina)
    told = ReviewerStatement("added", anna.name, anna.key.public, TIME, irina.name,
                             world.store.store_id, world.store.tenant_id)  # fmt: skip
    (signed,) = world.sign([told.encode()])
    world.store.append(Entry(happening(EventType.REVIEWER_ADDED), signed=signed))
    exporting = replace(
        world.exporting, person=replace(world.exporting.person, reviewer=anna.name)
    )
    made = world.folders.export(
        world.told(exported_by=anna.name),
        exporting,
        lambda statements: anna.key.sign(statements, now=UNTIL),
    )
    files = reading.read(made.folder)
    assert check(files, pin=pin(irina)).holds
    assert check(files, pin=pin(anna)).holds
    assert failed(
        rewritten(files, folder.PROOF, lambda told: told.update(reviewers=[])), pin(irina)
    )


def test_the_log_says_what_became_of_it(tmp_path, irina):
    world = World(tmp_path, irina)
    files = reading.read(world.export().folder)
    told = check(files, pin=pin(irina))
    world.store.append(stage(world.store, world.chance, "c"))
    (line,) = against_log.lines(files, told.statement, told.proof, world.store)
    assert line.told == Told.PASS
    world.exporting.withdraw(told.statement.export, "The warehouse closed.", world.sign)
    lines = against_log.lines(files, told.statement, told.proof, world.store)
    assert [(one.name, one.told) for one in lines] == [("log", "PASS"), ("withdrawn", "STOP")]
    other = World(tmp_path / "other", irina, seed=8)
    (line,) = against_log.lines(files, told.statement, told.proof, other.store)
    assert line.told == Told.FAIL


def commands_of(readme):
    """The shell commands of ``README.md`` that check the bundle."""
    return re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)[:3]


def test_tools_that_everybody_has_check_it_as_the_guide_says(tmp_path, files):
    bundle = tmp_path / "in" / "bundle"
    bundle.mkdir(parents=True)
    for name, data in files.items():
        (bundle / name).write_bytes(data)
    commands = commands_of(files["README.md"].decode())
    assert "sha256sum -c" in commands[0]
    assert "ssh-keygen -Y verify" in commands[2]
    for command in commands:
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=bundle, check=False,
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)
    assert "7" in str(len(re.findall(r": OK", _run(commands[0], bundle).stdout)))
    assert "provenance.json: OK" in _run(commands[1], bundle).stdout
    assert "Good" in _run(commands[2], bundle).stdout


@pytest.mark.parametrize(
    ("name", "which"),
    [("rule.md", 0), ("source.txt", 0), ("provenance.json", 1), ("statement.json", 2)],
)
def test_the_same_tools_find_what_was_changed(tmp_path, files, name, which):
    bundle = tmp_path / "in" / "bundle"
    bundle.mkdir(parents=True)
    for one, data in files.items():
        (bundle / one).write_bytes(data)
    changed = files[name].replace(b"jackets", b"jackeds").replace(b"irina", b"iryna")
    changed = changed if changed != files[name] else files[name] + b" "
    (bundle / name).write_bytes(changed)
    assert _run(commands_of(files["README.md"].decode())[which], bundle).returncode != 0


def _run(command, folder):
    return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, check=False,
                          capture_output=True, text=True)  # fmt: skip


@pytest.mark.parametrize("sort", ["link", "folder", "fifo", "many", "nothing", "large"])
def test_a_folder_that_is_no_bundle_is_not_read(tmp_path, files, sort, monkeypatch):
    import os

    bundle = tmp_path / "bundle"
    bundle.mkdir()
    for name, data in files.items():
        (bundle / name).write_bytes(data)
    at = bundle / "rule.md"
    if sort == "many":
        for n in range(reading.MOST):
            (bundle / f"{n}").touch()
    elif sort == "nothing":
        shutil.rmtree(bundle)
    elif sort == "large":
        monkeypatch.setattr(reading, "LARGEST", 10)
    else:
        at.unlink()
        if sort == "link":
            at.symlink_to("source.txt")
        elif sort == "folder":
            at.mkdir()
        else:
            os.mkfifo(at)
    with pytest.raises(UnreadableBundleError):
        reading.read(bundle)
