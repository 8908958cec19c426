"""Random qrels and runs of several kinds, each with its own difficulty."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def _make_plain_ids(count: int) -> list[str]:
    """Return ids whose byte order differs from their numbers': d1, d10, d100, d2."""
    return [f"d{number}" for number in range(count)]


def _make_awkward_ids(count: int) -> list[str]:
    """Return ids that are prefixes of each other, or whose bytes sort unlike letters."""
    stems = [
        "d",
        "d1",
        "D1",
        "d10",
        "é",
        "e",
        "z",
        "~",
        "ß",
        "日本",
        "日",
        "😀",
        "ä",
        "a",
        "_",
        "-0",
    ]
    return [stem + "x" * (number // len(stems)) for number, stem in enumerate(stems * count)][
        :count
    ]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Distributions of the labels, scores and ids of a random set."""

    label: Callable[[random.Random], int] = lambda rng: rng.choice([0, 0, 0, 1, 2, 3])
    score: Callable[[random.Random], float] = random.Random.random
    ids: Callable[[int], list[str]] = _make_plain_ids


def _make_chooser(values: Sequence[float]) -> Callable[[random.Random], float]:
    return partial(_choose, values=values)


def _choose(rng: random.Random, *, values: Sequence[float]) -> float:
    return rng.choice(values)


KINDS = {
    "no ties": Kind(),
    "many ties": Kind(score=_make_chooser([0.0, 0.5, 1.0, 1.5])),
    "all tied": Kind(score=_make_chooser([7.0])),
    "negative labels": Kind(
        label=_make_chooser([-2, -1, 0, 1, 2]), score=_make_chooser([1.0, 2.0, 3.0])
    ),
    "mostly nothing relevant": Kind(label=_make_chooser([-1] + [0] * 30 + [1])),
    "high grades": Kind(label=_make_chooser([0, 1, 7, 50, 999])),
    "scores equal in float32 alone": Kind(score=lambda rng: 1.0 + rng.randrange(9) * 1e-9),
    "scores that float32 rounds": Kind(score=lambda rng: 2.0**24 + rng.randrange(12)),
    "scores at the ends of float32": Kind(
        score=_make_chooser([3e38, 2.9e38, 1e-45, 2e-45, 1e-46, 0.0, -0.0, -1e-45, -3e38])
    ),
    "awkward ids": Kind(ids=_make_awkward_ids, score=_make_chooser([0.0, 1.0])),
    "awkward ids, no ties": Kind(ids=_make_awkward_ids),
}


def draw_set(kind: str, seed: int, *, n_queries: int = 8, longest: int = 60) -> tuple[Qrels, Run]:
    """Return qrels and a run that share most queries, with judged and unjudged items.

    The first query is always in both.
    """
    rng, distributions = random.Random(f"{kind} {seed}"), KINDS[kind]
    qrels: Qrels = {}
    run: Run = {}
    for number in range(n_queries):
        # Short lists are where the edges are; long ones where rounding could add up.
        size = rng.choice([1, 2, rng.randint(1, 12), rng.randint(1, longest)])
        ids = distributions.ids(size + rng.choice([0, 3, size]))
        position = rng.random() if number else 0.0
        if position < 0.9:
            judged = rng.sample(ids, rng.randint(1, len(ids)))
            qrels[f"q{number}"] = {item: distributions.label(rng) for item in judged}
            # trec_eval 9 crashes on a query whose labels are all negative, if another came before.
            if max(qrels[f"q{number}"].values()) < 0:
                qrels[f"q{number}"][judged[0]] = 0
        if position < 0.8 or position >= 0.9:
            run[f"q{number}"] = {item: distributions.score(rng) for item in rng.sample(ids, size)}
    return qrels, run


Subtopics = dict[str, dict[str, dict[str, int]]]


def draw_subtopics(seed: int, *, n_queries: int = 4) -> tuple[Subtopics, Run]:
    """Return judgments in groups and a run, with ties, negative labels and irrelevant groups.

    Items are judged in some groups and not in others, in any order; some queries have no results.
    """
    rng = random.Random(f"subtopics {seed}")
    ids = rng.choice([_make_plain_ids, _make_awkward_ids])(rng.choice([1, 3, 12, 40]))
    judged_share, n_groups = rng.choice([0.05, 0.3, 0.9]), rng.choice([1, 2, 5, 10])
    labels = rng.choice([[1], [0, 1], [-1, 0, 1, 2], [-2, 0, 0, 0, 0, 0, 0, 0, 0, 3]])
    scores = rng.choice([[0.5], [0.0, 0.5, 1.0], [number / 128 for number in range(128)]])
    qrels: Subtopics = {}
    run: Run = {}
    for number in range(n_queries):
        pairs = [(group, item) for group in range(n_groups) for item in ids]
        judgments = [pair for pair in pairs if rng.random() < judged_share] or [rng.choice(pairs)]
        rng.shuffle(judgments)
        groups = qrels.setdefault(f"q{number}", {})
        for group, item in judgments:
            groups.setdefault(f"s{group}", {})[item] = rng.choice(labels)
        if not number or rng.random() < 0.9:
            pool = [*ids, *(f"u{item}" for item in range(rng.choice([0, 5, 20])))]
            retrieved = rng.sample(pool, rng.randint(1, len(pool)))
            run[f"q{number}"] = {item: rng.choice(scores) for item in retrieved}
    return qrels, run
