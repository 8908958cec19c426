"""Anything that holds qrels or a run, read: ``read_qrels()``, ``read_run()``."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gainful import _native
from gainful.errors import SourceError
from gainful.ragged import FloatArray, IntArray
from gainful.rules import Rules
from gainful.sources import columns, groups, items, mappings, preferences, trec
from gainful.sources._files import opened, stem
from gainful.sources._format import FORMATS, Format
from gainful.sources._reading import Progress, Reading, cores
from gainful.sources._wording import in_words
from gainful.sources.columns import Columns
from gainful.sources.groups import GroupedJudgments
from gainful.sources.items import ItemData
from gainful.sources.preferences import ONLY, PreferenceJudgments
from gainful.wording import count

__all__ = [
    "FORMATS",
    "Columns",
    "Format",
    "GroupedJudgments",
    "ItemData",
    "Judgments",
    "PreferenceJudgments",
    "Progress",
    "Reading",
    "Run",
    "Source",
    "columns",
    "cores",
    "groups",
    "items",
    "mappings",
    "opened",
    "preferences",
    "read_items",
    "read_preferences",
    "read_qrels",
    "read_run",
    "read_subtopics",
    "trec",
]

Source = str | os.PathLike[str] | Mapping[Any, Any] | Columns


@dataclass(frozen=True, eq=False, repr=False)
class Judgments:
    """The qrels as an index: built once, used for many runs.

    Attributes:
        name: What errors call it: the path, or "qrels".
        index: The native index of all judged items.
        duplicates: The rule that chose between labels of an item judged twice.
    """

    name: str
    index: _native.Index
    duplicates: str

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The ids of the judged queries, in the order of the qrels."""
        return tuple(self.index.queries)

    @property
    def pool_offsets(self) -> IntArray:
        """Where each query's judged items begin."""
        return self.index.pool_offsets

    @property
    def pool_label(self) -> FloatArray:
        """Labels of all judged items, descending within a query."""
        return self.index.pool_labels

    def labels(self, query: str) -> dict[str, float]:
        """The judged items of one query and their labels."""
        return dict(self.index.judgments(self.queries.index(query)))

    def __repr__(self) -> str:
        n_queries = count(len(self.queries), "query", "queries")
        n_judgments = count(len(self.pool_label), "judgment", "judgments")
        return f"<Judgments {self.name!r}: {n_queries}, {n_judgments}>"


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run that is yet to be read.

    Attributes:
        name: What notices and tables call it.
        source: The path or mapping it is read from.
        form: The format it is read as.
    """

    name: str
    source: Any
    form: Format

    @property
    def place(self) -> str:
        """What errors call it: the path, or "run" and its name."""
        return os.fspath(self.source) if self.form.is_file else f"run {self.name!r}"

    def __repr__(self) -> str:
        return f"<Run {self.name!r}: {self.form.name}>"

    def aligned(self, aligner: _native.Aligner, reading: Reading) -> _native.Aligned:
        """All of it, handed to the native core and joined there."""
        try:
            self.form.feed(self.source, aligner, reading)
            return aligner.finish()
        except _native.BadInput as error:
            raise in_words(error, self.place, has_lines=self.form.is_file) from None


def read_qrels(
    source: Source | Judgments,
    *,
    duplicates: str = "error",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Judgments:
    """The judgments in a file, a dict or columns, indexed.

    Args:
        source: A path (``-`` is standard input), ``{query: {item: label}}``, the relevant items
            alone as ``{query: {item, ...}}``, ``Columns``, or judgments that were read before,
            which come back as they are.
        duplicates: What becomes of an item judged twice, as in ``Rules``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> read_qrels({"q1": {"d1": 3, "d2": 0}})
    <Judgments 'qrels': 1 query, 2 judgments>
    """
    if isinstance(source, Judgments):
        return source
    rule = Rules(duplicates=duplicates).duplicates
    form = _format_of(source, "qrels")
    name = os.fspath(source) if form.is_file else "qrels"  # type: ignore[arg-type]
    reading = Reading(threads, progress)
    index = _native.Index(reading.native)
    try:
        form.feed(source, index, reading)
        index.finish(getattr(_native.Duplicates, rule))
    except _native.BadInput as error:
        raise in_words(error, name, has_lines=form.is_file) from None
    judgments = Judgments(name, index, rule)
    if not judgments.queries:
        message = f"{name}: there are no judgments in it."
        raise SourceError(message)
    return judgments


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
    judgments: GroupedJudgments = _format_of(source, "subtopics").read(source).once(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message)
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
        judgments = _format_of(source, "preferences").read(source).once(rule)
    if not judgments.query:
        message = f"{judgments.name}: there are no judgments in it."
        raise SourceError(message)
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
        dropped = qrels.index.odd.comments, qrels.index.n_duplicates
    return PreferenceJudgments(qrels.name, *columns, *dropped, qrels.duplicates)


def read_items(
    source: str | os.PathLike[str] | ItemData, *, n_users: int | None = None
) -> ItemData:
    """What is known of items: the catalogue, how popular they are, and their features.

    Args:
        source: A path to a file with the columns item, popularity and features (``-`` is standard
            input), or ``ItemData``, which comes back as it is.
        n_users: How many users there are, where the source does not say.

    >>> read_items(ItemData(catalogue=["a", "b", "c"]))
    <ItemData 'items': 3 in the catalogue, 0 with popularity, 0 with features>
    """
    data: ItemData = _format_of(source, "items").read(source)
    return data if n_users is None else replace(data, n_users=n_users)


def read_run(source: Source | Run, *, name: str | None = None) -> Run:
    """A run from a file, a dict or columns, to be read when it is evaluated.

    Args:
        source: A path (``-`` is standard input), ``{query: {item: score}}``, items in order as
            ``{query: [item, ...]}``, ``Columns``, or a Run.
        name: What to call it; by default the file's name without its extension.

    >>> read_run("runs/bm25.txt").name
    'bm25'
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    form = _format_of(source, "run")
    if name is None:
        name = stem(source) if form.is_file else "run"  # type: ignore[arg-type]
    return Run(name, source, form)


def _format_of(source: Any, holds: str) -> Format:
    for form in FORMATS.values():
        if form.holds == holds and form.recognises(source):
            return form
    shapes = [
        f.summary.partition(":")[0].partition(",")[0] for f in FORMATS.values() if f.holds == holds
    ]
    known = ", ".join(shape.lower() for shape in shapes)
    message = f"{holds}: must be one of {known}, got {source!r:.60}."
    raise SourceError(message)
