"""Queries over imports and what became of their records, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

_READ_AGAIN: Final = """
    told as (
        select i.import, i.importer, min(i.seq) as first_seq, bool_or(i.last) as finished,
            max(decode(v.body)::json->>'$.sha256') as sha256
        from proj_import i
        left join vault_payload v on v.commitment = i.source_c and v.role = 'source_name'
        group by i.import, i.importer
    ),
    read_again as (
        select distinct earlier.import from told earlier join told later
        on later.sha256 = earlier.sha256 and later.importer = earlier.importer
        and later.first_seq > earlier.first_seq and later.finished
    )"""
"""Imports whose very bytes were read to their end again by the same importer: what is left of a
source is said once."""

OUTCOME_COUNTS: Final = f"""
    with {_READ_AGAIN}, counted as (
        select *, import not in (select import from read_again) as latest from proj_import
    )
    select coalesce(sum(written), 0) as written,
        coalesce(sum(nothing_extracted) filter (latest), 0) as nothing_extracted,
        coalesce(sum(already_known), 0) as already_known,
        coalesce(sum(refused) filter (latest), 0) as refused,
        coalesce(sum(parse_failed) filter (latest), 0) as parse_failed,
        count(distinct import) as imports
    from counted"""

RECORDS_PAGE: Final = (
    f"with {_READ_AGAIN} select r.*, i.source_c, count(*) over () as total from proj_record r"
    " left join proj_import i on i.import = r.import and i.source_c is not null"
    " where r.outcome = :outcome and r.import not in (select import from read_again)"
    " order by r.seq desc, r.n limit :limit offset :offset"
)

RECORDS_OF_IMPORT: Final = (
    "select * from proj_record where import = :batch and outcome <> 'already_known'"
    " order by seq, n"
)

IMPORTS: Final = (
    "select import, max(importer) as importer, max(source_c) as source_c,"
    " sum(written) as written, sum(nothing_extracted) as nothing_extracted,"
    " sum(already_known) as already_known, sum(refused) as refused,"
    " sum(parse_failed) as parse_failed, bool_or(last) as finished,"
    " min(recorded_at) as recorded_at, min(seq) as first_seq"
    " from proj_import group by import order by first_seq desc limit :limit"
)

FIRST_OF_IMPORT: Final = (
    "select min(seq) as seq from proj_import where import = :batch and source_c is not null"
)
