"""Forget: scope, preview, run, report. Reports say truthfully what is left."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import address, heading, refusals
from console.cards.forget import asked, earlier, preview, refused, starting, told, unreported
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.plan import Plan
from review.forget.report import BadReportError
from review.forget.running import NoSuchRequestError
from review.forget.scope import Scope
from review.forget.token import PreviewToken

STEPS: Final = ("scope", "preview", "run", "report")
DEFAULTS: Final = {"step": "scope", "request": "", "item": ""}
ALLOWED: Final = {"step": list(STEPS)}
_SHOWN: Final = "forget_preview"
_FAILED: Final = "forget_failed"
"""Why the last run of this preview was refused."""

_STOPPED: Final = "forget_stopped"
"""What stopped a run that had begun."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the step that the address names; without a preview there is no later step."""
    at = address.read(DEFAULTS, ALLOWED)
    heading.draw(visit, "forget")
    heading.read_only(visit)
    address.note_unknown(at, visit.say)
    step = at["step"]
    shown: tuple[Scope, Plan, PreviewToken] | None = st.session_state.get(_SHOWN)
    if step in ("preview", "run") and shown is None:
        step = "scope"
    _steps(visit, step)
    if step == "report":
        address.put(step=step, request=at["request"])  # a link of this very page leaves it out
        starting.cancel()
        _report(desk, visit, at["request"])
    elif step == "scope" or shown is None:
        starting.cancel()
        _scope(desk, visit, at["item"])
    elif step == "preview":
        starting.cancel()
        _preview(desk, visit, *shown)
    else:
        _run(desk, visit, *shown)


def _steps(visit: Visit, step: str) -> None:
    words = [
        f"{'▶ ' if one == step else ''}{n}. {visit.say.plain(f'forget.step_{one}')}"
        for n, one in enumerate(STEPS, start=1)
    ]
    st.text("      ".join(words))


def _scope(desk: Desk, visit: Visit, item: str) -> None:
    stopped = st.session_state.pop(_STOPPED, None)
    if stopped is not None:
        st.error(visit.say("forget.stopped"))
        st.error(visit.say(stopped[0], **stopped[1]))
    scope = asked.draw(desk, visit, item=item)
    if scope is not None:
        _show(desk, visit, scope)
    earlier.draw(desk, visit)


def _show(desk: Desk, visit: Visit, scope: Scope) -> None:
    """Make the preview of a scope and go to it."""
    try:
        with st.spinner(visit.say("forget.previewing")):
            plan = desk.forget.plan(scope)
            st.session_state[_SHOWN] = (scope, plan, desk.forget.token(plan))
            st.session_state[_FAILED] = []
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    address.put(step="preview", request="", item="")
    st.rerun()


def _preview(desk: Desk, visit: Visit, scope: Scope, plan: Plan, token: PreviewToken) -> None:
    say, failed = visit.say, st.session_state.get(_FAILED)
    if failed:
        preview.moved(visit, failed)
    ticked = preview.draw(desk, visit, plan, expires=moment(token.expires))
    with st.container(horizontal=True, vertical_alignment="center", key="forget-bar"):
        if st.button(say("forget.back"), key="forget-back"):
            asked.fill(scope)
            address.put(step="")
            st.rerun()
        if st.button(say("forget.again"), key="forget-again"):
            _show(desk, visit, scope)
        if ticked and st.button(say("forget.also", n=len(ticked)), key="forget-also"):
            _show(desk, visit, earlier.widened(scope, ticked))
        if st.button(
            say("forget.go", n=plan.typed),
            key="forget-go",
            type="primary",
            disabled=plan.empty or visit.unlock is None or bool(failed),
        ):
            address.put(step="run")
            st.rerun()


def _run(desk: Desk, visit: Visit, scope: Scope, plan: Plan, token: PreviewToken) -> None:
    say = visit.say
    if starting.is_due(desk):
        _carry_out(desk, visit, scope, plan, token)
        return
    if starting.begun():
        starting.countdown(desk, visit)
        return
    starting.form(desk, visit, plan)
    if st.button(say("forget.to_preview"), key="forget-to-preview"):
        address.put(step="preview")
        st.rerun()


def _carry_out(desk: Desk, visit: Visit, scope: Scope, plan: Plan, token: PreviewToken) -> None:
    """Run it. What went wrong is told where one can go on: by the preview, or the first step."""
    say, failed = visit.say, list[refusals.Told]()
    try:
        with st.spinner(say("forget.running")):
            sign = starting.signer(visit)
            report = desk.forget.run(scope, token, sign, typed=plan.typed)
        st.session_state.pop(_SHOWN, None)
        address.put(step="report", request=report.head.forget_id)
    except refused.NOT_BEGUN as error:
        failed = refused.told(error, plan)
        address.put(step="preview")
    except refusals.EXPLAINED as error:
        st.session_state[_STOPPED] = refusals.told(error)
        address.put(step="")
    starting.cancel()
    st.session_state[_FAILED] = failed
    st.rerun()


def _report(desk: Desk, visit: Visit, forget: str) -> None:
    say = visit.say
    try:
        report = desk.forget.report(forget)
    except (NoSuchRequestError, BadReportError) as error:
        _no_report(desk, visit, forget, altered=isinstance(error, BadReportError))
        return
    told.draw(desk, visit, report)
    if st.button(say("forget.new"), key="forget-new"):
        address.put(step="", request="")
        st.rerun()


def _no_report(desk: Desk, visit: Visit, forget: str, *, altered: bool) -> None:
    """What there is instead of a report that the log names."""
    say = visit.say
    if not altered and unreported.one(desk, visit, forget):
        return
    if forget in desk.forget.unfinished():
        st.info(say("forget.gone_on"))
    elif altered:
        st.error(say("forget.bad_report"))
    else:
        st.info(say("forget.no_request"))
    earlier.draw(desk, visit)
