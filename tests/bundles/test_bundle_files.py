"""What stands in a bundle: golden files, inert Markdown, secrets, names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review.bundle import folder, inert, targets
from review.bundle.folder import ALL, WRITTEN, Bound
from review.bundle.refusals import ExportRefusedError, refuse, refuse_files
from review.bundle.slugs import distinct, slug
from review.bundle.targets import Looked, NoPlaceError
from review.clause_strength.places import Change, Drift, Verdict
from review.rules.export_told import Answer, Apart, Outcome, Settled, Target, Tried, Unknown, Why
from review.rules.export_told import ThresholdName as Name
from store.cells import Stance
from store.signatures import PublicKey
from tests.bundles.told import case, export, source, thresholds

GOLDEN = Path(__file__).parent / "golden"
KEY = PublicKey.from_line(
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO6/Sytlh+iZmItkuV4uaWhcdFkjFE+h2eOnv40OHscZ"
)
BOUND = Bound("store-1", KEY, bytes(range(32)))
LOOKED = Looked("shop", "c" * 40, b"# Agents\n\nBe kind.\n", {".claude/rules": ("old.md",)})
RUSSIAN = "В марте мы обычно возили куртки в Электросталь, когда Коледино было заполнено."
GOLDENS = {
    "jackets": (export(), None),
    "kurtki": (
        export(
            rule="Возите куртки в Электросталь, когда Коледино заполнено.",
            sources=(source(RUSSIAN), source("Анна: в апреле хватило места.", 2, who=None)),
            title="Куртки в Электросталь",
            target=Target.AGENTS_SECTION,
            owner=None,
            conflicts=(),
            tried=(),
        ),
        LOOKED,
    ),
}
HOSTILE = (
    "Close #12 and ping @irina <img src=x onerror=alert(1)> [go](http://evil.example) "
    "![p](http://evil.example/p.png) www.evil.example\n# Title\n- [x] done\n``` \n````\n"
    "<!-- hidden --> deadbeef GH-7 `code` ~~~\n| a | b |\n|---|---|\n&lt; \\* <script>"
)


def made(told, looked=None):
    return folder.files(told, targets.placed(told, looked), BOUND, looked)


@pytest.mark.parametrize("name", GOLDENS)
def test_bundles_are_the_golden_files_to_the_byte(name):
    """``python -m tests.bundles.golden_files`` writes them anew; read what changed."""
    files = made(*GOLDENS[name])
    assert set(files) == set(WRITTEN) | {"provenance.json"}
    assert {one.name for one in (GOLDEN / name).iterdir()} == set(files)
    for file, data in files.items():
        assert data == (GOLDEN / name / file).read_bytes(), file


def test_the_same_rule_gives_the_same_bytes_and_another_salt_another_digest():
    told = export()
    assert made(told) == made(told)
    other = folder.files(told, targets.placed(told, None), Bound("store-1", KEY, bytes(32)))
    assert {n for n in other if other[n] != made(told)[n]} == {"provenance.json"}


def test_the_folder_never_holds_a_file_that_a_repository_obeys():
    assert not {"AGENTS.md", "CLAUDE.md", "CODEOWNERS", ".git", ".github"} & set(ALL)


def live_tokens(markdown):
    """Everything a renderer would act on, and the words that stand outside code."""
    parser = MarkdownIt("gfm-like", {"linkify": False, "html": True}).enable(["table"])
    acts, words = [], []
    for token in parser.parse(markdown):
        acts += [token.type] if token.type in ("html_block", "table_open") else []
        for child in token.children or ():
            if child.type == "text":
                words.append(child.content)
            elif child.type not in ("code_inline", "softbreak", "strong_open", "strong_close"):
                acts.append(child.type)
    return acts, " ".join(words)


def hostile(text):
    sources = (source(f"We ship. {text}", who=text, when=text),)
    return export(
        rule=f"We ship. {text}",
        sources=sources,
        title=text,
        owner=text,
        cases=(case(1, words=text, who=text, when=text, source_id=text),
               case(2, Stance.CONTRADICTS, text, who=text)),
        tried=(Tried("run-9", Outcome.FAILS, (Apart.RUN,), text, text, text),),
        settled=(Settled(None, Drift.DATE, text, text, Answer.RESTORED, ""),),
        conflicts=(),
    )  # fmt: skip


def is_inert(text):
    """Nothing of ``text`` that Markdown or a host could act on stands outside code."""
    files = made(hostile(text))
    tables = {"README.md": 1}
    for name in ("PULL_REQUEST.md", "cases.md", "rule.md", "README.md"):
        acts, words = live_tokens(files[name].decode())
        assert acts == ["table_open"] * tables.get(name, 0), (name, acts)
        assert not re.search(r"[@#<>\[\]]|://|www\.|GH-\d", words), (name, words)
    return True


def test_no_mention_reference_link_image_or_html_is_live():
    assert is_inert(HOSTILE)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="`~@#<>[]()!*_|-=+:/.&\\\n a1", min_size=1, max_size=60))
def test_whatever_a_text_says_it_stays_words(text):
    assert is_inert(text)


@given(st.text(max_size=200))
def test_a_fence_is_longer_than_every_run_of_backticks_in_it(text):
    opening = inert.fenced(text).split("\n", 1)[0].removesuffix("text")
    body = inert.fenced(text).split("\n", 1)[1].rsplit(opening, 1)[0]
    assert opening not in body


def test_plain_words_stay_paragraphs_so_that_people_can_edit_them():
    assert inert.words("Ship jackets to Elektrostal.") == "Ship jackets to Elektrostal.\n"
    assert inert.words("Возите куртки, когда есть место.").startswith("Возите")
    for text in ("see @me", "fix #1", "<b>", "a `b`", "- item", "1. one", "a_b_c", "x://y"):
        assert inert.words(text).startswith("```"), text


def test_every_member_of_every_closed_list_has_a_sentence():
    from review.bundle import codes

    for told, members in (
        (codes.VERDICTS, Verdict),
        (codes.DRIFTS, Drift),
        (codes.CHANGES, Change),
        (codes.ANSWERS, Answer),
        (codes.THRESHOLDS, Name),
        (codes.WHYS, Why),
        (codes.OUTCOMES, Outcome),
        (codes.APART, Apart),
        (codes.UNKNOWNS, Unknown),
        (codes.TARGETS, Target),
    ):
        assert set(told) == set(members)


@pytest.mark.parametrize("target", Target)
def test_each_target_has_its_own_file_and_says_where_the_rule_comes_from(target):
    told = export(target=target)
    placement = targets.placed(told, LOOKED)
    assert told.export_id in placement.text.decode()
    assert told.rule_text in placement.text.decode()
    assert f"+++ b/{placement.path}\n".encode() in placement.patch


def test_a_skill_has_front_matter_that_a_reader_of_yaml_takes():
    told = export(target=Target.SKILL, rule='Say "yes": <b>always</b> # 1 \\ 😀')
    text = targets.placed(told, None).text.decode()
    _, front, _ = text.split("---\n", 2)
    told_front = yaml.safe_load(front)
    assert told_front["name"] == "jackets-to-elektrostal"
    assert told_front["description"] == 'Say "yes": b always /b # 1 \\ 😀'
    assert len(told_front["description"]) <= 1024
    assert re.fullmatch(r"[a-z0-9-]{1,64}", told_front["name"])


def test_a_section_needs_to_know_the_file():
    with pytest.raises(NoPlaceError, match="Name the checkout"):
        targets.placed(export(target=Target.AGENTS_SECTION), None)


def test_p85_two_rules_with_one_title_get_two_names_everywhere():
    one, two = export(n=1), export(n=2)
    assert folder.name_of(one) != folder.name_of(two)
    taken = Looked("shop", None, None, {".claude/rules": ("Jackets-to-Elektrostal.md",)})
    first, second = targets.placed(one, None), targets.placed(two, taken)
    assert first.path != second.path
    assert second.renamed
    assert second.path == ".claude/rules/jackets-to-elektrostal-00000002.md"
    section = Looked("shop", None, b"## jackets to elektrostal\n\nOther.\n")
    placed = targets.placed(export(target=Target.CLAUDE_SECTION, n=3), section)
    assert b"+## Jackets to Elektrostal (00000003)\n" in placed.patch


def test_records_are_numbered_after_the_last_one():
    looked = Looked("shop", None, None, {"docs/adr": ("0001-a.md", "0017-b.md", "README.md")})
    told = targets.placed(export(target=Target.DECISION_RECORD), looked)
    assert told.path == "docs/adr/0018-jackets-to-elektrostal.md"
    assert told.text.startswith(b"# 0018. Jackets to Elektrostal\n")


@given(st.text(max_size=120))
def test_a_slug_is_safe_on_every_file_system(title):
    name = slug(title)
    assert re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?", name)
    assert not re.fullmatch(r"con|prn|aux|nul|com\d|lpt\d", name)
    assert len(folder.name_of(export(title=title))) <= 60


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Куртки в Электросталь", "kurtki-v-elektrostal"),
        ("../../etc/passwd", "etc-passwd"),
        (".git", "git"),
        ("NUL", "rule-nul"),
        ("\u202egnp.exe", "gnp-exe"),
        ("日本", "rule"),
        ("", "rule"),
        ("Café del Mar", "cafe-del-mar"),
    ],
)
def test_titles_as_names(title, name):
    assert slug(title) == name


def test_names_are_distinct_without_regard_to_case():
    assert distinct("a", ("A", "b"), mark="12") == "a-12"
    assert distinct("a", ("A", "a-12"), mark="12") == "a-12-2"


SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PLACES = {
    "rule": lambda: export(rule=f"Ship {SECRET}"),
    "title": lambda: export(title=SECRET),
    "owner": lambda: export(owner=SECRET),
    "insight": lambda: export(statement=SECRET),
    "text of source": lambda: export(sources=(source(f"Oleg: {SECRET}"),)),
    "name in source": lambda: export(sources=(source(who=SECRET),)),
    "words of case": lambda: export(cases=(case(1, words=SECRET),)),
    "name in case": lambda: export(cases=(case(1, who=SECRET),)),
    "words of trial": lambda: export(
        tried=(Tried("r", Outcome.HOLDS, (Apart.RUN,), SECRET, None, None),)
    ),
    "reason": lambda: export(settled=(Settled(0, Drift.DATE, "", "", Answer.REASON, SECRET),)),
}


@pytest.mark.parametrize("place", PLACES)
def test_p91_a_secret_anywhere_is_refused_and_never_named(place):
    with pytest.raises(ExportRefusedError) as refused:
        refuse(PLACES[place]())
    assert SECRET not in str(refused.value)
    assert re.search(
        rf"secret \(\w+\) in the {place}[^,]*, characters \d+ to \d+", str(refused.value)
    )


def test_p91_a_secret_in_the_lines_around_a_section_is_refused_too():
    looked = Looked("shop", None, f"# Agents\n\nUse {SECRET}\n".encode())
    told = export(target=Target.AGENTS_SECTION)
    with pytest.raises(ExportRefusedError, match=r"secret \(\w+\) in the rule.patch"):
        refuse_files(made(told, looked))


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (export(rule=" "), "no text"),
        (export(sources=()), "no source"),
        (export(sources=(source(""),)), "Source 1 is empty or was erased"),
        (export(settled=()), "neither a restoration nor a written reason"),
        (export(rule="Ship\u202e it when Koledino is full."), "nobody can see"),
        (export(title="a\u200bb"), "nobody can see"),
        (export(rule="word " * 20_000), "more than 65,536 characters"),
        (
            export(thresholds=(*thresholds()[:3], thresholds()[3].__class__(
                Name.DAYS, "14", None, 0, False, Why.NO_DATE))),
            "threshold days is not passed: no_date",
        ),
    ],
)  # fmt: skip
def test_what_may_not_leave_is_refused_with_a_sentence(told, why):
    with pytest.raises(ExportRefusedError, match=why):
        refuse(told)


def test_a_blank_reason_settles_nothing():
    told = export()
    blank = tuple(
        Settled(one.place, one.drift, "", "", Answer.REASON, "  ") for one in told.settled
    )
    with pytest.raises(ExportRefusedError, match="written reason"):
        refuse(export(settled=blank))
    refuse(told)


def test_several_sources_can_be_cut_out_again_to_the_byte():
    texts = ["One\n--- source 2 of 2, 3 bytes\n", "Два\r\n"]
    told = export(sources=tuple(source(text, n) for n, text in enumerate(texts, 1)))
    data, found = made(told)["source.txt"], []
    while data:
        head, _, rest = data.partition(b"\n")
        size = int(re.search(rb"(\d+) bytes", head)[1])
        found.append(rest[:size].decode())
        data = rest[size + 1 :]
    assert found == texts
