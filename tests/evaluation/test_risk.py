"""URisk, TRisk and GeoRisk, worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gainful import AlignError, MeasureError, Rules, Scores, georisk, nDCG, trisk, urisk


def make_scores(run, values, queries="abcdefgh", measures=(nDCG,)):
    table = np.array(values, dtype=float).reshape(len(values), -1)
    return Scores(run, tuple(queries[: len(values)]), measures, table, Rules(), ())


RUN, BASELINE = (
    make_scores("mine", [0.5, 0.25, 1.0, 0.0]),
    make_scores("base", [0.25, 0.5, 0.5, 0.0]),
)


def test_urisk_weighs_losses_more():
    # Differences 1/4, -1/4, 1/2, 0.
    assert urisk(RUN, BASELINE, alpha=0) == (0.25 - 0.25 + 0.5 + 0) / 4
    assert urisk(RUN, BASELINE) == (0.25 - 2 * 0.25 + 0.5 + 0) / 4
    assert urisk(RUN, BASELINE, alpha=5) == (0.25 - 6 * 0.25 + 0.5 + 0) / 4


def test_urisk_without_alpha_is_the_difference_of_means():
    assert urisk(RUN, BASELINE, alpha=0) == RUN["nDCG"] - BASELINE["nDCG"]


def test_trisk_divides_by_the_standard_error():
    # Weighted differences 1/4, -1/2, 1/2, 0: mean 1/16.
    deviations = [x - 1 / 16 for x in (1 / 4, -1 / 2, 1 / 2, 0)]
    deviation = math.sqrt(sum(x * x for x in deviations) / 3)
    assert trisk(RUN, BASELINE) == pytest.approx((1 / 16) / (deviation / 2), rel=1e-14)


def test_trisk_has_no_value_without_a_spread():
    assert math.isnan(trisk(RUN, RUN))
    assert math.isnan(trisk(make_scores("a", [1.0]), make_scores("b", [0.5])))
    assert math.isnan(trisk(make_scores("a", [1.0, 0.75]), make_scores("b", [0.5, 0.25])))


def test_georisk_of_two_runs_and_two_queries():
    # Run x: 1, 1; run y: 1, 0. Sums 2 and 1 by run, 2 and 1 by query, 3 in all.
    x, y = make_scores("x", [1, 1]), make_scores("y", [1, 0])
    # Expected of x: 4/3, 2/3; of y: 2/3, 1/3. Below it are x on the first query, y on the second.
    z_x = 2 * (-1 / 3) / math.sqrt(4 / 3) + (1 / 3) / math.sqrt(2 / 3)
    z_y = (1 / 3) / math.sqrt(2 / 3) + 2 * (-1 / 3) / math.sqrt(1 / 3)

    def phi(z):
        return (1 + math.erf(z / math.sqrt(2))) / 2

    expected = [math.sqrt(2 / 2 * phi(z_x / 2)), math.sqrt(1 / 2 * phi(z_y / 2))]
    assert georisk([x, y]) == pytest.approx(expected, rel=1e-14)


def test_georisk_of_equal_runs_is_the_root_of_half_the_mean():
    assert georisk([RUN, RUN, RUN]) == pytest.approx([math.sqrt(RUN["nDCG"] / 2)] * 3, rel=1e-14)


def test_georisk_falls_as_losses_weigh_more():
    calm, wary = (georisk([RUN, BASELINE], alpha=alpha) for alpha in (0, 9))
    assert wary[0] < calm[0]
    assert wary[1] < calm[1]


def test_georisk_where_nothing_is_found_is_zero():
    zeros = make_scores("nothing", [0, 0])
    assert georisk([zeros, zeros]) == [0, 0]
    assert georisk([zeros, make_scores("x", [1, 0])])[0] == 0


def test_queries_are_matched_by_id():
    reordered = make_scores("base", [0.0, 0.5, 0.5, 0.25], "dcba")
    assert urisk(RUN, reordered) == urisk(RUN, BASELINE)
    assert trisk(RUN, reordered) == trisk(RUN, BASELINE)
    assert georisk([RUN, reordered]) == georisk([RUN, BASELINE])


def test_queries_without_a_value_are_left_out():
    run = make_scores("mine", [0.5, 0.25, 1.0, math.nan])
    assert urisk(run, BASELINE) == (0.25 - 2 * 0.25 + 0.5) / 3
    assert georisk([run, BASELINE]) == georisk(
        [make_scores("a", [0.5, 0.25, 1]), make_scores("b", [0.25, 0.5, 0.5])]
    )
    undefined = make_scores("mine", [math.nan])
    assert math.isnan(urisk(undefined, make_scores("b", [1.0])))
    assert all(map(math.isnan, georisk([undefined, make_scores("b", [1.0])])))


def test_the_measure_is_the_first_one_or_the_one_that_is_named():
    run = make_scores("mine", [[1.0, 0.0]], measures=(nDCG @ 5, nDCG))
    baseline = make_scores("base", [[0.5, 0.25]], measures=(nDCG, nDCG @ 5))
    assert urisk(run, baseline) == 1.0 - 0.25
    assert urisk(run, baseline, "nDCG") == urisk(run, baseline, nDCG) == 2 * (0.0 - 0.5)
    with pytest.raises(MeasureError) as error:
        urisk(run, baseline, "nDCG@7")
    assert str(error.value) == "nDCG@7 was not evaluated; there are nDCG@5, nDCG."


def test_a_missing_query_is_named():
    for run, baseline in ((RUN, make_scores("base", [1, 1])), (make_scores("base", [1, 1]), RUN)):
        with pytest.raises(AlignError) as error:
            urisk(run, baseline)
        assert str(error.value) == (
            "urisk: every run must have the same queries, got none of 'c' for run 'base'. "
            "Evaluate all with the same qrels and missing=zero."
        )
    with pytest.raises(AlignError, match=r"^georisk: every run must have the same queries"):
        georisk([RUN, make_scores("base", [1, 1])])


def test_what_cannot_be_weighed_is_refused():
    for function, caller in ((urisk, "urisk"), (trisk, "trisk")):
        with pytest.raises(MeasureError) as error:
            function(RUN, BASELINE, alpha=-1)
        assert str(error.value) == f"{caller}: alpha must be a number >= 0, got -1."
    with pytest.raises(MeasureError) as error:
        georisk([RUN])
    assert str(error.value) == "georisk: must be given the scores of two runs or more, got 1."
    with pytest.raises(MeasureError) as error:
        georisk([RUN, make_scores("x", [0, 0, -0.5, 1])])
    assert str(error.value) == "georisk: the values of nDCG must be at least 0, got -0.5."


@pytest.mark.parametrize("risk", [lambda a, b: urisk(b, a), trisk, lambda a, b: georisk([b, a])])
def test_weighted_scores_are_refused(risk):
    weighted_run = replace(RUN, weights=np.ones(4))
    with pytest.raises(MeasureError) as error:
        risk(weighted_run, BASELINE)
    assert str(error.value).partition(": ")[2] == (
        "takes all queries alike, got weights for run 'mine'. Evaluate without weights."
    )
