"""The docs are true: what they name exists, and what exists is named."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from importers.catalogue import IMPORTERS
from store.cells import Kind, SourceType
from store.events import EventType, LeafType
from store.stages import MOVES

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_test_that_the_invariants_name_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", ARCHITECTURE)
    assert len(named) > 10
    for file, test in named:
        path = ROOT / file
        assert path.exists(), file
        if test:
            functions = {
                node.name
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.FunctionDef)
            }
            assert test in functions, f"{file}::{test}"


def test_every_module_that_the_docs_name_exists():
    for page in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:console|review|importers|store)/[\w/]+\.py)`", text):
            assert (ROOT / name).exists(), f"{page.name} names {name}"
        for name in re.findall(r"`((?:review|importers|store|console)\.\w+)`", text):
            if name in set(EventType):
                continue
            module = name.replace(".", "/")
            assert (ROOT / f"{module}.py").exists() or (ROOT / module).is_dir(), (
                f"{page.name} names {name}"
            )


def test_every_event_and_outcome_is_in_the_architecture():
    for word in [*EventType, *LeafType]:
        assert f"`{word}`" in ARCHITECTURE, word


def test_the_table_of_stages_is_the_one_that_runs():
    rows = re.findall(r"^\| (\w+) \| ([\w, ]+) \| (\w+) \|$", ARCHITECTURE, re.MULTILINE)
    told = {decision: (frozenset(stages.split(", ")), target) for decision, stages, target in rows}
    runs = {
        str(decision): (frozenset(map(str, stages)), str(target))
        for decision, (stages, target) in MOVES.items()
    }
    assert {name: told[name] for name in runs} == runs


def test_every_format_kind_and_source_type_is_in_the_formats():
    formats = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for word in [*IMPORTERS, *Kind, *SourceType]:
        assert f"`{word}`" in formats, word


def test_every_decision_record_says_how_we_would_notice_that_it_was_wrong():
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert len(pages) >= 5
    for number, page in enumerate(pages, 1):
        assert page.name.startswith(f"{number:04}-")
        text = page.read_text(encoding="utf-8")
        for part in ("**Context.**", "**Decision.**", "**What we gave up.**", "would notice"):
            assert part in text, f"{page.name}: {part}"


def test_the_readme_names_the_two_commands_and_its_picture_exists():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", readme):
        assert (ROOT / picture).exists(), picture
