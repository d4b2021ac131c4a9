"""A real PostgreSQL server of its own for tests: a cluster in a folder, on a socket, no network.

Skipped, visibly, where PostgreSQL is not installed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVER = shutil.which("postgres") or next(
    (str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))), None
)
WHY = "PostgreSQL is not installed"


@dataclass(frozen=True)
class Server:
    """A running server."""

    folder: Path
    """Of the cluster's files, ``data``, and its socket."""

    @property
    def words(self) -> str:
        """How to connect as its owner."""
        return f"host={self.folder} user=owner dbname=postgres"

    @property
    def data(self) -> Path:
        """The cluster's files."""
        return self.folder / "data"

    def holding(self, canary: bytes) -> set[str]:
        """Top folders of the cluster in whose files the bytes stand."""
        found = set()
        for path in self.data.rglob("*"):
            if path.is_file() and canary in path.read_bytes():
                found.add(path.relative_to(self.data).parts[0])
        return found


def nobody() -> dict[str, str]:
    """The server does not run as root: then it runs as another user."""
    if os.geteuid():
        return {}
    names = {one.pw_name for one in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in names else "nobody"}


def run(name: str, *words: str, told: str = "") -> str:
    """Run a program of PostgreSQL to its end."""
    assert SERVER is not None
    program = Path(SERVER).resolve().with_name(name)
    done = subprocess.run(
        [str(program), *words],
        input=told,
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
        check=False,
        **nobody(),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def cluster() -> Iterator[Path]:
    """A folder with the files of a new cluster in ``data``."""
    folder = Path(tempfile.mkdtemp(prefix="memory-console-pg-"))
    try:
        if user := nobody().get("user"):
            shutil.chown(folder, user)
        run("initdb", "-D", str(folder / "data"), "--no-sync", "-A", "trust", "-E", "UTF8",
            "-U", "owner")  # fmt: skip
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def serving() -> Iterator[Server]:
    """A server that runs for as long as the block does."""
    with cluster() as folder:
        data = str(folder / "data")
        flags = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"
        run("pg_ctl", "-D", data, "-o", flags, "-l", str(folder / "log"), "-w", "start")
        try:
            yield Server(folder)
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
