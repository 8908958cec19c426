"""What the best ranking gains where some items have labels and others may get any.

The sum of a ranking is a sum over steps: from one gain to the next higher, every item that gains as
much adds the step, over the divisor of its rank. So what a step adds depends only on how many items
reach it. Of the judged items that is known; of the unjudged it is what is chosen.
"""

from dataclasses import dataclass

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen


@dataclass(eq=False)
class Steps(Frozen):
    """For every query, the parts that the steps between gains have, by how many items reach each.

    The steps lead from 0 to each gain that can be chosen, and the last to the highest gain of any
    judged item. A step is in several parts where judged items gain what lies between.

    Attributes:
        reached: How many judged items reach the upper end of each step; queries x steps.
        height: The height of the uppermost part of each step; queries x steps.
        offsets: Where each query's lower parts begin; one more than there are queries.
        step: The step that each lower part belongs to.
        part_reached: How many judged items reach it.
        part_height: Its height.
        weight: The sum of 1/divisor over the first ranks, by how many.
        depth: The last rank of the best ranking.
    """

    reached: IntArray
    height: FloatArray
    offsets: IntArray
    step: IntArray
    part_reached: IntArray
    part_height: FloatArray
    weight: FloatArray
    depth: int

    def totals(self, queries: IntArray, n_more: int) -> FloatArray:
        """What each step adds for some queries if 0, 1, 2... unjudged items reach it as well.

        The axes are queries, steps, and how many.
        """
        more = np.arange(n_more + 1)
        sums = self._weight(self.reached[queries][..., np.newaxis] + more)
        sums *= self.height[queries][..., np.newaxis]
        parts, offsets = ragged.take(self.offsets, queries)
        if len(parts):
            weight = self._weight(self.part_reached[parts][:, np.newaxis] + more)
            weight *= self.part_height[parts][:, np.newaxis]
            np.add.at(sums, (ragged.owners(offsets), self.step[parts]), weight)
        return sums

    def _weight(self, count: IntArray) -> FloatArray:
        weight: FloatArray = self.weight[np.minimum(count, self.depth)]
        return weight


def steps(
    gain: FloatArray, offsets: IntArray, choice: FloatArray, weight: FloatArray, depth: int
) -> Steps:
    """The steps of the best rankings of judged items.

    Args:
        gain: Of all judged items, descending within a query.
        offsets: Where each query's items begin.
        choice: The different gains that an unjudged item may have, ascending.
        weight: The sum of 1/divisor over the first ranks, by how many.
        depth: The last rank of the best ranking.
    """
    top = max(float(gain.max(initial=0.0)), float(choice[-1]))
    upper = np.maximum(np.append(choice, top), 0.0)
    owner, n_queries = ragged.owners(offsets), len(offsets) - 1
    reached = np.stack([np.bincount(owner[gain >= g], minlength=n_queries) for g in upper], axis=1)
    height = np.tile(np.diff(upper, prepend=0.0), (n_queries, 1))
    start, _ = ragged.blocks(owner, gain)
    end = np.append(start[1:], len(gain))[: len(start)]
    inside = (gain[start] > 0) & ~np.isin(gain[start], upper)
    query, part = owner[start[inside]], gain[start[inside]]
    step = np.searchsorted(upper, part)
    first, _ = ragged.blocks(query, step)
    height[query[first], step[first]] = upper[step[first]] - part[first]
    last = np.append(first[1:], len(part))[: len(first)] - 1
    below = np.append(part[1:], 0.0)[: len(part)]
    below[last] = np.append(0.0, upper)[step[last]]
    return Steps(
        reached=reached,
        height=height,
        offsets=np.searchsorted(query, np.arange(n_queries + 1)),
        step=step,
        part_reached=end[inside] - offsets[query],
        part_height=part - below,
        weight=weight,
        depth=depth,
    )
