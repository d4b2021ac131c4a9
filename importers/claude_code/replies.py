"""Replies of the model, each of which may be written in several lines with one message id."""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.json_reading.strict import JsonObject

_BLOCKS_KEPT: Final = 2_000
_COUNTED: Final = ("input_tokens", "output_tokens")


class Replies:
    """Counts each reply, each of its blocks and its tokens once."""

    def __init__(self) -> None:
        self.count = 0
        self.tokens: dict[str, int] = {}
        self._open = ""
        self._told: set[str] = set()
        self._usage: dict[str, int] = {}

    def begin(self, message: JsonObject) -> None:
        """Take the next line of the model's; one with the id of the open reply goes on with it."""
        own = message.get("id")
        reply = own if isinstance(own, str) else ""
        if not reply or reply != self._open:
            self.end()
            self._open = reply
            self._told.clear()
            self.count += 1
        usage = message.get("usage")
        if isinstance(usage, dict):  # each line repeats it; the last one is complete
            told = {name: usage.get(name) for name in _COUNTED}
            self._usage = {name: one for name, one in told.items() if isinstance(one, int)}

    def repeats(self, block: JsonObject) -> bool:
        """Whether an earlier line of the same reply has this block."""
        if not self._open:
            return False
        own = block.get("id")
        key = own if isinstance(own, str) else fields.fingerprint(fields.canonical(block).decode())
        repeated = key in self._told
        if len(self._told) < _BLOCKS_KEPT:
            self._told.add(key)
        return repeated

    def end(self) -> None:
        """Count the tokens of the open reply."""
        for name, tokens in self._usage.items():
            self.tokens[name] = self.tokens.get(name, 0) + tokens
        self._usage = {}
