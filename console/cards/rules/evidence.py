"""The evidence of one candidate: its sources, thresholds, trials, conflicts and exposure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.cards.rules import words
from console.cards.times import moment
from console.cards.visit import Visit
from review.exported.past import PastExport
from review.identities import short
from review.rules.drafting import Checked, Opened
from review.rules.export_told import CaseTold, Opposes, Outcome, SourceText
from store.cells import Span

_SOURCES: Final = 10
_ROWS: Final = 50
_THRESHOLDS: Final = ("rule", "wanted", "found", "n", "passed")
_TRIED: Final = ("outcome", "apart", "words", "who", "run")
_CASES: Final = ("stance", "words", "who", "when", "run")


def sources(visit: Visit, opened: Opened, checked: Checked) -> None:
    """The source as it was observed, word for word, with who said it and when.

    Words of it that the rule has lost or changed are marked.
    """
    say = visit.say
    st.subheader(say("rules.source"), anchor=False)
    for n, one in enumerate(opened.sources[:_SOURCES]):
        spans = _cues(checked, n, one.text)
        with st.container(key=f"claim-source-{n}"):
            if spans:
                untrusted.marked(one.text.encode("utf-8"), spans)
            else:
                untrusted.show(one.text, say, key=f"source-{n}")
        untrusted.line(_whence(visit, one))
    if len(opened.sources) > _SOURCES:
        st.caption(say("rules.more_sources", n=len(opened.sources) - _SOURCES))
    against = [one for one in opened.told if one.stance == "contradicts" and one.words]
    if against:
        rows = [(say.plain("rules.counter"), _said(one)) for one in against[:_SOURCES]]
        untrusted.fields(rows)


def _cues(checked: Checked, n: int, text: str) -> list[Span]:
    """The cues of a source's open and answered places, in its bytes."""
    passages = [one.place.source for one in checked.places]
    return [
        Span(len(text[: one.span.start].encode()), len(text[: one.span.end].encode()))
        for one in passages
        if one is not None and one.text == n and one.cue
    ]


def _whence(visit: Visit, one: SourceText) -> str:
    say = visit.say
    who = one.who or say.plain("rules.unnamed")
    when = moment(one.when) if one.when else say.plain("rules.undated")
    return f"{when}, {who}, {short(one.item)}, {_place(visit, one.place)}"


def _place(visit: Visit, place: str) -> str:
    """Where a source stands, from our code for it: ``claim``, ``run`` or ``step 3``."""
    name, _, n = place.partition(" ")
    return visit.say.plain(f"rules.place.{name}", n=int(n or 0))


def _said(one: CaseTold) -> str:
    return f"{one.words}  ({one.who or '–'}, {moment(one.when) if one.when else '–'})"


def thresholds(visit: Visit, opened: Opened) -> None:
    """The rules that were evaluated, with what they came to; a model's confidence is last."""
    say = visit.say
    st.subheader(say("rules.thresholds"), anchor=False)
    rows = [words.evaluated(say, one) for one in opened.thresholds]
    if opened.learned.claimed:
        told = (say.plain("rules.model_confidence"), "–", opened.learned.claimed, "–")
        rows.append((*told[:2], untrusted.cell(told[2], 20), told[3], say.plain("rules.not_read")))
    st.dataframe(
        pd.DataFrame(rows, columns=list(_THRESHOLDS), dtype="str"),
        hide_index=True,
        key="rule-thresholds",
        row_height=34,
        height=38 + 34 * len(rows),
        column_config={
            "rule": st.column_config.TextColumn(say("rules.evaluated"), width=255),
            "wanted": st.column_config.TextColumn(say("rules.wanted"), width=75),
            "found": st.column_config.TextColumn(say("rules.found"), width=80),
            "n": st.column_config.TextColumn(say("rules.n"), width=50),
            "passed": st.column_config.TextColumn(say("rules.result"), width=120),
        },
        alt=say("rules.thresholds.alt"),
    )
    st.caption(say("rules.independent"))
    if opened.cases.missing:
        st.caption(say("rules.cases_missing", n=opened.cases.missing))
    if opened.cases.count.echoes:
        st.caption(say("rules.echoes", n=opened.cases.count.echoes))


def tried(visit: Visit, opened: Opened) -> None:
    """What came of trying it on runs outside its support."""
    say, told = visit.say, opened.transfer
    st.subheader(say("rules.transfer"), anchor=False)
    st.caption(
        say("rules.transfer.told", holds=told.holds, whole=told.holds + told.fails, n=told.outside)
    )
    quiet = sum(one.outcome in (Outcome.UNKNOWN, Outcome.DOES_NOT_APPLY) for one in told.tried)
    rows = [
        (
            say.plain(f"rules.outcome.{one.outcome}"),
            ", ".join(say.plain(f"rules.apart.{apart}") for apart in one.differs_in),
            untrusted.cell(one.words),
            untrusted.cell(one.who or "–", 30),
            short(one.run),
        )
        for one in told.tried[:_ROWS]
        if one.outcome is not Outcome.DOES_NOT_APPLY
    ]
    if quiet:
        st.caption(say("rules.transfer.quiet", n=quiet))
    if not rows:
        return
    st.dataframe(
        pd.DataFrame(rows, columns=list(_TRIED), dtype="str"),
        hide_index=True,
        key="rule-tried",
        row_height=34,
        height=min(38 + 34 * len(rows), 210),
        column_config={
            "outcome": st.column_config.TextColumn(say("rules.result"), width=110),
            "apart": st.column_config.TextColumn(say("rules.apart"), width=110),
            "words": st.column_config.TextColumn(say("rules.said_there"), width=195),
            "who": st.column_config.TextColumn(say("rules.who"), width=80),
            "run": st.column_config.TextColumn(say("rules.run"), width=90),
        },
        alt=say("rules.transfer.alt", n=len(rows)),
    )


def around(visit: Visit, opened: Opened, earlier: Sequence[PastExport] = ()) -> None:
    """Conflicts, exports before this one, look-alikes; then how often it was shown and so on."""
    say = visit.say
    if earlier:
        st.warning(say("rules.earlier", n=len(earlier)), icon=":material/content_copy:")
        for one in earlier[:_SOURCES]:
            visit.link(
                "rules",
                "rules.earlier.one",
                to={"export": one.export},
                id=short(one.export),
                when=moment(one.signed.signed_at),
            )
    st.subheader(say("rules.conflicts"), anchor=False)
    if opened.conflicts:
        untrusted.fields(
            [
                (f"{say.plain(f'rules.opposes.{one.with_}')} {short(one.other)}", one.words)
                for one in opened.conflicts[:_ROWS]
            ]
        )
        if any(one.with_ is Opposes.CELL for one in opened.conflicts):
            visit.link("conflicts", "rules.to_conflicts", to={"focus": opened.learned.item})
    else:
        st.caption(say("rules.no_conflicts"))
    if opened.ground.duplicates:
        visit.link("duplicates", "rules.to_duplicates", to={"cluster": opened.ground.duplicates})
    exposure = opened.exposure
    st.text(
        "   ·   ".join(
            (
                say.plain("rules.shown", n=exposure.shown),
                say.plain("rules.repeated", n=exposure.repeated),
                say.plain("rules.blamed", n=exposure.blamed),
            )
        )
    )
    st.caption(say("rules.exposure"))


def cases(visit: Visit, opened: Opened) -> None:
    """Every case, those without an event too."""
    say, told = visit.say, opened.told
    with st.expander(say("rules.cases", n=len(told))):
        rows = [
            (
                say.plain(f"stance.{one.stance}"),
                untrusted.cell(one.words or say.plain("rules.case_missing")),
                untrusted.cell(one.who or "–", 30),
                moment(one.when) if one.when else "–",
                short(one.run) if one.run else untrusted.cell(one.source_id, 30),
            )
            for one in told[:_ROWS]
        ]
        st.dataframe(
            pd.DataFrame(rows, columns=list(_CASES), dtype="str"),
            hide_index=True,
            key="rule-cases",
            row_height=34,
            height=min(38 + 34 * max(len(rows), 1), 300),
            column_config={
                "stance": st.column_config.TextColumn(say("rules.stance"), width=90),
                "words": st.column_config.TextColumn(say("rules.said_there"), width=520),
                "who": st.column_config.TextColumn(say("rules.who"), width=120),
                "when": st.column_config.TextColumn(say("rules.when"), width=150),
                "run": st.column_config.TextColumn(say("rules.run"), width=150),
            },
            alt=say("rules.cases.alt", n=len(rows)),
        )
        if len(told) > _ROWS:
            st.caption(say("rules.more_cases", n=len(told) - _ROWS))
