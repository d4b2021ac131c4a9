"""One list says what is missing; the button, the command line and the export ask nobody else."""

from __future__ import annotations

import pytest

from review.rules.readiness import Missing, lacking
from review.rules.transfer import Transfer
from store.cells import Kind
from tests.review.desks import proposal, reading, signer
from tests.review.rules import lessons
from tests.review.rules.test_wording import SOURCE, opened


def whats(**changes):
    return [one.what for one in lacking(opened(SOURCE, **changes).ground)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"somebody": False}, [Missing.NOBODY]),
        ({"fallen": True}, [Missing.FALLEN]),
        ({"duplicates": "cl-1"}, [Missing.DUPLICATES]),
        ({"searched": False, "duplicates": "cl-1"}, [Missing.NOT_SEARCHED]),
        ({"transfer": Transfer((), 7, 0, 0)}, [Missing.UNTRIED]),
        ({"transfer": Transfer((), 7, 0, 1)}, [Missing.NOT_TRANSFERRED]),
        ({"transfer": Transfer((), 7, 8, 1)}, [Missing.NOT_TRANSFERRED]),
        ({"transfer": Transfer((), 7, 9, 1)}, []),
        ({"erased": True, "fallen": True}, [Missing.ERASED]),
    ],
)
def test_each_lack_is_named(changes, expected):
    assert whats(**changes) == expected


def test_look_alikes_are_settled_by_a_signed_word_and_not_by_waiting(store, irina):
    desk, item = lessons.ready(store, irina)
    assert desk.rules.why_not(desk.rules.open(item)) == ()
    told = proposal(lessons.REASON, kind=Kind.INSIGHT, source_id="test:again")
    desk.stage(reading([told], name="again.json"))
    assert [one.what for one in desk.rules.why_not(desk.rules.open(item))] == [Missing.DUPLICATES]
    name = desk.rules.open(item).ground.duplicates
    cluster = desk.duplicates.cluster(name)
    others = [one.row.item for one in cluster.shown[1:]]
    desk.duplicates.link(cluster, others, desk.new_nonce())
    desk.duplicates.sign(signer(irina), policy_sha256=desk.policy.sha256)
    assert desk.rules.why_not(desk.rules.open(item)) == ()
