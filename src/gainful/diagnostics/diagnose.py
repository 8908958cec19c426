"""Notices about the join of a run and judgments, and the errors that rules ask for."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from gainful.alignment import (
    TOP_RANKS,
    GroupStats,
    ItemStats,
    Joined,
    JoinStats,
    JudgedRankings,
    PreferenceRankings,
    Rankings,
    Rules,
    collect_stats,
)
from gainful.diagnostics.data_notices import (
    LABEL_NOTICES,
    CarriageReturns,
    diagnose_labels,
    diagnose_scores,
    suggest_id_fix,
    write_fix_question,
)
from gainful.diagnostics.evaluation_notices import (
    CollapsedItems,
    CondensedLists,
    OwnItems,
    PaddingItems,
    UnjudgedLabeled,
)
from gainful.diagnostics.notices import (
    CommentLines,
    DuplicateItems,
    DuplicateJudgments,
    EmptyQueries,
    LongLines,
    MissingQueries,
    NegativeLabels,
    NoJudgedItems,
    NoPreferences,
    Notice,
    OneSubtopic,
    TiedItems,
    UnjudgedItems,
    UnjudgedQueries,
    UnknownItems,
)
from gainful.errors import AlignError
from gainful.sources import (
    GroupedJudgments,
    ItemData,
    Judgments,
    PreferenceJudgments,
    RowLocator,
    Run,
)

_MAX_EXAMPLES = 10  # of the ids that a notice keeps


class SourceNames(NamedTuple):
    """The names of a run and judgments in messages.

    Attributes:
        run: The name of the run.
        place: The name of the run in errors, such as its path.
        qrels: The name of the judgments in errors.
        judged_twice: The rule that chose between labels of an item judged twice.
        locator: The names of the rows of the run.
    """

    run: str
    place: str
    qrels: str
    judged_twice: str
    locator: RowLocator


def name_sources(
    judgments: Judgments | GroupedJudgments | PreferenceJudgments, run: Run, locator: RowLocator
) -> SourceNames:
    """Return the names of a run and judgments that were read."""
    return SourceNames(run.name, run.place, judgments.name, judgments.duplicates, locator)


def diagnose_joins(
    stats: Mapping[type[Rankings], JoinStats | ItemStats | GroupStats],
    names: Mapping[type[Rankings], SourceNames],
    rules: Rules,
    data: ItemData,
) -> list[Notice]:
    """Return the notices about the joins of one run, one join for each kind of rankings."""
    return [
        notice
        for kind, kind_stats in stats.items()
        for notice in diagnose_kind(kind, kind_stats, names[kind], rules, data)
    ]


def diagnose_kind(
    kind: type[Rankings],
    stats: JoinStats | ItemStats | GroupStats,
    names: SourceNames,
    rules: Rules,
    data: ItemData,
) -> Iterator[Notice]:
    """Yield the notices about a join; raise where the rules refuse it, or no query is shared."""
    joined = stats if isinstance(stats, JoinStats) else stats.joined
    check_join(joined, names, rules)
    hidden: tuple[str, ...] = ()
    if isinstance(stats, GroupStats):
        # Numbers replace labels there, and unjudged items take part in no preference.
        preferences = (UnjudgedItems.code,) if kind is PreferenceRankings else ()
        hidden = (*LABEL_NOTICES, *preferences)
    for notice in find_notices(joined, names, rules):
        if notice.code not in hidden:
            yield notice
    if isinstance(stats, ItemStats):
        yield from _diagnose_item_data(stats, names, data)
    elif isinstance(stats, GroupStats):
        yield from _diagnose_groups(stats, names, rules, of_preferences=kind is PreferenceRankings)


def _diagnose_item_data(stats: ItemStats, names: SourceNames, data: ItemData) -> Iterator[Notice]:
    unknown_items = {
        "catalog": stats.unlisted,
        "popularity": stats.unknown,
        "features": stats.featureless,
    }
    for lack, ids in unknown_items.items():
        if ids:
            examples = tuple(sorted(ids)[:_MAX_EXAMPLES])
            yield UnknownItems(names.run, lack, len(ids), len(stats.items), examples)
    if data.n_comments:
        yield CommentLines(data.name, data.n_comments)


def _diagnose_groups(
    stats: GroupStats, names: SourceNames, rules: Rules, *, of_preferences: bool
) -> Iterator[Notice]:
    if stats.empty:
        if rules.empty == "error":
            query = stats.empty[0]
            lack = "no item is preferred to another" if of_preferences else "nothing is relevant"
            message = f"{lack} for query {query!r}, got empty=error."
            raise AlignError(message, query=query, code="refused-empty")
        if rules.empty == "skip":
            _check_left(stats.n_queries - len(stats.empty), rules)
        declare = NoPreferences if of_preferences else EmptyQueries
        yield declare(stats.empty, stats.n_queries, rules.empty)
    if len(stats.groups) == 1 and stats.n_groups > 1:
        yield OneSubtopic(*stats.groups)
    if stats.negative.times:
        yield NegativeLabels(*stats.negative)
    if stats.n_judged_twice:
        yield DuplicateJudgments(stats.n_judged_twice, names.judged_twice)
    if stats.n_comments:
        yield CommentLines(names.qrels, stats.n_comments)


def name_joined(joined: Joined) -> SourceNames:
    """Return the names of the run and the judgments of a join."""
    return name_sources(joined.judgments, joined.run, joined.locator)


def check_joined_run(joined: Joined) -> None:
    """Raise where the rules refuse a join, or where run and judgments share no query."""
    check_join(collect_stats(joined), name_joined(joined), joined.rules)


def check_join(stats: JoinStats, names: SourceNames, rules: Rules) -> None:
    """Raise where the rules refuse a join, or where run and judgments share no query."""
    _check_shared(stats, names)
    # With another test for empty queries, the measure leaves them out of its mean.
    empty = stats.empty if rules.empty_test is None else ()
    if rules.missing == "error" and stats.missing:
        query = stats.missing[0]
        raise AlignError(
            _format_missing_query(names.run, query), query=query, code="refused-missing"
        )
    if rules.empty == "error" and empty:
        message = f"nothing is relevant for query {empty[0]!r}, got empty=error."
        raise AlignError(message, query=empty[0], code="refused-empty")
    left_out = {*(stats.missing if rules.missing == "skip" else ())}
    left_out |= {*(empty if rules.empty == "skip" else ())}
    _check_left(stats.n_queries - len(left_out), rules)


def _check_left(n_queries: int, rules: Rules) -> None:
    if not n_queries:
        message = f"no query is left to evaluate, got missing={rules.missing} empty={rules.empty}."
        raise AlignError(message, code="no-query-left")


def _check_shared(stats: JoinStats, names: SourceNames) -> None:
    if len(stats.missing) < stats.n_queries:
        return
    if not stats.rows.times:
        message = f"{names.place}: there are no items in it."
        raise AlignError(message, code="nothing-in-it")
    from gainful.diagnostics.id_mismatch import find_query_fix

    fix = find_query_fix((), stats.missing, stats.unjudged_queries)
    question = fix and write_fix_question("queries", fix.change, fix.side, fix.fixed_share, "")
    hint = f" {question}" if question else ""
    message = (
        f"run {names.run!r} and the qrels share no query; the first ids are "
        f"{stats.rows.first.query!r} (run) and {stats.missing[0]!r} (qrels).{hint}"
    )
    raise AlignError(message, code="no-common-query")


def _format_missing_query(run: str, query: str) -> str:
    return f"run {run!r} has no items for query {query!r}, got missing=error."


def find_join_notices(joined: Joined, *, all_close: bool = False) -> Iterator[Notice]:
    """Yield the notices about a run and judgments that share a query."""
    stats, names = collect_stats(joined), name_joined(joined)
    return find_notices(stats, names, joined.rules, all_close=all_close)


def find_notices(
    stats: JoinStats, names: SourceNames, rules: Rules, *, all_close: bool = False
) -> Iterator[Notice]:
    """Yield the notices about a join, from its statistics."""
    yield from _diagnose_queries(stats, names, rules)
    yield from _diagnose_unjudged_queries(stats, names)
    yield from _diagnose_ranked_items(stats, names, rules)
    yield from _diagnose_removed_items(stats, names, rules)
    yield from _diagnose_condensed_lists(stats, names, rules)
    yield from _diagnose_duplicates(stats, names, rules)
    yield from _diagnose_lines(stats, names)
    yield from diagnose_scores(stats, names.run, rules, names.locator, all_close=all_close)
    yield from diagnose_labels(stats)


def diagnose_query(joined: Joined, ranked: JudgedRankings) -> tuple[Notice, ...]:
    """Return the notices about one query of a join, whose ranking is given.

    Raises where the rules refuse the query, or where run and judgments share no query.
    """
    names, stats, rules = name_joined(joined), collect_stats(joined), joined.rules
    _check_shared(stats, names)
    (query,) = ranked.queries
    if rules.missing == "error" and query in stats.missing:
        raise AlignError(_format_missing_query(names.run, query), code="refused-missing")
    stats = collect_stats(joined._replace(ranked=ranked))
    return (
        *_diagnose_ranked_items(stats, names, rules),
        *_diagnose_duplicates(stats, names, rules),
        *_diagnose_lines(stats, names),
    )


def _diagnose_queries(stats: JoinStats, names: SourceNames, rules: Rules) -> Iterator[Notice]:
    if stats.missing and rules.missing != "error":
        skipped = rules.missing == "skip"
        yield MissingQueries(names.run, stats.missing, stats.n_queries, skipped)
    if stats.empty and rules.empty != "error":
        yield EmptyQueries(stats.empty, stats.n_queries, rules.empty)


def _diagnose_unjudged_queries(stats: JoinStats, names: SourceNames) -> Iterator[Notice]:
    if stats.unjudged_queries:
        queries = stats.unjudged_queries
        yield UnjudgedQueries(names.run, queries)
    if stats.n_judgments and stats.rows.times and not stats.n_hits:
        # Ids of one query, if there is one with both, so that they may be compared.
        row, judged = stats.judged_row.first or (stats.rows.first, stats.most_judged.first[-1])
        yield NoJudgedItems(names.run, row.item, judged)
        from gainful.diagnostics.id_mismatch import find_item_fix

        fix = find_item_fix(stats.samples, stats.n_retrieved)
        yield from suggest_id_fix(names.run, "items", fix)


def diagnose_judgments(judgments: Judgments, rules: Rules) -> Iterator[Notice]:
    """Yield the notices about judgments that their join with a run raises too."""
    begin, end = judgments.pool_offsets[:-1], judgments.pool_offsets[1:]
    highest = np.append(judgments.pool_label, 0.0)[begin]
    empty = (begin == end) | (highest <= 0)
    if empty.any() and rules.empty != "error":
        queries = tuple(judgments.queries[i] for i in np.flatnonzero(empty))
        yield EmptyQueries(queries, len(empty), rules.empty)
    if n_negative := int((judgments.pool_label < 0).sum()):
        yield NegativeLabels(n_negative, float(judgments.pool_label.min()))
    if judgments.index.n_duplicates and rules.duplicates != "error":
        yield DuplicateJudgments(judgments.index.n_duplicates, judgments.duplicates)
    if n_lines := judgments.n_comments:
        yield CommentLines(judgments.name, n_lines)


def _diagnose_ranked_items(stats: JoinStats, names: SourceNames, rules: Rules) -> Iterator[Notice]:
    if (share := _compute_unjudged_share(stats)) > 0:
        if rules.unjudged_label is not None:
            yield UnjudgedLabeled(names.run, share, TOP_RANKS, rules.unjudged_label)
        elif rules.unjudged != "undefined":
            yield UnjudgedItems(names.run, share, TOP_RANKS)
    if stats.n_tied:
        yield TiedItems(names.run, stats.n_tied, stats.n_ranked, rules.ties)
    if stats.negative.times:
        yield NegativeLabels(*stats.negative)


def _diagnose_removed_items(stats: JoinStats, names: SourceNames, rules: Rules) -> Iterator[Notice]:
    if stats.n_own:
        yield OwnItems(names.run, stats.n_own)
    if stats.n_padding:
        yield PaddingItems(stats.n_padding, str(rules.padding))


def _diagnose_condensed_lists(
    stats: JoinStats, names: SourceNames, rules: Rules
) -> Iterator[Notice]:
    if rules.unjudged != "condense":
        return
    n_items = None
    # Rows are counted where scores order them, and what depth cut off is no longer there to count.
    if rules.order == "score" and rules.depth is None:
        n_dropped = 0 if rules.keeps_mentions else stats.n_duplicates
        n_items = stats.n_scored - n_dropped - stats.n_own - stats.n_retrieved
    if n_items != 0:
        yield CondensedLists(names.run, n_items)


def _diagnose_duplicates(stats: JoinStats, names: SourceNames, rules: Rules) -> Iterator[Notice]:
    if rules.collapse is not None:
        yield CollapsedItems(names.run, stats.n_parts, stats.n_whole, stats.n_duplicates)
        return
    if stats.n_duplicates:
        yield DuplicateItems(names.run, stats.n_duplicates, rules.duplicates)
    if stats.n_judged_twice:
        yield DuplicateJudgments(stats.n_judged_twice, names.judged_twice)


def _diagnose_lines(stats: JoinStats, names: SourceNames) -> Iterator[Notice]:
    if stats.n_qrels_comments:
        yield CommentLines(names.qrels, stats.n_qrels_comments)
    if stats.n_comments:
        yield CommentLines(names.place, stats.n_comments)
    if stats.long_lines.times:
        yield LongLines(names.run, *stats.long_lines)
    if stats.n_returns:
        yield CarriageReturns(names.place, stats.n_returns)


def _compute_unjudged_share(stats: JoinStats) -> float:
    n_items = stats.n_looked_at
    return max(0.0, 1 - math.fsum(stats.judged) / n_items) if n_items else 0.0
