"""``memory-console demo`` and ``run``: an address, a passphrase, and nothing left behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from console import identity
from console.demo import PASSPHRASE
from tests.console.test_cli import cli, command, environment, quick

serving = pytest.mark.skipif(
    not hasattr(identity, "environment"), reason="console.identity.environment is not there yet"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as told:
            return told.status == 200
    except OSError:
        return False


@serving
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_is_served_and_removed_however_it_is_ended(tmp_path, ending):
    port = free_port()
    places = {"TMPDIR": str(tmp_path), "MEMORY_CONSOLE_TENANT": "", "MEMORY_CONSOLE_PIN": ""}
    with subprocess.Popen(
        command("demo", "--no-browser", "--port", str(port)),
        env={**environment(tmp_path / "mine"), **places},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        try:
            assert running.stdout.readline() == f"http://127.0.0.1:{port}/\n"
            assert running.stdout.readline() == f"passphrase: {PASSPHRASE}\n"
            (folder,) = tmp_path.glob("memory-console-demo-*")
            assert (folder / "config.toml").exists()
            until = time.monotonic() + 60
            while not answers(port) and time.monotonic() < until:
                time.sleep(0.2)
            assert answers(port)
            running.send_signal(ending)
            assert running.wait(timeout=30) == 0
        finally:
            running.kill()
    assert not list(tmp_path.glob("memory-console-demo-*"))
    assert not (tmp_path / "mine").exists()
    assert not answers(port)


def test_a_demo_is_not_built_over_something_that_is_there(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    result = quick(tmp_path / "home", "demo", "--keep", str(tmp_path), "--port", str(free_port()))
    assert result.exit_code == 2
    assert "is not empty" in result.stderr
    assert [path.name for path in Path(tmp_path).iterdir()] == ["notes.txt"]


def test_a_port_in_use_is_named_before_anything_is_made(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for name in ("demo", "run"):
            result = cli(tmp_path / "home", name, "--port", str(port), "--no-browser")
            assert result.returncode == 1
            assert f"Port {port} is in use" in result.stderr
    assert not (tmp_path / "home").exists()
