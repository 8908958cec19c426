"""The kinds of rankings that measures are functions of, and the judgments each is made from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gainful.alignment.grouped_rankings import align_groups
from gainful.alignment.item_rankings import ItemRankings, align_items
from gainful.alignment.join import KEEP_SAMPLE, Joined, align_joined, join
from gainful.alignment.join_stats import AlignedPart, GroupStats, ItemStats, JoinStats
from gainful.alignment.preference_rankings import PreferenceRankings, align_preferences
from gainful.alignment.rankings import GroupedRankings, JudgedRankings, Rankings
from gainful.alignment.rules import Rules
from gainful.base import ReadOptions
from gainful.errors import AlignError
from gainful.sources import (
    Collapse,
    GroupedJudgments,
    ItemData,
    Judgments,
    PreferenceJudgments,
    Run,
    read_judgments,
    read_preferences,
    read_subtopics,
)


@dataclass(frozen=True)
class JudgmentType:
    """The functions and classes that make one kind of rankings.

    Attributes:
        judgments: What it is made from.
        reader: The function that reads them, as users call it.
        read: Anything that holds them, the rules, how to read; to judgments.
    """

    judgments: type
    reader: str
    read: Callable[[Any, Rules, ReadOptions], Any]


def _read_collapsed(source: object, read: Callable[..., Any], rules: Rules) -> Any:
    """Read judgments in groups and collapse parts of items; return read judgments unchanged."""
    judgments = read(source, duplicates=rules.duplicates)
    if rules.collapse is None or judgments is source:
        return judgments
    items = Collapse(rules.collapse).collapse_ids(judgments.item)
    return replace(judgments, item=items).deduplicate(rules.duplicate_rule)


JUDGMENT_TYPES: dict[type[Rankings], JudgmentType] = {
    JudgedRankings: JudgmentType(Judgments, "read_qrels", read_judgments),
    ItemRankings: JudgmentType(Judgments, "read_qrels", read_judgments),
    GroupedRankings: JudgmentType(
        GroupedJudgments,
        "read_subtopics",
        lambda source, rules, _: _read_collapsed(source, read_subtopics, rules),
    ),
    PreferenceRankings: JudgmentType(
        PreferenceJudgments,
        "read_preferences",
        lambda source, rules, _: _read_collapsed(source, read_preferences, rules),
    ),
}


def align_kind(
    kind: type[Rankings],
    judgments: Any,
    run: Run,
    rules: Rules,
    read_options: ReadOptions,
    *,
    data: ItemData,
    depth: int,
    join: Callable[..., Joined] = join,
) -> AlignedPart[Rankings, JoinStats | ItemStats | GroupStats]:
    """Join a run and judgments, and rank every query, for measures of a kind of rankings.

    Args:
        kind: The kind of rankings.
        judgments: The judgments it is made from.
        run: The run.
        rules: The rules.
        read_options: How the run is read.
        data: The data of items, for measures of what is recommended.
        depth: How many items of every query these measures look at.
        join: What joins the run with judgments of items, if that may have happened before.
    """
    if kind is JudgedRankings:
        return align_joined(join(judgments, run, rules, read_options, **KEEP_SAMPLE))
    if kind is ItemRankings:
        return align_items(join(judgments, run, rules, read_options, keep_top=depth), data, depth)
    if kind is GroupedRankings:
        return align_groups(judgments, run, rules, read_options)
    return align_preferences(judgments, run, rules, read_options)


def read_judgments_for(
    kind: type[Rankings], qrels: object, rules: Rules, read_options: ReadOptions, *, measure: str
) -> Any:
    """Read judgments from qrels as a kind of rankings needs them.

    Judgments that were read before are returned unchanged, if they are of that kind.
    """
    judgment_type = JUDGMENT_TYPES[kind]
    if any(
        isinstance(qrels, other_type.judgments) for other_type in JUDGMENT_TYPES.values()
    ) and not isinstance(qrels, judgment_type.judgments):
        message = f"{measure} needs judgments from {judgment_type.reader}(), got {qrels!r}."
        raise AlignError(message, code="wrong-judgments")
    return judgment_type.read(qrels, rules, read_options)
