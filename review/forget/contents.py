"""What is kept of each row of a plan: every content that goes with it, by commitment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from review.forget.finding import ANSWER_MARK, frame
from review.forget.origins import present
from store import export_queries, forget_queries, model_queries
from store.links import read_links
from store.log import Store

_PARTS: Final = (
    "text_c",
    "provenance_c",
    "scope_c",
    "facts_c",
    "conclusion_c",
    "raw_c",
    "place_c",
)
_RUN_PARTS: Final = ("run_c", "analysis_c", "raw_c", "place_c")


@dataclass
class Kept:
    """What is kept of one row."""

    contents: dict[str, None] = field(default_factory=dict)
    rev: int = 0
    artifact: str = ""
    revisions: int = 0
    stage: str = ""
    notes: int = 0
    texts: list[str] = field(default_factory=list)
    """Commitments of its own words: claims and conclusions."""

    source: str = ""
    """Commitment of its latest provenance."""

    scope: str = ""
    brought_by: str = ""
    """The import that brought it."""


def of_items(store: Store, items: Iterable[str]) -> dict[str, Kept]:
    """Records with all revisions, and the notes on what people decided about them."""
    wanted = frame(items)
    told: dict[str, Kept] = {}
    if not len(wanted):
        return told
    for row in store.rows(forget_queries.REVISIONS, {"wanted": wanted}):
        kept = told.setdefault(str(row["item"]), Kept())
        kept.revisions += 1
        kept.contents |= {row[part]: None for part in _PARTS if row[part]}
        kept.texts += [row[part] for part in ("text_c", "conclusion_c") if row[part]]
        if row["latest"]:
            kept.rev, kept.artifact = int(row["rev"]), str(row["digest"])
            kept.stage, kept.source = str(row["stage"]), str(row["provenance_c"])
            kept.scope, kept.brought_by = str(row["scope_c"] or ""), str(row["brought_by"])
    _notes(store, told)
    _exports(store, told)
    _proposals(store, told)
    _bundles(store, told)
    return _only_present(store, told)


def of_runs(store: Store, runs: Iterable[str]) -> dict[str, Kept]:
    """Runs with every reading of them."""
    wanted = frame(runs)
    told: dict[str, Kept] = {}
    if not len(wanted):
        return told
    for row in store.rows(forget_queries.RUN_ROWS, {"wanted": wanted}):
        kept = told.setdefault(str(row["item"]), Kept(stage="evidence"))
        kept.contents |= {row[part]: None for part in _RUN_PARTS if row[part]}
        kept.texts.append(str(row["run_c"]))
        kept.brought_by = str(row["import"])
    for row in store.rows(forget_queries.READINGS, {"wanted": wanted}):
        if row["item"] in told:
            told[row["item"]].contents[row["analysis"]] = None
    _proposals(store, told)
    _bundles(store, told)
    return _only_present(store, told)


def of_records(store: Store, places: Iterable[str]) -> dict[str, Kept]:
    """Records that were not staged: their own bytes, and where in the source they stood."""
    wanted = set(places)
    told: dict[str, Kept] = {}
    if not wanted:
        return told
    for row in store.rows(forget_queries.items_where([], "proj_record")):
        place = f"{row['seq']}/{row['n']}"
        if place in wanted:
            told[place] = Kept({row[part]: None for part in ("raw_c", "place_c") if row[part]})
    return _only_present(store, told)


def of_contents(store: Store, commitments: Iterable[str]) -> dict[str, Kept]:
    """Contents that belong to none of the others."""
    return _only_present(store, {one: Kept({one: None}) for one in commitments})


def of_answers(store: Store, answers: Iterable[str]) -> dict[str, Kept]:
    """What is kept of answers: the recall, or what was reported."""
    wanted = set(answers)
    told: dict[str, Kept] = {}
    if not wanted:
        return told
    for row in store.rows(forget_queries.ANSWER_CONTENTS):
        name = f"{ANSWER_MARK}{row['seq']}"
        content = row["answer"] if row["type"] == "read.reported" else row["recall"]
        if name in wanted and content:
            told[name] = Kept({str(content): None})
    return _only_present(store, told)


def of_sources(store: Store, imports: Iterable[str]) -> dict[str, Kept]:
    """What is kept of sources as such."""
    wanted = frame(imports, "import")
    if not len(wanted):
        return {}
    rows = store.rows(forget_queries.IMPORT_ROWS, {"wanted": wanted})
    told = {str(row["import"]): Kept(dict.fromkeys(row["sources"] or ())) for row in rows}
    return _only_present(store, told)


def known_before(store: Store, going: Mapping[str, Iterable[str]]) -> tuple[tuple[str, str], ...]:
    """Imports that brought what goes once more, each with the record.

    Args:
        store: Where they came in.
        going: For each import, the rows of it that go.
    """
    ids = [one for rows in going.values() for one in rows]
    rows = store.rows(forget_queries.KNOWN_BEFORE, {"wanted": frame(ids)})
    return tuple((str(row["import"]), str(row["item"])) for row in rows)


def emptied(store: Store, going: Mapping[str, Iterable[str]]) -> set[str]:
    """Imports of which nothing would be left.

    Args:
        store: Where they came in.
        going: For each import, the rows of it that go.
    """
    rows = store.rows(forget_queries.IMPORT_ROWS, {"wanted": frame(going, "import")})
    counts = Counter({name: len(set(ids)) for name, ids in going.items()})
    return {str(r["import"]) for r in rows if r["sources"] and int(r["n"]) <= counts[r["import"]]}


def _notes(store: Store, told: dict[str, Kept]) -> None:
    """Notes on decisions, and on links between records."""
    wanted = {"wanted": frame(told)}
    for row in store.rows(forget_queries.NOTES, wanted):
        told[row["item"]].contents[row["note_c"]] = None
        told[row["item"]].notes += 1
    for row in store.rows(forget_queries.LINK_STATEMENTS, wanted):
        for link in read_links(bytes(row["statement"])).links:
            for item in (link.start.item, link.target.item):
                if link.note and item in told:
                    told[item].contents[link.note] = None
                    told[item].notes += 1


def _exports(store: Store, told: dict[str, Kept]) -> None:
    """What is kept of rules that left: the files of their bundles, and why one was taken back."""
    for export in store.standing().exports.values():
        if export.item in told:
            kept = [one for one in (export.content, export.note) if one]
            told[export.item].contents |= dict.fromkeys(kept)


def _proposals(store: Store, told: dict[str, Kept]) -> None:
    """What models proposed over any of it: a proposal quotes the text, so it goes along."""
    of = {content: kept for kept in told.values() for content in kept.contents}
    if of:
        wanted = {"wanted": frame(of, "commitment")}
        for row in store.rows(model_queries.PROPOSED_FROM, wanted):
            of[row["parent"]].contents[row["child"]] = None


def _bundles(store: Store, told: dict[str, Kept]) -> None:
    """Bundles of rules that quote any of it, of whatever cell they were made."""
    of = {content: kept for kept in told.values() for content in kept.contents}
    if of:
        wanted = {"wanted": frame(of, "commitment")}
        for row in store.rows(export_queries.EXPORTED_FROM, wanted):
            of[row["parent"]].contents[row["child"]] = None


def _only_present(store: Store, told: dict[str, Kept]) -> dict[str, Kept]:
    """Without contents that are gone already; rows of which nothing is left stay, empty."""
    held = present(store, (c for kept in told.values() for c in kept.contents))
    for kept in told.values():
        kept.contents = {c: None for c in kept.contents if c in held}
        kept.texts = [c for c in kept.texts if c in held]
    return told
