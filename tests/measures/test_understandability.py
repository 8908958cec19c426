"""uRBP, alpha_uRBP and uBpref, worked out by hand."""

from itertools import permutations
from math import exp

import pytest

from gainful import MeasureError, Rules, evaluate

# b is relevant, but not understandable; d and e lack one judgment; n and m are not relevant.
QRELS = {
    "q": {
        "relevance": {"a": 2, "b": 1, "c": 1, "d": 1, "n": 0, "m": 0, "l": -1},
        "understandability": {"a": 3, "b": 0, "c": 1, "e": 3, "n": 2, "l": 3},
    }
}
RUN = {"q": ["a", "n", "b", "e", "m", "c", "d", "l", "x"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_urbp_counts_what_is_relevant_and_understandable():
    # a at 1 and c at 6 are both.
    assert compute_value("uRBP") == approximate(0.2 * (1 + 0.8**5))
    assert compute_value("uRBP(p=0.5)") == approximate(0.5 * (1 + 0.5**5))
    assert compute_value("uRBP@5") == approximate(0.2)
    assert compute_value("uRBP@100") == compute_value("uRBP")
    assert compute_value("uRBP(understandable=2)") == approximate(0.2)
    assert compute_value("uRBP(rel=2)") == approximate(0.2)


def test_urbp_of_grades():
    assert compute_value("uRBP(max_understandable=3)") == approximate(0.2 * (1 + 0.8**5 / 3))
    assert compute_value("uRBP(max_rel=2)") == approximate(0.2 * (1 + 0.8**5 / 2))
    assert compute_value("uRBP(max_rel=4, max_understandable=6)") == approximate(
        0.2 * (1 / 2 * 1 / 2 + 0.8**5 * 1 / 4 * 1 / 6)
    )


def test_alpha_urbp_counts_by_the_distance_from_the_goal():
    # Labels 3, 0 and 1, at ranks 1, 3 and 6, for a goal of 1.
    bell = exp(-(2**2) / 2) + 0.8**2 * exp(-(1**2) / 2) + 0.8**5
    assert compute_value("alpha_uRBP(goal=1, spread=1)") == approximate(0.2 * bell)
    assert compute_value("alpha_uRBP(goal=1, spread=1)@1") == approximate(0.2 * exp(-2))
    wide_bell = 1 + 0.8**2 * exp(-9 / 8) + 0.8**5 * exp(-4 / 8)
    assert compute_value("alpha_uRBP(goal=3, spread=2)") == approximate(0.2 * wide_bell)
    assert compute_value("alpha_uRBP(goal=3, spread=2, rel=2)") == approximate(0.2)
    with pytest.raises(MeasureError, match=r"^alpha_uRBP needs a goal, for example"):
        compute_value("alpha_uRBP")


def test_ubpref_counts_the_preferences_of_what_is_understandable():
    # R = 4 and N = 2: n is above b, n and m are above c and d.
    assert compute_value("Bpref", qrels={"q": QRELS["q"]["relevance"]}) == approximate(
        (1 + 1 / 2) / 4
    )
    assert compute_value("uBpref") == approximate(1 / 4)
    assert compute_value("uBpref(max_understandable=6)") == approximate(1 / 2 / 4)
    run = {"q": ["c", "n", "a", "b"]}
    assert compute_value("uBpref", run) == approximate((1 + 1 / 2) / 4)
    assert compute_value("uBpref(max_understandable=3)", run) == approximate((1 / 3 + 1 / 2) / 4)


def test_ubpref_without_items_judged_not_relevant_loses_nothing_to_them():
    qrels = {"q": {"relevance": {"a": 1, "b": 1}, "understandability": {"a": 1, "b": 0}}}
    assert compute_value("uBpref", {"q": ["x", "a", "b"]}, qrels) == 1 / 2


MEASURES = ("uRBP", "alpha_uRBP(goal=2, spread=1)", "uBpref")


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_found_scores_zero_and_nothing_relevant_follows_the_rules(measure):
    qrels = QRELS | {"p": {"relevance": {"a": 1}, "understandability": {"a": 2}}}
    scores = evaluate(qrels, {"p": ["a"]}, measure, rules=Rules(empty="nan"))
    assert scores.per_query()["q"][measure] == 0
    irrelevant = {"q": {"relevance": {"a": 0, "b": -1}, "understandability": {"a": 2, "b": 2}}}
    expected = 1 if measure == "uBpref" else 0
    assert compute_value(measure, {"q": ["a", "b"]}, irrelevant, empty="one") in (0, expected)


def test_other_groups_do_not_matter():
    qrels = {"q": {"trust": {"a": 0, "x": 3}} | QRELS["q"]}
    for measure in MEASURES:
        assert compute_value(measure, qrels=qrels) == compute_value(measure)


@pytest.mark.parametrize("measure", MEASURES)
def test_judgments_in_other_groups_are_refused(measure):
    qrels = QRELS | {"p": {"1": {"a": 1}, "relevance": {"a": 1}}}
    with pytest.raises(MeasureError) as error:
        compute_value(measure, qrels=qrels)
    assert str(error.value) == (
        f"{measure.partition('(')[0]}: the judgments of every query must come in the groups "
        "relevance and understandability, got 1, relevance for query 'p'. "
        "Name them in the second column of the qrels."
    )


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ("uRBP(max_rel=1)", "uRBP: relevance labels must be at most max_rel, 1, got 2"),
        ("alpha_uRBP(goal=1, spread=1, max_rel=1)", "alpha_uRBP: relevance labels must be at most"),
        (
            "uBpref(max_understandable=2)",
            "uBpref: understandability labels must be at most max_understandable, 2, got 3",
        ),
    ],
)
def test_labels_above_the_scale_are_refused(measure, sentence):
    with pytest.raises(MeasureError, match=f"^{sentence}"):
        compute_value(measure)


@pytest.mark.parametrize("depth", [None, 4])
@pytest.mark.parametrize(
    "measure", ["uRBP(max_understandable=3)", "uRBP@3", "alpha_uRBP(goal=2, spread=1)@4"]
)
def test_the_average_over_ties_is_that_over_all_orders(measure, depth):
    block, rules = ["n", "a", "x", "c"], {} if depth is None else {"depth": depth}
    run = {"q": {"b": 2.0} | dict.fromkeys(block, 1.0) | {"d": 0.5}}
    orders = [
        compute_value(measure, {"q": ["b", *order, "d"]}, **rules) for order in permutations(block)
    ]
    result = compute_value(measure, run, ties="average", **rules)
    assert result == approximate(sum(orders) / len(orders))


def test_a_measure_of_both_reads_the_same_from_a_file(tmp_path):
    lines = [
        f"{query} {group} {item} {label}\n"
        for query, groups in QRELS.items()
        for group, labels in groups.items()
        for item, label in labels.items()
    ]
    path = tmp_path / "qrels"
    path.write_text("".join(lines), encoding="utf-8")
    assert compute_value("uRBP", qrels=str(path)) == compute_value("uRBP")
