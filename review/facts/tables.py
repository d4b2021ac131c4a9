"""Tables of words that are written as text: one line a row, or words between blanks."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


def forms(table: str) -> dict[str, str]:
    """``{form: name}`` from lines of ``name: form form …``; the name is a form of itself."""
    rows = (line.split(":", 1) for line in table.strip().splitlines())
    return {form: name for name, told in rows for form in (name, *told.split())}
