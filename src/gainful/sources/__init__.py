"""Anything that holds qrels or a run, read: ``read_qrels()``, ``read_run()``."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gainful import _native
from gainful.errors import SourceError
from gainful.rules import Rules
from gainful.sources._changes import Steady
from gainful.sources._detect import PLAIN, is_path, is_spark
from gainful.sources._files import extension, opened, stem
from gainful.sources._format import FORMATS, Format
from gainful.sources._given import format_of, hand_over
from gainful.sources._handed import Handed
from gainful.sources._reading import Progress, Reading, cores
from gainful.sources._wanted import Wanted
from gainful.sources.collapse import Collapse
from gainful.sources.columns import Columns
from gainful.sources.groups import GroupedJudgments
from gainful.sources.items import ItemData
from gainful.sources.items import read_data as read_item_data
from gainful.sources.judgments import Judgments
from gainful.sources.preferences import ONLY, PreferenceJudgments
from gainful.sources.run import Run, lasts

if TYPE_CHECKING:
    from gainful.sources.frames import ArrowTable
    from gainful.sources.grouped import Grouped
    from gainful.sources.matrices import Matrix
    from gainful.sources.queries import QueryData

__all__ = [
    "FORMATS",
    "Collapse",
    "Columns",
    "Format",
    "GroupedJudgments",
    "Handed",
    "ItemData",
    "Judgments",
    "PreferenceJudgments",
    "Progress",
    "Reading",
    "Run",
    "Source",
    "Steady",
    "Wanted",
    "cores",
    "extension",
    "index_qrels",
    "is_path",
    "is_spark",
    "lasts",
    "opened",
    "read_item_data",
    "read_items",
    "read_judgments",
    "read_preferences",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_subtopics",
]

if TYPE_CHECKING:
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
    """The judgments in a file, a data frame or an object, indexed.

    Args:
        source: A path (``-`` is standard input) to a file in any format, its content telling
            which; a data frame or table of any library; ``{query: {item: label}}``, the relevant
            items alone as ``{query: {item, ...}}``, or dicts and lists as a JSON file may have
            them; rows, such as named tuples; ``Columns``, ``Grouped``, ``Matrix``, an array of
            queries by items or a sparse matrix; a data set of Hugging Face or ir_datasets; or
            judgments that were read before, which come back as they are.
        format: The format of a file, where its content does not tell.
        columns: What the columns of a table are called: ``{"query": "qid", "item": "docno"}``.
        labels: What words mean as labels: ``{"good": 2, "fair": 1, "bad": 0}``.
        duplicates: What becomes of an item judged twice, as in ``Rules``.
        collapse: What items are parts of, as in ``Rules``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> read_qrels({"q1": {"d1": 3, "d2": 0}})
    <Judgments 'qrels': 1 query, 2 judgments>
    """
    rules = Rules(duplicates=duplicates, collapse=collapse)
    known: Any = {"format": format, "columns": columns, "labels": labels}
    return read_judgments(source, rules, Reading(threads, progress), **known)


def read_judgments(
    source: Source | Judgments, rules: Rules, reading: Reading, **known: Any
) -> Judgments:
    """The same, by rules that are there already; ``known`` is as for ``read_qrels``."""
    judgments = index_qrels(source, rules, reading, **known)
    if not judgments.queries:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def index_qrels(
    source: Source | Judgments,
    rules: Rules,
    reading: Reading,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
) -> Judgments:
    """The same, even if there are no judgments in it."""
    if isinstance(source, Judgments):
        return source
    form = format_of(source, "qrels", format)
    name = os.fspath(source) if is_path(source) else "qrels"  # type: ignore[arg-type]
    parts = None if rules.collapse is None else Collapse(rules.collapse)
    wanted = Wanted("qrels", name, columns or {}, labels, collapse=parts)
    index = _native.Index(reading.native)
    kept = getattr(_native.Duplicates, rules.kept)
    _, handed = hand_over(source, form, wanted, index, reading, lambda: index.finish(kept))
    return Judgments(name, index, rules.kept, handed)


def read_subtopics(
    source: Source | GroupedJudgments, *, duplicates: str = "error"
) -> GroupedJudgments:
    """The judgments of items for the subtopics of each query, or by several judges.

    Args:
        source: A path to a file with the columns query, subtopic, item and label (``-`` is
            standard input), ``{query: {subtopic: {item: label}}}``, ``Columns``, or what was read
            before, which comes back as it is.
        duplicates: What becomes of an item judged twice for a subtopic, as in ``Rules``.

    >>> read_subtopics({"q1": {"price": {"d1": 1, "d2": 0}, "size": {"d1": 1}}})
    <GroupedJudgments 'qrels': 2 subtopics, 3 judgments>
    """
    if isinstance(source, GroupedJudgments):
        return source
    rule = Rules(duplicates=duplicates).duplicates
    judgments: GroupedJudgments = _of_kind(source, "subtopics").once(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def read_preferences(
    source: Source | PreferenceJudgments | Judgments | GroupedJudgments,
    *,
    duplicates: str = "error",
) -> PreferenceJudgments:
    """The preferences between items that judges state, group by group.

    Qrels that were read before become preferences too, a higher label being preferred to a lower:
    every query has one group, or one for each subtopic. The latter, made from a file of qrels by
    ``read_preferences(read_subtopics(path))``, is what trec_eval calls qrels_prefs: the second
    column is the group.

    Args:
        source: A path to a file with the columns query, group, subgroup, item and level (``-`` is
            standard input), ``{query: {group: {item: level}}}`` or ``{query: {group: {subgroup:
            {item: level}}}}``, ``Columns``, what ``read_qrels`` or ``read_subtopics`` returned, or
            what was read before, which comes back as it is.
        duplicates: What becomes of an item judged twice in a subgroup, as in ``Rules``. trec_eval
            refuses two levels if the group has one subgroup, and counts an item twice whose line
            is repeated.

    >>> read_preferences({"q1": {"anna": {"d1": 2, "d2": 1}, "bert": {"d2": 1, "d1": 0}}})
    <PreferenceJudgments 'preferences': 2 groups, 4 judgments>
    """
    if isinstance(source, PreferenceJudgments):
        return source
    rule = Rules(duplicates=duplicates).duplicates
    if isinstance(source, Judgments | GroupedJudgments):
        judgments = _as_preferences(source)
    else:
        judgments = _of_kind(source, "preferences").once(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    return judgments


def _as_preferences(qrels: Judgments | GroupedJudgments) -> PreferenceJudgments:
    if isinstance(qrels, GroupedJudgments):
        only = [ONLY] * len(qrels.query)
        columns = qrels.query, qrels.group, only, qrels.item, qrels.label
        dropped = qrels.n_comments, qrels.n_duplicates
    else:
        each = [qrels.index.judgments(number) for number in range(len(qrels.queries))]
        query = [one for one, held in zip(qrels.queries, each, strict=True) for _ in held]
        item = [item for held in each for item, _ in held]
        label = np.array([label for held in each for _, label in held])
        only = [ONLY] * len(query)
        columns = query, only, only, item, label
        dropped = qrels.n_comments, qrels.index.n_duplicates
    return PreferenceJudgments(qrels.name, *columns, *dropped, qrels.duplicates)


def read_items(
    source: Any, *, n_users: int | None = None, columns: Mapping[str, Any] | None = None
) -> ItemData:
    """What is known of items: the catalogue, titles and urls, how popular they are, their features.

    Args:
        source: A path (``-`` is standard input) to a table with a header and an item column (CSV,
            TSV, JSON, JSON lines, Parquet or Arrow), or to a file without one that has the columns
            item, popularity and features; a data frame; ``{item: {column: value}}``;
            ``{column: [value, ...]}``; or ``ItemData``, which comes back as it is.
        n_users: How many users there are, where the source does not say.
        columns: What the columns of a table are called, where they do not tell:
            ``{"item": "asin", "title": "label", "url": ..., "popularity": ...}``. Features are read
            only from those named here: ``{"features": ["price", "age"]}``, or one column of lists.

    >>> read_items(ItemData(catalogue=["a", "b", "c"]))
    <ItemData 'items': 3 in the catalogue, 0 with popularity, 0 with features>
    """
    data = read_item_data(source, columns or {})
    return data if n_users is None else replace(data, n_users=n_users)


def read_queries(source: Any, *, columns: Mapping[str, str] | None = None) -> "QueryData":
    """What is known of queries: what slices and weights are made of.

    Args:
        source: Any table with a query column: a path (``-`` is standard input) to CSV, TSV, JSON,
            JSON lines, Parquet or Arrow with a header; a data frame; ``{query: {column: value}}``;
            ``{column: [value, ...]}``; or ``QueryData``, which comes back as it is.
        columns: What the query column is called, where it does not tell: ``{"query": "search"}``.

    >>> read_queries({"q1": {"category": "shoes", "weight": 3}, "q2": {"category": "hats"}})
    <QueryData 'queries': 2 queries, category, weight>
    """
    from gainful.sources.queries import read_data  # only who has such data pays for it

    return read_data(source, columns or {})


def read_run(
    source: Source | Run,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Run:
    """A run from a file, a data frame or an object, to be read when it is evaluated.

    Args:
        source: A path (``-`` is standard input) to a file in any format, its content telling
            which; a data frame or table of any library; ``{query: {item: score}}``, items in order
            as ``{query: [item, ...]}``, or dicts and lists as a JSON file may have them; rows, such
            as named tuples; ``Columns``, ``Grouped``, ``Matrix``, an array of queries by items or a
            sparse matrix; scores alone, one for each row of the qrels; a data set of Hugging Face
            or ir_datasets; or a Run.
        name: What to call it; by default the file's name without its extension.
        format: The format of a file, where its content does not tell.
        columns: What the columns of a table are called: ``{"query": "qid", "item": "docno"}``.

    >>> read_run("runs/bm25.txt").name
    'bm25'
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    form = format_of(source, "run", format)
    if name is None:
        name = stem(source) if is_path(source) else "run"  # type: ignore[arg-type]
    if form is not None and form.name == "rows" and isinstance(source, Iterator):
        source = list(source)  # it may be evaluated twice
    return Run(name, source, form, columns or {})


def _of_kind(source: Any, holds: str) -> Any:
    """Judgments of another kind than qrels, read from an object or a file."""
    form = format_of(source, holds) or FORMATS[holds, PLAIN[holds]]
    return form.read(source)
