"""Blocks that hold no text: pictures and documents, as what was left out in place of the bytes."""

from __future__ import annotations

import hashlib
from typing import Final

from importers.json_reading.strict import JsonObject
from store.trajectories import Omitted

MEDIA: Final = frozenset({"image", "document"})


def omitted(block: JsonObject) -> Omitted | None:
    """Size and digest of a block's base64, which ``strict_json`` may have replaced before."""
    source = block.get("source")
    if not isinstance(source, dict):
        return None
    told = source.get("media_type")
    media_type = told if isinstance(told, str) else ""
    data = source.get("data")
    if isinstance(data, dict):
        size, digest = data.get("bytes"), data.get("sha256")
        if isinstance(size, int) and isinstance(digest, str):
            return Omitted(size, digest, media_type)
    if isinstance(data, str) and source.get("type") == "base64":
        size = len(data) * 3 // 4 - data[-2:].count("=")
        return Omitted(size, hashlib.sha256(data.encode()).hexdigest(), media_type)
    return None


def named(block: JsonObject) -> str:
    """What a block without base64 points at: an address, a file, or its own text."""
    source = block.get("source")
    if isinstance(source, dict):
        for name in ("url", "file_id", "data", "content"):
            if isinstance(text := source.get(name), str) and source.get("type") != "base64":
                return text
    return ""
