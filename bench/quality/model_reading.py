"""The quality measures read through the adapter of model help, over HTTP, with the real client.

By default the server is a stub on loopback that answers from a file of recordings, and where there
is none with what the grammar reads. With ``live`` the address and the key of the environment are
used, every reply is added to the file, and a second run costs nothing.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from bench.messages_stub import Stub
from bench.quality import reading_by
from bench.quality.echoing import Echo
from bench.rows import Row
from console.model.settings import ADDRESS, ModelSettings
from console.model.spending import Ledger
from console.model_help import KEY, ModelHelp
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.proposals.asking import outcome_of
from review.proposals.jobs import Outcome
from review.proposals.parser import ModelParser
from review.proposals.protocol import Reply, Request, Usage
from store.canonical import sha256

STUB_MODEL: Final = "stub"
_NO_KEY: Final = "the-stub-asks-for-no-key"
"""No word of any text: an answer that showed the key would be refused."""

_NO_LIMIT: Final = 1_000_000_000


@dataclass(frozen=True)
class Chosen:
    """Which model answers the bench."""

    recorded: Path | None = None
    """File of replies, one a line; made when it is not there."""

    live: bool = False
    model: str = STUB_MODEL
    tokens: int = _NO_LIMIT
    """Budget of a live run, input and output together."""


@dataclass
class Recordings:
    """Replies by the digest of their request, in memory and in a file."""

    file: Path | None
    replies: dict[str, Reply] = field(default_factory=dict)
    asked: int = 0
    replayed: int = 0

    def __post_init__(self) -> None:
        """Take in what the file holds."""
        if self.file is not None and self.file.exists():
            for line in self.file.read_text("utf-8").splitlines():
                told = json.loads(line)
                usage = Usage(told["input_tokens"], told["output_tokens"])
                self.replies[told["request"]] = Reply(told["text"], told["stop"], usage)

    def of(self, request: Request, model: ModelHelp) -> Reply:
        """The reply to a request: the recorded one, or a new one that is recorded now."""
        key = sha256(request.spelled()).hex()
        if key in self.replies:
            self.replayed += 1
            return self.replies[key]
        self.asked += 1
        reply = model.ask(request, key[:32])
        self.replies[key] = reply
        if self.file is not None:
            told: dict[str, Any] = {
                "request": key,
                "text": reply.text,
                "stop": reply.stop,
                "input_tokens": reply.usage.input_tokens,
                "output_tokens": reply.usage.output_tokens,
            }
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(told, ensure_ascii=False) + "\n")
        return reply


@dataclass
class Told:
    """What came of reading through a model."""

    parser: ModelParser
    recordings: Recordings
    model: ModelHelp

    def rows(self) -> list[Row]:
        """How many texts were read, by whom, and what was dropped."""
        fallen: Counter[str] = self.parser.fallen_back
        told = {
            "replies asked for": self.recordings.asked,
            "replies from the recording": self.recordings.replayed,
            "read by the grammar instead": fallen.total(),
            **{f"of them, {why}": n for why, n in sorted(fallen.items())},
            "facts not in their text": self.parser.dropped,
            "tokens": self.model.spending().tokens,
        }
        return [Row("model", self.model.name, name, n, None, "", None) for name, n in told.items()]


@contextmanager
def through(chosen: Chosen) -> Iterator[Told]:
    """Let every store of the measures read through a model until the block ends.

    Raises:
        ValueError: For a live run without a key or a model.
    """
    key = os.environ.get(KEY) if chosen.live else _NO_KEY
    if chosen.live and (not key or chosen.model == STUB_MODEL):
        msg = f"a live run needs {KEY} in the environment and --model NAME. Nobody was called."
        raise ValueError(msg)
    with ExitStack() as held:
        address = ADDRESS
        if not chosen.live:
            address = held.enter_context(Stub(Echo()).running()).address
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        settings = ModelSettings(
            on=True,
            name=chosen.model,
            tokens_per_day=chosen.tokens if chosen.live else _NO_LIMIT,
            address=address,
        )
        model = ModelHelp(settings.checked(), key, Ledger(folder, lambda: datetime.now(tz=UTC)))
        recordings = Recordings(chosen.recorded)
        table = parameters.load()

        def told(request: Request) -> tuple[Outcome, BaseModel | None]:
            return outcome_of(request, recordings.of(request, model))

        parser = ModelParser(chosen.model, told, GrammarParser(table), table)
        held.enter_context(reading_by.parser(parser))
        yield Told(parser, recordings, model)
