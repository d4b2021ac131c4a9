"""A model's draft of a rule's text: asked for by a press, put into the box, marked as a model's.

It is a text like any other. The strength check reads it, and nothing follows from it until a
person signs.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console.cards import press
from console.cards.rules import wording
from console.cards.rules.wording import Wording
from console.cards.visit import Visit
from review.desk import Desk
from review.proposals.jobs import Failure, Job, Outcome
from review.proposals.proposing import Proposing
from review.proposals.protocol import ModelError
from review.rules.keeping import Drafted

_FAILED = "rule-model-failed"


def draw(desk: Desk, visit: Visit, item: str, told: Wording) -> None:
    """The button, and whose text is in the box. Nothing where model help never was on."""
    help_, say = visit.model, visit.say
    if help_ is None:
        return
    why = help_.why_not(Job.RULE)
    recorded = help_.last(item, Job.RULE) is not None
    if why is Failure.OFF and not recorded:
        return
    takes = bool(why) and recorded
    with st.container(horizontal=True, vertical_alignment="center", key="rule-model"):
        st.button(
            say("rules.model.take" if takes else "rules.model.ask"),
            key="act-model-rule",
            disabled=press.dialog_open()
            or bool(visit.why_read_only)
            or (why is not None and not recorded),
            on_click=_draft,
            args=(desk, help_, item, told),
            help=say(_help(why, recorded=recorded)),
        )
        if why is not None and not recorded:
            st.caption(say(f"model.failure.{why}"))
        if told.drafted is not None:
            st.button(
                say("rules.model.back"),
                key="act-model-back",
                type="tertiary",
                disabled=press.dialog_open(),
                on_click=_back,
                args=(told,),
            )
    if told.drafted is not None:
        whole = told.drafted.text == told.draft.text
        words = "rules.model.is" if whole else "rules.model.begun"
        st.caption(say(words, name=told.drafted.model, prompt=told.drafted.prompt))
    failed = st.session_state.get(_FAILED)
    if failed is not None and failed[0] == item:
        st.warning(say(failed[1]))


def _help(why: Failure | None, *, recorded: bool) -> str:
    if why is None:
        return "rules.model.ask.help"
    return "rules.model.take.help" if recorded else f"model.failure.{why}"


def _draft(desk: Desk, help_: Proposing, item: str, told: Wording) -> None:
    """Runs before the page opens the store, so that nobody waits for a reply."""
    wording.take_in(item, told)
    st.session_state.pop(_FAILED, None)
    card, record = desk.card_of(item), help_.last(item, Job.RULE)
    try:
        if record is None or help_.why_not(Job.RULE) is None:
            draft = help_.learning.rule(card)
        else:
            draft = help_.learning.drafted(record, card)
    except ModelError as error:
        st.session_state[_FAILED] = (item, f"model.failure.{error.failure}")
        return
    if draft.rule is None:
        kept = draft.record.outcome
        gone = kept is Outcome.PROPOSED and draft.record.text is None
        words = "model.erased" if gone else f"model.outcome.{kept}"
        st.session_state[_FAILED] = (item, words)
        return
    before = told.draft if told.drafted is None else told.drafted.before
    told.drafted = Drafted(draft.rule, draft.record.model, draft.record.prompt, before)
    told.draft = replace(told.draft, text=draft.rule, reasons={}, restored=())
    told.box, told.at = told.box + 1, ""


def _back(told: Wording) -> None:
    """The person's own text again, as it was before the model's."""
    if told.drafted is not None:
        told.draft = replace(told.drafted.before, target=told.draft.target, owner=told.draft.owner)
        told.drafted, told.box, told.at = None, told.box + 1, ""
