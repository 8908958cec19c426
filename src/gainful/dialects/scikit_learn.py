"""scikit-learn."""

from dataclasses import replace

from gainful.dialects._dialect import Dialect
from gainful.rules import Rules

_NOW = Dialect(
    name="sklearn",
    tool="scikit-learn",
    function="ndcg_score",
    summary="Only the items passed in make the ideal, and tied scores are averaged.",
    settings={"ideal": "list", "ideal_order": "gain", "negatives": "error", "above_one": "keep"},
    of_measure={"DCG": {"negatives": "keep"}},
    rules=Rules(ties="average", missing="skip", min_items=2),
    since="1.3",
    checked="1.9.1",
    exact="bit for bit",
    source="sklearn/metrics/_ranking.py",
    also=("scikit-learn",),
)

DIALECTS = (
    _NOW,
    replace(
        _NOW,
        name="sklearn@1.2",
        summary="As now, but for a ranking of a single item.",
        rules=replace(_NOW.rules, min_items=None),
        since="1.2",
        checked="",
        also=(),
    ),
    replace(
        _NOW,
        name="sklearn@1.1",
        summary="As in 1.2, but for negative labels.",
        settings={**_NOW.settings, "negatives": "keep"},
        rules=replace(_NOW.rules, min_items=None),
        since="",
        checked="",
        also=(),
    ),
)
