"""Values of one query, by the formulas of the measures: plain Python, no NumPy, nothing of gainful.

A ranking is the labels of its items, best first, None for an item without a judgment. Where a
formula is a sum over ranks, it is added in rank order, so that all of it is equal bit by bit.
"""

import math
from collections.abc import Callable

Ranking = list[float | None]
Pool = list[float]  # the labels of all judged items

LOG2 = [math.nan, *(math.log2(rank + 1) for rank in range(1, 2000))]


def ranked(scores: dict[str, float], labels: dict[str, float]) -> Ranking:
    """The labels of the items by falling score, equal ones by falling bytes of their ids."""
    items = sorted(scores, key=lambda item: (scores[item], item.encode()), reverse=True)
    return [labels.get(item) for item in items]


def linear(label: float) -> float:
    """The label itself; a negative one gains nothing."""
    return max(label, 0.0)


def exp2(label: float) -> float:
    """2^label - 1; a negative label gains nothing."""
    return 2.0**label - 1.0 if label > 0 else 0.0


def cg(ranking: Ranking, cutoff: int) -> float:
    """The sum of the gains."""
    total = 0.0
    for label in ranking[:cutoff]:
        total += linear(label or 0.0)
    return total


def dcg(ranking: Ranking, cutoff: int, gain: Callable[[float], float] = linear) -> float:
    """The sum of gain over log2(rank + 1)."""
    total = 0.0
    for rank, label in enumerate(ranking[:cutoff], start=1):
        if label:
            total += gain(label) / LOG2[rank]
    return total


def idcg(pool: Pool, depth: int, gain: Callable[[float], float] = linear) -> float:
    """The same of all judged items in their best order."""
    return dcg(sorted(pool, reverse=True), depth, gain)


def ndcg(
    ranking: Ranking,
    pool: Pool,
    cutoff: int,
    gain: Callable[[float], float] = linear,
    depth: int | None = None,
) -> float:
    """DCG as a share of the best one, at most 1; 0 if there is nothing to gain."""
    best = idcg(pool, cutoff if depth is None else depth, gain)
    return min(dcg(ranking, cutoff, gain) / best, 1.0) if best else 0.0


def ranks_of_relevant(ranking: Ranking) -> list[int]:
    """The ranks, from 1, of items with a label of at least 1."""
    return [r for r, label in enumerate(ranking, start=1) if label is not None and label >= 1]


def ap(ranks: list[int], n_relevant: int, cutoff: int) -> float:
    """The sum of precisions at relevant items over the number of relevant items."""
    total = 0.0
    for nth, rank in enumerate(ranks, start=1):
        if rank <= cutoff:
            total += nth / rank
    return total / n_relevant if n_relevant else 0.0


def rr(ranks: list[int], cutoff: int) -> float:
    """One over the rank of the first relevant item."""
    return 1.0 / ranks[0] if ranks and ranks[0] <= cutoff else 0.0


def count_relevant(ranks: list[int], cutoff: int) -> int:
    """How many relevant items stand within the first ranks."""
    return sum(rank <= cutoff for rank in ranks)


def err(ranking: Ranking, cutoff: int, highest: float = 4.0) -> float:
    """Expected reciprocal of the rank at which a user is satisfied."""
    total, goes_on = 0.0, 1.0
    for rank, label in enumerate(ranking[:cutoff], start=1):
        satisfied = exp2(label or 0.0) / 2.0**highest
        total += goes_on * satisfied / rank
        goes_on *= 1.0 - satisfied
    return total


def rbp(ranks: list[int], p: float = 0.8) -> float:
    """Expected gain per item of a user who goes on with a chance of p."""
    return (1.0 - p) * math.fsum(p ** (rank - 1) for rank in ranks)


def bpref(ranking: Ranking, pool: Pool) -> float:
    """Mean share of items judged not relevant that relevant ones stand above."""
    n_relevant = sum(label >= 1 for label in pool)
    n_others = sum(0 <= label < 1 for label in pool)
    total, others = 0.0, 0
    for label in ranking:
        if label is not None and label >= 1:
            bound = min(n_others, n_relevant)
            total += 1.0 - min(others, n_relevant) / bound if others else 1.0
        elif label is not None and label >= 0:
            others += 1
    return total / n_relevant if n_relevant else 0.0


def judged(ranking: Ranking, cutoff: int) -> float:
    """Share of the first ranks that hold a judged item."""
    first = ranking[:cutoff]
    return sum(label is not None for label in first) / len(first) if first else 0.0
