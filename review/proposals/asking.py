"""Asks, or finds what was said before: one request is paid for once, and an audit never calls.

A reply is read by its closed shape. Whatever it holds, the only thing that follows from it here is
a record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from review.proposals import records
from review.proposals.jobs import Failure, Outcome
from review.proposals.protocol import Model, ModelError, Reply, Request
from review.proposals.records import About, Counted, Record
from review.proposals.shapes import LONGEST_REPLY
from review.staged.placing import Writer
from store.log import Store

_ENDED: Final = frozenset({"end_turn", "stop_sequence"})

Told = TypeVar("Told", bound=BaseModel)

Counting = Callable[[Any], Counted]
"""Says how much of a parsed reply its texts bear out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, what it is about, and how its reply is counted."""

    request: Request
    about: About
    counting: Counting


def outcome_of(request: Request, reply: Reply) -> tuple[Outcome, BaseModel | None]:
    """What a reply is, and the reply in its shape if it has it."""
    if reply.stop == "refusal":
        return Outcome.REFUSED, None
    if reply.stop in ("max_tokens", "model_context_window_exceeded") or (
        len(reply.text) > LONGEST_REPLY
    ):
        return Outcome.CUT, None
    if reply.stop not in _ENDED:
        return Outcome.MALFORMED, None
    told = shaped(request.shape, reply.text)
    return (Outcome.MALFORMED, None) if told is None else (Outcome.PROPOSED, told)


def shaped(shape: type[BaseModel], text: str | None) -> BaseModel | None:
    """``text`` in ``shape``; None when it is not of it, or was erased.

    A name that stands twice in one object refuses it: two readers could read two things.
    """
    if text is None:
        return None
    try:
        json.loads(text, object_pairs_hook=_each_once)
        return shape.model_validate_json(text)
    except (ValueError, RecursionError):
        return None


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        msg = "a name stands twice"
        raise ValueError(msg)


def proposed(record: Record, shape: type[Told]) -> Told | None:
    """The reply of a record in its shape; None when it is no proposal, or was erased."""
    told = shaped(shape, record.text) if record.outcome is Outcome.PROPOSED else None
    return told if isinstance(told, shape) else None


class Asking:
    """What can be asked over one store. Without a model only records answer."""

    def __init__(self, store: Store, writer: Writer | None, model: Model | None) -> None:
        """``model`` is None where no call may be made; then nothing is written either."""
        self.store, self.model = store, model
        self._writer = writer

    @property
    def name(self) -> str:
        """The model that requests are made for; empty without one."""
        return "" if self.model is None else self.model.name

    def told(self, asked: Asked) -> Record:
        """The record of a request: the one there is, or a new one.

        Raises:
            ModelError: If there is none and the model gave no reply.
        """
        (found,) = self.each([asked])
        if isinstance(found, ModelError):
            raise found
        return found

    def shaped(self, request: Request) -> tuple[Outcome, BaseModel | None]:
        """A request that is about no record, its outcome and its reply, for a parser.

        Raises:
            ModelError: As ``told``.
        """
        record = self.told(Asked(request, About(), lambda _: Counted()))
        return record.outcome, proposed(record, request.shape)

    def each(self, some: Sequence[Asked]) -> list[Record | ModelError]:
        """The records of several requests, in order, or why there is none.

        The store is not touched while calls are under way, so nobody waits for it meanwhile.
        """
        found: dict[str, Record | ModelError] = {}
        with self.store.held():
            keys = [records.key_of(self.store, one.request) for one in some]
            wanted = dict(zip(keys, some, strict=True))
            for key, one in list(wanted.items()):
                before = records.find(self.store, one.request)
                if before is not None:
                    found[key] = before
                    del wanted[key]
        for key, reply in self._called(wanted).items():
            try:
                found[key] = (
                    reply if isinstance(reply, ModelError) else self._kept(wanted[key], reply)
                )
            except ModelError as error:
                found[key] = error
        return [found[key] for key in keys]

    def _called(self, wanted: dict[str, Asked]) -> dict[str, Reply | ModelError]:
        model = self.model
        if model is None:
            return {key: ModelError(Failure.NOT_RECORDED) for key in wanted}
        if not wanted:
            return {}
        told: dict[str, Reply | ModelError] = {}
        with ThreadPoolExecutor(max_workers=max(1, model.at_once)) as pool:
            calls: dict[str, Future[Reply]] = {
                key: pool.submit(model.ask, one.request, key) for key, one in wanted.items()
            }
            for key, call in calls.items():
                try:
                    told[key] = call.result()
                except ModelError as error:
                    told[key] = error
        return told

    def _kept(self, one: Asked, reply: Reply) -> Record:
        if self._writer is None:
            msg = "who asks a model has to keep what it says: there is no writer."
            raise RuntimeError(msg)
        outcome, told = outcome_of(one.request, reply)
        counted = Counted() if told is None else one.counting(told)
        with self.store.held():  # a dozen questions
            return records.keep(
                self.store,
                one.request,
                reply,
                outcome,
                about=one.about,
                counted=counted,
                writer=self._writer,
            )
