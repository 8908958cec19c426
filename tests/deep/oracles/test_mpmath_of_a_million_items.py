"""A ranking of a million items against the exact values: what adding up so many terms costs.

Terms are added one by one, in rank order. In the worst case each addition is off by half a unit in
the last place (ulp) of the sum so far, and all in the same direction: n roundings of at most 2^-53
of the sum, which is a million units. Roundings go up as often as down, and what is found is about
the root of that.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from mpmath import mp, mpf

import gainful
from oracles.tally import count_compared
from oracles.ulps import compute_ulp_error

N = 1_000_000
BITS = 220  # of numbers below, which are whole multiples of 2^-220: 66 digits
ONE = 1 << BITS
MAX_ULPS = 4 * math.isqrt(N)
MEASURES = ["DCG", "IDCG", "nDCG", "DCG(gain=exp2)", "nDCG(gain=exp2)", "AP", "RBP"]


def compute_logarithms() -> list[int]:
    """The natural logarithms of 0 to N + 1: by mpmath of primes, and added up for all others."""
    factor = np.zeros(N + 2, dtype=np.int64)  # a prime one of each number
    for n in range(2, math.isqrt(N + 1) + 1):
        if not factor[n]:
            multiples = factor[n * n :: n]
            multiples[multiples == 0] = n
    logs = [0, 0]
    with mp.workprec(BITS + 40):
        for n, prime in enumerate(factor.tolist()[2:], start=2):
            logs.append(logs[prime] + logs[n // prime] if prime else int(mp.log(n) * ONE))
    return logs


@dataclass(frozen=True)
class ExactValues:
    """The exact value of each measure, as multiples of 2^-220."""

    labels: list[int]
    weights: list[int]  # 1 / log2(rank + 1)

    def compute_dcg(self, gains: list[int]) -> int:
        return sum(gain * weight for gain, weight in zip(gains, self.weights, strict=True) if gain)

    def compute_ap(self) -> int:
        ranks = [rank for rank, label in enumerate(self.labels, start=1) if label >= 1]
        return sum(nth * ONE // rank for nth, rank in enumerate(ranks, start=1)) // len(ranks)

    def compute_rbp(self, p: float = 0.8) -> mpf:
        first = enumerate(self.labels[:5000])  # 0.8^5000 is 10^-484
        return (1 - mpf(p)) * mp.fsum(mpf(p) ** i for i, label in first if label >= 1)

    def compute_all(self) -> list[mpf]:
        """In the order above."""
        out = []
        for gains in (self.labels, [2**label - 1 for label in self.labels]):
            dcg = mpf(self.compute_dcg(gains))
            best = mpf(self.compute_dcg(sorted(gains, reverse=True)))
            out += [dcg / ONE, best / ONE, dcg / best]
        del out[4]  # the best sum of the second gain is not asked for
        return [*out, mpf(self.compute_ap()) / ONE, self.compute_rbp()]


@pytest.fixture(scope="module")
def exact_values():
    labels = np.random.default_rng(11).choice(4, N, p=[0.7, 0.15, 0.1, 0.05])
    logs = compute_logarithms()
    weights = [logs[2] * ONE // logs[rank + 1] for rank in range(1, N + 1)]
    return ExactValues(labels.tolist(), weights)


def test_a_million_terms_are_off_by_what_their_roundings_add_up_to(
    exact_values, record_testsuite_property
):
    column = np.arange(N)
    qrels = gainful.Columns(
        query=column * 0, item=column, label=np.array(exact_values.labels, float)
    )
    run = gainful.Columns(query=column * 0, item=column, score=-column.astype(float))
    scores = gainful.evaluate(qrels, run, MEASURES)
    with mp.workprec(BITS):
        for measure, expected in zip(MEASURES, exact_values.compute_all(), strict=True):
            off = compute_ulp_error(scores[measure], expected)
            record_testsuite_property(f"ulps off of a million items, {measure}", off)
            assert off <= MAX_ULPS, measure
            assert abs(scores[measure] - expected) <= (2 * N + 4) * 2.0**-53 * expected
    assert gainful.ndcg(exact_values.labels) == scores["nDCG"]
    count_compared("mpmath, a million items", len(MEASURES))
