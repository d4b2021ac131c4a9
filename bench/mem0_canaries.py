"""Runs in an interpreter that has ``mem0ai``, and in no other: adds texts and deletes some again.

Called as ``PYTHON mem0_canaries.py FOLDER``, with ``{"gone": [...], "stays": [...]}`` on standard
input. Everything is local and no model runs: ``infer=False``, an embedder that spells a vector
from a digest, and Qdrant in a folder. Prints what Mem0's own calls say afterwards.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import os
import sys
from pathlib import Path
from typing import Any

DIMENSIONS = 64


class Spelled:
    """A vector from a text's digest: close to nothing in particular, and made without a model."""

    config: Any = None

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector of one text."""
        digest = hashlib.sha512(text.encode("utf-8")).digest()
        return [byte / 255 for byte in digest[:DIMENSIONS]]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        """The vectors of several."""
        return [self.embed(text, memory_action) for text in texts]


def main(folder: Path) -> dict[str, Any]:
    """Add, delete and ask, as a user of the library does."""
    os.environ["MEM0_DIR"] = str(folder / "dot-mem0")
    os.environ["MEM0_TELEMETRY"] = "False"
    told = json.loads(sys.stdin.read())
    factory = importlib.import_module("mem0.utils.factory")
    factory.EmbedderFactory.create = staticmethod(lambda *_args, **_more: Spelled())
    memory = importlib.import_module("mem0").Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "embedding_model_dims": DIMENSIONS,
                    "on_disk": True,
                },
            },
            "llm": {"provider": "openai", "config": {"api_key": "none-is-called"}},
            "history_db_path": str(folder / "history.db"),
        }
    )
    ids = {}
    for text in (*told["gone"], *told["stays"]):
        found = memory.add(text, user_id="client-4411", infer=False)
        ids[text] = found["results"][0]["id"]
    for text in told["gone"]:
        memory.delete(ids[text])
    left = memory.get_all(filters={"user_id": "client-4411"}, top_k=10_000)["results"]
    gone = set(told["gone"])
    remembered = [
        text
        for text in told["gone"]
        if any(text in str(row.get("old_memory")) for row in memory.history(ids[text]))
    ]
    return {
        "version": importlib.metadata.version("mem0ai"),
        "listed": sum(row["memory"] in gone for row in left),
        "kept": len(left),
        "history": len(remembered),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
