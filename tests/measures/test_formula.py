"""The order of the best possible ranking, and values above 1, worked out by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import MeasureError, Rules, dcg, evaluate, idcg, ndcg

INPUT = Rules(ties="input", missing="skip")


def test_in_the_best_order_negative_gains_are_left_out():
    assert idcg([2, -1, 1], negatives="keep") == 2 + 1 / log2(3)


def test_ordered_by_gain_negative_gains_are_part_of_the_ideal():
    assert idcg([2, -1, 1], negatives="keep", ideal_order="gain") == 2 + 1 / log2(3) - 1 / log2(4)
    assert idcg([2, -1, 1], negatives="keep", ideal_order="gain", k=2) == 2 + 1 / log2(3)


def test_ordered_by_label_a_table_that_falls_may_lift_values_above_one():
    table = {1: 10, 2: 1}
    value = ndcg([1, 2], gain=table, ideal_order="label", above_one="keep")
    assert value == (10 + 1 / log2(3)) / (1 + 10 / log2(3))
    assert ndcg([1, 2], gain=table, ideal_order="label") == 1
    assert ndcg([1, 2], gain=table, ideal_order="gain", above_one="keep") == 1


def test_presence_gains_one_for_every_judged_item_whatever_its_label():
    qrels, run = {"q": {"a": 0, "b": -1, "c": 3}}, {"q": ["a", "x", "b"]}
    scores = evaluate(qrels, run, ["DCG(gain=presence)", "IDCG(gain=presence)"])
    assert scores["DCG(gain=presence)"] == 1 + 1 / log2(4)
    assert scores["IDCG(gain=presence)"] == 1 + 1 / log2(3) + 1 / log2(4)


def test_unjudged_items_stand_above_those_that_do_harm_in_the_ideal_of_a_list():
    qrels, run = {"q": {"a": 2, "b": -1}}, {"q": ["b", "x", "a", "y"]}
    measure = "IDCG(ideal=list, ideal_order=gain, negatives=keep)"
    # Best first: a, x, y, b.
    assert evaluate(qrels, run, measure, rules=INPUT)[measure] == 2 - 1 / log2(5)
    assert evaluate(qrels, run, measure + "@3", rules=INPUT)[measure + "@3"] == 2


def test_a_list_does_not_tell_the_order_of_the_qrels():
    with pytest.raises(MeasureError) as error:
        idcg([1, 2], ideal="list", ideal_order="given")
    assert str(error.value) == (
        "ideal_order=given: has the order of the qrels, got ideal=list. Pass ideal=judged."
    )


labels = st.integers(-2, 3)


@given(
    retrieved=st.lists(st.none() | labels, min_size=1, max_size=8),
    missed=st.lists(labels, max_size=3),
    cutoff=st.integers(1, 10),
    ideal=st.sampled_from(["judged", "list"]),
    order=st.sampled_from(["gain", "label"]),
)
def test_the_ideal_is_all_items_in_order_down_to_the_cutoff(
    retrieved, missed, cutoff, ideal, order
):
    judged = {f"r{i}": label for i, label in enumerate(retrieved) if label is not None}
    pool = judged | {f"o{i}": label for i, label in enumerate(missed)}
    gains = {-2: -1, -1: 2, 0: 0, 1: 5, 2: -3, 3: 1}
    list_labels = [0 if label is None else label for label in retrieved]
    members = list_labels if ideal == "list" else list(pool.values())
    key = gains.__getitem__ if order == "gain" else lambda label: label
    best = [gains[label] for label in sorted(members, key=key, reverse=True)][:cutoff]
    settings = f"gain={gains}, ideal={ideal}, ideal_order={order}"
    measure = f"IDCG({settings})@{cutoff}"
    run = {"q": [f"r{i}" for i in range(len(retrieved))]}
    scores = evaluate({"q": pool, "q2": {"a": 1}}, run | {"q2": ["a"]}, measure, rules=INPUT)
    expected = sum(gain / log2(i + 2) for i, gain in enumerate(best))
    assert scores.values[0, 0] == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=20), st.integers(1, 25))
def test_orders_by_gain_and_label_agree_where_gains_rise_and_are_no_harm(labels, cutoff):
    harmless = [abs(label) for label in labels]
    values = {order: idcg(harmless, k=cutoff, ideal_order=order) for order in ("best", "gain")}
    assert values["best"] == values["gain"] == idcg(harmless, k=cutoff, ideal_order="label")


@given(st.lists(st.integers(0, 4), min_size=1, max_size=20), st.integers(1, 25))
def test_a_value_is_clipped_only_where_it_would_be_above_one(labels, cutoff):
    unclipped = ndcg(labels, k=cutoff, above_one="keep")
    assert ndcg(labels, k=cutoff) == min(unclipped, 1)
    assert dcg(labels, k=cutoff) == pytest.approx(unclipped * idcg(labels, k=cutoff))
