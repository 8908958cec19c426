"""CG, nCG, DCG, IDCG and nDCG, worked out by hand."""

from math import log, log2

import numpy as np
import pytest

import gainful
from gainful import MeasureError, Rules, cg, dcg, evaluate, idcg, ndcg
from gainful.measures._gains import Gain

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}


def value(measure, **rules):
    return evaluate(QRELS, RUN, measure, rules=Rules(**rules))[measure]


def test_cg_adds_labels():
    assert value("CG") == 2 + 0 + 3
    assert value("CG@2") == 2


def test_ncg_divides_by_the_best_labels():
    assert value("nCG") == 5 / (3 + 2 + 1)
    assert value("nCG@2") == 2 / (3 + 2)


def test_dcg_divides_by_log2_of_rank_plus_1():
    assert value("DCG") == 2 / log2(2) + 3 / log2(4)
    assert value("DCG@2") == 2 / log2(2)


def test_idcg_ranks_all_judged_items_perfectly():
    assert value("IDCG") == 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert value("IDCG@2") == 3 / log2(2) + 2 / log2(3)


def test_ndcg_divides_dcg_by_idcg():
    assert value("nDCG@2") == 2 / (3 + 2 / log2(3))


def test_exponential_gain():
    assert value("DCG(gain=exp2)") == 3 / log2(2) + 7 / log2(4)


def test_exponential_gain_of_a_fraction():
    assert dcg([0.5], gain="exp2") == pytest.approx(2**0.5 - 1, rel=1e-15)
    assert dcg([2.5], gain="exp2") == pytest.approx(2**2.5 - 1, rel=1e-15)


def test_binary_gain_counts_labels_of_at_least_rel():
    assert value("CG(gain=binary)") == 2
    assert value("CG(gain=binary, rel=3)") == 1
    assert cg([0.2, 0.5, 0.7], gain="binary", rel=0.5) == 2


def test_signed_exponential_gain():
    assert cg([2, -2, 0, -1], gain="signed_exp2") == 3 - 3 + 0 - 1


def test_table_gain():
    assert value("CG(gain={1: 1, 2: 10, 3: 5})") == 10 + 5
    # The ideal is ordered by gain, not by label: 10, 5, 1.
    assert value("IDCG(gain={1: 1, 2: 10, 3: 5})") == 10 + 5 / log2(3) + 1 / log2(4)


def test_table_gain_must_name_every_label_above_zero():
    with pytest.raises(MeasureError) as error:
        value("CG(gain={1: 1, 2: 3})")
    assert str(error.value) == "gain {1: 1, 2: 3}: must name every label above 0, got 3."


@pytest.mark.parametrize(
    ("discount", "divisors"),
    [
        ("log2", [log2(2), log2(3), log2(4)]),
        ("ln", [log(2), log(3), log(4)]),
        ("log(3)", [log(2) / log(3), log(3) / log(3), log(4) / log(3)]),
        ("jk(2)", [1, log2(2), log2(3)]),
        ("jk(3)", [1, 1, log(3) / log(3)]),
        ("reciprocal", [1, 2, 3]),
        ("none", [1, 1, 1]),
    ],
)
def test_discounts(discount, divisors):
    assert dcg([5, 7, 11], discount=discount) == pytest.approx(
        5 / divisors[0] + 7 / divisors[1] + 11 / divisors[2], rel=1e-15
    )


def test_negative_labels_gain_nothing_by_default():
    assert cg([3, -2]) == 3
    assert ndcg([3, -2]) == 1


def test_negative_labels_can_be_kept():
    assert cg([3, -2], negatives="keep") == 1
    assert cg([-1], gain="exp2", negatives="keep") == 2**-1 - 1
    # The ideal leaves out what would lower it.
    assert idcg([3, -2], negatives="keep") == 3


def test_negative_labels_can_be_an_error():
    with pytest.raises(MeasureError) as error:
        cg([3, -2], negatives="error")
    assert str(error.value) == (
        "query '0' has the label -2, got negatives=error. "
        "Pass --min-label 0, or state negatives=zero, to count it as 0."
    )


def test_labels_of_no_ranking_can_be_an_error_too():
    with pytest.raises(MeasureError) as error:
        Gain.read("linear").of(np.array([3.0, -2.0]), rel=1, negatives="error")
    assert str(error.value) == (
        "labels: negatives=error allows none below 0, got -2. "
        "Pass --min-label 0, or state negatives=zero, to count it as 0."
    )


def test_ideal_from_the_retrieved_items_only():
    # Retrieved labels are 2 and 3; the judged 1 is not seen.
    assert value("IDCG(ideal=list)") == 3 / log2(2) + 2 / log2(3)


def test_ideal_of_ones():
    assert value("IDCG(ideal=ones)@2") == pytest.approx(1 + 1 / log2(3), rel=1e-15)
    # Without a cutoff: one for each of the three retrieved ranks.
    assert value("IDCG(ideal=ones)") == pytest.approx(1 + 1 / log2(3) + 1 / 2, rel=1e-15)


def test_ideal_depth():
    assert value("IDCG@2") == 3 + 2 / log2(3)
    assert value("IDCG(ideal_depth=all)@2") == 3 + 2 / log2(3) + 1 / 2
    assert value("IDCG(ideal_depth=retrieved)@10") == 3 + 2 / log2(3) + 1 / 2
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


def test_an_overflowing_gain_is_an_error():
    with pytest.raises(MeasureError) as error:
        dcg([2000.0, 1.0], gain="exp2")
    assert str(error.value) == "gain exp2: must be finite for every label, got 2000."


def test_ndcg_never_exceeds_1_by_rounding():
    # Nearly equal labels in the wrong order: the true value is a hair below 1, and the quotient
    # of the rounded sums a hair above.
    a, b, c = 0.24303562206185636, 0.24303562206185625, 0.2430356220618563
    labels = [a, b, c, a, c]
    assert dcg(labels) / idcg(labels) > 1.0
    assert ndcg(labels) == 1.0


def test_user_defined_measures_use_the_same_decorator():
    @gainful.measure(bounds=(0, 1))
    def FirstHit(ranked, *, cutoff: gainful.measures._settings.Cutoff = None):
        """1 if the first item is relevant."""
        return ranked.total((ranked.hit_rank == 1) & (ranked.hit_label > 0))

    assert value("FirstHit") == value("firsthit@3") == 1.0
    assert str(FirstHit @ 3) == "FirstHit@3"
    with pytest.raises(MeasureError) as error:
        value("FirstHit", ties="average")
    assert str(error.value) == (
        "FirstHit: no exact average over ties is known for it, got ties=average. "
        "Pass another --ties, for example item-desc."
    )
