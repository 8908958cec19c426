"""Arithmetics of sums: each is close to exact sums, and the same for every query."""

from math import fsum, log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import MeasureError, Rules, dcg, evaluate, idcg, ndcg
from gainful.measures._summation import STEPS, Arithmetic, sum_rows

COARSE_WORDS = {"hundredths": 0.05, "decimals5": 1e-5}
SINGLE = STEPS["precision"]
WORDS = [word for step in STEPS.values() for word in step if word not in COARSE_WORDS]
arithmetics = st.tuples(
    *(st.sampled_from(["", *step]) for name, step in STEPS.items() if name != "value")
).map(lambda words: "+".join(filter(None, words)) or "plain")
label_lists = st.lists(st.integers(0, 4), min_size=1, max_size=40)


def test_the_words_print_in_the_order_of_the_steps():
    arithmetic = Arithmetic.read("float32+pairwise+times+ln_ratio")
    assert str(arithmetic) == "ln_ratio+times+pairwise+float32"


@pytest.mark.parametrize("text", ["pairwise+dot", "sideways", "", "times+times", "plain+times"])
def test_two_words_of_one_step_and_unknown_words_are_refused(text):
    with pytest.raises(MeasureError) as error:
        ndcg([1, 0], arithmetic=text)
    assert str(error.value) == (f"nDCG: arithmetic must be {Arithmetic.expected}, got {text!r}.")


def test_a_gain_is_multiplied_by_the_inverse_of_its_discount():
    assert dcg([0, 0, 0, 0, 3], arithmetic="times") == 3 * (1 / log2(6))
    assert dcg([0, 0, 0, 0, 3]) == 3 / log2(6)


def test_logarithms_are_made_of_natural_ones():
    labels = [0] * 4 + [3]
    assert dcg(labels, arithmetic="ln_ratio") == 3 / (log(6) / log(2))
    assert dcg(labels, arithmetic="ln_product") == 3 / (log(6) * (1 / log(2)))
    assert dcg(labels, arithmetic="ln_inverse") == 3 * (log(2) / log(6))
    assert dcg(labels, arithmetic="ln_ratio", discount="log(3)") == 3 / (log(6) / log(3))
    assert dcg(labels, arithmetic="ln_inverse", discount="jk(2)") == 3 * (log(2) / log(5))


def test_a_sum_is_multiplied_by_the_inverse_of_the_best_one():
    total, best = dcg([0, 1, 2, 3]), idcg([0, 1, 2, 3])
    assert ndcg([0, 1, 2, 3], arithmetic="times_inverse") == total * (1 / best)


def test_every_term_is_divided_by_the_best_sum():
    best = 1 + 1 / log2(3)
    expected = 1 / log2(3) / best + 1 / log2(4) / best
    assert ndcg([0, 1, 1], arithmetic="terms_ratio") == expected
    inverse = 1 / best
    expected = 1 / log2(3) * inverse + 1 / log2(4) * inverse
    assert ndcg([0, 1, 1], arithmetic="terms_inverse") == expected


def test_terms_below_the_first_rank_and_the_value_are_cut_to_two_decimals():
    # 1 + 2 / log2(3) = 2.26.., 2 + 1 / log2(3) = 2.63: 1 + 1.26 and 2 + 0.63.
    assert dcg([1, 2], arithmetic="hundredths") == 2.26
    assert idcg([1, 2], arithmetic="hundredths") == 2.63
    assert ndcg([1, 2], arithmetic="hundredths") == 0.85
    assert ndcg([2, 1], arithmetic="hundredths") == 1


def test_a_value_is_rounded_to_five_decimals():
    assert ndcg([0, 1], arithmetic="decimals5") == 0.63093


def test_the_best_sum_is_kept_in_single_precision():
    best = float(np.float32(2 + 1 / log2(3)))
    assert ndcg([1, 2], arithmetic="float32_best") == (1 + 2 / log2(3)) / best


def test_gains_are_kept_in_single_precision():
    assert dcg([1], gain={1: 0.1}, arithmetic="float32_gains") == float(np.float32(0.1))


def test_a_query_with_nothing_to_gain_has_no_value_in_any_arithmetic():
    for word in [*WORDS, *COARSE_WORDS]:
        assert np.isnan(ndcg([0, 0], arithmetic=word, empty="nan")), word
        assert ndcg([0, 0], arithmetic=word) == 0, word
    assert ndcg([0], arithmetic="dot+terms_inverse") == 0


def test_too_many_ranks_to_write_out_are_refused():
    with pytest.raises(MeasureError) as error:
        dcg([1], list_size=10**9, arithmetic="pairwise")
    assert str(error.value) == ("arithmetic: adds up 268,435,456 ranks at most, got 1,000,000,000.")


@given(labels=label_lists, cutoff=st.none() | st.integers(1, 45), arithmetic=arithmetics)
def test_every_arithmetic_is_close_to_the_plain_one(labels, cutoff, arithmetic):
    tolerance = 1e-5 if "float32" in arithmetic else 1e-12
    for function in (ndcg, dcg, idcg):
        plain = function(labels, k=cutoff, gain="exp2")
        result = function(labels, k=cutoff, gain="exp2", arithmetic=arithmetic)
        assert result == pytest.approx(plain, rel=tolerance)


@given(
    labels=label_lists,
    data=st.data(),
    cutoff=st.none() | st.integers(1, 45),
    arithmetic=arithmetics,
)
def test_averaged_ties_are_close_to_the_plain_way(labels, data, cutoff, arithmetic):
    n = len(labels)
    scores = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    tolerance = 1e-5 if "float32" in arithmetic else 1e-12
    plain = ndcg(labels, scores, k=cutoff)
    result = ndcg(labels, scores, k=cutoff, arithmetic=arithmetic)
    assert result == pytest.approx(plain, rel=tolerance)


@given(
    rankings=st.lists(label_lists, min_size=2, max_size=6),
    cutoff=st.none() | st.integers(1, 45),
    arithmetic=arithmetics,
    ideal=st.sampled_from(["judged", "list", "ones"]),
)
def test_a_ranking_scores_the_same_alone_as_among_others(rankings, cutoff, arithmetic, ideal):
    options = {"k": cutoff, "arithmetic": arithmetic, "ideal": ideal}
    values = ndcg(rankings, **options).tolist()
    assert values == [ndcg([ranking], **options)[0] for ranking in rankings]


@given(
    retrieved=st.lists(st.none() | st.integers(-1, 3), min_size=1, max_size=12),
    scores=st.lists(st.integers(0, 3), min_size=12, max_size=12),
    depth=st.none() | st.integers(1, 12),
    cutoff=st.integers(1, 14),
    arithmetic=arithmetics,
    ties=st.sampled_from(["average", "input"]),
)
def test_unjudged_items_and_depth_are_close_to_the_plain_way(
    retrieved, scores, depth, cutoff, arithmetic, ties
):
    labels = {f"d{i}": label for i, label in enumerate(retrieved) if label is not None}
    run = {"q": {f"d{i}": scores[i] for i in range(len(retrieved))}, "r": {"x": 2, "a": 1, "y": 1}}
    measures = [f"{name}(negatives=keep){{}}@{cutoff}" for name in ("DCG", "nDCG")]
    rules = Rules(ties=ties, depth=depth, missing="skip", empty="zero")
    texts = [text.format("") for text in measures]
    words = [
        text.replace("keep)", f"keep, arithmetic={arithmetic})").format("") for text in measures
    ]
    score_table = evaluate(
        {"q": labels | {"z": 2}, "r": {"a": 1}}, run, [*texts, *words], rules=rules
    )
    tolerance = (
        {"rel": 1e-5, "abs": 1e-5} if "float32" in arithmetic else {"rel": 1e-12, "abs": 1e-12}
    )
    plain, values = (score_table.values[:, : len(texts)], score_table.values[:, -len(words) :])
    assert values == pytest.approx(plain, **tolerance)


@given(
    st.lists(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=70), min_size=1, max_size=3),
    st.sampled_from(["", *STEPS["sum"]]),
)
def test_every_order_of_addition_adds_everything(rows, order):
    n = min(map(len, rows))
    gain = np.array([row[:n] for row in rows])
    worth = np.full_like(gain, 0.5)
    totals = sum_rows(order, gain, worth, gain * worth)
    for row, total in zip(gain, totals, strict=True):
        assert total == pytest.approx(fsum(row) / 2, rel=1e-9, abs=1e-9)


@given(st.lists(st.floats(0, 9), min_size=16, max_size=60))
def test_rows_are_added_in_pairs_as_numpy_adds_each_of_them(row):
    rows = np.array([row, row[::-1], row])
    expected = [np.array(terms.tolist()).sum() for terms in rows]
    assert sum_rows("pairwise", rows, rows, rows).tolist() == expected
