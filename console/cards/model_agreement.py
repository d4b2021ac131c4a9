"""How proposals fared, month by month: tables of counts, no foreign word in them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from console.words import Say
from review.proposals import tally
from review.proposals.comparing import Compared
from review.proposals.jobs import Outcome, Sort
from review.proposals.tally import Fared, Tally


def people(told: Tally, say: Say) -> None:
    """What people made of proposals, by month and sort."""
    st.subheader(say("model.people"), anchor=False)
    st.caption(say("model.people.help"))
    rows = []
    for month in tally.months(told.fared):
        for sort in Sort:
            counts = {one: told.fared[month, sort, one] for one in Fared}
            if not any(counts.values()):
                continue
            decided = sum(counts.values()) - counts[Fared.WAITING]
            share = counts[Fared.ACCEPTED] / decided if decided else None
            rows.append(
                {
                    say.plain("model.month"): month,
                    say.plain("model.what"): say.plain(f"model.sort.{sort}"),
                    **{say.plain(f"model.fared.{one}"): n for one, n in counts.items()},
                    say.plain("model.share"): _share(share),
                }
            )
    if not rows:
        st.caption(say("model.people.none"))
        return
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")


def grammar(told: Tally, say: Say) -> None:
    """Proposed facts beside those that the grammar read, by month."""
    st.subheader(say("model.beside"), anchor=False)
    st.caption(say("model.beside.help"))
    if not told.beside:
        st.caption(say("model.beside.none"))
        return
    rows = [
        {
            say.plain("model.month"): month,
            **{say.plain(f"model.beside.{one}"): counts[one] for one in Compared},
            say.plain("model.agreement"): _share(tally.agreement(counts)),
        }
        for month, counts in sorted(told.beside.items(), reverse=True)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")


def replies(told: Tally, say: Say) -> None:
    """What became of every reply that is recorded."""
    st.subheader(say("model.replies"), anchor=False)
    for one in Outcome:
        if told.outcomes[one]:
            st.text(say.plain(f"model.replies.{one}", n=told.outcomes[one]))
    st.caption(say("model.dropped", n=told.dropped))
    if told.erased:
        st.caption(say("model.erased.n", n=told.erased))


def _share(share: float | None) -> str:
    return "—" if share is None else f"{share:.0%}"
