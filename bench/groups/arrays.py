"""Arrays, dicts and frames that are in memory."""

from bench.contenders import Contender, make_task
from bench.data import Collection
from bench.figures import Figure, get_printed_mb, get_time_ratio
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


_GAINFUL, _PEER = "gainful.evaluate dicts", "pytrec-eval-terrier dicts"


def compare_dicts(size: Size) -> Group:
    """Compare ``gainful.evaluate`` with pytrec_eval's evaluator on the same dicts."""
    queries = str(size.dict_queries)
    return Group(
        title="Dicts",
        text=(
            f"Data: {size.dict_queries:,} queries x 1,000 items, 60 of them judged. Timed inside "
            "the process, which has imported the package and made the dicts."
        ),
        contenders=[make_task(_GAINFUL, queries), make_task(_PEER, queries)],
        base=_GAINFUL,
        figures=[
            Figure(
                "dicts, times as fast as pytrec-eval-terrier",
                get_time_ratio(_PEER, _GAINFUL),
                at_least=3,
            )
        ],
    )


_KINDS = ("polars", "pyarrow", "pandas, Arrow", "pandas, objects")
_FILE = "gainful.evaluate files"
_PEERS = ("sorting all", "top ten only")


def compare_frames(size: Size) -> Group:
    """Compare ``gainful.evaluate`` of frames with that of files and with polars queries."""
    collection = Collection(size.queries)
    return Group(
        title="Data frames",
        text=(
            f"Data: {collection}, as frames with ids of text, two columns of them and one of "
            "numbers. Timed inside the process, which has imported the package and made the "
            "frames. The memory in the summary is what is resident at most above what was before."
        ),
        contenders=[
            make_task(_FILE, collection=collection),
            *(_make_evaluation(kind, collection) for kind in _KINDS),
            *(
                make_task("polars frames", peer, collection=collection).with_name(f"polars, {peer}")
                for peer in _PEERS
            ),
        ],
        base=_FILE,
        figures=[
            *(
                Figure(
                    f"frames of {kind}, against the TREC file",
                    get_time_ratio(_format_name(kind), _FILE),
                    at_most=1.5,
                )
                for kind in _KINDS
            ),
            *(
                Figure(
                    f"frames of {kind}, times as fast as polars, sorting all",
                    get_time_ratio("polars, sorting all", _format_name(kind)),
                    at_least=4,
                )
                for kind in _KINDS
            ),
            Figure(
                "frames of polars, times as fast as polars, top ten only",
                get_time_ratio("polars, top ten only", _format_name("polars")),
            ),
            *(
                Figure(
                    f"frames of {kind}, memory beside them",
                    get_printed_mb(_format_name(kind)),
                    unit=" MB",
                )
                for kind in _KINDS
            ),
        ],
    )


def _format_name(kind: str) -> str:
    return f"gainful.evaluate, {kind}"


def _make_evaluation(kind: str, collection: Collection) -> Contender:
    return make_task("gainful.evaluate frames", kind, collection=collection).with_name(
        _format_name(kind)
    )
