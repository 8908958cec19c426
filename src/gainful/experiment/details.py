"""The rankings of every query, for a reader who wants to know why."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from gainful.evaluate import values_of
from gainful.experiment.heads import Heads
from gainful.experiment.result import Detail, Details
from gainful.experiment.terms import formula_of, terms
from gainful.measures import Formula, Measure
from gainful.metadata_notices import UntitledItems
from gainful.notices import Notice
from gainful.ragged import IntArray
from gainful.ruled_rankings import ruled_judgments
from gainful.rules import Rules
from gainful.sources import ItemData, Judgments

Labels = dict[str, float]


class _Numbers(NamedTuple):
    """What there is of one run for every query."""

    rankings: list[list[str]]
    n_retrieved: list[int]
    totals: list[float]
    best: list[float]
    weights: list[list[float]]


def details(
    judgments: Judgments,
    keep: IntArray,
    heads: Sequence[Heads],
    measure: Measure,
    rules: Rules,
    depth: int,
    data: ItemData | None,
) -> Details:
    """The first items of every run and query, with their labels, and the best rankings.

    Args:
        judgments: The judgments.
        keep: The queries, by their number in the qrels.
        heads: The first items of every run, on these queries.
        measure: The measure that is explained.
        rules: The rules.
        depth: How many items of each ranking are held.
        data: What items are called and where they are found.
    """
    each = [one.ranked for one in heads]
    labels = np.unique(np.append(each[0].pool_label, 0.0))
    added = terms(measure, each, labels, depth)
    formula = formula_of(measure)
    tied = np.any([one.tied for one in heads], axis=0)
    numbers = [_numbers(one, formula, tied=bool(tied.any())) for one in heads]
    gains = added.gains if formula.ideal == "judged" else {}
    judged: Iterator[dict[str, float]] = map(dict, map(judgments.index.judgments, keep.tolist()))
    if rules.reads_labels:
        judged = (ruled_judgments(own, rules) for own in judged)
    every = _each_detail(numbers, judged, gains, tied.tolist(), depth)
    of = dict(zip(each[0].queries, every, strict=True))
    shown = set(chain.from_iterable(detail.items for detail in of.values()))
    return Details(
        terms=added,
        values=np.stack([values_of(measure, ranked, rules) for ranked in each]),
        depth=depth,
        of=of,
        titles=_about(shown, data.titles if data else None),
        urls=_about(shown, data.urls if data else None),
    )


def untitled(held: Details, data: ItemData | None) -> Iterator[Notice]:
    """What is to be said of items that are shown by their id alone, if anything is known of any."""
    shown = dict.fromkeys(chain.from_iterable(detail.items for detail in held.of.values()))
    bare = tuple(item for item in shown if item not in held.titles and item not in held.urls)
    if data is not None and bare:
        yield UntitledItems(data.name, bare, len(shown))


def _numbers(heads: Heads, formula: Formula, *, tied: bool) -> _Numbers:
    ranked = heads.ranked
    return _Numbers(
        heads.rankings,
        ranked.n_retrieved.tolist(),
        formula.total(ranked).tolist(),
        formula.best(ranked).tolist(),
        heads.weights(formula) if tied else [],
    )


def _each_detail(
    runs: list[_Numbers],
    judged: Iterator[Labels],
    gains: Mapping[float, float],
    tied: list[bool],
    depth: int,
) -> Iterator[Detail]:
    for query, labels in enumerate(judged):
        rankings = [run.rankings[query] for run in runs]
        ideal = _ideal(labels, gains, rankings[0], depth)
        items = tuple(dict.fromkeys(chain(*rankings, ideal)))
        number = dict(zip(items, range(len(items)), strict=True)).__getitem__
        yield Detail(
            items=items,
            labels=tuple(map(labels.get, items)),
            rankings=tuple(tuple(map(number, ranking)) for ranking in rankings),
            n_retrieved=tuple(run.n_retrieved[query] for run in runs),
            totals=tuple(run.totals[query] for run in runs),
            weights=tuple(tuple(run.weights[query]) for run in runs) if tied[query] else None,
            ideal=tuple(map(number, ideal)),
            best=tuple(run.best[query] for run in runs),
        )


def _ideal(
    labels: Labels, gains: Mapping[float, float], ranking: list[str], depth: int
) -> list[str]:
    """Items that gain anything, in the best order; equals stand as a ranking has them."""
    gainful = [item for item, label in labels.items() if gains.get(label, 0.0) > 0]
    place = dict(zip(ranking, range(len(ranking)), strict=True))
    gainful.sort(key=lambda item: (-gains[labels[item]], place.get(item, depth), item))
    return gainful[:depth]


def _about(shown: set[str], texts: Mapping[str, str] | None) -> dict[str, str]:
    return {item: text for item, text in (texts or {}).items() if item in shown}
