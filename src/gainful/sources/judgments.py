"""Judgments: the qrels as an index, and judgments in groups or as preferences."""

import copyreg
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gainful.base import (
    FloatArray,
    IntArray,
    _native,
    cached_property,
    format_count,
    format_repr,
    open_file,
    read_whole,
)
from gainful.errors import PreferenceError, SourceError
from gainful.sources import arrays
from gainful.sources.columns import Columns, to_id
from gainful.sources.feed import RowLocator
from gainful.sources.formats import declare_format
from gainful.sources.trec import parse_labels, split_lines


def _refuse_pickling(_index: _native.Index) -> str:
    message = (
        "judgments that were read cannot be sent to another process. Send the path, and call "
        "read_qrels there, once in each process: as the initializer of a pool, for example."
    )
    raise SourceError(message, code="cannot-send")


copyreg.pickle(_native.Index, _refuse_pickling)


@dataclass(frozen=True, eq=False)
class Judgments:
    """The qrels as an index: built once, used for many runs.

    Attributes:
        name: What errors call it: the path, or "qrels".
        index: The native index of all judged items.
        duplicates: The rule that chose between labels of an item judged twice.
        locator: Says where its rows are in the source.
        has_item_ids: Whether items have ids; those of arrays of labels are numbered.
    """

    name: str
    index: _native.Index
    duplicates: str
    locator: RowLocator
    has_item_ids: bool = True

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The ids of the judged queries, in the order of the qrels."""
        return tuple(self.index.queries)

    @property
    def n_comments(self) -> int:
        """Number of comment lines that were skipped."""
        return int(self.index.odd.comments + self.locator.n_comments)

    @property
    def pool_offsets(self) -> IntArray:
        """Offset of each query's judged items."""
        return self.index.pool_offsets

    @property
    def pool_label(self) -> FloatArray:
        """Labels of all judged items, descending within a query."""
        return self.index.pool_labels

    def labels(self, query: str) -> dict[str, float]:
        """Return the judged items of one query and their labels."""
        return dict(self.index.judgments(self.queries.index(query)))

    def __repr__(self) -> str:
        n_queries = format_count(len(self.queries), "query", "queries")
        n_judgments = format_count(len(self.pool_label), "judgment", "judgments")
        return f"<Judgments {self.name!r}: {n_queries}, {n_judgments}>"


DEFAULT_GROUP = "0"  # the group or subgroup of judgments that name none, as in qrels


class DistinctPairs(NamedTuple):
    """The distinct pairs among many, and the number, from 0, of each of the many."""

    pairs: list[tuple[str, str]]
    number: IntArray

    @classmethod
    def from_columns(cls, queries: list[str], ids: list[str]) -> "DistinctPairs":
        """Number pairs in the order of their first appearance."""
        numbers: dict[tuple[str, str], int] = {}
        number = [numbers.setdefault(p, len(numbers)) for p in zip(queries, ids, strict=True)]
        return cls(list(numbers), np.array(number, dtype=np.int64))


class _InGroups:
    """What judgments within groups have in common."""

    _ids: ClassVar[tuple[str, ...]]
    _number: ClassVar[str]

    @cached_property
    def items(self: Any) -> DistinctPairs:
        """Every query and item that are judged together."""
        return DistinctPairs.from_columns(self.query, self.item)

    @cached_property
    def groups(self: Any) -> DistinctPairs:
        """Every query and group."""
        return DistinctPairs.from_columns(self.query, self.group)

    def deduplicate(self, duplicates: str) -> Self:
        """Return the judgments with one number per item of a group, chosen by the rule."""
        columns = {name: getattr(self, name) for name in self._ids}
        numbers = getattr(self, self._number)
        best: dict[Any, int] = {}
        for i, key in enumerate(zip(*columns.values(), strict=True)):
            row = best.setdefault(key, i)
            if row == i:
                continue
            if duplicates == "error":
                raise self._make_duplicate_error(key, numbers[row], numbers[i])
            if duplicates == "last" or (duplicates == "max" and numbers[i] > numbers[row]):
                best[key] = i
        rows = sorted(best.values())
        kept: dict[str, Any] = {name: [ids[i] for i in rows] for name, ids in columns.items()}
        kept[self._number] = numbers[rows]
        n_duplicates = len(numbers) - len(rows)
        return replace(self, **kept, n_duplicates=n_duplicates, duplicates=duplicates)  # type: ignore[type-var]

    def _make_duplicate_error(self, key: Any, first: float, second: float) -> SourceError:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class GroupedJudgments(_InGroups):
    """Judgments of items within subtopics, or by several judges.

    Attributes:
        name: What errors call it: the path, or "qrels".
        query: The query of each judgment.
        group: The subtopic, or the judge.
        item: The item that is judged.
        label: What it is judged to be.
        n_comments: How many lines of the file are comments.
        n_duplicates: How many judgments were dropped, their item being judged twice in a group.
        duplicates: The rule that chose between them.
    """

    name: str
    query: list[str]
    group: list[str]
    item: list[str]
    label: FloatArray
    n_comments: int = 0
    n_duplicates: int = 0
    duplicates: str = "error"

    _ids = ("query", "group", "item")
    _number = "label"

    def _make_duplicate_error(self, key: Any, first: float, second: float) -> SourceError:
        query, group, item = key
        return SourceError(
            f"{self.name}: query {query!r} item {item!r} is judged twice for {group!r} "
            f"(labels {first:g} and {second:g}). Pass --duplicates max to keep the higher.",
            query=query,
            code="judged-twice",
        )

    def __repr__(self) -> str:
        n_groups = format_count(len(self.groups.pairs), "subtopic", "subtopics")
        n_judgments = format_count(len(self.query), "judgment", "judgments")
        return f"<GroupedJudgments {self.name!r}: {n_groups}, {n_judgments}>"


@dataclass(frozen=True, eq=False)
class PreferenceJudgments(_InGroups):
    """Levels of items; within a subgroup, an item is preferred to all that have a lower level.

    The preferences of a group's subgroups add up, and so does what follows from them: who prefers
    a to b and b to c prefers a to c. Groups stand for different judges, or different needs.

    Attributes:
        name: What errors call it: the path, or "preferences".
        query: The query of each judgment.
        group: The group it belongs to.
        subgroup: The part of the group within which its level is compared.
        item: The item that is judged.
        level: How high it stands; only the order matters, and whether it is above 0.
        n_comments: How many lines of the file are comments.
        n_duplicates: How many judgments were dropped, their item being judged twice in a subgroup.
        duplicates: The rule that chose between them.
    """

    name: str
    query: list[str]
    group: list[str]
    subgroup: list[str]
    item: list[str]
    level: FloatArray
    n_comments: int = 0
    n_duplicates: int = 0
    duplicates: str = "error"

    _ids = ("query", "group", "subgroup", "item")
    _number = "level"

    def _make_duplicate_error(self, key: Any, first: float, second: float) -> PreferenceError:
        query, group, subgroup, item = key
        return PreferenceError(
            f"{self.name}: query {query!r} item {item!r} is judged twice in group {group!r}, "
            f"subgroup {subgroup!r} (levels {first:g} and {second:g}). "
            "Pass --duplicates max to keep the higher.",
            query=query,
            code="judged-twice",
        )

    def __repr__(self) -> str:
        n_groups = format_count(len(self.groups.pairs), "group", "groups")
        n_judgments = format_count(len(self.query), "judgment", "judgments")
        return f"<PreferenceJudgments {self.name!r}: {n_groups}, {n_judgments}>"


def _read_lines(
    path: str | os.PathLike[str], names: tuple[str, ...], content: str
) -> tuple[str, list[Any], int]:
    """Return the name, the columns and the number of comments of a text file."""
    with open_file(path) as file:
        text = read_whole(file).removeprefix(b"\xef\xbb\xbf")
    rows = split_lines(text, file.name, names, content=content, comments=True)
    *ids, numbers = rows.columns
    labels = np.array(parse_labels(numbers, file.name, rows.lines.tolist()))
    return file.name, [*ids, labels], rows.odd.comments


def _read_subtopics_file(path: str) -> GroupedJudgments:
    name, columns, n_comments = _read_lines(path, SUBTOPICS.columns, "qrels with subtopics")
    query, group, item, label = columns
    return GroupedJudgments(name, query, group, item, label, n_comments)


def _read_preferences_file(path: str) -> PreferenceJudgments:
    name, columns, n_comments = _read_lines(path, PREFERENCES.columns, "preferences")
    query, group, subgroup, item, level = columns
    return PreferenceJudgments(name, query, group, subgroup, item, level, n_comments)


def _list_groups(mapping: Mapping[Any, Any], name: str, parts: str) -> Iterator[Any]:
    """Yield the query, the group and the content of every group in nested dicts."""
    for query, groups in mapping.items():
        for group, content in groups.items() if isinstance(groups, Mapping) else [(None, None)]:
            if not isinstance(content, Mapping):
                message = (
                    f"{name}: query {query!r} must hold a dict of {parts} and each of them a "
                    f"dict of items, got {format_repr(groups)}."
                )
                raise SourceError(message, code="wrong-structure")
            yield to_id(query), to_id(group), content


def _read_subtopics_mapping(mapping: Mapping[Any, Any]) -> GroupedJudgments:
    rows = [
        (query, group, to_id(item), label)
        for query, group, items in _list_groups(mapping, "qrels", "subtopics")
        for item, label in items.items()
    ]
    query, group, item, label = ([row[i] for row in rows] for i in range(4))
    return GroupedJudgments("qrels", query, group, item, arrays.to_numbers(label, "labels"))


def _read_preferences_mapping(mapping: Mapping[Any, Any]) -> PreferenceJudgments:
    rows: list[Any] = []
    for query, group, content in _list_groups(mapping, "preferences", "groups"):
        has_subgroups = bool(content) and all(isinstance(v, Mapping) for v in content.values())
        for subgroup, items in content.items() if has_subgroups else [(DEFAULT_GROUP, content)]:
            ids = query, group, to_id(subgroup)
            rows += [(*ids, to_id(item), level) for item, level in items.items()]
    query, group, subgroup, item, level = ([row[i] for row in rows] for i in range(5))
    levels = arrays.to_numbers(level, "levels")
    return PreferenceJudgments("preferences", query, group, subgroup, item, levels)


def _read_subtopics_columns(columns: Columns) -> GroupedJudgments:
    if columns.label is None or columns.subtopic is None:
        message = (
            "qrels: columns must hold labels and subtopics, got neither or one. "
            "Pass Columns(..., subtopic=..., label=...)."
        )
        raise SourceError(message, code="missing-column")
    query, group, item = (
        list(map(to_id, ids)) for ids in (columns.query, columns.subtopic, columns.item)
    )
    return GroupedJudgments("qrels", query, group, item, arrays.to_numbers(columns.label, "labels"))


def _read_preferences_columns(columns: Columns) -> PreferenceJudgments:
    if columns.label is None:
        message = (
            "preferences: columns must hold the levels as labels, got none. "
            "Pass Columns(..., label=...)."
        )
        raise SourceError(message, code="missing-column")
    only = [DEFAULT_GROUP] * len(columns.query)
    query, group, subgroup, item = (
        list(map(to_id, only if column is None else column))
        for column in (columns.query, columns.group, columns.subgroup, columns.item)
    )
    levels = arrays.to_numbers(columns.label, "levels")
    return PreferenceJudgments("preferences", query, group, subgroup, item, levels)


SUBTOPICS = declare_format(
    name="trec",
    holds="subtopics",
    summary="A text file, one judgment a line: of an item for a subtopic, or by a judge.",
    columns=("query", "subtopic", "item", "label"),
    is_file=True,
    unit="line",
    read=_read_subtopics_file,
)
declare_format(
    name="dict",
    holds="subtopics",
    summary="A dict of dicts of dicts: {query: {subtopic: {item: label}}}.",
    read=_read_subtopics_mapping,
)
declare_format(
    name="columns",
    holds="subtopics",
    summary="Columns: Columns(query=..., subtopic=..., item=..., label=...).",
    read=_read_subtopics_columns,
)
PREFERENCES = declare_format(
    name="trec",
    holds="preferences",
    summary="A text file, one judgment a line: the level of an item in a subgroup of a group.",
    columns=("query", "group", "subgroup", "item", "level"),
    is_file=True,
    unit="line",
    read=_read_preferences_file,
)
declare_format(
    name="dict",
    holds="preferences",
    summary="A dict of dicts of dicts: {query: {group: {item: level}}}, "
    "or {query: {group: {subgroup: {item: level}}}}.",
    read=_read_preferences_mapping,
)
declare_format(
    name="columns",
    holds="preferences",
    summary="Columns: Columns(query=..., item=..., label=...), with or without group=... "
    "and subgroup=....",
    read=_read_preferences_columns,
)
