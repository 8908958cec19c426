"""Read anything that holds qrels or a run, and name runs: ``read_qrels()``, ``read_run()``."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gainful.base import Progress, ReadOptions, _native, get_file_stem, suggest_name
from gainful.errors import ComparisonError, SourceError
from gainful.sources.detect import PLAIN, has_item_ids, is_path
from gainful.sources.feed import find_format, push_source
from gainful.sources.formats import FORMATS, Collapse, DuplicateRules, ReadRules, ReadSpec
from gainful.sources.items import ItemData, read_item_data
from gainful.sources.judgments import (
    DEFAULT_GROUP,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
)
from gainful.sources.run import Run

if TYPE_CHECKING:
    from gainful.sources.columns import Columns
    from gainful.sources.frames import ArrowTable
    from gainful.sources.learning_to_rank import Grouped
    from gainful.sources.objects import Matrix
    from gainful.sources.queries import QueryData

    Source: TypeAlias = (
        str
        | os.PathLike[str]
        | Mapping[Any, Any]
        | Iterable[Any]
        | ArrowTable
        | Columns
        | Grouped
        | Matrix
    )

else:
    Source = Any  # the classes are loaded when they are used


def read_qrels(
    source: Source | Judgments,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
    duplicates: str = "error",
    collapse: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Judgments:
    """Read and index the judgments in a file, a data frame or an object.

    Args:
        source: A path (``-`` is standard input) to a file in any format, its content telling
            which; a data frame or table of any library; ``{query: {item: label}}``, the relevant
            items alone as ``{query: {item, ...}}``, or dicts and lists as a JSON file may have
            them; rows, such as named tuples; ``Columns``, ``Grouped``, ``Matrix``, an array of
            queries by items or a sparse matrix; a data set of Hugging Face or ir_datasets; or
            judgments that were read before, which come back as they are.
        format: The format of a file, if it cannot be detected from the content.
        columns: What the columns of a table are called: ``{"query": "qid", "item": "docno"}``.
        labels: What words mean as labels: ``{"good": 2, "fair": 1, "bad": 0}``.
        duplicates: How to treat an item judged twice, as in ``Rules``.
        collapse: What items are parts of, as in ``Rules``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The judgments, indexed once for any number of runs.

    Raises:
        SourceError: The source cannot be read; the message names the file, the line and the value.
        RuleError: ``duplicates`` or ``collapse`` is not a value of that rule.

    >>> read_qrels({"q1": {"d1": 3, "d2": 0}})
    <Judgments 'qrels': 1 query, 2 judgments>
    """
    rules = DuplicateRules(duplicates=duplicates, collapse=collapse)
    read_options = ReadOptions(threads, progress)
    return read_judgments(
        source, rules, read_options, format=format, columns=columns, labels=labels
    )


def read_judgments(
    source: Source | Judgments,
    rules: ReadRules,
    read_options: ReadOptions,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
) -> Judgments:
    """Read judgments as ``read_qrels`` does, with rules that are already checked."""
    judgments = index_qrels(
        source, rules, read_options, format=format, columns=columns, labels=labels
    )
    if not judgments.queries:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def index_qrels(
    source: Source | Judgments,
    rules: ReadRules,
    read_options: ReadOptions,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
) -> Judgments:
    """Read judgments as ``read_judgments`` does, but accept a source that has none."""
    if isinstance(source, Judgments):
        return source
    form = find_format(source, "qrels", format)
    name = os.fspath(source) if is_path(source) else "qrels"  # type: ignore[arg-type]
    parts = None if rules.collapse is None else Collapse(rules.collapse)
    spec = ReadSpec("qrels", name, columns or {}, labels, collapse=parts)
    index = _native.Index(read_options.native)
    duplicates = getattr(_native.Duplicates, rules.duplicate_rule)
    _, locator = push_source(
        source, form, spec, index, read_options, lambda: index.finish(duplicates)
    )
    return Judgments(name, index, rules.duplicate_rule, locator, has_item_ids(source))


def read_subtopics(
    source: Source | GroupedJudgments, *, duplicates: str = "error"
) -> GroupedJudgments:
    """Read judgments of items for the subtopics of each query, or by several judges.

    Args:
        source: A path to a file with the columns query, subtopic, item and label (``-`` is
            standard input), ``{query: {subtopic: {item: label}}}``, ``Columns``, or what was read
            before, which comes back as it is.
        duplicates: How to treat an item judged twice for a subtopic, as in ``Rules``.

    Returns:
        The judgments, to be passed as ``qrels``.

    Raises:
        SourceError: The source cannot be read; the message names the file, the line and the value.

    >>> read_subtopics({"q1": {"price": {"d1": 1, "d2": 0}, "size": {"d1": 1}}})
    <GroupedJudgments 'qrels': 2 subtopics, 3 judgments>
    """
    if isinstance(source, GroupedJudgments):
        return source
    rule = DuplicateRules(duplicates=duplicates).duplicates
    judgments: GroupedJudgments = _read_judgment_type(source, "subtopics").deduplicate(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def read_preferences(
    source: Source | PreferenceJudgments | Judgments | GroupedJudgments,
    *,
    duplicates: str = "error",
) -> PreferenceJudgments:
    """Read the preferences between items that judges state, group by group.

    Qrels that were read before become preferences too, a higher label being preferred to a lower:
    every query has one group, or one for each subtopic. The latter, made from a file of qrels by
    ``read_preferences(read_subtopics(path))``, is what trec_eval calls qrels_prefs: the second
    column is the group.

    Args:
        source: A path to a file with the columns query, group, subgroup, item and level (``-`` is
            standard input), ``{query: {group: {item: level}}}`` or ``{query: {group: {subgroup:
            {item: level}}}}``, ``Columns``, what ``read_qrels`` or ``read_subtopics`` returned, or
            what was read before, which comes back as it is.
        duplicates: How to treat an item judged twice in a subgroup, as in ``Rules``. trec_eval
            refuses two levels if the group has one subgroup, and counts an item twice whose line
            is repeated.

    Returns:
        The judgments, to be passed as ``qrels``.

    Raises:
        SourceError: The source cannot be read; the message names the file, the line and the value.

    >>> read_preferences({"q1": {"anna": {"d1": 2, "d2": 1}, "bert": {"d2": 1, "d1": 0}}})
    <PreferenceJudgments 'preferences': 2 groups, 4 judgments>
    """
    if isinstance(source, PreferenceJudgments):
        return source
    rule = DuplicateRules(duplicates=duplicates).duplicates
    if isinstance(source, Judgments | GroupedJudgments):
        judgments = _qrels_to_preferences(source)
    else:
        judgments = _read_judgment_type(source, "preferences").deduplicate(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def _qrels_to_preferences(qrels: Judgments | GroupedJudgments) -> PreferenceJudgments:
    if isinstance(qrels, GroupedJudgments):
        only = [DEFAULT_GROUP] * len(qrels.query)
        columns = qrels.query, qrels.group, only, qrels.item, qrels.label
        counts = qrels.n_comments, qrels.n_duplicates
    else:
        judgments = [qrels.index.judgments(number) for number in range(len(qrels.queries))]
        query = [
            value for value, content in zip(qrels.queries, judgments, strict=True) for _ in content
        ]
        item = [item for content in judgments for item, _ in content]
        label = np.array([label for content in judgments for _, label in content])
        only = [DEFAULT_GROUP] * len(query)
        columns = query, only, only, item, label
        counts = qrels.n_comments, qrels.index.n_duplicates
    return PreferenceJudgments(qrels.name, *columns, *counts, qrels.duplicates)


def read_items(
    source: object, *, n_users: int | None = None, columns: Mapping[str, Any] | None = None
) -> ItemData:
    """Read item data: the catalog, titles and urls, popularity, features.

    Args:
        source: A path (``-`` is standard input) to a table with a header and an item column (CSV,
            TSV, JSON, JSON lines, Parquet or Arrow), or to a file without one that has the columns
            item, popularity and features; a data frame; ``{item: {column: value}}``;
            ``{column: [value, ...]}``; or ``ItemData``, which comes back as it is.
        n_users: How many users there are, where the source does not say.
        columns: What the columns of a table are called, if their names are unusual:
            ``{"item": "asin", "title": "label", "url": ..., "popularity": ...}``. Features are read
            only from those named here: ``{"features": ["price", "age"]}``, or one column of lists.

    Returns:
        The item data.

    Raises:
        SourceError: The source cannot be read; the message names the file, the line and the value.

    >>> read_items(ItemData(catalog=["a", "b", "c"]))
    <ItemData 'items': 3 in the catalog, 0 with popularity, 0 with features>
    """
    data = read_item_data(source, columns or {})
    return data if n_users is None else replace(data, n_users=n_users)


def read_queries(source: object, *, columns: Mapping[str, str] | None = None) -> "QueryData":
    """Read query data, from which slices and weights are made.

    Args:
        source: Any table with a query column: a path (``-`` is standard input) to CSV, TSV, JSON,
            JSON lines, Parquet or Arrow with a header; a data frame; ``{query: {column: value}}``;
            ``{column: [value, ...]}``; or ``QueryData``, which comes back as it is.
        columns: What the query column is called, if its name is unusual: ``{"query": "search"}``.

    Returns:
        The query data.

    Raises:
        SourceError: The source cannot be read; the message names the file, the line and the value.

    >>> read_queries({"q1": {"category": "shoes", "weight": 3}, "q2": {"category": "hats"}})
    <QueryData 'queries': 2 queries, category, weight>
    """
    from gainful.sources.queries import read_query_table  # only who has such data pays for it

    return read_query_table(source, columns or {})


def read_run(
    source: Source | Run,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Run:
    """Name a run in a file, a data frame or an object; it is read when it is evaluated.

    Args:
        source: A path (``-`` is standard input) to a file in any format, its content telling
            which; a data frame or table of any library; ``{query: {item: score}}``, items in order
            as ``{query: [item, ...]}``, or dicts and lists as a JSON file may have them; rows, such
            as named tuples; ``Columns``, ``Grouped``, ``Matrix``, an array of queries by items or a
            sparse matrix; scores alone, one for each row of the qrels; a data set of Hugging Face
            or ir_datasets; or a Run.
        name: What to call it; by default the file's name without its extension.
        format: The format of a file, if it cannot be detected from the content.
        columns: What the columns of a table are called: ``{"query": "qid", "item": "docno"}``.

    Returns:
        The named run.

    Raises:
        SourceError: The object or the format is not one that can be read. What is wrong in a file
            is raised when it is evaluated.

    >>> read_run("runs/bm25.txt").name
    'bm25'
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    form = find_format(source, "run", format)
    if name is None:
        name = get_file_stem(source) if is_path(source) else "run"  # type: ignore[arg-type]
    if form is not None and form.name == "rows" and isinstance(source, Iterator):
        source = list(source)  # it may be evaluated twice
    return Run(name, source, form, columns or {})


def _read_judgment_type(source: object, holds: str) -> Any:
    """Read judgments of another type than qrels."""
    form = find_format(source, holds) or FORMATS[holds, PLAIN[holds]]
    return form.read(source)


_ONE_TABLE = ("__arrow_c_stream__", "__array__", "__dataframe__")


def name_runs(runs: Any) -> list[Run]:
    """Return the runs, to be read when they are evaluated, no two of the same name.

    Args:
        runs: ``{name: run}``, or runs in a list, which have their own names. Those that share a
            name in a list are numbered: ``bm25-1``, ``bm25-2``. A file may stand alone.

    >>> [run.name for run in name_runs(["a/bm25.run", "b/bm25.run", "dense.run"])]
    ['bm25-1', 'bm25-2', 'dense']
    >>> [run.name for run in name_runs({"old": "a/bm25.run", "new": "b/bm25.run"})]
    ['old', 'new']
    """
    if isinstance(runs, Mapping):
        _check_mapping(runs)
        return [read_run(run, name=_check_name(name)) for name, run in runs.items()]
    if isinstance(runs, str | os.PathLike | Run):
        runs = [runs]
    if not _is_collection(runs):
        message = f"runs: must be a list of runs, or {{name: run}}, got {runs!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    unnamed = [read_run(run) for run in runs]
    names = make_names_distinct([run.name for run in unnamed])
    return [read_run(run, name=name) for run, name in zip(unnamed, names, strict=True)]


def find_run_name(baseline: str | os.PathLike[str] | None, runs: Sequence[Run]) -> str | None:
    """Return the name of the baseline, which may be given by its path, or by its file's name.

    >>> find_run_name("a/bm25.run", name_runs(["a/bm25.run", "dense.run"]))
    'bm25'
    """
    if baseline is None:
        return None
    target, names = os.fspath(baseline), [run.name for run in runs]
    matches_by_path = [run.name for run in runs if _get_path(run) == os.path.normpath(target)]
    matches_by_file = [run.name for run in runs if os.path.basename(_get_path(run)) == target]
    if target in names:
        return target
    if matches_by_path or len(matches_by_file) == 1:
        return (matches_by_path or matches_by_file)[0]
    message = (
        f"baseline: must be one of {', '.join(names)}, got {target!r}.{suggest_name(target, names)}"
    )
    raise ComparisonError(message, code="unknown-run")


def _get_path(run: Run) -> str:
    return os.path.normpath(run.source) if isinstance(run.source, str | os.PathLike) else ""


def _is_collection(runs: object) -> bool:
    """Return whether it is a collection of runs, and not a table, which would be one run."""
    return isinstance(runs, Iterable) and not (
        isinstance(runs, bytes) or any(hasattr(runs, name) for name in _ONE_TABLE)
    )


def _check_mapping(runs: Mapping[Any, Any]) -> None:
    """Raise an error if the keys are queries, not names of runs."""
    first = next(iter(runs.values()), None)
    content = first.values() if isinstance(first, Mapping) else first
    first_value = next(iter(content), None) if isinstance(content, Collection) else None
    items = isinstance(first, Mapping) and isinstance(first_value, int | float)
    if items or (isinstance(first, list | tuple) and isinstance(first_value, str)):
        message = (
            f"runs: must be {{name: run}}, got one run, whose first query is {next(iter(runs))!r}. "
            "Pass it in a list."
        )
        raise ComparisonError(message, code="wrong-type")


def _check_name(name: object) -> str:
    if not isinstance(name, str):
        message = f"runs: the name of a run must be text, got {name!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    return name


def make_names_distinct(names: list[str]) -> Iterator[str]:
    """Number names that occur more than once, so that all are distinct."""
    times = Counter(names)
    used = {name for name in names if times[name] == 1}
    for name in names:
        if times[name] == 1:
            yield name
            continue
        number = next(n for n in range(1, 2 * len(names) + 1) if f"{name}-{n}" not in used)
        used.add(f"{name}-{number}")
        yield f"{name}-{number}"
