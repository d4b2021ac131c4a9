"""What a claim tells as over, in its own words."""

import pytest

from review.text.told_versions import old_versions


@pytest.mark.parametrize(
    ("claim", "over"),
    [
        ("The value was: 40 chairs. The actual value is: 60 chairs.", ["40 chairs"]),
        ("Было: 40 стульев. Стало: 60 стульев.", ["40 стульев"]),
        (
            "We originally planned Friday. Then we moved it to Thursday. The final day is Monday.",
            ["We originally planned Friday.", "Then we moved it to Thursday."],
        ),
        (
            "Сначала хотели пятницу. Потом перенесли на четверг. В итоге будет понедельник.",
            ["Сначала хотели пятницу.", "Потом перенесли на четверг."],
        ),
    ],
)
def test_versions_before_the_last_are_over(claim, over):
    assert old_versions(claim) == over


@pytest.mark.parametrize(
    "claim",
    [
        "We lived in Tula at first. The house had a garden.",
        "The choir sang: la la la. It was late.",
        "Сначала мы жили в Туле. У дома был сад.",
        "In the end we moved to Tula. Originally we are from Omsk.",
    ],
)
def test_a_past_that_nothing_in_the_claim_replaces_stays(claim):
    assert old_versions(claim) == []
