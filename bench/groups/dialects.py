"""Dialects, compared with Gainful's definition and with the tools they are named after."""

from bench.contenders import COMMAND, Contender, make_gainful_eval, make_task, make_ten_lines
from bench.data import TINY, Collection
from bench.figures import Figure, get_peak_mb, get_time_ratio
from bench.groups._group import Group, Size

_NAMES = (
    *("lightgbm", "sklearn", "catboost", "torchmetrics"),
    *("trec_eval@9", "evidently", "elasticsearch"),
)
_MEASURES = ("nDCG@10", "nDCG")
_ITEMS = 100  # of a group
_FEVAL, _LIGHTGBM = "gainful.adapters.lightgbm.feval", "LightGBM, metric=ndcg"
_LOOP = "sklearn.metrics.ndcg_score, group by group"
_NDCG, _DIALECT_NDCG = "gainful.ndcg, k=10", "gainful.ndcg, k=10, dialect=sklearn"
_ADAPTER, _SKLEARN = (
    "gainful.adapters.sklearn.ndcg_score, k=10",
    "sklearn.metrics.ndcg_score, k=10",
)
_EVAL_PROCESS, _RECONCILE_PROCESS = (
    "gainful eval, whole process",
    "gainful reconcile, whole process",
)
_EVALUATE_CALL, _RECONCILE_CALL = "gainful.evaluate", "gainful.reconcile"
_TEN_LINES, _TEN_LINES_DIALECT = make_ten_lines().name, "gainful, ten lines, --dialect lightgbm"


def compare_dialects(size: Size) -> Group:
    """Compare measures in dialects with Gainful's definition and with the tools themselves."""
    collections = [Collection(size.queries), Collection(max(1, size.queries // 10))]
    thousand = Collection(min(1000, size.queries))
    return Group(
        title="Dialects",
        text=(
            f"`gainful.evaluate` of files, with a dialect and without: {collections[0]}, and a "
            f"tenth of the queries. Arrays: {size.rows:,} x 1,000 labels and scores, many of them "
            f"tied. LightGBM: {size.rows:,} groups x {_ITEMS} items. Reconcile: {thousand}, "
            "nDCG@10 in all dialects, and why they differ. All of these are timed inside the "
            "process, which has imported the package, unless they are said to be whole processes; "
            f"so are those of ten lines: {TINY}."
        ),
        contenders=[
            *(
                contender
                for data in collections
                for measure in _MEASURES
                for contender in _make_evaluations(data, measure)
            ),
            *_make_array_calls(size),
            *_make_group_calls(size),
            *_make_reconciliations(thousand),
            make_ten_lines(),
            make_gainful_eval(TINY, "--dialect", "lightgbm")
            .with_name(_TEN_LINES_DIALECT)
            .with_answer("of ten lines"),
        ],
        base=_format_name(collections[0], _MEASURES[0]),
        figures=[
            *(
                Figure(
                    f"{measure} in {dialect} against Gainful's own, {data.queries:,} queries",
                    get_time_ratio(
                        _format_name(data, measure, dialect), _format_name(data, measure)
                    ),
                )
                for data in collections
                for measure in _MEASURES
                for dialect in _NAMES
            ),
            *_make_figures(thousand),
        ],
    )


def _make_figures(thousand: Collection) -> list[Figure]:
    evals = f"{thousand.queries:,} queries, in"
    return [
        Figure(
            f"`{_DIALECT_NDCG}`, times as fast as scikit-learn",
            get_time_ratio(_SKLEARN, _DIALECT_NDCG),
        ),
        Figure(f"`{_ADAPTER}`, times as fast as scikit-learn", get_time_ratio(_SKLEARN, _ADAPTER)),
        Figure(f"`{_DIALECT_NDCG}`, against no dialect", get_time_ratio(_DIALECT_NDCG, _NDCG)),
        Figure(
            "`feval` in sklearn, times as fast as scikit-learn's `ndcg_score` group by group",
            get_time_ratio(_LOOP, _format_feval_name("sklearn")),
        ),
        Figure(
            "`feval` in lightgbm, against LightGBM's own metric",
            get_time_ratio(_format_feval_name("lightgbm"), _LIGHTGBM),
        ),
        Figure(
            f"`gainful reconcile` of {evals} `gainful eval`",
            get_time_ratio(_RECONCILE_PROCESS, _EVAL_PROCESS),
        ),
        Figure(
            f"`gainful.reconcile` of {evals} `gainful.evaluate`",
            get_time_ratio(_RECONCILE_CALL, _EVALUATE_CALL),
        ),
        Figure("peak memory of `gainful eval` of them", get_peak_mb(_EVAL_PROCESS), unit=" MB"),
        Figure(
            "peak memory of `gainful reconcile` of them",
            get_peak_mb(_RECONCILE_PROCESS),
            unit=" MB",
        ),
        Figure(
            "start-up: `gainful eval --dialect lightgbm` of ten lines against `gainful eval`",
            get_time_ratio(_TEN_LINES_DIALECT, _TEN_LINES),
        ),
    ]


def _make_evaluations(data: Collection, measure: str) -> list[Contender]:
    """Return contenders for Gainful's definition and every dialect."""
    task = "gainful.evaluate in a dialect"
    arguments = {_format_name(data, measure, dialect): [dialect] for dialect in _NAMES}
    return [
        make_task(task, measure, *dialect, collection=data).with_name(name).with_answer(name)
        for name, dialect in {_format_name(data, measure): [], **arguments}.items()
    ]


def _format_name(data: Collection, measure: str, dialect: str = "") -> str:
    suffix = f" in {dialect}" if dialect else ""
    return f"{measure}{suffix}, {data.queries:,} queries"


def _make_array_calls(size: Size) -> list[Contender]:
    names = (_NDCG, _DIALECT_NDCG, _ADAPTER, _SKLEARN)
    tasks = [name.replace(", k=10", "") for name in names]
    return [
        make_task(task, str(size.rows), "3", "10")
        .with_name(name)
        .with_answer("mean nDCG, k=10, ties")
        for task, name in zip(tasks, names, strict=True)
    ]


def _make_group_calls(size: Size) -> list[Contender]:
    """Return LightGBM's groups in two dialects and in the tools they are named after."""
    lists = (str(size.rows), str(_ITEMS))
    return [
        *(
            make_task(_FEVAL, *lists, dialect)
            .with_name(_format_feval_name(dialect))
            .with_answer(dialect)
            for dialect in ("lightgbm", "sklearn")
        ),
        make_task(_LIGHTGBM, *lists).with_answer("lightgbm"),
        make_task(_LOOP, *lists).with_answer("sklearn"),
    ]


def _format_feval_name(dialect: str) -> str:
    return f"{_FEVAL}, dialect={dialect}"


def _make_reconciliations(data: Collection) -> list[Contender]:
    command = (COMMAND, "reconcile", data.qrels, *data.run_paths)
    return [
        make_gainful_eval(data).with_name(_EVAL_PROCESS).with_answer("reconcile"),
        Contender(_RECONCILE_PROCESS, command, "gainful", data),
        *(
            make_task(task, *words, collection=data).with_name(name).with_answer("reconcile")
            for task, words, name in (
                ("gainful.evaluate in a dialect", ["nDCG@10"], _EVALUATE_CALL),
                ("gainful.reconcile", [], _RECONCILE_CALL),
            )
        ),
    ]
