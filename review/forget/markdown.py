"""A report as Markdown: for people, and for whoever checks it later. It holds no foreign text."""

from __future__ import annotations

from collections.abc import Iterator

from review.forget.headline import headline
from review.forget.locations import Location
from review.forget.report import Report
from review.forget.sentences import KINDS, PHRASES, REASONS, STATUSES, STEPS
from review.forget.statuses import Bucket
from review.forget.wording import person

_HEADS = {
    "en": {
        "title": "Forget request {id}",
        "counts": "Erased {erased}, left {left}, cannot know {unknown}: {all} in scope, counted "
        "again after the run.",
        "signed": "Signed by {by}, {started}; ended {ended}.",
        "outcome.completed": "Carried out within its scope.",
        "outcome.partial": "Carried out in part. It can be run again.",
        "missing": "{n} ids that were asked for are not here.",
        "unlinked": "{n} records do not say what they were made from.",
        "checked": "Looked at again {at}.",
        "rows": "Records",
        "row": "id | kind | why | steps away | status | contents gone | checked by",
        "places": "Places",
        "place": "place | kind | status | where | copies | files | hits | controls",
        "statements": "Signed statements",
    },
    "ru": {
        "title": "Запрос на забывание {id}",
        "counts": "Стёрто {erased}, осталось {left}, не можем знать {unknown}: в области {all}, "
        "пересчитано после выполнения.",
        "signed": "Подписал {by}, {started}; закончено {ended}.",
        "outcome.completed": "Выполнено в пределах области.",
        "outcome.partial": "Выполнено частично. Можно выполнить ещё раз.",
        "missing": "Запрошенных идентификаторов здесь нет: {n}.",
        "unlinked": "Записей, для которых не указано, из чего они сделаны: {n}.",
        "checked": "Проверено ещё раз {at}.",
        "rows": "Записи",
        "row": "id | вид | почему | шагов | статус | содержимого нет | проверено",
        "places": "Места",
        "place": "место | вид | статус | где | копий | файлов | найдено | контрольных",
        "statements": "Подписанные заявления",
    },
}


def markdown(report: Report, lang: str = "en") -> str:
    """The whole report."""
    return "\n".join(_lines(report, lang)) + "\n"


def _lines(report: Report, lang: str) -> Iterator[str]:
    say, head, counts = _HEADS[lang], report.head, report.counts()
    yield f"# {say['title'].format(id=head.forget_id)}"
    yield ""
    yield headline(report, lang)
    yield ""
    yield say[f"outcome.{report.outcome}"]
    yield say["counts"].format(**{str(b): counts[b] for b in Bucket}, all=len(report.rows))
    yield say["signed"].format(by=head.requested_by, started=head.started, ended=head.ended)
    if head.missing:
        yield say["missing"].format(n=head.missing)
    yield say["unlinked"].format(n=head.unlinked)
    if report.checked_at:
        yield say["checked"].format(at=report.checked_at)
    yield ""
    yield f"## {PHRASES[lang]['left']}"
    yield ""
    for one in report.left():
        yield f"- {_told(one, lang)}"
    yield ""
    yield f"## {PHRASES[lang]['always']}"
    yield ""
    for one in report.always():
        yield f"- {REASONS[lang][one.residual_reason]}"
    yield ""
    yield from _tables(report, lang)
    yield f"## {say['statements']}"
    yield ""
    for digest in head.statement_sha256:
        yield f"- {digest}"


def _told(one: Location, lang: str) -> str:
    words = [f"{KINDS[lang][one.kind]} `{one.location_id}`: {STATUSES[lang][one.status]}."]
    if one.residual_reason in REASONS[lang]:
        words.append(REASONS[lang][one.residual_reason])
    if one.delete_by:
        words.append(f"({one.delete_by})")
    if one.next_step in STEPS[lang]:
        words.append(STEPS[lang][one.next_step])
    for said in one.confirmed:
        what = PHRASES[lang][said.what]
        name = person(said.name) or said.by
        words.append(PHRASES[lang]["says"].format(name=name, what=what, at=said.at))
    return " ".join(words)


def _tables(report: Report, lang: str) -> Iterator[str]:
    say = _HEADS[lang]
    yield f"## {say['rows']}"
    yield ""
    yield f"| {say['row']} |"
    yield "|---|---|---|---|---|---|---|"
    for row in report.rows:
        gone = f"{row.gone}/{row.contents}"
        told = (row.id, row.kind, row.why, row.depth, row.status, gone, row.checked_by)
        yield f"| {' | '.join(map(str, told))} |"
    yield ""
    yield f"## {say['places']}"
    yield ""
    yield f"| {say['place']} |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in report.locations:
        found = one.evidence
        told_place = (
            *(one.location_id, one.kind, one.status, one.path_hint, one.items),
            *(found.files_scanned, found.hits, found.control_hits),
        )
        yield f"| {' | '.join(map(str, told_place))} |"
    yield ""
