"""Flags of a record, by word and shape: ■ Stop, ▲ Check, ○ Note. Colour only repeats the word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import streamlit as st

from console.words import Say
from review.staged.flags import Flag, FlagLevel, needs_tick

SHAPES: Final = {FlagLevel.STOP: "■", FlagLevel.CHECK: "▲", FlagLevel.NOTE: "○"}


def cell(flags: Iterable[Flag], say: Say) -> str:
    """All flags of a row, for a table's text column."""
    return "   ".join(
        f"{SHAPES[one.level]} {say.plain(f'flag.{one.code}')}{_times(one)}" for one in flags
    )


def tick_key(item: str, code: str) -> str:
    """The key of the tick box of a Check flag."""
    return f"tick-{item}-{code}"


def ticked(item: str, flags: Iterable[Flag]) -> tuple[str, ...]:
    """The Check flags of a record that the reviewer has ticked."""
    codes = (str(code) for code in needs_tick(flags))
    return tuple(code for code in codes if st.session_state.get(tick_key(item, code)))


def draw(item: str, flags: Iterable[Flag], say: Say, *, may_tick: bool) -> None:
    """Every flag in full words. A Check flag is a tick box that holds Approve back."""
    flags = tuple(flags)
    with st.container(key="stops", gap="xsmall"):
        for one in flags:
            if one.level is FlagLevel.STOP:
                st.error(say("flag.stop") + " " + say(f"flag.{one.code}.help"))
        with st.container(horizontal=True, gap="small", key="checks"):
            for one in flags:
                if one.level is FlagLevel.CHECK:
                    st.checkbox(
                        say("flag.check") + " " + say(f"flag.{one.code}.help"),
                        key=tick_key(item, str(one.code)),
                        disabled=not may_tick,
                    )
    notes = [one for one in flags if one.level is FlagLevel.NOTE]
    if notes:
        with st.container(horizontal=True, gap="small", key="notes"):
            for one in notes:
                st.badge(
                    say(f"flag.{one.code}"),
                    color="gray",
                    icon=":material/circle:",
                    help=say(f"flag.{one.code}.help"),
                )


def _times(flag: Flag) -> str:
    return f" ×{flag.count}" if flag.count > 1 else ""
