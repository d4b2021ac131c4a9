"""A letter to the person who asked, in plain words. It claims no more than the report does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from review.forget import server_words
from review.forget.databases import JOURNAL
from review.forget.locations import LOST, TYPED, Location
from review.forget.report import Report
from review.forget.statuses import LocationKind, Status

_GONE: Final = (Status.ERASED, Status.ERASED_UNVERIFIED)
_TEXT: Final = {
    "en": {
        "title": "Your request of {day}",
        "reference": "Reference: {reference}",
        "erased": "We erased {n} records about you that we could trace.",
        "erased_one": "We erased 1 record about you that we could trace.",
        "failed": "{n} of the records could not be erased yet. We are working on it.",
        "unproven": "Of {n} of them the search of our files proves nothing, because they are too "
        "short or the same words stay elsewhere; their rows are gone.",
        "withdrawn": "{n} records were made from yours and from other sources. They are out of "
        "use until a person has looked at them.",
        "unknown": "{n} records have the same or similar words, and we do not know what they were "
        "made from. They are unchanged.",
        "retained": "{n} records we have to keep for now: {basis}.",
        "backup": "A backup keeps a copy until {day}.",
        "backup_beyond": "A backup keeps a copy until {day}. It is not used until then.",
        "export": "A rule was made from your data and passed on. We ask for it to be removed.",
        "answers": "{n} answers were given with your data before. We cannot take them back.",
        "file": "A file that is not part of our program holds a copy. We are looking at it.",
        "lost": "Our file about your request was lost. We can tell what was ordered to be erased; "
        "what else we had found then is not known any more.",
        **server_words.LETTER["en"],
        "typed": "Questions that our staff typed to a model are kept; we do not know which of "
        "them are about you.",
        "cannot": "We cannot trace copies made without a record of origin, and we cannot look "
        "into what computers, disks and providers of models keep on their own.",
        "kept": "We keep technical identifiers and keyed check sums, without your words, so that "
        "your data is not taken in again by mistake.",
    },
    "ru": {
        "title": "Ваш запрос от {day}",
        "reference": "Номер обращения: {reference}",
        "erased": "Мы удалили записи о вас, которые смогли проследить: {n}.",
        "erased_one": "Мы удалили 1 запись о вас, которую смогли проследить.",
        "failed": "Пока не удалось удалить записей: {n}. Мы продолжаем работу.",
        "unproven": "Для {n} из них поиск по нашим файлам ничего не доказывает: они слишком "
        "короткие или те же слова есть в других местах; их строк больше нет.",
        "withdrawn": "Записи, составленные и из ваших данных, и из других источников: {n}. Они не "
        "используются, пока их не посмотрит человек.",
        "unknown": "Записи с такими же или похожими словами, происхождение которых нам "
        "неизвестно: {n}. Они не изменены.",
        "retained": "Записи, которые мы пока обязаны хранить: {n} ({basis}).",
        "backup": "Копия в резерве хранится до {day}.",
        "backup_beyond": "Копия в резерве хранится до {day}. До этого она не используется.",
        "export": "Из ваших данных было составлено и передано правило. Мы просим его убрать.",
        "answers": "Ответы, данные с вашими данными до запроса: {n}. Забрать их мы не можем.",
        "file": "Копию хранит файл, который не относится к нашей программе. Мы его изучаем.",
        "lost": "Наш файл о вашем запросе утрачен. Мы можем сказать, что было поручено удалить; "
        "что ещё мы тогда нашли, уже неизвестно.",
        **server_words.LETTER["ru"],
        "typed": "Вопросы, которые наши сотрудники задавали модели, сохранены; какие из них о "
        "вас, нам неизвестно.",
        "cannot": "Копии, у которых нет сведений о происхождении, мы проследить не можем. Не "
        "можем мы и увидеть, что хранят у себя компьютеры, диски и поставщики моделей.",
        "kept": "Мы храним технические идентификаторы и контрольные суммы с ключом, без ваших "
        "слов, чтобы ваши данные не попали к нам снова по ошибке.",
    },
}


def letter(report: Report, lang: str = "en") -> str:
    """The letter as plain text, with a line for each thing that is told."""
    say = _TEXT[lang]
    lines = [say["title"].format(day=report.head.started[:10])]
    if report.head.reference:
        lines.append(say["reference"].format(reference=report.head.reference))
    return "\n".join([*lines, "", *_told(report, say), "", say["cannot"], say["kept"], ""])


def _told(report: Report, say: dict[str, str]) -> Iterator[str]:
    statuses = report.statuses()
    erased = sum(statuses[status] for status in _GONE)
    yield say["erased_one"] if erased == 1 else say["erased"].format(n=erased)
    for status, key in (
        (Status.FAILED, "failed"),
        (Status.ERASED_UNVERIFIED, "unproven"),
        (Status.WITHDRAWN_PENDING_REVIEW, "withdrawn"),
        (Status.UNKNOWN_LINEAGE, "unknown"),
    ):
        if statuses[status]:
            yield say[key].format(n=statuses[status])
    holds = sorted({row.hold for row in report.rows if row.hold is not None})
    if holds:
        basis = ", ".join(f"{name} ({day})" for name, day in holds)
        yield say["retained"].format(n=statuses[Status.RETAINED_BY_DUTY], basis=basis)
    left = report.left()
    days = {
        (one.delete_by, one.status is Status.PUT_BEYOND_USE)
        for one in left
        if one.kind is LocationKind.BACKUP
    }
    for day, beyond in sorted(days):
        yield say["backup_beyond" if beyond else "backup"].format(day=day)
    yield from _elsewhere(report, left, say)


def _elsewhere(report: Report, left: Sequence[Location], say: dict[str, str]) -> Iterator[str]:
    """Copies that are not backups, and what nobody can tell."""
    if any(one.location_id.startswith("export:") for one in left):
        yield say["export"]
    if report.head.answers_given:
        yield say["answers"].format(n=report.head.answers_given)
    if any(one.location_id.startswith("other:") for one in left):
        yield say["file"]
    if any(one.location_id == JOURNAL for one in left):
        yield say["journal"]
    if report.location(TYPED) is not None:
        yield say["typed"]
    if report.location(LOST) is not None:
        yield say["lost"]
