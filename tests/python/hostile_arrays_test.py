"""Arrays and arguments that nobody should pass: errors of the usual kinds, and never the end of the interpreter.

HOSTILE_CALLS says how many calls are made.
"""

import os
import unittest
import warnings

import numpy as np
import scipy.sparse

from parsimap import Classifier, Model, _mathematics

BANDS = 5
CALLS = int(os.environ.get("HOSTILE_CALLS", "5000"))


class Liar:
    """Says that it is an array, and is none."""

    def __array__(self, *_, **__):
        raise RuntimeError("no array")


def unaligned(rng):
    memory = np.zeros(6 * BANDS * 8 + 1, dtype=np.uint8)
    return memory[1:].view(np.float64).reshape(6, BANDS)


def record(rng):
    return np.zeros(6, dtype=[("a", "f8"), ("b", "i4")])


def ragged(rng):
    return [[1.0, 2.0], [3.0]]


def with_value(value):
    def make(rng):
        array = rng.normal(size=(6, BANDS))
        array[rng.integers(6), rng.integers(BANDS)] = value
        return array

    return make


# What may be wrong with spectra; some of it is only unusual, and must work.
SPECTRA = [
    lambda rng: rng.normal(size=tuple(rng.integers(0, 7, size=rng.integers(0, 5)))),
    lambda rng: rng.normal(size=(6, int(rng.integers(0, 9)))),
    lambda rng: rng.normal(size=(int(rng.integers(0, 3)), BANDS)),
    with_value(np.nan),
    with_value(-np.inf),
    with_value(1e300),
    lambda rng: rng.normal(size=(6, BANDS)).astype(rng.choice(["f2", "f4", "f8", ">f8", "i1", "u2", "i8", "?", "g"])),
    lambda rng: rng.normal(size=(6, BANDS)).astype(complex),
    lambda rng: rng.normal(size=(6, BANDS)).astype(object),
    lambda rng: np.array([[{}] * BANDS] * 6, dtype=object),
    lambda rng: np.array([["1.5"] * BANDS] * 6),
    lambda rng: np.array([["water"] * BANDS] * 6),
    lambda rng: rng.normal(size=(BANDS, 6)).T,
    lambda rng: rng.normal(size=(12, 2 * BANDS))[::-2, ::2],
    lambda rng: np.broadcast_to(rng.normal(size=BANDS), (6, BANDS)),
    lambda rng: np.ma.masked_less(rng.normal(size=(6, BANDS)), 0),
    lambda rng: np.matrix(rng.normal(size=(6, BANDS))),
    lambda rng: scipy.sparse.csr_matrix(rng.normal(size=(6, BANDS))),
    lambda rng: rng.normal(size=(6, BANDS)).tolist(),
    lambda rng: np.full((6, BANDS), "2026-11-23", dtype="datetime64[D]"),
    lambda rng: rng.choice(np.array([None, 3, "x", b"\xff", 1 << 80, {}, ()], dtype=object)),
    unaligned,
    record,
    ragged,
    lambda rng: Liar(),
    lambda rng: iter([1, 2]),
]

LABELS = [
    lambda rng: rng.integers(0, 2, size=6),
    lambda rng: np.arange(6) % 2,
    lambda rng: rng.integers(-9, 9, size=int(rng.integers(0, 9))),
    lambda rng: rng.normal(size=6),
    lambda rng: np.array(["a", "b", "c"] * 2),
    lambda rng: np.array(["a", 1, None] * 2, dtype=object),
    lambda rng: np.zeros((6, 2)),
    lambda rng: None,
    lambda rng: np.full(6, 1 << 62),
    lambda rng: np.array([np.nan] * 6),
]

ORDERS = [(0, 1, 2), (1, 2, 0), (2, 1, 0), (0, 0, 0), (-1, 1, 2), (0, 1, 7)]

# The errors that callers know how to meet.
USUAL = (ValueError, TypeError, MemoryError, OSError, RuntimeError, OverflowError, AttributeError, IndexError)


class Hostile(unittest.TestCase):
    def calls(self):
        """Pairs of what is called, given a source of random numbers, and its name."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, BANDS))
        y = np.arange(60) % 3
        classifier = Classifier(n_jobs=1).fit(X, y)
        model = classifier.model_
        raw = model._model
        pick = lambda rng, options: options[rng.integers(len(options))](rng)
        threads = lambda rng: int(rng.choice([1, 1, 1, 2, 0, -1, 4096]))
        return [
            lambda rng: classifier.predict(pick(rng, SPECTRA)),
            lambda rng: classifier.decision_function(pick(rng, SPECTRA)),
            lambda rng: model.predict(pick(rng, SPECTRA), threads=threads(rng)),
            lambda rng: model.predict_proba(pick(rng, SPECTRA), threads=threads(rng)),
            lambda rng: model.novelty(pick(rng, SPECTRA), threads=threads(rng)),
            lambda rng: raw.log_odds(pick(rng, SPECTRA), threads(rng)),
            lambda rng: _mathematics.classify(
                raw, pick(rng, SPECTRA + [lambda r: r.normal(size=(3, 4, BANDS)).astype(r.choice(["f4", "u2", "c8"]))]),
                ORDERS[rng.integers(len(ORDERS))], [("x", None)] * int(rng.choice([0, 0, BANDS, 2])),
                rng.choice([None, 0.0, float("nan")]), [["confidence"], [], ["nothing"]][rng.integers(3)],
                str(rng.choice(["none", "neighbours:1", "auto", "sideways"])), rng.choice([None, 0.5, -3.0]), None, None,
                threads(rng)),
            lambda rng: Model.from_bytes(damaged(model.to_bytes(), rng)),
            lambda rng: Classifier(n_jobs=1, random_state=pick(rng, LABELS)).fit(pick(rng, SPECTRA), pick(rng, LABELS)),
            lambda rng: Classifier(n_jobs=1, kernel="gaussian", criterion="radius-margin").fit(
                pick(rng, SPECTRA), pick(rng, LABELS), groups=pick(rng, LABELS)),
            lambda rng: _mathematics.train(
                pick(rng, SPECTRA), pick(rng, LABELS), [(1, "a"), (int(rng.integers(-1, 4)), "b")], pick(rng, LABELS),
                [("x", None)] * int(rng.choice([0, 0, BANDS])), dict(Classifier()._options(), kernel="pca"),
                threads(rng)),
        ]

    def test_calls(self):
        warnings.simplefilter("ignore")
        rng = np.random.default_rng(int(os.environ.get("HOSTILE_SEED", "1")))
        calls = self.calls()
        outcomes = {}
        for i in range(CALLS):
            call = calls[i % len(calls)]
            try:
                call(rng)
                outcome = "done"
            except USUAL as error:
                outcome = type(error).__name__
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        # Both kinds happen: the calls are not all refused for one reason.
        self.assertGreater(outcomes["done"], CALLS // 20)
        self.assertGreater(sum(outcomes.values()) - outcomes["done"], CALLS // 20)
        print(outcomes)


def damaged(content, rng):
    """The bytes of a model, some of them others or missing."""
    array = bytearray(content)
    for _ in range(rng.integers(0, 3)):
        array[rng.integers(len(array))] = rng.integers(256)
    return bytes(array[: len(array) - rng.integers(0, 2) * rng.integers(0, len(array))])


if __name__ == "__main__":
    unittest.main()
