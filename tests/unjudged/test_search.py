"""The labels that lead to the bounds: every label is tried with evaluate() itself."""

import math
import random
from itertools import product

import numpy as np
import pytest

import gainful
from example_counts import sample_cases, sampled
from gainful import Rules
from gainful.evaluation.evaluate import evaluate_runs
from gainful.unjudged import compute_bounds

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
    "nDCG(negatives=keep)",
    "MSnDCG@3",
    "nCG@3",
    "DCG@3",
    "CG",
)


# Times 18 measures, 2 rules for ties and 5 sets of labels: 2,700 in make test-deep.
N_CASES = len(sample_cases(range(15)))
CLOSE = {"rel": 0, "abs": 1e-12}


def draw_query(random, most_unjudged):
    """Draw the labels of a query, and two rankings that share some of their unjudged items."""
    judged = [f"j{i}" for i in range(random.randint(1, 4))]
    labels = {item: random.choice([-1, 0, 0, 1, 2, 3]) for item in judged}
    unjudged = [f"u{i}" for i in range(random.randint(0, most_unjudged))]
    rankings = []
    for _ in range(2):
        items = [item for item in judged + unjudged if random.random() < 0.75]
        scores = [random.choice([1.0, 2.0, 3.0, 4.0]) for _ in items]
        rankings.append(dict(zip(items, scores, strict=True)))
    return labels, unjudged, rankings


def find_unjudged_above_cutoff(unjudged, ranking, measure, ties):
    """Return the unjudged items in the first ranks, with whole blocks if ties are averaged."""
    cutoff = gainful.parse_measure(measure).all_settings["cutoff"] or math.inf
    ranked = sorted(ranking, key=lambda item: (ranking[item], item), reverse=True)
    if ties == "average":
        above = [sum(ranking[rival] > ranking[item] for rival in ranking) for item in ranked]
        return {i for i, n in zip(ranked, above, strict=True) if n < cutoff} & {*unjudged}
    return {item for n, item in enumerate(ranked) if n < cutoff} & {*unjudged}


def compute_values_of_all_labels(labels, items, rankings, measure, rules, possible_labels):
    """Return the values of both rankings, as rows, for all labels of the items, as columns."""
    labelings = [
        dict(zip(items, combination, strict=True))
        for combination in product(possible_labels, repeat=len(items))
    ]
    qrels = {"whole": {"x": 1}} | {str(n): labels | chosen for n, chosen in enumerate(labelings)}
    runs = [{query: ranking for query in qrels} | {"whole": {"x": 1}} for ranking in rankings]
    scores = evaluate_runs(qrels, runs, measure, rules=rules)
    return np.array([combination.values[1:, 0] for combination in scores])


def compute_ends(values):
    return [values.min(), values.max()]


@sampled
@pytest.mark.parametrize("possible_labels", [(0, 1, 2), (0, 3), (-1, 0, 2), (1, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("ties", ["item-desc", "average"])
@pytest.mark.parametrize("measure", MEASURES)
def test_no_labels_lead_beyond_the_ends_and_some_lead_to_them(measure, ties, possible_labels):
    rng = random.Random(f"{measure} {ties} {possible_labels}")
    rules = Rules(ties=ties, empty=rng.choice(["zero", "one"]))
    cases = [draw_query(rng, 3 if len(possible_labels) > 3 else 4) for _ in range(N_CASES)]
    qrels = {str(n): labels for n, (labels, *_) in enumerate(cases)}
    runs = {name: {str(n): c[2][i] for n, c in enumerate(cases)} for i, name in enumerate("ab")}
    bounds = compute_bounds(qrels, runs, measure, possible_labels=possible_labels, rules=rules)
    differences = bounds.differences("b", "a")
    for n, (labels, unjudged, rankings) in enumerate(cases):
        settings = measure, rules, possible_labels
        items_by_run = [
            sorted(find_unjudged_above_cutoff(unjudged, ranking, measure, ties))
            for ranking in rankings
        ]
        for run, items in enumerate(items_by_run):
            values = compute_values_of_all_labels(labels, items, rankings[run : run + 1], *settings)
            assert {bounds.low[run, n], bounds.high[run, n]} <= {*values.ravel()}
            assert [bounds.low[run, n], bounds.high[run, n]] == pytest.approx(
                compute_ends(values), **CLOSE
            )
        pair_values = compute_values_of_all_labels(
            labels, sorted({*items_by_run[0], *items_by_run[1]}), rankings, *settings
        )
        assert {*differences[n]} <= {*(pair_values[1] - pair_values[0])}
        assert list(differences[n]) == pytest.approx(
            compute_ends(pair_values[1] - pair_values[0]), **CLOSE
        )
