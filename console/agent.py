"""The agent's door: an MCP server over standard input and output, with four tools and no more.

It can stage, recall, explain and say how far its own jobs are. There are no prompts and no
resources, and no tool takes an identity, a tenant, a kind or a purpose. Whatever does not hold is
an error with one reason, and nothing else is said.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any, Final

import anyio
import anyio.to_thread
import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from console.agent_acts import Acts, RefusedError
from console.agent_words import DESCRIPTIONS, INSTRUCTIONS, Explain, Recall, Stage, Status
from console.door_jobs import NoSuchJobError
from console.door_recalls import NoSuchRecallError
from review.doorway import NotThereError
from store.log import DamagedStoreError
from store.refusing import NotServedError
from store.spool import OddBatchError

_ARGUMENTS: Final[dict[str, type[msgspec.Struct]]] = {
    "stage": Stage,
    "recall": Recall,
    "explain": Explain,
    "status": Status,
}
_READ_ONLY: Final = frozenset({"explain", "status"})

_EXPECTED: Final = (
    RefusedError,
    NoSuchJobError,
    NoSuchRecallError,
    NotThereError,
    OddBatchError,
)


def tools() -> list[Tool]:
    """Every tool there is."""
    return [
        Tool(
            name=name,
            description=DESCRIPTIONS[name],
            input_schema=_schema(told),
            annotations=ToolAnnotations(
                read_only_hint=name in _READ_ONLY, destructive_hint=False, open_world_hint=False
            ),
        )
        for name, told in _ARGUMENTS.items()
    ]


def called(acts: Acts, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """What a call gives, and whether that is an error. Nothing expected is raised."""
    kind = _ARGUMENTS.get(name)
    if kind is None:
        return _error("no_such_tool", "There is no such tool here."), True
    try:
        told = msgspec.convert(arguments, kind, strict=True)
        return _ACTS[name](acts, told), False
    except msgspec.ValidationError as error:
        return _error("arguments", f"{error}. Nothing was done."), True
    except NotServedError as error:
        return _error(str(error.reason), str(error)), True
    except DamagedStoreError:
        message = "a memory in the snapshot is not what was signed. Nothing was served."
        return _error("item_differs", message), True
    except _EXPECTED as error:
        return _error("refused", str(error)), True


def serve(acts: Acts) -> None:
    """Answer until the client goes away. One call at a time."""
    anyio.run(_serve, acts)


def server(acts: Acts, one_at_a_time: anyio.CapacityLimiter) -> Server[Any]:
    """The server, before it is connected to anybody."""

    async def listed(_ctx: object, _asked: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools())

    async def call(_ctx: object, asked: CallToolRequestParams) -> CallToolResult:
        def work() -> tuple[dict[str, Any], bool]:
            return called(acts, asked.name, dict(asked.arguments or {}))

        told, failed = await anyio.to_thread.run_sync(work, limiter=one_at_a_time)
        text = json.dumps(told, ensure_ascii=False)
        content = [TextContent(type="text", text=text)]
        return CallToolResult(content=list(content), structured_content=told, is_error=failed)

    return Server(
        "memory-console",
        version=version("memory-console"),
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=call,
    )


async def _serve(acts: Acts) -> None:
    one_at_a_time = anyio.CapacityLimiter(1)
    made = server(acts, one_at_a_time)
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as beside:
        ready = partial(anyio.to_thread.run_sync, _ready, acts, limiter=one_at_a_time)
        beside.start_soon(ready)
        await made.run(incoming, outgoing, made.create_initialization_options())


def _ready(acts: Acts) -> None:
    """Make the first recall fast, and leave what stays out of every later search for garbage.

    A million cells are millions of objects; looking through all of them stops a recall for a
    second.
    """
    acts.warm()
    gc.collect()
    gc.freeze()


def _stage(acts: Acts, told: Stage) -> dict[str, Any]:
    if told.records is not None and told.answer is None and told.recall is None:
        return acts.stage(told.records, verbatim=told.verbatim)
    if told.answer is not None and told.recall is not None and told.records is None:
        return acts.answer(told.answer, told.recall)
    msg = "stage takes either records, or an answer and its recall. Nothing was written."
    raise RefusedError(msg)


def _recall(acts: Acts, told: Recall) -> dict[str, Any]:
    if told.question is not None and told.ids is None:
        return acts.recall(told.question, told.asked_at)
    if told.ids is not None and told.question is None:
        return acts.pieces(told.ids, told.start, told.end)
    msg = "recall takes either a question, or ids and a range. Nothing was read."
    raise RefusedError(msg)


def _explain(acts: Acts, told: Explain) -> dict[str, Any]:
    if told.recall is not None and told.question is None:
        return acts.explain(told.recall)
    if told.question is not None and told.recall is None:
        return acts.explain_now(told.question, told.asked_at)
    msg = "explain takes either a recall, or a question. Nothing was read."
    raise RefusedError(msg)


def _status(acts: Acts, told: Status) -> dict[str, Any]:
    return acts.status(told.job)


_ACTS: Final[dict[str, Callable[[Acts, Any], dict[str, Any]]]] = {
    "stage": _stage,
    "recall": _recall,
    "explain": _explain,
    "status": _status,
}


def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    told = dict(parts[schema["$ref"]])
    told.pop("title", None)
    told.pop("description", None)
    return told


def _error(reason: str, message: str) -> dict[str, Any]:
    return {"error": {"reason": reason, "message": message[:1].upper() + message[1:]}}
