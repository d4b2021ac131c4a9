"""The foreign words of a proposal: where they stand, and whether they state a wish."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from store.cells import Proposal


def texts_of(proposal: Proposal) -> list[tuple[str, str]]:
    """Every foreign text of ``proposal`` with the field it stands in.

    A fact is told as ``parameter: value``, and a claim once more after a heading or type that
    names a password, so that a secret is seen with the word that names it.
    Fields of many short values come as one text, a line each.
    """
    found = [("claim", proposal.claim)]
    found += [("claim", told) for told in (*_labelled(proposal), *_opened(proposal.claim))]
    if proposal.facts:
        facts = (f"{fact.subject}\n{fact.parameter}: {fact.value}" for fact in proposal.facts)
        found.append(("facts", "\n".join(facts)))
    if proposal.conclusion is not None:
        answer = proposal.conclusion
        facts = (f"{fact.subject}\n{fact.parameter}: {fact.value}" for fact in answer.support)
        found.append(("conclusion", "\n".join((answer.text, answer.task, *facts))))
    if proposal.entities:
        found.append(("entities", "\n".join(proposal.entities)))
    if proposal.scope:
        scope = [f"{name}: {value}" for name, value in proposal.scope.items()]
        found.append(("scope", "\n".join(scope)))
    rest = (proposal.source_id, proposal.immutable, proposal.polarity, proposal.review_id)
    found.append(("source_id", "\n".join(filter(None, rest))))
    if proposal.edges:
        found.append(("edges", "\n".join(edge.target for edge in proposal.edges)))
    if proposal.cases:
        cases = (f"{one.run}\n{one.session}\n{one.by}\n{one.review_id}" for one in proposal.cases)
        found.append(("cases", "\n".join(cases)))
    if proposal.foreign:
        lines: list[str] = []
        _add_lines(lines, proposal.foreign)
        found.append(("foreign", "\n".join(lines)))
    return found


_PASSWORD: Final = re.compile(r"pass|pwd|парол|кодов", re.IGNORECASE)
_NAMING: Final = re.compile(r"(?i)pass|pwd|парол|кодов|secret|секрет|token|токен|key|ключ|cv[vc]")
_LABELS: Final = ("key", "parameter", "field", "name")
_BEGIN: Final = 300
"""Characters of a claim that a label may be about."""


def _labelled(proposal: Proposal) -> list[str]:
    """The claim after each heading, type or scope that names a password: ``password <claim>``."""
    labels = [
        value
        for value in (*proposal.scope.values(), *proposal.foreign.values())
        if type(value) is str and len(value) <= 200 and _PASSWORD.search(value)
    ]
    if not labels:
        return []
    claim = proposal.claim[:_BEGIN]
    words = dict.fromkeys((claim, claim.partition(": ")[2]))
    return [f"{label} {said}" for label in labels[:20] for said in words if said]


def _opened(claim: str) -> list[str]:
    """What a claim that is JSON says, each value behind the name that it has there."""
    if claim.lstrip()[:1] not in ("{", "[") or _NAMING.search(claim) is None:
        return []
    lines: list[str] = []
    try:
        _add_lines(lines, json.loads(claim))
    except (ValueError, RecursionError):
        return []
    return ["\n".join(lines)]


def _add_lines(
    lines: list[str], value: object, name: str = "", depth: int = 0, above: str = ""
) -> None:
    """A nested value as ``name: value`` lines; no importer passes more than 32 levels.

    ``above`` is the nearest name that may be a secret's: it is handed down to all that it holds.
    """
    if depth > 32:
        return
    if type(value) is str:  # the usual case; asking for a Mapping is slow
        lines.extend(_told(value, name, above))
    elif isinstance(value, Mapping):
        label = _label_of(value)
        for key, inner in value.items():
            own = str(key)
            handed = own if type(inner) is not str and _NAMING.search(own) else above
            if label and own == "value":
                handed = label
            _add_lines(lines, inner, own, depth + 1, handed)
    elif isinstance(value, list | tuple):
        for inner in value:
            _add_lines(lines, inner, name, depth + 1, above)
    elif value is not None and not isinstance(value, bool):
        lines.extend(_told(str(value), name, above))


def _told(value: str, name: str, above: str) -> tuple[str, ...]:
    line = f"{name}: {value}" if name else value
    return (line, f"{above}: {value}") if above and above != name else (line,)


def _label_of(value: Mapping[str, object]) -> str:
    """What a ``value`` beside it is called, as in ``{"key": "password", "value": …}``."""
    if "value" not in value:
        return ""
    return next((str(value[one]) for one in _LABELS if type(value.get(one)) is str), "")


_SIGNAL: Final = re.compile(
    r"\bi(?:'d| would| do| really| much| always| strongly)* (?:prefer|like|love|enjoy|hate|dislike"
    r"|want|rather)\b|\bi (?:don't|do not|can't|cannot) (?:like|want|stand)\b|\bi'd rather\b"
    r"|\bmy (?:favou?rite|preference)\b|\bplease,? (?:always|never|don't|do not|use|call|keep)\b"
    r"|\b(?:always|never|don't|do not) (?:call|send|use|write|show|remind|email|text) me\b"
    r"|\bfrom now on\b|\bremember that i\b"
    r"|предпочитаю|предпочла бы|предпоч[её]л бы|мне (?:очень |больше |не )?нрав[ия]тся|люблю"
    r"|ненавижу|обожаю|терпеть не могу|(?:мне|я) (?:удобнее|удобно|хочу|хотел[аи]? бы)"
    r"|не хочу|моё любим|мой любим|моя любим|пожалуйста,? (?:всегда|никогда|не )"
    r"|(?:пиши|зови|называй|присылай|показывай|звони|напоминай)(?:те)? мне"
    r"|(?:зови|называй)(?:те)? меня|запомни(?:те)?, что я"
)


def has_signal(text: str) -> bool:
    """Whether the words state a wish of the speaker's own ("I prefer", "мне нравится").

    A report about somebody ("user prefers tea") is not a signal: a model may have guessed it.
    """
    return _SIGNAL.search(text.lower().replace("’", "'")) is not None
