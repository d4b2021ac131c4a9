"""Words of a report about a store that a database server keeps, in English and Russian."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Words = Mapping[str, Mapping[str, str]]

REASONS: Final[Words] = {
    "en": {
        "postgresql_wal": "The database server's write-ahead log, until it is recycled.",
        "postgresql_wal_here": "The database server's write-ahead log: the search found erased "
        "texts in it. They stay until the server recycles it.",
        "postgresql_archive": "Archives of the write-ahead log. The server says that it makes "
        "none now.",
        "postgresql_archive_here": "Archives of the write-ahead log: the server makes them, or "
        "nobody could tell. They keep what is in the log until somebody deletes them.",
        "postgresql_replicas": "Replicas of the database server. It knows of none now.",
        "postgresql_replicas_here": "Replicas of the database server: it knows of some. They "
        "follow, and keep a write-ahead log of their own.",
        "postgresql_backups": "Base backups of the database server.",
        "postgresql_heap": "Rows of a table that the database server has not written anew yet.",
        "postgresql_statistics": "Samples of values that the database server plans with.",
        "postgresql_log": "What the database server logs of statements.",
        "postgresql_temporary": "Temporary files of the database server.",
        "postgresql_consoles": "The memory of other consoles, until they look at the store again.",
    },
    "ru": {
        "postgresql_wal": "Журнал упреждающей записи сервера базы данных, пока он не переписан.",
        "postgresql_wal_here": "Журнал упреждающей записи сервера базы данных: поиск нашёл в нём "
        "стёртые тексты. Они останутся, пока сервер не перепишет журнал.",
        "postgresql_archive": "Архивы журнала упреждающей записи. Сервер сообщает, что сейчас их "
        "не делает.",
        "postgresql_archive_here": "Архивы журнала упреждающей записи: сервер их делает, или это "
        "неизвестно. В них остаётся всё из журнала, пока их кто-нибудь не удалит.",
        "postgresql_replicas": "Реплики сервера базы данных. Сейчас он о таких не знает.",
        "postgresql_replicas_here": "Реплики сервера базы данных: он о них знает. Они повторяют "
        "за ним и ведут свой журнал.",
        "postgresql_backups": "Базовые копии сервера базы данных.",
        "postgresql_heap": "Строки таблицы, которые сервер базы данных ещё не переписал.",
        "postgresql_statistics": "Выборки значений, по которым планирует сервер базы данных.",
        "postgresql_log": "То, что сервер базы данных пишет о запросах в свой журнал.",
        "postgresql_temporary": "Временные файлы сервера базы данных.",
        "postgresql_consoles": "Память других консолей, пока они не обратятся к хранилищу снова.",
    },
}

STEPS: Final[Words] = {
    "en": {
        "recycle_log": "Have the server reuse the files of its log, and say when it did.",
    },
    "ru": {
        "recycle_log": "Добейтесь, чтобы сервер переписал файлы журнала, и укажите, когда.",
    },
}

COUNTED: Final[Mapping[str, Mapping[str, tuple[str, str, str]]]] = {
    "en": {
        "journal": (
            "{n} place in the database server's log",
            *("{n} places in the database server's log",) * 2,
        ),
    },
    "ru": {
        "journal": (
            "{n} место в журнале сервера базы данных",
            "{n} места в журнале сервера базы данных",
            "{n} мест в журнале сервера базы данных",
        ),
    },
}

LETTER: Final[Words] = {
    "en": {
        "journal": "The database's own log still holds a copy, until it is overwritten in the "
        "course of its work.",
    },
    "ru": {
        "journal": "Собственный журнал базы данных ещё хранит копию, пока не будет переписан в "
        "ходе работы.",
    },
}
