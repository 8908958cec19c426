"""Counts of the values compared with each oracle."""

COUNTS: dict[str, int] = {}


def count_compared(oracle: str, n: int) -> None:
    """Add ``n`` to the number of values compared with ``oracle``."""
    COUNTS[oracle] = COUNTS.get(oracle, 0) + n


# For each library: the number of recorded values that Gainful reproduces, and their total.
MATCHES: dict[str, tuple[int, int]] = {}


def record_matched(library: str, n: int, total: int) -> None:
    """Record that ``n`` of the ``total`` recorded values of a library are reproduced."""
    MATCHES[library] = (n, total)
