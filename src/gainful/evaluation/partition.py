"""The steps of the pipeline for a part of the queries, which may be all of them."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gainful.alignment import (
    AlignedPart,
    GroupStats,
    ItemRankings,
    ItemStats,
    Joined,
    JoinStats,
    JudgedRankings,
    Rankings,
    Rules,
    align_kind,
    has_unjudged_above,
    join,
    label_unjudged,
)
from gainful.base import ENDLESS, BoolArray, FloatArray, ReadOptions, ragged
from gainful.diagnostics import Notice, UndefinedValues, UnjudgedAbove
from gainful.errors import AlignError
from gainful.measures import Measure
from gainful.sources import GroupedJudgments, ItemData, Judgments, PreferenceJudgments, Run

EMPTY_VALUES = {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan, "error": math.nan}


class QueryValues(NamedTuple):
    """One value per query, and whether there was nothing relevant for the measure to divide by."""

    values: FloatArray
    empty: BoolArray
    unjudged: BoolArray | None = None  # queries without a value for want of a judgment


def apply_empty_rule(measure: Measure, ranked: Rankings, rules: Rules) -> QueryValues:
    """Return the values of a measure; where a query has none, what the rules say."""
    labeled, judged = ranked, isinstance(ranked, JudgedRankings)
    if isinstance(ranked, JudgedRankings) and rules.unjudged_label is not None:
        labeled = label_unjudged(ranked, rules)
    values = measure.score(labeled)
    empty = np.isnan(values)
    if measure.whole:
        empty = np.zeros(len(values), dtype=np.bool_)
        if judged:
            return QueryValues(values, empty)
    elif isinstance(labeled, JudgedRankings) and rules.empty_test is not None:
        empty = _find_empty_queries(measure, labeled, empty, rules)
    if rules.empty == "one-if-missing":
        filled = np.where(empty, ranked.n_retrieved == 0, values)
    else:
        filled = np.where(empty, EMPTY_VALUES[rules.empty], values)
    if rules.empty_test == "zero-sum":
        # A tool that tests for empty queries by their labels divides others by 0, and says 0.
        filled = np.where(np.isnan(values) & ~empty, 0.0, filled)
    if rules.unjudged != "undefined" or not isinstance(ranked, JudgedRankings):
        return QueryValues(filled, empty)
    unjudged = has_unjudged_above(ranked, measure.all_settings.get("cutoff"))
    return QueryValues(np.where(unjudged, np.nan, filled), empty & ~unjudged, unjudged)


def _find_empty_queries(
    measure: Measure, ranked: JudgedRankings, undefined: BoolArray, rules: Rules
) -> BoolArray:
    """Return which queries have nothing relevant, by the test of the rules."""
    if rules.empty_test == "no-label":
        return undefined | ranked.nothing_relevant
    formula = measure.resolved_formula
    if formula is None or not formula.normalized:
        return undefined
    # A run that returns nothing where there was something to gain scores 0.
    returned = ranked.n_retrieved > 0
    if rules.empty_test == "no-gain":
        return undefined | (returned & (formula.ideal_dcg(ranked) <= 0))
    listed = formula.ideal == "list"
    labels = ranked.total(ranked.hit_label) if listed else ranked.pool_total(ranked.pool_label)
    return np.where(returned, labels == 0, undefined)


_MANY = 8  # measures, for which it pays to keep memory

AnyJudgments = Judgments | GroupedJudgments | PreferenceJudgments
AnyPart = AlignedPart[Rankings, JoinStats | ItemStats | GroupStats]


class UndefinedQueries(NamedTuple):
    """The queries that a measure has no value for.

    Attributes:
        empty: All that have nothing to divide by.
        unreported: Those of them that have a label above 0: no other notice names them.
        unjudged: Those that have an item without a judgment where one is needed.
    """

    empty: tuple[str, ...]
    unreported: tuple[str, ...]
    unjudged: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PartialScores:
    """The values of a part of the queries.

    Attributes:
        queries: The id of each query.
        values: One row per query, one column per measure.
        judged: As ``Scores`` has it.
        empty: As ``Scores`` has it.
        undefined: For each measure, the queries it has no value for.
        ranked: For each measure of whole runs, the rankings that it reads.
    """

    queries: tuple[str, ...]
    values: FloatArray
    judged: Mapping[Measure, FloatArray]
    empty: Mapping[Measure, BoolArray]
    undefined: Mapping[Measure, UndefinedQueries]
    ranked: Mapping[Measure, Rankings]


def list_kinds(measures: Iterable[Measure]) -> dict[type[Rankings], str]:
    """Return the kinds of rankings that measures read, and the first measure that reads each.

    A kind that extends another serves the measures of both: the run is then joined once.
    """
    first_of_kind = {measure.reads: str(measure) for measure in reversed([*measures])}
    return {
        kind: first
        for kind, first in first_of_kind.items()
        if not any(issubclass(other, kind) for other in first_of_kind if other is not kind)
    }


def align_part(
    judgments: Mapping[type[Rankings], AnyJudgments],
    run: Run,
    resolved: Mapping[Measure, Measure],
    data: ItemData,
    rules: Rules,
    read_options: ReadOptions,
    join: Callable[..., Joined] = join,
) -> dict[type[Rankings], AnyPart]:
    """Join and rank a run: one part for every kind of rankings that the measures read."""
    if len(resolved) > _MANY:
        ragged.retain_memory()
    depth = _find_deepest_cutoff(resolved.values())
    return {
        kind: align_kind(kind, judged, run, rules, read_options, data=data, depth=depth, join=join)
        for kind, judged in judgments.items()
    }


def compute_values(
    parts: Mapping[type[Rankings], AnyPart], resolved: Mapping[Measure, Measure], rules: Rules
) -> PartialScores:
    """Compute the values of measures, under the names that were asked for."""
    values: dict[Measure, QueryValues] = {}
    shares: dict[Measure, FloatArray] = {}
    undefined: dict[Measure, UndefinedQueries] = {}
    whole_run_rankings: dict[Measure, Rankings] = {}
    queries: tuple[str, ...] | None = None
    for kind, (ranked, *_) in parts.items():
        if queries is not None and queries != ranked.queries:
            first = next(iter(resolved))
            message = f"{first} and {kind.__name__} have other queries; evaluate them apart."
            raise AlignError(message, code="unlike-runs")
        queries = ranked.queries
        readers = {name: m for name, m in resolved.items() if issubclass(kind, m.reads)}
        shares |= _compute_judged_shares(readers, ranked)
        for name, measure in readers.items():
            values[name] = apply_empty_rule(measure, ranked, rules)
            undefined[name] = find_undefined(values[name], ranked)
            if measure.whole:
                whole_run_rankings[name] = ranked
    return PartialScores(
        queries=queries or (),
        values=np.stack([values[name].values for name in resolved], axis=1),
        judged=shares,
        empty={} if rules.empty_weight is None else {m: values[m].empty for m in resolved},
        undefined={name: undefined[name] for name in resolved},
        ranked=whole_run_rankings,
    )


def score_queries(
    measure: Measure, ranked: Rankings, rules: Rules, requested: Measure | None = None
) -> FloatArray:
    """Return one value per query; raise where the rules refuse a query without a value.

    Errors name the measure as it was asked for, where a dialect has made another of it.
    """
    query_values = apply_empty_rule(measure, ranked, rules)
    check_undefined({requested or measure: find_undefined(query_values, ranked)}, rules)
    return query_values.values


def find_undefined(query_values: QueryValues, ranked: Rankings) -> UndefinedQueries:
    """Return the queries that a measure has no value for."""
    _, empty, unjudged = query_values
    # A notice of the join names queries without a label above 0.
    unreported = empty & ~ranked.nothing_relevant
    return UndefinedQueries(
        _select_ids(ranked, empty),
        _select_ids(ranked, unreported),
        () if unjudged is None else _select_ids(ranked, unjudged),
    )


def diagnose_values(undefined: Mapping[Measure, UndefinedQueries], rules: Rules) -> list[Notice]:
    """Return the notices about queries without a value; raise where the rules refuse them."""
    check_undefined(undefined, rules)
    notices: list[Notice] = []
    for measure, (_, unreported, unjudged) in undefined.items():
        if unreported:
            notices.append(UndefinedValues(str(measure), unreported, rules.empty))
        if unjudged:
            notices.append(UnjudgedAbove(str(measure), unjudged))
    return notices


def check_undefined(undefined: Mapping[Measure, UndefinedQueries], rules: Rules) -> None:
    """Raise where the rules refuse queries that a measure has no value for."""
    for measure, (empty, *_) in undefined.items():
        if empty and rules.empty == "error":
            query = empty[0]
            message = f"{measure} has nothing to divide by for query {query!r}, got empty=error."
            raise AlignError(message, query=query, code="refused-empty")


def _compute_judged_shares(
    resolved: Mapping[Measure, Measure], ranked: Rankings
) -> dict[Measure, FloatArray]:
    """Return, for each measure, the share of the items it looks at that are judged, if any."""
    if not isinstance(ranked, JudgedRankings):
        return {}
    from gainful.measures import judged_share  # families are imported when they are needed

    cutoffs = {name: dict(m.settings).get("cutoff") for name, m in resolved.items()}
    returned = np.where(ranked.n_retrieved > 0, 1.0, math.nan)
    of_cutoff = {k: judged_share(ranked, k) * returned for k in set(cutoffs.values())}
    return {name: of_cutoff[cutoff] for name, cutoff in cutoffs.items()}


def _find_deepest_cutoff(measures: Iterable[Measure]) -> int:
    """Return the last rank at which any of the measures of items looks."""
    cutoffs = [m.all_settings.get("cutoff") for m in measures if issubclass(m.reads, ItemRankings)]
    depths = (ENDLESS if cutoff is None else min(cutoff, ENDLESS) for cutoff in cutoffs)
    return max(depths, default=0)


def _select_ids(ranked: Rankings, mask: BoolArray) -> tuple[str, ...]:
    return tuple(ranked.queries[i] for i in np.flatnonzero(mask))
