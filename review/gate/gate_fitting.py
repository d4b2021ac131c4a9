"""The fitted gate as a record: learned once, kept with its data, shown beside the other one."""

from __future__ import annotations

import json
from dataclasses import replace

from review.gate import fitted_gate
from review.gate.fitted_gate import FittedGate
from review.gate.numbers import Bar
from review.gate.scored import Scored
from review.identities import stamp
from review.staged.placing import Writer
from store import queries
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Readable, Store
from store.vault import Payload, Role


def learn(store: Store, labels: bytes, *, theta: float, writer: Writer) -> FittedGate:
    """Fit a gate to labelled verdicts, and record it with them, its weights and its figures.

    Raises:
        review.gate.fitted_gate.LabelsError: If nothing can be learned from them, or recorded.
    """
    gate = fitted_gate.fit(fitted_gate.read_labels(labels), theta=theta)
    payload = Payload(Role.LABELS, writer.chance(32), labels)
    happening = Happening(
        EventType.GATE_FITTED,
        recorded_at=stamp(writer.clock()),
        actor=writer.process,
        actor_kind=ActorKind.PROCESS,
        process=writer.process,
        body={"labels": payload.commitment, "gate": fitted_gate.as_value(gate)},
    )
    store.append(Entry(happening, payloads=[payload]))
    return gate


def recorded(store: Readable, *, since: int = 0, until: int = 2**62) -> FittedGate | None:
    """The gate that was fitted last in the positions ``[since, until)`` of the log, or None."""
    kind = str(EventType.GATE_FITTED)
    found = store.rows(queries.NEWEST_OF_TYPE, type=kind, since=since, until=until)
    return fitted_gate.from_value(json.loads(found[0]["canon"])["body"]["gate"]) if found else None


def second_opinion(one: Scored, gate: FittedGate, *, decides: bool) -> Scored:
    """A verdict with the fitted gate's probability beside it.

    Args:
        one: The training-free verdict.
        gate: The fitted gate.
        decides: Whether the policy lets it decide. The hard filter holds either way.
    """
    told = replace(one, fitted=gate.probability(one.zeta, one.validity, one.psi, one.risk))
    if not decides or Bar.NOT_DURABLE in one.bars:
        return told
    admits = gate.admits(one.zeta, one.validity, one.psi, one.risk)
    return replace(told, admitted=one.h and admits)
