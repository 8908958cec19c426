"""Judgments in groups: the subtopics of a query, or the judges of it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gainful.cached import cached_property
from gainful.errors import SourceError
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen
from gainful.sources import arrays
from gainful.sources._format import Format, declare
from gainful.sources._rows import id_of, kept_once, labels_of, read_rows
from gainful.wording import as_written, count


class Numbered(NamedTuple):
    """The distinct pairs among many, and the number, from 0, of each of the many."""

    pairs: list[tuple[str, str]]
    number: IntArray

    @classmethod
    def of(cls, queries: list[str], others: list[str]) -> "Numbered":
        """Numbered in the order in which they come."""
        numbers: dict[tuple[str, str], int] = {}
        number = [numbers.setdefault(p, len(numbers)) for p in zip(queries, others, strict=True)]
        return cls(list(numbers), np.array(number, dtype=np.int64))


@dataclass(eq=False, repr=False)
class GroupedJudgments(Frozen):
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
    def items(self) -> Numbered:
        """Every query and item that are judged together."""
        return Numbered.of(self.query, self.item)

    @cached_property
    def groups(self) -> Numbered:
        """Every query and group."""
        return Numbered.of(self.query, self.group)

    def once(self, duplicates: str) -> "GroupedJudgments":
        """With one judgment for every item of a group; the rule says which."""
        keys = zip(self.query, self.group, self.item, strict=True)
        kept = kept_once(keys, self.label, duplicates, self._judged_twice)
        return replace(
            self,
            query=[self.query[i] for i in kept],
            group=[self.group[i] for i in kept],
            item=[self.item[i] for i in kept],
            label=self.label[kept],
            n_duplicates=len(self.query) - len(kept),
            duplicates=duplicates,
        )

    def _judged_twice(self, key: tuple[str, str, str], first: float, second: float) -> SourceError:
        query, group, item = key
        return SourceError(
            f"{self.name}: query {query!r} item {item!r} is judged twice for {group!r} "
            f"(labels {first:g} and {second:g}). Pass --duplicates max to keep the higher.",
            query=query,
            code="judged-twice",
        )

    def __repr__(self) -> str:
        n_groups = count(len(self.groups.pairs), "subtopic", "subtopics")
        n_judgments = count(len(self.query), "judgment", "judgments")
        return f"<GroupedJudgments {self.name!r}: {n_groups}, {n_judgments}>"


def _from_file(path: Any) -> GroupedJudgments:
    rows = read_rows(path, TREC.columns, of="qrels with subtopics")
    queries, groups, items, labels = rows.columns
    label = np.array(labels_of(labels, path, rows.lines))
    return GroupedJudgments(os.fspath(path), queries, groups, items, label, rows.n_comments)


def _from_mapping(mapping: Any) -> GroupedJudgments:
    rows: list[Any] = []
    for query, groups in mapping.items():
        for group, items in groups.items() if isinstance(groups, Mapping) else [(None, None)]:
            if not isinstance(items, Mapping):
                message = (
                    f"qrels: query {query!r} must hold a dict of subtopics and each of them a "
                    f"dict of items, got {as_written(groups)}."
                )
                raise SourceError(message, code="wrong-structure")
            rows += [
                (id_of(query), id_of(group), id_of(item), label) for item, label in items.items()
            ]
    query, group, item, label = ([row[i] for row in rows] for i in range(4))
    return GroupedJudgments("qrels", query, group, item, arrays.numbers(label, "labels"))


def _from_columns(columns: Any) -> GroupedJudgments:
    if columns.label is None or columns.subtopic is None:
        message = (
            "qrels: columns must hold labels and subtopics, got neither or one. "
            "Pass Columns(..., subtopic=..., label=...)."
        )
        raise SourceError(message, code="missing-column")
    query, group, item = (
        [id_of(one) for one in column] for column in (columns.query, columns.subtopic, columns.item)
    )
    return GroupedJudgments("qrels", query, group, item, arrays.numbers(columns.label, "labels"))


TREC = declare(
    Format(
        name="trec",
        holds="subtopics",
        summary="A text file, one judgment a line: of an item for a subtopic, or by a judge.",
        columns=("query", "subtopic", "item", "label"),
        is_file=True,
        unit="line",
        read=_from_file,
    )
)
MAPPING = declare(
    Format(
        name="dict",
        holds="subtopics",
        summary="A dict of dicts of dicts: {query: {subtopic: {item: label}}}.",
        read=_from_mapping,
    )
)
COLUMNS = declare(
    Format(
        name="columns",
        holds="subtopics",
        summary="Columns: Columns(query=..., subtopic=..., item=..., label=...).",
        read=_from_columns,
    )
)
