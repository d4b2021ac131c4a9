"""What one day's file of spending says. It is only ever added to, so it is read on, not anew."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """What counts for one day."""

    tokens: int = 0
    micros: int = 0
    calls: int = 0


class Day:
    """The calls of one day, as far as its file was read."""

    def __init__(self, path: Path) -> None:
        """Nothing is read yet."""
        self._path = path
        self._begin((0, 0))

    @property
    def spent(self) -> Spent:
        """What counts, calls that are under way in full."""
        return Spent(self._tokens, self._micros, self._calls)

    @property
    def under_way(self) -> Iterable[dict[str, Any]]:
        """Calls that were entered and have not ended."""
        return tuple(self._begun.values())

    def read_on(self) -> None:
        """Take in whole lines that were added. A line that was cut off says nothing."""
        try:
            file = self._path.open("rb")
        except FileNotFoundError:
            self._begin((0, 0))
            return
        with file:
            told = os.fstat(file.fileno())
            if (told.st_dev, told.st_ino) != self._which or told.st_size < self._at:
                self._begin((told.st_dev, told.st_ino))
            file.seek(self._at)
            fresh = file.read()
        end = fresh.rfind(b"\n") + 1
        self._at += end
        for line in fresh[:end].split(b"\n"):
            with suppress(ValueError, KeyError, TypeError):
                self._take(json.loads(line))

    def _begin(self, which: tuple[int, int]) -> None:
        self._which, self._at = which, 0
        self._tokens = self._micros = self._calls = 0
        self._begun: dict[int, dict[str, Any]] = {}

    def _take(self, line: dict[str, Any]) -> None:
        tokens, micros = int(line["tokens"]), int(line["micros"])
        if "key" in line:
            self._begun[int(line["call"])] = line
            self._calls += 1
        else:
            begun = self._begun.pop(int(line["ended"]), {"tokens": 0, "micros": 0})
            tokens, micros = tokens - int(begun["tokens"]), micros - int(begun["micros"])
        self._tokens += tokens
        self._micros += micros
