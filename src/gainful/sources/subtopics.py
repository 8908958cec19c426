"""Judgments of items for the subtopics of a query, or by several judges."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gainful.base import FloatArray, IntArray, cached_property, format_count, format_repr
from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources.columns import Columns
from gainful.sources.formats import Format, declare_format
from gainful.sources.rows import deduplicate_rows, parse_labels, read_lines, to_id


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


@dataclass(frozen=True, eq=False)
class GroupedJudgments:
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

    @cached_property
    def items(self) -> DistinctPairs:
        """Every query and item that are judged together."""
        return DistinctPairs.from_columns(self.query, self.item)

    @cached_property
    def groups(self) -> DistinctPairs:
        """Every query and group."""
        return DistinctPairs.from_columns(self.query, self.group)

    def deduplicate(self, duplicates: str) -> "GroupedJudgments":
        """Return the judgments with one label per item of a group, chosen by the rule."""
        keys = zip(self.query, self.group, self.item, strict=True)
        row_numbers = deduplicate_rows(keys, self.label, duplicates, self._make_duplicate_error)
        return replace(
            self,
            query=[self.query[i] for i in row_numbers],
            group=[self.group[i] for i in row_numbers],
            item=[self.item[i] for i in row_numbers],
            label=self.label[row_numbers],
            n_duplicates=len(self.query) - len(row_numbers),
            duplicates=duplicates,
        )

    def _make_duplicate_error(
        self, key: tuple[str, str, str], first: float, second: float
    ) -> SourceError:
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


def _read_file(path: str) -> GroupedJudgments:
    rows = read_lines(path, TREC.columns, content="qrels with subtopics")
    queries, groups, items, labels = rows.columns
    label = np.array(parse_labels(labels, path, rows.lines.tolist()))
    return GroupedJudgments(os.fspath(path), queries, groups, items, label, rows.odd.comments)


def _read_mapping(mapping: Mapping[Any, Any]) -> GroupedJudgments:
    rows: list[Any] = []
    for query, groups in mapping.items():
        for group, items in groups.items() if isinstance(groups, Mapping) else [(None, None)]:
            if not isinstance(items, Mapping):
                message = (
                    f"qrels: query {query!r} must hold a dict of subtopics and each of them a "
                    f"dict of items, got {format_repr(groups)}."
                )
                raise SourceError(message, code="wrong-structure")
            rows += [
                (to_id(query), to_id(group), to_id(item), label) for item, label in items.items()
            ]
    query, group, item, label = ([row[i] for row in rows] for i in range(4))
    return GroupedJudgments("qrels", query, group, item, arrays.to_numbers(label, "labels"))


def _read_columns(columns: Columns) -> GroupedJudgments:
    if columns.label is None or columns.subtopic is None:
        message = (
            "qrels: columns must hold labels and subtopics, got neither or one. "
            "Pass Columns(..., subtopic=..., label=...)."
        )
        raise SourceError(message, code="missing-column")
    query, group, item = (
        [to_id(value) for value in column]
        for column in (columns.query, columns.subtopic, columns.item)
    )
    return GroupedJudgments("qrels", query, group, item, arrays.to_numbers(columns.label, "labels"))


TREC = declare_format(
    Format(
        name="trec",
        holds="subtopics",
        summary="A text file, one judgment a line: of an item for a subtopic, or by a judge.",
        columns=("query", "subtopic", "item", "label"),
        is_file=True,
        unit="line",
        read=_read_file,
    )
)
MAPPING = declare_format(
    Format(
        name="dict",
        holds="subtopics",
        summary="A dict of dicts of dicts: {query: {subtopic: {item: label}}}.",
        read=_read_mapping,
    )
)
COLUMNS = declare_format(
    Format(
        name="columns",
        holds="subtopics",
        summary="Columns: Columns(query=..., subtopic=..., item=..., label=...).",
        read=_read_columns,
    )
)
