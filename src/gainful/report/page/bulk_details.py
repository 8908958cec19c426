"""One query in the large data of a page."""

from itertools import chain
from typing import Any

from gainful.experiment.result import Detail, Terms
from gainful.experiment.terms import added_up
from gainful.report.page.packed import exact
from gainful.shapes import valid

MANY_LABELS = 64  # for one table of gains


def held_of(detail: Detail, terms: Terms, depth: int, *, per_item: bool) -> dict[str, Any]:
    """What a page holds of one query, down to a depth.

    Args:
        detail: The query.
        terms: What its sums are made of.
        depth: How many ranks are held.
        per_item: Whether the gain of each item is held as well.
    """
    rankings, ideal = [one[:depth] for one in detail.rankings], detail.ideal[:depth]
    chosen = list(dict.fromkeys(chain(*rankings, ideal)))
    number = dict(zip(chosen, range(len(chosen)), strict=True)).__getitem__
    labels = [detail.labels[i] for i in chosen]
    held: dict[str, Any] = {
        "items": valid([detail.items[i] for i in chosen]),
        "labels": [exact(label) for label in labels],
        "rankings": [list(map(number, one)) for one in rankings],
        "n": detail.n_retrieved,
        "ideal": list(map(number, ideal)),
        "best": _one_if_same(detail.best),
    }
    if per_item:
        held["gains"] = [None if label is None else exact(terms.gains[label]) for label in labels]
    if detail.weights is not None:
        held["weights"] = [[exact(w) for w in one[:depth]] for one in detail.weights]
    sums = (added_up(terms, detail, run, depth=depth) for run in range(len(rankings)))
    if any(ours != real for ours, real in zip(sums, detail.totals, strict=True)):
        held["totals"] = [exact(total) for total in detail.totals]
    return held


def _one_if_same(best: tuple[float, ...]) -> Any:
    """The number that all runs share, or one for each."""
    return exact(best[0]) if len(set(best)) == 1 else [exact(one) for one in best]
