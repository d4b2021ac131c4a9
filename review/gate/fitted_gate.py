"""The fitted gate: a logistic regression on the four numbers, learned from labelled verdicts.

It is shown beside the training-free gate and decides nothing unless the policy says so. Four
weights and a constant are found by Newton's method in a few steps; that is small enough to be read
here, and no other part of the program needs a library for it.

Source: the gate's specification, section 3 (fitted gate), after CALM's learned one. Newton's
method for the penalised logistic likelihood: w ← w + (XᵀSX + λI)⁻¹ (Xᵀ(y − p) − λw), with
S = diag(p(1 − p)).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

FEATURES: Final = ("zeta", "V", "psi", "1-R")
LEAST: Final = 20
"""Labelled verdicts that training needs at least, of each answer a quarter as many."""

_PENALTY: Final = 0.01
_STEPS: Final = 100
_CLOSE: Final = 1e-10
_HELD_OUT: Final = 5
"""Every fifth verdict is kept for the figures."""


class LabelsError(ValueError):
    """A file of labels that cannot be learned from; says where and why."""


@dataclass(frozen=True)
class Labels:
    """Labelled verdicts. ``numbers`` has shape ``(n, 4)`` in the order of ``FEATURES``."""

    numbers: Numbers
    admit: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.admit)


@dataclass(frozen=True, slots=True)
class Figures:
    """How often verdicts agree with held-out labels; shares in [0, 1], None without a case."""

    n: int
    accuracy: float | None
    precision: float | None
    recall: float | None


@dataclass(frozen=True)
class FittedGate:
    """Weights for ``FEATURES`` and the constant behind them, with what they were learned from."""

    weights: tuple[float, float, float, float, float]
    trained_on: int
    held_out: Figures
    training_free: Figures
    """The training-free gate on the same held-out verdicts, with F against ``theta``."""

    def probability(self, zeta: float, validity: float, psi: float, risk: float) -> float:
        """How likely a person would admit such a candidate, in (0, 1); 0.5 is the border."""
        told = np.array([[zeta, validity, psi, 1.0 - risk]])
        return float(_probability(np.array(self.weights), _with_constant(told))[0])

    def admits(self, zeta: float, validity: float, psi: float, risk: float) -> bool:
        """Whether the fitted gate would admit it, h aside."""
        return self.probability(zeta, validity, psi, risk) >= 0.5


def read_labels(text: bytes) -> Labels:
    """Labels from JSON Lines: ``{"zeta", "V", "psi", "R", "admit"}``, numbers in [0, 1].

    Raises:
        LabelsError: With the line that is wrong, or if there are too few of either answer.
    """
    numbers: list[list[float]] = []
    admit: list[bool] = []
    for line, told in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        if not told.strip():
            continue
        try:
            one = json.loads(told)
            values = [float(one[name]) for name in ("zeta", "V", "psi", "R")]
            answer = one["admit"]
        except (ValueError, KeyError, TypeError) as error:
            msg = f"labels, line {line}: not a verdict with zeta, V, psi, R and admit ({error})."
            raise LabelsError(msg) from error
        if not isinstance(answer, bool) or not all(0.0 <= value <= 1.0 for value in values):
            msg = f"labels, line {line}: numbers lie in 0 to 1, and admit is true or false."
            raise LabelsError(msg)
        numbers.append([*values[:3], 1.0 - values[3]])
        admit.append(answer)
    yes, no = sum(admit), len(admit) - sum(admit)
    if len(admit) < LEAST or min(yes, no) < LEAST // 4:
        msg = (
            f"labels: {yes} to admit and {no} to keep out are too few. Nothing was learned. "
            f"Bring at least {LEAST}, a quarter of them of either answer."
        )
        raise LabelsError(msg)
    return Labels(np.array(numbers), np.array(admit, dtype=bool))


def fit(labels: Labels, *, theta: float) -> FittedGate:
    """Learn weights from four fifths of the labels, and measure both gates on the rest.

    Args:
        labels: In the order of the file; every fifth is held out, so the same file gives the same
            weights.
        theta: Threshold of the training-free gate it is compared with.
    """
    held = np.arange(len(labels)) % _HELD_OUT == _HELD_OUT - 1
    told = _with_constant(labels.numbers)
    weights = _newton(told[~held], labels.admit[~held].astype(float))
    fitted = _probability(weights, told[held]) >= 0.5
    plain = np.round(labels.numbers[held].mean(axis=1), 9) >= theta
    one, two, three, four, constant = (float(weight) for weight in weights)
    return FittedGate(
        (one, two, three, four, constant),
        trained_on=int((~held).sum()),
        held_out=figures(fitted, labels.admit[held]),
        training_free=figures(plain, labels.admit[held]),
    )


def figures(verdicts: npt.NDArray[np.bool_], labels: npt.NDArray[np.bool_]) -> Figures:
    """How verdicts agree with labels."""
    right = int((verdicts & labels).sum())
    return Figures(
        n=len(labels),
        accuracy=_share(int((verdicts == labels).sum()), len(labels)),
        precision=_share(right, int(verdicts.sum())),
        recall=_share(right, int(labels.sum())),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _newton(told: Numbers, admit: Numbers) -> Numbers:
    weights = np.zeros(told.shape[1])
    penalty = _PENALTY * np.eye(told.shape[1])
    penalty[-1, -1] = 0.0  # the constant is free
    for _ in range(_STEPS):
        chance = _probability(weights, told)
        slope = told.T @ (admit - chance) - penalty @ weights
        curve = (told * (chance * (1.0 - chance))[:, None]).T @ told + penalty
        step = np.linalg.lstsq(curve, slope, rcond=None)[0]
        weights = weights + step
        if float(np.abs(step).max()) < _CLOSE:
            break
    return weights


def _probability(weights: Numbers, told: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(told @ weights, -500.0, 500.0))))


def _with_constant(numbers: Numbers) -> Numbers:
    return np.hstack([numbers, np.ones((len(numbers), 1))])


def as_value(gate: FittedGate) -> dict[str, object]:
    """A fitted gate as a JSON value without floating-point numbers, as the log keeps it."""
    return {
        "features": list(FEATURES),
        "weights": [repr(weight) for weight in gate.weights],
        "trained_on": gate.trained_on,
        "held_out": _figures_value(gate.held_out),
        "training_free": _figures_value(gate.training_free),
    }


def from_value(told: dict[str, object]) -> FittedGate:
    """The fitted gate that ``as_value`` spelled."""
    weights = told["weights"]
    assert isinstance(weights, Sequence)
    one, two, three, four, constant = (float(weight) for weight in weights)
    return FittedGate(
        (one, two, three, four, constant),
        trained_on=int(str(told["trained_on"])),
        held_out=_figures_of(told["held_out"]),
        training_free=_figures_of(told["training_free"]),
    )


def _figures_value(told: Figures) -> dict[str, object]:
    shares = {"accuracy": told.accuracy, "precision": told.precision, "recall": told.recall}
    return {"n": told.n, **{k: None if v is None else repr(v) for k, v in shares.items()}}


def _figures_of(told: object) -> Figures:
    assert isinstance(told, dict)
    shares = {
        name: None if told[name] is None else float(told[name])
        for name in ("accuracy", "precision", "recall")
    }
    return Figures(n=int(told["n"]), **shares)
