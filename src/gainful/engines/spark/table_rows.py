"""Rows of qrels and run that a worker has in an Arrow table, as they are read."""

from typing import Any

import numpy as np

from gainful.kinds import KINDS
from gainful.rankings import Rankings
from gainful.rules import Rules
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Reading,
    index_qrels,
)

READING = Reading(threads=1)  # Spark runs as many workers as there are cores
FIRST = Rules(duplicates="first")  # an item that is listed twice is one


def named(table: Any, number: str) -> Any:
    """The columns that are read, under the names that they are known by."""
    names = {"query": "query", "item": "item", "number": number, "rank": "rank"}
    kept = [name for name in names if name in table.column_names]
    if number == "label":
        kept = [name for name in kept if name != "rank"]
    return table.select(kept).rename_columns([names[name] for name in kept])


def judgments_of(kind: type[Rankings], qrels: Any, rules: Rules) -> Any:
    """The judgments of some queries, which may be none, as a kind of rankings needs them."""
    wanted = KINDS[kind].judgments
    if wanted is Judgments:
        return index_qrels(named(qrels, "label"), rules, READING)
    if not qrels.num_rows:
        return _none(wanted)
    index_qrels(named(qrels, "label"), FIRST, READING)  # which tells the rows of what is wrong
    return KINDS[kind].read(_columns(qrels, wanted), rules, READING)


def _columns(qrels: Any, wanted: type) -> Columns:
    held = {name: qrels.column(name).to_pylist() for name in _GROUPS if name in qrels.column_names}
    if wanted is GroupedJudgments:
        held = {"subtopic": held.get("group")}
    query, item = (qrels.column(name).to_pylist() for name in ("query", "item"))
    return Columns(query=query, item=item, label=qrels.column("number").to_numpy(), **held)


def _none(wanted: type) -> Any:
    # Their readers refuse to read nothing; there is something, with other workers.
    if wanted is PreferenceJudgments:
        return PreferenceJudgments("preferences", [], [], [], [], np.zeros(0))
    return GroupedJudgments("qrels", [], [], [], np.zeros(0))


_GROUPS = ("group", "subgroup")
