"""Graphiti and Zep: dumps, query results and search results of a temporal graph."""

import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.graphiti import importer as graphiti
from importers.source import from_bytes, from_path
from store.cells import Edge, EdgeKind, Interval, Kind, Precision, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import StepKind, Trajectory

from .conftest import DATA

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "graphiti"
CREATED = "2026-02-16T08:00:00Z"
MODIFIED = "2026-04-01T00:00:00Z"


def edge(**more):
    return {
        "uuid": "f1",
        "group_id": "shop",
        "source_node_uuid": "n1",
        "target_node_uuid": "n2",
        "created_at": CREATED,
        "name": "SHIPS_FROM",
        "fact": "Магазин отгружает из Тулы",
        "fact_embedding": [0.5] * 8,
        "episodes": ["e1"],
        "expired_at": None,
        "valid_at": "2025-11-10T09:00:00Z",
        "invalid_at": None,
        "attributes": {},
        **more,
    }


def node(own, name, summary="", **more):
    return {
        "uuid": own,
        "name": name,
        "group_id": "shop",
        "labels": ["Entity"],
        "created_at": CREATED,
        "name_embedding": None,
        "summary": summary,
        "attributes": {},
        **more,
    }


def episode(content, **more):
    return {
        "uuid": "e1",
        "name": "msg-1",
        "group_id": "shop",
        "labels": [],
        "created_at": CREATED,
        "source": "message",
        "source_description": "chat",
        "content": content,
        "valid_at": "2025-11-10T09:00:00Z",
        "entity_edges": ["f1"],
        **more,
    }


NODES = [node("n1", "Магазин", "Продаёт чай"), node("n2", "Тула")]


def source(*values, indent=None):
    rows = (json.dumps(one, ensure_ascii=False, indent=indent) for one in values)
    return from_bytes("graph.json", "\n".join(rows).encode(), modified_at=MODIFIED)


def proposals(reading):
    return [one for one in reading.found if isinstance(one, Proposal)]


def one_edge(told, **more):
    (found,) = told(source({"edges": [edge(**more)]}), "graphiti").found
    return found


def check_places(made, reading):
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        assert read.place.line == made.content.count(b"\n", 0, read.place.start) + 1
        if isinstance(read.found, Proposal):
            (span,) = read.found.evidence
            assert json.loads(read.raw[span.start : span.end]) == read.found.claim


def test_a_dump_gives_facts_insights_and_runs_and_links_are_no_memory(told):
    link = {"uuid": "m1", "source_node_uuid": "e1", "target_node_uuid": "n2", "group_id": "shop"}
    dump = {
        "episodes": [episode("anna: Отгружаем из Тулы")],
        "nodes": NODES,
        "edges": [edge()],
        "mentions": [link],
    }
    made = source(dump, indent=2)
    reading = told(made)
    run, insight, empty, fact, mention = reading.found
    assert isinstance(run, Trajectory)
    assert (insight.claim, insight.kind, insight.entities) == (
        "Продаёт чай",
        Kind.INSIGHT,
        ("Магазин",),
    )
    assert RemarkCode.MODEL_MADE in insight.remarks
    assert empty == Nothing(NothingReason.NO_OBSERVATIONS)
    assert (fact.claim, fact.kind) == ("Магазин отгружает из Тулы", Kind.FACT)
    assert fact.source_type is SourceType.MODEL_EXTRACTION
    assert fact.entities == ("Магазин", "Тула")
    assert fact.edges == (Edge(EdgeKind.DERIVED_FROM, "graphiti:e1"),)
    assert fact.edges[0].target == run.source_id
    assert fact.foreign["relation"] == "SHIPS_FROM"
    assert mention == Nothing(NothingReason.NOT_A_MEMORY)
    check_places(made, reading)


def test_world_time_is_valid_at_to_invalid_at_and_system_time_is_written_at(told):
    found = one_edge(told, invalid_at="2026-03-01T00:00:00Z")
    assert found.valid == Interval(
        "2025-11-10T09:00:00Z", "2026-03-01T00:00:00Z", Precision.INSTANT
    )
    assert found.written_at == CREATED


def test_expired_at_is_kept_as_a_claim_and_never_ends_validity(told):
    found = one_edge(told, expired_at="2026-02-17T08:00:00Z")
    assert found.valid.end is None
    assert found.expires_at is None
    assert found.foreign["expired_at"] == "2026-02-17T08:00:00Z"
    assert RemarkCode.MARKED_SUPERSEDED in found.remarks
    assert RemarkCode.MARKED_SUPERSEDED not in one_edge(told).remarks


def test_an_edge_without_episodes_says_that_its_source_is_absent(told):
    for more in ({"episodes": []}, {"episodes": None}):
        found = one_edge(told, **more)
        assert RemarkCode.SOURCE_LINK_ABSENT in found.remarks
        assert found.edges == ()
    assert RemarkCode.SOURCE_LINK_ABSENT not in one_edge(told).remarks


def test_a_group_is_scope_and_a_claimed_tenant_and_vectors_are_dropped(told):
    reading = told(source({"edges": [edge()]}))
    (found,) = reading.found
    assert found.scope == {"group": "shop"}
    assert found.foreign["claimed_tenant"] == "shop"
    assert found.foreign["vector_dimensions"] == 8
    assert "fact_embedding" not in found.foreign
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 1


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-02-16T08:00:00.123456789+00:00", "2026-02-16T08:00:00.123456789+00:00"),
        ("2026-02-16T08:00:00Z[Etc/UTC]", "2026-02-16T08:00:00Z"),
        ("2026-02-16T11:00:00+03:00[Europe/Moscow]", "2026-02-16T11:00:00+03:00"),
        (1771228800, "2026-02-16T08:00:00+00:00"),
        (1771228800000, "2026-02-16T08:00:00+00:00"),
        (1771228800000000, "2026-02-16T08:00:00+00:00"),
        ({"$date": "2026-02-16T08:00:00Z"}, "2026-02-16T08:00:00Z"),
        ({"$date": {"$numberLong": "1771228800000"}}, "2026-02-16T08:00:00+00:00"),
        ({"$type": "OffsetDateTime", "_value": "2026-02-16T08:00:00Z"}, "2026-02-16T08:00:00Z"),
        ({"epochSeconds": 1771228800, "nanosecond": 0}, "2026-02-16T08:00:00+00:00"),
        (
            {
                "year": {"low": 2026, "high": 0},
                "month": {"low": 2, "high": 0},
                "day": {"low": 16, "high": 0},
                "hour": {"low": 11, "high": 0},
                "minute": {"low": 0, "high": 0},
                "second": {"low": 0, "high": 0},
                "nanosecond": {"low": 500000000, "high": 0},
                "timeZoneOffsetSeconds": {"low": 10800, "high": 0},
            },
            "2026-02-16T11:00:00.5+03:00",
        ),
        ({"year": 2026, "month": 2, "day": 16}, "2026-02-16T00:00:00+00:00"),
    ],
)
def test_times_of_database_drivers_are_read_as_text_number_or_object(told, written, expected):
    found = one_edge(told, valid_at=written, created_at=written)
    assert (found.valid.start, found.written_at) == (expected, expected)


@pytest.mark.parametrize(
    "written", ["soon", 7, True, {}, {"year": 2026, "month": 13, "day": 1}, [2026], {"year": "x"}]
)
def test_a_time_that_is_none_fails_the_edge_alone(told, written):
    reading = told(source({"edges": [edge(valid_at=written), edge(uuid="f2")]}), "graphiti")
    assert reading.found[0] == Failed(FailReason.TIME_INVALID, name="valid_at")
    assert reading.found[1].source_id == "graphiti:f2"


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        ({"fact": 7}, Failed(FailReason.FIELD_INVALID, name="fact")),
        ({"episodes": "e1"}, Failed(FailReason.FIELD_INVALID, name="episodes")),
        ({"group_id": [1]}, Failed(FailReason.FIELD_INVALID, name="group_id")),
        ({"expired_at": "x"}, Failed(FailReason.TIME_INVALID, name="expired_at")),
        (
            {"invalid_at": "2025-01-01T00:00:00Z"},
            Failed(FailReason.FIELD_INVALID, name="invalid_at"),
        ),
        ({"fact": ""}, Nothing(NothingReason.EMPTY_TEXT)),
        ({"fact": None}, Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_a_wrong_field_is_named(told, more, failed):
    assert one_edge(told, **more) == failed


def test_an_edge_without_times_takes_the_file_s_time_and_says_so(told):
    found = one_edge(told, created_at=None, valid_at=None)
    assert (found.written_at, found.valid) == (MODIFIED, Interval())
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks
    naive = one_edge(told, created_at="2026-02-16T08:00:00")
    assert RemarkCode.TIME_ZONE_ASSUMED in naive.remarks


def test_an_edge_to_a_node_that_is_not_in_the_dump_is_remarked(told):
    reading = told(source({"nodes": NODES, "edges": [edge(target_node_uuid="n9")]}))
    found = reading.found[-1]
    assert found.entities == ("Магазин",)
    assert RemarkCode.DANGLING_LINK in found.remarks
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1


def test_output_of_the_mcp_server_is_a_search_result_without_episodes(told):
    dropped = {"expired_at", "episodes", "fact_embedding", "attributes"}
    row = {name: value for name, value in edge().items() if name not in dropped}
    made = source({"message": "Facts retrieved successfully", "facts": [row]})
    assert catalogue.detect(made).name == "graphiti"
    reading = told(made)
    assert RemarkCode.SEARCH_RESULT in reading.remarks
    (found,) = reading.found
    assert RemarkCode.SOURCE_LINK_ABSENT in found.remarks
    assert found.entities == ()


@pytest.mark.parametrize(
    ("facts", "entities", "runs"),
    [
        ("edges", "nodes", "episodes"),
        ("facts", "entities", "episodic_nodes"),
        ("entity_edges", "entity_nodes", "episodes"),
    ],
)
def test_every_wrapper_is_read(told, facts, entities, runs):
    made = source({facts: [edge()], entities: NODES, runs: [episode("anna: да")]})
    assert catalogue.detect(made).name == "graphiti"
    reading = told(made)
    assert [one.kind for one in proposals(reading)] == [Kind.FACT, Kind.INSIGHT]
    assert sum(isinstance(one, Trajectory) for one in reading.found) == 1


@pytest.mark.parametrize("form", ["list", "lines", "one", "zep"])
def test_bare_lists_lines_and_one_record_are_read(told, form):
    made = {
        "list": source([edge(), *NODES]),
        "lines": source(edge(), *NODES),
        "one": source(edge(), indent=2),
        "zep": source({"edges": [edge(score=0.7)]}),
    }[form]
    assert catalogue.detect(made).name == "graphiti"
    reading = told(made)
    assert proposals(reading)[0].claim == "Магазин отгружает из Тулы"
    ends = ("Магазин", "Тула") if form in ("list", "lines") else ()
    assert proposals(reading)[0].entities == ends
    assert (RemarkCode.SEARCH_RESULT in reading.remarks) == (form == "zep")
    check_places(made, reading)


def test_an_edge_as_zep_s_client_names_it_is_read(told):
    row = {name: one for name, one in edge().items() if name not in ("uuid", "group_id")}
    made = source({"edges": [row | {"uuid_": "f1", "graph_id": "g1", "relevance": 0.5}]})
    assert catalogue.detect(made).name == "graphiti"
    reading = told(made)
    (found,) = reading.found
    assert (found.source_id, found.scope) == ("graphiti:f1", {"group": "g1"})
    assert RemarkCode.SEARCH_RESULT in reading.remarks


def test_rows_of_a_database_export_and_of_a_query_are_unwrapped(told):
    ends = ("source_node_uuid", "target_node_uuid")
    properties = {name: value for name, value in edge().items() if name not in ends}
    exported = source(
        {"type": "node", "id": "0", "labels": ["Entity"], "properties": NODES[0]},
        {"type": "node", "id": "1", "labels": ["Entity"], "properties": NODES[1]},
        {
            "type": "relationship",
            "id": "2",
            "label": "RELATES_TO",
            "properties": properties,
            "start": {"id": "0", "labels": ["Entity"], "properties": {"uuid": "n1"}},
            "end": {"id": "1", "labels": ["Entity"], "properties": {"uuid": "n2"}},
        },
    )
    assert catalogue.detect(exported).name == "graphiti"
    reading = told(exported)
    assert proposals(reading)[-1].entities == ("Магазин", "Тула")
    asked = source([{"n": NODES[0], "e": edge(), "m": NODES[1]}, {"n": NODES[0]}])
    assert catalogue.detect(asked).name == "graphiti"
    assert [one.kind for one in proposals(told(asked))] == [Kind.FACT, Kind.INSIGHT]


def test_a_message_episode_is_a_run_of_turns_at_its_world_time(told):
    content = "anna (user): Где склад?\nassistant: В Туле.\nНа улице Мира.\nсистема: ок"
    made = source({"episodes": [episode(content)], "edges": []})
    reading = told(made, "graphiti")
    (run,) = reading.found
    assert [(one.kind, one.who, one.text) for one in run.steps] == [
        (StepKind.INPUT, "anna (user)", "Где склад?"),
        (StepKind.SAID, "assistant", "В Туле.\nНа улице Мира."),
        (StepKind.INPUT, "система", "ок"),
    ]
    assert run.started_at == "2025-11-10T09:00:00Z"
    assert run.source_id == "graphiti:e1"
    assert run.run == {"group": "shop", "episode": "e1"}
    assert run.foreign["created_at"] == CREATED
    assert run.decisions == ()
    for step in run.steps:
        shown = reading.reads[0].raw[step.span.start : step.span.end].decode()
        assert json.loads(f'"{shown}"') == step.text


def test_an_episode_that_is_no_conversation_is_one_document(told):
    for sort in ("json", "text", "fact_triple"):
        made = source({"episodes": [episode("key: value\nb: c", source=sort)]})
        (step,) = told(made, "graphiti").found[0].steps
        assert (step.kind, step.text) == (StepKind.RECALLED, "key: value\nb: c")


def test_an_empty_episode_is_an_empty_run_and_a_wrong_one_fails_alone(told):
    rows = [episode(""), episode("a: b", uuid=None), episode(7), episode("a: b", uuid="e2")]
    found = told(source({"episodes": rows}), "graphiti").found
    assert found[:3] == [
        Nothing(NothingReason.EMPTY_RUN),
        Failed(FailReason.FIELD_MISSING, name="uuid"),
        Failed(FailReason.FIELD_INVALID, name="content"),
    ]
    assert found[3].source_id == "graphiti:e2"


def test_communities_and_sagas_are_insights_too(told):
    made = source({"communities": [node("c1", "Склады", "Два склада", labels=["Community"])]})
    (found,) = told(made, "graphiti").found
    assert (found.kind, found.claim) == (Kind.INSIGHT, "Два склада")


def test_a_record_that_is_none_of_these_is_counted(told):
    reading = told(source([edge(), {"shape": "odd"}]), "graphiti")
    assert reading.found[1] == Nothing(NothingReason.UNKNOWN_TYPE)
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_a_dump_that_ends_too_early_keeps_what_came_before(told):
    data = source({"nodes": NODES, "edges": [edge(), edge(uuid="f2")]}).content
    reading = told(from_bytes("cut.json", data[: data.index(b'"f2"') + 10]), "graphiti")
    assert [one.source_id for one in proposals(reading)] == ["graphiti:n1", "graphiti:f1"]
    assert reading.remarks[RemarkCode.TAIL_CUT] >= 1


@pytest.mark.parametrize("data", [b"", b"{", b"[", b"\xff\xfe", b'{"edges": 7}', b"null", b"{}"])
def test_broken_bytes_neither_raise_nor_vanish(told, data):
    reading = told(from_bytes("x", data), "graphiti")
    assert all(isinstance(one, Failed | Nothing) for one in reading.found)
    assert bool(reading.found) or data in (b"", b"[")


def test_other_fixtures_are_not_recognised():
    for path in DATA.rglob("*"):
        if path.is_file() and path.parent.name != "graphiti":
            assert not graphiti.recognises(from_path(path).head()), path
    other = {"nodes": [{"id": "1", "memory": "x", "metadata": {}}], "edges": []}
    assert not graphiti.recognises(source(other).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "claims", "trajectories", "nothing"),
    [("graph_dump.json", 5, 2, 1), ("mcp_search_facts.json", 2, 0, 0)],
)
def test_every_record_of_a_sample_is_accounted_for(sample, claims, trajectories, nothing):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "graphiti"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    sorts = (Proposal, Trajectory, Nothing)
    counts = [sum(isinstance(one, sort) for one in found) for sort in sorts]
    assert counts == [claims, trajectories, nothing]
    assert len(found) == sum(counts)
