"""Dialects: beside Gainful's own definition, and beside the tools they are named for."""

from bench.contenders import COMMAND, Contender, gainful, inside, ten_lines
from bench.data import TINY, Collection
from bench.figures import Figure, peak_mb, time_ratio
from bench.groups._declare import Group, Size

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
_TEN, _TEN_SPOKEN = ten_lines().name, "gainful, ten lines, --dialect lightgbm"


def dialects(size: Size) -> Group:
    """What it costs to speak as another tool does, and what the tool itself takes."""
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
            *(one for data in several for measure in _MEASURES for one in _spoken(data, measure)),
            *_of_arrays(size),
            *_of_groups(size),
            *_of_reconcile(thousand),
            ten_lines(),
            gainful(TINY, "--dialect", "lightgbm").called(_TEN_SPOKEN).answering("of ten lines"),
        ],
        base=_name(several[0], _MEASURES[0]),
        figures=[
            *(
                Figure(
                    f"{measure} in {dialect} against Gainful's own, {data.queries:,} queries",
                    time_ratio(_name(data, measure, dialect), _name(data, measure)),
                )
                for data in several
                for measure in _MEASURES
                for dialect in _NAMES
            ),
            *_figures(thousand),
        ],
    )


def _figures(thousand: Collection) -> list[Figure]:
    evals = f"{thousand.queries:,} queries, in"
    return [
        Figure(f"`{_SPOKEN}`, times as fast as scikit-learn", time_ratio(_THEIRS, _SPOKEN)),
        Figure(f"`{_ADAPTED}`, times as fast as scikit-learn", time_ratio(_THEIRS, _ADAPTED)),
        Figure(f"`{_SPOKEN}`, against no dialect", time_ratio(_SPOKEN, _PLAIN)),
        Figure(
            "`feval` in sklearn, times as fast as scikit-learn's `ndcg_score` group by group",
            time_ratio(_LOOP, _lists("sklearn")),
        ),
        Figure(
            "`feval` in lightgbm, against LightGBM's own metric",
            time_ratio(_lists("lightgbm"), _OWN),
        ),
        Figure(f"`gainful reconcile` of {evals} `gainful eval`", time_ratio(_RECONCILE, _EVAL)),
        Figure(
            f"`gainful.reconcile` of {evals} `gainful.evaluate`",
            time_ratio(_TRANSLATING, _EVALUATING),
        ),
        Figure("peak memory of `gainful eval` of them", peak_mb(_EVAL), unit=" MB"),
        Figure("peak memory of `gainful reconcile` of them", peak_mb(_RECONCILE), unit=" MB"),
        Figure(
            "start-up: `gainful eval --dialect lightgbm` of ten lines against `gainful eval`",
            time_ratio(_TEN_SPOKEN, _TEN),
        ),
    ]


def _spoken(data: Collection, measure: str) -> list[Contender]:
    """Gainful's own definition first, then every dialect."""
    task = "gainful.evaluate in a dialect"
    each = {_name(data, measure, dialect): [dialect] for dialect in _NAMES}
    return [
        inside(task, measure, *dialect, collection=data).called(name).answering(name)
        for name, dialect in {_name(data, measure): [], **each}.items()
    ]


def _name(data: Collection, measure: str, dialect: str = "") -> str:
    spoken = f" in {dialect}" if dialect else ""
    return f"{measure}{spoken}, {data.queries:,} queries"


def _of_arrays(size: Size) -> list[Contender]:
    names = (_PLAIN, _SPOKEN, _ADAPTED, _THEIRS)
    tasks = [name.replace(", k=10", "") for name in names]
    return [
        inside(task, str(size.rows), "3", "10").called(name).answering("mean nDCG, k=10, ties")
        for task, name in zip(tasks, names, strict=True)
    ]


def _of_groups(size: Size) -> list[Contender]:
    """LightGBM's groups, in two dialects, and by the tools they are named for."""
    lists = (str(size.rows), str(_ITEMS))
    return [
        *(
            inside(_FEVAL, *lists, dialect).called(_lists(dialect)).answering(dialect)
            for dialect in ("lightgbm", "sklearn")
        ),
        inside(_OWN, *lists).answering("lightgbm"),
        inside(_LOOP, *lists).answering("sklearn"),
    ]


def _lists(dialect: str) -> str:
    return f"{_FEVAL}, dialect={dialect}"


def _of_reconcile(data: Collection) -> list[Contender]:
    command = (COMMAND, "reconcile", data.qrels, *data.run_paths)
    return [
        gainful(data).called(_EVAL).answering("reconcile"),
        Contender(_RECONCILE, command, "gainful", data),
        *(
            inside(task, *words, collection=data).called(name).answering("reconcile")
            for task, words, name in (
                ("gainful.evaluate in a dialect", ["nDCG@10"], _EVALUATING),
                ("gainful.reconcile", [], _TRANSLATING),
            )
        ),
    ]
