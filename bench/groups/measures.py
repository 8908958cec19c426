"""Many measures at once."""

from bench.contenders import make_gainful_eval
from bench.data import Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_CUTOFFS = ("@5", "@10", "@20", "@100", "")
_NAMES = (
    *("nDCG", "DCG", "IDCG", "CG", "nCG"),
    *("nDCG(gain=exp2)", "DCG(discount=ln)", "nDCG(gain=binary)"),
)
# nDCG@10 first: its value is compared with that of the other command.
FORTY = sorted((name + cutoff for name in _NAMES for cutoff in _CUTOFFS), key="nDCG@10".__ne__)
_FORTY = f"gainful, {len(FORTY)} measures"


def compare_measures(size: Size) -> Group:
    """Compare forty measures with one."""
    collection = Collection(size.queries)
    return Group(
        title="Many measures at once",
        text=f"Data: {collection}. The measures: {', '.join(FORTY)}.",
        contenders=[
            make_gainful_eval(collection),
            make_gainful_eval(collection, measures=FORTY).with_name(_FORTY),
        ],
        base="gainful",
        figures=[
            Figure(
                "40 measures against nDCG@10 alone", get_time_ratio(_FORTY, "gainful"), at_most=1.5
            )
        ],
    )
