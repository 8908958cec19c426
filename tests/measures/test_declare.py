"""Measures that users declare, and what a declared measure refuses."""

import pickle

import pytest

import gainful
from gainful import (
    ItemRankings,
    MeasureError,
    Rules,
    evaluate,
    read_run,
    read_subtopics,
)
from gainful.alignment.grouped_rankings import align_groups
from gainful.measures import REGISTRY, nDCG

QRELS, RUN = {"u": {"a": 1}, "v": {"b": 2}}, {"u": ["b", "a", "x"], "v": ["c", "b"]}


def test_a_measure_of_the_whole_run_must_return_one_number():
    try:

        @gainful.measure(whole=True)
        def PerQuery(ranked: ItemRankings):
            """Wrong."""
            return ranked.n_retrieved

        with pytest.raises(MeasureError) as error:
            evaluate(QRELS, RUN, PerQuery)
        assert str(error.value) == "PerQuery: must return one number, got 2."
    finally:
        REGISTRY.pop("PerQuery", None)


TOPICS = {"q1": {"a": {"d1": 1, "d2": 0}, "b": {"d1": 1, "d3": 2}}, "q2": {"x": {"e1": 1}}}
GROUPED_RUN = {"q1": ["d3", "u", "d1", "d2"], "q2": ["e1"]}


def test_a_measure_given_other_rankings_says_which_it_needs():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(GROUPED_RUN), Rules())
    with pytest.raises(MeasureError) as error:
        gainful.nDCG.score(ranked)
    assert str(error.value) == "nDCG: must be given JudgedRankings, got GroupedRankings."


# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
LABELED_QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
SCORED_RUN = {"q": ["b", "x", "a"]}
TIED_RUN = {"q": {"b": 1.0, "a": 1.0}}


def compute_value(measure, **rules):
    return evaluate(LABELED_QRELS, SCORED_RUN, measure, rules=Rules(**rules))[measure]


def test_user_defined_measures_use_the_same_decorator():
    @gainful.measure(bounds=(0, 1))
    def FirstHit(ranked, *, cutoff: gainful.measures._settings.Cutoff = None):
        """1 if the first item is relevant."""
        return ranked.total((ranked.hit_rank == 1) & (ranked.hit_label > 0))

    assert compute_value("FirstHit") == compute_value("firsthit@3") == 1.0
    assert str(FirstHit @ 3) == "FirstHit@3"
    with pytest.raises(MeasureError) as error:
        evaluate(LABELED_QRELS, TIED_RUN, FirstHit, rules=Rules(ties="average"))
    assert str(error.value) == (
        "FirstHit: no exact average over ties is known for it, got ties=average. "
        "Pass another --ties, for example item-desc."
    )


def test_a_measure_that_is_pickled_still_knows_which_settings_were_stated():
    measure = nDCG(gain="linear") @ 10
    copy = pickle.loads(pickle.dumps(measure))
    assert (copy, copy.stated) == (measure, ("gain", "cutoff"))
