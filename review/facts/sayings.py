"""Words that every reading rule knows: fillers, negation, doubt, persons, and links to a value.

English and Russian, folded. They name no parameter; the table does that.
"""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of ``text``, which are parted by blanks."""
    return frozenset(text.split())


def phrase_list(text: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of ``text``, which are parted by bars, as words; longer ones first."""
    return tuple(sorted((tuple(p.split()) for p in text.split("|")), key=len, reverse=True))


FILLERS: Final = word_set(
    "now currently still also actually just finally officially recently already presently "
    "permanently fully completely simply really basically originally usually normally "
    "always today lately probably then again only сейчас теперь уже также еще недавно "
    "официально окончательно полностью сегодня обычно всегда пока снова тоже нынче просто "
    "же"
)
"""They may stand anywhere in a sentence without changing what it states."""

NEGATIONS: Final = word_set(
    "not never no neither nor cannot can't don't doesn't didn't isn't aren't wasn't weren't "
    "won't hasn't haven't hadn't wouldn't couldn't shouldn't ain't without не ни нет "
    "никогда нельзя без"
)
NO_LONGER: Final = (("no", "longer"), ("больше", "не"), ("не", "больше"), ("уже", "не"))
ANY_MORE: Final = word_set("anymore longer больше")

DOUBTS: Final = word_set(
    "if whether would could might maybe perhaps possibly suppose supposing hypothetically "
    "theoretically imagine wish hope hoping hopes thinking considering wonder wondering "
    "should unless planning tentatively tentative draft wants want wanted если ли бы может "
    "возможно наверное вероятно предположим допустим гипотетически теоретически хотел "
    "хотела хотели хочу хочет хотим думаю думаем планирую планирует планируем мечтаю "
    "черновик"
)
"""A sentence with one of these before its verb states nothing."""

I_AND_WE: Final = word_set(
    "i me my mine myself we us our ours we're we've we'll we'd i'm i've i'd i'll 'm я мне "
    "меня мной мой моя мое мои моего моей моих моем моему мою мы нам нас нами наш наша наше "
    "наши нашего нашей наших нашем нашему нашу нашим свой своя свое свои своего своей своих "
    "user пользователь пользователя"
)
THEY: Final = word_set(
    "he she they it him her them his their its he's she's they're it's он она они оно его "
    "ее их им ему ей них нем ней"
)
YOU: Final = word_set("you your yours you're you've you'll ты тебя тебе твой вы вас вам ваш")
THIS: Final = YOU | word_set(
    "this that these those which who what there here this's here's something anything "
    "everything nothing one это эта этот эти то тот та такой что-то все"
)
PERSONS: Final = YOU | word_set(
    "i we he she they it i'm i've i'd i'll we'll we're we've he's she's it's they're "
    "they'll them him us me let's that's там я мы он она они оно мне нас нам им ему"
)
"""A phrase with one of these inside is no phrase but a clause."""

RELATIVES: Final = word_set(
    "which who whom that how what when where why который которая которое которые что как где когда"
)
EVALUATIONS: Final = word_set(
    "good great better best bad worse worst hard easy important cool fine ok okay nice "
    "awesome amazing perfect key tough ready clear different difficult fun funny "
    "interesting beautiful lovely wonderful so very too really more most quite pretty less "
    "worth able unable sure happy sad glad excited crucial essential necessary useful "
    "helpful true false wrong right big huge small little high low enough unknown tbd "
    "unclear what who how why like just about around based gone crazy хороший хорошая "
    "хорошее плохой плохая важен важна важно нужен нужна нужно хорошо плохо ясен ясна "
    "понятно очень слишком большой большая маленький маленькая неизвестен неизвестна готов "
    "готова отличный отличная прекрасный"
)
"""Behind "is" they are an opinion and no value."""

ARTICLES: Final = word_set("the a an this that these those any some each every all both")
DROPPED: Final = ARTICLES | word_set(
    "whole entire весь вся все всех всю всем каждый каждая этот эта это эти этого этой этих "
    "той тот"
)
"""What a subject is cleaned of before it is compared."""

BARS: Final = word_set(
    "and or but because since while whereas although though so which who whom whose that "
    "when where if unless until till however therefore hence than then instead rather и или "
    "но а потому поскольку так хотя который которая которое которые что чтобы когда где "
    "если пока однако поэтому чем зато либо вместо"
)
"""A phrase does not go over these."""

PREPOSITIONS: Final = word_set(
    "of for in at on to from with by about into onto via per as under over during within "
    "without through between against after before near around since until в во на из с со "
    "за у к ко по до для от о об при через под над про без между после перед около"
)
OF_WHOM: Final = word_set(
    "of for in at on to from with per within для в во на у по с со из о об за"
)
"""Prepositions that lead from a parameter's name to its subject."""

AUXILIARIES: Final = word_set(
    "is are was were am be been being become becomes became remain remains has have had do "
    "does did will shall can may must 's it's that's there's says said say told tell tells "
    "asked think thinks know knows need needs set sets make makes made get gets got give "
    "gives use uses using used keep keeps see sees есть был была было были будет будут стал "
    "стала стало стали является являются составляет"
)

LABELS: Final = word_set(
    "note notes update updated reminder todo fyi case context summary task question q a "
    "answer conclusion correction warning important info example memory fact facts result "
    "output заметка примечание обновление напоминание кейс контекст итог задача вопрос "
    "ответ вывод поправка внимание важно пример память факт факты результат ps nb"
)
"""Words before a colon that name the kind of a note and not a parameter."""

NOT_FIRST: Final = BARS | THIS | I_AND_WE | NEGATIONS | (THEY - {"their", "его", "her"})
"""A value does not begin with one of these."""
