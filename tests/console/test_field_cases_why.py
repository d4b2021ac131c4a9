"""Complaints from the field about reading, as a person or an agent meets them: pages, CLI, door.

Sections F (read) and L; each name begins with the number of its case.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace

import pytest

from console.cards import why_document
from console.words import Say
from review.auditing.answers import AnswersWanted
from review.recall import Question
from store.refusing import NotServedError
from tests.console.agents import Firm, cell
from tests.console.desks import open_page
from tests.console.test_cli import cli, quick
from tests.console.test_pages_audit import drawn, markup
from tests.review.test_field_cases_read import NONSENSE, ROOMS, Tenant
from tests.review.worlds import cell as told_cell

LANGUAGES = pytest.mark.parametrize("lang", ["en", "ru"])


# --- F. Tenant leaks, read ---------------------------------------------------------------------


@LANGUAGES
def test_p75_the_conflicts_page_draws_no_edge_between_two_tenants(irina, lang):
    """P75: conflict edges that link two users' private facts."""
    ours, theirs = Tenant(irina, 1), Tenant(irina, 2)
    ours.remember([told_cell("Ana lives in Seattle.", "one", "2026-01-01")])
    theirs.remember([told_cell("Ana lives in Boston.", "two", "2026-01-01")])
    for world, foreign in ((ours, "Boston"), (theirs, "Seattle")):
        app = open_page("conflicts", world.desk, reviewer=irina, lang=lang)
        told = Say(lang)("conflicts.none", n=1, when="2026").partition("2026")
        assert told[0] in markup(app)
        assert foreign not in drawn(app) + markup(app)
    asked = (theirs.items["two"], "01KKBSWKEGQQH030JG8QJDMQMP")
    told = [
        open_page("conflicts", ours.desk, reviewer=irina, lang=lang, focus=item) for item in asked
    ]
    words = {(drawn(app) + markup(app)).replace(i, "") for app, i in zip(told, asked, strict=True)}
    assert len(words) == 1  # an id of somebody else reads like one that nobody has
    assert Say(lang)("conflicts.gone") in words.pop()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> dict[str, Firm]:
    """Tenants of one workspace with one reviewer, by their names."""
    names = ("acme", "beta", "shop", "rooms")
    home = tmp_path_factory.mktemp("why") / "home"
    return dict(zip(names, Firm.founded(home, *names), strict=True))


@pytest.fixture(scope="module")
def firms(workspace) -> list[Firm]:
    """Two tenants, each with a memory and an answer."""
    made = [workspace["acme"], workspace["beta"]]
    for firm, word in zip(made, ("jam", "honey"), strict=True):
        firm.learn(cell(f"The breakfast is {word}.", 1))
        desk = firm.desk
        question = Question("What is the breakfast?", asked_at=firm.place.clock())
        desk.record_recall(desk.ask(question).recall)
    return made


def test_p78_each_new_process_reads_the_tenant_that_it_was_started_for(firms):
    """P78: after a restart the server searches the default tenant."""
    home = firms[0].place.home
    asked = cli(home, "ask", "What is the breakfast?", "--tenant", "beta")
    assert "honey" in asked.stdout
    assert "jam" not in asked.stdout
    listed = json.loads(quick(home, "audit", "--tenant", "beta", "--json").stdout)
    answer = listed["answers"][0]["id"]
    told = cli(home, "audit", answer, "--tenant", "beta")
    assert "honey" in told.stdout
    assert "jam" not in told.stdout
    nobody = quick(home, "ask", "What is the breakfast?", "--tenant", "nobody")
    assert nobody.exit_code != 0  # an unknown tenant is not the first one
    assert "jam" not in nobody.stdout + nobody.stderr


def test_p78_a_door_that_starts_again_is_before_its_own_tenant(firms):
    """P78: neither a restart nor another tenant's files in its place move a door."""
    ours, theirs = firms
    doors = [firm.door(f"bot-{firm.name}") for firm in firms]
    for firm in firms:
        firm.publish()
    for _ in range(2):  # the second time is after a restart: nothing is kept but files
        for firm, door, own, foreign in (
            (theirs, doors[1], "honey", "jam"),
            (ours, doors[0], "jam", "honey"),
        ):
            told = json.dumps(firm.acts(door).recall("What is the breakfast?"))
            assert own in told
            assert foreign not in told
    shutil.rmtree(theirs.published)
    shutil.copytree(ours.published, theirs.published)
    with pytest.raises(NotServedError):
        theirs.acts(doors[1]).recall("What is the breakfast?")


# --- L. Explain and audit ----------------------------------------------------------------------

SHOP = "The coffee shop: season summer, format dine-in, city Kazan."
ASKED = "The coffee shop: season summer, format dine-in, city Kazan. Choose the channels."


@dataclass
class Handed:
    """What the door gave for one question: what it handed over, and what it says of it."""

    items: list[set[str]]
    explained: list[list[dict]]


@pytest.fixture(scope="module")
def shop(workspace) -> tuple[Firm, dict[str, Handed]]:
    """A tenant whose agent asked three questions; of some cells nothing was left to hand over."""
    firm = workspace["shop"]
    firm.learn(
        cell(SHOP, 1),
        cell("The carrier of the coffee shop is Boxberry.", 2),
        cell("Ana lives in Seattle.", 3, written_at="2025-01-01T10:00:00Z"),
        cell("Ana moved to Boston.", 4, written_at="2026-01-01T10:00:00Z"),
    )
    acts = firm.acts(firm.door("asking"))
    firm.publish()
    handed = {}
    for text in (ASKED, "Where does Ana live?", "Which carrier does the coffee shop use?"):
        told = acts.recall(text)
        kept = [{one["id"] for one in (*part["memory"], *part["references"])}
                for part in told["parts"]]  # fmt: skip
        parts = acts.explain(told["recall"])["parts"]
        handed[text] = Handed(kept, [part["candidates"] for part in parts])
    firm.ingest()
    return firm, handed


def test_p123_what_the_page_calls_in_is_what_the_door_handed_over(shop):
    """P123: a debug view that calls rows "injected" which the live path drops."""
    firm, handed = shop
    desk, dropped = firm.desk, 0
    with desk.held():  # not while pages are drawn: they hold it in a thread of their own
        answers = desk.audit.page(AnswersWanted(observed="1")).answers
        explained = [desk.audit.why(one) for one in answers]
    assert {one.question for one in answers} == set(handed)
    for answer, why in zip(answers, explained, strict=True):
        items = handed[answer.question].items
        told = [{row.item for row in part.rows if row.verdict == "in"} for part in why.then]
        assert told == items
        assert why.agreement.agrees
        app = open_page("why", desk, answer=answer.id)
        tables = [one.value for one in app.dataframe if "verdict" in one.value.columns]
        shown = [list(table["verdict"]).count("+ in") for table in tables]
        assert shown[: len(items)] == list(map(len, items))
        dropped += sum(part.funnel.admitted - part.funnel.kept for part in why.then)
    assert dropped > 0  # some passed the gate and were dropped all the same


def test_p123_the_doors_own_explanation_tells_what_was_handed_over(shop):
    """P123: an agent that asks why is told of a dropped cell that it was dropped."""
    for told in shop[1].values():
        for items, candidates in zip(told.items, told.explained, strict=True):
            assert {one["id"] for one in candidates if one.get("handed_over")} == items


@pytest.fixture(scope="module")
def alarmed(workspace):
    """A workspace where a broken search gave the same five rows to three questions."""
    firm = workspace["rooms"]
    rows = [cell(row["claim"], n) for n, row in enumerate(ROOMS)]
    firm.learn(*rows, cell("Ana likes tea.", "tea"))
    desk = firm.desk
    when = firm.place.clock()

    def asked(text):
        return desk.ask(Question(text, asked_at=when)).recall

    def best(one):
        return replace(one, zeta=1.0, validity=1.0, psi=1.0, risk=0.0, score=1.0)

    with desk.held():
        flat = tuple(map(best, asked("Is the meeting room blue?").parts[0].scored[:5]))
        firm.broken, firm.sound = [], []
        for text in ("What does Ana like?", *NONSENSE):
            told = asked(text)
            parts = tuple(replace(part, scored=flat) for part in told.parts)
            broken = desk.record_recall(replace(told, parts=parts))
            firm.broken.append(f"ans-{broken.seq}")
            firm.sound.append(f"ans-{desk.record_recall(told).seq}")
    return firm


@LANGUAGES
def test_p124_the_page_warns_of_one_score_for_all(alarmed, lang):
    """P124: every query gives the same five rows with the score 1.0."""
    say = Say(lang)
    alarm, others = say("why.flat", part=1, n=5, score="1.00"), say("why.flat.others", n=2)
    app = open_page("why", alarmed.desk, answer=alarmed.broken[-1], lang=lang)
    assert alarm in [one.value for one in app.warning]
    assert others in [one.value for one in app.caption]
    for answer in alarmed.sound:
        app = open_page("why", alarmed.desk, answer=answer, lang=lang)
        assert alarm[-20:] not in markup(app)


@LANGUAGES
def test_p124_a_nonsense_question_is_told_as_one_that_memory_had_no_part_in(alarmed, lang):
    """P124: nothing is dressed up as an answer to words that mean nothing."""
    for answer in alarmed.sound[1:]:
        app = open_page("why", alarmed.desk, answer=answer, lang=lang)
        assert Say(lang)("why.nothing_found") in markup(app)
        assert not app.header


def test_p124_the_command_line_and_the_downloads_tell_the_alarm(alarmed):
    """P124: the same warning wherever the answer is explained."""
    home, answer, at = alarmed.place.home, alarmed.broken[0], ("--tenant", alarmed.name)
    for more in ((), ("--md",)):
        assert (
            "5 cells have the very same score 1.00"
            in quick(home, "audit", answer, *more, *at).stdout
        )
    told = json.loads(quick(home, "audit", answer, "--json", *at).stdout)
    assert told["flat"] == [{"part": 0, "candidates": 5, "F": 1.0, "others": 2}]
    audit = alarmed.desk.audit
    sound = audit.account(audit.one(alarmed.sound[0]))
    assert why_document.as_value(sound)["flat"] == []
    assert "very same score" not in why_document.as_markdown(sound, Say("en"))
