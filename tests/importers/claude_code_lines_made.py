"""Lines of a Claude Code transcript for tests, each with what matters and nothing else."""

import json

from importers.source import from_bytes

SESSION = "0c1d2e3f-0000-4000-8000-000000000001"
DENIED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). "
)


def line(kind, uuid, parent, message=None, **more):
    record = {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "isSidechain": False,
        "timestamp": "2026-04-01T09:00:00.000Z",
    }
    if message is not None:
        record["message"] = message
    return record | more


def asks(uuid, parent, text, **more):
    return line("user", uuid, parent, {"role": "user", "content": text}, **more)


def says(uuid, parent, *blocks, reply=None, **more):
    told = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
    message = {"id": reply or f"msg-{uuid}", "role": "assistant", "model": "m", "content": told}
    return line("assistant", uuid, parent, message | more.pop("message", {}), **more)


def call(own, name="Bash", **arguments):
    return {"type": "tool_use", "id": own, "name": name, "input": arguments}


def gives(uuid, parent, own, text, *, error=False, **more):
    block = {"type": "tool_result", "tool_use_id": own, "content": text, "is_error": error}
    return line("user", uuid, parent, {"role": "user", "content": [block]}, **more)


def source(*records, name="session.jsonl", modified_at=None):
    rows = [
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in records
    ]
    return from_bytes(name, "\n".join(rows).encode() + b"\n", modified_at=modified_at)
