"""The shape of the code, as tests: contracts, sizes, names, purity, and what is absent."""

from __future__ import annotations

import ast
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("console", "review", "importers", "store")
VAGUE = (
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "misc",
    "manager",
    "core",
    "base",
    "service",
    "processor",
)


def modules():
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]


def trees(word):
    """Modules that hold ``word`` in any spelling that Python takes for it, and their trees."""
    for path in modules():
        text = path.read_text(encoding="utf-8")
        if word in unicodedata.normalize("NFKC", text).lower():
            yield path, ast.walk(ast.parse(text))


def test_imports_keep_their_contracts(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("store/cells.py", "import store.duckdb_store"),
        ("review/queue.py", "import console.identity"),
        ("importers/mem0/importer.py", "import review.policy"),
        ("review/policy.py", "import store.log"),
        ("review/desk.py", "import store.duckdb_store"),
        ("review/staged/flags.py", "import streamlit"),
        ("store/audit_log.py", "import store.appending"),
        ("console/pages/inbox.py", "import console.pages.facts"),
        ("console/agent.py", "import console.signing"),
        ("console/door_jobs.py", "import review.staged.staging"),
        ("review/doorway.py", "import review.deciding"),
        ("console/agent_wiring.py", "import console.model_help"),
        ("review/auditing/why.py", "import review.proposals.asking"),
        ("review/proposals/asking.py", "import anthropic"),
        ("store/published.py", "import store.connections"),
    ],
)
def test_each_contract_bites(tmp_path, place, line):
    """In a copy of the code, one bad import breaks the contracts."""
    for package in PACKAGES:
        subprocess.run(["cp", "-r", str(ROOT / package), str(tmp_path)], check=True)
    (tmp_path / ".importlinter").write_text((ROOT / ".importlinter").read_text())
    with (tmp_path / place).open("a") as file:
        file.write(f"\n{line}\n")
    found = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "broken" in found.stdout
    assert found.returncode == 1, found.stdout


def test_a_module_that_nobody_placed_breaks_the_contracts(tmp_path):
    for package in PACKAGES:
        subprocess.run(["cp", "-r", str(ROOT / package), str(tmp_path)], check=True)
    (tmp_path / ".importlinter").write_text((ROOT / ".importlinter").read_text())
    for package in PACKAGES:
        stray = tmp_path / package / "stray.py"
        stray.write_text('"""Nobody placed this."""\n')
        found = subprocess.run(
            [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 1, package
        stray.unlink()


def test_no_module_outgrows_one_screenful_of_ideas():
    long = {
        str(path.relative_to(ROOT)): count
        for path in modules()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 300
    }
    assert not long, f"split these by concept, not by size: {long}"


def test_no_module_has_a_name_that_says_nothing():
    assert not [str(path) for path in modules() if path.stem in VAGUE]


def test_every_package_starts_with_a_docstring_and_nothing_else():
    for package in PACKAGES:
        for path in (ROOT / package).rglob("__init__.py"):
            body = ast.parse(path.read_text(encoding="utf-8")).body
            assert len(body) == 1, path
            assert isinstance(body[0], ast.Expr), path


@pytest.mark.parametrize("module", ["review.desk", "importers.catalogue", "store.records"])
def test_rules_and_formats_load_without_a_screen_or_a_database(module):
    script = (
        f"import sys, {module}; "
        "print(sorted({'streamlit', 'duckdb', 'sqlalchemy', 'anthropic'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.strip() == "[]"


def test_nothing_anywhere_is_called_promote():
    """The operation does not exist, for anyone: nothing that can be called has its name."""
    definitions = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
    found = [
        (path.name, node.name)
        for path, nodes in trees("promot")
        for node in nodes
        if isinstance(node, definitions) and "promot" in node.name.lower()
    ]
    assert not found


def test_nothing_outside_the_append_writes_to_a_log_table():
    """Every SQL that changes a ``log_`` table stands in the two modules that may."""
    allowed = {"appending.py", "migrations.py"}
    for path in modules():
        if path.name in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.lower()
                for act in (
                    "insert into log_",
                    "update log_",
                    "delete from log_",
                    "drop table log_",
                ):
                    assert act not in words or "append_only" in words, (path.name, act)


def test_validation_state_has_one_value_and_nothing_sets_another():
    for path, nodes in trees("validation_state"):
        for node in nodes:
            if isinstance(node, ast.keyword) and node.arg == "validation_state":
                pytest.fail(f"{path.name} sets a validation state")
