"""What the rules ask of a model, whoever calls it: a request goes in, a reply comes back.

Nothing here can reach a network. The one adapter lives at the edge of the console.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from pydantic import BaseModel

from review.proposals.jobs import Failure, Job
from store import canonical


class ModelError(RuntimeError):
    """There is no reply. ``failure`` says why; nothing was recorded and nothing was changed."""

    def __init__(self, failure: Failure, told: str = "") -> None:
        """Keep the code, and our own words on it; never the words of a server."""
        self.failure, self.told = failure, told
        super().__init__(f"the model gave no reply ({failure}){f': {told}' if told else ''}.")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: instructions of ours, and data that somebody else wrote."""

    job: Job
    prompt: str
    """Version of the instructions, such as ``claim/1``."""

    model: str
    instructions: str
    """Constant words of ours. No word of memory is ever in here."""

    data: bytes
    """Canonical JSON of quoted blocks: the whole of the user's message."""

    shape: type[BaseModel]
    """What the reply has to be."""

    most_tokens: int
    """Of the reply."""

    masked: int = 0
    """Secrets that were masked in the data."""

    def spelled(self) -> bytes:
        """Everything that decides what is asked, canonical: equal bytes are one request."""
        return canonical.encode(
            {
                "job": str(self.job),
                "prompt": self.prompt,
                "model": self.model,
                "instructions": self.instructions,
                "data": self.data.decode("utf-8"),
                "shape": _schema(self.shape),
                "most_tokens": self.most_tokens,
            }
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What one reply took."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int | None = None
    """Millionths of the currency of the settings; None when no price is set."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``text``, ``answered_by`` and ``request_id`` are foreign."""

    text: str
    stop: str
    """Why it ended: ``end_turn``, ``max_tokens``, ``refusal``, …"""

    usage: Usage
    answered_by: str = ""
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Spending:
    """How model help stands: what is set, and what was spent since midnight UTC."""

    on: bool
    model: str
    has_key: bool
    tokens: int
    tokens_allowed: int
    cost_micros: int
    cost_allowed_micros: int | None
    """None when no budget in money is set."""

    currency: str
    calls: int


class Model(Protocol):
    """Something that can be asked. It stores nothing and decides nothing."""

    name: str
    """Which model, as the settings name it."""

    at_once: int
    """Requests that may be under way together, at least 1."""

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to a request.

        Args:
            request: What to ask.
            key: The request's digest under the tenant's key, by which a call under way is known.

        Raises:
            ModelError: With the reason, if there is no reply.
        """

    def body(self, request: Request) -> bytes:
        """The exact bytes that a request is sent as. Nobody is called.

        Raises:
            ModelError: If no model is set.
        """

    def spending(self) -> Spending:
        """What is set and what was spent today."""


@lru_cache(maxsize=32)
def _schema(shape: type[BaseModel]) -> Any:  # noqa: ANN401 - JSON
    return _plain(shape.model_json_schema())


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A schema without numbers that have a fraction, which canonical JSON does not hold."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return repr(value) if isinstance(value, float) else value
