"""Rules and desks are tried over a store in memory: each file access would cost more than a rule.

That a file behaves alike is asserted in ``tests/contract``; a few tests here ask for both, with
``pytest.mark.parametrize("store", ["memory", "file"], indirect=True)``.
"""

from __future__ import annotations

import pytest

from store.duckdb_store import DuckDbStore
from tests.conftest import founded


@pytest.fixture
def store(request, irina, tmp_path) -> DuckDbStore:
    in_a_file = getattr(request, "param", "memory") == "file"
    return founded(tmp_path / "s" / "store.duckdb" if in_a_file else None, irina.root)
