"""Which policy applies: the file's, recorded as an event when it changes, or the last good one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from review import journal
from review.identities import stamp
from review.policy import Policy, PolicyError, digest, read_policy
from review.staged.placing import Writer
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Store
from store.vault import Payload, Role


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """The policy that applies, its exact text and digest, and what is wrong with a newer file."""

    policy: Policy
    text: bytes
    sha256: str
    problem: str = ""


def adopt(store: Store, text: bytes, writer: Writer) -> PolicyInForce:
    """Take ``text`` as the policy, and record it as an event if it is not the last one.

    A text that cannot be read leaves the recorded policy in force and is named as a problem.

    Raises:
        review.policy.PolicyError: If it cannot be read and none was ever recorded.
    """
    with store.held():
        before = recorded(store)
        try:
            policy = read_policy(text)
        except PolicyError as error:
            if before is None:
                raise
            return replace(before, problem=str(error))
        sha256 = digest(text)
        if before is None or before.sha256 != sha256:
            payload = Payload(Role.POLICY, writer.chance(32), text)
            happening = Happening(
                EventType.POLICY_CHANGED,
                recorded_at=stamp(writer.clock()),
                actor=writer.process,
                actor_kind=ActorKind.PROCESS,
                process=writer.process,
                body={"sha256": sha256, "policy": payload.commitment},
            )
            store.append(Entry(happening, payloads=[payload]))
        return PolicyInForce(policy, text, sha256)


def recorded(store: Store) -> PolicyInForce | None:
    """The policy that was recorded last, or None."""
    page = journal.page(store, kind=str(EventType.POLICY_CHANGED))
    if not page.rows:
        return None
    body = page.rows[0].body
    payload = store.payloads([body["policy"]])[body["policy"]]
    return PolicyInForce(read_policy(payload.body), payload.body, body["sha256"])
