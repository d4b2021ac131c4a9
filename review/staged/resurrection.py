"""Keeps what was forgotten from coming back: by import, by restore, in a run.

Only keyed digests of the forgotten texts are kept, never the texts. They find the same words about
the same subject, whatever their case, spacing, punctuation, accents, hidden characters and letters
that look alike. A text of eight words or more is found inside a longer one too, by any eight words
of it in a row (by samples of them, where it has hundreds). A text under twelve bytes is found by
the identity of its record instead.

Not found are: a rewording; a text under eight words, or one written without spaces, inside a
longer one; a text spread over two records; and the same text about another subject, or about the
same one under another name. The digests themselves are residue: who holds the tenant's key can
test a guess against them.

Source: the trust specification, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from review.identities import stamp
from review.staged import secret_evidence
from review.staged.manifests import look_of
from review.staged.placing import Found, Writer
from review.text import skeleton
from review.text.skeleton import Sought, maker, named, words
from store import guard_queries
from store.cells import Proposal
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.records import BarRule, Place
from store.trajectories import HumanDecision, Step, Trajectory

SHORT: Final = 12
"""Bytes of a text under which it is known by its record's identity alone."""

FORGOTTEN: Final = skeleton.FORGOTTEN
"""What stands in a run where a forgotten text stood."""

_MOST_PARTS: Final = 512
"""Parts of one forgotten text that are kept; of a longer one, evenly spread."""


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
        self._mac = maker(store.digest_key())
        self._seen = -1
        self._keys: frozenset[bytes] = frozenset()

    def keys_of(self, content: Content) -> tuple[str, ...]:
        """The digests that stand for one content, 32 hex digits each."""
        told = words(content.text)
        if not told or len(look_of(content.text)) < SHORT:
            return (self._key("id", content.source_id),)
        whose, whole = skeleton.skeleton(content.subject), "".join(told)
        parts = skeleton.parts(told)
        parts = parts[:: max(1, -(-len(parts) // _MOST_PARTS))]
        return (
            self._key("about", f"{whose}\0{whole}"),
            self._key("said", whole),
            *(self._key("about part", f"{whose}\0{part}") for part in parts),
            *(self._key("part", part) for part in parts),
        )

    def remember(self, contents: Iterable[Content], writer: Writer, *, forget: str) -> Event:
        """Record that these contents must not come back, under the forget request's id."""
        keys = {key for one in contents for key in self.keys_of(one)}
        return self.record(sorted(keys), writer, forget=forget)

    def record(self, keys: Sequence[str], writer: Writer, *, forget: str) -> Event:
        """Record digests that ``keys_of`` told, sorted, each once."""
        happening = Happening(
            EventType.FORGET_GUARDED,
            recorded_at=stamp(writer.clock()),
            actor=writer.process,
            actor_kind=ActorKind.PROCESS,
            process=writer.process,
            body={"forget": forget, "keys": list(keys)},
        )
        return self._store.append(Entry(happening))

    def sieved(self, found: Sequence[Found]) -> list[Found]:
        """``found`` with what was forgotten refused, and none of its bytes kept."""
        known = self._known()
        if not known:
            return list(found)
        blanked: list[Place] = []
        sought = {"": Sought(self._mac, known, "")}
        told = []
        for one in found:
            whose = (
                skeleton.skeleton(subject_of(one.result))
                if isinstance(one.result, Proposal)
                else ""
            )
            if whose not in sought:
                sought[whose] = Sought(self._mac, known, whose)
            told.append(self._one(one, sought[whose], blanked))
        whole = secret_evidence.without_overlaps(told, blanked)
        return [_named_safely(one, sought[""]) for one in whole]

    def is_current(self) -> bool:
        """Whether nothing was forgotten since ``sieved`` was called last."""
        return self._count() == self._seen

    def safe_name(self, name: str) -> str:
        """The name of a source, or what stands in place of one that tells what was forgotten."""
        known = self._known()
        return FORGOTTEN if known and Sought(self._mac, known, "").in_name(name) else name

    def _one(self, one: Found, sought: Sought, blanked: list[Place]) -> Found:
        result = one.result
        if isinstance(result, Trajectory):
            return self._run(one, result, sought)
        if not isinstance(result, Proposal):
            return _checked(one, sought)
        field = ""
        if sought.has(result.claim) or self._is_short_and_known(result, sought):
            field = "claim"
        elif any(sought.has(text) for text in _beside_the_claim(result)):
            field = "record"
        if field:
            blanked.append(one.place)
            if one.rule is not None:
                return replace(one, raw=secret_evidence.blank(one.raw))
            return Found(
                one.place, secret_evidence.blank(one.raw), result, str(BarRule.FORGOTTEN), field
            )
        return _checked(one, sought)

    def _is_short_and_known(self, proposal: Proposal, sought: Sought) -> bool:
        if len(look_of(proposal.claim)) >= SHORT and skeleton.skeleton(proposal.claim):
            return False
        return sought.knows("id", proposal.source_id)

    def _run(self, one: Found, run: Trajectory, sought: Sought) -> Found:
        """A run without the texts whose words were forgotten; the run itself is kept."""
        told = replace(
            run,
            steps=tuple(_step(step, sought) for step in run.steps),
            decisions=tuple(_decision(decision, sought) for decision in run.decisions),
            run={str(sought.key(key)): sought.safe(value) for key, value in run.run.items()},
            foreign={
                str(sought.key(key)): _foreign(value, sought) for key, value in run.foreign.items()
            },
            source_id=sought.safe(run.source_id),
            branch_of=sought.safe(run.branch_of) if run.branch_of else None,
        )
        if told == run and not sought.in_bytes(one.raw):
            return one
        return replace(
            one, result=told if told != run else run, raw=secret_evidence.blank(one.raw)
        )

    def _key(self, purpose: str, text: str) -> str:
        return self._mac(named(purpose, text)).hex()

    def _count(self) -> int:
        return int(self._store.rows(guard_queries.GUARD_COUNT)[0]["n"])

    def _known(self) -> frozenset[bytes]:
        with self._store.held():
            count = self._count()
            if count != self._seen:
                rows = self._store.rows(guard_queries.GUARDS)
                self._keys = frozenset(bytes.fromhex(row["key"]) for row in rows)
                self._seen = count
        return self._keys


def _named_safely(one: Found, sought: Sought) -> Found:
    """A record whose member in a folder does not tell by its name what was forgotten."""
    if not one.place.member or not sought.in_name(one.place.member):
        return one
    return replace(one, place=replace(one.place, member=FORGOTTEN))


def _checked(one: Found, sought: Sought) -> Found:
    """A record that may stay, without bytes that tell what was forgotten."""
    return replace(one, raw=secret_evidence.blank(one.raw)) if sought.in_bytes(one.raw) else one


def _beside_the_claim(proposal: Proposal) -> Iterator[str]:
    """Every other text of a record that would be kept."""
    yield from proposal.scope
    yield from proposal.scope.values()
    yield from proposal.entities
    facts = proposal.facts
    if proposal.conclusion is not None:
        yield proposal.conclusion.text
        yield proposal.conclusion.task
        facts += proposal.conclusion.support
    for fact in facts:
        yield from (fact.subject, fact.parameter, fact.value)
    for text in (proposal.source_id, proposal.review_id, proposal.immutable, proposal.polarity):
        if text:
            yield text
    yield from (edge.target for edge in proposal.edges)
    for case in proposal.cases:
        yield from (case.run, case.session, case.review_id, case.by)
    yield from _strings(proposal.foreign)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _foreign(value: object, sought: Sought) -> object:
    if isinstance(value, str):
        return sought.safe(value)
    if isinstance(value, Mapping):
        return {sought.key(key): _foreign(inner, sought) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        told = [_foreign(inner, sought) for inner in value]
        return told if isinstance(value, list) else tuple(told)
    return value


def _step(step: Step, sought: Sought) -> Step:
    names = (step.who, step.name, step.call)
    if sought.has(step.text):
        step = replace(step, text=FORGOTTEN, span=None)
    if step.omitted is not None and sought.has(step.omitted.media_type):
        step = replace(step, omitted=replace(step.omitted, media_type=""))
    if not any(sought.has(name) for name in names):
        return step
    who, name, call = (sought.safe(name) for name in names)
    return replace(step, who=who, name=name, call=call)


def _decision(one: HumanDecision, sought: Sought) -> HumanDecision:
    """A decision without what was forgotten; its reason is then unknown, and teaches nothing."""
    return replace(
        one,
        reason=None if one.reason and sought.has(one.reason) else one.reason,
        edit=None if one.edit and sought.has(one.edit) else one.edit,
        by=sought.safe(one.by),
        review_id=sought.safe(one.review_id),
    )
