"""What a model can be asked for, and how that can end. Closed lists."""

from __future__ import annotations

from enum import StrEnum


class Job(StrEnum):
    """What a model is asked for."""

    CLAIM = "claim"
    """The facts of a claim, and the old answer in it, if it has one."""

    QUESTION = "question"
    """What a question states and asks for."""

    RELATIONS = "relations"
    """Conflicts and dependencies between given records."""

    INSIGHTS = "insights"
    """What could be learned from given runs."""

    RULE = "rule"
    """A draft of a rule's text from an insight."""

    CURRENT_CONTEXT = "current_context"
    """A baseline of MemTrim: an answer that is to follow the question over memory."""

    ANSWER_FIRST = "answer_first"
    """A baseline of MemTrim, first half: an answer without memory."""

    THEN_LOOK = "then_look"
    """A baseline of MemTrim, second half: the same answer after a look at memory."""


class Sort(StrEnum):
    """What sort of thing is proposed; people's decisions are counted by it."""

    FACT = "fact"
    CONCLUSION = "conclusion"
    CONFLICT = "conflict"
    DEPENDENCY = "dependency"
    INSIGHT = "insight"
    RULE = "rule"


class Outcome(StrEnum):
    """What became of a request that was answered. Each is kept, and none is asked again."""

    PROPOSED = "proposed"
    REFUSED = "refused"
    """The model declined."""

    CUT = "cut"
    """The reply was longer than it may be."""

    MALFORMED = "malformed"
    """The reply is not what was asked for: no JSON, other fields, or out of bounds."""


class Failure(StrEnum):
    """Why there is no reply at all. None of these is kept: the same may be asked again."""

    OFF = "off"
    """Model help is switched off."""

    NO_KEY = "no_key"
    BAD_SETTINGS = "bad_settings"
    BUDGET = "budget"
    """What may be spent in a day would be passed."""

    SECRET = "secret"
    """Something that looks like a secret is left in what would be sent."""

    TOO_LONG = "too_long"
    IN_PROGRESS = "in_progress"
    """Another process is asking the same now."""

    UNAUTHORISED = "unauthorised"
    """The key was not accepted: 401 or 403."""

    RATE_LIMITED = "rate_limited"
    """429, also after waiting as long as the settings allow."""

    OVERLOADED = "overloaded"
    """529."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REJECTED = "rejected"
    """Another 4xx: the request itself was not accepted."""

    SERVER = "server"
    """Another 5xx, or an answer that is none of the Messages API."""

    ERASED = "erased"
    """What was asked about was erased while the model was asked, so the reply is not kept."""

    NOT_RECORDED = "not_recorded"
    """Only records may be used here, and there is none."""
