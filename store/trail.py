"""The fold of a running process, and its way back: what stood before each statement took effect.

To tell what stood at an earlier moment, the signed statements can be judged again from the first
one, as ``store.past`` does. Whoever judged all of them already has only to take back those that
came later. It is kept in memory alone: another process judges for itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from store.events import Event, EventType
from store.export_standing import StandingExport
from store.forget_standing import Request
from store.link_standing import StandingLink
from store.links import LinkStatement
from store.publications import DenyStatement, PublishStatement
from store.signatures import PublicKey
from store.signers import RootAt
from store.stages import ArtifactsOf, Stands
from store.standing import Effect, Standing
from store.statements import DecisionStatement, SignedStatement
from store.trust_root import TrustRoot

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
LinkKey = tuple[str, str, str]

_OF_REVIEWERS: Final = (EventType.REVIEWER_ADDED, EventType.REVIEWER_REVOKED)


@dataclass(frozen=True, slots=True)
class Changed(Generic[_Key, _Value]):
    """What one statement changed in a mapping."""

    added: tuple[_Key, ...]
    replaced: dict[_Key, _Value]
    """What stood under the keys that were there before."""

    def undo(self, mapping: dict[_Key, _Value]) -> None:
        """Put ``mapping`` back; a key that had been taken out comes back as the last."""
        for key in self.added:
            mapping.pop(key, None)
        mapping.update(self.replaced)


class Noted(dict[_Key, _Value]):
    """A mapping that notes what it held before each key was first changed."""

    def __init__(self) -> None:
        """Empty, and nothing is noted yet."""
        super().__init__()
        self._added: dict[_Key, None] = {}
        self._replaced: dict[_Key, _Value] = {}

    def __setitem__(self, key: _Key, value: _Value) -> None:
        """Set, and note."""
        self._note(key)
        super().__setitem__(key, value)

    def __delitem__(self, key: _Key) -> None:
        """Delete, and note."""
        self._note(key)
        super().__delitem__(key)

    def pop(self, key: _Key, *default: object) -> object:  # type: ignore[override]
        """Take out, and note."""
        self._note(key)
        return super().pop(key, *default)

    def changes(self) -> Changed[_Key, _Value]:
        """What was changed since the last call."""
        told = Changed(tuple(self._added), self._replaced)
        self._added, self._replaced = {}, {}
        return told

    def _note(self, key: _Key) -> None:
        if key in self._added or key in self._replaced:
            return
        if key in self:
            self._replaced[key] = self[key]
        else:
            self._added[key] = None


@dataclass(frozen=True, slots=True)
class _Step:
    """One statement that took effect, and what stood before it."""

    position: int
    """How many events there were with it."""

    statement: str
    nonces: tuple[str, ...]
    linked: tuple[LinkKey, ...]
    """In the order in which its links took effect."""

    published: PublishStatement | None
    denied: DenyStatement | None
    keys: dict[str, PublicKey]
    sequence: Changed[str, int]
    items: Changed[str, Stands]
    links: Changed[LinkKey, StandingLink]
    forgets: Changed[str, Request]
    exports: Changed[str, StandingExport]

    def undo(self, standing: Standing) -> None:
        """Let ``standing``, which has seen this statement last, be as it was before."""
        standing.used.discard(self.statement)
        standing.nonces.difference_update(self.nonces)
        standing.published, standing.denied = self.published, self.denied
        standing.keys = dict(self.keys)
        self.sequence.undo(standing.sequence)
        self.items.undo(standing.items)
        self.links.undo(standing.links)
        self.forgets.undo(standing.forgets)
        self.exports.undo(standing.exports)


class Trail(Standing):
    """What stands now, with the way back to what stood after any number of events."""

    def __init__(self, store: str, tenant: str, root: TrustRoot | None) -> None:
        """Nothing is taken in yet; arguments as of ``Standing``."""
        super().__init__(store, tenant, root)
        self.sequence, self.items, self.links = Noted(), Noted(), Noted()
        self.forgets, self.exports = Noted(), Noted()
        self._steps: list[_Step] = []

    def copy(self) -> Standing:
        """See ``Standing.copy``; a copy has no way back."""
        return Standing(
            self.store,
            self.tenant,
            self.root,
            position=self.position,
            keys=dict(self.keys),
            sequence=dict(self.sequence),
            used=set(self.used),
            items=dict(self.items),
            nonces=set(self.nonces),
            links=dict(self.links),
            forgets=dict(self.forgets),
            exports=dict(self.exports),
            published=self.published,
            denied=self.denied,
        )

    def take(
        self,
        event: Event,
        signed: SignedStatement | None,
        *,
        artifacts_of: ArtifactsOf,
        root_at: RootAt,
    ) -> Effect | None:
        """See ``Standing.take``."""
        used, published, denied, keys = len(self.used), self.published, self.denied, self.keys
        if event.type in _OF_REVIEWERS:
            self.keys = dict(keys)
        effect = super().take(event, signed, artifacts_of=artifacts_of, root_at=root_at)
        if signed is None or len(self.used) == used:
            return effect
        decided = effect.verdicts if isinstance(effect, DecisionStatement) else ()
        linked = effect.links if isinstance(effect, LinkStatement) else ()
        step = _Step(
            position=self.position,
            statement=signed.sha256,
            nonces=tuple(verdict.nonce for verdict in decided),
            linked=tuple(link.key for link in linked),
            published=published,
            denied=denied,
            keys=keys,
            sequence=_noted(self.sequence),
            items=_noted(self.items),
            links=_noted(self.links),
            forgets=_noted(self.forgets),
            exports=_noted(self.exports),
        )
        self._steps.append(step)
        return effect

    def at(self, size: int) -> Standing:
        """What stood after the first ``size`` events, equal to a fold that stopped there.

        Args:
            size: At least 0. Beyond the end it is what stands now.
        """
        stood = self.copy()
        for step in reversed(self._steps):
            if step.position <= size:
                break
            step.undo(stood)
        if len(stood.links) > 1 and len(stood.used) < len(self.used):
            turn = {
                (step.statement, key): n
                for n, (step, key) in enumerate(
                    (step, key) for step in self._steps for key in step.linked
                )
            }
            links = stood.links.items()
            stood.links = dict(sorted(links, key=lambda one: turn[one[1].statement, one[0]]))
        stood.position = size
        return stood


def _noted(mapping: dict[_Key, _Value]) -> Changed[_Key, _Value]:
    assert isinstance(mapping, Noted)
    return mapping.changes()
