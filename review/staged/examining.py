"""What policy and rules say of the records of a batch, before the store is asked what it knows.

Secrets are blanked, the policy judges, flags are set and digests for finding repeats are made. All
searches of text go over many records at once, because most of them hold nothing to be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from review import secrets
from review.policy import Policy, Refusal, RuleName, judge_each
from review.staged import flags, immutability, run_masking, run_spelling, secret_evidence, spelling
from review.staged.fact_reading import FactReading
from review.staged.manifests import look_of
from review.staged.placing import Found
from store.cells import Kind, Proposal
from store.records import Failed, Origin, Place, Read, RemarkCode
from store.trajectories import Trajectory
from store.vault import digester

_TOGETHER: Final = 200
"""Records whose texts are searched in one pass; more would not be faster, only bigger."""


class Examiner:
    """Examines records for one tenant under one policy."""

    def __init__(
        self, policy: Policy, tenant_id: str, key: bytes, facts: FactReading | None = None
    ) -> None:
        """Prepare; ``key`` is the tenant's for digests. Without ``facts`` no claim is read."""
        self._policy = policy
        self._facts = facts
        self._tenant_id = tenant_id
        self._content_key = digester(key, "content")
        self._source_key = digester(key, "source")
        self._look_key = digester(key, "look")
        self._session_key = digester(key, "session")

    def examined(
        self, reads: Sequence[Read], origin: Origin, *, verbatim: bool = False
    ) -> list[Found]:
        """Each record with what is to be said of it, in order."""
        found: list[Found] = []
        blanked: list[Place] = []
        for start in range(0, len(reads), _TOGETHER):
            some = _named_safely(reads[start : start + _TOGETHER])
            runs = {n: self._run(one) for n, one in enumerate(some) if _is_run(one)}
            rest = [one for n, one in enumerate(some) if n not in runs]
            told = iter(self._together(rest, origin, blanked, verbatim=verbatim))
            found += [runs[n] if n in runs else next(told) for n in range(len(some))]
        return secret_evidence.without_overlaps(found, blanked)

    def _run(self, read: Read) -> Found:
        """A trajectory: no policy refuses evidence; its secrets are masked."""
        assert isinstance(read.found, Trajectory)
        run, raw = run_masking.masked(read.found, read.raw)
        session = run.run.get("session") or next(iter(run.run.values()), run.source_id)
        return Found(
            read.place,
            raw,
            run,
            content_key=self._content_key(run_spelling.content(run)),
            source_key=self._source_key(run.source_id.encode("utf-8")),
            session_key=self._session_key(session.encode("utf-8")),
        )

    def _together(
        self, reads: Sequence[Read], origin: Origin, blanked: list[Place], *, verbatim: bool
    ) -> list[Found]:
        masked = secret_evidence.masked_each(
            [read.raw for read in reads], [isinstance(read.found, Failed) for read in reads]
        )
        proposals = {
            n: _completed(read.found, origin, verbatim=verbatim)
            for n, read in enumerate(reads)
            if isinstance(read.found, Proposal)
        }
        refusals = judge_each(
            list(proposals.values()), tenant_id=self._tenant_id, policy=self._policy
        )
        found = [
            Found(read.place, raw, read.found)
            for read, (raw, _) in zip(reads, masked, strict=True)
        ]
        fit: list[int] = []
        for (n, proposal), refusal in zip(proposals.items(), refusals, strict=True):
            rule, at_fault = self._rule(refusal, masked[n][1])
            if rule is None:
                fit.append(n)
            else:
                raw, leaks = masked[n]
                if not secret_evidence.fit_to_keep(proposal, raw, leaks):
                    raw = secret_evidence.blank(raw)
                    blanked.append(reads[n].place)
                found[n] = Found(reads[n].place, raw, proposal, rule, at_fault)
        marks = flags.flags_of_each(
            [proposals[n] for n in fit],
            self._policy,
            [_evidence(proposals[n], masked[n][0]) for n in fit],
        )
        for n, marked in zip(fit, marks, strict=True):
            proposal = proposals[n]
            read = self._read(proposal)
            # A record is known again by what its source says, whatever is read from it.
            found[n] = Found(
                reads[n].place,
                masked[n][0],
                read,
                marks=_marks(marked, proposal, read),
                hint=self._policy.lane_hint(proposal.kind),
                content_key=self._content_key(_named(origin.importer, proposal)),
                source_key=self._source_key(proposal.source_id.encode("utf-8")),
                look_key=self._look_key(look_of(proposal.claim)),
            )
        return found

    def _read(self, proposal: Proposal) -> Proposal:
        """The proposal with its facts, and with what makes it immutable."""
        read = proposal if self._facts is None else self._facts.read(proposal)
        why = immutability.assigned(read)
        return read if why == read.immutable else replace(read, immutable=why)

    def _rule(
        self, refusal: Refusal | None, leaks: Sequence[secrets.Finding]
    ) -> tuple[str | None, str]:
        """The rule that refuses a record, and the field at fault; the record itself comes last."""
        if refusal is not None:
            return str(refusal.rule), refusal.field
        for leak in leaks:
            if leak.category in self._policy.reject_if_contains:
                return str(RuleName(f"contains_{leak.category}")), "record"
        return None, ""


def _named(importer: str, proposal: Proposal) -> bytes:
    """What makes a record the same when it comes again: its content, from the same format.

    A file of another format that names its id does not make it known: it could be written first,
    with another time of writing and other words about itself, and hide the record that comes.
    """
    return importer.encode("utf-8") + b"\0" + spelling.content(proposal)


def _marks(
    marked: tuple[flags.Flag, ...], told: Proposal, read: Proposal
) -> tuple[flags.Flag, ...]:
    if told.immutable is None and read.immutable is not None:
        return flags.in_order((*marked, flags.Flag(flags.FlagCode.IMMUTABLE)))
    return marked


def _is_run(read: Read) -> bool:
    return isinstance(read.found, Trajectory)


def _named_safely(reads: Sequence[Read]) -> list[Read]:
    """The records with secrets masked in the names of the members they stand in."""
    told = list(reads)
    for n in secrets.suspects([read.place.member for read in reads]):
        place = reads[n].place
        told[n] = replace(reads[n], place=replace(place, member=secrets.mask(place.member)[0]))
    return told


def _completed(proposal: Proposal, origin: Origin, *, verbatim: bool) -> Proposal:
    """The proposal with what the whole import says about each of its records."""
    if verbatim and not proposal.verbatim:
        proposal = replace(proposal, verbatim=True)
    if proposal.written_at is None and origin.modified_at is not None:
        remarks = (*proposal.remarks, str(RemarkCode.WRITTEN_AT_ASSUMED))
        proposal = replace(proposal, written_at=origin.modified_at, remarks=remarks)
    return proposal


def _evidence(proposal: Proposal, raw: bytes) -> str | None:
    """The text under the evidence spans, where a flag depends on it."""
    if proposal.kind is not Kind.PROFILE_PREFERENCE or not proposal.evidence:
        return None
    spans = (raw[span.start : span.end] for span in proposal.evidence)
    return "\n".join(span.decode("utf-8", "replace") for span in spans)
