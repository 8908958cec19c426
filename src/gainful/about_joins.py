"""What is to be said of a run and judgments, by the facts of their join."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gainful.facts import Facts, GroupFacts
from gainful.joined import SHALLOW, Joined, facts_of
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
from gainful.rankings import JudgedRankings
from gainful.ruled_notices import (
    CollapsedItems,
    CondensedLists,
    OwnItems,
    PaddingItems,
    UnjudgedLabelled,
)
from gainful.rules import Rules
from gainful.sources import GroupedJudgments, Handed, Judgments, PreferenceJudgments, Run


class Parties(NamedTuple):
    """What a run and judgments are called.

    Attributes:
        run: The name of the run.
        place: What errors call it.
        qrels: What errors call the judgments.
        judged_twice: The rule that chose between labels of an item judged twice.
        handed: What the rows of the run are called.
    """

    run: str
    place: str
    qrels: str
    judged_twice: str
    handed: Handed


def parties(
    judgments: Judgments | GroupedJudgments | PreferenceJudgments, run: Run, handed: Handed
) -> Parties:
    """What a run and judgments that were read are called."""
    return Parties(run.name, run.place, judgments.name, judgments.duplicates, handed)


def about_read(facts: GroupFacts, who: Parties) -> Iterator[Notice]:
    """What is to be said of how judgments in groups were read."""
    if facts.n_judged_twice:
        yield DuplicateJudgments(facts.n_judged_twice, who.judged_twice)
    if facts.n_comments:
        yield CommentLines(who.qrels, facts.n_comments)


def about_join(
    judgments: Judgments, run: Run, rules: Rules, joined: Joined, *, all_close: bool = False
) -> Iterator[Notice]:
    """All that is to be said of a run and judgments that share a query."""
    who = parties(judgments, run, joined.handed)
    return about(facts_of(judgments, rules, joined), who, rules, all_close=all_close)


def about(facts: Facts, who: Parties, rules: Rules, *, all_close: bool = False) -> Iterator[Notice]:
    """The same, by the facts."""
    yield from _about_queries(facts, who, rules)
    yield from _about_strangers(facts, who)
    yield from _about_items(facts, who, rules)
    yield from _about_taken_out(facts, who, rules)
    yield from _about_condensed(facts, who, rules)
    yield from _about_duplicates(facts, who, rules)
    yield from _about_lines(facts, who)
    yield from about_scores(facts, who.run, rules, who.handed, all_close=all_close)
    yield from about_labels(facts)


def about_query(
    judgments: Judgments, run: Run, rules: Rules, joined: Joined, ranked: JudgedRankings
) -> Iterator[Notice]:
    """All that is to be said of one of their queries, whose ranking is given."""
    facts = facts_of(judgments, rules, joined._replace(ranked=ranked))
    who = parties(judgments, run, joined.handed)
    yield from _about_items(facts, who, rules)
    yield from _about_duplicates(facts, who, rules)
    yield from _about_lines(facts, who)


def _about_queries(facts: Facts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if facts.missing and rules.missing != "error":
        skipped = rules.missing == "skip"
        yield MissingQueries(who.run, facts.missing, facts.n_queries, skipped)
    if facts.empty and rules.empty != "error":
        yield EmptyQueries(facts.empty, facts.n_queries, rules.empty)


def _about_strangers(facts: Facts, who: Parties) -> Iterator[Notice]:
    if facts.strangers:
        yield UnjudgedQueries(who.run, tuple(one.query for one in facts.strangers))
    if facts.n_judgments and facts.rows.times and not facts.n_hits:
        # Ids of one query, if there is one with both, so that they may be compared.
        row, wanted = facts.judged_row.first or (facts.rows.first, facts.most_judged.first[-1])
        yield NoJudgedItems(who.run, row.item, wanted)
        near = near_items(facts.samples, facts.n_retrieved)
        yield from about_near(who.run, "items", near)


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


def _about_items(facts: Facts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if (share := _unjudged_share(facts)) > 0:
        if rules.unjudged_label is not None:
            yield UnjudgedLabelled(who.run, share, SHALLOW, rules.unjudged_label)
        elif rules.unjudged != "undefined":
            yield UnjudgedItems(who.run, share, SHALLOW)
    if facts.n_tied:
        yield TiedItems(who.run, facts.n_tied, facts.n_ranked, rules.ties)
    if facts.negative.times:
        yield NegativeLabels(*facts.negative)


def _about_taken_out(facts: Facts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if facts.n_own:
        yield OwnItems(who.run, facts.n_own)
    if facts.n_padding:
        yield PaddingItems(facts.n_padding, str(rules.padding))


def _about_condensed(facts: Facts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if rules.unjudged != "condense":
        return
    n_items = None
    # Rows are counted where scores order them, and what depth cut off is no longer there to count.
    if rules.order == "score" and rules.depth is None:
        n_dropped = 0 if rules.keeps_mentions else facts.n_duplicates
        n_items = facts.n_scored - n_dropped - facts.n_own - facts.n_retrieved
    if n_items != 0:
        yield CondensedLists(who.run, n_items)


def _about_duplicates(facts: Facts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if rules.collapse is not None:
        yield CollapsedItems(who.run, facts.n_parts, facts.n_whole, facts.n_duplicates)
        return
    if facts.n_duplicates:
        yield DuplicateItems(who.run, facts.n_duplicates, rules.duplicates)
    if facts.n_judged_twice:
        yield DuplicateJudgments(facts.n_judged_twice, who.judged_twice)


def _about_lines(facts: Facts, who: Parties) -> Iterator[Notice]:
    if facts.n_qrels_comments:
        yield CommentLines(who.qrels, facts.n_qrels_comments)
    if facts.n_comments:
        yield CommentLines(who.place, facts.n_comments)
    if facts.long_lines.times:
        yield LongLines(who.run, *facts.long_lines)
    yield from about_returns(who.place, facts.n_returns)


def _unjudged_share(facts: Facts) -> float:
    seen = facts.n_looked_at
    return max(0.0, 1 - math.fsum(facts.judged) / seen) if seen else 0.0
