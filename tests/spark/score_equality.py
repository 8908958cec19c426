"""Assert that scores from Spark and from one machine are the same in all respects."""

from dataclasses import replace

import numpy as np

# Notices that Spark does not give, and those that it alone gives.
LOCAL_ONLY = {
    *("contradicted-ranks", "reversed-scores", "ascending-scores", "infinite-scores"),
    *("comment-lines", "long-lines", "carriage-returns"),
}
SPARK_ONLY = {"row-order"}


def select_common(notices):
    """Return what the notices say that Spark and one machine both give; ids are in any order."""
    apart = LOCAL_ONLY | SPARK_ONLY
    return [_describe_notice(notice) for notice in notices if notice.code not in apart]


def _describe_notice(notice):
    ids = {name: sorted(value) for name, value in notice.data.items() if isinstance(value, tuple)}
    return notice.code, {**notice.data, **ids}


def assert_alike(ours, local):
    """Compare all that scores hold, to the bit."""
    assert ours.measures == local.measures
    assert ours.rules == local.rules
    assert select_common(ours.notices) == select_common(local.notices)
    local = replace(local, notices=ours.notices)
    assert ours.dialect is local.dialect
    assert repr(ours) == repr(local)
    for measure in local.measures:
        assert repr(ours[measure]) == repr(local[measure]), measure
        assert repr(ours.judged_share(measure)) == repr(local.judged_share(measure))
        assert repr(ours.judged_of_returned(measure)) == repr(local.judged_of_returned(measure))
    assert ours.queries == local.queries
    assert np.array_equal(ours.values, local.values, equal_nan=True)
    assert {m: v.tolist() for m, v in ours.empty.items()} == {
        m: v.tolist() for m, v in local.empty.items()
    }
