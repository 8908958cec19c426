"""How many values were compared with each oracle."""

COUNTS: dict[str, int] = {}


def compared(oracle: str, n: int) -> None:
    """Count ``n`` more values as compared with ``oracle``."""
    COUNTS[oracle] = COUNTS.get(oracle, 0) + n


# Of each library: how many of its recorded values we give, and how many there are.
MATCHED: dict[str, tuple[int, int]] = {}


def matched(library: str, n: int, total: int) -> None:
    """Note that ``n`` of the ``total`` recorded values of a library are matched."""
    MATCHED[library] = (n, total)
