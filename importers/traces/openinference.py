"""What OpenInference attributes say, for Phoenix and for OTLP traces that carry them.

A span says its content twice, as messages and as ``input.value``; the messages are read, and the
value only where there are none.
"""

from __future__ import annotations

from typing import Final

from importers.traces import documents, message_parts
from importers.traces.attributes import Tree, at, text_at
from importers.traces.json import Opener
from importers.traces.messages import Messages
from importers.traces.spans import Parts, Sort, TraceSpan, Utterance, keep
from store.records import RemarkCode
from store.trajectories import StepKind

SORTS: Final = {
    "LLM": Sort.MODEL,
    "CHAIN": Sort.CHAIN,
    "TOOL": Sort.TOOL,
    "RETRIEVER": Sort.RETRIEVER,
    "EMBEDDING": Sort.EMBEDDING,
    "AGENT": Sort.AGENT,
    "RERANKER": Sort.RETRIEVER,
    "GUARDRAIL": Sort.CHECK,
    "EVALUATOR": Sort.CHECK,
    "PROMPT": Sort.CHAIN,
    "UNKNOWN": Sort.CHAIN,
}


def fill(span: TraceSpan, tree: Tree, parts: Parts, opener: Opener) -> None:
    """Put into ``span`` what its attributes say, and into ``parts`` what holds for the trace."""
    messages = Messages(opener)
    span.model = span.model or text_at(tree, "llm.model_name", "embedding.model_name")
    given, gave = at(tree, "input.value"), at(tree, "output.value")
    if span.sort is Sort.TOOL:
        _tool(span, tree, given, gave, opener)
    elif span.sort is Sort.RETRIEVER:
        _search(span, tree, given, gave, opener)
    elif span.sort is Sort.EMBEDDING:
        _embedding(span, tree, given, parts)
    else:
        for path in ("llm.input_messages", "llm.prompts", "llm.prompt_template.template"):
            span.input = span.input or messages.of(at(tree, path), "user")
        span.input = span.input or messages.of(given, "user")
        for path in ("llm.output_messages", "llm.completions", "llm.choices"):
            span.output = span.output or messages.of(at(tree, path), "assistant")
        span.output = span.output or messages.of(gave, "assistant")
    about(parts, tree, opener)


def about(parts: Parts, tree: Tree, opener: Opener) -> None:
    """What a span says of the session, the user and the agent."""
    for name, path in (("session", "session.id"), ("agent", "agent.name")):
        if value := text_at(tree, path):
            parts.run.setdefault(name, value)
    keep(parts, "claimed_user", text_at(tree, "user.id"))
    keep(parts, "tags", opener.open(at(tree, "tag.tags")))
    keep(parts, "metadata", opener.open(at(tree, "metadata")))


def _tool(span: TraceSpan, tree: Tree, given: object, gave: object, opener: Opener) -> None:
    span.tool = text_at(tree, "tool.name", "tool_call.function.name") or span.name
    span.call = text_at(tree, "tool.id", "tool_call.id", "tool.call_id")
    if given is None:
        given = at(tree, "tool_call.function.arguments") or at(tree, "tool.parameters")
    text = message_parts.arguments(given, opener)
    span.input = [Utterance(StepKind.ACTION, text, name=span.tool, call=span.call)]
    if gave is not None:
        result = message_parts.result_text(gave, opener)
        span.output = [Utterance(StepKind.RESULT, result, name=span.tool, call=span.call)]


def _search(span: TraceSpan, tree: Tree, given: object, gave: object, opener: Opener) -> None:
    text = message_parts.query(at(tree, "reranker.query") or given, opener)
    span.input = [Utterance(StepKind.ACTION, text)] if text else []
    for path in ("retrieval.documents", "reranker.output_documents"):
        span.output = span.output or documents.of(at(tree, path), opener, name=span.name)
    span.output = span.output or documents.of(gave, opener, name=span.name)
    if not span.output and isinstance(gave, str) and gave.strip():
        span.output = [Utterance(StepKind.RECALLED, gave, name=span.name)]


def _embedding(span: TraceSpan, tree: Tree, given: object, parts: Parts) -> None:
    listed = at(tree, "embedding.embeddings")
    for one in listed if isinstance(listed, list) else []:
        inner = at(one, "embedding")
        vector, text = at(inner, "vector"), at(inner, "text")
        if isinstance(vector, list):
            parts.remarks[RemarkCode.VECTORS_DROPPED] = None
            parts.foreign["vector_dimensions"] = len(vector)
        if isinstance(text, str) and text:
            span.input.append(Utterance(StepKind.NOTE, text))
    if not span.input and isinstance(given, str):
        span.input = [Utterance(StepKind.NOTE, given)]
