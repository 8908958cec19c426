"""The dialect of Cornac: labels are ratings."""

import gainful

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}


def test_cornac_counts_ratings_from_its_threshold_on() -> None:
    scores = gainful.evaluate({"q1": {"a": 0.5, "c": 2}}, RUN, "nDCG", dialect="cornac")
    assert scores["nDCG"] == 0.5
