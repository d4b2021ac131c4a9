"""``README.md`` of a bundle: what each file is, and how to check all of it with stock tools."""

from __future__ import annotations

from typing import Final

from review.bundle import inert
from review.bundle.targets import Placement
from review.rules.export_told import RuleExport
from store.rule_exports import PROVENANCE
from store.signatures import NAMESPACE, PublicKey

LISTED: Final = (
    'grep -o \'"digest":{{"sha256":"[0-9a-f]*"}},"name":"[A-Za-z._-]*"\' {name} |\n'
    '  sed \'s/.*"sha256":"\\([0-9a-f]*\\)"}},"name":"\\(.*\\)"/\\1  \\2/\' |\n'
    "  sha256sum -c"
)
"""Checks the files that a statement names against the digests in it."""

_FILES: Final = """\
| file | what it is |
|---|---|
| `PULL_REQUEST.md` | the text for the pull request; nothing in it is live when it is rendered |
| `rule.md` | what the patch adds |
| `rule.patch` | puts it into the checkout that it was made for |
| `source.txt` | the source, word for word |
| `source-vs-rule.diff` | the rule against it |
| `cases.md` | every case for and against |
| `provenance.json` | the digests of these files, and how the rule came about |
| `statement.json`, `statement.json.sig` | what was signed: the digest of `provenance.json` |
| `proof.json` | that the signature is recorded in the log it was made for |
"""


def guide(export: RuleExport, placement: Placement, key: PublicKey) -> str:
    """The whole text."""
    return (
        f"# Bundle of an exported rule\n\nExport `{export.export_id}`, made {export.exported_at} "
        f"by reviewer `{export.exported_by}`. Nobody merged or pushed anything: that is yours to "
        "do.\n\n"
        f"{_FILES}\n"
        "## Check it\n\nIn this folder, with stock tools. Each command ends with 0 when it "
        "holds.\n\n"
        "The files are the ones that were signed:\n\n```sh\n"
        f"{LISTED.format(name=PROVENANCE)}\n```\n\n"
        "The signature is over these files (of its two digests the second is a memory's, and has "
        "no file here):\n\n```sh\n"
        f"{LISTED.format(name='statement.json')}\n```\n\n"
        "The reviewer signed it. Take the key from a place that you trust, such as a `trust` "
        "folder under version control, and compare it with this one:\n\n```sh\n"
        f"echo '{export.exported_by} {key.line}' > ../allowed_signers\n"
        f"ssh-keygen -Y verify -f ../allowed_signers -I {export.exported_by} \\\n"
        f"  -n {NAMESPACE} -s statement.json.sig < statement.json\n```\n\n"
        f"The key's fingerprint is `{key.fingerprint}`.\n\n"
        "`memory-console bundle-check .` does all of this and checks the proof, too, without a "
        "store; with `--tenant NAME` it also asks the log.\n\n"
        "## Apply it\n\nIn the checkout, on a branch of its own. The patch touches "
        f"{inert.span(placement.path)} and nothing else:\n\n```sh\n"
        f"git switch --create memory-rule-{export.export_id[:8]}\n"
        "git apply --check PATH-OF-THIS-FOLDER/rule.patch\n"
        "git apply PATH-OF-THIS-FOLDER/rule.patch\n```\n\n"
        "Then commit and open the pull request with `PULL_REQUEST.md` as its text. If the rule is "
        "taken back later, the console marks this export as withdrawn; a merged file stays where "
        "it is until somebody takes it out.\n"
    )
