"""Judgments that were read here, as the rows that Spark is sent."""

from typing import Any

import numpy as np

from gainful.errors import EngineError
from gainful.sources import GroupedJudgments, Judgments, PreferenceJudgments


def as_table(judgments: Any) -> Any:
    """The judgments as an Arrow table, a row for each; an error where rows cannot hold them."""
    import pyarrow as pa

    try:
        return pa.table(_columns(judgments))
    except UnicodeEncodeError as error:
        message = (
            f"{judgments.name}: the id {error.object!r} is not UTF-8, and all text on Spark is. "
            "Change the id, or evaluate without Spark."
        )
        raise EngineError(message, code="unread-by-spark") from None


def _columns(judgments: Any) -> dict[str, Any]:
    if isinstance(judgments, GroupedJudgments):
        return {
            "query": judgments.query,
            "item": judgments.item,
            "number": judgments.label,
            "group": judgments.group,
        }
    if isinstance(judgments, PreferenceJudgments):
        return {
            "query": judgments.query,
            "item": judgments.item,
            "number": judgments.level,
            "group": judgments.group,
            "subgroup": judgments.subgroup,
        }
    _refuse_no_items(judgments)
    each = [judgments.index.judgments(number) for number in range(len(judgments.queries))]
    pairs = zip(judgments.queries, each, strict=True)
    return {
        "query": [query for query, held in pairs for _ in held],
        "item": [item for held in each for item, _ in held],
        "number": [label for held in each for _, label in held],
    }


def _refuse_no_items(judgments: Judgments) -> None:
    """An error where a query is judged and has no items, for no row would tell of it."""
    empty = np.flatnonzero(np.diff(judgments.pool_offsets) == 0)
    if len(empty):
        message = (
            f"{judgments.name}: query {judgments.queries[empty[0]]!r} has no judged items, and "
            "Spark knows of queries by their items. Leave it out, or evaluate without Spark."
        )
        raise EngineError(message, code="unread-by-spark")
