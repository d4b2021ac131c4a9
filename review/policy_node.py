"""Reads one YAML mapping strictly: every problem is kept with its line, none is raised.

A problem names keys of the file and words of ours; whoever wrote the file reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeVar

import yaml

Word = TypeVar("Word", bound=StrEnum)

_MAX_BYTES: Final = 32_768
_MAX_DEPTH: Final = 50  # PyYAML takes minutes over thousands
_TAG: Final = "tag:yaml.org,2002:"


@dataclass(slots=True)
class PolicyNode:
    """A mapping of the file, the keys that were asked for, and the problems so far."""

    name: str
    line: int = 1
    entries: dict[str, tuple[yaml.Node, int]] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)
    """Shared by all nodes of one file."""

    asked: set[str] = field(default_factory=set)
    inner: list[PolicyNode] = field(default_factory=list)

    @classmethod
    def of(cls, text: bytes) -> PolicyNode:
        """The top of the file; empty, with the problem kept, when it is not YAML."""
        top = cls("policy.yaml")
        if len(text) > _MAX_BYTES:
            top.problems.append((0, f"the file is longer than {_MAX_BYTES:,} bytes."))
            return top
        if _depth(text) > _MAX_DEPTH:
            top.problems.append((0, "the file is nested too deeply."))
            return top
        try:
            root = yaml.compose(text.decode("utf-8"), yaml.SafeLoader)
        except UnicodeDecodeError as error:
            top.problems.append((0, f"the file is not UTF-8; byte {error.start + 1} is wrong."))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            why = getattr(error, "problem", None) or getattr(error, "reason", "it cannot be read")
            top.problems.append((mark.line + 1 if mark else 0, f"not valid YAML: {why}."))
        except RecursionError:
            top.problems.append((0, "the file is nested too deeply."))
        else:
            top._fill(root)
        return top

    def _fill(self, node: yaml.Node | None) -> None:
        if not isinstance(node, yaml.MappingNode):
            at = node.start_mark.line + 1 if node else 0
            self.problems.append((at, f"{self.name} must be a mapping of names to values."))
            return
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.problems.append((line, f"a key of {self.name} is not a plain word."))
            elif key.value in self.entries:
                first = self.entries[key.value][1]
                self.problems.append((line, f"{key.value} is here twice; first in line {first}."))
            else:
                self.entries[key.value] = (value, line)

    def _take(self, key: str, *, required: bool = False) -> tuple[yaml.Node | None, int]:
        self.asked.add(key)
        node, line = self.entries.get(key, (None, self.line))
        if node is None and required and (self.entries or not self.problems):
            self.problems.append((line, f"{key} is missing from {self.name}."))
        return node, line

    def complain(self, key: str, problem: str) -> None:
        """Keep ``problem`` at the line of ``key``."""
        self.problems.append((self.entries.get(key, (None, self.line))[1], problem))

    def finish(self) -> tuple[str, ...]:
        """Every problem in the order of lines, unknown keys included."""
        self._finish()
        ordered = sorted(set(self.problems))
        return tuple(f"line {line}: {what}" if line else what for line, what in ordered)

    def _finish(self) -> None:
        for key in self.entries.keys() - self.asked:
            known = ", ".join(sorted(self.asked))
            self.complain(key, f"unknown key {key!r} in {self.name}. Known: {known}.")
        for node in self.inner:
            node._finish()

    def section(self, key: str, *, required: bool = False) -> PolicyNode:
        """The mapping under ``key``; an empty one when it is absent."""
        node, line = self._take(key, required=required)
        section = PolicyNode(key, line, problems=self.problems)
        self.inner.append(section)
        if node is not None:
            section._fill(node)
        return section

    def names(self) -> frozenset[str]:
        """All keys, when the file may choose them."""
        return frozenset(self.entries)

    def keys_of(self, words: type[Word]) -> frozenset[Word]:
        """The keys that are ``words``; any other is a problem."""
        found = frozenset(word for word in words if word.value in self.entries)
        for key in self.entries.keys() - {word.value for word in words}:
            self.asked.add(key)
            self.complain(key, f"{self.name}: {_not_a(key, words)}")
        return found

    def words(self, key: str, words: type[Word], *, required: bool = False) -> frozenset[Word]:
        """The list of ``words`` under ``key``, each once."""
        node, line = self._take(key, required=required)
        if node is None:
            return frozenset()
        if not isinstance(node, yaml.SequenceNode):
            self.problems.append((line, f"{key} must be a list."))
            return frozenset()
        found: set[Word] = set()
        for item in node.value:
            word, at = self._as_word(item, key, words), item.start_mark.line + 1
            if word is not None and word in found:
                self.problems.append((at, f"{key} lists {word} twice."))
            elif word is not None:
                found.add(word)
        return frozenset(found)

    def word(self, key: str, words: type[Word]) -> Word:
        """The one word under ``key``; the first of ``words`` after a problem."""
        node, _ = self._take(key, required=True)
        word = None if node is None else self._as_word(node, f"{self.name}.{key}", words)
        return next(iter(words)) if word is None else word

    def _as_word(self, node: yaml.Node, key: str, words: type[Word]) -> Word | None:
        value = node.value if isinstance(node, yaml.ScalarNode) else None
        if value is not None and value in {word.value for word in words}:
            return words(value)
        what = _not_a(value, words) if value is not None else "a word is expected here."
        self.problems.append((node.start_mark.line + 1, f"{key}: {what}"))
        return None

    def _scalar(self, key: str, tags: tuple[str, ...], expected: str) -> str | None:
        node, line = self._take(key)
        if node is None:
            return None
        if isinstance(node, yaml.ScalarNode) and node.tag in {_TAG + tag for tag in tags}:
            return str(node.value)
        self.problems.append((line, f"{key} must be {expected}."))
        return None

    def flag(self, key: str) -> bool:
        """``true`` or ``false``; must be there."""
        self._take(key, required=True)
        return self.switch(key)

    def switch(self, key: str) -> bool:
        """``true`` or ``false``; false when it is not there."""
        value = self._scalar(key, ("bool",), "true or false")
        return value is not None and value.lower() in ("true", "yes", "on")

    def number(self, key: str, default: float, limits: tuple[float, float]) -> float:
        """A decimal number within ``limits``, both ends included."""
        low, high = limits
        expected = f"a number from {low:.2f} to {high:.2f}"
        value = self._scalar(key, ("int", "float"), expected)
        if value is None:
            return default
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if low <= number <= high:
            return number
        self.complain(key, f"{key} must be {expected}; it is {value}.")
        return default

    def count(self, key: str, default: int) -> int:
        """A whole number of one or more."""
        value = self._scalar(key, ("int",), "a whole number of 1 or more")
        if value is None:
            return default
        if value.isascii() and value.isdigit() and int(value[:9]) > 0 and len(value) < 9:
            return int(value)
        self.complain(key, f"{key} must be a whole number of 1 or more; it is {value}.")
        return default


def _depth(text: bytes) -> int:
    """How deep brackets open, quotes and comments counted in: an upper bound, cheap to have."""
    depth = deepest = 0
    for byte in text:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _not_a(value: str, words: type[StrEnum]) -> str:
    return f"unknown word {value!r}. Known: {', '.join(sorted(words))}."
