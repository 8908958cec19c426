"""The first items of a run, and where the judged ones stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gainful import ragged
from gainful.align import join
from gainful.cached import cached_property
from gainful.measures import Formula
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Frozen
from gainful.refused_rules import SHIFTING, refuse
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run

_HELD = 2_000_000  # places of all runs and queries
_LEAST = 50
_ENDLESS = 100  # ranks that are held where all of them count


@dataclass(eq=False, repr=False)
class Heads(Frozen):
    """The first items of every query of one run.

    Attributes:
        ranked: Where the judged items ended up.
        offsets: Where the items of each query begin; one more than there are queries.
        item: The number of each item in ``ids``, in rank order.
        ids: The ids of items.
    """

    ranked: JudgedRankings
    offsets: IntArray
    item: IntArray
    ids: Sequence[str]

    @cached_property
    def rankings(self) -> list[list[str]]:
        """The ids of every query, in rank order."""
        names = np.array(self.ids, dtype=object)[self.item].tolist()
        starts = self.offsets.tolist()
        return [names[a:b] for a, b in pairwise(starts)]

    @cached_property
    def tied(self) -> BoolArray:
        """Whether ties are averaged on a query that has one with a judged item."""
        ranked = self.ranked
        blocks = ranked.hit_query[ranked.hit_tie_size > 1] if ranked.average_ties else ()
        found = np.zeros(ranked.n_queries, dtype=np.bool_)
        found[np.asarray(blocks, dtype=np.int64)] = True
        return found

    def weights(self, formula: Formula) -> list[list[float]]:
        """What every place weighs where ties are averaged.

        Ties of unjudged items alone are not looked into: they add nothing.
        """
        rank, bottom = ragged.positions(self.offsets), formula.bottom(self.ranked)
        counted = rank <= bottom[ragged.owners(self.offsets)]
        weight = counted / formula.discount.divisors(int(rank.max(initial=1)))[rank]
        place, of_block = self._blocks(formula, bottom)
        weight[place] = of_block
        starts, every = self.offsets.tolist(), weight.tolist()
        return [every[a:b] for a, b in pairwise(starts)]

    def _blocks(self, formula: Formula, bottom: IntArray) -> tuple[IntArray, FloatArray]:
        """The places that are held of every tie with a judged item, and what each weighs."""
        ranked = self.ranked
        tied = np.flatnonzero(ranked.hit_tie_size > 1)
        query, first = ranked.hit_query[tied], ranked.hit_tie_first[tied]
        size = ranked.hit_tie_size[tied]
        mean = formula.discount.weights(first, np.minimum(first + size - 1, bottom[query])) / size
        n_held = np.clip(np.diff(self.offsets)[query] - first + 1, 0, size)
        begin = self.offsets[query] + first - 1
        blocks = np.concatenate([[0], np.cumsum(n_held)])
        return np.repeat(begin, n_held) + ragged.positions(blocks) - 1, np.repeat(mean, n_held)


def depth_for(cutoff: int | None, n_runs: int, n_queries: int) -> int:
    """How many ranks are held.

    >>> depth_for(10, 2, 300), depth_for(1000, 2, 300), depth_for(1000, 2, 5000)
    (50, 1000, 200)
    """
    wanted = _ENDLESS if cutoff is None else max(cutoff, _LEAST)
    return max(min(wanted, _HELD // (n_runs * n_queries)), 1)


def heads_of(
    judgments: Judgments, run: Run, keep: IntArray, rules: Rules, reading: Reading, depth: int
) -> Heads:
    """The first items of a run, for some queries, given by their number in the qrels."""
    refuse(rules, SHIFTING, "has no place in a report, which shows items rank by rank")
    joined = join(judgments, run, rules, reading, heads=depth)
    places, offsets = ragged.take(joined.aligned.head_offsets, keep)
    item = joined.aligned.head_item[places]
    return Heads(joined.ranked.select(keep), offsets, item, joined.aligned.items)
