"""Labels that unjudged items may get, and measures whose bounds are known."""

import math

import pytest

from gainful import MeasureError
from gainful.unjudged import compute_bounds

QRELS = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}


RUN = {"q": ["u1", "a", "u2", "c", "b"]}


def bound_run(qrels, run, measure="nDCG@10", **options):
    return compute_bounds(qrels, {"mine": run}, measure, **options)


def test_the_possible_labels_are_zero_and_the_labels_of_the_qrels_if_none_are_given():
    assert bound_run({"q": {"a": 3, "b": 1}}, RUN).possible_labels == (0.0, 1.0, 3.0)
    assert bound_run(QRELS, RUN, possible_labels=(2, 0, 2)).possible_labels == (0.0, 2.0)


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (
            "P@10",
            "P@10: what unjudged items could change is known for CG, nCG, DCG, nDCG, MSnDCG alone. "
            "Pass one of them, for example nDCG@10; RBP has RBPResidual.",
        ),
        (
            "nDCG(ideal=list)@10",
            "nDCG(ideal=list)@10: with ideal=list the best ranking depends on the run, and what "
            "unjudged items could change is not known. Pass ideal=judged.",
        ),
        (
            "nDCG(ideal_order=label)@5",
            "nDCG(ideal_order=label)@5: what unjudged items could change is not known with "
            "ideal_order=label. Pass ideal_order=best.",
        ),
        (
            "DCG(rounding=hundredths)@5",
            "DCG(rounding=hundredths)@5: what unjudged items could change is not known with "
            "rounding=hundredths. Pass rounding=none.",
        ),
        (
            "nDCG(ideal_depth=retrieved)@5",
            "nDCG(ideal_depth=retrieved)@5: with ideal_depth=retrieved the best ranking depends on "
            "the run, and what unjudged items could change is not known. Pass ideal_depth=cutoff.",
        ),
        (
            "nDCG@5,10",
            "unjudged items are looked into for one measure at a time, got 'nDCG@5,10'.",
        ),
    ],
)
def test_measures_that_are_not_known_are_refused(measure, sentence):
    with pytest.raises(MeasureError) as error:
        bound_run(QRELS, RUN, measure)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("possible_labels", "value"),
    [((0, "a"), "'a'"), ("0,1", "'0,1'"), ((0, math.nan), "nan"), ((True,), "True"), ((), "none")],
)
def test_possible_labels_are_numbers(possible_labels, value):
    with pytest.raises(MeasureError) as error:
        bound_run(QRELS, RUN, possible_labels=possible_labels)
    assert (
        str(error.value) == f"possible_labels: must be numbers such as (0, 1, 2, 3), got {value}."
    )


def test_more_labels_than_can_be_tried_are_refused():
    qrels = {"q": {f"d{i}": i / 1000 for i in range(1, 1000)}}
    with pytest.raises(MeasureError) as error:
        bound_run(qrels, RUN)
    assert str(error.value) == (
        "the qrels have 1,000 different labels, more than 256 to try. "
        "Pass --possible-labels, for example 0,1,2,3; possible_labels=(0, 1, 2, 3) in Python."
    )
    assert bound_run(qrels, RUN, possible_labels=(0, 1)).high[0, 0] > 0


def test_a_gain_table_has_to_name_every_possible_label():
    with pytest.raises(MeasureError) as error:
        bound_run({"q": {"a": 1}}, RUN, "nDCG(gain={1: 1})@5", possible_labels=(0, 2))
    assert str(error.value) == "gain {1: 1}: must name every label above 0, got 2."


def test_gains_that_do_not_add_up_are_refused():
    with pytest.raises(MeasureError) as error:
        bound_run(QRELS, RUN, "nDCG(gain=exp2)@5", possible_labels=(0, 1000))
    assert str(error.value) == "gain exp2: must add up to finite numbers, got 1.07151e+301."
