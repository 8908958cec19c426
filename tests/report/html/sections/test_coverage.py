"""The coverage section: relevant, not relevant and unjudged items by rank."""

from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections.coverage import classify_ranks
from report.html.experiments import SMALL_QRELS, SMALL_RUNS


def test_ranks_are_relevant_or_not_or_unjudged_or_nothing():
    classes = classify_ranks(gather_experiment(SMALL_QRELS, SMALL_RUNS, "nDCG@3"), "old")
    assert classes.tolist() == [[3, 0, 0], [2, 3, 0], [3, 1, 0], [2, 0, 0]]
