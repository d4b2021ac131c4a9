"""Attributes with dotted names as the tree they stand for.

``llm.input_messages.0.message.role`` is one leaf of a list of messages. Exports write the tree
flat, nested, or partly both; here all become nested.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Tree = dict[str, object]


_SPLITS: Final = 12
_LEVELS: Final = 4
"""Objects in objects whose names are taken apart; below that, names are kept as they are."""


def nested(flat: Mapping[str, object], *, level: int = 0) -> Tree:
    """``flat`` with every dotted name taken apart and numbered members as lists.

    Where a name has both a value and members, the value is the member with an empty name.
    """
    root: Tree = {}
    for key, value in flat.items():
        node = root
        *path, leaf = key.split(".", _SPLITS if level < _LEVELS else 0)
        for part in path:
            inner = node.get(part)
            if not isinstance(inner, dict):
                inner = {} if inner is None else {"": inner}
                node[part] = inner
            node = inner
        told = _tree(value, level + 1)
        before = node.get(leaf)
        if isinstance(before, dict) and isinstance(told, dict):
            before.update(told)
        elif isinstance(before, dict):
            before[""] = told
        else:
            node[leaf] = told
    found = _listed(root)
    return found if isinstance(found, dict) else root


def at(tree: object, path: str) -> object:
    """What stands at a dotted path, or ``None``; the value itself where it has members, too."""
    node = tree
    for part in path.split("."):
        if not isinstance(node, dict):
            return None
        node = node.get(part)
    if isinstance(node, dict) and "" in node:
        return node[""]
    return node


def text_at(tree: object, *paths: str) -> str:
    """The first string or number that stands at one of the paths; empty if none does."""
    for path in paths:
        value = at(tree, path)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def _tree(value: object, level: int) -> object:
    if isinstance(value, dict):
        return nested(value, level=level)
    if isinstance(value, list):
        return [_tree(one, level) for one in value]
    return value


def _listed(value: object) -> object:
    if not isinstance(value, dict):
        return value
    inner = {key: _listed(one) for key, one in value.items()}
    if inner and all(key.isascii() and key.isdigit() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
