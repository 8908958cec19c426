"""Comparison of every gain and discount with its formula in fifty digits.

Sources of the distance from the exact value, in roundings of at most 2^-53 each:

- a gain: none, or 4 for exp2 of a fraction (expm1, or exp2 with a subtraction);
- a discount: 1 for a logarithm that the C library has, 3 for log(b) and jk(b) of another base (two
  logarithms and their quotient), none for the rank itself;
- a term: 1, their quotient; 4 where ties are averaged (a reciprocal, a sum, a mean, a product);
- a sum of n terms: n - 1, since they are added one by one, in rank order, as trec_eval does;
- a share: those of both sums, and 1.

So one term is within 2 units in the last place (ulp), and within 3 where fractions are
exponentiated or a logarithm has an unusual base; so is a sum if its terms are added exactly. Sums
as they are may be further off, and shares more so: it is the order of addition, which equality
with trec_eval fixes, that costs the last digits.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from mpmath import mp, mpf

import gainful
from oracles.ulps import compute_ulp_error

ROUNDING = mpf(2) ** -53
TABLE = {-2: 0.3, -1: -2, 0: 0, 1: 1, 2: 3.5, 3: 0.1}
MEASURES = ("CG", "nCG", "DCG", "IDCG", "nDCG")


@pytest.fixture(autouse=True)
def _use_fifty_digits():
    with mp.workdps(50):
        yield


@dataclass(frozen=True)
class Gain:
    """A gain, a generator of labels, its formula, and the number of roundings it takes."""

    setting: str | dict[int, float]
    label: Callable[[random.Random], float]
    exact: Callable[[float], mpf]
    roundings: int = 0


def _draw_whole_label(rng: random.Random) -> int:
    return rng.choice([-2, -1, 0, 0, 1, 2, 3])


def _draw_grade(rng: random.Random) -> int:
    return rng.choice([0, 0, 1, 2, 5, 30])


def _draw_fraction(rng: random.Random) -> float:
    return rng.choice([rng.uniform(-1, 1), rng.uniform(0, 4), rng.randrange(400) / 100])


def _compute_exp2_gain(label: float) -> mpf:
    return mp.expm1(abs(label) * mp.log(2))


GAINS = {
    "linear, whole": Gain("linear", _draw_whole_label, lambda label: mpf(max(label, 0))),
    "linear, fractions": Gain("linear", _draw_fraction, lambda label: mpf(max(label, 0))),
    "exp2, whole": Gain("exp2", _draw_grade, lambda label: mpf(2) ** label - 1),
    "exp2, fractions": Gain(
        "exp2", _draw_fraction, lambda label: _compute_exp2_gain(max(label, 0)), 4
    ),
    "binary": Gain("binary", _draw_fraction, lambda label: mpf(label >= 1)),
    "signed_exp2, whole": Gain(
        "signed_exp2", _draw_whole_label, lambda x: mp.sign(x) * _compute_exp2_gain(x)
    ),
    "signed_exp2, fractions": Gain(
        "signed_exp2", _draw_fraction, lambda x: mp.sign(x) * _compute_exp2_gain(x), 4
    ),
    "table": Gain(TABLE, _draw_whole_label, lambda label: mpf(TABLE[label])),
}
# The exact divisor of a rank, and the number of roundings it takes.
DISCOUNTS: dict[str, tuple[Callable[[int], mpf], int]] = {
    "log2": (lambda rank: mp.log(rank + 1) / mp.log(2), 1),
    "ln": (lambda rank: mp.log(rank + 1), 1),
    "log(3)": (lambda rank: mp.log(rank + 1) / mp.log(3), 3),
    "log(10)": (lambda rank: mp.log(rank + 1) / mp.log(10), 2),
    "jk(2)": (lambda rank: mp.log(rank) / mp.log(2) if rank >= 2 else mpf(1), 1),
    "jk(2.5)": (lambda rank: mp.log(rank) / mp.log(2.5) if rank >= 2.5 else mpf(1), 3),
    "jk(10)": (lambda rank: mp.log(rank) / mp.log(10) if rank >= 10 else mpf(1), 2),
    "reciprocal": (lambda rank: mpf(rank), 0),
    "none": (lambda rank: mpf(1), 0),
}


@dataclass(frozen=True)
class Sum:
    """An exact sum, the sum of its terms' absolute values, and the number of nonzero terms."""

    value: mpf
    size: mpf
    n_terms: int


def compute_exact_total(
    gains: list[mpf], scores: list[float], weights: list[mpf], *, average: bool
) -> Sum:
    """Return the sum of gain times weight, best score first; averaged ties share weights."""
    terms = []
    for gain, score, weight in zip(gains, scores, weights, strict=True):
        block = [w for w, s in zip(weights, scores, strict=True) if s == score]
        terms.append(gain * (mp.fsum(block) / len(block) if average else weight))
    return Sum(mp.fsum(terms), mp.fsum(map(abs, terms)), sum(term != 0 for term in terms))


def compute_exact_best(gains: list[mpf], weights: list[mpf]) -> Sum:
    """Return the sum of gain times weight of the best possible ranking."""
    positive = sorted((gain for gain in gains if gain > 0), reverse=True)
    terms = [gain * weight for gain, weight in zip(positive, weights, strict=False) if weight]
    return Sum(mp.fsum(terms), mp.fsum(terms), len(terms))


def draw_queries(gain: Gain, seed: str, count: int, max_length: int):
    """Return qrels and a run with ties, unjudged items and items that were not retrieved."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for query in map(str, range(count)):
        ids = [f"d{i}" for i in range(rng.randint(1, max_length))]
        qrels[query] = {i: gain.label(rng) for i in rng.sample(ids, rng.randint(1, len(ids)))}
        levels = rng.choice([1, 3, 1000])
        run[query] = {
            i: rng.randrange(levels) / 8 for i in rng.sample(ids, rng.randint(1, len(ids)))
        }
    return qrels, run


@dataclass(frozen=True)
class Distance:
    """Distance of a value from the exact one, in ulps and as a share of the allowed distance."""

    measure: str
    ulps: float
    share_of_limit: float


def measure_distances(
    gain: Gain, discount: str, seed: str, count: int, max_length: int
) -> list[Distance]:
    """Return the distances of all measures, with and without cutoff and averaged ties."""
    qrels, run = draw_queries(gain, seed, count, max_length)
    divisor, _ = DISCOUNTS[discount]
    weights = [1 / divisor(rank) for rank in range(1, max_length + 1)]
    exact_gains = {
        label: gain.exact(label) for labels in qrels.values() for label in labels.values()
    }
    distances = []
    for average in (False, True):
        rules = gainful.Rules(ties="average" if average else "item-desc")
        for cutoff in (None, 1, 5):
            scores = gainful.evaluate(
                qrels, run, _list_measures(gain, discount, cutoff), rules=rules
            )
            for query, values in zip(scores.queries, scores.values.tolist(), strict=True):
                items = sorted(run[query], key=lambda i: (run[query][i], i), reverse=True)
                gains = [
                    exact_gains[qrels[query][i]] if i in qrels[query] else mpf(0) for i in items
                ]
                ranked = gains, [run[query][i] for i in items]
                pool = [exact_gains[label] for label in qrels[query].values()]
                counted_weights = [
                    w if cutoff is None or i < cutoff else mpf(0) for i, w in enumerate(weights)
                ]
                unit_weights = [mpf(w != 0) for w in counted_weights]
                cg = compute_exact_total(*ranked, unit_weights[: len(items)], average=average)
                dcg = compute_exact_total(*ranked, counted_weights[: len(items)], average=average)
                icg = compute_exact_best(pool, unit_weights)
                idcg = compute_exact_best(pool, counted_weights)
                term_roundings = gain.roundings + (4 if average else 1)
                discounted_roundings = DISCOUNTS[discount][1] + term_roundings
                expected = [
                    _describe_sum(cg, term_roundings),
                    _describe_share(cg, icg, term_roundings),
                    _describe_sum(dcg, discounted_roundings),
                    _describe_sum(idcg, discounted_roundings),
                    _describe_share(dcg, idcg, discounted_roundings),
                ]
                for name, value, (exact, size, roundings) in zip(
                    MEASURES, values, expected, strict=True
                ):
                    ulps = compute_ulp_error(value, exact, size)
                    allowed = (roundings * ROUNDING * size) or ROUNDING
                    distances.append(Distance(name, ulps, float(abs(value - exact) / allowed)))
    return distances


def _list_measures(gain: Gain, discount: str, cutoff: int | None):
    cut = {} if cutoff is None else {"cutoff": cutoff}
    plain = [m(gain=gain.setting, **cut) for m in (gainful.CG, gainful.nCG)]
    discounted = (gainful.DCG, gainful.IDCG, gainful.nDCG)
    return plain + [m(gain=gain.setting, discount=discount, **cut) for m in discounted]


def _describe_sum(total: Sum, per_term: int) -> tuple[mpf, mpf, int]:
    return total.value, total.size, total.n_terms - 1 + per_term


def _describe_share(total: Sum, best: Sum, per_term: int) -> tuple[mpf, mpf, int]:
    if not best.value:
        return mpf(0), mpf(0), 0
    roundings = total.n_terms + best.n_terms - 1 + 2 * per_term
    return total.value / best.value, total.size / best.value, roundings


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("gain", GAINS)
def test_lists_of_up_to_12_items_are_as_exact_as_their_additions(
    gain, discount, record_testsuite_property
):
    distances = measure_distances(
        GAINS[gain], discount, f"{gain} {discount}", count=30, max_length=12
    )
    assert len(distances) == 30 * 2 * 3 * len(MEASURES)
    record_testsuite_property(
        f"most ulps off, {gain} {discount}", max(distance.ulps for distance in distances)
    )
    assert max(distance.share_of_limit for distance in distances) <= 1
    assert max(distance.ulps for distance in distances) <= 5


def test_nearly_all_values_of_lists_of_up_to_12_items_are_within_2_ulp(record_testsuite_property):
    distances = []
    for name, gain in GAINS.items():
        distances += measure_distances(gain, "log2", name, count=60, max_length=12)
    for measure in MEASURES:
        ulps = [distance.ulps for distance in distances if distance.measure == measure]
        share = sum(n <= 2 for n in ulps) / len(ulps)
        record_testsuite_property(f"{measure} within 2 ulp", share)
        assert share >= 0.98


@pytest.mark.parametrize("discount", ["log2", "jk(2)", "log(3)"])
@pytest.mark.parametrize("gain", ["linear, whole", "exp2, fractions"])
def test_lists_of_hundreds_are_as_exact_as_their_additions(gain, discount):
    distances = measure_distances(
        GAINS[gain], discount, f"{gain} {discount}", count=3, max_length=300
    )
    assert max(distance.share_of_limit for distance in distances) <= 1


def find_max_ulps(gain: Gain, discount: str) -> int:
    """Return the allowed error of a term: of its quotient, its gain and its discount."""
    return 3 if gain.roundings or DISCOUNTS[discount][1] > 2 else 2


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("gain", GAINS)
def test_a_single_term_is_within_2_ulp_on_every_rank_to_300(gain, discount):
    definition, (divisor, _) = GAINS[gain], DISCOUNTS[discount]
    rng, ranks = random.Random(f"{gain} {discount}"), range(1, 301)
    qrels = {str(rank): {"it": definition.label(rng)} for rank in ranks}
    run = {str(rank): [*range(1, rank), "it"] for rank in ranks}
    dcg = gainful.DCG(gain=definition.setting, discount=discount)
    values = gainful.evaluate(qrels, run, dcg).values[:, 0].tolist()
    for rank, value in zip(ranks, values, strict=True):
        exact = definition.exact(qrels[str(rank)]["it"]) / divisor(rank)
        assert compute_ulp_error(value, exact) <= find_max_ulps(definition, discount)


@pytest.mark.parametrize("average", [False, True], ids=["ties in order", "ties averaged"])
@pytest.mark.parametrize("gain", GAINS)
def test_terms_that_are_added_exactly_are_within_2_ulp(gain, average):
    definition, rules = GAINS[gain], gainful.Rules(ties="average" if average else "item-desc")
    for discount, (divisor, _) in DISCOUNTS.items():
        qrels, run = draw_queries(definition, f"terms of {gain} {discount}", count=8, max_length=12)
        dcg = gainful.DCG(gain=definition.setting, discount=discount)
        for query in qrels:
            explanation = gainful.explain(qrels, run, query, dcg, rules=rules)
            items = sorted(run[query], key=lambda i: (run[query][i], i), reverse=True)
            gains = [
                definition.exact(qrels[query][i]) if i in qrels[query] else mpf(0) for i in items
            ]
            weights = [1 / divisor(rank) for rank in range(1, len(items) + 1)]
            scores = [run[query][i] for i in items]
            exact = compute_exact_total(gains, scores, weights, average=average)
            total = math.fsum(position.product for position in explanation.positions)
            error = compute_ulp_error(total, exact.value, exact.size)
            assert error <= find_max_ulps(definition, discount)
