"""Gainful itself."""

from gainful.dialects._dialect import Dialect

DIALECTS = (
    Dialect(
        name="gainful",
        tool="Gainful",
        function="evaluate",
        summary="Linear gain, log2 discount, and an ideal of all judged items, retrieved or not.",
        checked="this version",
        exact="bits",
        edges={"values": "Never above 1: what rounding would lift above it is 1."},
        source="src/gainful/measures/cumulative_gain.py",
        also=("ours", "default"),
        measures=("nDCG", "DCG", "IDCG", "CG", "nCG"),
        of_all=True,
    ),
)
