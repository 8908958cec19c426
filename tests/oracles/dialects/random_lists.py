"""Random lists of labels and scores: 2 to 60 items, half of the lists with tied scores."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

N_LISTS = 300
CUTOFFS = (1, 5, 10, 60)


class Listed(NamedTuple):
    """The items of one query, in the order in which they are passed."""

    labels: np.ndarray
    scores: np.ndarray


def random_lists(seed: int, *, highest: int = 4, empty: bool = True) -> list[Listed]:
    """Lists with labels from 0 to ``highest``; some have none above 0, if ``empty``."""
    return list(_draw(np.random.default_rng(seed), highest, empty))


def _draw(rng: np.random.Generator, highest: int, empty: bool) -> Iterator[Listed]:
    for number in range(N_LISTS):
        size = int(rng.integers(2, 61))
        labels = rng.integers(0, highest + 1, size) * (rng.random(size) < rng.random())
        if not (empty or labels.any()):
            labels[rng.integers(size)] = 1
        levels = max(2, size // 3)
        tied = number % 2 == 0
        # Eighths, and numbers of single precision: every library compares them alike.
        scores = rng.integers(0, levels, size) / 8 if tied else rng.permutation(size) / 64
        yield Listed(labels, np.float32(scores).astype(float))


def as_qrels(lists: list[Listed]) -> dict[str, dict[str, int]]:
    """The lists as judgments: items are called i0, i1, ..."""
    return {f"q{i}": _number_items(one.labels) for i, one in enumerate(lists)}


def as_run(lists: list[Listed]) -> dict[str, dict[str, float]]:
    """The lists as a run."""
    return {f"q{i}": _number_items(one.scores) for i, one in enumerate(lists)}


def _number_items(numbers: np.ndarray) -> dict[str, float]:
    return {f"i{j}": number for j, number in enumerate(numbers.tolist())}
