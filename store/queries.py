"""The questions that pages ask of the projections: SQL that runs on DuckDB and PostgreSQL alike.

Every query takes its values as named parameters. Frames named in ``tables`` are joined by name:
``drafted(item, decision)`` holds what the reviewer has drafted, ``approved(item, rev, artifact)``
what verified signatures made durable.
"""

from __future__ import annotations

from typing import Final

OPEN_STAGES: Final = "('staged', 'deferred')"

_WAITING: Final = f"""
    waiting as (
        select p.*, case
            when p.worst >= 2 or p.lane_hint = 'needs-eyes' then 'needs-eyes'
            when p.look_key in (
                select look_key from proj_item
                where latest and stage in ('staged', 'deferred', 'durable')
                and item not in (select item from drafted where decision = 'edit')
                group by look_key having count(*) > 1
            ) then 'duplicates'
            else 'routine' end as lane
        from proj_item p where p.latest and p.stage in {OPEN_STAGES}
    )"""

_ORDERS: Final = {
    "risk": "stage desc, worst desc, work_order, seq, n",
    "newest": "seq desc, n desc",
    "oldest": "seq, n",
    "source": "source_type, seq, n",
}
SORTS: Final = tuple(_ORDERS)
"""How a lane can be sorted. Deferred records come after staged ones of the same risk."""

RUN_KEYS: Final = (
    *("run", "run_id", "session", "session_id", "conversation", "conversation_id"),
    *("thread", "thread_id", "trace", "trace_id"),
)
"""Keys of a scope under which sources name the run that a record comes from."""

_RUN_SCOPES: Final = ", ".join(
    f"coalesce(json_extract_string(decode(body), '$.scope.{key}'), '')" for key in RUN_KEYS
)

_FILTERS: Final = {
    "lane": "lane = :lane",
    "kind": "kind = :kind",
    "source": "source_type = :source",
    "batch": "import = :batch",
    "flag": "flags::varchar like '%\"' || :flag || '\"%'",
    "run": (
        "scope_c in (select commitment from vault_payload where role = 'scope'"
        f" and :run in ({_RUN_SCOPES}))"
    ),
    "q": (
        "text_c in (select commitment from vault_payload where role = 'text'"
        " and decode(body) ilike :q escape '!')"
    ),
}


def literal_search(words: str) -> str:
    """A pattern that finds ``words`` literally, wherever they stand."""
    escaped = words.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def _where(names: list[str], *more: str) -> str:
    clauses = [_FILTERS[name] for name in names] + list(more)
    return f"where {' and '.join(clauses)}" if clauses else ""


def waiting_page(filters: list[str], sort: str) -> str:
    """Rows of the inbox. Parameters: the filters', ``limit`` and ``offset``."""
    drafted = "item not in (select item from drafted)"
    order = _ORDERS[sort]
    # The page is chosen by narrow rows and counted apart: a window over all columns of everything
    # that waits takes three times as long.
    return (
        f"with {_WAITING}, chosen as (select * from waiting {_where(filters, drafted)}),"
        f" page as (select item, rev, lane from chosen order by {order}"
        " limit :limit offset :offset)"
        " select p.*, page.lane, (select count(*) from chosen) as total from page"
        f" join proj_item p on p.item = page.item and p.rev = page.rev order by {order}"
    )


def next_waiting(filters: list[str], sort: str) -> str:
    """The first undecided item after ``item``, and how many stand before it and in all."""
    return (
        f"with {_WAITING}, ordered as ("
        f" select item, row_number() over (order by {_ORDERS[sort]}) as place"
        f" from waiting {_where(filters)})"
        " select item, place from ordered where item not in (select item from drafted)"
        " order by place > coalesce((select max(place) from ordered where item = :item), 0) desc,"
        " place limit 1"
    )


def previous_waiting(filters: list[str], sort: str) -> str:
    """The last undecided item before ``item``."""
    return (
        f"with {_WAITING}, ordered as ("
        f" select item, row_number() over (order by {_ORDERS[sort]}) as place"
        f" from waiting {_where(filters)})"
        " select item, place from ordered where item not in (select item from drafted)"
        " and place < (select max(place) from ordered where item = :item)"
        " order by place desc limit 1"
    )


LANE_COUNTS: Final = (
    f"with {_WAITING} select lane, count(*) as n from waiting"
    " where item not in (select item from drafted) group by lane"
)

WAITING_FACETS: Final = (
    f"with {_WAITING} select kind, source_type, count(*) as n from waiting"
    " where item not in (select item from drafted) group by kind, source_type order by n desc"
)

FLAGS_IN_USE: Final = (
    "select code, count(*) as n from ("
    "select unnest(from_json(flags, '[[\"VARCHAR\"]]'))[1] as code"
    f" from proj_item where latest and stage in {OPEN_STAGES}) group by code order by n desc"
)

ITEM: Final = "select * from proj_item where item = :item and latest"

ITEMS: Final = "select p.* from proj_item p join wanted w on w.item = p.item where p.latest"

ITEM_REVISION: Final = "select * from proj_item where item = :item and rev = :rev"

ITEM_REVISIONS: Final = (
    "select p.item, p.rev, p.seq, p.n, p.digest from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev"
)

EDGES_OF: Final = "select * from proj_edge where item = :item and rev = :rev"

EDGES_TO: Final = (
    "select distinct e.item, p.seq, p.n from proj_edge e join proj_item p"
    " on p.item = e.item and p.rev = e.rev and p.latest where e.target = :item"
    " order by p.seq desc, p.n desc limit 200"
)
"""The newest records that link to one: somebody may write thousands of them."""

EDGES_FROM_EACH: Final = (
    "select distinct e.item, e.kind, e.target, e.asserter from wanted w"
    " join proj_edge e on e.item = w.item"
    " join proj_item p on p.item = e.item and p.rev = e.rev and p.latest order by e.item, e.target"
)

EDGES_TO_EACH: Final = (
    "select distinct e.item, e.kind, e.target, e.asserter from wanted w"
    " join proj_edge e on e.target = w.item"
    " join proj_item p on p.item = e.item and p.rev = e.rev and p.latest order by e.item, e.target"
)

STAGES: Final = (
    "select stage, count(*) as n from proj_item where latest group by stage order by stage"
)

DECISIONS_OF: Final = "select * from proj_decision where item = :item order by seq"

DECISIONS_BY_DAY: Final = (
    "select substr(signed_at, 1, 10) as day, decision, count(*) as n from proj_decision"
    " where signed_at >= :since group by day, decision order by day"
)

DURABLE_PAGE: Final = (
    "select p.*, a.signed_at, a.reviewer, count(*) over () as total from approved a"
    " join proj_item p on p.item = a.item and p.rev = a.rev and p.digest = a.artifact {where}"
    " order by a.signed_at desc, p.item limit :limit offset :offset"
)


def durable_page(filters: list[str]) -> str:
    """Rows of Facts: items that a verified signature made durable, in the state it was over."""
    return DURABLE_PAGE.format(where=_where(filters))


def ledger_page(filters: list[str]) -> str:
    """Rows of the ledger, newest first. Filters: ``seq``, ``type``, ``object``."""
    clauses = {
        "seq": "seq = :seq",
        "type": "type = :type",
        "object": (
            "(item = :object or seq in (select seq from proj_item where item = :object)"
            " or seq in (select seq from proj_decision where item = :object)"
            " or seq in (select seq from proj_link where :object in (item, target)))"
        ),
    }
    wanted = " and ".join(clauses[name] for name in filters)
    where = f"where {wanted}" if wanted else ""
    return (
        "select seq, type, recorded_at, lower(hex(h)) as digest, decode(canon) as canon,"
        f" count(*) over () as total from log_event {where}"
        " order by seq desc limit :limit offset :offset"
    )


LOOK_ALIKES: Final = (
    "select item from proj_item where look_key = :look and item <> :item and latest"
    " and stage in ('staged', 'deferred', 'durable') order by item limit 20"
)

REMEMBERED: Final = (
    "select p.item, p.rev, p.seq, p.n, p.digest, p.kind, p.source_type, p.importer,"
    " p.import, coalesce(e.file, p.import) as file, p.valid_from, p.valid_to, p.expires_at,"
    " w.durable,"
    " decode(t.body) as claim, decode(c.body) as conclusion, decode(s.body) as scope,"
    " v.told->>'$.source_id' as source_id, v.told->>'$.written_at' as written_at,"
    " v.told->>'$.review_id' as review_id, v.told->>'$.immutable' as guard"
    " from wanted w join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest"
    " join vault_payload t on t.commitment = p.text_c"
    " left join (select seq, json_extract_string(decode(canon), '$.body.file') as file"
    " from log_event where type = 'import.staged') e on e.seq = p.seq"
    " left join vault_payload c on c.commitment = p.conclusion_c"
    " left join vault_payload s on s.commitment = p.scope_c"
    " left join (select commitment, decode(body)::json as told from vault_payload"
    " where role = 'provenance') v on v.commitment = p.provenance_c"
    " order by p.seq, p.n"
)
"""Cells with their words. ``wanted(item, rev, digest, durable)`` says which.

``file`` is a keyed digest of the file that was read, where the log holds one, else the import: a
file that is imported twice is one source.
"""

_FACT: Final = (
    '[{"subject_key":"VARCHAR","parameter_key":"VARCHAR","value_key":"VARCHAR",'
    '"cardinality":"VARCHAR","role":"VARCHAR","valid":["VARCHAR"]}]'
)

FACTS_REMEMBERED: Final = f"""
    select item, rev, place, fact.subject_key, fact.parameter_key, fact.value_key,
        coalesce(fact.cardinality, 'unknown') as cardinality,
        coalesce(fact.role, 'states') as role,
        fact.valid[1] as valid_from, fact.valid[2] as valid_to
    from (
        select item, rev, unnest(facts) as fact, generate_subscripts(facts, 1) - 1 as place
        from (
            select p.item, p.rev, from_json(decode(f.body), '{_FACT}') as facts
            from wanted w
            join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest
            join vault_payload f on f.commitment = p.facts_c
        )
    )"""
"""The facts of the same cells, one row each, numbered from 0 within a cell."""

OPEN_ITEMS: Final = (
    "select item, rev, digest, false as durable from proj_item"
    f" where latest and stage in {OPEN_STAGES}"
)
"""What waits, to be looked at as if it were durable."""

SIZE_AT: Final = (
    "select coalesce(max(seq) + 1, 0) as size from log_event where recorded_at <= :moment"
)
"""How many events the log had at a moment."""

NEWEST_OF_TYPE: Final = (
    "select decode(canon) as canon from log_event where type = :type and seq >= :since"
    " and seq < :until"
    " order by seq desc limit 1"
)

SIZE_WITHOUT_READS: Final = (
    "select coalesce(max(seq) + 1, 0) as size from log_event"
    " where type not in ('memory.recalled', 'read.observed', 'read.reported', 'model.proposed')"
)
"""The position after the newest event that is more than a read or a model's word."""
