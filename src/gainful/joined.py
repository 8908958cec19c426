"""Joined: a run and judgments that were joined and ranked, and what is to be said of them."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gainful import _native
from gainful.near_ids import near_items
from gainful.notices import (
    CommentLines,
    DuplicateItems,
    DuplicateJudgments,
    EmptyQueries,
    LongLines,
    MissingQueries,
    NegativeLabels,
    NoJudgedItems,
    Notice,
    TiedItems,
    UnjudgedItems,
    UnjudgedQueries,
)
from gainful.oddities import about_labels, about_near, about_returns, about_scores
from gainful.ragged import BoolArray
from gainful.rankings import JudgedRankings
from gainful.ruled_notices import (
    CollapsedItems,
    CondensedLists,
    OwnItems,
    PaddingItems,
    UnjudgedLabelled,
)
from gainful.ruled_rankings import is_padding
from gainful.rules import Rules
from gainful.sources import Collapse, Handed, Judgments, Run

_SHALLOW = 10


class Joined(NamedTuple):
    """A run and judgments, joined and ranked, before anything is left out or said."""

    aligner: _native.Aligner
    aligned: _native.Aligned
    ranked: JudgedRankings
    parts: Collapse | None
    handed: Handed


def about_join(
    judgments: Judgments, run: Run, rules: Rules, joined: Joined, *, all_close: bool = False
) -> Iterator[Notice]:
    """All that is to be said of a run and judgments that share a query."""
    aligner, aligned, ranked, parts, handed = joined
    yield from _about_queries(ranked, run, rules, aligned.in_run == 0)
    yield from _about_strangers(judgments, run, aligner, aligned)
    yield from _about_items(ranked, run, rules)
    yield from _about_taken_out(judgments, run, rules, aligned)
    yield from _about_condensed(run, rules, aligned)
    yield from _about_duplicates(judgments, run, rules, aligned, parts)
    yield from _about_lines(judgments, run, aligner, handed)
    yield from about_scores(judgments, run, rules, aligned, handed, all_close=all_close)
    yield from about_labels(judgments.pool_label)


def about_query(
    judgments: Judgments, run: Run, rules: Rules, joined: Joined, ranked: JudgedRankings
) -> Iterator[Notice]:
    """All that is to be said of one of their queries, whose ranking is given."""
    yield from _about_items(ranked, run, rules)
    yield from _about_duplicates(judgments, run, rules, joined.aligned, joined.parts)
    yield from _about_lines(judgments, run, joined.aligner, joined.handed)


def _about_queries(
    ranked: JudgedRankings, run: Run, rules: Rules, missing: BoolArray
) -> Iterator[Notice]:
    empty = ranked.nothing_relevant
    if missing.any() and rules.missing != "error":
        queries = _named(ranked, missing)
        yield MissingQueries(run.name, queries, ranked.n_queries, rules.missing == "skip")
    if empty.any() and rules.empty != "error":
        yield EmptyQueries(_named(ranked, empty), ranked.n_queries, rules.empty)


def _about_strangers(
    judgments: Judgments, run: Run, aligner: _native.Aligner, aligned: _native.Aligned
) -> Iterator[Notice]:
    if strangers := aligner.strangers:
        yield UnjudgedQueries(run.name, tuple(strangers))
    if len(judgments.pool_label) and aligner.n_rows and not len(aligned.hit_rank):
        # Ids of one query, if there is one with both, so that they may be compared.
        row, query = aligner.first_judged, aligner.first_judged.number
        if query is None:
            row, query = aligner.first_row, int(np.diff(judgments.pool_offsets).argmax())
        wanted, _ = judgments.index.judgments(query)[0]
        yield NoJudgedItems(run.name, row.item, wanted)
        yield from about_near(run, "items", near_items(judgments, aligned))


def about_judgments(judgments: Judgments, rules: Rules) -> Iterator[Notice]:
    """What is to be said of the judgments alone, as it is said with a run."""
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


def _about_items(ranked: JudgedRankings, run: Run, rules: Rules) -> Iterator[Notice]:
    if (share := _unjudged_share(ranked)) > 0:
        if rules.unjudged_label is not None:
            yield UnjudgedLabelled(run.name, share, _SHALLOW, rules.unjudged_label)
        elif rules.unjudged != "undefined":
            yield UnjudgedItems(run.name, share, _SHALLOW)
    if n_tied := int((ranked.hit_tie_size > 1).sum()):
        yield TiedItems(run.name, n_tied, len(ranked.hit_rank), rules.ties)
    if n_negative := int((ranked.pool_label < 0).sum()):
        yield NegativeLabels(n_negative, float(ranked.pool_label.min()))


def _about_taken_out(
    judgments: Judgments, run: Run, rules: Rules, aligned: _native.Aligned
) -> Iterator[Notice]:
    if aligned.n_own:
        yield OwnItems(run.name, aligned.n_own)
    if n_items := int(np.count_nonzero(is_padding(judgments.pool_label, rules))):
        yield PaddingItems(n_items, str(rules.padding))


def _about_condensed(run: Run, rules: Rules, aligned: _native.Aligned) -> Iterator[Notice]:
    if rules.unjudged != "condense":
        return
    n_items = None
    # Rows are counted where scores order them, and what depth cut off is no longer there to count.
    if rules.order == "score" and rules.depth is None:
        n_dropped = 0 if rules.keeps_mentions else aligned.n_duplicates
        n_items = aligned.tally.rows - n_dropped - aligned.n_own - int(aligned.n_retrieved.sum())
    if n_items != 0:
        yield CondensedLists(run.name, n_items)


def _about_duplicates(
    judgments: Judgments, run: Run, rules: Rules, aligned: _native.Aligned, parts: Collapse | None
) -> Iterator[Notice]:
    if parts is not None:
        yield CollapsedItems(run.name, parts.n_items, parts.n_whole, aligned.n_duplicates)
    elif aligned.n_duplicates:
        yield DuplicateItems(run.name, aligned.n_duplicates, rules.duplicates)
    if judgments.index.n_duplicates and parts is None:
        yield DuplicateJudgments(judgments.index.n_duplicates, judgments.duplicates)


def _about_lines(
    judgments: Judgments, run: Run, aligner: _native.Aligner, handed: Handed
) -> Iterator[Notice]:
    if n_lines := judgments.n_comments:
        yield CommentLines(judgments.name, n_lines)
    if n_lines := aligner.odd.comments + handed.n_comments:
        yield CommentLines(run.place, n_lines)
    if n_lines := aligner.odd.long_lines:
        yield LongLines(run.name, n_lines, aligner.odd.first_long)
    yield from about_returns(run.place, aligner.odd)


def _unjudged_share(ranked: JudgedRankings) -> float:
    seen = int(np.minimum(ranked.n_retrieved, _SHALLOW).sum())
    judged = float(np.count_nonzero(ranked.hit_rank <= _SHALLOW))
    if ranked.average_ties:
        shallow = ranked.hit_tie_first <= _SHALLOW
        first, size = ranked.hit_tie_first[shallow], ranked.hit_tie_size[shallow]
        judged = math.fsum(np.minimum(_SHALLOW + 1 - first, size) / size)
    return max(0.0, 1 - judged / seen) if seen else 0.0


def _named(ranked: JudgedRankings, chosen: BoolArray) -> tuple[str, ...]:
    return tuple(ranked.queries[i] for i in np.flatnonzero(chosen))
