"""The one adapter to the Anthropic API. The client is imported when the first call is made.

What is sent is what the dry run shows: both come from the same client. The client's own retries
are off, because it waits as long as a server asks it to; ours wait as long as the settings allow.
Redirects are not followed, so a request goes to the address of the settings or nowhere.

Replies are taken as bytes: ``console.model.heard`` reads them. A call has one end, after which its
connection is shut: ``console.model.bounded_answers``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Final

from console.model import heard
from console.model.sent import Shown, asked
from console.model.settings import ModelSettings, ModelSettingsError
from console.model.spending import Ledger
from console.model.spent_days import Spent
from review.proposals import covering
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError, Reply, Request, Spending, Usage

if TYPE_CHECKING:
    from anthropic import Anthropic, APIStatusError

    from console.model.bounded_answers import Bounds

KEY: Final = "ANTHROPIC_API_KEY"
"""The variable of the environment that holds the key. ``console.identity`` reads it."""

_FIRST_WAIT: Final = 0.5
_AGAIN: Final = frozenset({Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.SERVER})
_BY_STATUS: Final = {
    401: Failure.UNAUTHORISED,
    403: Failure.UNAUTHORISED,
    408: Failure.TIMEOUT,
    413: Failure.TOO_LONG,
    429: Failure.RATE_LIMITED,
    529: Failure.OVERLOADED,
}


class ModelHelp:
    """Asks a model of Anthropic. See :class:`review.proposals.protocol.Model`."""

    def __init__(
        self,
        settings: ModelSettings,
        key: str | None,
        ledger: Ledger,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Nothing is imported and nobody is called yet."""
        self.settings, self._key, self._ledger, self._sleep = settings, key, ledger, sleep
        self.name, self.at_once = settings.name, settings.at_once
        self._client: tuple[Anthropic, Bounds] | None = None
        self._shown: Shown | None = None
        self._lock = Lock()

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to a request. See ``review.proposals.protocol.Model.ask``."""
        self._ready()
        body = self.body(request)
        # What is not in the data is our own words, the same for everybody.
        if covering.shows_secret(request.data):
            raise ModelError(Failure.SECRET, "something like a secret is left in the request")
        # A token is at least one byte, so no request can take more than this.
        most = self._counted(Usage(len(body), request.most_tokens))
        reserved = self._ledger.reserve(
            key,
            Spent(most.input_tokens + most.output_tokens, most.cost_micros or 0),
            tokens=self.settings.tokens_per_day,
            micros=self.settings.money_micros,
        )
        try:
            reply = self._tried(request)
        except ModelError as error:
            # What was sent and not turned down by a status may have been counted by the service.
            unknown = not isinstance(error.__cause__, _BusyError)
            spent = (reserved.tokens, reserved.micros) if unknown else (0, 0)
            self._ledger.settle(reserved, *spent)
            raise
        usage = self._counted(reply.usage) if _is_credible(reply.usage, most) else most
        self._ledger.settle(reserved, usage.input_tokens + usage.output_tokens, usage.cost_micros)
        return replace(reply, usage=usage)

    def body(self, request: Request) -> bytes:
        """The exact bytes that a request is sent as. Nobody is called.

        Raises:
            ModelError: If no model is set.
        """
        if not self.name:
            raise ModelError(Failure.BAD_SETTINGS, "no model is set")
        with self._lock:
            if self._shown is None:
                self._shown = Shown(self.settings.address)
        return self._shown.body(request)

    def spending(self) -> Spending:
        """What is set and what was spent today."""
        told, spent = self.settings, self._ledger.spent()
        return Spending(
            on=told.on,
            model=told.name,
            has_key=bool(self._key),
            tokens=spent.tokens,
            tokens_allowed=told.tokens_per_day,
            cost_micros=spent.micros,
            cost_allowed_micros=told.money_micros,
            currency=told.currency,
            calls=spent.calls,
        )

    def _ready(self) -> None:
        if not self.settings.on:
            raise ModelError(Failure.OFF, "switch it on with: memory-console model set on=true")
        try:
            self.settings.checked()
        except ModelSettingsError as error:
            raise ModelError(Failure.BAD_SETTINGS, str(error)) from error
        if not self._key:
            raise ModelError(Failure.NO_KEY, f"{KEY} is not set for this process")
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelError(Failure.UNAUTHORISED, f"{KEY} has characters that no key has")

    def _tried(self, request: Request) -> Reply:
        for attempt in range(1, self.settings.attempts + 1):
            try:
                return self._once(request)
            except _BusyError as busy:
                wait = _FIRST_WAIT * 2 ** (attempt - 1) if busy.after is None else busy.after
                last = attempt == self.settings.attempts or wait > self.settings.longest_wait
                if busy.failure not in _AGAIN or last:
                    raise ModelError(busy.failure, busy.words) from busy
                self._sleep(wait)
        raise AssertionError

    def _once(self, request: Request) -> Reply:
        import anthropic
        import httpx2

        from console.model.bounded_answers import LateError, TooLargeError

        client, bounds = self._connected()

        def answered() -> bytes:
            raw = client.messages.with_raw_response.create(**asked(request))
            return raw.http_response.content

        try:
            content = bounds.call().made(answered)
        except (anthropic.APITimeoutError, LateError) as error:
            words = f"no whole answer within {bounds.seconds:g} s"
            raise ModelError(Failure.TIMEOUT, words) from error
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            if isinstance(error.__cause__ or error, TooLargeError):
                raise ModelError(Failure.SERVER, "the answer is too large") from error
            raise ModelError(Failure.UNREACHABLE, "the service cannot be reached") from error
        except anthropic.APIStatusError as error:
            raise _busy(error) from error
        except anthropic.AnthropicError as error:
            raise ModelError(Failure.SERVER, type(error).__name__) from error
        return self._without_key(heard.read(content))

    def _without_key(self, reply: Reply) -> Reply:
        """A reply that does not show our key: what comes back is kept."""
        said = (reply.text, reply.stop, reply.answered_by, reply.request_id)
        whole = " ".join((*said, heard.unescaped(reply.text)))
        if self._key and self._key in whole:
            raise ModelError(Failure.SERVER, "the answer shows the key of the account")
        return reply

    def _connected(self) -> tuple[Anthropic, Bounds]:
        from console.model.connecting import connected

        with self._lock:
            if self._client is None:
                self._client = connected(self.settings, self._key)
            return self._client

    def _counted(self, usage: Usage) -> Usage:
        """What was used, with its cost by the prices of the settings."""
        cost = self.settings.cost_micros(usage.input_tokens, usage.output_tokens)
        return replace(usage, cost_micros=cost)


class _BusyError(Exception):
    """An answer with an error in it. ``after`` is how many seconds the service asks to wait."""

    def __init__(self, failure: Failure, words: str, after: float | None) -> None:
        self.failure, self.words, self.after = failure, words, after
        super().__init__(words)


def _is_credible(told: Usage, most: Usage) -> bool:
    """Whether a call can have taken what its answer says. One that cannot counts in full."""
    return 0 < told.input_tokens <= most.input_tokens and told.output_tokens <= most.output_tokens


def _busy(error: APIStatusError) -> _BusyError:
    status = error.status_code
    usual = Failure.REJECTED if 400 <= status < 500 else Failure.SERVER
    try:
        after = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        after = None
    if after is not None and not 0 <= after < float("inf"):
        after = None
    return _BusyError(_BY_STATUS.get(status, usual), f"status {status}", after)
