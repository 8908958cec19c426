"""Assert that scores from Spark and from one machine are the same in all respects."""

from dataclasses import replace

import numpy as np


def assert_alike(ours, local):
    """Without collecting values first; then they are."""
    assert "_collected" not in vars(ours.cached)
    assert ours.measures == local.measures
    assert ours.rules == local.rules
    # Of the order of rows, which a file has and a frame has not, Spark alone has to speak.
    assert tuple(notice for notice in ours.notices if notice.code != "row-order") == local.notices
    local = replace(local, notices=ours.notices)
    assert ours.dialect is local.dialect
    assert ours.n_queries == len(local.queries)
    assert repr(ours) == repr(local)
    assert ours._repr_html_() == local._repr_html_()
    for measure in local.measures:
        assert repr(ours[measure]) == repr(local[measure]), measure
        assert repr(ours.judged_share(measure)) == repr(local.judged_share(measure))
        assert repr(ours.judged_of_returned(measure)) == repr(local.judged_of_returned(measure))
    assert ours.queries == local.queries
    assert np.array_equal(ours.values, local.values, equal_nan=True)
    assert {m: v.tolist() for m, v in ours.empty.items()} == {
        m: v.tolist() for m, v in local.empty.items()
    }
