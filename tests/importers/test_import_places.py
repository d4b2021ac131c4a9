"""The golden rule: the bytes a read names are the bytes it carries, for every fixture."""

import pytest

from importers import catalogue
from importers.catalogue import UnknownFormatError
from importers.source import from_path
from store.cells import Proposal
from store.records import Failed, Nothing, Read

from .conftest import DATA

FOLDERS = ("own", "mem0", "mcp_memory", "claude_memory", "hostile")
FIXTURES = sorted(
    path.relative_to(DATA).as_posix()
    for folder in FOLDERS
    for path in (DATA / folder).rglob("*")
    if path.is_file()
)


def check(path, importer=None):
    source = from_path(path)
    reading = catalogue.open_reading(source, importer)
    members = {one.name: one for one in source.members}
    reads = [one for one in reading.records if isinstance(one, Read)]
    for read in reads:
        assert isinstance(read.found, Proposal | Nothing | Failed)
        place = read.place
        holder = members[place.member] if place.member else source
        with holder.open() as stream:
            data = stream.read()
        assert data[place.start : place.end] == read.raw
        if place.end > place.start:
            assert place.line == data.count(b"\n", 0, place.start) + 1
        if isinstance(read.found, Proposal):
            assert read.found.claim.strip()
            for span in read.found.evidence:
                assert 0 <= span.start < span.end <= len(read.raw)
    return reads


@pytest.mark.parametrize("fixture", FIXTURES)
def test_every_read_of_every_fixture_carries_the_bytes_it_names(fixture):
    path = DATA / fixture
    try:
        chosen = catalogue.detect(from_path(path))
    except UnknownFormatError:
        chosen = catalogue.named("own_jsonl")
    check(path, chosen)


@pytest.mark.parametrize("folder", ["auto_memory", "rules", "free_form_old"])
def test_folders_do_so_too(folder):
    assert check(DATA / "claude_memory" / folder)


@pytest.mark.parametrize("importer", ["own_jsonl", "mem0", "mcp_memory"])
@pytest.mark.parametrize("fixture", FIXTURES)
def test_no_fixture_breaks_an_importer_it_was_not_made_for(fixture, importer):
    check(DATA / fixture, catalogue.named(importer))
