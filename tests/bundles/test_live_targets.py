"""What a target would do with a rule: commands in skills, checkouts inside one, marks of hosts."""

from __future__ import annotations

import subprocess

import pytest

from console.bundles import checkouts
from console.bundles.checkouts import CheckoutError
from review.bundle import inert
from review.bundle.refusals import ExportRefusedError, refuse
from review.bundle.targets import Looked, placed
from review.rules.export_told import Target
from tests.bundles.told import RULE, export


@pytest.mark.parametrize("field", ["rule", "title", "owner"])
@pytest.mark.parametrize("words", ["!`id` first", "```!\nid\n```"])
def test_a_skill_never_asks_for_the_output_of_a_command(field, words):
    told = {"rule": RULE, field: f"{RULE} {words}"}
    with pytest.raises(ExportRefusedError, match="as a command"):
        refuse(export(target=Target.SKILL, **told))
    refuse(export(target=Target.PLAIN_DOCS, **told))


@pytest.mark.parametrize("link", [True, False])
def test_a_folder_that_is_a_checkout_of_its_own_is_no_place(tmp_path, link):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    inner = tmp_path / "docs"
    inner.mkdir()
    if link:
        (inner / ".git").write_text("gitdir: ../.git/modules/docs\n")
    else:
        subprocess.run(["git", "init", "-q", str(inner)], check=True)
    with pytest.raises(CheckoutError, match="another checkout"):
        checkouts.look(tmp_path, Target.PLAIN_DOCS)
    assert checkouts.look(tmp_path, Target.CLAUDE_RULES).looked


def test_a_merge_request_of_another_host_is_not_live():
    assert not inert.is_plain("See !123 there.")
    assert inert.words("See !123 there.").startswith("```")
    assert inert.is_plain("Ship it now!")


def test_a_name_that_differs_by_case_alone_is_taken():
    told = export()
    looked = Looked("shop", None, None, {"docs": ["Jackets-to-Elektrostal.MD"]})
    place = placed(export(target=Target.PLAIN_DOCS), looked)
    assert place.renamed
    assert place.path == f"docs/jackets-to-elektrostal-{told.export_id[:8]}.md"
