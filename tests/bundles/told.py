"""Rules to export, over real stores: an approved cell, and all that is said beside it."""

from __future__ import annotations

import random
from hashlib import sha256

from console.bundles.exporting import Folders
from review.bundle.recording import Exporting
from review.identities import stamp
from review.person import Person
from review.rules.export_told import (
    Answer,
    Apart,
    CaseTold,
    Conflict,
    Opposes,
    Outcome,
    RuleExport,
    Settled,
    SourceText,
    Target,
    Threshold,
    ThresholdName,
    Tried,
    Unknown,
    Why,
)
from review.staged.placing import Writer
from review.strength import check
from store.cells import Span, Stance
from store.statements import ReviewerStatement
from tests.conftest import Clock, founded
from tests.contract.staged import TIME, artifact_of, decide, stage, verdict

POLICY = "0" * 64
SOURCE = (
    "In March we usually shipped jackets to Elektrostal when Koledino was full, said Oleg on "
    "2026-02-15."
)
RULE = "Ship jackets to Elektrostal when Koledino is full."


def source(text=SOURCE, n=1, **changes):
    told = {
        "item": f"run-{n}",
        "revision": 0,
        "place": "step 3",
        "who": "Oleg P.",
        "when": "2026-02-15",
        "text": text,
        "digest": sha256(text.encode()).hexdigest(),
    }
    return SourceText(**(told | changes))


def case(n, stance=Stance.SUPPORTS, words="Ship the jackets to Elektrostal.", **changes):
    told = {
        "item": "item-a",
        "run": f"run-{n}",
        "source_id": f"test:run-{n}",
        "who": "Oleg P.",
        "when": f"2026-02-{10 + n}",
        "stance": stance,
        "words": words,
        "span": Span(100, 140),
    }
    return CaseTold(**(told | changes))


def thresholds():
    told = [
        (ThresholdName.CONFIDENCE, "0.90", "1.00", 5),
        (ThresholdName.VOTES, "5", "5", 5),
        (ThresholdName.PEOPLE, "2", "4", 4),
        (ThresholdName.DAYS, "14", "24", 5),
    ]
    return tuple(Threshold(*one, True, Why.REACHED) for one in told)


def settled_in(strength, sources, rule, reason="The warehouse closed for good."):
    """A written reason for every place that says or may say more than its source."""
    return tuple(
        Settled(
            n,
            place.drift,
            place.source.cue if place.source else "",
            place.rule.cue,
            Answer.REASON,
            reason,
        )
        for n, place in enumerate(strength.places)
        if place in strength.asked
    )


def export(
    *,
    rule=RULE,
    sources=None,
    title="Jackets to Elektrostal",
    target=Target.CLAUDE_RULES,
    n=1,
    **changes,
) -> RuleExport:
    sources = (source(),) if sources is None else sources
    strength = check([one.text for one in sources], rule)
    told = {
        "export_id": f"{n:08x}" + "0f" * 12,
        "item": "item-a",
        "revision": 1,
        "artifact_digest": "a" * 64,
        "tenant": "tenant-1",
        "title": title,
        "statement": "Jackets go to Elektrostal when Koledino is full.",
        "sources": sources,
        "cases": (
            *(case(k) for k in range(1, 6)),
            case(6, Stance.CONTRADICTS, "Koledino had room, it was not needed."),
        ),
        "thresholds": thresholds(),
        "tried": (
            Tried(
                "run-9",
                Outcome.HOLDS,
                (Apart.PERSON, Apart.RUN),
                "Shipped to Elektrostal, fine.",
                "Anna",
                "2026-03-01",
            ),
            Tried("run-8", Outcome.UNKNOWN, (Apart.SCOPE,), "", None, None),
        ),
        "unknown": (Unknown.KNOWN_WORDS_ONLY, Unknown.WORLD_OUTSIDE, Unknown.UNTRIED),
        "rule_text": rule,
        "strength": strength,
        "settled": settled_in(strength, sources, rule),
        "conflicts": (Conflict(Opposes.CELL, "item-b", "Jackets go to Koledino."),),
        "target": target,
        "owner": "logistics",
        "exported_at": "2026-03-10T12:00:00.000000Z",
        "exported_by": "r-irina",
    }
    return RuleExport(**(told | changes))


class World:
    """A workspace of one tenant with an approved cell, and a person who may export."""

    def __init__(self, home, irina, *, seed=7, on_disk=False):
        self.home, self.irina = home, irina
        home.mkdir(exist_ok=True)
        path = home / "stores" / "tenant-1" / "store.duckdb" if on_disk else None
        if path is not None:
            path.parent.mkdir(parents=True)
        self.store = founded(path, irina.root)
        self.chance = random.Random(seed).randbytes
        self.store.append(stage(self.store, self.chance, "a", "b"))
        self.store.append(decide(self.store, irina, verdict(self.store, "item-a")))
        self.clock = Clock()
        writer = Writer("p-test", self.clock, self.chance)
        self.exporting = Exporting(self.store, Person(irina.name, "Irina K."), writer, POLICY)
        self.folders = Folders(home, self.store, lambda: trust_of(irina))

    def told(self, **changes) -> RuleExport:
        rev, digest = artifact_of(self.store, "item-a")
        return export(**({"revision": rev, "artifact_digest": digest} | changes))

    def sign(self, statements):
        return self.irina.key.sign(statements, now=self.irina.key._until)

    def export(self, told=None, **more):
        return self.folders.export(told or self.told(), self.exporting, self.sign, **more)


def trust_of(reviewer):
    """The trust root as the workspace keeps it: signed by itself."""
    told = ReviewerStatement("root", reviewer.name, reviewer.key.public, TIME, reviewer.name)
    (signed,) = reviewer.key.sign([told.encode()], now=reviewer.key._until)
    return signed


__all__ = ["POLICY", "RULE", "SOURCE", "World", "case", "export", "source", "stamp", "trust_of"]
