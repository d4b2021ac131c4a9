"""``memory export`` and ``memory protocol``, and ``show`` over the statement of an export."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from console.wiring import open_workspace
from tests.bundles.told import World
from tests.console.test_cli import quick
from tests.console.test_demo import demo_home


@pytest.fixture
def demo(tmp_path) -> Path:
    return shutil.copytree(demo_home(), tmp_path / "demo")


def test_what_is_durable_goes_out_in_a_folder_of_its_tenant_and_nothing_changes(demo):
    place = open_workspace(demo)
    which = place.settings.tenants[0]
    before = place.desk(which).head()
    told = json.loads(quick(demo, "memory", "export", "--language", "ru", "--json").stdout)
    assert place.desk(which).head() == before
    folder = Path(told["folder"])
    assert folder.parent == demo / "exports" / which.id / "memory-files"
    assert {one.name for one in folder.iterdir()} == {
        "MEMORY.md",
        "KEEPING-MEMORY.md",
        "USING-MEMORY.md",
        "manifest.json",
    }
    text = (folder / "MEMORY.md").read_text()
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert len(lines) == told["lines"] == place.desk(which).durable_count() > 3
    assert all(" [unverified] " in line for line in lines)
    assert "[STALE — проверить зависимость от #" in text
    assert '"kind":"depends_on"' in text
    again = json.loads(quick(demo, "memory", "export", "--language", "ru", "--json").stdout)
    assert again["folder"] != told["folder"]
    back = quick(demo, "import", str(folder / "MEMORY.md"), "--json")
    assert back.exit_code == 0, back.stderr
    counts = json.loads(back.stdout)
    assert str(told["lines"]) in json.dumps(counts)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("which", ["keeping", "using"])
def test_protocols_are_printed_without_a_workspace(tmp_path, which, language):
    told = quick(tmp_path / "none", "memory", "protocol", which, "--language", language)
    assert told.exit_code == 0
    assert told.stdout.startswith("## ")
    assert not (tmp_path / "none").exists()


def test_another_protocol_or_language_is_not_a_way_to_call_it(tmp_path):
    assert quick(tmp_path, "memory", "protocol", "losing").exit_code == 2
    assert quick(tmp_path, "memory", "protocol", "using", "--language", "fr").exit_code == 2


def test_show_says_what_the_statement_of_an_export_signs(tmp_path, irina):
    done = World(tmp_path / "home", irina).export()
    told = json.loads(
        quick(tmp_path, "show", str(done.folder / "statement.json"), "--json").stdout
    )
    assert (told["statement"], told["act"]) == ("rule export", "exported")
    assert told["bundle_sha256"] == done.sha256
    assert len(told["words"].split("-")) == 6
