"""Labels and scores in arrays."""

from bench.contenders import Contender, make_task
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_TIED_DECIMALS, _DISTINCT_DECIMALS = "3", "15"


def compare_arrays(size: Size) -> Group:
    """Compare ``gainful.ndcg`` with scikit-learn's, and with sorting alone."""
    return Group(
        title="Arrays",
        text=(
            f"Data: {size.rows:,} x 1,000 labels from 0 to 4 and scores, float64; scores of three "
            "decimals, of which many are tied, and scores without ties. Timed inside the process, "
            "which has imported the package and made the arrays. Ties are averaged."
        ),
        contenders=[
            *_make_contenders(size, _TIED_DECIMALS, "ties", "10"),
            *_make_contenders(size, _TIED_DECIMALS, "ties", "all"),
            *_make_contenders(size, _DISTINCT_DECIMALS, "no ties", "10"),
            *_make_contenders(size, _DISTINCT_DECIMALS, "no ties", "all"),
        ],
        base="gainful.ndcg, k=10, ties",
        figures=[
            Figure(
                "`gainful.ndcg` at 10, times as fast as scikit-learn's `ndcg_score`",
                get_time_ratio(
                    "sklearn.metrics.ndcg_score, k=10, ties", "gainful.ndcg, k=10, ties"
                ),
                at_least=20,
            ),
            *(
                Figure(
                    f"`gainful.ndcg` at 10 against `numpy.sort`, {kind}",
                    get_time_ratio(f"gainful.ndcg, k=10, {kind}", f"numpy.sort, {kind}"),
                    at_most=1,
                )
                for kind in ("ties", "no ties")
            ),
            *(
                Figure(
                    f"`gainful.ndcg` at full depth against `numpy.argsort`, {kind}",
                    get_time_ratio(f"gainful.ndcg, k=all, {kind}", f"numpy.argsort, {kind}"),
                    at_most=1.5,
                )
                for kind in ("ties", "no ties")
            ),
        ],
    )


def _make_contenders(size: Size, decimals: str, kind: str, k: str) -> list[Contender]:
    """Return gainful and scikit-learn at cutoff ``k``, and a NumPy sort as reference.

    scikit-learn is slow, and as slow without ties.
    """
    scores = (str(size.rows), decimals)
    sorting = make_task("numpy.sort" if k == "10" else "numpy.argsort", *scores)
    names = ["gainful.ndcg"]
    if decimals == _TIED_DECIMALS:
        names.append("sklearn.metrics.ndcg_score")
    answer = f"mean nDCG, k={k}, {kind}"
    return [
        *(
            make_task(name, *scores, k).with_name(f"{name}, k={k}, {kind}").with_answer(answer)
            for name in names
        ),
        sorting.with_name(f"{sorting.name}, {kind}"),
    ]
