"""Which two lessons speak against each other, by known words."""

import pytest

from review.rules.opposing import Lesson, opposed


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("Deploy on Fridays.", "do"), ("Never deploy on Fridays.", "avoid"), True),
        (("Deploy on Fridays.", "avoid"), ("Do not deploy on Fridays.", "do"), False),
        (("Deploy on Fridays.", "do"), ("Deploy on Fridays.", "avoid"), True),
        (("Deploy on Fridays.", "do"), ("Deploy on Fridays.", "do"), False),
        (("Never deploy on Fridays.", "avoid"), ("Do not deploy on Fridays.", "do"), False),
        (("Звоните клиенту утром.", "do"), ("Не звоните клиенту утром.", "avoid"), True),
        (("Deploy on Fridays.", "do"), ("Never phone clients.", "avoid"), False),
        (("Ship.", "do"), ("Never ship.", "avoid"), False),  # one word tells too little
        (("", ""), ("", ""), False),
    ],
)
def test_two_lessons(one, other, expected):
    mine, theirs = (Lesson(text, polarity, "") for text, polarity in (one, other))
    assert opposed(mine, theirs) is expected
    assert opposed(theirs, mine) is expected


def test_lessons_of_different_tools_do_not_meet():
    one, other = (
        Lesson("Deploy on Fridays.", "do", "a"),
        Lesson("Never deploy on Fridays.", "", "b"),
    )
    assert not opposed(one, other)
