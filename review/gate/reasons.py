"""Reasons in words, English and Russian: one sentence for each code the gate gives.

Values are put in as they are: items, dates and numbers. Foreign text never is.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Final

from review.gate.scored import Due, Gap, Reason

LANGUAGES: Final = ("en", "ru")

SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "states_asked": "it states what is asked",
        "one_step": "it is one step from a memory that states what is asked",
        "shares_words": "it shares words with the question",
        "beside": "it was said in a short conversation beside what is about the question",
        "no_facts": "no facts found in it",
        "since_written": "its start is not known; it is taken as holding since it was written",
        "conflict": "it conflicts with $item (strength $strength)",
        "fits": "F $score reaches θ $theta",
        "below_theta": "F $score is below θ $theta",
        "baseline": "chosen by the baseline $name, not by the gate",
        "not_durable": "staged, not approved; if it were approved it would be $would_be",
        "not_readable": "the reader may not read this kind for this purpose",
        "other_scope": "it belongs to another scope",
        "not_relevant": "ζ $zeta is below the floor $floor: it is not about the question",
        "of_another": "it states what is asked, but of somebody else",
        "superseded": "superseded by $by since $since",
        "stale": "stale since $since: what it rests on has fallen ($path)",
        "not_yet": "not in force before $since",
        "ended": "it ended at $end",
        "did_not_hold": "it did not hold in the asked time (it held from $begins to $ends)",
        "premise_waits": "it rests on a memory that nobody has decided yet",
        "outdone": "$by, which is later, gives another answer to this question",
        "narrower_holds": "in the asked scope $by holds instead",
        "restricted": "it says itself that it is not for everybody, and does not name the reader",
        "withdrawn": "it says itself that it no longer counts",
        "disowned": "$by quotes it and says that it no longer counts",
        "renewed": "$by, which is later, updates or undoes it",
        "supposed": "it is a supposition, and the question asks what is so",
        "gap_old": "no $what is known for $entity; only what does not hold tells of one ($items)",
        "gap_old_nobody": "no $what is known; only what does not hold tells of one ($items)",
        "gap_new": "no $what is known for $entity",
        "gap_new_nobody": "no $what is known",
        "due": "a change is due on $since ($item)",
    },
    "ru": {
        "states_asked": "в ней сказано то, о чём спрашивают",
        "one_step": "она в одном шаге от записи, где сказано то, о чём спрашивают",
        "shares_words": "у неё общие слова с вопросом",
        "beside": "она сказана в коротком разговоре рядом с тем, что относится к вопросу",
        "no_facts": "фактов в ней не найдено",
        "since_written": "начало неизвестно; считается действующей с момента записи",
        "conflict": "противоречит записи $item (сила $strength)",
        "fits": "F $score достигает θ $theta",
        "below_theta": "F $score ниже θ $theta",
        "baseline": "выбрана базовым правилом $name, а не привратником",
        "not_durable": "ожидает решения; при одобрении была бы: $would_be",
        "not_readable": "этот вид памяти нельзя читать для этой цели",
        "other_scope": "относится к другой области",
        "not_relevant": "ζ $zeta ниже порога $floor: она не о вопросе",
        "of_another": "в ней сказано то, о чём спрашивают, но о другом",
        "superseded": "вытеснена записью $by с $since",
        "stale": "устарела с $since: отпало то, на чём она держится ($path)",
        "not_yet": "вступает в силу $since",
        "ended": "закончилась $end",
        "did_not_hold": "не действовала в это время (действовала с $begins по $ends)",
        "premise_waits": "держится на записи, по которой ещё нет решения",
        "outdone": "более поздняя запись $by отвечает на этот вопрос иначе",
        "narrower_holds": "в указанной области вместо неё действует $by",
        "restricted": "в ней сказано, что она не для всех, а читающий в ней не назван",
        "withdrawn": "в ней самой сказано, что она больше не действует",
        "disowned": "запись $by приводит её слова и говорит, что они больше не действуют",
        "renewed": "более поздняя запись $by обновляет или отменяет её",
        "supposed": "это предположение, а вопрос о том, что есть на самом деле",
        "gap_old": "нет сведений: $what для $entity; знают лишь недействующие записи ($items)",
        "gap_old_nobody": "нет сведений: $what; знают лишь недействующие записи ($items)",
        "gap_new": "нет сведений: $what для $entity",
        "gap_new_nobody": "нет сведений: $what",
        "due": "изменение наступит $since ($item)",
    },
}


def sentence(reason: Reason, language: str = "en") -> str:
    """One reason as words.

    Raises:
        KeyError: For a code or a language that is not in ``SENTENCES``.
    """
    told = {"path": "?", **{name: value or "?" for name, value in reason.told.items()}}
    return Template(SENTENCES[language][reason.code]).safe_substitute(told)


def gap_sentence(gap: Gap, language: str = "en") -> str:
    """A gap as words: what is not known, for whom, and which memories used to know."""
    code = f"gap_{'old' if gap.known_by else 'new'}{'' if gap.entity else '_nobody'}"
    told = {"what": gap.words, "entity": gap.entity, "items": ", ".join(gap.known_by)}
    return Template(SENTENCES[language][code]).safe_substitute(told)


def due_sentence(due: Due, language: str = "en") -> str:
    """A change that is due, as words."""
    told = {"since": due.since, "item": due.item}
    return Template(SENTENCES[language]["due"]).safe_substitute(told)
