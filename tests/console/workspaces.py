"""Workspaces without a reviewer, for tests of imports: making a store takes most of a second."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from console.wiring import Workspace, new_workspace, open_workspace


@cache
def _made(tenants: tuple[str, ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="workspaces-for-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    place = new_workspace(folder / "home", tenants=tenants)
    for tenant in place.settings.tenants:
        place.desk(tenant)
    return place.home


def workspace(home: Path, *tenants: str) -> Workspace:
    """A new workspace in ``home``; each tenant has a store that is empty."""
    return open_workspace(shutil.copytree(_made(tenants), home))
