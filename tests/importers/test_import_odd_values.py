"""No odd value in a JSON file loses the file: each is put in the place of each value, in turn."""

import json
from itertools import islice
from random import Random

import pytest

from importers import catalogue
from importers.catalogue import IMPORTERS
from importers.source import SourceRefusedError, from_bytes
from store.records import Failed, Read, Remark

from . import claude_code_lines_made as claude
from . import test_import_a_mem as a_mem
from . import test_import_anthropic_memory as anthropic
from . import test_import_chatgpt as chatgpt
from . import test_import_claude_ai_memory as claude_ai
from . import test_import_evermemos as evermemos
from . import test_import_evermemos_chat as evermemos_chat
from . import test_import_graphiti as graphiti
from . import test_import_langfuse as langfuse
from . import test_import_langgraph as langgraph
from . import test_import_langsmith as langsmith
from . import test_import_letta as letta
from . import test_import_lightmem as lightmem
from . import test_import_managed_agent as managed
from . import test_import_memos as memos
from . import test_import_openai_messages as openai
from . import test_import_otlp as otlp
from . import test_import_phoenix as phoenix
from .conftest import DATA

ODD = ({}, [], None, 1, "")
TRIED = 200
"""Odd values that are put into one fixture, drawn by a seed where there are more."""

TRIED_IN_FILE = 50

SEED = 20260301
IMAGE = {"type": "base64", "media_type": "image/png", "data": "QUJD"}
PICTURE = {"type": "image", "source": IMAGE}
DATA_IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
MEMORY = "/home/x/.claude/projects/-p/memory/style.md"
SETTINGS = {"user_context_message_data": {"about_user_message": "I sell tea"}}
WRITTEN = {"content_type": "user_editable_context", "user_profile": "I sell tea"}
BIO = [
    chatgpt.chat(
        chatgpt.node("s", None, "user", WRITTEN, metadata=SETTINGS),
        chatgpt.node("m", "s", "assistant", chatgpt.CONTEXT),
        chatgpt.node("u", "m"),
    )
]

FIXTURES = {
    "a_mem": [[a_mem.note(), a_mem.other()], a_mem.chroma(a_mem.note())],
    "anthropic_memory_store": [{"data": [anthropic.memory()], "next_page": None}],
    "chatgpt": [BIO],
    "claude_ai": [
        [{"uuid": "c", "name": "n", "created_at": "2026-01-05T20:55:32Z", "chat_messages": [
            {"uuid": "m", "sender": "assistant", "text": "", "files": [{"file_name": "f"}],
             "attachments": [{"extracted_content": "a", "file_name": "f"}],
             "content": [
                 {"type": "thinking", "thinking": "", "summaries": [{"summary": "s"}]},
                 {"type": "tool_use", "name": "n", "id": "t", "input": {"q": 1}},
                 {"type": "tool_result", "tool_use_id": "t", "name": "n",
                  "content": [{"type": "text", "text": "r"}, PICTURE]}]}]}],
    ],
    "claude_ai_memory": [[claude_ai.ENTRY], [claude_ai.PROJECT]],
    "evermemos": [[evermemos.fact(), evermemos.profile()]],
    "evermemos_chat": [evermemos_chat.chat(*evermemos_chat.ASKED)],
    "graphiti": [{"nodes": graphiti.NODES, "edges": [graphiti.edge()],
                  "episodes": [graphiti.episode("user: hi")]}],
    "langfuse": [langfuse.trace(*langfuse.TALK, scores=[langfuse.score("s1")])],
    "langgraph": [[langgraph.item({"kind": "Memory", "content": {"content": "tea"}})]],
    "langsmith": [langsmith.RUNS, langsmith.ROOT | {"child_runs": [langsmith.FIRST],
                                                  "feedback": [langsmith.feedback("f")]}],
    "letta": [
        letta.agent_set(
            letta.message("user", "hi"),
            letta.message("assistant", [
                {"type": "reasoning", "reasoning": "r"},
                {"type": "tool_call", "name": "n", "id": "call-1", "input": {"q": 1}},
                {"type": "tool_return", "tool_call_id": "call-1", "content": "c"}, PICTURE]),
            letta.message("assistant", "a", tool_calls=[letta.call("send_message", message="m")]),
            letta.message("approval", None, approvals=[{"approve": False, "reason": "no",
                                                        "tool_call_id": "call-1"}]),
            blocks=[letta.block("human", "tea")],
        ),
        letta.old_agent(letta.message("user", "hi"), blocks=[letta.block("human", "tea")]),
    ],
    "lightmem": [[lightmem.entry(), lightmem.other()], [lightmem.point(lightmem.entry())]],
    "memos": [[memos.item(sources=[memos.MESSAGE], type="fact")], memos.tree([memos.item()])],
    "otlp": [otlp.export(otlp.chat("1", asked=[{"role": "user", "parts": [
        {"type": "text", "content": "hi"}]}], said=[]))],
    "phoenix": [[phoenix.AGENT, phoenix.MODEL, phoenix.TOOL]],
}  # fmt: skip

LINES = {
    "claude_code": [
        claude.asks("u1", None, [PICTURE, {"type": "text", "text": "hi"}], promptId="p",
                    origin={"kind": "human"}),
        claude.says("a1", "u1", {"type": "thinking", "thinking": "t"},
                    claude.call("t1", "Write", file_path=MEMORY, content="tea"),
                    {"type": "server_tool_use", "id": "t2", "name": "n", "input": {}},
                    {"type": "tool_result", "tool_use_id": "t2", "content": []},
                    message={"usage": {"input_tokens": 1, "output_tokens": 2}}),
        claude.gives("u2", "a1", "t1", [{"type": "text", "text": "ok"}, PICTURE],
                     toolUseResult={"filePath": MEMORY, "userModified": True,
                                    "edits": [{"new_string": "b"}]}),
        claude.line("attachment", "x1", "u2", attachment={
            "type": "relevant_memories", "memories": [{"path": "a", "content": {"file": {}}}]}),
        claude.line("system", "s1", "x1", subtype="compact_boundary", content="c"),
        {"type": "summary", "summary": "s", "leafUuid": "u1"},
        claude.asks("u3", "s1", "<user-memory-input>tea</user-memory-input>"),
    ],
    "managed_agent": [
        [managed.CREATE, managed.SESSION],
        *([managed.STREAM, one] for one in (
            managed.event("user.message", "1", content=[{"type": "text", "text": "q"}, PICTURE]),
            managed.calls("2"), managed.answers("3", "2", "deny", deny_message="no"),
            managed.event("agent.tool_result", "4", tool_use_id="sevt_2", content=[PICTURE]),
            managed.says("5", "a"))),
    ],
    "openai_messages": [
        openai.row(
            openai.user([{"type": "text", "text": "q"}, DATA_IMAGE, PICTURE]),
            openai.assistant([{"type": "tool_use", "id": "t", "name": "n", "input": {}}]),
            openai.user([{"type": "tool_result", "tool_use_id": "t", "content": [
                {"type": "text", "text": "r"}]}]),
            {"role": "assistant", "content": None, "tool_calls": [openai.tool_call("{}")]},
            {"role": "tool", "tool_call_id": "c1", "content": "r"},
        ),
    ],
}  # fmt: skip


def in_data():
    """Every fixture in ``tests/data`` that is JSON, one value or lines, and is small."""
    for path in sorted(DATA.rglob("*.json*")):
        content = path.read_bytes()
        if "hostile" in path.parts or len(content) > 20_000:
            continue
        try:
            found = json.loads(content) if path.suffix == ".json" else None
            rows = None if found is not None else [json.loads(one) for one in content.splitlines()]
            importer = catalogue.detect(from_bytes(path.name, content)).name
        except ValueError:  # cut, or in no format
            continue
        yield (
            str(path.relative_to(DATA)),
            importer,
            found if rows is None else rows,
            bool(rows),
            TRIED_IN_FILE,
        )


CASES = [
    *((f"{name}-{n}", name, one, False, TRIED) for name, ones in FIXTURES.items()
      for n, one in enumerate(ones)),
    *((name, name, rows, True, TRIED) for name, rows in LINES.items()),
    *in_data(),
]  # fmt: skip


def written(value, *, lines):
    if not lines:
        return json.dumps(value).encode()
    return b"\n".join(json.dumps(one).encode() for one in value) + b"\n"


def places(value, before=()):
    """The way to every value inside ``value``."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield (*before, key)
        if isinstance(value[key], dict | list):
            yield from places(value[key], (*before, key))


def with_odd(value, place, odd):
    """A copy of ``value`` with ``odd`` at ``place``."""
    made = json.loads(json.dumps(value))
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = odd
    return made


def read_whole(name, content):
    source = from_bytes("odd", content)
    IMPORTERS[name].recognises(source.head())
    try:
        return list(IMPORTERS[name].read(source))
    except SourceRefusedError:
        return []


@pytest.mark.parametrize(("name", "value", "lines", "tried"), [one[1:] for one in CASES],
                         ids=[one[0] for one in CASES])  # fmt: skip
def test_no_odd_value_anywhere_makes_reading_raise(name, value, lines, tried):
    draw = Random(SEED)
    every = [(place, odd) for place in places(value) for odd in ODD]
    draw.shuffle(every)
    for place, odd in islice(every, tried):
        told = read_whole(name, written(with_odd(value, place, odd), lines=lines))
        assert all(isinstance(one, Read | Remark) for one in told), (place, odd)


def test_the_fixtures_here_are_sound_before_anything_is_odd():
    for _, name, value, lines, _ in CASES[: sum(map(len, FIXTURES.values())) + len(LINES)]:
        sound = read_whole(name, written(value, lines=lines))
        assert any(isinstance(one, Read) and type(one.found) is not Failed for one in sound), name


def test_every_importer_of_json_has_a_fixture():
    mine = {one[1] for one in CASES}
    told = {name for name, one in IMPORTERS.items() if "json" in one.media_type}
    assert told - mine == {"mem0_platform_export"}  # in any shape a person asked for
