"""Import in a real browser: columns a person maps, and a receipt that names what failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from console import wiring
from review.queue import Wanted
from tests.browser.console_server import CHROMIUM, browsing, serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium on this machine"),
]
COLUMN = "**What** [link](http://evil.test) www.evil.test"
ROWS = "The depot stands in Tver.;2026-03-01\nIt is open.;2026-03-02;one too many\n"
TABLE = f"{COLUMN};When\n{ROWS}"


def test_a_table_is_mapped_staged_in_the_background_and_its_bad_row_is_named(tmp_path):
    workspace = wiring.new_workspace(tmp_path / "w", tenants=("acme",))
    table = tmp_path / "t.csv"
    table.write_text(TABLE, encoding="utf-8")
    with serving(workspace.home) as address, browsing(address) as seen:
        page = seen.page
        seen.open("/")
        page.locator('input[type="file"]').set_input_files(str(table))
        page.get_by_text("It has columns, though").wait_for(timeout=60_000)
        seen.settle()
        stage = page.get_by_role("button", name="Stage 1 file")
        stage.scroll_into_view_if_needed()
        seen.settle()
        seen.shot("9-columns")
        assert page.locator('a[href*="evil.test"]').count() == 0
        shown = page.locator("input").evaluate_all("all => all.map(one => one.value).join('\\n')")
        drawn = page.locator(".stMainBlockContainer").inner_text()
        assert f"1 · {COLUMN[:40]}" in f"{shown}\n{drawn}"
        stage.click()
        page.get_by_text("written, something is left").wait_for(timeout=90_000)
        seen.settle()
        seen.shot("10-receipt")
        told = page.locator(".stMainBlockContainer").inner_text()
        for words in ("2 records read", "1 written", "0 nothing extracted", "1 parse failed"):
            assert words in told
        assert seen.outside == []
        assert seen.complaints == []
    desk = workspace.desk(workspace.settings.tenants[0])
    assert [row.claim for row in desk.waiting(Wanted()).rows] == ["The depot stands in Tver."]
