"""A section is never put where nobody would read it as a rule: fences, comments, raw HTML."""

from __future__ import annotations

import pytest

from review.bundle import targets
from review.bundle.open_blocks import left_open
from review.bundle.targets import Looked, NoPlaceError
from review.rules.export_told import Target
from tests.bundles.told import export

OPEN = {
    "# A\n\n```sh\nmake\n": ("a code fence", 3),
    "# A\n\n```sh\nmake\n``\n": ("a code fence", 3),
    "~~~\n```\n": ("a code fence", 1),
    "````\n```\n": ("a code fence", 1),
    "```\nmake\n``` sh\n": ("a code fence", 1),
    "```\nmake\n    ```\n": ("a code fence", 1),
    "\ufeff```\r\nmake\r\n": ("a code fence", 1),
    "a\r```\rmake\r": ("a code fence", 2),
    "1. Run:\n   ```\n   make\n": ("a code fence", 2),
    "- ```\n  make\n": ("a code fence", 1),
    "x\n<!-- todo\n": ("a comment", 2),
    "x\n<!-- a --> <!-- b\n": ("a comment", 2),
    "<pre>\nx\n": ("a block of <pre>", 1),
    "<details>\n<summary>More</summary>\n\nx\n": ("a block of <details>", 1),
    "<details><details></details>\n": ("a block of <details>", 1),
    "---\nname: x\nBe kind.\n": ("the front matter", 1),
}
CLOSED = [
    "",
    "# A\n\nBe kind.\n",
    "```sh\nmake\n```\n",
    "```sh\nmake\n`````  \nx\n",
    "~~~\n```\n~~~\n",
    "Use ``` in text ``` here.\n",
    "```not a fence` \n",
    "    ```\n    code by indent\n",
    "x <!-- a --> y\n",
    "<!--\na\n```\n-->\n",
    "Write `<!--` to begin a comment.\n",
    "<pre>x</pre>\n",
    "```html\n<!-- inside\n<pre>\n```\n",
    "<details>\n<summary>x</summary>\n\nx <!-- y -->\n</details>\n",
    "---\nname: x\n---\nBe kind.\n",
    "---\n\nBe kind.\n",
    "a < b and <prefix>\n",
]


@pytest.mark.parametrize("text", OPEN)
def test_what_the_end_of_a_file_lies_in_is_named_with_its_line(text):
    assert left_open(text) == OPEN[text]


@pytest.mark.parametrize("text", CLOSED)
def test_a_file_that_ends_in_nothing_may_have_a_section(text):
    assert left_open(text) is None


@pytest.mark.parametrize("target", [Target.AGENTS_SECTION, Target.CLAUDE_SECTION])
@pytest.mark.parametrize("text", OPEN)
def test_no_section_is_put_into_what_is_open(text, target):
    told = export(target=target)
    with pytest.raises(NoPlaceError, match=r"ends inside .* Nothing was exported"):
        targets.placed(told, Looked("shop", "0" * 40, text.encode()))
