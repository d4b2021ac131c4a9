"""What the importer tests share: where the fixtures are, and a reading in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from importers import catalogue
from importers.source import from_path
from store.records import Read, Remark

DATA = Path(__file__).resolve().parents[1] / "data"


class Told:
    """A source read to its end."""

    def __init__(self, records):
        seen = list(records)
        self.reads = [one for one in seen if isinstance(one, Read)]
        self.found = [one.found for one in self.reads]
        self.remarks = {one.code: one.count for one in seen if isinstance(one, Remark)}


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def told():
    def read(path, importer=None):
        chosen = catalogue.named(importer) if importer else None
        source = path if not isinstance(path, str | Path) else from_path(DATA / path)
        return Told(catalogue.open_reading(source, chosen).records)

    return read
