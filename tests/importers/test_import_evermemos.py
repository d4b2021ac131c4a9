import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.evermemos import importer as evermemos
from importers.source import from_bytes
from store.cells import Edge, EdgeKind, Interval, Kind, Precision, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode
from store.trajectories import StepKind, Trajectory

from .test_import_places import check
from .test_import_shared_samples import SAMPLES

MODIFIED = "2026-04-01T00:00:00Z"


def memory(sort, native="m-1", **own):
    return {
        "id": native,
        "memory_type": sort,
        "user_id": "user_7",
        "timestamp": "2026-02-15T10:00:00+00:00",
        "group_id": "group_3",
        "participants": ["user_7", "robot_1"],
        "keywords": None,
        "linked_entities": None,
        "score": None,
        "parent_type": "memcell",
        "parent_id": "evt-1",
    } | own


def fact(native="m-1", text="Ключи лежат у Олега", **own):
    return memory("atomic_fact", native, atomic_fact=text, time="2026-02-15", **own)


def profile(**own):
    return {
        "id": None,
        "memory_type": "profile",
        "user_id": "user_7",
        "timestamp": "2026-02-15T10:00:00+00:00",
        "group_id": "",
        "explicit_info": [
            {
                "category": "work",
                "description": "Runs a bakery",
                "evidence": "said so",
                "sources": ["2026-02-15|evt-1"],
            }
        ],
        "implicit_traits": [
            {
                "trait": "careful",
                "description": "Counts twice",
                "basis": "asks again",
                "sources": ["evt-2"],
            }
        ],
        "last_updated": "2026-02-16T10:05:00+00:00",
        "processed_episode_ids": ["evt-1"],
    } | own


def source(value, **how):
    return from_bytes("memories", json.dumps(value, **how).encode(), modified_at=MODIFIED)


def one(told, record):
    (found,) = told(source([record])).found
    return found


def test_an_atomic_fact_is_a_fact_and_its_time_is_no_world_time(told):
    found = one(told, fact(linked_entities=["Олег"], keywords=["ключи"]))
    assert found.claim == "Ключи лежат у Олега"
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.MODEL_EXTRACTION)
    assert found.source_id == "evermemos:m-1"
    assert found.written_at == "2026-02-15T10:00:00+00:00"
    assert found.valid == Interval()
    assert found.scope == {"user": "user_7", "group": "group_3"}
    assert found.entities == ("Олег",)
    assert found.foreign["time"] == "2026-02-15"
    assert found.foreign["claimed_tenant"] == "user_7"
    assert found.edges == ()


def test_a_list_of_atomic_facts_gives_a_record_for_each(told):
    record = fact(text=["Keys are with Oleg", " ", 5, "The lamp is new"])
    made = source([record], indent=2)
    reading = told(made)
    first, blank, number, last = reading.found
    assert (first.claim, first.source_id) == ("Keys are with Oleg", "evermemos:m-1#1")
    assert blank == Nothing(NothingReason.EMPTY_TEXT)
    assert (number.reason, number.name) == (FailReason.FIELD_INVALID, "atomic_fact")
    assert last.source_id == "evermemos:m-1#4"
    for read in (reading.reads[0], reading.reads[3]):
        (span,) = read.found.evidence
        assert json.loads(read.raw[span.start : span.end]) == read.found.claim


def test_a_long_list_of_facts_shows_each_fact_s_own_bytes(told):
    record = fact(text=["a" * 6000, "b" * 6000])
    made = source([record], indent=1)
    for read in told(made).reads:
        assert json.loads(read.raw) == read.found.claim
        assert made.content[read.place.start : read.place.end] == read.raw
        assert read.place.line == made.content.count(b"\n", 0, read.place.start) + 1


def test_an_episode_is_a_summary_of_a_session(told):
    record = memory("episodic_memory", subject="Keys", summary="short", episode="They met.")
    found = one(told, record)
    assert (found.claim, found.kind) == ("They met.", Kind.SESSION_SUMMARY)
    assert found.source_type is SourceType.AGENT_SUMMARY
    assert found.foreign["subject"] == "Keys"
    assert one(told, record | {"episode": None}).claim == "short"


def test_a_parent_that_is_an_episode_is_an_edge(told):
    found = one(told, fact(parent_type="episode", parent_id="e-9"))
    assert found.edges == (Edge(EdgeKind.DERIVED_FROM, "evermemos:e-9"),)


@pytest.mark.parametrize("key", ["foresight", "content"])
def test_a_foresight_is_a_fact_of_its_interval_and_a_model_made_it(told, key):
    record = memory("foresight", start_time="2026-03-01", end_time="2026-03-31", duration_days=30)
    found = one(told, record | {key: "Oleg will move", "evidence": "he said"})
    assert (found.claim, found.kind) == ("Oleg will move", Kind.FACT)
    assert found.valid == Interval("2026-03-01", "2026-03-31", Precision.DAY)
    assert RemarkCode.MODEL_MADE in found.remarks


def test_a_foresight_without_an_end_stays_open(told):
    found = one(told, memory("foresight", foresight="x", start_time="2026-03-01", end_time=""))
    assert found.valid == Interval("2026-03-01", None, Precision.DAY)


def test_what_was_said_is_a_fact_and_a_trait_is_an_insight(told):
    reading = told(source([profile()]))
    said, trait = reading.found
    assert (said.claim, said.kind) == ("Runs a bakery", Kind.FACT)
    assert said.foreign["lineage"] == ["evt-1"]
    assert (trait.claim, trait.kind) == ("careful: Counts twice", Kind.INSIGHT)
    assert RemarkCode.MODEL_MADE in trait.remarks
    assert said.written_at == "2026-02-16T10:05:00+00:00"
    assert said.valid == Interval()
    for read, words in zip(
        reading.reads, [["Runs a bakery"], ["careful", "Counts twice"]], strict=True
    ):
        spans = read.found.evidence
        assert [json.loads(read.raw[span.start : span.end]) for span in spans] == words


def test_a_category_of_preferences_is_followed(told):
    item = {"category": "Preferences", "description": "Likes rye bread"}
    found = told(source([profile(explicit_info=[item], implicit_traits=None)])).found
    assert [one.kind for one in found] == [Kind.PROFILE_PREFERENCE]


def test_an_item_of_a_profile_keeps_its_identity_when_others_come_before_it(told):
    other = {"category": "home", "description": "Has a cat"}
    longer = profile(explicit_info=[other, *profile()["explicit_info"]])
    before = {one.claim: one.source_id for one in told(source([profile()])).found}
    after = {one.claim: one.source_id for one in told(source([longer])).found}
    assert before.items() <= after.items()


def test_a_profile_under_its_data_a_bare_item_and_a_bad_one_are_told(told):
    inner = {"explicit_info": ["Has a cat", 5, {"description": " "}], "implicit_traits": []}
    record = {key: value for key, value in profile().items() if key not in inner}
    made = source([record | {"profile_data": inner}])
    reading = told(made)
    assert reading.found[0].claim == "Has a cat"
    assert (reading.found[1].reason, reading.found[1].name) == (
        FailReason.FIELD_INVALID,
        "explicit_info",
    )
    assert reading.found[2] == Nothing(NothingReason.EMPTY_TEXT)
    (span,) = reading.found[0].evidence
    assert reading.reads[0].raw[span.start : span.end] == b'"Has a cat"'


def test_a_profile_without_items_is_nothing_and_one_of_another_make_is_counted(told):
    empty = profile(explicit_info=[], implicit_traits=[])
    other = {"memory_type": "profile", "user_id": "u", "hard_skills": [{"value": "baking"}]}
    reading = told(source([empty, other]))
    assert reading.found == [
        Nothing(NothingReason.NO_OBSERVATIONS),
        Nothing(NothingReason.UNKNOWN_TYPE),
    ]
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_a_case_and_a_skill_are_insights(told):
    case = memory(
        "agent_case",
        task_intent="Bake rye bread",
        approach="1. Mix",
        quality_score=0.8,
        key_insight="Weigh the water",
    )
    found = one(told, case)
    assert (found.claim, found.kind) == ("Weigh the water", Kind.INSIGHT)
    assert found.scope["task"] == "Bake rye bread"
    assert found.foreign["approach"] == "1. Mix"
    assert found.foreign["quality_score"] == "0.8"
    assert one(told, case | {"key_insight": None}).claim == "1. Mix"
    skill = memory("agent_skill", name="bread", description="d", content="Weigh first")
    made = one(told, skill | {"timestamp": None, "confidence": 0.9, "maturity_score": 0.4})
    assert (made.claim, made.kind) == ("Weigh first", Kind.INSIGHT)
    assert made.confidence is None
    assert made.written_at == MODIFIED
    assert RemarkCode.WRITTEN_AT_ASSUMED in made.remarks


def test_documents_of_mongo_are_read_without_their_wrappers(told):
    document = {
        "_id": {"$oid": "65f0aa0000000000000000aa"},
        "user_id": "user_7",
        "timestamp": {"$date": "2026-02-15T10:00:00Z"},
        "created_at": {"$date": {"$numberLong": "1771150000000"}},
        "atomic_fact": "Keys are with Oleg",
        "parent_type": "episode",
        "parent_id": "65f0aa0000000000000000bb",
        "vector": [0.1, 0.2],
    }
    made = source([document])
    assert catalogue.detect(made).name == "evermemos"
    reading = told(made)
    (found,) = reading.found
    assert found.source_id == "evermemos:65f0aa0000000000000000aa"
    assert found.written_at == "2026-02-15T10:06:40+00:00"
    assert found.foreign["vector_dimensions"] == 2
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 1


def test_documents_without_a_type_are_known_by_their_fields(told):
    rows = [
        {"_id": "1", "user_id": "u", "foresight": "x", "evidence": "y"},
        {"_id": "2", "user_id": "u", "episode": "x", "summary": "y"},
        {"_id": "3", "user_id": "u", "task_intent": "x", "approach": "y"},
        {"_id": "4", "name": "n", "content": "x", "cluster_id": "c", "maturity_score": 0.1},
    ]
    for row in rows:
        assert catalogue.detect(source([row])).name == "evermemos"
    assert [one.kind for one in told(source(rows), "evermemos").found] == [
        Kind.FACT,
        Kind.SESSION_SUMMARY,
        Kind.INSIGHT,
        Kind.INSIGHT,
    ]


def test_the_plugin_s_notes_have_no_ids_and_say_so(told):
    rows = [
        {"text": "We chose rye", "timestamp": "2026-01-15T08:30:00Z"},
        {"text": "We moved the oven", "timestamp": "2026-01-16T08:30:00Z"},
    ]
    made = source({"memories": rows}, indent=2)
    assert catalogue.detect(made).name == "evermemos"
    reading = told(made)
    assert [one.claim for one in reading.found] == ["We chose rye", "We moved the oven"]
    assert reading.found[0].written_at == "2026-01-15T08:30:00Z"
    assert reading.found[0].source_type is SourceType.FOREIGN_MEMORY
    assert RemarkCode.NO_IDS in reading.found[0].remarks
    assert reading.remarks[RemarkCode.NO_OWNER] == 2
    assert reading.remarks[RemarkCode.SOURCE_LINK_ABSENT] == 2
    again = told(source({"memories": rows[::-1]}))
    assert again.found[1].source_id == reading.found[0].source_id


@pytest.mark.parametrize(
    "wrap",
    [
        lambda rows: {"status": "ok", "result": {"memories": rows, "total_count": 2}},
        lambda rows: {"result": {"memories": [{"group_3": rows[:1]}, {"group_4": rows[1:]}]}},
        lambda rows: {"data": {"episodes": rows[:1], "agent_memory": {"cases": rows[1:]}}},
    ],
    ids=["fetched", "found, by group", "by type"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_answers_of_the_service_are_read_through_their_wrappers(told, wrap, indent):
    made = source(wrap([fact("a"), fact("b")]), indent=indent)
    assert catalogue.detect(made).name == "evermemos"
    reading = told(made)
    assert [one.source_id for one in reading.found] == ["evermemos:a", "evermemos:b"]
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        assert read.place.line == made.content.count(b"\n", 0, read.place.start) + 1


def test_a_score_says_that_the_file_is_the_result_of_a_search(told):
    assert told(source([fact(score=0.7)])).remarks[RemarkCode.SEARCH_RESULT] == 1
    assert RemarkCode.SEARCH_RESULT not in told(source([fact()])).remarks


def test_a_cell_of_messages_is_a_run_and_no_memory(told):
    cell = {
        "event_id": "evt-1",
        "user_id_list": ["user_7"],
        "timestamp": "2026-02-15T10:00:00+00:00",
        "group_id": "group_3",
        "subject": "Keys",
        "original_data": [
            {"speaker_id": "user_7", "content": "Где ключи?", "timestamp": "2026-02-15T09:59:00Z"},
            {"speaker_id": "robot_1", "content": "У Олега.", "timestamp": "2026-02-15T10:00:00Z"},
        ],
    }
    made = source([cell], ensure_ascii=False)
    assert catalogue.detect(made).name == "evermemos"
    (read,) = told(made).reads
    run = read.found
    assert isinstance(run, Trajectory)
    assert [(step.kind, step.text) for step in run.steps] == [
        (StepKind.INPUT, "Где ключи?"),
        (StepKind.SAID, "У Олега."),
    ]
    assert run.run == {"cell": "evt-1", "group": "group_3"}
    assert made.content[read.place.start : read.place.end] == read.raw


def test_a_memory_keeps_the_number_of_its_messages_and_not_the_messages(told):
    found = one(told, fact(original_data=[{"content": "x"}] * 3))
    assert found.foreign["original_messages"] == 3
    assert "original_data" not in found.foreign


def test_an_unknown_type_is_counted(told):
    reading = told(source([memory("dream", text="x"), fact()]))
    assert reading.found[0] == Nothing(NothingReason.UNKNOWN_TYPE)
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_lines_and_one_memory_alone_are_read(told):
    lines = b"\n".join(json.dumps(row).encode() for row in (fact("a"), fact("b")))
    assert len(told(from_bytes("x", lines)).found) == 2
    assert len(told(source(fact(), indent=2)).found) == 1


def test_two_memories_under_one_id_are_remarked(told):
    reading = told(source([fact(), fact(), fact(text="else")]))
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (fact(text=None), Failed(FailReason.FIELD_MISSING, name="atomic_fact")),
        (fact(text=7), Failed(FailReason.FIELD_INVALID, name="atomic_fact")),
        (fact() | {"timestamp": "noon"}, Failed(FailReason.TIME_INVALID, name="timestamp")),
        (fact() | {"user_id": [1]}, Failed(FailReason.FIELD_INVALID, name="user_id")),
        (fact() | {"keywords": 4}, Failed(FailReason.FIELD_INVALID, name="keywords")),
        (
            memory("foresight", foresight="x", start_time="soon"),
            Failed(FailReason.TIME_INVALID, name="start_time"),
        ),
        (
            memory("foresight", foresight="x", start_time="2026-03-02", end_time="2026-03-01"),
            Failed(FailReason.FIELD_INVALID, name="end_time"),
        ),
        (profile(explicit_info=4), Failed(FailReason.FIELD_INVALID, name="explicit_info")),
        ("word", Failed(FailReason.WRONG_SHAPE)),
        (fact(text=""), Nothing(NothingReason.EMPTY_TEXT)),
        (fact(text=[]), Nothing(NothingReason.NO_OBSERVATIONS)),
    ],
)
def test_one_bad_memory_leaves_its_neighbours(told, bad, fault):
    reading = told(source([fact("a"), bad, fact("b")]))
    assert [type(one) for one in reading.found] == [Proposal, type(fault), Proposal]
    assert reading.found[1] == fault


def test_a_cut_file_keeps_what_came_before(told):
    for value in ([fact("a"), fact("b")], {"result": {"memories": [fact("a"), fact("b")]}}):
        cut = source(value, indent=1).content[:-90]
        reading = told(from_bytes("cut", cut), "evermemos")
        assert [type(one) for one in reading.found] == [Proposal, Failed]
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_an_empty_file_and_an_empty_list_hold_no_memory(told):
    assert told(from_bytes("x", b""), "evermemos").reads == []
    assert told(from_bytes("x", b"[]"), "evermemos").reads == []


@pytest.mark.parametrize(
    "foreign",
    [
        [{"text": "x", "timestamp": "2026-01-01"}],
        {"memories": [{"id": "1", "content": "x", "created_at": "2026-01-01"}]},
        [{"id": "1", "memory": "x", "metadata": {"memory_type": "UserMemory"}}],
        [{"content": "x", "keywords": [], "links": [], "tags": [], "context": ""}],
        {"version": "1", "session_meta": {}, "conversation_list": []},
    ],
)
def test_records_of_other_systems_are_not_claimed(foreign):
    assert not evermemos.recognises(source(foreign).head())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[[[[", b"\x80\x04abc", b"\xff\xfe[", b'{"memories":']
)
def test_detection_survives_any_bytes(content):
    assert evermemos.recognises(from_bytes("x", content).head()) is False


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_record_of_the_samples_is_read():
    reads = check(Path(SAMPLES, "evermemos", "memories_to_dict.json"))
    assert [one.found.kind for one in reads] == [
        Kind.SESSION_SUMMARY,
        Kind.FACT,
        Kind.FACT,
        Kind.INSIGHT,
        Kind.FACT,
        Kind.INSIGHT,
    ]
    notes = check(Path(SAMPLES, "evermemos", "mock-memories.json"))
    assert [type(one.found) for one in notes] == [Proposal] * 25
