"""Preferences: which items a judge puts above which, group by group."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful.base import FloatArray, cached_property, format_count, format_repr
from gainful.errors import PreferenceError, SourceError
from gainful.sources import arrays
from gainful.sources.columns import Columns
from gainful.sources.formats import Format, declare_format
from gainful.sources.rows import deduplicate_rows, parse_labels, read_lines, to_id
from gainful.sources.subtopics import DistinctPairs

DEFAULT_GROUP = "0"  # the group or subgroup of judgments that name none, as in qrels


@dataclass(frozen=True, eq=False)
class PreferenceJudgments:
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

    @cached_property
    def items(self) -> DistinctPairs:
        """Every query and item that are judged together."""
        return DistinctPairs.from_columns(self.query, self.item)

    @cached_property
    def groups(self) -> DistinctPairs:
        """Every query and group."""
        return DistinctPairs.from_columns(self.query, self.group)

    def deduplicate(self, duplicates: str) -> "PreferenceJudgments":
        """Return the judgments with one level per item of a subgroup, chosen by the rule."""
        keys = zip(self.query, self.group, self.subgroup, self.item, strict=True)
        row_numbers = deduplicate_rows(keys, self.level, duplicates, self._make_duplicate_error)
        return replace(
            self,
            query=[self.query[i] for i in row_numbers],
            group=[self.group[i] for i in row_numbers],
            subgroup=[self.subgroup[i] for i in row_numbers],
            item=[self.item[i] for i in row_numbers],
            level=self.level[row_numbers],
            n_duplicates=len(self.query) - len(row_numbers),
            duplicates=duplicates,
        )

    def _make_duplicate_error(
        self, key: tuple[str, str, str, str], first: float, second: float
    ) -> PreferenceError:
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


def _read_file(path: str) -> PreferenceJudgments:
    rows = read_lines(path, TREC.columns, content="preferences")
    queries, groups, subgroups, items, levels = rows.columns
    level = np.array(parse_labels(levels, path, rows.lines.tolist()))
    return PreferenceJudgments(
        os.fspath(path), queries, groups, subgroups, items, level, rows.odd.comments
    )


def _read_mapping(mapping: Mapping[Any, Any]) -> PreferenceJudgments:
    rows = [row for query, groups in mapping.items() for row in _list_rows(query, groups)]
    query, group, subgroup, item, level = ([row[i] for row in rows] for i in range(5))
    levels = arrays.to_numbers(level, "levels")
    return PreferenceJudgments("preferences", query, group, subgroup, item, levels)


def _list_rows(query: object, groups: object) -> Iterator[tuple[str, str, str, str, Any]]:
    for group, content in groups.items() if isinstance(groups, Mapping) else [(None, None)]:
        if not isinstance(content, Mapping):
            message = (
                f"preferences: query {query!r} must hold a dict of groups and each of them a dict "
                f"of items, got {format_repr(groups)}."
            )
            raise SourceError(message, code="wrong-structure")
        has_subgroups = bool(content) and all(
            isinstance(part, Mapping) for part in content.values()
        )
        for subgroup, items in content.items() if has_subgroups else [(DEFAULT_GROUP, content)]:
            ids = to_id(query), to_id(group), to_id(subgroup)
            yield from ((*ids, to_id(item), level) for item, level in items.items())


def _read_columns(columns: Columns) -> PreferenceJudgments:
    if columns.label is None:
        message = (
            "preferences: columns must hold the levels as labels, got none. "
            "Pass Columns(..., label=...)."
        )
        raise SourceError(message, code="missing-column")
    only = [DEFAULT_GROUP] * len(columns.query)
    query, group, subgroup, item = (
        [to_id(value) for value in (only if column is None else column)]
        for column in (columns.query, columns.group, columns.subgroup, columns.item)
    )
    levels = arrays.to_numbers(columns.label, "levels")
    return PreferenceJudgments("preferences", query, group, subgroup, item, levels)


TREC = declare_format(
    Format(
        name="trec",
        holds="preferences",
        summary="A text file, one judgment a line: the level of an item in a subgroup of a group.",
        columns=("query", "group", "subgroup", "item", "level"),
        is_file=True,
        unit="line",
        read=_read_file,
    )
)
MAPPING = declare_format(
    Format(
        name="dict",
        holds="preferences",
        summary="A dict of dicts of dicts: {query: {group: {item: level}}}, "
        "or {query: {group: {subgroup: {item: level}}}}.",
        read=_read_mapping,
    )
)
COLUMNS = declare_format(
    Format(
        name="columns",
        holds="preferences",
        summary="Columns: Columns(query=..., item=..., label=...), with or without group=... "
        "and subgroup=....",
        read=_read_columns,
    )
)
