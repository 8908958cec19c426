"""How many values were compared with each oracle."""

COUNTS: dict[str, int] = {}


def compared(oracle: str, n: int) -> None:
    """Add to what was compared with an oracle."""
    COUNTS[oracle] = COUNTS.get(oracle, 0) + n
