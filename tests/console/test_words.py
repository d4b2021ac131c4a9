"""The catalogues: nothing missing, unused or banned, and no parameter is alive."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st_

from console.asking import kept
from console.bundles.checkouts import Flag
from console.signing import L1_BANNER
from console.words import LANGUAGES, catalogue, plural, t
from importers.catalogue import IMPORTERS
from review.analysis import Cause, Ending
from review.auditing import answer_finding, answers, matching, origin, why
from review.cards.marking import Lack
from review.clause_strength import places
from review.evidence import Tie
from review.forget import plan as forget_plan
from review.forget import scope as forget_scope
from review.forget import statuses as forget_statuses
from review.graphs.edges_by_hand import Refusal
from review.graphs.open_conflicts import Why
from review.graphs.staleness import Fate
from review.memory.validity import Status
from review.policy import RuleName
from review.proposals import comparing, jobs, tally
from review.question.intents import IntentKind
from review.queue import Lane
from review.rules import export_told
from review.rules.fallen import Fall
from review.rules.listed import Show
from review.rules.readiness import Missing
from review.staged.flags import FlagCode
from review.trimming import fate, partition, trim
from store.cells import Asserter, EdgeKind, Kind, SourceType, Stance
from store.events import ActorKind, EventType
from store.forget_confirmations import Said
from store.links import LinkVerdict
from store.queries import SORTS
from store.records import BarRule, FailReason, NothingReason, Outcome, RemarkCode
from store.stages import DecisionKind, RejectReason, Stage
from store.trajectories import StepKind, Verdict

CONSOLE = Path(__file__).resolve().parents[2] / "console"
SOURCES = [*(CONSOLE / "cards").rglob("*.py"), *(CONSOLE / "pages").rglob("*.py"),
           CONSOLE / "app.py", CONSOLE / "words.py"]  # fmt: skip


def families():
    """Every closed list whose members are said on a screen, with the prefix of its keys."""
    return {
        "kind": Kind,
        "source": SourceType,
        "edge": EdgeKind,
        "asserter": Asserter,
        "flag": FlagCode,
        "nothing": NothingReason,
        "failed": FailReason,
        "rule": [*RuleName, *BarRule],
        "remark": RemarkCode,
        "outcome": Outcome,
        "reason": RejectReason,
        "decision": DecisionKind,
        "stage": Stage,
        "lane": Lane,
        "event": EventType,
        "actor": ActorKind,
        "sort": SORTS,
        "importer": IMPORTERS,
        "said": DecisionKind,
        "ending": Ending,
        "cause": Cause,
        "step": StepKind,
        "verdict": Verdict,
        "stance": Stance,
        "happened.tie": Tie,
        "happened.also": Tie,
        "marking.lack": Lack,
        "answers.source": answers.Source,
        "answers.how": answer_finding.How,
        "why.verdict": why.Verdict,
        "why.record": why.Verdict,
        "why.word": why.Verdict,
        "why.because": why.Verdict,
        "why.part": why.PART_NAMES,
        "why.step": origin.Step,
        "why.gap": origin.Gap,
        "match": matching.Match,
        "then": matching.Then,
        "mem": partition.Group,
        "trim.held": trim.Held,
        "concl": fate.Fate,
        "why.fate": [one for one in fate.Fate if one is not fate.Fate.NONE],
        "overlap": trim.Zone,
        "what_if.about": IntentKind,
        "status": Status,
        "conflicts.because": Why,
        "stale.fate": Fate,
        "refused.edge": Refusal,
        "model.backlog": kept.State,
        "model.failure": jobs.Failure,
        "model.outcome": jobs.Outcome,
        "model.replies": jobs.Outcome,
        "model.sort": jobs.Sort,
        "model.fared": tally.Fared,
        "model.beside": comparing.Compared,
        "model.rule": places.Verdict,
        "edge.by": [one for one in EdgeKind if one is not EdgeKind.DUPLICATE_OF],
        "edge.says": LinkVerdict,
        "rules.drift": places.Drift,
        "rules.change": places.Change,
        "rules.verdict": places.Verdict,
        "rules.missing": Missing,
        "rules.why": export_told.Why,
        "rules.threshold": export_told.ThresholdName,
        "rules.outcome": export_told.Outcome,
        "rules.apart": export_told.Apart,
        "rules.opposes": export_told.Opposes,
        "rules.target": export_told.Target,
        "rules.fall": Fall,
        "rules.flag": Flag,
        "rules.show": Show,
        "forget.place": forget_statuses.LocationKind,
        "forget.status": forget_statuses.Status,
        "forget.row": forget_plan.RowKind,
        "forget.bad_scope": forget_scope.Fault,
        "forget.why": forget_plan.Why,
        "forget.fate": forget_plan.Foreseen,
        "forget.foreseen": [
            one for one in forget_plan.Foreseen if one is not forget_plan.Foreseen.ERASED
        ],
        "forget.say": Said,
        "forget.said": Said,
        "said.edge": [one for one in LinkVerdict if one is not LinkVerdict.DIFFERENT],
    }


def used():
    """Literal keys in the code, and patterns of those that are put together."""
    literal, patterns = set(), set()
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for word in re.findall(r'"([a-z_0-9]+(?:\.[a-zA-Z_0-9\-]+)+)"', source):
            literal.add(word)
        for word in re.findall(r'f"([\w.\-]*\{[^"]+?)"', source):
            patterns.add(
                "^" + re.sub(r"\\\{.+?\\\}", "[^.]+(?:\\\\.[a-z]+)?", re.escape(word)) + "$"
            )
    for page in ("start", "facts", "runs", "ledger", "settings"):
        literal |= {f"{page}.title", f"{page}.purpose"}
    return literal, patterns


def test_both_catalogues_have_the_same_keys_in_order():
    english, russian = catalogue("en"), catalogue("ru")
    assert list(english) == sorted(english)
    assert english.keys() == russian.keys()


def test_every_key_in_the_code_is_in_the_catalogue():
    literal, _ = used()
    known = catalogue("en")
    prefixes = {key.split(".")[0] for key in known}
    missing = {
        key for key in literal if key.split(".")[0] in prefixes - {"state"} and key not in known
    }
    allowed = {"store.duckdb", "import.staged"}
    assert missing - allowed == set()


def test_no_key_of_the_catalogue_is_unused():
    literal, patterns = used()
    unused = [
        key
        for key in catalogue("en")
        if key not in literal and not any(re.match(pattern, key) for pattern in patterns)
    ]
    assert unused == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("prefix", "members"), families().items())
def test_every_member_of_a_closed_list_has_a_label(lang, prefix, members):
    missing = [f"{prefix}.{one}" for one in members if f"{prefix}.{one}" not in catalogue(lang)]
    assert missing == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_flag_says_what_it_means(lang):
    assert [code for code in FlagCode if f"flag.{code}.help" not in catalogue(lang)] == []


@pytest.mark.parametrize("key", sorted(catalogue("en")))
def test_both_languages_take_the_same_parameters_and_all_plural_forms(key):
    def fields(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    english, russian = catalogue("en")[key], catalogue("ru")[key]
    assert isinstance(english, dict) == isinstance(russian, dict)
    if isinstance(english, dict):
        assert set(english) == {"one", "many"}
        assert set(russian) == {"one", "few", "many"}
        told = {frozenset(fields(one)) for one in (*english.values(), *russian.values())}
        assert len(told) == 1
    else:
        assert fields(english) == fields(russian)


BANNED = {
    "en": r"\bverif(?:y|ies|ied)\b|\btrusted\b|\bconfirm\b|\bcompletely\b|\bpermanently\b"
    r"|\beverywhere\b|\beverything\b|\bpromot|\bforgotten\b|\bfully\b|100 ?%|!",
    "ru": r"\bверифиц|\bдоверенн|\bподтверд|\bполностью\b|\bнавсегда\b|\bвезде\b|\bповысить\b|!",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_banned_word_is_ever_said(lang):
    allowed = {"import.nothing_durable"}
    for key, told in catalogue(lang).items():
        for text in told.values() if isinstance(told, dict) else [told]:
            found = re.search(BANNED[lang], text, re.IGNORECASE)
            assert found is None or key in allowed, (key, text)


def test_the_banned_words_test_bites():
    for word in ("verified", "completely", "permanently", "everywhere", "promote"):
        assert re.search(BANNED["en"], f"This is {word} now", re.IGNORECASE), word
    assert not re.search(BANNED["en"], "It stays unverified.", re.IGNORECASE)


def test_the_banner_is_the_one_of_the_signing_module():
    assert catalogue("en")["sign.banner"] == L1_BANNER


@pytest.mark.parametrize(
    ("n", "form"),
    [(0, "many"), (1, "one"), (2, "few"), (5, "many"), (11, "many"), (12, "many"), (21, "one"),
     (22, "few"), (25, "many"), (111, "many"), (101, "one")],
)  # fmt: skip
def test_russian_plurals(n, form):
    assert plural("ru", n) == form


def test_plural_forms_are_chosen_and_numbers_grouped():
    assert t("facts.alt", "en", n=1) == "Table of 1 durable record"
    assert t("facts.alt", "ru", n=2) == "Таблица: 2 постоянные записи"
    assert t("facts.alt", "en", n=10_612) == "Table of 10,612 durable records"


def test_a_key_that_a_language_lacks_is_said_in_english(monkeypatch):
    russian = dict(catalogue("ru"))
    del russian["act.skip"]
    monkeypatch.setattr("console.words.catalogue", lambda lang: {
        "en": catalogue("en"), "ru": russian}[lang])  # fmt: skip
    assert t("act.skip", "ru") == "Skip"


def test_an_unknown_key_says_so_and_is_inert():
    assert t("no.![such](key)", "en").startswith("Unknown code no\\.\\!\\[such\\]\\(key\\)")


LIVE = ["![p](http://evil.test/x.png)", "[a](javascript:x)", "<img src=x>", ":red[x]", "$x$",
        "`code`", "**bold**", "www.evil.test", "a@evil.test", ":material/home:"]  # fmt: skip


@pytest.mark.parametrize("text", LIVE)
def test_a_parameter_cannot_be_markdown(text):
    told = t("frame.acting", "en", name=text)
    inner = told.removeprefix("Acting as ").removesuffix(" (from config)")
    assert re.sub(r"\\[^\w\s]", "", inner).isalnum() or not re.search(
        r"(?<!\\)[`*_\[\]()<>#!|~$:&@/.]", inner
    )


@given(st_.text(max_size=60))
def test_every_live_character_of_a_parameter_is_escaped(text):
    inner = t("frame.acting", "en", name=text).removeprefix("Acting as ")
    inner = inner.removesuffix(" (from config)")
    assert not re.search(
        r"[`*_\[\]()<>#!|~$:&@/.\n]",
        re.sub(r"\\[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]", "", inner),
    )


LINKING = re.compile(
    r"(https?://|www(?=\.))[-.\w]+|(?:^|(?<=[\s\W]))[-.\w+]+@[-\w]+(?:\.[-\w]+)+", re.IGNORECASE
)
"""What Streamlit's Markdown makes links of, after escapes are read. Source: GFM, autolinks."""


@pytest.mark.parametrize(
    "name",
    ["http://evil.test", "see HTTPS://evil.test/x", "www.evil.test", "WWW.evil.test",
     "a@evil.test", "x+y.z@evil.test.", "http://http://evil.test", "a@b@evil.test",
     "mailto:a@evil.test"],
)  # fmt: skip
def test_a_parameter_with_an_address_in_it_is_never_made_a_link(name):
    assert LINKING.search(name)
    drawn = re.sub(r"\\([^\w\s])", r"\1", t("frame.acting", "en", name=name))
    assert not LINKING.search(drawn), drawn
    assert "evil.test" in drawn or "evil⟦.⟧test" in drawn
