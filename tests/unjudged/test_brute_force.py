"""Every label for every unjudged item, tried one after the other with evaluate() itself."""

import math
import random
from itertools import product

import numpy as np
import pytest

import gainful
from gainful import Rules

MEASURES = (
    "nDCG@1",
    "nDCG@3",
    "nDCG@5",
    "nDCG",
    "nDCG(gain=exp2)@4",
    "nDCG(discount=jk(2))@4",
    "nDCG(discount=reciprocal)",
    "nDCG(discount=none)@3",
    "nDCG(ideal_depth=all)@2",
    "nDCG(gain=binary, rel=2)@4",
    "nDCG(gain={-1: -2, 0: 0, 1: 3, 2: 1, 3: 7})@4",
    "nDCG(gain={0: 1, 1: 2, 2: 2, 3: 5})@3",
    "nDCG(gain=signed_exp2)@4",
    "nDCG(negatives=formula)",
    "MSnDCG@3",
    "nCG@3",
    "DCG@3",
    "CG",
)


def a_query(random, most_unjudged):
    """Labels of one query, and two rankings with shared and own unjudged items."""
    judged = [f"j{i}" for i in range(random.randint(1, 4))]
    labels = {item: random.choice([-1, 0, 0, 1, 2, 3]) for item in judged}
    unjudged = [f"u{i}" for i in range(random.randint(0, most_unjudged))]
    rankings = []
    for _ in range(2):
        items = [item for item in judged + unjudged if random.random() < 0.75]
        scores = [random.choice([1.0, 2.0, 3.0, 4.0]) for _ in items]
        rankings.append(dict(zip(items, scores, strict=True)))
    return labels, unjudged, rankings


def values(labels, rankings, measure, rules):
    runs = [{"q": ranking, "other": {"x": 1.0}} for ranking in rankings]
    qrels = {"q": labels, "other": {"x": 1}}
    return [gainful.evaluate(qrels, run, measure, rules=rules).values[0, 0] for run in runs]


def looked_at(unjudged, ranking, measure, ties):
    """The unjudged items within the first ranks, ties that begin there included if averaged."""
    cutoff = gainful.parse(measure).all_settings["cutoff"] or math.inf
    ranked = sorted(ranking, key=lambda item: (ranking[item], item), reverse=True)
    if ties == "average":
        above = [sum(ranking[other] > ranking[item] for other in ranking) for item in ranked]
        return {i for i, n in zip(ranked, above, strict=True) if n < cutoff} & {*unjudged}
    return {item for n, item in enumerate(ranked) if n < cutoff} & {*unjudged}


def tried(labels, items, rankings, measure, rules, grades):
    """The values of both rankings for all labels of the items."""
    every = product(grades, repeat=len(items))
    each = (labels | dict(zip(items, chosen, strict=True)) for chosen in every)
    return np.array([values(one, rankings, measure, rules) for one in each])


def same(found, expected):
    return np.allclose(found, expected, rtol=0, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("ties", ["item-desc", "average"])
def test_no_labels_lead_beyond_the_ends_and_some_lead_to_them(measure, ties):
    rng = random.Random(f"{measure} {ties}")
    for _ in range(60):
        grades = rng.choice([(0, 1, 2), (0, 3), (-1, 0, 2), (1, 2), (0, 1, 2, 3)])
        labels, unjudged, rankings = a_query(rng, 3 if len(grades) > 3 else 4)
        if "error" in measure or (-1 in labels.values() and "negatives=error" in measure):
            continue
        rules = Rules(ties=ties, empty=rng.choice(["zero", "one"]))
        runs = {name: {"q": r, "other": {"x": 1.0}} for name, r in zip("ab", rankings, strict=True)}
        qrels = {"q": labels, "other": {"x": 1}}
        found = gainful.bounds(qrels, runs, measure, grades=grades, rules=rules)
        assert found.values[:, 0].tolist() == values(labels, rankings, measure, rules)
        own = [sorted(looked_at(unjudged, ranking, measure, ties)) for ranking in rankings]
        for number, items in enumerate(own):
            all_values = tried(labels, items, rankings, measure, rules, grades)[:, number]
            assert same(found.low[number, 0], all_values.min())
            assert same(found.high[number, 0], all_values.max())
        both = sorted({*own[0], *own[1]})
        all_values = tried(labels, both, rankings, measure, rules, grades)
        difference = all_values[:, 1] - all_values[:, 0]
        assert same(found.differences("b", "a")[0], [difference.min(), difference.max()])
