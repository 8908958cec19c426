"""A query scores the same alone as among others, in every dialect."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.adapters.torchmetrics import RetrievalMetric
from gainful.dialects import DIALECTS

WITHOUT_IDS = {"input", "input-reversed", "average", "best", "worst", "middle"}
LISTS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5])),
        min_size=2,
        max_size=6,
    ),
    min_size=2,
    max_size=4,
)


@pytest.mark.parametrize(
    "dialect",
    [d for d in DIALECTS.values() if d.rules.ties in WITHOUT_IDS and d.rules.order == "score"],
    ids=str,
)
@given(lists=LISTS)
def test_a_query_scores_the_same_alone_as_among_others(dialect, lists):
    lists = [[(1, 0.6), *items] for items in lists]  # so that no query is empty
    values = RetrievalMetric("nDCG@3", dialect=dialect, aggregation=list)
    for number, items in enumerate(lists):
        label, score = zip(*items, strict=True)
        values.update(score, label, [number] * len(items))
    alone = []
    for number, items in enumerate(lists):
        label, score = zip(*items, strict=True)
        one = RetrievalMetric("nDCG@3", dialect=dialect, aggregation=list)
        alone += one(score, label, [number] * len(items))
    assert np.array_equal(values.compute(), alone)
