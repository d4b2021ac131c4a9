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
from threading import Lock
from typing import TYPE_CHECKING, Final

from console.model import heard
from console.model.sent import Shown, asked
from console.model.settings import ModelSettings, ModelSettingsError
from console.model.spending import Ledger, Reserved
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
        most_in, most_out = len(body), request.most_tokens
        most = Spent(most_in + most_out, self.settings.cost_micros(most_in, most_out) or 0)
        reserved = self._ledger.reserve(
            key,
            most,
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
        return self._settled(reserved, reply)

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

        from console.model.bounded_answers import TooLargeError

        client, bounds = self._connected()
        call = bounds.call()
        try:
            with call:
                raw = client.messages.with_raw_response.create(**asked(request))
                content = raw.http_response.content
        except anthropic.APITimeoutError as error:
            raise _late(call.seconds) from error
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            if call.over:
                raise _late(call.seconds) from error
            if isinstance(error.__cause__ or error, TooLargeError):
                raise ModelError(Failure.SERVER, "the answer is too large") from error
            raise ModelError(Failure.UNREACHABLE, "the service cannot be reached") from error
        except anthropic.APIStatusError as error:
            raise _busy(error) from error
        except anthropic.AnthropicError as error:
            raise ModelError(Failure.SERVER, type(error).__name__) from error
        if call.over:
            raise _late(call.seconds)
        return self._without_key(heard.read(content))

    def _without_key(self, reply: Reply) -> Reply:
        """A reply that does not show our key: what comes back is kept."""
        said = (reply.text, reply.stop, reply.answered_by, reply.request_id)
        if self._key and any(self._key in one for one in said):
            raise ModelError(Failure.SERVER, "the answer shows the key of the account")
        return reply

    def _connected(self) -> tuple[Anthropic, Bounds]:
        import anthropic
        import httpx2

        from console.model.bounded_answers import Bounds

        with self._lock:
            if self._client is None:
                told = self.settings
                timeout = httpx2.Timeout(told.read_seconds, connect=told.connect_seconds)
                wire = anthropic.DefaultHttpxClient(
                    follow_redirects=False,
                    timeout=timeout,
                    # No connection is left open between calls that are minutes apart.
                    limits=httpx2.Limits(max_keepalive_connections=0),
                )
                bounds = Bounds(wire, told.connect_seconds + told.read_seconds)
                made = anthropic.Anthropic(
                    api_key=self._key,
                    base_url=told.address,
                    max_retries=0,
                    timeout=timeout,
                    open_telemetry=False,
                    http_client=wire,
                )
                self._client = made, bounds
            return self._client

    def _settled(self, reserved: Reserved, reply: Reply) -> Reply:
        """The reply with its cost; one that does not say what it took counts in full."""
        usage = reply.usage
        if not usage.input_tokens and not usage.output_tokens:
            self._ledger.settle(reserved, reserved.tokens, reserved.micros)
            return reply
        cost = self.settings.cost_micros(usage.input_tokens, usage.output_tokens)
        self._ledger.settle(reserved, usage.input_tokens + usage.output_tokens, cost)
        counted = Usage(usage.input_tokens, usage.output_tokens, cost)
        return Reply(reply.text, reply.stop, counted, reply.answered_by, reply.request_id)


class _BusyError(Exception):
    """An answer with an error in it. ``after`` is how many seconds the service asks to wait."""

    def __init__(self, failure: Failure, words: str, after: float | None) -> None:
        self.failure, self.words, self.after = failure, words, after
        super().__init__(words)


def _late(seconds: float) -> ModelError:
    return ModelError(Failure.TIMEOUT, f"no whole answer within {seconds:g} s")


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
