"""Rows that Spark caches are released when there is an error."""

import pytest

from gainful.spark.gather import unpersist_on_error


class CachedRows:
    """Rows that are kept, as a DataFrame and as Scores."""

    def __init__(self):
        self.is_kept = True

    def unpersist(self):
        self.is_kept = False

    release = unpersist


def test_rows_are_kept_until_there_is_an_error():
    rows = CachedRows()
    with unpersist_on_error(rows):
        pass
    assert rows.is_kept
    with pytest.raises(KeyboardInterrupt), unpersist_on_error(rows):
        raise KeyboardInterrupt
    assert not rows.is_kept
