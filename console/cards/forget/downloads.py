"""The report as files: for a ticket, for a program, and for the person who asked."""

from __future__ import annotations

import json

import streamlit as st

from console.cards.visit import Visit
from console.words import LANGUAGES
from review.forget.headline import headline as summed_up
from review.forget.letter import letter
from review.forget.markdown import markdown
from review.forget.report import Report


def headline(visit: Visit, report: Report) -> None:
    """The computed sentences that sum the report up."""
    st.text(summed_up(report, visit.say.lang))


def draw(visit: Visit, report: Report) -> None:
    """The buttons."""
    say, name = visit.say, f"forget-{report.head.forget_id}"
    _button(visit, "md", markdown(report, say.lang), f"{name}.md", "text/markdown")
    told = json.dumps(report.as_json(), ensure_ascii=False, indent=1)
    _button(visit, "json", told, f"{name}.json", "application/json")
    for lang in LANGUAGES:
        file = f"{name}-letter-{lang}.txt"
        _button(visit, f"letter_{lang}", letter(report, lang), file, "text/plain")


def _button(visit: Visit, kind: str, text: str, file: str, mime: str) -> None:
    st.download_button(
        visit.say(f"forget.download.{kind}"),
        text,
        file_name=file,
        mime=mime,
        key=f"forget-{kind}",
        on_click="ignore",
    )
