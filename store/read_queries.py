"""Queries over what was read and answered, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

REPORTED_AS: Final = (
    "select seq from log_event where type = 'read.reported'"
    " and json_extract_string(decode(canon), '$.body.key') = :key order by seq limit 1"
)
"""The event that reported exactly this before."""

RECALL_OF: Final = (
    "select seq from log_event where type in ('memory.recalled', 'read.observed')"
    " and json_extract_string(decode(canon), '$.body.recall') = :recall order by seq limit 1"
)
"""The event whose numbers a report names."""

_READS: Final = "('memory.recalled', 'read.observed', 'read.reported')"

_TOLD: Final = f"""
    told as (
        select seq, type, recorded_at, json_extract(decode(canon), '$.body') as body
        from log_event where type in {_READS}
    ),
    spoken as (
        select o.seq, max_by(r.body->>'$.answer', r.seq) as answer_c
        from told r join told o on o.type <> 'read.reported'
            and o.body->>'$.recall' = r.body->>'$.recall'
        where r.type = 'read.reported' group by o.seq
    ),
    latest as (
        select * from proj_run qualify row_number() over (
            partition by source_key, importer order by seq desc, n desc) = 1
    ),
    answers as (
        select t.seq, 0::bigint as n, t.type, t.recorded_at, '' as run,
            coalesce(t.body->>'$.recall', '') as recall_c, spoken.answer_c, t.body
        from told t left join spoken on spoken.seq = t.seq where t.type <> 'read.reported'
        union all
        select t.seq, 0, t.type, t.recorded_at, '', '', t.body->>'$.answer', t.body
        from told t where t.type = 'read.reported' and not exists (
            select 1 from told o where o.type <> 'read.reported'
                and o.body->>'$.recall' = t.body->>'$.recall')
        union all
        select p.seq, p.n, 'run', p.recorded_at, p.item, '', p.run_c,
            json_object('system', p.importer)
        from latest p join vault_payload v on v.commitment = p.run_c
        where contains(decode(v.body), '"kind":"recalled"')
            and contains(decode(v.body), '"kind":"said"')
    )"""
"""Every answer there is: what we served, what was reported, and runs that read something."""

_WORDS: Final = """
    words as (
        select commitment, case role
            when 'recall' then coalesce(decode(body)->>'$.asked.text',
                array_to_string(decode(body)->>'$.parts[*].question', ' '))
            when 'answer' then concat_ws(chr(10), decode(body)->>'$.question',
                decode(body)->>'$.answer')
            else array_to_string(decode(body)->>'$.steps[*].text', chr(10)) end as words
        from vault_payload where role in ('recall', 'answer', 'run')
            and decode(body) ilike :raw escape '!'
            and commitment in (select recall_c from answers union all
                select answer_c from answers)
    )"""
"""What was asked and said, of contents in which the search stands at all: few are taken apart."""

_ANSWERS_WHERE: Final = {
    "type": "type = :type",
    "observed": "(type in ('memory.recalled', 'read.observed')) = (:observed = '1')",
    "seq": "seq = :seq and type <> 'run'",
    "run": "type = 'run' and run = :run",
    "q": (
        "(recall_c in (select commitment from words where words ilike :q escape '!')"
        " or answer_c in (select commitment from words where words ilike :q escape '!')"
        " or list_contains(body->>'$.items[*]', :word))"
    ),
    "item": "list_contains(body->>'$.items[*]', :item)",
    "trace": "(body->>'$.trace' = :trace or body->>'$.recall' = :named)",
    "fallen": "list_has_any(body->>'$.items[*]', (select list(item) from fallen))",
    "conflict": (
        "recall_c in (select commitment from vault_payload where role = 'recall' and"
        " len(list_filter(json_extract(decode(body), '$.parts[*].scored[*]'), lambda one:"
        " json_extract_string(one, '$.admitted') = 'true'"
        " and json_extract_string(one, '$.R')::double > 0.0)) > 0)"
    ),
    "conclusion": (
        "recall_c in (select commitment from vault_payload where role = 'recall' and list_has_any("
        "json_extract_string(decode(body), '$.parts[*].trim[*].fate'), ['kept', 'demoted']))"
    ),
    "held": (
        "type in ('read.reported', 'run') and answer_c in (select commitment from vault_payload"
        " where role in ('answer', 'run') and contains(decode(body), :held))"
    ),
}


def answers(filters: list[str]) -> str:
    """Answers, newest first. Filters: see ``_ANSWERS_WHERE``; ``limit`` and ``offset``."""
    wanted = " and ".join(_ANSWERS_WHERE[name] for name in filters)
    words = f", {_WORDS}" if "q" in filters else ""
    return (
        f"with {_TOLD}{words} select seq, n, type, recorded_at, run, recall_c, answer_c,"
        " body::varchar as body, count(*) over () as total from answers"
        f"{f' where {wanted}' if wanted else ''}"
        " order by seq desc, n desc limit :limit offset :offset"
    )


SOUNDING_LIKE: Final = (
    f"with {_TOLD}, held as (select commitment, (select count(*) from wanted"
    " where contains(lower(decode(body)), wanted.word)) as met from vault_payload"
    " where role in ('recall', 'answer', 'run')),"
    " scored as (select a.seq, a.n, max(h.met) as met from answers a"
    " join held h on h.commitment in (a.recall_c, a.answer_c) group by a.seq, a.n)"
    " select a.seq, a.n, a.type, a.recorded_at, a.run, a.recall_c, a.answer_c,"
    " a.body::varchar as body, 0 as total from answers a"
    " join scored s on s.seq = a.seq and s.n = a.n"
    " where s.met >= :least order by s.met desc, a.seq desc, a.n desc limit :limit"
)
"""Answers whose contents hold at least ``least`` of the words in ``wanted``, most first.

They are looked at again one by one: a word may stand in a reason, or in another step of a run.
"""

TIMES_USED: Final = (
    "select t.item, count(*) as n from (select unnest("
    "json_extract_string(decode(canon), '$.body.items[*]')) as item from log_event"
    " where type in ('memory.recalled', 'read.observed')) t"
    " join wanted w on w.key = t.item group by t.item"
)
"""How many answers that we served had each of ``wanted(key)`` in their context."""

IS_REPORTED: Final = (
    "select exists (select 1 from log_event where type = 'read.reported')"
    " or exists (select 1 from proj_run) as told"
)
"""Whether anybody but us told of an answer, or may have by a run."""

ANSWER_COUNT: Final = f"with {_TOLD} select count(*) as n, min(recorded_at) as since from answers"

ANSWERS_SINCE: Final = (
    f"with {_TOLD} select count(*) as n from answers where recorded_at >= :since"
)

SIGNED_UNTIL: Final = (
    "select coalesce(max(seq) + 1, 0) as size from log_event where seq < :size and type in"
    " ('batch.decided', 'links.decided', 'reviewer.added', 'reviewer.revoked')"
)
"""The position after the last signed event among the first ``size``: nothing stood otherwise."""

TEXTS_OF: Final = "select distinct text_c from proj_item where item = :item"
"""The words of a cell in each of its revisions, by commitment."""

_NAMED_ROW: Final = (
    "select p.item, p.rev, p.seq, p.n, p.digest, p.import, p.latest, p.recorded_at, p.look_key"
    " from wanted w join proj_item p on"
)

NAMED: Final = f"{_NAMED_ROW} p.item = w.item and p.rev = w.rev"
"""Cells by item and revision."""

NAMED_LATEST: Final = f"{_NAMED_ROW} p.item = w.item and p.latest"

NAMED_BY_LOOK: Final = f"{_NAMED_ROW} p.look_key = w.key and p.latest order by p.seq, p.n"

POLICY_OF: Final = (
    "select seq, recorded_at, json_extract_string(decode(canon), '$.process') as process,"
    " json_extract_string(decode(canon), '$.body.policy') as policy from log_event"
    " where type = 'policy.changed' and json_extract_string(decode(canon), '$.body.sha256')"
    " = :digest order by seq desc limit 1"
)
"""The text of a policy that was in force, by its digest, and the entry that last set it."""

DECIDED_SINCE: Final = (
    "select d.item, d.decision, d.signed_at, d.reviewer, d.seq from wanted w"
    " join proj_decision d on d.item = w.item where d.seq >= :size order by d.seq, d.item"
)
"""Decisions that came after the first ``size`` events."""

LIST_SIZE: Final = (
    "select count(*) as n from proj_decision where statement = :statement and mode = 'bulk'"
)
"""How many records were decided together in one list."""

USES: Final = (
    "with used as (select unnest(json_extract(decode(canon), '$.body')->>'$.items[*]') as item"
    " from log_event where type in ('memory.recalled', 'read.observed'))"
    " select p.import, p.source_type, p.importer, count(*) as uses,"
    " count(distinct u.item) as cells from used u"
    " join proj_item p on p.item = u.item and p.latest group by p.import, p.source_type,"
    " p.importer"
)
"""How often cells of each import stood in an observed context."""

HELD: Final = (
    "select p.import, p.source_type, p.importer, count(*) as cells from approved a"
    " join proj_item p on p.item = a.item and p.rev = a.rev"
    " group by p.import, p.source_type, p.importer"
)
"""How many durable cells came with each import. ``approved(item, rev)`` says which are."""

LABELLED: Final = (
    "with told as (select seq, recorded_at, json_extract_string(decode(canon), '$.actor') as who,"
    " json_extract(decode(canon), '$.body') as body from log_event where type = 'gate.labelled'),"
    " last as (select * from told qualify row_number() over (partition by body->>'$.answer',"
    " body->>'$.part', body->>'$.item' order by seq desc) = 1)"
    " select seq, recorded_at, who, body->>'$.labels' as labels, body->>'$.answer' as answer,"
    " (body->>'$.part')::bigint as part, body->>'$.item' as item,"
    " (body->>'$.admit')::boolean as admit from last order by seq"
)
"""What people said last of each recorded verdict."""

USED: Final = (
    "select distinct unnest(json_extract(decode(canon), '$.body')->>'$.items[*]') as item"
    " from log_event where type in ('memory.recalled', 'read.observed')"
)
"""Every cell that stood in an observed context."""

OBSERVED_AS: Final = (
    "select json_extract_string(decode(canon), '$.body.recall') as recall from log_event"
    " where type = 'read.observed'"
    " and json_extract_string(decode(canon), '$.body.trace') = :trace"
    " and json_extract_string(decode(canon), '$.body.door') = :door order by seq limit 1"
)
"""What a door read under one of its own ids, if that is recorded."""
