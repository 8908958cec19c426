"""CG, nCG, DCG, IDCG, nDCG and SDCG, worked out by hand."""

from math import log2

import pytest

from gainful import Rules, dcg, evaluate, idcg, ndcg

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}


def compute_value(measure, **rules):
    return evaluate(QRELS, RUN, measure, rules=Rules(**rules))[measure]


def test_cg_adds_labels():
    assert compute_value("CG") == 2 + 0 + 3
    assert compute_value("CG@2") == 2


def test_ncg_divides_by_the_best_labels():
    assert compute_value("nCG") == 5 / (3 + 2 + 1)
    assert compute_value("nCG@2") == 2 / (3 + 2)


def test_dcg_divides_by_log2_of_rank_plus_1():
    assert compute_value("DCG") == 2 / log2(2) + 3 / log2(4)
    assert compute_value("DCG@2") == 2 / log2(2)


def test_idcg_ranks_all_judged_items_perfectly():
    assert compute_value("IDCG") == 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert compute_value("IDCG@2") == 3 / log2(2) + 2 / log2(3)


def test_ndcg_divides_dcg_by_idcg():
    assert compute_value("nDCG@2") == 2 / (3 + 2 / log2(3))


def test_ideal_from_the_retrieved_items_only():
    # Retrieved labels are 2 and 3; the judged 1 is not seen.
    assert compute_value("IDCG(ideal=list)") == 3 / log2(2) + 2 / log2(3)


def test_ideal_of_ones():
    assert compute_value("IDCG(ideal=ones)@2") == pytest.approx(1 + 1 / log2(3), rel=1e-15)
    # Without a cutoff: one for each of the three retrieved ranks.
    assert compute_value("IDCG(ideal=ones)") == pytest.approx(1 + 1 / log2(3) + 1 / 2, rel=1e-15)


def test_ideal_depth():
    assert compute_value("IDCG@2") == 3 + 2 / log2(3)
    assert compute_value("IDCG(ideal_depth=all)@2") == 3 + 2 / log2(3) + 1 / 2
    assert compute_value("IDCG(ideal_depth=retrieved)@10") == 3 + 2 / log2(3) + 1 / 2
    short = evaluate(QRELS, {"q": ["b"]}, "IDCG(ideal_depth=retrieved)@10")
    assert short["IDCG(ideal_depth=retrieved)@10"] == 3


def test_a_query_without_results_scores_zero_even_if_the_ideal_is_cut_at_what_was_retrieved():
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    measure = "nDCG(ideal_depth=retrieved)@10"
    scores = evaluate(qrels, {"q": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.column(measure).tolist() == [1.0, 0.0]


def test_returning_nothing_is_never_rewarded():
    qrels = {"q": {"a": 2}, "p": {"a": 1}}
    for ideal in ("judged", "list", "ones"):
        measure = f"nDCG(ideal={ideal})@5"
        scores = evaluate(qrels, {"p": ["a"]}, measure, rules=Rules(empty="one"))
        assert scores.column(measure)[0] == 0.0


def test_a_listed_ideal_takes_of_a_cut_tie_of_equals_as_many_as_fit():
    # 0, then 1 and 1 tied, cut at 2: DCG = 1 / log2(3), the ideal list is 1, 0.
    for ties in ("average", "best", "worst"):
        assert ndcg([0, 1, 1], [2, 1, 1], list_size=2, ideal="list", ties=ties) == 1 / log2(3)


def test_tied_items_share_the_ranks_of_their_block():
    # Labels 3 and 0 tied over ranks 2 and 3.
    expected = 1 / log2(2) + 3 * (1 / log2(3) + 1 / log2(4)) / 2
    assert dcg([1, 3, 0], [9, 5, 5]) == pytest.approx(expected, rel=1e-15)
    # Cut through the block: only rank 2 counts, and 3 stands there half of the time.
    assert dcg([1, 3, 0], [9, 5, 5], k=2) == pytest.approx(1 + 3 / log2(3) / 2, rel=1e-15)


def test_best_and_worst_order_of_ties():
    assert dcg([1, 3, 0], [9, 5, 5], ties="best") == 1 + 3 / log2(3)
    assert dcg([1, 3, 0], [9, 5, 5], ties="worst") == 1 + 3 / log2(4)
    assert dcg([1, 0, 3], [9, 5, 5], ties="input") == 1 + 3 / log2(4)


def test_ndcg_never_exceeds_1_by_rounding():
    # Nearly equal labels in the wrong order: the true value is a hair below 1, and the quotient
    # of the rounded sums a hair above.
    a, b, c = 0.24303562206185636, 0.24303562206185625, 0.2430356220618563
    labels = [a, b, c, a, c]
    assert dcg(labels) / idcg(labels) > 1.0
    assert ndcg(labels) == 1.0


# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
SDCG_QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
SDCG_RUN = {"q": ["a", "x", "b", "c"]}


def compute_sdcg(measure, run=SDCG_RUN, qrels=SDCG_QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_scaled_dcg_divides_by_ones_on_all_ranks():
    ones = 1 + 1 / log2(3) + 1 / 2
    assert compute_sdcg("SDCG@3") == approximate(1 / ones)
    assert compute_sdcg("SDCG(max_rel=4)@3") == approximate(3 / 4 / ones)
    assert compute_sdcg("SDCG@100") == approximate(
        compute_sdcg("nDCG(gain=binary, ideal=ones)@100")
    )
    assert compute_sdcg("SDCG(value=ed)@3") == approximate(ones)
    assert compute_sdcg("SDCG(value=etu)@4") == approximate(1 + 1 / log2(5))
