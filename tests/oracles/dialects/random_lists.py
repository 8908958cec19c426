"""Random lists of labels and scores: 2 to 60 items, half of the lists with tied scores."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

N_LISTS = 300
CUTOFFS = (1, 5, 10, 60)


class ScoredItems(NamedTuple):
    """Items of one query, in the order in which they are passed."""

    labels: np.ndarray
    scores: np.ndarray


def draw_lists(seed: int, *, highest: int = 4, empty: bool = True) -> list[ScoredItems]:
    """Return lists with labels from 0 to ``highest``; some have none above 0, if ``empty``."""
    return list(_generate_lists(np.random.default_rng(seed), highest, empty))


def _generate_lists(rng: np.random.Generator, highest: int, empty: bool) -> Iterator[ScoredItems]:
    for number in range(N_LISTS):
        size = int(rng.integers(2, 61))
        labels = rng.integers(0, highest + 1, size) * (rng.random(size) < rng.random())
        if not (empty or labels.any()):
            labels[rng.integers(size)] = 1
        levels = max(2, size // 3)
        has_ties = number % 2 == 0
        # Eighths, and numbers of single precision: every library compares them alike.
        scores = rng.integers(0, levels, size) / 8 if has_ties else rng.permutation(size) / 64
        yield ScoredItems(labels, np.float32(scores).astype(float))


def make_qrels(lists: list[ScoredItems]) -> dict[str, dict[str, int]]:
    """Return the lists as judgments of items named i0, i1, ..."""
    return {f"q{i}": _number_items(items.labels) for i, items in enumerate(lists)}


def make_run(lists: list[ScoredItems]) -> dict[str, dict[str, float]]:
    """Return the lists as a run of the items of ``make_qrels``."""
    return {f"q{i}": _number_items(items.scores) for i, items in enumerate(lists)}


def _number_items(numbers: np.ndarray) -> dict[str, float]:
    return {f"i{j}": number for j, number in enumerate(numbers.tolist())}
