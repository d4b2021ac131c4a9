"""What the spans of an OTLP trace say, in the words of each convention that writes it there.

Read are the GenAI conventions of 1.37 (messages as JSON strings or structured), OpenLLMetry's
numbered prompts and ``traceloop`` entities, the AI SDK's ``ai.*``, and what Langfuse, MLflow and
Pydantic AI put beside them. OpenInference is read elsewhere. The first that says something wins.
"""

from __future__ import annotations

from typing import Final

from importers.json_reading.strict import JsonObject
from importers.traces import documents, message_parts
from importers.traces.attributes import at, nested
from importers.traces.json import Opener
from importers.traces.messages import Messages
from importers.traces.spans import Sort, TraceSpan, Utterance
from store.trajectories import StepKind

_OPERATIONS: Final = {
    "chat": Sort.MODEL,
    "text_completion": Sort.MODEL,
    "completion": Sort.MODEL,
    "generate_content": Sort.MODEL,
    "response": Sort.MODEL,
    "responses": Sort.MODEL,
    "message": Sort.MODEL,
    "llm": Sort.MODEL,
    "invoke_agent": Sort.AGENT,
    "invoke_workflow": Sort.AGENT,
    "agent": Sort.AGENT,
    "workflow": Sort.AGENT,
    "create_agent": Sort.CHAIN,
    "chain": Sort.CHAIN,
    "task": Sort.CHAIN,
    "span": Sort.CHAIN,
    "event": Sort.CHAIN,
    "execute_tool": Sort.TOOL,
    "tool": Sort.TOOL,
    "embeddings": Sort.EMBEDDING,
    "embedding": Sort.EMBEDDING,
    "retrieval": Sort.RETRIEVER,
    "retrieve": Sort.RETRIEVER,
    "retriever": Sort.RETRIEVER,
    "search_memory": Sort.RETRIEVER,
    "rerank": Sort.RETRIEVER,
    "evaluation": Sort.CHECK,
    "evaluator": Sort.CHECK,
    "guardrail": Sort.CHECK,
    "generation": Sort.MODEL,
}
_NAMES: Final = ("gen_ai.operation.name", "traceloop.span.kind", "langfuse.observation.type")
_AI_SDK: Final = {"ai.toolCall": Sort.TOOL, "ai.embed": Sort.EMBEDDING}
_OF_MODELS: Final = (
    *("gen_ai.system", "gen_ai.provider.name", "gen_ai.request.", "gen_ai.response."),
    *("gen_ai.prompt", "gen_ai.completion", "gen_ai.input.", "gen_ai.output.", "gen_ai.usage."),
    *("llm.request.", "llm.usage."),
)
_INPUTS: Final = (
    *("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "ai.prompt"),
    *("traceloop.entity.input", "langfuse.observation.input", "langfuse.trace.input"),
    *("mlflow.spanInputs", "all_messages_events", "pydantic_ai.all_messages", "input.value"),
)
_OUTPUTS: Final = (
    *("gen_ai.output.messages", "gen_ai.completion", "ai.response.text", "ai.response.toolCalls"),
    *("ai.response.object", "traceloop.entity.output", "langfuse.observation.output"),
    *("langfuse.trace.output", "mlflow.spanOutputs", "final_result", "output.value"),
)
_ARGUMENTS: Final = (
    *("gen_ai.tool.call.arguments", "ai.toolCall.args", "tool_arguments", "gen_ai.tool.arguments"),
    *("traceloop.entity.input", "langfuse.observation.input", "mlflow.spanInputs", "input.value"),
    *("gen_ai.input.messages",),
)
_RESULTS: Final = (
    *("gen_ai.tool.call.result", "ai.toolCall.result", "tool_response", "gen_ai.tool.result"),
    *("traceloop.entity.output", "langfuse.observation.output", "mlflow.spanOutputs"),
    *("output.value", "gen_ai.tool.message", "gen_ai.output.messages"),
)
_QUERIES: Final = (
    *("gen_ai.retrieval.query.text", "gen_ai.retrieval.query", "gen_ai.memory.query.text"),
    *("db.query.text", *_INPUTS),
)
_DOCUMENTS: Final = (
    *("gen_ai.retrieval.documents", "gen_ai.memory.records", "retrieval.documents", *_OUTPUTS),
)


def sort_of(attributes: JsonObject, name: str) -> tuple[Sort, bool]:
    """What a span does, and whether it names a sort that is not known here."""
    for key in _NAMES:
        value = attributes.get(key)
        if isinstance(value, str) and value:
            found = _OPERATIONS.get(value.lower())
            return (found, False) if found else (_by_attributes(attributes, Sort.CHAIN), True)
    native = attributes.get("ai.operationId") or attributes.get("operation.name")
    if isinstance(native, str) and native.startswith("ai."):
        word = native.split(" ")[0]
        if word.endswith((".doGenerate", ".doStream")):
            return Sort.MODEL, False
        sdk = next((one for key, one in _AI_SDK.items() if word.startswith(key)), Sort.AGENT)
        return sdk, False
    if name.startswith("execute_tool "):
        return Sort.TOOL, False
    return _by_attributes(attributes, Sort.OTHER), False


def _by_attributes(attributes: JsonObject, otherwise: Sort) -> Sort:
    if "gen_ai.tool.name" in attributes or "gen_ai.tool.call.id" in attributes:
        return Sort.TOOL
    if any(key.startswith(_OF_MODELS) for key in attributes):
        return Sort.MODEL
    if any(key.startswith("gen_ai.agent.") or key == "agent_name" for key in attributes):
        return Sort.AGENT
    if any(key in attributes for key in (*_INPUTS, *_OUTPUTS)):
        return Sort.CHAIN
    return otherwise


def fill(span: TraceSpan, attributes: JsonObject, opener: Opener) -> None:
    """Put into ``span`` what its attributes say; what it has already from events stays."""
    for key in ("gen_ai.response.model", "gen_ai.request.model", "ai.model.id"):
        if isinstance(value := attributes.get(key), str):
            span.model = span.model or value
    attributes = _numbered(attributes)
    if span.sort is Sort.TOOL:
        _tool(span, attributes, opener)
    elif span.sort is Sort.RETRIEVER:
        _search(span, attributes, opener)
    elif span.sort is not Sort.OTHER:
        _said(span, attributes, Messages(opener))


def _said(span: TraceSpan, attributes: JsonObject, messages: Messages) -> None:
    system = attributes.get("gen_ai.system_instructions")
    told = messages.of(system, "system")
    for one in told:
        one.kind, one.loose = StepKind.INSTRUCTION, False
    found: list[Utterance] = []
    for key in _INPUTS:
        found = found or messages.of(attributes.get(key), "user")
    span.input = [*told, *(found or span.input)]
    answers: list[Utterance] = []
    for key in _OUTPUTS:
        if key.startswith("ai.response.") or not answers:
            answers += messages.of(attributes.get(key), "assistant")
    for one in answers:
        one.loose = one.loose and span.sort is not Sort.MODEL
    span.output = answers or span.output


def _tool(span: TraceSpan, attributes: JsonObject, opener: Opener) -> None:
    names = ("gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name", "tool_name")
    span.tool = _word(attributes, *names) or span.name.removeprefix("execute_tool ")
    calls = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call_id", "gen_ai.tool_call.id")
    span.call = _word(attributes, *calls)
    given, gave = _first(attributes, _ARGUMENTS), _first(attributes, _RESULTS)
    text = message_parts.arguments(given, opener)
    span.input = [Utterance(StepKind.ACTION, text, name=span.tool, call=span.call)]
    if gave is not None:
        text = message_parts.result_text(gave, opener)
        span.output = [Utterance(StepKind.RESULT, text, name=span.tool, call=span.call)]


def _search(span: TraceSpan, attributes: JsonObject, opener: Opener) -> None:
    query = message_parts.query(_first(attributes, _QUERIES), opener)
    span.input = [Utterance(StepKind.ACTION, query)] if query else []
    for key in _DOCUMENTS:
        found = documents.of(attributes.get(key), opener, name=span.name)
        span.output = span.output or found


def _numbered(attributes: JsonObject) -> JsonObject:
    """With ``gen_ai.prompt.N.…`` and its kin as lists under their own names."""
    found = dict(attributes)
    for name in ("gen_ai.prompt", "gen_ai.completion", "retrieval.documents"):
        flat = {key: one for key, one in attributes.items() if key.startswith(f"{name}.")}
        if flat and name not in attributes:
            listed = at(nested(flat), name)
            if isinstance(listed, list):
                found[name] = listed
    return found


def _first(attributes: JsonObject, keys: tuple[str, ...]) -> object:
    return next((attributes[key] for key in keys if attributes.get(key) is not None), None)


def _word(attributes: JsonObject, *keys: str) -> str:
    return next((one for key in keys if isinstance(one := attributes.get(key), str) and one), "")
