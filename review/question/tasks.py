"""Tasks: whether two of them, in words, are the same thing to do or to answer.

Compared by their content words in dictionary form, in any order; facts stated before the asking
sentence, and times, are left out of both. What asks for a place, a time, a person, a reason or a
number counts, and so do negations; "which" and "what" do not, nor do articles, pronouns,
auxiliaries and most prepositions. Other words are another task here; ``review.question.rewording``
knows when they are not.

Source: ours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from review.facts import questions
from review.facts.sentences import Reading
from review.facts.tables import forms, word_set
from review.facts.words import folded, lemma, tokens

_SILENT: Final = word_set(
    "a an the this that these those my your his her its our their i you he she it we they me him"
    " us them mine yours ours be am is are was were been being do does did have has had will would"
    " shall should can could may might must of to in on at by for with as and or but so if then"
    " there here please tell let remind know want which what whose that's what's it's"
    " i'm i've i'd i'll we're we've we'd we'll let's s"
    " и а но или в во на с со к ко о об от до по у из для при за же бы ли то это этот эта эти тот"
    " та те наш наша наше наши мой моя мое мои твой ваш ваша ваше ваши свой я ты он она оно мы вы"
    " они мне нам вам нас вас быть есть был была было были будет надо нужно можно пожалуйста"
    " напомнить подсказать сказать какой какая какое какие каков что который чей как-то"
    " следует стоит стоить"
)
_ASKING: Final = forms("""
where: где куда
whence: откуда
when: когда
who: whom кто кого кому кем ком
why: почему зачем отчего
how: как
how_many: сколько
not: no never none without не нет без никогда нельзя
from:
""")
"""Words that decide what is asked, in either language."""


def same_task(one: str, other: str) -> bool:
    """Whether two tasks have the same content words.

    True for ``which carrier do we use`` and ``What carriers are we using?``; false for another
    verb, object, place or number, and when either holds no content word at all.
    """
    mine = content(one)
    return bool(mine) and mine == content(other)


@lru_cache(maxsize=1024)
def content(task: str) -> frozenset[str]:
    """The content words of a task in dictionary form, as they are compared."""
    return worded(questions.task(Reading(task)))


def worded(text: str) -> frozenset[str]:
    """The content words of any words."""
    words = [folded(token.text) for token in tokens(text)]
    found: set[str] = set()
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if word == "how" and following in {"many", "much"}:
            found.add("how_many")
        elif word in {"many", "much"} and at and words[at - 1] == "how":
            continue
        else:
            found.add(_normal(word))
    return frozenset(found - {""})


def _normal(word: str) -> str:
    if word.endswith(("n't", "n’t")):
        return "not"
    if word in _ASKING:
        return _ASKING[word]
    if word in _SILENT:
        return ""
    form = lemma(word)
    return "" if form in _SILENT else _ASKING.get(form, form)
