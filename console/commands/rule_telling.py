"""What ``rules export`` and ``rules write`` say: what is missing, and what left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from console.commands.telling import say, say_escaped, tell, tell_json
from review.text.visible import escape_line

if TYPE_CHECKING:
    from console.bundles.checkouts import Flag
    from console.bundles.exporting import Exported
    from review.rules.drafting import Checked

FLAGS: Final = {
    "dirty": "Other files there differ from what is checked out.",
    "not_told": "Whether files there differ could not be told.",
    "read_only": "You cannot write there, so you cannot apply the patch there.",
    "unborn": "Nothing is committed there yet.",
    "renamed": "The name or heading was taken, so another one was used.",
}
"""What to know of a checkout, by member of ``console.bundles.checkouts.Flag``."""


def missing(checked: Checked, earlier: Sequence[str], *, as_json: bool) -> None:
    """What is missing, and each place that says or may say more than its source, with its key."""
    places = [
        {
            "key": one.key,
            "drift": str(one.place.drift),
            "change": str(one.place.change),
            "verdict": str(one.place.verdict),
            "source": "" if one.place.source is None else one.place.source.cue,
            "rule": one.place.rule.cue,
            "settled": one.settled,
        }
        for one in checked.places
    ]
    told: dict[str, Any] = {
        "ready": checked.ready,
        "strength": str(checked.strength.verdict),
        "missing": [{"what": str(one.what), "n": one.n} for one in checked.lacks],
        "places": places,
        "earlier": list(earlier),
    }
    if as_json:
        tell_json(told)
        return
    from console.cards.rules.words import cues, differs, lack
    from console.words import Say

    speak = Say("en")
    tell(f"strength  {speak.plain(f'rules.verdict.{checked.strength.verdict}')}")
    for at in checked.places:
        mark = "settled" if at.settled else "open" if at.stricter else "unclear"
        tell(f"{mark:<8}  {at.key}  {differs(speak, at.place)}: {escape_line(cues(at.place))}")
    for one in checked.lacks:
        tell(f"missing   {lack(speak, one)}")
    _earlier(earlier)
    if any(not at.settled for at in checked.places):
        say("A place is settled by --because KEY=REASON, or by other words in the rule.")
    say(
        "Nothing was signed. This check looks for known words. It can miss a stronger meaning."
        if checked.ready
        else "Not ready, so nothing was exported. See also: rules why-not"
    )


def _earlier(earlier: Sequence[str]) -> None:
    for one in earlier:
        say(
            f"This insight left before, as export {one}. "
            "Withdraw that if this one takes its place."
        )


def left(tenant: str, done: Exported, earlier: Sequence[str] = (), *, as_json: bool) -> None:
    """Where the files are, what to know of the checkout, and what left before."""
    if as_json:
        tell_json(
            {
                "tenant": tenant,
                "export": done.export,
                "folder": str(done.folder),
                "sha256": done.sha256,
                "path": done.path,
                "files": [{"name": name, "bytes": size} for name, size in done.sizes],
                "flags": [str(flag) for flag in done.flags],
                "earlier": list(earlier),
            }
        )
        return
    total = sum(size for _, size in done.sizes)
    tell(f"export    {done.export}")
    tell(f"folder    {done.folder}")
    tell(f"files     {len(done.sizes)}, {total:,} bytes, sha256 {done.sha256}")
    tell(f"goes to   {done.path}")
    _earlier(earlier)
    for flag in done.flags:
        say_escaped(_sentence(flag))
    say("Nothing was merged or pushed. README.md in the folder says how to check and apply it.")


def _sentence(flag: Flag) -> str:
    return FLAGS[str(flag)]
