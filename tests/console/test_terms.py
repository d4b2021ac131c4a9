"""One outcome has one name on every screen, in both languages; counts have their plural forms."""

from __future__ import annotations

import pytest

from console.words import LANGUAGES, Say
from review.queue import OUTCOME_LANES
from store.records import Outcome

LANE_OF = {outcome: str(lane) for lane, outcome in OUTCOME_LANES.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("outcome", list(Outcome))
def test_an_outcome_is_called_the_same_in_every_place(lang, outcome):
    say = Say(lang)
    name = say.plain(f"outcome.{outcome}").casefold()
    keys = [f"job.outcome.{outcome}", f"imports.column.{outcome}"]
    if outcome in LANE_OF:
        lane = LANE_OF[outcome]
        keys += [f"lane.{lane}", f"start.{lane}", f"import.go.{lane}"]
    for key in keys:
        assert name in say.plain(key, n=5).casefold(), key


def test_russian_counts_of_the_log_have_their_forms():
    told = [Say("ru").plain("start.log", n=n, head="ab12") for n in (1, 44, 15)]
    assert [one.split(",")[0] for one in told] == [
        "Журнал: 1 событие",
        "Журнал: 44 события",
        "Журнал: 15 событий",
    ]


def test_russian_has_one_word_for_the_inbox_and_one_for_an_insight():
    say = Say("ru")
    assert say.plain("kind.insight") == "инсайт"
    assert "инсайт" in say.plain("runs.build")
    assert "входящ" not in say.plain("runs.build.help")
    assert say.plain("nav.inbox") == "Очередь"
