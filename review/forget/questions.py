"""The words of a question that somebody typed to a model, for whoever decides whether it goes.

It is about no record, so nothing but its words can tell about whom it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from store import canonical
from store.log import Store
from store.vault import Payload, Role

_MOST: Final = 2_000
"""Characters of one question."""


def words(store: Store, contents: Iterable[str]) -> dict[str, str]:
    """What was typed, by commitment: foreign text, with secrets covered as they were sent.

    Args:
        store: Whose memory it is.
        contents: Commitments; those of anything but a typed question are left out.
    """
    told = {one: _typed(payload) for one, payload in store.payloads(list(contents)).items()}
    return {one: text[:_MOST] for one, text in told.items() if text}


def _typed(payload: Payload) -> str:
    if payload.role is not Role.MODEL:
        return ""
    try:
        asked = json.loads(canonical.decode(payload.body)["asked"])
        text = asked["question"]["text"]
    except (ValueError, KeyError, TypeError):
        return ""
    return text if isinstance(text, str) else ""
