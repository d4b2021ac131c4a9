"""Queries that a forget plan and its report ask, like those of ``store.queries``.

Frames joined by name: ``wanted`` says which records or contents are meant, ``leaving`` which
contents go. Words are compared literally; nothing here is a pattern that a caller gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from store.queries import RUN_KEYS

_SAID: Final = "lower(trim(nfc_normalize({})))"
_VALUES: Final = {
    "scope": (
        "list_concat(json_extract_string(decode(body), '$.scope.*'),"
        " json_extract_string(decode(body), '$.entities[*]'))"
    ),
    "facts": "json_extract_string(decode(body), '$[*].subject')",
    "run": "json_extract_string(decode(body), '$.run.*')",
}


def _about(role: str) -> str:
    return (
        f"select commitment from vault_payload where role = '{role}' and list_contains("
        f"list_transform({_VALUES[role]}, lambda one: {_SAID.format('one')}),"
        f" {_SAID.format(':subject')})"
    )


ITEMS_ABOUT: Final = (
    f"select distinct item from proj_item where scope_c in ({_about('scope')})"
    f" or facts_c in ({_about('facts')})"
)
"""Records of which the scope, an entity or the subject of a fact is ``subject``."""

RUNS_ABOUT: Final = f"select item from proj_run where run_c in ({_about('run')})"

_NAMED: Final = " ".join(f"when '{role}' then {values}" for role, values in _VALUES.items())
_ROLES: Final = ", ".join(f"'{role}'" for role in _VALUES)
SUBJECTS: Final = (
    f"with named as (select commitment, unnest(case role {_NAMED} end) as name"
    f" from vault_payload where role in ({_ROLES})),"
    f" said as (select distinct commitment, trim(name) as name, {_SAID.format('name')} as look"
    f" from named where trim(name) <> ''"
    f" and contains({_SAID.format('name')}, {_SAID.format(':words')})),"
    " held as (select item, unnest([scope_c, facts_c]) as c from proj_item"
    " union all select item, run_c from proj_run)"
    " select min(s.name) as name, count(distinct h.item) as n"
    " from said s join held h on h.c = s.commitment group by s.look"
    f" order by s.look = {_SAID.format(':words')} desc, n desc, name limit :most"
)
"""Names that a subject can be, in which some words stand literally, with how many records and runs
name each; equal names first, then the most frequent. No words stand in every name."""

_RUN_NAMES: Final = ", ".join(
    f"coalesce(json_extract_string(decode(body), '$.scope.{key}'), '')" for key in RUN_KEYS
)
ITEMS_OF_RUN: Final = (
    "select distinct item from proj_item where scope_c in (select commitment from vault_payload"
    f" where role = 'scope' and :run in ({_RUN_NAMES}))"
)
"""Records whose scope names ``run`` as the run they come from."""

ITEMS_WHERE: Final = {
    "imports": "import in (select import from wanted)",
    "since": "recorded_at >= :since",
    "until": "recorded_at < :until",
}
"""How items, runs and records are narrowed. ``until`` is the first moment that is too late."""


def items_where(names: Sequence[str], table: str = "proj_item") -> str:
    """Ids of everything in a table that fits; of ``proj_record`` its places."""
    chosen = {
        "proj_item": "select distinct item from proj_item",
        "proj_run": "select item from proj_run",
        "proj_record": (
            "select seq, n, raw_c, place_c from proj_record"
            " where (raw_c is not null or place_c is not null)"
        ),
    }[table]
    clauses = " and ".join(ITEMS_WHERE[name] for name in names)
    if not clauses:
        return chosen
    return f"{chosen} {'and' if table == 'proj_record' else 'where'} {clauses}"


KNOWN_IDS: Final = (
    "select item, 'item' as kind from proj_item where latest and item in (select item from wanted)"
    " union all select item, 'run' from proj_run where item in (select item from wanted)"
)

BY_SOURCE_KEY: Final = (
    "select w.key, p.item, 'item' as kind from wanted w join proj_item p on p.source_key = w.key"
    " and p.latest union all"
    " select w.key, p.item, 'run' from wanted w join proj_run p on p.source_key = w.key"
)

IMPORTS_KNOWN: Final = (
    "select distinct import from proj_import where import in (select import from wanted)"
)

REVISIONS: Final = (
    "select p.item, p.rev, p.latest, p.digest, p.stage, p.import as brought_by,"
    " p.text_c, p.provenance_c, p.scope_c, p.facts_c, p.conclusion_c, p.raw_c, p.place_c"
    " from wanted w join proj_item p on p.item = w.item order by p.seq, p.n"
)
"""Every revision of the wanted records, with everything that is kept of each."""

RUN_ROWS: Final = (
    "select p.item, p.import, p.run_c, p.analysis_c, p.raw_c, p.place_c"
    " from wanted w join proj_run p on p.item = w.item order by p.seq, p.n"
)

READINGS: Final = (
    "with told as (select unnest(from_json(json_extract(decode(canon), '$.body.readings'),"
    " '[[\"VARCHAR\"]]')) as reading from log_event where type = 'run.analysed')"
    " select reading[1] as item, reading[2] as analysis from told"
    " join wanted w on w.item = reading[1]"
)
"""Later readings of runs."""

NOTES: Final = (
    "select d.item, d.note_c from wanted w join proj_decision d on d.item = w.item"
    " where d.note_c is not null order by d.seq"
)

ENDS: Final = (
    "select type, recorded_at, decode(canon) as canon from log_event"
    " where type in ('forget.completed', 'forget.partial') order by seq"
)
"""How requests ended, in order."""

LINK_STATEMENTS: Final = (
    "select distinct s.statement_sha256, s.statement from wanted w"
    " join proj_link l on l.item = w.item or l.target = w.item"
    " join log_signature s on s.statement_sha256 = l.statement"
)

MADE_FROM: Final = "select distinct item, target from proj_edge where kind = 'derived_from'"

RESTING_ON: Final = (
    "select distinct e.item from wanted w join proj_edge e on e.target = w.item"
    " and e.kind = 'depends_on' join proj_item p on p.item = e.item and p.rev = e.rev"
    " and p.latest where p.stage = 'durable' order by e.item"
)

UNLINKED: Final = (
    "select count(*) as n from proj_item p where p.latest and p.stage <> 'erased'"
    " and (p.source_type in ('agent_summary', 'model_extraction')"
    " or p.kind in ('insight', 'session_summary')) and not exists ("
    "select 1 from proj_edge e where e.item = p.item and e.kind = 'derived_from')"
)
"""Records that were made from something, and nobody recorded from what."""

IMPORT_ROWS: Final = (
    "with touched as (select distinct import from wanted),"
    " held as (select import, item as id from proj_item where latest and stage <> 'erased'"
    " union select import, item from proj_run"
    " union select r.import, r.item from proj_record r join proj_item p on p.item = r.item"
    " where r.outcome = 'already_known' and p.latest and p.stage <> 'erased'"
    " union select import, seq || '/' || n from proj_record"
    " where raw_c is not null or place_c is not null)"
    " select t.import, (select count(*) from held h where h.import = t.import) as n,"
    " (select list(s.source_c) from proj_import s where s.import = t.import"
    " and s.source_c is not null) as sources from touched t"
)
"""Of imports: how many records with content they brought, or brought again, and what is kept of
their source."""

KNOWN_BEFORE: Final = (
    "select distinct r.import, r.item from wanted w join proj_record r on r.item = w.item"
    " where r.outcome = 'already_known'"
)
"""Imports that brought records of ``wanted`` which were known already."""


def known_before_in(names: Sequence[str]) -> str:
    """Records that imports brought and that were known already, narrowed as ``items_where``."""
    clauses = " and ".join(["outcome = 'already_known'", *(ITEMS_WHERE[name] for name in names)])
    return f"select distinct item from proj_record where {clauses}"


USES: Final = (
    "with told as (select seq, type, json_extract(decode(canon), '$.body') as body from log_event"
    " where type in ('memory.recalled', 'read.observed')),"
    " used as (select seq, type, coalesce(body->>'$.recall', '') as recall,"
    " coalesce(body->>'$.door', '') as door, unnest(body->>'$.items[*]') as item from told)"
    " select u.seq, u.type, u.recall, u.door, u.item from wanted w join used u on u.item = w.item"
    " order by u.seq"
)
"""Observed answers that had a wanted record in their context."""

ANSWER_CONTENTS: Final = (
    "select seq, type, json_extract_string(decode(canon), '$.body.recall') as recall,"
    " json_extract_string(decode(canon), '$.body.answer') as answer from log_event"
    " where type in ('memory.recalled', 'read.observed', 'read.reported')"
)

OWNERS: Final = (
    "with found as (select commitment from wanted)"
    " select 'item' as kind, p.item as id, f.commitment from found f join ("
    "select item, unnest([text_c, conclusion_c, raw_c]) as c from proj_item) p"
    " on p.c = f.commitment"
    " union all select 'run', p.item, f.commitment from found f join ("
    "select item, unnest([run_c, raw_c]) as c from proj_run) p on p.c = f.commitment"
    " union all select 'record', p.seq || '/' || p.n, f.commitment from found f"
    " join proj_record p on p.raw_c = f.commitment"
    " union all select 'item', d.item, f.commitment from found f"
    " join proj_decision d on d.note_c = f.commitment"
    " union all select 'source', s.import, f.commitment from found f"
    " join proj_import s on s.source_c = f.commitment"
    " union all select 'answer', 'answer-' || a.seq, f.commitment from found f join ("
    "select seq, unnest([json_extract_string(decode(canon), '$.body.recall'),"
    " json_extract_string(decode(canon), '$.body.answer')]) as c, type from log_event"
    " where type in ('memory.recalled', 'read.observed', 'read.reported')) a"
    " on a.c = f.commitment and (a.type <> 'read.reported' or f.commitment in ("
    "select commitment from vault_payload where role = 'answer'))"
)
"""Whose contents these are."""

TEXT_SEARCH: Final = (
    "select p.item, p.kind, p.stage, decode(v.body) as claim, count(*) over () as found"
    " from proj_item p join vault_payload v on v.commitment = p.text_c"
    f" where p.latest and contains({_SAID.format('decode(v.body)')}, {_SAID.format(':words')})"
    " order by p.seq desc, p.n desc limit :most"
)
"""Records in which some words stand literally, but for case and for how an accent is spelled; with
how many there are."""

PRESENT: Final = (
    "select w.commitment from wanted w join vault_payload v on v.commitment = w.commitment"
)
"""Which of the wanted contents the vault still holds."""

BACKUPS: Final = (
    "with told as (select seq, type, json_extract(decode(canon), '$.body') as body from log_event"
    " where type in ('backup.written', 'backup.deleted'))"
    " select w.seq, w.body->>'$.backup' as backup, (w.body->>'$.size')::bigint as size,"
    " w.body->>'$.delete_by' as delete_by from told w where w.type = 'backup.written'"
    " and not exists (select 1 from told d where d.type = 'backup.deleted'"
    " and (d.body->>'$.found')::boolean and d.body->>'$.backup' = w.body->>'$.backup')"
    " order by w.seq"
)
"""Backups that were written and not found and deleted: one that was gone may be elsewhere."""

FORGET_EVENTS: Final = (
    "select seq, type, recorded_at, decode(canon) as canon from log_event where type in"
    " ('forget.requested', 'forget.replayed', 'forget.guarded', 'forget.completed',"
    " 'forget.partial', 'forget.confirmed') order by seq"
)
"""What happened to forget requests, in order."""

STATEMENTS: Final = (
    "select s.statement_sha256, s.statement from wanted w"
    " join log_signature s on s.statement_sha256 = w.statement"
)
"""What was signed, byte for byte, by its digest."""

HEAD_KNOWN: Final = "select count(*) as n from proj_root where lower(hex(root)) = :root"
"""Whether the log had this head at some time."""

CONFIRMED: Final = (
    "select e.seq, decode(e.canon) as canon, s.statement, s.sshsig from log_event e"
    " join log_signature s on s.statement_sha256 ="
    " json_extract_string(decode(e.canon), '$.body.statement')"
    " where e.type = 'forget.confirmed' order by e.seq"
)
"""What people signed about copies elsewhere."""
