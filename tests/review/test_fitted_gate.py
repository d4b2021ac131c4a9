"""The fitted gate: learns from labels, is measured on what it has not seen, and is repeatable."""

from __future__ import annotations

import json
import random

import pytest

from review.gate import fitted_gate
from review.gate.fitted_gate import LabelsError, fit, read_labels


def labels(n: int = 200, seed: int = 1, flip: float = 0.0) -> bytes:
    """Verdicts of somebody who admits what is relevant and valid, whatever psi says."""
    chance = random.Random(seed)
    lines = []
    for _ in range(n):
        one = {name: round(chance.random(), 3) for name in ("zeta", "V", "psi", "R")}
        admit = one["zeta"] + one["V"] > 1.0
        lines.append(json.dumps(one | {"admit": admit != (chance.random() < flip)}))
    return "\n".join(lines).encode()


def test_it_learns_what_the_labels_are_about():
    gate = fit(read_labels(labels()), theta=0.55)
    assert gate.held_out.n == 40
    assert gate.held_out.accuracy is not None
    assert gate.training_free.accuracy is not None
    assert gate.held_out.accuracy >= 0.9 > gate.training_free.accuracy
    assert gate.admits(0.9, 0.9, 0.1, 0.9)
    assert not gate.admits(0.1, 0.2, 1.0, 0.0)


def test_the_same_file_gives_the_same_weights_and_survives_being_written_down():
    one, two = (fit(read_labels(labels(flip=0.1)), theta=0.55) for _ in range(2))
    assert one == two
    told = json.loads(json.dumps(fitted_gate.as_value(one)))
    assert fitted_gate.from_value(told) == one


def test_labels_that_can_be_told_apart_entirely_still_give_finite_weights():
    yes = [{"zeta": 1, "V": 1, "psi": 1, "R": 0, "admit": True}] * 20
    no = [{"zeta": 0, "V": 0, "psi": 0, "R": 1, "admit": False}] * 20
    text = "\n".join(json.dumps(one) for one in [*yes, *no]).encode()
    gate = fit(read_labels(text), theta=0.55)
    assert all(abs(weight) < 1e6 for weight in gate.weights)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 21"),
        ('{"zeta": 1, "V": 1, "psi": 1, "admit": true}', "'R'"),
        ('{"zeta": 2, "V": 1, "psi": 1, "R": 0, "admit": true}', "0 to 1"),
        ('{"zeta": 1, "V": 1, "psi": 1, "R": 0, "admit": "yes"}', "true or false"),
        ('{"zeta": NaN, "V": 1, "psi": 1, "R": 0, "admit": true}', "0 to 1"),
    ],
)
def test_a_line_that_is_no_verdict_is_named(line, words):
    with pytest.raises(LabelsError, match=words):
        read_labels(labels(20) + b"\n" + line.encode())


def test_too_few_labels_are_refused():
    with pytest.raises(LabelsError, match="too few"):
        read_labels(labels(12))
    one_sided = b"\n".join(line for line in labels(200).splitlines() if json.loads(line)["admit"])
    with pytest.raises(LabelsError, match="0 to keep out"):
        read_labels(one_sided)
