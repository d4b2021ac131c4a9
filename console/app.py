"""The script Streamlit runs: opens the workspace, draws the frame, and hands a desk to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import streamlit as st

from console import demo_story, door_wiring, identity, leaving, model_wiring, signing, wiring
from console.backup import folders
from console.cards import (
    address,
    door_news,
    held_keys,
    look,
    people,
    refusals,
    result_line,
    untrusted,
)
from console.cards.visit import Visit
from console.forget import files
from console.identity import SettingsError, Tenant
from console.job_starting import Jobs
from console.pages import (
    answers,
    conflicts,
    duplicates,
    fact,
    facts,
    forget,
    inbox,
    jobs,
    ledger,
    model,
    rules,
    run,
    runs,
    settings,
    start,
    why,
)
from console.wiring import NoPolicyError, TrustRootError, Workspace
from console.words import Say
from review.deciding import Signer
from review.desk import Desk
from review.facts.parameters import TableError
from review.policy import PolicyError
from store.connections import StoreAwayError, StoreBusyError

_Render = Callable[[Desk, Visit], None]
_PAGES: Final[dict[str, tuple[str, _Render]]] = {
    "start": ("", start.render),
    "inbox": ("review", inbox.render),
    "duplicates": ("review", duplicates.render),
    "answers": ("explain", answers.render),
    "why": ("explain", why.render),
    "facts": ("explain", facts.render),
    "fact": ("explain", fact.render),
    "conflicts": ("explain", conflicts.render),
    "runs": ("explain", runs.render),
    "run": ("explain", run.render),
    "rules": ("act", rules.render),
    "forget": ("act", forget.render),
    "jobs": ("system", jobs.render),
    "ledger": ("system", ledger.render),
    "model": ("system", model.render),
    "settings": ("system", settings.render),
}
"""Pages and their group. They have no icons: Streamlit would fetch the icon of a tab."""
_BATCHES: Final = 10
"""Batches of each agent's door that are taken in before a page is drawn."""

_HIDDEN: Final = frozenset({"fact", "run", "why"})


_FILES: Final[dict[type[Exception], str]] = {
    PolicyError: "policy",
    TableError: "parameters",
    SettingsError: "settings",
}
"""Faults of files that a person writes, and what they are called."""


def main() -> None:
    """One run of the script."""
    st.set_page_config(page_title="Memory Review Console", layout="wide")
    look.apply()
    held_keys.drop()
    workspace, problem = _workspace()
    language = workspace.settings.language if workspace is not None else "en"
    say = Say(address.language(language))
    ready: dict[str, Any] = {}
    visits: list[tuple[Desk, Visit]] = []

    def page(render: _Render) -> Callable[[], None]:
        def drawn() -> None:
            for desk, visit in visits:
                render(desk, visit)

        return drawn

    groups: dict[str, list[Any]] = {}
    for name, (group, render) in _PAGES.items():
        ready[name] = st.Page(
            page(render),
            title=say(f"nav.{name}"),
            url_path=name,
            default=name == "start",
            visibility="hidden" if name in _HIDDEN else "visible",
        )
        crowd = [one for one, (other, _) in _PAGES.items() if other == group]
        folded = len([one for one in crowd if one not in _HIDDEN]) > 1
        groups.setdefault(say(f"nav.{group}") if folded else "", []).append(ready[name])
    chosen = st.navigation(groups, position="top")
    if workspace is None:
        _language(say)
        _no_workspace(say, problem)
        return
    tenant = _frame(workspace, say)
    try:
        desk = _desk(str(workspace.home), tenant.id, _stamp(workspace.home))
        with desk.held():
            taken = door_wiring.ingest(workspace, tenant, desk, most=_BATCHES)
            door_news.aside(say, taken.aside)
            visits.append((desk, _visit(workspace, tenant, desk, say, ready)))
            result_line.on_page(chosen.url_path)
            chosen.run()
    except refusals.OF_THE_STORE as error:
        refusals.show(error, say)
        if isinstance(error, StoreAwayError | StoreBusyError):
            st.button(say("state.again"), key="again")
    except NoPolicyError:
        st.error(say("state.no_policy"))
    except tuple(_FILES) as error:
        name = next(told for kind, told in _FILES.items() if isinstance(error, kind))
        st.error(say(f"state.{name}"))
        untrusted.show(str(error), say, key=f"{name}-error")


def _workspace() -> tuple[Workspace | None, str]:
    home = identity.home()
    try:
        return wiring.open_workspace(home), ""
    except FileNotFoundError:
        return None, "none"
    except (SettingsError, TrustRootError) as error:
        return None, str(error)


@st.cache_resource(max_entries=16, show_spinner=False)
def _desk(home: str, tenant: str, stamp: tuple[int, ...]) -> Desk:
    """A desk for as long as the workspace's files are as they were: ``stamp`` says when."""
    del stamp
    workspace = wiring.open_workspace(Path(home))
    chosen = workspace.settings.tenant(tenant)
    return files.ground(workspace, chosen, workspace.desk(chosen))


def _stamp(home: Path) -> tuple[int, ...]:
    names = (identity.CONFIG, wiring.POLICY_FILE, wiring.PARAMETERS_FILE, "trust/root.json")
    files = (home / name for name in names)
    return tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in files)


def _visit(
    workspace: Workspace, tenant: Tenant, desk: Desk, say: Say, pages: Mapping[str, Any]
) -> Visit:
    why = ""
    if desk.person is None:
        why = "nobody"
    elif desk.person.reviewer not in desk.standing().keys:
        why = "no_key"
    elif not workspace.key_path(desk.person.reviewer).exists():
        why = "no_file"
    demo = {"demo_passphrase": demo_story.PASSPHRASE} if workspace.settings.demo else {}
    return Visit(
        say=say,
        unlock=None if why else _unlocking(workspace),
        pages=pages,
        why_read_only=why,
        facts={
            **workspace.facts(tenant),
            "version": version("memory-console"),
            **demo,
        },
        jobs=Jobs(
            workspace.home,
            tenant.id,
            clock=identity.now,
            chance=identity.chance,
            environment=identity.keyless_environment(),
        ),
        publishing=door_wiring.publishing(workspace, tenant, desk.store),
        model=model_wiring.proposing(workspace, desk),
        asking=model_wiring.asking(workspace, tenant),
        switch=model_wiring.Switch(workspace.home),
        leaving=leaving.way_out(workspace, desk.store),
        people=people.of(desk),
        backups=lambda: folders.kept(workspace, tenant, desk.store),
    )


def _unlocking(workspace: Workspace) -> Callable[[str], Any]:
    reviewer = workspace.settings.reviewer or ""

    @contextmanager
    def unlock(passphrase: str) -> Iterator[Signer]:
        key = signing.unlock(workspace.key_path(reviewer), passphrase, now=identity.now())
        try:
            yield lambda statements: key.sign(statements, now=identity.now())
        finally:
            key.forget()

    return unlock


def _frame(workspace: Workspace, say: Say) -> Tenant:
    """The line on top of every page: demo, tenant, language, who acts."""
    told = workspace.settings
    if told.demo:
        with st.container(key="demo"):
            st.warning(say("frame.demo"))
    names = [tenant.name for tenant in told.tenants]
    asked = st.query_params.get("tenant") or st.session_state.get("tenant_name") or names[0]
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="frame"
    ):
        who = told.reviewer_name
        st.caption(say("frame.acting", name=who) if who else say("frame.nobody"))
        st.session_state["tenant"] = asked if asked in names else names[0]
        st.selectbox(
            say("frame.tenant"),
            names,
            key="tenant",
            format_func=lambda name: say("frame.tenant.name", name=name),
            label_visibility="collapsed",
            width=150,
            on_change=_switch_tenant,
        )
        _language(say)
    if asked not in names:
        st.caption(say("frame.no_tenant"))
        asked = names[0]
    st.session_state["tenant_name"] = asked
    if asked != names[0]:
        address.put(tenant=asked)
    return told.tenant(asked)


def _switch_tenant() -> None:
    """Go to another tenant: nothing that names a record of this one is kept."""
    keep = {name: st.session_state.get(name) for name in ("language", "keys_mode", "tenant")}
    st.session_state.clear()
    for name, value in keep.items():
        st.session_state[name] = value
    st.session_state["tenant_name"] = keep["tenant"]
    names = ("item", "id", "answer", "fact", "batch", "object", "seq", "focus", "node", "asof")
    for name in (*names, "candidate", "export", "request", "step", "p", "tenant"):
        address.put(**{name: ""})


def _language(say: Say) -> None:
    st.session_state["lang"] = say.lang
    st.segmented_control(
        say("frame.language"),
        ["en", "ru"],
        required=True,
        key="lang",
        label_visibility="collapsed",
        on_change=_choose_language,
    )


def _choose_language() -> None:
    chosen = st.session_state["lang"]
    st.session_state["language"] = chosen
    address.put(lang=chosen)


def _no_workspace(say: Say, problem: str) -> None:
    if problem == "none":
        st.info(say("state.no_workspace"))
        untrusted.line(str(identity.home()))
        st.code("memory-console reviewer new", language=None)
        return
    st.error(say("state.bad_workspace"))
    untrusted.show(problem, say, key="workspace")
