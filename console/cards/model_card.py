"""What a model proposes for a record, beside what the record has. It is never more than that."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console.cards import address, made_here, press, refusals, untrusted
from console.cards.model_help import dry_run
from console.cards.visit import Visit
from console.words import Say
from review.cards.card import Card
from review.desk import Desk
from review.identities import short
from review.proposals.comparing import Pair, pairs
from review.proposals.jobs import Failure, Job
from review.proposals.learning import RuleDraft
from review.proposals.proposing import Proposing
from review.proposals.protocol import ModelError
from review.proposals.reading import ReadClaim
from review.proposals.records import Record
from review.proposals.relating import Relation
from store.cells import Fact, FactRole
from store.links import EITHER_WAY
from store.stages import Stage

_OPEN = (Stage.STAGED, Stage.DEFERRED)
_OTHER = 200
"""Characters of the other record's claim that are drawn beside a proposed edge."""


def draw(desk: Desk, visit: Visit, card: Card) -> None:
    """The section, where model help is on or something was proposed before."""
    help_ = visit.model
    if help_ is None or card.claim is None:
        return
    seen = help_.seen(card)
    is_on = help_.why_not(Job.CLAIM) is not Failure.OFF
    if not (is_on or seen.claim or seen.relations or seen.rule):
        return
    say = visit.say
    with st.container(key=f"model-{card.item}"):
        st.subheader(say("model.card"), anchor=False)
        _failed(say, card.item)
        if seen.claim is not None:
            _claim(say, seen.claim, seen.read, card)
            _take(desk, visit, help_, card, seen.read)
        elif is_on:
            _ask(help_, visit, card)
        _relations(desk, visit, seen.relations, card)
        if seen.rule is not None:
            _rule(say, seen.rule, card)


def _claim(say: Say, record: Record, read: ReadClaim | None, card: Card) -> None:
    st.caption(say("model.by", name=record.model, prompt=record.prompt))
    if record.answered_by not in ("", record.model):
        untrusted.fields([(say.plain("model.answered_by"), record.answered_by)])
    if record.text is None:
        st.caption(say("model.erased"))
    elif read is None:
        st.caption(say(f"model.outcome.{record.outcome}"))
        st.caption(say("model.grammar"))
    else:
        rows = [_row(say, one) for one in pairs(read.facts.facts, card.facts)]
        if read.conclusion is not None:
            rows.append((say.plain("stored.conclusion"), read.conclusion.text))
            rows.append((say.plain("stored.task"), read.conclusion.task))
            rests = "; ".join(_told(one) for one in read.conclusion.support)
            rows.append((say.plain("model.support"), rests or "—"))
        if rows:
            untrusted.fields(rows)
        else:
            st.caption(say("model.no_facts"))
        if read.dropped:
            st.caption(say("model.dropped", n=read.dropped))


def _relations(desk: Desk, visit: Visit, found: Sequence[Relation], card: Card) -> None:
    say = visit.say
    ends = [one.target if one.source == card.item else one.source for one in found]
    claims = desk.claims_of(ends) if ends else {}
    for edge, other in zip(found, ends, strict=True):
        out = edge.source == card.item or edge.kind in EITHER_WAY
        kind = say.plain(f"edge.{edge.kind}" if out else f"edge.by.{edge.kind}")
        words = untrusted.cell(claims.get(other), _OTHER) or short(other)
        untrusted.fields([(kind, words), (say.plain("graph.reason"), edge.reason)])
        with st.container(horizontal=True):
            visit.link("fact", "edge.other", to={"id": other})
            if card.stage is Stage.DURABLE:
                visit.link("conflicts", "model.edge.look", to={"focus": card.item})


def _row(say: Say, pair: Pair) -> tuple[str, str]:
    told = pair.told or pair.stored
    words = "" if told is None else _told(told)
    if pair.told is not None and pair.stored is not None and pair.told.value != pair.stored.value:
        words += f" · {say.plain('model.stored')}: {_told(pair.stored)}"
    return say.plain(f"model.beside.{pair.compared}"), words


def _told(one: Fact) -> str:
    about = f" [{one.subject}]" if one.subject else ""
    stated = one.role is FactRole.STATES
    return f"{one.parameter} = {one.value}{about}" if stated else f"{one.value}{about}"


def _rule(say: Say, draft: RuleDraft, card: Card) -> None:
    st.caption(say("model.rule"))
    if draft.rule is None or draft.strength is None:
        st.caption(say(f"model.outcome.{draft.record.outcome}"))
        return
    untrusted.show(draft.rule, say, key=f"rule-draft-{card.item}")
    st.caption(say(f"model.rule.{draft.strength.verdict}"))


def _ask(help_: Proposing, visit: Visit, card: Card) -> None:
    st.caption(visit.say("model.none"))
    st.button(
        visit.say("model.ask"),
        key="act-model",
        disabled=press.dialog_open(),
        on_click=_asked,
        args=(help_, card),
        help=visit.say("model.ask.help"),
    )
    dry_run.draw(help_, visit.say, card)


def _asked(help_: Proposing, card: Card) -> None:
    """Runs before the page opens the store, so that nobody waits for a reply."""
    st.session_state.pop("model_failed", None)
    (found,) = help_.claims([card])
    if isinstance(found, ModelError):
        st.session_state["model_failed"] = (card.item, str(found.failure))


def _failed(say: Say, item: str) -> None:
    told = st.session_state.get("model_failed")
    if told is not None and told[0] == item:
        st.warning(say(f"model.failure.{Failure(told[1])}"))
        st.caption(say("model.grammar"))


def _take(desk: Desk, visit: Visit, help_: Proposing, card: Card, read: ReadClaim | None) -> None:
    if read is None or card.stage not in _OPEN or not (read.facts.facts or read.conclusion):
        return
    st.button(
        visit.say("model.take"),
        key="act-take",
        type="tertiary",
        disabled=bool(visit.why_read_only) or press.dialog_open(),
        help=visit.say("model.take.help"),
        on_click=_taken,
        args=(desk, visit, help_, card),
    )


def _taken(desk: Desk, visit: Visit, help_: Proposing, card: Card) -> None:
    nonce = desk.new_nonce()
    try:
        receipt = help_.take_over(card, nonce=nonce)
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    made_here.keep(one for one in desk.drafts() if one.nonce == nonce)
    if receipt.items:
        st.session_state["said"] = ("said.edit", {})
        st.session_state["drawn"] = None
        address.put(item=receipt.items[0])
