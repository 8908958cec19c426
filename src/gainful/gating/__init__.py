"""The gate: whether a run may replace another, decided for a machine and told to people."""
