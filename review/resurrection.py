"""Keeps what was forgotten from coming back: by import, by restore, in a run.

Only keyed digests of the forgotten texts are kept, never the texts. They find the same words about
the same subject, whatever their case, spacing and punctuation; they do not find a rewording. A
text under twelve bytes is found by the identity of its record instead. The digests themselves are
residue: who holds the tenant's key can test a guess against them.

Source: the trust specification, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from review.identities import stamp
from review.manifests import look_of
from review.placing import Found, Writer
from store import guard_queries
from store.cells import Proposal
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.records import BarRule
from store.trajectories import Trajectory
from store.vault import digester

SHORT: Final = 12
"""Bytes of a text under which it is known by its record's identity alone."""

FORGOTTEN: Final = "⟦erased on request⟧"
"""What stands in a run where a forgotten text stood."""


@dataclass(frozen=True, slots=True)
class Content:
    """One content that was forgotten: whose, in which words, from which record."""

    subject: str
    text: str
    source_id: str


def subject_of(proposal: Proposal) -> str:
    """Whom a record is about, as its scope says; empty when it does not."""
    return proposal.scope.get("user", "")


class Guard:
    """What one store must not take back."""

    def __init__(self, store: Store) -> None:
        """For one tenant's store."""
        self._store = store
        self._digest = digester(store.digest_key(), "forgotten")
        self._seen = -1
        self._keys: frozenset[str] = frozenset()

    def keys_of(self, content: Content) -> tuple[str, ...]:
        """The digests that stand for one content, 32 hex digits each."""
        look = look_of(content.text)
        if len(look) < SHORT:
            return (self._of("id", content.source_id.encode("utf-8")),)
        whose = content.subject.casefold().encode("utf-8")
        return self._of("about", whose + b"\0" + look), self._of("said", look)

    def remember(self, contents: Iterable[Content], writer: Writer, *, forget: str) -> Event:
        """Record that these contents must not come back, under the forget request's id."""
        keys = sorted({key for one in contents for key in self.keys_of(one)})
        happening = Happening(
            EventType.FORGET_GUARDED,
            recorded_at=stamp(writer.clock()),
            actor=writer.process,
            actor_kind=ActorKind.PROCESS,
            process=writer.process,
            body={"forget": forget, "keys": keys},
        )
        return self._store.append(Entry(happening))

    def sieved(self, found: Sequence[Found]) -> list[Found]:
        """``found`` with what was forgotten refused, and none of its bytes kept."""
        known = self._known()
        return [self._one(one, known) for one in found] if known else list(found)

    def _one(self, one: Found, known: frozenset[str]) -> Found:
        result = one.result
        if isinstance(result, Trajectory):
            return self._run(one, result, known)
        if not isinstance(result, Proposal) or one.rule is not None:
            return one
        subject, look = subject_of(result), look_of(result.claim)
        if len(look) < SHORT:
            key = self._of("id", result.source_id.encode("utf-8"))
        elif subject:
            key = self._of("about", subject.casefold().encode("utf-8") + b"\0" + look)
        else:
            key = self._of("said", look)
        if key not in known:
            return one
        return Found(one.place, b"*" * len(one.raw), result, str(BarRule.FORGOTTEN), "claim")

    def _run(self, one: Found, run: Trajectory, known: frozenset[str]) -> Found:
        """A run without the steps whose words were forgotten; the run itself is kept."""
        gone = {
            place
            for place, step in enumerate(run.steps)
            if len(look := look_of(step.text)) >= SHORT and self._of("said", look) in known
        }
        if not gone:
            return one
        steps = tuple(
            replace(step, text=FORGOTTEN, span=None) if place in gone else step
            for place, step in enumerate(run.steps)
        )
        return replace(one, result=replace(run, steps=steps), raw=b"*" * len(one.raw))

    def _of(self, purpose: str, data: bytes) -> str:
        return self._digest(purpose.encode("ascii") + b"\0" + data)

    def _known(self) -> frozenset[str]:
        count = int(self._store.rows(guard_queries.GUARD_COUNT)[0]["n"])
        if count != self._seen:
            rows = self._store.rows(guard_queries.GUARDS)
            self._keys = frozenset(str(row["key"]) for row in rows)
            self._seen = count
        return self._keys
