"""ERR and nERR, worked out by hand."""

import random
from itertools import chain, groupby, permutations, product
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import few_scores, rankings, signed_labels
from example_counts import max_examples
from gainful import MeasureError, Rules, evaluate

# Chances to satisfy at max_label 4: 15/16 for a, 3/16 for b, 1/16 for c, none for d and e.
QRELS = {"q": {"a": 4, "b": 2, "c": 1, "d": 0, "e": -1}}
RUN = {"q": ["b", "x", "e", "a", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def test_err_adds_chance_over_rank_of_those_who_get_there():
    assert compute_value("ERR") == 3 / 16 + 13 / 16 * 15 / 16 / 4 + 13 / 16 * 1 / 16 * 1 / 16 / 5
    assert compute_value("ERR@4") == 3 / 16 + 13 / 16 * 15 / 16 / 4
    assert compute_value("ERR@3") == compute_value("ERR@1") == 3 / 16
    assert compute_value("ERR@1000") == compute_value("ERR")


def test_nerr_divides_by_the_best_ranking():
    best = 15 / 16 + 1 / 16 * 3 / 16 / 2 + 1 / 16 * 13 / 16 * 1 / 16 / 3
    assert compute_value("nERR") == pytest.approx(compute_value("ERR") / best, rel=1e-15)
    assert compute_value("nERR@1") == pytest.approx((3 / 16) / (15 / 16), rel=1e-15)
    assert compute_value("nERR", run={"q": ["a", "b", "c"]}) == 1


def test_the_highest_label_is_a_setting():
    qrels = {"q": {"a": 1}}
    assert compute_value("ERR", run={"q": ["a"]}, qrels=qrels) == 1 / 16
    assert compute_value("ERR(max_label=1)", run={"q": ["a"]}, qrels=qrels) == 1 / 2


@pytest.mark.parametrize("measure", ["ERR", "nERR"])
def test_a_label_above_the_scale_is_an_error(measure):
    with pytest.raises(MeasureError) as error:
        compute_value(f"{measure}(max_label=3)")
    assert str(error.value) == (
        f"{measure}: labels must be at most max_label, 3, got 4. "
        "Set max_label to the highest label there may be."
    )


def test_other_gains_give_other_chances():
    # Linear: 2/5 for b, 4/5 for a. Binary: 1/2 for every relevant item.
    assert compute_value("ERR(gain=linear)@4") == pytest.approx(
        2 / 5 + 3 / 5 * 4 / 5 / 4, rel=1e-15
    )
    assert compute_value("ERR(gain=binary, rel=2)") == 1 / 2 + 1 / 2 * 1 / 2 / 4


def test_a_gain_that_is_no_chance_is_an_error():
    with pytest.raises(MeasureError) as error:
        compute_value("ERR(gain={1: 1, 2: 9, 4: 5})")
    assert str(error.value) == "ERR: gains must be from 0 to that of max_label, 5, got 9."


def test_a_query_without_results_scores_0_and_one_with_nothing_relevant_is_undefined_for_nerr():
    assert (
        compute_value("ERR", run={"q": []})
        == compute_value("nERR", run={"q": []}, empty="one")
        == 0
    )
    irrelevant = {"q": {"a": 0}}
    assert compute_value("ERR", qrels=irrelevant, empty="one") == 0
    assert compute_value("nERR", qrels=irrelevant, empty="one") == 1


def compute_err(labels, cutoff=None):
    reach, total = 1.0, 0.0
    for rank, label in enumerate(labels[:cutoff], start=1):
        chance = (2 ** max(label, 0) - 1) / 16
        total += chance * reach / rank
        reach *= 1 - chance
    return total


def test_equals_the_loop_of_gdeval_to_the_last_bit():
    rng = random.Random(1)
    for _ in range(200):
        labels = [rng.choice([0, 0, 1, 2, 3, 4, -2]) for _ in range(rng.randint(1, 300))]
        qrels = {"q": {f"d{i}": label for i, label in enumerate(labels)}}
        run = {"q": list(qrels["q"])}
        for cutoff in (None, 20):
            measure = "ERR" if cutoff is None else f"ERR@{cutoff}"
            assert compute_value(measure, run, qrels) == compute_err(labels, cutoff)


@given(
    rankings(labels=signed_labels, scores=few_scores, max_items=7),
    st.none() | st.integers(1, 8),
    st.none() | st.integers(1, 8),
    st.sets(st.integers(0, 6)),
)
@max_examples(150)
def test_the_average_over_ties_is_the_mean_over_all_orders(ranking, cutoff, depth, unjudged):
    labels, scores = ranking
    judged = {f"d{i}": label for i, label in enumerate(labels) if i not in unjudged}
    qrels = {"q": judged | {"never returned": 1}}
    run = {"q": {f"d{i}": score for i, score in enumerate(scores)}}
    labels = [judged.get(f"d{i}", 0) for i in range(len(labels))]
    ranked = sorted(zip(scores, labels, strict=True), reverse=True)
    blocks = [[label for _, label in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    orders = list(product(*(permutations(block) for block in blocks)))
    values = [compute_err([*chain(*o)][:depth], cutoff) for o in orders]
    measure = "ERR" if cutoff is None else f"ERR@{cutoff}"
    result = compute_value(measure, run, qrels, ties="average", depth=depth)
    assert result == pytest.approx(fsum(values) / len(values), rel=1e-12, abs=1e-15)


def test_large_ties_are_averaged_without_loss():
    # One item of chance 15/16 among 2000 tied ones: it stands on each rank equally often.
    qrels, run = {"q": {"d7": 4}}, {"q": {f"d{i}": 0.0 for i in range(2000)}}
    expected = 15 / 16 * fsum(1 / rank for rank in range(1, 2001)) / 2000
    assert compute_value("ERR", run, qrels, ties="average") == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.data())
@max_examples(100)
def test_moving_a_better_item_up_never_lowers_it(labels, data):
    upper = data.draw(st.integers(0, len(labels) - 2))
    lower = data.draw(st.integers(upper + 1, len(labels) - 1))
    worse, better = sorted((labels[upper], labels[lower]))
    values = []
    for labels[upper], labels[lower] in [(worse, better), (better, worse)]:
        qrels = {"q": {f"d{i}": label for i, label in enumerate(labels)}}
        values.append(compute_value("ERR", {"q": list(qrels["q"])}, qrels))
    assert values[1] >= values[0] - 1e-15
