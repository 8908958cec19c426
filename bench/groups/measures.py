"""Many measures at once."""

from bench.contenders import gainful
from bench.data import Collection
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_CUTOFFS = ("@5", "@10", "@20", "@100", "")
_NAMES = (
    *("nDCG", "DCG", "IDCG", "CG", "nCG"),
    *("nDCG(gain=exp2)", "DCG(discount=ln)", "nDCG(gain=binary)"),
)
# nDCG@10 first: its value is compared with that of the other command.
FORTY = sorted((name + cutoff for name in _NAMES for cutoff in _CUTOFFS), key="nDCG@10".__ne__)
_FORTY = f"gainful, {len(FORTY)} measures"


def measures(size: Size) -> Group:
    """Forty measures beside one."""
    collection = Collection(size.queries)
    return Group(
        title="Many measures at once",
        text=f"Data: {collection}. The measures: {', '.join(FORTY)}.",
        contenders=[gainful(collection), gainful(collection, measures=FORTY).called(_FORTY)],
        base="gainful",
        figures=[
            Figure("40 measures against nDCG@10 alone", time_ratio(_FORTY, "gainful"), at_most=1.5)
        ],
    )
