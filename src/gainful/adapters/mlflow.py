"""log_to_mlflow(): what was measured, into a run of MLflow."""

import json
import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from gainful.base import Interval, import_package
from gainful.errors import OutputError
from gainful.evaluation import Scores
from gainful.sources import make_names_distinct
from gainful.stats import Comparison, compute_mean_interval

# What MLflow 3 allows on every system; a colon is refused on Windows.
_ILLEGAL = re.compile(r"[^/\w.\- ]+")
_MAX_LENGTH = 250


def make_metric_names(measures: Iterable[object]) -> dict[str, str]:
    """Return a distinct name for each measure, by the text of the measure.

    >>> make_metric_names(["nDCG@10", "P(rel=2)@5", "AP"])
    {'nDCG@10': 'nDCG_at_10', 'P(rel=2)@5': 'P_rel_2_at_5', 'AP': 'AP'}
    """
    names: dict[str, str] = {}
    for text in map(str, measures):
        name = replace_illegal(text)
        n_same = sum(
            re.fullmatch(rf"{re.escape(name)}(__\d+)?", other) is not None
            for other in names.values()
        )
        names[text] = f"{name}__{n_same + 1}" if n_same else name
    return names


def replace_illegal(text: str) -> str:
    """Return the text with the characters that MLflow refuses in names replaced.

    >>> replace_illegal("nDCG(gain=exp2)@10"), replace_illegal("runs/bm25 (new)")
    ('nDCG_gain_exp2_at_10', 'runs_bm25 _new')
    """
    name = text.replace(")@", "@").replace("@", "_at_").replace("/", "_")
    return _ILLEGAL.sub("_", name).strip("_ ") or "_"


def check_prefix(prefix: str) -> str:
    """Return the prefix; raise an error if names that begin with it are not legal.

    >>> check_prefix("valid/")
    'valid/'
    """
    if not isinstance(prefix, str) or _ILLEGAL.search(prefix):
        message = f"prefix: may hold letters, digits, and _ - . / or spaces, got {prefix!r:.60}."
        raise OutputError(message, code="bad-name")
    return check_name(f"{prefix}n_queries")[: len(prefix)]


def check_name(name: str) -> str:
    """Return the name; raise an error if it is not a normalized path, or too long for MLflow."""
    if posixpath.normpath(name) != name or name.startswith(("/", "..")):
        message = f"prefix: must make a path in plain form, such as valid/nDCG, got {name!r:.60}."
        raise OutputError(message, code="bad-name")
    if len(name) > _MAX_LENGTH:
        message = (
            f"MLflow: a name must have at most {_MAX_LENGTH} letters, "
            f"got {len(name)}: {name:.60}..."
        )
        raise OutputError(message, code="bad-name")
    return name


_FOLDER = "gainful"


class LoggedContent(NamedTuple):
    """The content that was logged into a run of MLflow.

    Attributes:
        run_id: The run.
        params: Every parameter by its name.
        metrics: Every metric by its name.
        artifacts: The path of every file among the artifacts of the run.
    """

    run_id: str
    params: dict[str, str]
    metrics: dict[str, float]
    artifacts: tuple[str, ...]


class _Content(NamedTuple):
    """The content to log, by name: files by their path, texts by their content."""

    params: dict[str, str]
    metrics: dict[str, float]
    texts: dict[str, str]
    files: dict[str, str]


def log_to_mlflow(
    scores: Scores | Comparison | Iterable[Scores],
    *,
    client: object = None,
    run_id: str | None = None,
    prefix: str = "",
    step: int | None = None,
    report: object = None,
    per_query: bool = True,
) -> LoggedContent:
    """Log means, their confidence intervals and the definition into a run of MLflow.

    Metrics are the mean of every measure, where it lies with a confidence of 95% (``_low`` and
    ``_high``, by Student's t), and ``n_queries``. Parameters are the rules and the dialect; MLflow
    refuses to change them, so that one name never stands for two definitions. Artifacts, in the
    folder ``gainful``, are the values of every query, the notices, and the names of the measures:
    MLflow takes no ``@`` and no brackets, so that ``nDCG@10`` is logged as ``nDCG_at_10``.

    Of several Scores, and of a Comparison, names begin with that of their run, as in
    ``bm25/nDCG_at_10``. A Comparison adds differences and adjusted p-values.

    If MLflow fails half-way, the error names what it has not logged.

    Args:
        scores: What ``evaluate`` returned, some of them, or what ``compare`` returned.
        client: An ``MlflowClient``; one of MLflow's own making if None.
        run_id: The run to log into; the active one if None.
        prefix: What all names begin with, as in ``"valid/"``.
        step: The step or epoch that the values belong to.
        report: An HTML file to keep with them, by its path, or what ``write_report`` returned.
        per_query: Whether the values of every query are kept.

    Returns:
        The id of the run, and the parameters, metrics and artifacts that were logged.

    Raises:
        OutputError: A name is not allowed in MLflow, or MLflow failed.
        PackageError: MLflow is not installed, and no client is given.

    >>> import gainful
    >>> class Client:  # stands in for mlflow.MlflowClient()
    ...     def log_param(self, run_id, key, value): ...
    ...     def log_metric(self, run_id, key, value, step=None): ...
    ...     def log_text(self, run_id, text, artifact_file): ...
    >>> scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "nDCG@10")
    >>> logged = log_to_mlflow(scores, client=Client(), run_id="7")
    >>> logged.metrics
    {'nDCG_at_10': 1.0, 'n_queries': 1.0}
    >>> logged.artifacts
    ('gainful/measures.json', 'gainful/per_query.csv')
    """
    prefix = check_prefix(prefix)
    content = _collect_content(
        scores, prefix, "" if step is None else f"step_{step}/", per_query=per_query
    )
    if report is not None:
        path = _check_report(report)
        content.files[f"{_FOLDER}/{prefix}{os.path.basename(path)}"] = path
    client, run_id = _get_target(client, run_id)
    _run_calls(list(_list_calls(client, run_id, content, step)))
    return LoggedContent(run_id, content.params, content.metrics, (*content.texts, *content.files))


def _collect_content(
    results: object, prefix: str, step_folder: str, *, per_query: bool
) -> _Content:
    folder = f"{_FOLDER}/{prefix}{step_folder}"
    if isinstance(results, Comparison):
        return _collect_comparison(results, prefix, folder, per_query=per_query)
    if isinstance(results, Scores):
        return _collect_scores(results, prefix, folder, per_query=per_query)
    all_scores = list(results) if isinstance(results, Iterable) else []
    if not all_scores or not all(isinstance(scores, Scores) for scores in all_scores):
        message = f"log_to_mlflow: must be given Scores or a Comparison, got {results!r:.60}."
        raise OutputError(message, code="wrong-type")
    names = make_names_distinct([replace_illegal(scores.run) for scores in all_scores])
    contents = [
        _collect_scores(scores, f"{prefix}{name}/", f"{folder}{name}/", per_query=per_query)
        for scores, name in zip(all_scores, names, strict=True)
    ]
    return _Content(
        *({k: v for part in kind for k, v in part.items()} for kind in zip(*contents, strict=True))
    )


def _collect_scores(scores: Scores, prefix: str, folder: str, *, per_query: bool) -> _Content:
    names = make_metric_names(scores.measures)
    metrics: dict[str, float] = {}
    for measure in scores.measures:
        name = prefix + names[str(measure)]
        metrics[name] = scores[measure]
        if measure.average == "mean" and not measure.whole and scores.weights is None:
            metrics |= _get_interval_ends(name, compute_mean_interval(scores.column(measure)))
    metrics[f"{prefix}n_queries"] = float(len(scores.queries))
    dialect = "gainful" if scores.dialect is None else scores.dialect.name
    params = {f"{prefix}rules": str(scores.rules), f"{prefix}dialect": dialect}
    texts = {f"{folder}measures.json": _format_measures(names)}
    if per_query:
        texts[f"{folder}per_query.csv"] = scores.to_csv()
    return _Content(params, metrics, texts | _format_notices(scores, folder), {})


def _collect_comparison(
    comparison: Comparison, prefix: str, folder: str, *, per_query: bool
) -> _Content:
    names = make_metric_names(comparison.measures)
    runs = dict(
        zip(
            comparison.runs,
            make_names_distinct([replace_illegal(run) for run in comparison.runs]),
            strict=True,
        )
    )
    metrics: dict[str, float] = {}
    for system in comparison.systems:
        name = f"{prefix}{runs[system.name]}/{names[str(system.measure)]}"
        metrics |= {name: system.mean, **_get_interval_ends(name, system.interval)}
    for pair in comparison.pairs:
        difference_name = f"{runs[pair.system]}_minus_{runs[pair.baseline]}"
        name = f"{prefix}{difference_name}/{names[str(pair.measure)]}"
        metrics |= {name: pair.difference, **_get_interval_ends(name, pair.interval)}
        metrics[f"{name}_p_adjusted"] = pair.p_adjusted
    metrics[f"{prefix}n_queries"] = float(len(comparison.queries))
    texts = {
        f"{folder}measures.json": _format_measures(names),
        f"{folder}pairs.csv": comparison.to_csv(),
        f"{folder}verdict.txt": f"{comparison.verdict}\n",
    }
    if per_query:
        texts[f"{folder}comparison.json"] = comparison.to_json()
    return _Content(
        {f"{prefix}rules": str(comparison.rules)},
        metrics,
        texts | _format_notices(comparison, folder),
        {},
    )


def _get_interval_ends(name: str, interval: Interval) -> dict[str, float]:
    """Return the ends of an interval; none if it is undefined."""
    ends = {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return {end: value for end, value in ends.items() if value == value}  # not NaN


def _format_measures(names: dict[str, str]) -> str:
    return json.dumps({name: measure for measure, name in names.items()}, indent=2) + "\n"


def _format_notices(results: Scores | Comparison, folder: str) -> dict[str, str]:
    lines = "".join(f"{notice.line}\n" for notice in results.notices)
    return {f"{folder}notices.txt": lines} if lines else {}


def _check_report(report: object) -> str:
    path = getattr(report, "path", report)
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
        message = (
            f"report: must be an HTML file, or what write_report() returned, got {report!r:.60}."
        )
        raise OutputError(message, code="wrong-type")
    return os.fspath(path)


def _get_target(client: object, run_id: str | None) -> tuple[Any, str]:
    """Return the client that logs, and the id of the run."""
    if client is not None and run_id is not None:
        return client, run_id
    mlflow = import_package("mlflow", "log_to_mlflow", install="mlflow-skinny")
    if run_id is None:
        active = mlflow.active_run()
        if active is None:
            message = (
                "log_to_mlflow: no run of MLflow is active. "
                "Call it within mlflow.start_run(), or pass run_id=..."
            )
            raise OutputError(message, code="mlflow-failed")
        run_id = active.info.run_id
    return client or mlflow.MlflowClient(), str(run_id)


def _list_calls(
    client: Any, run_id: str, content: _Content, step: int | None
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what is logged, and the call that logs it.

    Parameters come first: where they contradict what is there, no metric is logged.
    """
    step_argument = {} if step is None else {"step": step}
    for key, value in content.params.items():
        yield f"param {check_name(key)}", partial(client.log_param, run_id, key, value)
    for key, number in content.metrics.items():
        call = partial(client.log_metric, run_id, key, number, **step_argument)
        yield f"metric {check_name(key)}", call
    for path, text in content.texts.items():
        yield f"artifact {path}", partial(client.log_text, run_id, text, path)
    for path, file in content.files.items():
        folder = os.path.dirname(path)
        yield f"artifact {path}", partial(client.log_artifact, run_id, file, folder)


def _run_calls(calls: list[tuple[str, Callable[[], Any]]]) -> None:
    for number, (label, call) in enumerate(calls):
        try:
            call()
        except Exception as error:
            remaining = ", ".join(name for name, _ in calls[number:])
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            message = (
                f"log_to_mlflow: {label} failed: {reason.rstrip('.'):.300}. "
                f"Not logged: {remaining}."
            )
            raise OutputError(message, code="mlflow-failed") from error
