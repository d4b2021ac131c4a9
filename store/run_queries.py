"""Queries over the runs that are kept as evidence, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

RUN: Final = "select * from proj_run where item = :item"

RUNS: Final = "select p.* from proj_run p join wanted w on w.item = p.item"

_LATEST: Final = (
    "latest as (select * from proj_run qualify row_number() over ("
    "partition by source_key, importer order by seq desc, n desc) = 1)"
)

_FILTERS: Final = {
    "ending": "ending = :ending",
    "importer": "importer = :importer",
    "batch": "import = :batch",
    "session": "session_key = :session",
    "judged": "(accepts + rejects + edits > 0) = (:judged = '1')",
    "q": (
        "run_c in (select commitment from vault_payload where role = 'run'"
        " and decode(body) ilike :q escape '!')"
    ),
}


def runs_page(filters: list[str]) -> str:
    """The latest reading of each run, newest first. Also ``limit`` and ``offset``."""
    clauses = [_FILTERS[name] for name in filters]
    where = f" where {' and '.join(clauses)}" if clauses else ""
    return (
        f"with {_LATEST} select *, count(*) over () as total from latest{where}"
        " order by seq desc, n limit :limit offset :offset"
    )


ALL_RUNS: Final = f"with {_LATEST} select * from latest order by seq, n"

RUNS_OF_IMPORT: Final = "select count(*) as n from proj_run where import = :batch"

RUN_COUNT: Final = "select count(*) as n from proj_run"

RUNS_LINKED: Final = (
    "select p.*, w.place from wanted w join proj_run p on p.item = w.item"
    " order by w.place, p.seq, p.n"
)
"""The runs among ``wanted(place, item)``; ``place`` says which record asks."""

RUNS_OF_SESSIONS: Final = (
    f"with {_LATEST} select l.*, w.place from wanted w join latest l on l.session_key = w.key"
    " qualify row_number() over (partition by w.place order by l.seq, l.n) <= 20"
    " order by w.place, l.seq, l.n"
)
"""The first runs of the sessions in ``wanted(place, key)``, for each place."""

RUNS_AROUND: Final = (
    "select p.*, w.place from wanted w join proj_run p on p.import = w.batch"
    " and p.start_byte <= w.start and p.end_byte >= w.stop"
    " qualify row_number() over ("
    "partition by w.place order by p.end_byte - p.start_byte, p.seq, p.n) <= 20"
    " order by w.place, p.end_byte - p.start_byte, p.seq, p.n"
)
"""The narrowest runs around the bytes in ``wanted(place, batch, start, stop)``, for each place."""

ENDINGS: Final = f"with {_LATEST} select ending, count(*) as n from latest group by ending"

NEWER_READINGS: Final = (
    "with told as (select seq, unnest(from_json(json_extract(decode(canon), '$.body.readings'),"
    " '[[\"VARCHAR\"]]')) as reading from log_event where type = 'run.analysed')"
    " select reading[1] as item, max_by(reading[2], seq) as analysis from told"
    " join wanted w on w.item = reading[1] group by reading[1]"
)
