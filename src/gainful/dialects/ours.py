"""Gainful itself, as a dialect among others."""

from gainful.dialects._dialect import Dialect

DIALECTS = (
    Dialect(
        name="gainful",
        tool="Gainful",
        function="evaluate",
        summary="The defaults of this package: linear gain, log2 discount, ideal of all judgments.",
        checked="this version",
        exact="bit for bit",
    ),
)
