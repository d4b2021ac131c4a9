"""What is sent: the arguments of the client, and the very bytes that it makes of them."""

from __future__ import annotations

from functools import lru_cache
from threading import local
from typing import TYPE_CHECKING, Any

from review.proposals.protocol import Request

if TYPE_CHECKING:
    from pydantic import BaseModel


class Shown:
    """A client that ends in nothing: it shows what would be sent."""

    def __init__(self, address: str) -> None:
        """``address`` is where requests would go."""
        import anthropic
        import httpx2

        from console.model.connecting import be_quiet

        be_quiet()
        self._seen = local()

        def kept(sent: httpx2.Request) -> httpx2.Response:
            self._seen.body = sent.read()
            return httpx2.Response(200, json={})

        self._client = anthropic.Anthropic(
            api_key="none",
            base_url=address,
            max_retries=0,
            open_telemetry=False,
            http_client=httpx2.Client(transport=httpx2.MockTransport(kept)),
        )

    def body(self, request: Request) -> bytes:
        """The bytes that a request is sent as."""
        self._client.messages.with_raw_response.create(**asked(request))
        body: bytes = self._seen.body
        return body


def asked(request: Request) -> dict[str, Any]:
    """The arguments of the client. Memory is one string in the user's role, and nowhere else."""
    return {
        "model": request.model,
        "max_tokens": request.most_tokens,
        "system": request.instructions,
        "messages": [{"role": "user", "content": request.data.decode("utf-8")}],
        "output_config": {"format": {"type": "json_schema", "schema": _schema(request.shape)}},
    }


@lru_cache(maxsize=32)
def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    from anthropic import transform_schema

    return transform_schema(shape)
