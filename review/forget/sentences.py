"""The words of a report, in English and Russian. No value of them is foreign; no code is shown.

What is not said, in any language: that nothing is left. A test keeps out the words that would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from review.forget import server_words

LANGUAGES: Final = ("en", "ru")

Forms = Mapping[str, str]

STATUSES: Final[Mapping[str, Forms]] = {
    "en": {
        "erased": "erased; the search found 0 and every control",
        "erased_unverified": "erased; rows and salts are gone, the search proves nothing",
        "withdrawn_pending_review": "withdrawn until a person looks at it",
        "put_beyond_use": "put beyond use",
        "outside_control": "outside our control",
        "unknown_lineage": "of unknown lineage",
        "retained_by_duty": "kept for a duty",
        "failed": "failed",
    },
    "ru": {
        "erased": "стёрто; поиск нашёл 0 совпадений и все контрольные тексты",
        "erased_unverified": "стёрто; строк и солей нет, поиск ничего не доказывает",
        "withdrawn_pending_review": "снято до решения человека",
        "put_beyond_use": "выведено из использования",
        "outside_control": "вне нашего контроля",
        "unknown_lineage": "происхождение неизвестно",
        "retained_by_duty": "хранится по обязанности",
        "failed": "не удалось",
    },
}

REASONS: Final[Mapping[str, Forms]] = {
    "en": {
        "skeleton": "Ids, times, digests and links of erased records stay, so that the log "
        "still checks out.",
        "guard": "Keyed digests of erased texts stay, so that they do not come back. Who holds "
        "the tenant's key can test a guess against them.",
        "memory": "The operating system's page cache, swap and core dumps.",
        "disk": "Snapshots of the file system, and blocks that a disk moved elsewhere.",
        "screens": "Open browser tabs and what a terminal keeps of its output.",
        "models": "Contexts of models, and what providers of models log.",
        "git": "The history of repositories to which somebody copied a text.",
        "copies": "Copies that somebody made of files, and downloads.",
        **server_words.REASONS["en"],
        "backup": "A backup from before the request still holds it.",
        "export": "A rule was exported from it; the files are where people put them.",
        "export_withdrawn": "A rule was exported from it and later withdrawn; the files stay.",
        "answer_given": "Answers that were given with it cannot be taken back.",
        "found": "The search found it here.",
        "no_control": "No control was found here, so nothing found means nothing.",
        "file_of_others": "A file that is not the program's holds it.",
        "not_published": "Readers still have the snapshot from before; it is denied to them.",
        "job_open": "An import that is not finished keeps its file.",
        "unreadable": "A file could not be read.",
        "spool": "Batches of an agent wait to be taken in.",
        "typed_questions": "Questions that people typed to a model are kept; nobody recorded whom "
        "they are about.",
        "not_sought": "Nothing was searched for here: the words are too short, or nobody knows "
        "them any more.",
        "request_lost": "The file about this request is lost. Told is what was signed; what was "
        "withdrawn, kept for a duty or left to a person is not known any more.",
    },
    "ru": {
        "skeleton": "Идентификаторы, время, хеши и связи стёртых записей остаются, чтобы журнал "
        "по-прежнему сходился.",
        "guard": "Хеши стёртых текстов с ключом остаются, чтобы тексты не вернулись. Владелец "
        "ключа может проверить по ним догадку.",
        "memory": "Кэш страниц, подкачка и дампы операционной системы.",
        "disk": "Снимки файловой системы и блоки, которые диск перенёс.",
        "screens": "Открытые вкладки браузера и то, что хранит терминал.",
        "models": "Контексты моделей и журналы их поставщиков.",
        "git": "История репозиториев, куда кто-то скопировал текст.",
        "copies": "Копии файлов, которые кто-то сделал, и скачанное.",
        **server_words.REASONS["ru"],
        "backup": "Резервная копия, сделанная до запроса, ещё хранит это.",
        "export": "Из этого выгружено правило; файлы там, куда их положили люди.",
        "export_withdrawn": "Из этого было выгружено правило, позже отозванное; файлы остаются.",
        "answer_given": "Ответы, которые были даны с этим, нельзя забрать назад.",
        "found": "Поиск нашёл это здесь.",
        "no_control": "Контрольный текст здесь не найден, поэтому пустой поиск ничего не значит.",
        "file_of_others": "Это хранит файл, который не принадлежит программе.",
        "not_published": "У читателей ещё прежний снимок; им запрещено это отдавать.",
        "job_open": "Незаконченный импорт держит свой файл.",
        "unreadable": "Файл не удалось прочитать.",
        "spool": "Пакеты агента ждут приёма.",
        "typed_questions": "Вопросы, которые люди задавали модели, сохранены; о ком они, никто не "
        "записал.",
        "not_sought": "Здесь ничего не искали: слова слишком коротки или уже неизвестны.",
        "request_lost": "Файл об этом запросе утрачен. Сказано то, что было подписано; что было "
        "снято, хранится по обязанности или осталось на решение человека, уже неизвестно.",
    },
}

STEPS: Final[Mapping[str, Forms]] = {
    "en": {
        "delete_backup": "Delete the backup by its day, or say that it is beyond use.",
        "remove_export": "Ask for the rule to be removed, and say when it was.",
        "tell_recipient": "Tell who got the answers.",
        "run_again": "Run the request again.",
        "check_again": "Check again.",
        "remove_file": "Look at the file and remove it, and say when it was.",
        **server_words.STEPS["en"],
        "tick_questions": "Tick those that the preview finds, or name their days.",
    },
    "ru": {
        "delete_backup": "Удалите копию к её сроку или укажите, что она не используется.",
        "remove_export": "Попросите убрать правило и укажите, когда это сделано.",
        "tell_recipient": "Сообщите тем, кто получил ответы.",
        "run_again": "Выполните запрос ещё раз.",
        "check_again": "Проверьте ещё раз.",
        "remove_file": "Посмотрите файл, уберите его и укажите, когда это сделано.",
        **server_words.STEPS["ru"],
        "tick_questions": "Отметьте те, что нашёл просмотр, или назовите их дни.",
    },
}

KINDS: Final[Mapping[str, Forms]] = {
    "en": {
        "store": "store",
        "wal": "write-ahead file",
        "snapshot": "snapshot",
        "index": "file beside the store",
        "staging": "copy on the way in",
        "backup": "backup",
        "export": "exported file",
        "git": "repository",
        "agent_read": "agent",
        "os": "system",
    },
    "ru": {
        "store": "хранилище",
        "wal": "файл упреждающей записи",
        "snapshot": "снимок",
        "index": "файл рядом с хранилищем",
        "staging": "копия на входе",
        "backup": "резервная копия",
        "export": "выгруженный файл",
        "git": "репозиторий",
        "agent_read": "агент",
        "os": "система",
    },
}

COUNTED: Final[Mapping[str, Mapping[str, tuple[str, str, str]]]] = {
    "en": {
        "erased": ("Erased {n} of {of} records from the live store",) * 3,
        "derived": ("{n} derivative", "{n} derivatives", "{n} derivatives"),
        "failed": ("{n} record is still present", *("{n} records are still present",) * 2),
        "withdrawn": (
            "{n} record with other sources, withdrawn until approved again",
            *("{n} records with other sources, withdrawn until approved again",) * 2,
        ),
        "unknown": ("{n} record of unknown lineage", *("{n} records of unknown lineage",) * 2),
        "retained": ("{n} record kept for a duty", *("{n} records kept for a duty",) * 2),
        "backup": (
            "{n} backup until {day} (outside control)",
            *("{n} backups until {day} (outside control)",) * 2,
        ),
        "backup_beyond": (
            "{n} backup until {day} (beyond use)",
            *("{n} backups until {day} (beyond use)",) * 2,
        ),
        "export": (
            "{n} exported rule (outside control)",
            *("{n} exported rules (outside control)",) * 2,
        ),
        "answers": ("{n} answer already given", *("{n} answers already given",) * 2),
        "unproven": (
            "{n} erased record that no search proves",
            *("{n} erased records that no search proves",) * 2,
        ),
        "file": ("{n} other file (outside control)", *("{n} other files (outside control)",) * 2),
        **server_words.COUNTED["en"],
        "typed": ("{n} question typed to a model", *("{n} questions typed to a model",) * 2),
        "place": ("{n} place to see to", *("{n} places to see to",) * 2),
    },
    "ru": {
        "erased": (
            "Стёрта {n} запись из {of} в рабочем хранилище",
            "Стёрты {n} записи из {of} в рабочем хранилище",
            "Стёрто {n} записей из {of} в рабочем хранилище",
        ),
        "derived": ("{n} производная", "{n} производные", "{n} производных"),
        "failed": (
            "{n} запись ещё на месте",
            "{n} записи ещё на месте",
            "{n} записей ещё на месте",
        ),
        "withdrawn": (
            "{n} запись с другими источниками снята до нового одобрения",
            "{n} записи с другими источниками сняты до нового одобрения",
            "{n} записей с другими источниками сняты до нового одобрения",
        ),
        "unknown": (
            "{n} запись неизвестного происхождения",
            "{n} записи неизвестного происхождения",
            "{n} записей неизвестного происхождения",
        ),
        "retained": (
            "{n} запись хранится по обязанности",
            "{n} записи хранятся по обязанности",
            "{n} записей хранятся по обязанности",
        ),
        "backup": (
            "{n} резервная копия до {day} (вне контроля)",
            "{n} резервные копии до {day} (вне контроля)",
            "{n} резервных копий до {day} (вне контроля)",
        ),
        "backup_beyond": (
            "{n} резервная копия до {day} (не используется)",
            "{n} резервные копии до {day} (не используются)",
            "{n} резервных копий до {day} (не используются)",
        ),
        "export": (
            "{n} выгруженное правило (вне контроля)",
            "{n} выгруженных правила (вне контроля)",
            "{n} выгруженных правил (вне контроля)",
        ),
        "answers": ("{n} ответ уже дан", "{n} ответа уже даны", "{n} ответов уже даны"),
        "unproven": (
            "{n} стёртая запись без доказательства поиском",
            "{n} стёртые записи без доказательства поиском",
            "{n} стёртых записей без доказательства поиском",
        ),
        "file": (
            "{n} другой файл (вне контроля)",
            "{n} других файла (вне контроля)",
            "{n} других файлов (вне контроля)",
        ),
        **server_words.COUNTED["ru"],
        "typed": (
            "{n} вопрос, заданный модели",
            "{n} вопроса, заданных модели",
            "{n} вопросов, заданных модели",
        ),
        "place": (
            "{n} место, требующее внимания",
            "{n} места, требующих внимания",
            "{n} мест, требующих внимания",
        ),
    },
}

PHRASES: Final[Mapping[str, Forms]] = {
    "en": {
        "lost": "what had been withdrawn, kept or left to a person (our file about it is lost)",
        "of_them": "of them",
        "remains": "Remains",
        "nothing_known": "We know of nothing that remains besides what is always listed.",
        "always": "Always listed",
        "cannot_know": "Cannot know",
        "left": "Left, and we know where",
        "says": "{name} says {what}, {at}",
        "removed": "removed",
        "beyond_use": "beyond use",
    },
    "ru": {
        "lost": "то, что было снято, сохранено или оставлено человеку (наш файл об этом утрачен)",
        "of_them": "из них",
        "remains": "Осталось",
        "nothing_known": "Кроме того, что указано в любом отчёте, нам об остатках неизвестно.",
        "always": "Указано в любом отчёте",
        "cannot_know": "Не можем знать",
        "left": "Осталось, и мы знаем где",
        "says": "{name} сообщает: {what}, {at}",
        "removed": "убрано",
        "beyond_use": "не используется",
    },
}


def counted(key: str, n: int, lang: str, **more: object) -> str:
    """A count with its noun, in the plural form of the language. Source: CLDR plural rules."""
    return COUNTED[lang][key][_form(lang, n)].format(n=n, **more)


def _form(lang: str, n: int) -> int:
    if lang != "ru":
        return 0 if n == 1 else 2
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else 2
