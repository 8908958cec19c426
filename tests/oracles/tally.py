"""How many values were compared with each oracle."""

COUNTS: dict[str, int] = {}


def compared(oracle: str, n: int) -> None:
    """Count ``n`` more values as compared with ``oracle``."""
    COUNTS[oracle] = COUNTS.get(oracle, 0) + n
