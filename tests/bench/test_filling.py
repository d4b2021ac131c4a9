"""Cells that the bench makes quickly are as durable, and as checkable, as any."""

from __future__ import annotations

import pytest

from bench import filling
from store.standing import TrustRoot
from store.verify import Verdict, verify


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("filled")
    made = filling.filled(home, 450)
    assert (made.durable, made.standing) == (450, None)
    return home


def test_every_check_of_a_quickly_filled_store_passes(home):
    taken = filling.filled(home, 450)
    root = TrustRoot("r-bench", taken.world.store.standing().keys["r-bench"])
    report = verify(home / "store.duckdb", root=root, pin=root.key.fingerprint)
    assert {one.verdict for one in report.lines} <= {Verdict.PASS, Verdict.NOT_APPLICABLE}
    (signed,) = (one for one in report.lines if one.name == "signatures")
    assert signed.detail.startswith("3 statements")  # 200, 200 and 50 artifacts


def test_a_store_that_is_there_is_taken_up_with_its_signatures_judged_again(home):
    taken = filling.filled(home, 450)
    assert taken.durable == 450
    assert taken.staging is None
    assert taken.standing is not None
