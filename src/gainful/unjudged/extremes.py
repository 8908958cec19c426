"""The lowest and the highest values of runs over all labels of their unjudged items."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.evaluate import values_of
from gainful.measures import Formula, Measure
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.unjudged.grades import Choices
from gainful.unjudged.ideals import Steps, steps
from gainful.unjudged.labelled import with_hits, with_pool
from gainful.unjudged.places import Looked
from gainful.unjudged.search import Sums, highest

Values = FloatArray  # a row for every run, a column for every query


class Unjudged(NamedTuple):
    """The different unjudged items of some runs, and where each of them stands.

    Attributes:
        query: The query of each item, ascending.
        item: Its number among the ids.
        of: For every run, the numbers of its places in ``query`` and ``item``.
    """

    query: IntArray
    item: IntArray
    of: tuple[IntArray, ...]


@dataclass(eq=False)
class Question(Frozen):
    """How a measure is worked out, and which labels are tried."""

    measure: Measure
    formula: Formula
    rules: Rules
    choices: Choices

    def values(self, looked: Looked) -> FloatArray:
        """The values of a run as it is judged; NaN where the rules leave a query out."""
        values = values_of(self.measure, looked.ranked, self.rules)
        return np.where(looked.kept, values, np.nan)

    def ends(self, looked: Looked) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest value of every query."""
        (low, high), now = self._found((looked,), (1.0,)), self.values(looked)
        return np.where(np.isnan(now), now, low[0]), np.where(np.isnan(now), now, high[0])

    def difference_ends(self, system: Looked, baseline: Looked) -> tuple[Values, Values]:
        """The values of both where they differ least, and where they differ most, in this order.

        An item has the same label for both.
        """
        both = system, baseline
        undefined = np.isnan(self.values(system) - self.values(baseline))
        low, high = self._found(both, (1.0, -1.0))
        return np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)

    def _found(
        self, several: tuple[Looked, ...], signs: tuple[float, ...]
    ) -> tuple[Values, Values]:
        """The values of runs, a row each, where their signed sum is lowest, and highest."""
        items, ranked = unjudged(several), several[0].ranked
        weight, sums = np.zeros(len(items.query)), np.zeros(ranked.n_queries)
        for looked, places, sign in zip(several, items.of, signs, strict=True):
            np.add.at(weight, places, sign * looked.places.weight)
            sums += sign * self.formula.total(looked.ranked)
        offsets = np.searchsorted(items.query, np.arange(ranked.n_queries + 1))
        labels = self._labels(Sums(sums, offsets, weight), ranked)
        # The lowest label for all: where that gains nothing, a share is what the rules say.
        lowest = np.full(len(items.query), self.choices.label[0])
        low, high, at_least = (self._values(several, items, one) for one in (*labels, lowest))
        lower, higher = (np.array(signs) @ (at_least - one) for one in (low, high))
        return np.where(lower < 0, at_least, low), np.where(higher > 0, at_least, high)

    def _labels(self, sums: Sums, ranked: JudgedRankings) -> tuple[FloatArray, FloatArray]:
        """The labels of all unjudged items that make the shares lowest, and highest."""
        best = self.steps(ranked, np.diff(sums.offsets))
        gain, label = self.choices.gain, self.choices.label
        return label[highest(-sums, gain, best)], label[highest(sums, gain, best)]

    def steps(self, ranked: JudgedRankings, n_more: IntArray) -> Steps | None:
        """What the best ranking gains; None for measures that do not divide by it."""
        if not self.formula.normalised:
            return None
        gain = ragged.descending(self.formula.gains(ranked.pool_label), ranked.pool_query)
        cutoff = self.formula.cutoff
        depth = ENDLESS if cutoff is None or self.formula.ideal_depth == "all" else cutoff
        deepest = int((np.diff(ranked.pool_offsets) + n_more).max(initial=1))
        depth = min(depth, deepest)
        weight = self.formula.discount.running(depth)
        return steps(gain, ranked.pool_offsets, self.choices.gain, weight, depth)

    def _values(self, several: tuple[Looked, ...], items: Unjudged, label: FloatArray) -> Values:
        """The values of runs if items had these labels, by the arithmetic of the measure."""
        rows = []
        for looked, places in zip(several, items.of, strict=True):
            ranked = with_pool(looked.ranked, items.query, label)
            ranked = with_hits(ranked, looked.places, label[places])
            rows.append(values_of(self.measure, ranked, self.rules))
        return np.stack(rows)


def unjudged(several: tuple[Looked, ...]) -> Unjudged:
    """The different unjudged items of runs that number items alike."""
    if len(several) == 1:
        places = several[0].places
        return Unjudged(places.query, places.item, (np.arange(len(places.query)),))
    query = np.concatenate([looked.places.query for looked in several])
    item = np.concatenate([looked.places.item for looked in several])
    order = np.lexsort((item, query))
    start, block = ragged.blocks(query[order], item[order])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = block
    ends = np.cumsum([len(looked.places.query) for looked in several])[:-1]
    first = order[start]
    return Unjudged(query[first], item[first], tuple(np.split(number, ends)))
