"""What the command line says of model help: why there is no reply, and what became of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.commands.telling import count
from review.text.visible import escape_line

if TYPE_CHECKING:
    from review.proposals.protocol import ModelError, Spending
    from review.proposals.records import Record

_FAILURES: Final = {
    "off": "Model help is off. Switch it on with: memory-console model set on=true name=NAME",
    "no_key": "There is no key: ANTHROPIC_API_KEY is not set for this process.",
    "bad_settings": "A setting of model help cannot be used",
    "budget": "The budget of the day does not allow this call",
    "secret": "Something like a secret is left in what would be sent, so it is not sent.",
    "too_long": "There is too much text for one request",
    "in_progress": "The same is being asked by another process now. Wait for it.",
    "unauthorised": "The key was not accepted (401 or 403).",
    "rate_limited": "The service says that too much was asked (429). Try again later.",
    "overloaded": "The service is overloaded (529). Try again later.",
    "timeout": "The service did not answer in time. The call counts in full.",
    "unreachable": "The service cannot be reached.",
    "rejected": "The service did not accept the request",
    "server": "The service failed, or what it answered is no message.",
    "erased": "What was asked about was erased meanwhile, so the reply was not kept.",
    "not_recorded": "Nothing is recorded for this, and nobody was asked.",
}
"""By ``review.proposals.jobs.Failure``. Those without a full stop are followed by why."""

_OUTCOMES: Final = {
    "proposed": "",
    "refused": "The model declined.",
    "cut": "The reply was cut off, so it is not used.",
    "malformed": "The reply is not in the form that was asked for, so it is not used.",
}
GRAMMAR: Final = "The grammar's reading stands."


def why(error: ModelError) -> str:
    """Why there is no reply, as a sentence."""
    told = _FAILURES[error.failure]
    if told.endswith("."):
        return told
    return f"{told}: {error.told}." if error.told else f"{told}."


def sentence(failure: str) -> str:
    """Why there is no reply, where only the code of it is known."""
    return f"{_FAILURES[failure].removesuffix('.')}."


def outcome(record: Record) -> str:
    """Why a reply is no proposal; blank for a proposal."""
    return _OUTCOMES[record.outcome]


def took(record: Record) -> str:
    """What a reply took, in words."""
    usage = record.usage
    cost = "" if usage.cost_micros is None else f", {usage.cost_micros / 1e6:.4f}"
    other = record.answered_by not in ("", record.model)
    by = f", answered by {escape_line(record.answered_by)}" if other else ""
    return f"{count(usage.input_tokens)} tokens in, {count(usage.output_tokens)} out{cost}{by}"


def spent(told: Spending) -> list[str]:
    """How model help stands, a line each."""
    lines = [
        f"model help   {'on' if told.on else 'off'}",
        f"model        {told.model or '-'}",
        f"key          {'found in the environment' if told.has_key else 'none'}",
        f"calls today  {count(told.calls)}",
        f"tokens today {count(told.tokens)} of {count(told.tokens_allowed)}",
    ]
    if told.cost_allowed_micros is not None:
        allowed = f"{told.cost_allowed_micros / 1e6:.2f} {told.currency}"
        lines.append(f"money today  {told.cost_micros / 1e6:.4f} of {allowed}")
    elif told.cost_micros:
        lines.append(f"money today  {told.cost_micros / 1e6:.4f} {told.currency}")
    return lines
