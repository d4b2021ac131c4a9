"""Real checkouts, made by real git in a clean environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str, **more) -> str:
    """Run git as a person without any settings would."""
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            **more.pop("env", {}),
        },
        capture_output=True,
        check=False,
        **more,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def checkout(folder: Path, files: dict[str, bytes] | None = None, *, commit=True) -> Path:
    """A checkout with ``files`` committed."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name, data in (files or {"README.md": b"# Shop\n"}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if commit:
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "first")
    return folder


def everything(folder: Path) -> dict[str, bytes]:
    """Every byte of a checkout, its repository included."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
