import json
import pickle
from pathlib import Path

import pytest

from importers import catalogue
from importers.memos import importer as memos
from importers.source import from_bytes, from_members, from_path
from store.cells import Edge, EdgeKind, Interval, Kind, Precision, Proposal, SourceType
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    RemarkCode,
)

from .test_import_places import check
from .test_import_shared_samples import SAMPLES

ONE, TWO, THREE = (f"9d000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
MODIFIED = "2026-04-01T00:00:00Z"
MESSAGE = {
    "type": "chat",
    "role": "user",
    "chat_time": "08:51 PM on 13 January, 2026",
    "message_id": "msg-7",
    "content": "Полка слева",
}


def item(native=ONE, memory="Книги стоят на левой полке", **metadata):
    return {"id": native, "memory": memory, "metadata": {"user_id": "user_1"} | metadata}


def point(row):
    return {"id": row["id"], "vector": [0.5] * 768, "payload": row}


def source(value, **how):
    return from_bytes("memory", json.dumps(value, **how).encode(), modified_at=MODIFIED)


def one(told, **metadata):
    (found,) = told(source([item(**metadata)])).found
    return found


def tree(nodes, edges=(), **more):
    whole = {"nodes": nodes, "edges": list(edges), "total_nodes": len(nodes)}
    return whole | {"total_edges": len(edges)} | more


def test_a_memory_with_its_scope_entities_and_times(told):
    found = one(
        told,
        type="fact",
        memory_time="2026-01-13",
        created_at="2026-01-13T20:51:42.394870000+00:00",
        updated_at="2026-01-14T08:00:00+00:00",
        session_id="s-1",
        visibility="private",
        entities=["полка"],
        tags=["home", "books"],
        source="conversation",
        confidence=0.99,
    )
    assert found.claim == "Книги стоят на левой полке"
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.MODEL_EXTRACTION)
    assert found.source_id == f"memos:{ONE}"
    assert found.written_at == "2026-01-14T08:00:00+00:00"
    assert found.valid == Interval("2026-01-13", None, Precision.DAY)
    assert found.entities == ("полка",)
    assert found.scope == {
        "user": "user_1",
        "session": "s-1",
        "visibility": "private",
        "tags": "home, books",
    }
    assert found.foreign["claimed_tenant"] == "user_1"
    assert found.foreign["confidence"] == "0.99"
    assert found.confidence is None


def test_nine_digits_of_fraction_are_kept(told):
    found = one(told, created_at="2026-01-13T20:51:42.394870000+00:00")
    assert found.written_at == "2026-01-13T20:51:42.394870000+00:00"


def test_a_memory_without_metadata_is_kept_and_takes_the_files_time(told):
    (found,) = told(source([{"id": ONE, "memory": "x", "metadata": {}}])).found
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.FOREIGN_MEMORY)
    assert found.written_at == MODIFIED


@pytest.mark.parametrize(
    ("metadata", "kind", "source_type"),
    [
        ({"type": "opinion"}, Kind.PROFILE_PREFERENCE, SourceType.FOREIGN_MEMORY),
        ({"type": "event"}, Kind.EVENT, SourceType.FOREIGN_MEMORY),
        ({"type": "procedure"}, Kind.PROCEDURE, SourceType.FOREIGN_MEMORY),
        ({"type": "topic"}, Kind.INSIGHT, SourceType.FOREIGN_MEMORY),
        ({"type": "fact", "memory_type": "SkillMemory"}, Kind.INSIGHT, SourceType.FOREIGN_MEMORY),
        ({"memory_type": "OuterMemory"}, Kind.FACT, SourceType.EXTERNAL_HTML),
        ({"memory_type": "RawFileMemory"}, Kind.REFERENCE, SourceType.DOCUMENT),
        (
            {"memory_type": "ToolTrajectoryMemory"},
            Kind.EVENT,
            SourceType.UNVALIDATED_TOOL_OUTPUT,
        ),
        ({"source": "web"}, Kind.FACT, SourceType.EXTERNAL_HTML),
        ({"source": "file"}, Kind.FACT, SourceType.DOCUMENT),
        ({"source": "system"}, Kind.FACT, SourceType.FOREIGN_MEMORY),
        ({"preference_type": "implicit_preference"}, Kind.INSIGHT, SourceType.FOREIGN_MEMORY),
    ],
)
def test_types_stores_and_sources_are_followed(told, metadata, kind, source_type):
    found = one(told, **metadata)
    assert (found.kind, found.source_type) == (kind, source_type)


@pytest.mark.parametrize(
    "sources",
    [
        [MESSAGE],
        [json.dumps(MESSAGE)],
        [json.dumps(json.dumps(MESSAGE))],
        json.dumps([MESSAGE]),
    ],
    ids=["objects", "once", "twice", "the list itself"],
)
def test_sources_are_opened_however_often_they_were_encoded(told, sources):
    found = one(told, sources=sources)
    assert found.foreign["sources"] == [MESSAGE]
    assert found.foreign["lineage"] == ["msg-7"]
    assert (RemarkCode.ENCODED_TWICE in found.remarks) == (sources != [MESSAGE])
    assert found.source_type is SourceType.MODEL_EXTRACTION


def test_a_source_without_a_message_id_is_known_by_its_time(told):
    message = {"role": "user", "chat_time": "08:51 PM on 13 January, 2026", "content": "x"}
    found = one(told, sources=[message, "no JSON {", message])
    assert found.foreign["lineage"] == ["08:51 PM on 13 January, 2026"]
    assert found.foreign["sources"][1] == "no JSON {"


def test_memories_without_sources_are_counted(told):
    reading = told(source([item(sources=[MESSAGE]), item(TWO)]))
    assert reading.remarks[RemarkCode.SOURCE_LINK_ABSENT] == 1


@pytest.mark.parametrize(
    ("roles", "source_type"),
    [
        (["user"], SourceType.RAW_USER_PROMPT),
        (["user", "assistant"], SourceType.UNVALIDATED_TOOL_OUTPUT),
        (["tool"], SourceType.UNVALIDATED_TOOL_OUTPUT),
        ([], SourceType.UNVALIDATED_TOOL_OUTPUT),
    ],
)
def test_fast_memories_are_raw_text_and_say_so(told, roles, source_type):
    sources = [{"role": role, "content": "x"} for role in roles]
    found = one(told, is_fast=True, sources=sources, source="conversation")
    assert found.source_type is source_type
    assert RemarkCode.EVIDENCE_ONLY in found.remarks


def test_a_source_with_a_broken_role_does_no_harm(told):
    found = one(told, is_fast=True, sources=[{"role": ["user"], "content": "x"}])
    assert found.source_type is SourceType.UNVALIDATED_TOOL_OUTPUT


def test_history_supersedes_what_was_replaced_and_conflicts_with_what_did_not_fit(told):
    history = [
        {"version": 1, "update_type": "extract", "archived_memory_id": TWO, "memory": "old"},
        {"version": 2, "update_type": "conflict", "archived_memory_id": THREE, "memory": "no"},
        {"version": 3, "update_type": "unrelated", "archived_memory_id": "x", "memory": "other"},
        {"version": 4, "update_type": "duplicate", "archived_memory_id": None, "memory": "same"},
    ]
    found = one(told, history=history, version=5)
    assert found.edges == (
        Edge(EdgeKind.SUPERSEDES, f"memos:{TWO}"),
        Edge(EdgeKind.CONFLICTS_WITH, f"memos:{THREE}"),
    )
    assert found.foreign["history"][0]["memory"] == "old"


def test_what_a_memory_covers_it_supersedes_and_what_it_became_is_remarked(told):
    found = one(told, covered_history=TWO, evolve_to=[THREE])
    assert found.edges == (Edge(EdgeKind.SUPERSEDES, f"memos:{TWO}"),)
    assert found.foreign["evolve_to"] == [f"memos:{THREE}"]
    assert RemarkCode.LATER_VERSION_EXISTS in found.remarks


def test_statuses_are_claims_and_the_deleted_are_no_memory(told):
    statuses = ("activated", "archived", "resolving", "deleted")
    reading = told(source([item(status=status) for status in statuses]))
    active, archived, resolving, deleted = reading.found
    assert active.foreign["claimed_status"] == "activated"
    assert RemarkCode.MARKED_SUPERSEDED in archived.remarks
    assert resolving.foreign["claimed_status"] == "resolving"
    assert deleted == Nothing(NothingReason.TOMBSTONE)


def test_the_edges_of_a_tree_stand_on_the_cell_that_makes_the_claim(told):
    edges = [
        {"source": ONE, "target": TWO, "type": "CONFLICT"},
        {"source": ONE, "target": TWO, "type": "MERGED_TO"},
        {"source": THREE, "target": ONE, "type": "PARENT"},
        {"source": ONE, "target": THREE, "type": "FOLLOWS"},
    ]
    reading = told(source(tree([item(ONE), item(TWO), item(THREE)], edges), indent=2))
    first, second, third = reading.found[:3]
    assert first.edges == (Edge(EdgeKind.CONFLICTS_WITH, f"memos:{TWO}"),)
    assert first.foreign["related"] == [f"memos:{THREE}"]
    assert second.edges == (Edge(EdgeKind.SUPERSEDES, f"memos:{ONE}"),)
    assert third.edges == (Edge(EdgeKind.DERIVED_FROM, f"memos:{ONE}"),)
    assert reading.found[3:] == [Nothing(NothingReason.DISTILLED_ELSEWHERE)] * 4
    assert RemarkCode.COUNTS_DIFFER not in reading.remarks


def test_edges_before_the_nodes_are_read_as_well(told):
    edge = {"source": ONE, "target": TWO, "type": "CONFLICT"}
    made = source({"edges": [edge], "nodes": [item(ONE), item(TWO)]})
    assert told(made).found[1].edges == (Edge(EdgeKind.CONFLICTS_WITH, f"memos:{TWO}"),)


def test_edges_that_lead_nowhere_of_unknown_types_or_broken_are_accounted_for(told):
    edges = [
        {"source": "gone", "target": ONE, "type": "CONFLICT"},
        {"source": ONE, "target": TWO, "type": "SINGS_WITH"},
        {"source": ONE, "type": "CONFLICT"},
    ]
    reading = told(source(tree([item(ONE), item(TWO)], edges)))
    assert reading.found[2:] == [
        Nothing(NothingReason.NOT_A_MEMORY),
        Nothing(NothingReason.UNKNOWN_TYPE),
        Failed(FailReason.FIELD_MISSING, name="target"),
    ]
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_counts_that_differ_from_the_file_s_own_are_remarked(told):
    reading = told(source(tree([item()], total_nodes=3, total_edges=0)))
    assert reading.remarks[RemarkCode.COUNTS_DIFFER] == 1


@pytest.mark.parametrize("indent", [None, 4])
def test_points_of_a_vector_store_plain_items_and_nodes_say_the_same(told, indent):
    rows = [item(ONE), item(TWO, memory="two", embedding=[0.1, 0.2])]
    general = told(source([point(row) for row in rows], indent=indent))
    for made in (source(rows, indent=indent), source(tree(rows), indent=indent)):
        assert catalogue.detect(made).name == "memos"
        found = told(made).found
        assert [(one.claim, one.source_id, one.scope) for one in found] == [
            (one.claim, one.source_id, one.scope) for one in general.found
        ]
    assert general.found[0].foreign["vector_dimensions"] == 768
    assert general.remarks[RemarkCode.VECTORS_DROPPED] == 2
    assert "vector" not in general.found[0].foreign


def test_the_answer_of_the_service_is_read_through_its_wrappers(told):
    answer = {
        "code": 200,
        "message": "ok",
        "data": {
            "text_mem": [{"cube_id": "c", "memories": [item(ONE), item(TWO)]}],
            "act_mem": [],
        },
    }
    made = source(answer, indent=2)
    assert catalogue.detect(made).name == "memos"
    reading = told(made)
    assert [one.source_id for one in reading.found] == [f"memos:{ONE}", f"memos:{TWO}"]
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        assert read.place.line == made.content.count(b"\n", 0, read.place.start) + 1


def test_preferences_that_a_model_inferred_are_insights_and_stated_ones_are_not(told):
    row = {"id": ONE, "vector": [0.1], "payload": {"memory": "Likes tea", "dialog_id": "d"}}
    made = source({"explicit_preference": [row], "implicit_preference": [row]})
    assert catalogue.detect(made).name == "memos"
    assert [one.kind for one in told(made).found] == [
        Kind.PROFILE_PREFERENCE,
        Kind.INSIGHT,
    ]


def test_metadata_as_a_string_is_opened(told):
    row = item() | {"metadata": json.dumps({"tags": ["a"], "user_id": "u"})}
    (found,) = told(source([row])).found
    assert found.scope == {"user": "u", "tags": "a"}


def test_lines_and_one_memory_alone_are_read(told):
    lines = b"\n".join(json.dumps(one).encode() for one in (item(ONE), item(TWO)))
    assert len(told(from_bytes("x", lines)).found) == 2
    assert len(told(source(item(), indent=2)).found) == 1


def test_two_memories_under_one_id_are_remarked(told):
    reading = told(source([item(), item(), item(memory="else")]))
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (item(memory=3), Failed(FailReason.FIELD_INVALID, name="memory")),
        ({"id": ONE, "metadata": {}}, Failed(FailReason.FIELD_MISSING, name="memory")),
        (item() | {"metadata": [1]}, Failed(FailReason.FIELD_INVALID, name="metadata")),
        (item(memory_time="soon"), Failed(FailReason.TIME_INVALID, name="memory_time")),
        (item(created_at="soon"), Failed(FailReason.TIME_INVALID, name="created_at")),
        (item(tags={"a": 1}), Failed(FailReason.FIELD_INVALID, name="tags")),
        (item(history=7), Failed(FailReason.FIELD_INVALID, name="history")),
        (5, Failed(FailReason.WRONG_SHAPE)),
        (item(memory=" "), Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_one_bad_memory_leaves_its_neighbours(told, bad, fault):
    reading = told(source([item(ONE), bad, item(TWO)]))
    assert [type(one) for one in reading.found] == [Proposal, type(fault), Proposal]
    assert reading.found[1] == fault


def test_a_cut_file_keeps_what_came_before(told):
    cut = source(tree([item(ONE), item(TWO)])).content[:-90]
    reading = told(from_bytes("cut", cut), "memos")
    assert [type(one) for one in reading.found] == [Proposal, Failed]
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_empty_files_hold_no_memory(told):
    for content in (b"", b"[]", b'{"nodes": [], "edges": [], "total_nodes": 0}'):
        assert told(from_bytes("x", content), "memos").reads == []


CONFIG = {
    "model_schema": "memos.configs.mem_cube.GeneralMemCubeConfig",
    "user_id": "owner",
    "cube_id": "owner/books",
    "text_mem": {"backend": "general_text", "config": {"api_key": "words that are not kept"}},
    "act_mem": {"backend": "kv_cache"},
}


def cube(rows, **more):
    files = {
        "README.md": b"# A cube\n",
        "activation_memory.pickle": pickle.dumps({"keys": 1}),
        "config.json": json.dumps(CONFIG, indent=2).encode(),
        "parametric_memory.adapter": b"Placeholder",
        "textual_memory.json": json.dumps(rows, indent=4).encode(),
    } | more
    return from_members("cube", tuple(from_bytes(name, data) for name, data in files.items()))


def test_a_cube_folder_is_read_member_by_member(told):
    made = cube([point(item())])
    assert catalogue.detect(made).name == "memos"
    reading = told(made)
    assert {one.place.member: type(one.found) for one in reading.reads} == {
        "README.md": Nothing,
        "activation_memory.pickle": Barred,
        "config.json": Nothing,
        "parametric_memory.adapter": Nothing,
        "textual_memory.json": Proposal,
    }
    assert reading.remarks[RemarkCode.MEMBERS_PASSED_OVER] == 3
    assert reading.found[-1].scope["cube"] == "owner/books"


def test_the_pickle_of_a_cube_is_refused_whatever_it_is_called(told):
    made = cube([], **{"activation_memory.bin": pickle.dumps([1]), "other.pkl": b"empty"})
    barred = [one.place.member for one in told(made).reads if one.found == Barred(BarRule.PICKLE)]
    assert barred == ["activation_memory.bin", "activation_memory.pickle", "other.pkl"]


def test_no_byte_of_a_cube_s_settings_or_pickle_is_kept(told):
    for read in told(cube([point(item())])).reads:
        if read.place.member != "textual_memory.json":
            assert read.raw == b""


def test_a_cube_s_user_stands_in_for_a_memory_without_one(told):
    row = {"id": ONE, "memory": "x", "metadata": {}}
    found = told(cube([row])).found[-1]
    assert found.scope == {"user": "owner", "cube": "owner/books"}
    assert found.foreign["claimed_tenant"] == "owner"


def test_each_of_several_cubes_has_its_own_settings(told):
    members = []
    for name in ("one", "two"):
        members.append(
            from_bytes(f"{name}/config.json", json.dumps(CONFIG | {"cube_id": name}).encode())
        )
        members.append(from_bytes(f"{name}/textual_memory.json", json.dumps([item()]).encode()))
    found = [
        one for one in told(from_members("cubes", tuple(members))).found if type(one) is Proposal
    ]
    assert [one.scope["cube"] for one in found] == ["one", "two"]


def test_a_folder_with_a_tree_and_no_settings_is_a_cube(told):
    made = from_members("cube", (from_bytes("any.json", json.dumps(tree([item()])).encode()),))
    assert catalogue.detect(made).name == "memos"
    assert [type(one) for one in told(made).found] == [Proposal]


def test_vectors_longer_than_what_is_looked_at_do_not_hide_a_cube_s_memories(told):
    row = {"id": ONE, "vector": [0.123456789] * 8000, "payload": item()}
    found = told(cube([row])).found[-1]
    assert found.foreign["vector_dimensions"] == 8000


def test_a_folder_on_disk_is_read_like_one_that_was_uploaded(told, tmp_path):
    for member in cube([point(item())]).members:
        Path(tmp_path, member.name).write_bytes(member.content)
    assert len(told(from_path(tmp_path)).found) == 5


@pytest.mark.parametrize(
    "foreign",
    [
        {"id": "1", "memory": "x", "hash": "h", "metadata": {}, "created_at": None},
        {"id": "1", "vector": [0.1], "payload": {"memory": "x", "original_memory": "y"}},
        {"uuid": "1", "name": "n", "fact": "f", "source_node_uuid": "a"},
        {"namespace": ["a"], "key": "k", "value": {"content": "x"}},
    ],
)
def test_records_of_other_systems_are_not_claimed(foreign):
    assert not memos.recognises(source([foreign]).head())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[[[[", b"\x80\x04abc", b"\xff\xfe[", b'{"nodes":[']
)
def test_detection_survives_any_bytes(content):
    assert memos.recognises(from_bytes("x", content).head()) is False


def test_a_pickle_alone_is_refused_when_chosen_by_name(told):
    assert told(from_bytes("x", pickle.dumps([1])), "memos").found == [Barred(BarRule.PICKLE)]


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "proposals", "others"), [("mem_cube_2", 2, 1), ("mem_cube_tree", 4, 0)]
)
def test_every_record_of_the_samples_is_accounted_for(sample, proposals, others):
    for path in (SAMPLES / "memos" / sample, SAMPLES / "memos" / sample / "textual_memory.json"):
        assert catalogue.detect(from_path(path)).name == "memos"
        found = [one.found for one in check(path)]
        assert sum(isinstance(one, Proposal) for one in found) == proposals
        assert len(found) == proposals + (others if path.is_dir() else 0)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_the_sources_of_the_real_tree_are_opened():
    made = from_path(SAMPLES / "memos" / "mem_cube_tree" / "textual_memory.json")
    for read in memos.read(made):
        if isinstance(read, Read):
            assert [one["role"] for one in read.found.foreign["sources"]] == ["user", "user"]
            assert read.found.foreign["vector_dimensions"] == 1024
