"""Dialects, compared with Gainful's own definition and with the tools they are named for."""

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
_FEVAL, _OWN = "gainful.adapters.lightgbm.feval", "LightGBM, metric=ndcg"
_LOOP = "sklearn.metrics.ndcg_score, group by group"
_PLAIN, _SPOKEN = "gainful.ndcg, k=10", "gainful.ndcg, k=10, dialect=sklearn"
_ADAPTED, _THEIRS = (
    "gainful.adapters.sklearn.ndcg_score, k=10",
    "sklearn.metrics.ndcg_score, k=10",
)
_EVAL, _RECONCILE = "gainful eval, whole process", "gainful reconcile, whole process"
_EVALUATING, _TRANSLATING = "gainful.evaluate", "gainful.reconcile"
_TEN, _TEN_SPOKEN = make_ten_lines().name, "gainful, ten lines, --dialect lightgbm"


def dialects(size: Size) -> Group:
    """Compare measures in dialects with Gainful's own, and with the tools themselves."""
    several = [Collection(size.queries), Collection(max(1, size.queries // 10))]
    thousand = Collection(min(1000, size.queries))
    return Group(
        title="Dialects",
        text=(
            f"`gainful.evaluate` of files, with a dialect and without: {several[0]}, and a tenth "
            f"of the queries. Arrays: {size.rows:,} x 1,000 labels and scores, many of them tied. "
            f"LightGBM: {size.rows:,} groups x {_ITEMS} items. Reconcile: {thousand}, nDCG@10 in "
            "all dialects, and why they differ. All of these are timed inside the process, which "
            "has imported the package, unless they are said to be whole processes; so are those "
            f"of ten lines: {TINY}."
        ),
        contenders=[
            *(
                one
                for data in several
                for measure in _MEASURES
                for one in _make_evaluations(data, measure)
            ),
            *_make_array_calls(size),
            *_make_group_calls(size),
            *_make_reconciliations(thousand),
            make_ten_lines(),
            make_gainful_eval(TINY, "--dialect", "lightgbm")
            .with_name(_TEN_SPOKEN)
            .with_answer("of ten lines"),
        ],
        base=_format_name(several[0], _MEASURES[0]),
        figures=[
            *(
                Figure(
                    f"{measure} in {dialect} against Gainful's own, {data.queries:,} queries",
                    get_time_ratio(
                        _format_name(data, measure, dialect), _format_name(data, measure)
                    ),
                )
                for data in several
                for measure in _MEASURES
                for dialect in _NAMES
            ),
            *_make_figures(thousand),
        ],
    )


def _make_figures(thousand: Collection) -> list[Figure]:
    evals = f"{thousand.queries:,} queries, in"
    return [
        Figure(f"`{_SPOKEN}`, times as fast as scikit-learn", get_time_ratio(_THEIRS, _SPOKEN)),
        Figure(f"`{_ADAPTED}`, times as fast as scikit-learn", get_time_ratio(_THEIRS, _ADAPTED)),
        Figure(f"`{_SPOKEN}`, against no dialect", get_time_ratio(_SPOKEN, _PLAIN)),
        Figure(
            "`feval` in sklearn, times as fast as scikit-learn's `ndcg_score` group by group",
            get_time_ratio(_LOOP, _format_feval_name("sklearn")),
        ),
        Figure(
            "`feval` in lightgbm, against LightGBM's own metric",
            get_time_ratio(_format_feval_name("lightgbm"), _OWN),
        ),
        Figure(f"`gainful reconcile` of {evals} `gainful eval`", get_time_ratio(_RECONCILE, _EVAL)),
        Figure(
            f"`gainful.reconcile` of {evals} `gainful.evaluate`",
            get_time_ratio(_TRANSLATING, _EVALUATING),
        ),
        Figure("peak memory of `gainful eval` of them", get_peak_mb(_EVAL), unit=" MB"),
        Figure("peak memory of `gainful reconcile` of them", get_peak_mb(_RECONCILE), unit=" MB"),
        Figure(
            "start-up: `gainful eval --dialect lightgbm` of ten lines against `gainful eval`",
            get_time_ratio(_TEN_SPOKEN, _TEN),
        ),
    ]


def _make_evaluations(data: Collection, measure: str) -> list[Contender]:
    """Return Gainful's own definition first, then every dialect."""
    task = "gainful.evaluate in a dialect"
    each = {_format_name(data, measure, dialect): [dialect] for dialect in _NAMES}
    return [
        make_task(task, measure, *dialect, collection=data).with_name(name).with_answer(name)
        for name, dialect in {_format_name(data, measure): [], **each}.items()
    ]


def _format_name(data: Collection, measure: str, dialect: str = "") -> str:
    spoken = f" in {dialect}" if dialect else ""
    return f"{measure}{spoken}, {data.queries:,} queries"


def _make_array_calls(size: Size) -> list[Contender]:
    names = (_PLAIN, _SPOKEN, _ADAPTED, _THEIRS)
    tasks = [name.replace(", k=10", "") for name in names]
    return [
        make_task(task, str(size.rows), "3", "10")
        .with_name(name)
        .with_answer("mean nDCG, k=10, ties")
        for task, name in zip(tasks, names, strict=True)
    ]


def _make_group_calls(size: Size) -> list[Contender]:
    """Return LightGBM's groups, in two dialects, and by the tools they are named for."""
    lists = (str(size.rows), str(_ITEMS))
    return [
        *(
            make_task(_FEVAL, *lists, dialect)
            .with_name(_format_feval_name(dialect))
            .with_answer(dialect)
            for dialect in ("lightgbm", "sklearn")
        ),
        make_task(_OWN, *lists).with_answer("lightgbm"),
        make_task(_LOOP, *lists).with_answer("sklearn"),
    ]


def _format_feval_name(dialect: str) -> str:
    return f"{_FEVAL}, dialect={dialect}"


def _make_reconciliations(data: Collection) -> list[Contender]:
    command = (COMMAND, "reconcile", data.qrels, *data.run_paths)
    return [
        make_gainful_eval(data).with_name(_EVAL).with_answer("reconcile"),
        Contender(_RECONCILE, command, "gainful", data),
        *(
            make_task(task, *words, collection=data).with_name(name).with_answer("reconcile")
            for task, words, name in (
                ("gainful.evaluate in a dialect", ["nDCG@10"], _EVALUATING),
                ("gainful.reconcile", [], _TRANSLATING),
            )
        ),
    ]
