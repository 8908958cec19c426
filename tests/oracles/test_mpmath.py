"""Every gain x discount against its formula in fifty digits.

Where the distance from the exact value comes from, in roundings of at most 2^-53 each:

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
from oracles.ulps import ulps_off

ROUNDING = mpf(2) ** -53
TABLE = {-2: 0.3, -1: -2, 0: 0, 1: 1, 2: 3.5, 3: 0.1}
MEASURES = ("CG", "nCG", "DCG", "IDCG", "nDCG")


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mp.workdps(50):
        yield


@dataclass(frozen=True)
class Gain:
    """A gain, the labels to try it on, its formula, and how many roundings it takes."""

    setting: str | dict[int, float]
    label: Callable[[random.Random], float]
    exact: Callable[[float], mpf]
    roundings: int = 0


def _whole(rng: random.Random) -> int:
    return rng.choice([-2, -1, 0, 0, 1, 2, 3])


def _grade(rng: random.Random) -> int:
    return rng.choice([0, 0, 1, 2, 5, 30])


def _fraction(rng: random.Random) -> float:
    return rng.choice([rng.uniform(-1, 1), rng.uniform(0, 4), rng.randrange(400) / 100])


def _exp2(label: float) -> mpf:
    return mp.expm1(abs(label) * mp.log(2))


GAINS = {
    "linear, whole": Gain("linear", _whole, lambda label: mpf(max(label, 0))),
    "linear, fractions": Gain("linear", _fraction, lambda label: mpf(max(label, 0))),
    "exp2, whole": Gain("exp2", _grade, lambda label: mpf(2) ** label - 1),
    "exp2, fractions": Gain("exp2", _fraction, lambda label: _exp2(max(label, 0)), 4),
    "binary": Gain("binary", _fraction, lambda label: mpf(label >= 1)),
    "signed_exp2, whole": Gain("signed_exp2", _whole, lambda x: mp.sign(x) * _exp2(x)),
    "signed_exp2, fractions": Gain("signed_exp2", _fraction, lambda x: mp.sign(x) * _exp2(x), 4),
    "table": Gain(TABLE, _whole, lambda label: mpf(TABLE[label])),
}
# The exact divisor of a rank, and how many roundings it takes.
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
    """An exact sum, that of its terms' absolute values, and how many terms are not zero."""

    value: mpf
    size: mpf
    n_terms: int


def exact_total(gains: list[mpf], scores: list[float], weights: list[mpf], *, average: bool) -> Sum:
    """The sum of gain times weight, best score first; averaged ties share their weights."""
    terms = []
    for gain, score, weight in zip(gains, scores, weights, strict=True):
        block = [w for w, s in zip(weights, scores, strict=True) if s == score]
        terms.append(gain * (mp.fsum(block) / len(block) if average else weight))
    return Sum(mp.fsum(terms), mp.fsum(map(abs, terms)), sum(term != 0 for term in terms))


def exact_best(gains: list[mpf], weights: list[mpf]) -> Sum:
    """The sum of gain times weight of the best possible ranking."""
    positive = sorted((gain for gain in gains if gain > 0), reverse=True)
    terms = [gain * weight for gain, weight in zip(positive, weights, strict=False) if weight]
    return Sum(mp.fsum(terms), mp.fsum(terms), len(terms))


def random_queries(gain: Gain, seed: str, count: int, longest: int):
    """Qrels and a run with ties, unjudged items and items that were not retrieved."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for query in map(str, range(count)):
        ids = [f"d{i}" for i in range(rng.randint(1, longest))]
        qrels[query] = {i: gain.label(rng) for i in rng.sample(ids, rng.randint(1, len(ids)))}
        levels = rng.choice([1, 3, 1000])
        run[query] = {
            i: rng.randrange(levels) / 8 for i in rng.sample(ids, rng.randint(1, len(ids)))
        }
    return qrels, run


@dataclass(frozen=True)
class Distance:
    """How far one value is from the exact one: in ulps, and as a share of what is allowed."""

    measure: str
    ulps: float
    of_allowed: float


def distances(gain: Gain, discount: str, seed: str, count: int, longest: int) -> list[Distance]:
    """The distances of all measures, with and without cutoff, ties in order and averaged."""
    qrels, run = random_queries(gain, seed, count, longest)
    divisor, _ = DISCOUNTS[discount]
    weights = [1 / divisor(rank) for rank in range(1, longest + 1)]
    known = {label: gain.exact(label) for of in qrels.values() for label in of.values()}
    out = []
    for average in (False, True):
        rules = gainful.Rules(ties="average" if average else "item-desc")
        for cutoff in (None, 1, 5):
            scores = gainful.evaluate(qrels, run, _measures(gain, discount, cutoff), rules=rules)
            for query, values in zip(scores.queries, scores.values.tolist(), strict=True):
                items = sorted(run[query], key=lambda i: (run[query][i], i), reverse=True)
                gains = [known[qrels[query][i]] if i in qrels[query] else mpf(0) for i in items]
                ranked = gains, [run[query][i] for i in items]
                pool = [known[label] for label in qrels[query].values()]
                counted = [
                    w if cutoff is None or i < cutoff else mpf(0) for i, w in enumerate(weights)
                ]
                plain = [mpf(w != 0) for w in counted]
                cg = exact_total(*ranked, plain[: len(items)], average=average)
                dcg = exact_total(*ranked, counted[: len(items)], average=average)
                icg, idcg = exact_best(pool, plain), exact_best(pool, counted)
                terms = gain.roundings + (4 if average else 1)
                deep = DISCOUNTS[discount][1] + terms
                expected = [
                    _of_sum(cg, terms),
                    _of_share(cg, icg, terms),
                    _of_sum(dcg, deep),
                    _of_sum(idcg, deep),
                    _of_share(dcg, idcg, deep),
                ]
                for name, value, (exact, size, roundings) in zip(
                    MEASURES, values, expected, strict=True
                ):
                    off = ulps_off(value, exact, size)
                    allowed = (roundings * ROUNDING * size) or ROUNDING
                    out.append(Distance(name, off, float(abs(value - exact) / allowed)))
    return out


def _measures(gain: Gain, discount: str, cutoff: int | None):
    cut = {} if cutoff is None else {"cutoff": cutoff}
    plain = [m(gain=gain.setting, **cut) for m in (gainful.CG, gainful.nCG)]
    discounted = (gainful.DCG, gainful.IDCG, gainful.nDCG)
    return plain + [m(gain=gain.setting, discount=discount, **cut) for m in discounted]


def _of_sum(total: Sum, per_term: int) -> tuple[mpf, mpf, int]:
    return total.value, total.size, total.n_terms - 1 + per_term


def _of_share(total: Sum, best: Sum, per_term: int) -> tuple[mpf, mpf, int]:
    if not best.value:
        return mpf(0), mpf(0), 0
    roundings = total.n_terms + best.n_terms - 1 + 2 * per_term
    return total.value / best.value, total.size / best.value, roundings


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("gain", GAINS)
def test_lists_of_up_to_12_items_are_as_exact_as_their_additions(
    gain, discount, record_testsuite_property
):
    found = distances(GAINS[gain], discount, f"{gain} {discount}", count=30, longest=12)
    assert len(found) == 30 * 2 * 3 * len(MEASURES)
    record_testsuite_property(f"most ulps off, {gain} {discount}", max(one.ulps for one in found))
    assert max(one.of_allowed for one in found) <= 1
    assert max(one.ulps for one in found) <= 5


def test_nearly_all_values_of_lists_of_up_to_12_items_are_within_2_ulp(record_testsuite_property):
    found = []
    for name, gain in GAINS.items():
        found += distances(gain, "log2", name, count=60, longest=12)
    for measure in MEASURES:
        off = [one.ulps for one in found if one.measure == measure]
        within = sum(one <= 2 for one in off) / len(off)
        record_testsuite_property(f"{measure} within 2 ulp", within)
        assert within >= 0.98


@pytest.mark.parametrize("discount", ["log2", "jk(2)", "log(3)"])
@pytest.mark.parametrize("gain", ["linear, whole", "exp2, fractions"])
def test_lists_of_hundreds_are_as_exact_as_their_additions(gain, discount):
    found = distances(GAINS[gain], discount, f"{gain} {discount}", count=3, longest=300)
    assert max(one.of_allowed for one in found) <= 1


def most_ulps(gain: Gain, discount: str) -> int:
    """How far a term may be off: its own quotient, and what its gain and discount bring."""
    return 3 if gain.roundings or DISCOUNTS[discount][1] > 2 else 2


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("gain", GAINS)
def test_a_single_term_is_within_2_ulp_on_every_rank_to_300(gain, discount):
    of, (divisor, _) = GAINS[gain], DISCOUNTS[discount]
    rng, ranks = random.Random(f"{gain} {discount}"), range(1, 301)
    qrels = {str(rank): {"it": of.label(rng)} for rank in ranks}
    run = {str(rank): [*range(1, rank), "it"] for rank in ranks}
    dcg = gainful.DCG(gain=of.setting, discount=discount)
    values = gainful.evaluate(qrels, run, dcg).values[:, 0].tolist()
    for rank, value in zip(ranks, values, strict=True):
        exact = of.exact(qrels[str(rank)]["it"]) / divisor(rank)
        assert ulps_off(value, exact) <= most_ulps(of, discount)


@pytest.mark.parametrize("average", [False, True], ids=["ties in order", "ties averaged"])
@pytest.mark.parametrize("gain", GAINS)
def test_terms_that_are_added_exactly_are_within_2_ulp(gain, average):
    of, rules = GAINS[gain], gainful.Rules(ties="average" if average else "item-desc")
    for discount, (divisor, _) in DISCOUNTS.items():
        qrels, run = random_queries(of, f"terms of {gain} {discount}", count=8, longest=12)
        dcg = gainful.DCG(gain=of.setting, discount=discount)
        for query in qrels:
            why = gainful.explain(qrels, run, query, dcg, rules=rules)
            items = sorted(run[query], key=lambda i: (run[query][i], i), reverse=True)
            gains = [of.exact(qrels[query][i]) if i in qrels[query] else mpf(0) for i in items]
            weights = [1 / divisor(rank) for rank in range(1, len(items) + 1)]
            exact = exact_total(gains, [run[query][i] for i in items], weights, average=average)
            added = math.fsum(position.product for position in why.positions)
            assert ulps_off(added, exact.value, exact.size) <= most_ulps(of, discount)
