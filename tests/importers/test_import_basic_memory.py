import time
from pathlib import Path

import pytest

from importers import catalogue
from importers.basic_memory import importer as basic_memory
from importers.basic_memory import lines
from importers.source import from_bytes, from_members, from_path
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

from .conftest import DATA, Told
from .test_import_places import check

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "basic_memory"
NOTES = "basic_memory/notes"
NOT_A_MEMORY = Nothing(NothingReason.NOT_A_MEMORY)


def note(text, name="note.md"):
    return Told(basic_memory.read(from_bytes(name, text.encode())))


def proposals(reading):
    return {one.claim: one for one in reading.found if isinstance(one, Proposal)}


def test_an_observation_is_mapped_field_by_field(told):
    found = proposals(told(f"{NOTES}/warehouse.md"))["Приёмка до 18:00"]
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.FOREIGN_MEMORY)
    assert found.source_id == "basic-memory:ops/sklad"
    assert found.written_at == "2026-02-03T10:00:00+03:00"
    assert found.scope == {"project": "shop", "tags": "ops, logistics"}
    assert found.entities == ("Склад",)
    assert found.foreign["category"] == "fact"
    assert found.foreign["tags"] == ["hours", "ops"]
    assert found.foreign["context"] == "по будням"
    assert found.foreign["section"] == "Склад > Observations"
    assert found.foreign["priority"] == "high"
    assert found.remarks == ()


def test_the_category_is_the_kind_and_links_are_entities(told):
    found = proposals(told(f"{NOTES}/warehouse.md"))
    assert found["Prefers pallets over boxes"].kind is Kind.PROFILE_PREFERENCE
    assert found["Shares a dock with [[Carrier]]"].entities == ("Склад", "Carrier")


def test_a_tagged_bullet_without_category_is_a_note(told):
    found = proposals(told(f"{NOTES}/warehouse.md"))["Bare tagged line"]
    assert found.foreign["category"] == "Note"
    assert found.foreign["tags"] == ["todo"]


def test_checkboxes_links_timecodes_and_prose_are_counted_and_no_memories(told):
    reading = told(f"{NOTES}/warehouse.md")
    nothing = {one.raw.decode() for one in reading.reads if one.found == NOT_A_MEMORY}
    assert nothing == {
        "Prose with a link to [[Carrier]] is no memory.",
        "- [ ] count the boxes",
        "- [x] label the gate",
        "- [-] dropped task",
        "- [price list](https://example.test/prices)",
        "- [00:00:11] a transcript line",
        "- plain bullet",
        "- [[Carrier]]",
        "- a sentence about [[Carrier]] in passing",
    }
    assert len(proposals(reading)) + len(nothing) == len(reading.reads)


def test_a_relation_is_a_fact_with_its_context_and_quoted_labels_have_words(told):
    found = proposals(told(f"{NOTES}/warehouse.md"))
    served = found["Склад served by Carrier"]
    assert (served.entities, served.foreign["context"]) == (("Склад", "Carrier"), "since January")
    assert found["Склад used together with Цех"].foreign["relation_type"] == "used together with"


def test_supersedes_is_an_edge_to_the_note_s_decision(told):
    found = proposals(told(NOTES))
    old = found["All deliveries go to Koledino"]
    new = found["All deliveries go to Elektrostal"]
    assert old.source_id == "basic-memory:decisions/ship-from-koledino"
    edge = Edge(EdgeKind.SUPERSEDES, old.source_id)
    assert new.edges == (edge,)
    assert found["Ship from Elektrostal supersedes Ship from Koledino"].edges == (edge,)
    assert found["It is nearer"].edges == ()
    assert old.edges == ()


def test_supersedes_in_a_single_note_points_at_the_name_it_gives(told):
    found = proposals(told(f"{NOTES}/decisions/new.md"))["All deliveries go to Elektrostal"]
    assert found.edges == (Edge(EdgeKind.SUPERSEDES, "basic-memory:ship-from-koledino"),)


def test_the_status_of_a_decision_is_the_file_s_claim_and_sets_nothing(told):
    found = proposals(told(NOTES))
    old = found["All deliveries go to Koledino"]
    assert (old.kind, old.foreign["status"]) == (Kind.DECISION, "superseded")
    assert RemarkCode.MARKED_SUPERSEDED in old.remarks
    assert found["All deliveries go to Elektrostal"].foreign["status"] == "accepted"


@pytest.mark.parametrize(
    "written",
    ["tags: [a, b]", "tags: a, b", "tags: '#a,#b'", "tags:\n  - a\n  - b", 'tags: \'["a", "b"]\''],
)
def test_tags_as_list_as_words_with_commas_and_as_json_are_the_same(written):
    reading = note(f"---\ntitle: T\ntype: note\n{written}\n---\n- [fact] x\n")
    assert reading.found[0].scope == {"tags": "a, b"}


def test_the_folder_of_a_note_is_scope_and_missing_times_are_the_file_s(told):
    old = proposals(told(NOTES))["All deliveries go to Koledino"]
    assert old.scope == {"folder": "decisions", "tags": "logistics"}
    assert RemarkCode.WRITTEN_AT_ASSUMED in old.remarks


def test_a_day_as_time_says_that_a_zone_was_assumed(told):
    found = proposals(told(f"{NOTES}/decisions/new.md"))["It is nearer"]
    assert found.written_at == "2026-03-01T00:00:00+00:00"
    assert found.remarks == (RemarkCode.TIME_ZONE_ASSUMED,)


def test_an_invalid_time_fails_the_note_s_records(told):
    fault = Failed(FailReason.TIME_INVALID, name="modified")
    assert told("basic_memory/modified_is_no_time.md").found == [fault, fault, NOT_A_MEMORY]
    assert told("basic_memory/created_is_no_time.md").found == [
        Failed(FailReason.TIME_INVALID, name="created")
    ]


def test_a_note_without_front_matter_is_read_by_its_bullets(told):
    reading = told("basic_memory/no_front_matter.md")
    assert list(proposals(reading)) == [
        "Works without front matter",
        "A nested bullet goes on here",
        "no_front_matter relates to Another",
    ]
    assert proposals(reading)["A nested bullet goes on here"].kind is Kind.INSIGHT


@pytest.mark.parametrize("text", ["---\ntitle: E\ntype: x\n---\n", "", "\n\n"])
def test_an_empty_note_is_nothing(text):
    assert note(text).found == [Nothing(NothingReason.EMPTY_TEXT)]


def test_links_that_lead_to_no_note_of_the_folder_are_remarked(told):
    reading = told(NOTES)
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 2
    assert reading.remarks[RemarkCode.NO_WRITER] == 0


def test_hidden_and_other_files_of_a_folder_are_accounted_for():
    text = b"---\ntitle: T\ntype: note\n---\n- [fact] x\n"
    names = (".obsidian/draft.md", "note.md", "picture.png")
    folder = from_members("notes", tuple(from_bytes(name, text) for name in names))
    found = {one.place.member: one.found for one in Told(basic_memory.read(folder)).reads}
    assert found[".obsidian/draft.md"] == found["picture.png"] == NOT_A_MEMORY
    assert found["note.md"].claim == "x"


def test_two_notes_of_one_title_in_a_folder_keep_ids_of_their_own():
    text = b"---\ntitle: Same\ntype: note\n---\n- [fact] x\n"
    folder = from_members("notes", (from_bytes("a/n.md", text), from_bytes("b/n.md", text)))
    assert [one.source_id for one in Told(basic_memory.read(folder)).found] == [
        "basic-memory:same",
        "basic-memory:b/n",
    ]


def test_a_line_that_is_not_text_fails_alone_and_a_bad_front_matter_fails_the_note():
    def read(data):
        return Told(basic_memory.read(from_bytes("n.md", data))).found

    good, bad = read(b"---\ntitle: T\ntype: note\n---\n- [fact] x\n- [fact] \xd1\xcb\n")
    assert (good.claim, bad.reason) == ("x", FailReason.NOT_UTF8)
    assert [one.reason for one in read(b"---\ntitle: \xd1\n---\n- [fact] x\n")] == [
        FailReason.NOT_UTF8
    ]
    assert read(b"\0\0") == [Failed(FailReason.WRONG_SHAPE)]


def test_front_matter_that_never_closes_is_read_as_text():
    assert list(proposals(note("---\ntitle: T\n\n- [fact] kept\n"))) == ["kept"]


def test_equal_bullets_have_ids_of_their_own():
    ids = [one.source_id for one in note("- [a b] x\n- [a b] x\n- [a b] x\n").found]
    assert len(set(ids)) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("[a] text (one) (two)", ("a", "text (one)", (), "two")),
        ("[a] (all of it)", ("a", "(all of it)", (), "")),
        (
            "[t] Uses #sql for rows #db#fast.",
            ("t", "Uses #sql for rows", ("sql", "db", "fast"), ""),
        ),
        ("[] text #t", ("Note", "text", ("t",), "")),
        ("[7] seventh", ("7", "seventh", (), "")),
        ("[/] half done", None),
        ("[X] done", None),
        ("[a](b)", None),
        ("[[A]]", None),
        ("color=#4285F4", None),
        ("# ", None),
    ],
)
def test_a_bullet_is_told_apart(words, told):
    found = lines.observation(words)
    assert ((found.category, found.text, found.tags, found.context) if found else None) == told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("uses [[A]]", ("uses", "A", "")),
        ("uses [[A|shown]] (why (so))", ("uses", "A", "why (so)")),
        ("'part of' [[B]]", ("part of", "B", "")),
        ("uses [[A]] (x) and [[B]] (y)", None),
        ("uses [[A]] always", None),
        ("uses [[A", None),
        ("uses [[]]", None),
        ("[[A]]", None),
    ],
)
def test_a_relation_is_told_apart(words, told):
    found = lines.relation(words)
    assert ((found.label, found.target, found.context) if found else None) == told


@pytest.mark.parametrize(
    "fixture",
    [
        "notes",
        "notes/warehouse.md",
        "notes/decisions/old.md",
        "empty_note.md",
        "no_front_matter.md",
    ],
)
def test_a_note_is_recognised_by_content(fixture):
    source = from_path(DATA / "basic_memory" / fixture)
    assert catalogue.detect(source).name == "basic_memory"
    if not source.is_folder:
        renamed = from_bytes("upload", (DATA / "basic_memory" / fixture).read_bytes())
        assert catalogue.detect(renamed).name == "basic_memory"


@pytest.mark.parametrize(
    "text",
    [
        "# Rules\n\n- Do this.\n- [x] done\n",
        "- [A](a.md) — one\n",
        "---\nname: a\ndescription: b\ntype: user\n---\nx",
        "---\ntitle: Post\ndate: 2026-01-01\ntype: post\n---\nwords",
        "---\ntitle: Post\ntags: [a]\n---\nwords",
        "- [fact] only one sign\n",
        "\0",
        "",
    ],
)
def test_other_markdown_is_not_claimed(text):
    assert not basic_memory.recognises(from_bytes("x.md", text.encode()).head())


def test_no_fixture_of_another_format_is_claimed():
    for path in DATA.rglob("*"):
        if path.is_file() and "basic_memory" not in path.parts:
            assert not basic_memory.recognises(from_path(path).head()), path


@pytest.mark.parametrize(
    "fixture", sorted(p.name for p in (DATA / "basic_memory").iterdir()), ids=str
)
def test_places_are_the_bytes_they_name(fixture):
    reads = check(DATA / "basic_memory" / fixture, catalogue.named("basic_memory"))
    for read in reads:
        if isinstance(read.found, Proposal) and "relation_type" not in read.found.foreign:
            (span,) = read.found.evidence
            said = " ".join(read.raw[span.start : span.end].decode().split())
            assert read.found.claim in said


@pytest.mark.parametrize(
    "text",
    [
        "- [a] b\n",
        "- a\n  " + "- [a] b\n  ",
        "- x [[",
        "- #a ",
        "---\n",
        "[[a]] ",
        "- a [[b]] (",
        "#a ",
    ],
    ids=repr,
)
def test_much_of_one_thing_is_read_in_a_moment(text):
    began = time.process_time()
    note("- a\n" + text * (256 * 1024 // len(text)))
    basic_memory.recognises(from_bytes("x", text.encode() * 8_000).head())
    assert time.process_time() - began < 12  # 2.8 s at most on a free core


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "claims", "others"),
    [
        ("decision.md", 0, 7),
        ("drift-person-01.md", 6, 0),
        ("edge/empty-note.md", 0, 1),
        ("edge/explicit-overrides-type.md", 6, 1),
        ("edge/inline-and-type.md", 5, 1),
        ("edge/no-frontmatter.md", 3, 1),
        ("edge/type-no-schema.md", 3, 1),
        ("edge/unicode-fields.md", 6, 1),
    ],
)
def test_every_record_of_a_sample_is_accounted_for(sample, claims, others):
    source = from_path(SAMPLES / sample)
    reading = catalogue.open_reading(source)
    assert reading.origin.importer == "basic_memory"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    made = [one for one in found if isinstance(one, Proposal)]
    assert (len(made), len(found) - len(made)) == (claims, others)
    assert all(one.written_at for one in made)
    check(SAMPLES / sample)
