"""Find the lowest and highest values of runs over all labels of their unjudged items."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings, Rules
from gainful.base import ENDLESS, FloatArray, IntArray, ragged
from gainful.errors import MeasureError
from gainful.evaluation import Collection, score_queries
from gainful.measures import REGISTRY, Formula, Measure
from gainful.unjudged.places import RunItems
from gainful.unjudged.search import (
    Steps,
    Sums,
    add_hits,
    add_to_pool,
    build_ideal_steps,
    find_highest,
)

_MAX_LABELS = 256  # different labels of the qrels that are tried at most
_LARGEST = 1e290  # gain, of which many add up to a finite number


@dataclass(frozen=True, eq=False)
class GainChoices:
    """The gains that an unjudged item may have.

    Attributes:
        gain: The different gains, ascending.
        label: A label that has each of them.
    """

    gain: FloatArray
    label: FloatArray


def check_possible_labels(
    possible_labels: Iterable[float] | None, pool_label: FloatArray
) -> FloatArray:
    """Return the possible labels in ascending order; if None, 0 and all labels of the qrels.

    >>> check_possible_labels(None, np.array([3.0, 1.0, 1.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    if possible_labels is not None:
        return _parse_possible_labels(possible_labels)
    labels = np.unique(np.append(pool_label, 0.0))
    if len(labels) > _MAX_LABELS:
        message = (
            f"the qrels have {len(labels):,} different labels, more than {_MAX_LABELS} to try. "
            "Pass --possible-labels, for example 0,1,2,3; possible_labels=(0, 1, 2, 3) in Python."
        )
        raise MeasureError(message, code="too-large")
    return labels


def find_distinct_gains(formula: Formula, labels: FloatArray) -> GainChoices:
    """Return the gains of the labels; labels with the same gain are one choice."""
    gain, first = np.unique(formula.gains(labels), return_index=True)
    if np.abs(gain).max() > _LARGEST:
        message = f"gain {formula.gain}: must add up to finite numbers, got {gain[-1]:g}."
        raise MeasureError(message, code="infinite-gain")
    return GainChoices(gain, labels[first])


def _parse_possible_labels(possible_labels: Iterable[float]) -> FloatArray:
    values = list(possible_labels) if isinstance(possible_labels, Iterable) else [possible_labels]
    for label in values if not isinstance(possible_labels, str) else [possible_labels]:
        if isinstance(label, bool) or not isinstance(label, Real) or not math.isfinite(label):
            message = f"possible_labels: must be numbers such as (0, 1, 2, 3), got {label!r:.60}."
            raise MeasureError(message, code="bad-argument")
    if not values:
        message = "possible_labels: must be numbers such as (0, 1, 2, 3), got none."
        raise MeasureError(message, code="bad-argument")
    return np.unique(np.array(values, dtype=np.float64) + 0.0)


Values = FloatArray  # a row for every run, a column for every query


class PooledUnjudgedItems(NamedTuple):
    """The different unjudged items of some runs, and the numbers of each run's own.

    Attributes:
        query: The query of each item, ascending.
        item: Its number among the ids.
        numbers: For every run, the numbers of its items in ``query`` and ``item``.
    """

    query: IntArray
    item: IntArray
    numbers: tuple[IntArray, ...]


@dataclass(frozen=True, eq=False)
class BoundsProblem:
    """The computation of a measure, and the labels that are tried."""

    measure: Measure
    formula: Formula
    rules: Rules
    choices: GainChoices

    def compute_values(self, run_items: RunItems) -> FloatArray:
        """Return the values of a run as it is judged; NaN where the rules leave a query out."""
        values = score_queries(self.measure, run_items.ranked, self.rules)
        return np.where(run_items.is_included, values, np.nan)

    def find_ends(self, run_items: RunItems) -> tuple[FloatArray, FloatArray]:
        """Return the lowest and the highest value of every query."""
        (low, high), values = (
            self._search_ends((run_items,), (1.0,)),
            self.compute_values(run_items),
        )
        return np.where(np.isnan(values), values, low[0]), np.where(
            np.isnan(values), values, high[0]
        )

    def find_difference_ends(self, system: RunItems, baseline: RunItems) -> tuple[Values, Values]:
        """Return the values of both where they differ least, and where they differ most.

        An item has the same label for both.
        """
        pair = system, baseline
        undefined = np.isnan(self.compute_values(system) - self.compute_values(baseline))
        low, high = self._search_ends(pair, (1.0, -1.0))
        return np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)

    def _search_ends(
        self, runs: tuple[RunItems, ...], signs: tuple[float, ...]
    ) -> tuple[Values, Values]:
        """Return the values of runs, a row each, where their signed sum is lowest, and highest."""
        items, ranked = collect_unjudged(runs), runs[0].ranked
        weight, sums = np.zeros(len(items.query)), np.zeros(ranked.n_queries)
        for run_items, numbers, sign in zip(runs, items.numbers, signs, strict=True):
            np.add.at(weight, numbers, sign * run_items.places.weight)
            sums += sign * self.formula.dcg(run_items.ranked)
        offsets = ragged.offsets_from_owners(items.query, ranked.n_queries)
        labels = self._find_labels(Sums(sums, offsets, weight), ranked)
        # The lowest label for all: where that gains nothing, a share is what the rules say.
        lowest = np.full(len(items.query), self.choices.label[0])
        low, high, at_least = (
            self._compute_label_values(runs, items, label) for label in (*labels, lowest)
        )
        lower, higher = (np.array(signs) @ (at_least - end) for end in (low, high))
        return np.where(lower < 0, at_least, low), np.where(higher > 0, at_least, high)

    def _find_labels(self, sums: Sums, ranked: JudgedRankings) -> tuple[FloatArray, FloatArray]:
        """Return the labels of all unjudged items that make the shares lowest, and highest."""
        best = self.build_ideal_steps(ranked, np.diff(sums.offsets))
        gain, label = self.choices.gain, self.choices.label
        return label[find_highest(-sums, gain, best)], label[find_highest(sums, gain, best)]

    def build_ideal_steps(self, ranked: JudgedRankings, n_more: IntArray) -> Steps | None:
        """Return the steps of the best ranking; None for measures that do not divide by its sum."""
        if not self.formula.normalized:
            return None
        gain = ragged.sort_descending(self.formula.gains(ranked.pool_label), ranked.pool_query)
        cutoff = self.formula.cutoff
        depth = ENDLESS if cutoff is None or self.formula.ideal_depth == "all" else cutoff
        deepest = int((np.diff(ranked.pool_offsets) + n_more).max(initial=1))
        depth = min(depth, deepest)
        weight = self.formula.discount.compute_running_sums(depth)
        return build_ideal_steps(gain, ranked.pool_offsets, self.choices.gain, weight, depth)

    def _compute_label_values(
        self, runs: tuple[RunItems, ...], items: PooledUnjudgedItems, label: FloatArray
    ) -> Values:
        """Return the values of runs if the items had these labels."""
        rows = []
        for run_items, numbers in zip(runs, items.numbers, strict=True):
            ranked = add_to_pool(run_items.ranked, items.query, label)
            ranked = add_hits(ranked, run_items.places, label[numbers])
            rows.append(score_queries(self.measure, ranked, self.rules))
        return np.stack(rows)


def collect_unjudged(runs: tuple[RunItems, ...]) -> PooledUnjudgedItems:
    """Return the different unjudged items of runs that number items alike."""
    if len(runs) == 1:
        places = runs[0].places
        return PooledUnjudgedItems(places.query, places.item, (np.arange(len(places.query)),))
    query = np.concatenate([run_items.places.query for run_items in runs])
    item = np.concatenate([run_items.places.item for run_items in runs])
    order = np.lexsort((item, query))
    start, block = ragged.group_equal(query[order], item[order])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = block
    ends = np.cumsum([len(run_items.places.query) for run_items in runs])[:-1]
    first = order[start]
    return PooledUnjudgedItems(query[first], item[first], tuple(np.split(number, ends)))


def resolve_bounded_measure(
    collection: Collection, measure: str | Measure
) -> tuple[Measure, Measure]:
    """Return the one measure that is named, and its definition; an error without known bounds.

    >>> resolve_bounded_measure(Collection({}), "ndcg_cut_10")
    (nDCG@10, nDCG@10)
    """
    (label, resolved), *more = collection.resolve(measure).items()
    if more:
        message = f"unjudged items are looked into for one measure at a time, got {measure!r}."
        raise MeasureError(message, code="one-measure")
    require_formula(resolved)
    return label, resolved


def find_bounds_depth(measures: Iterable[Measure]) -> int:
    """Return how many first items of every query the bounds of measures look at."""
    cutoffs = [require_formula(measure).cutoff for measure in measures if has_bounds(measure)]
    depths = (ENDLESS if cutoff is None else min(cutoff, ENDLESS) for cutoff in cutoffs)
    return max(depths, default=0)


def has_bounds(measure: Measure) -> bool:
    """Return True if the bounds of a measure can be computed.

    >>> from gainful.evaluation import list_measures
    >>> [has_bounds(measure) for measure in list_measures(["nDCG@10", "nDCG(ideal=list)", "P@10"])]
    [True, False, False]
    """
    try:
        require_formula(measure)
    except MeasureError:
        return False
    return True


def require_formula(measure: Measure) -> Formula:
    """Return the formula of a measure; an error if its bounds are not known."""
    if measure.formula is None:
        supported = ", ".join(name for name in REGISTRY if REGISTRY[name].formula)
        message = (
            f"{measure}: what unjudged items could change is known for {supported} alone. "
            "Pass one of them, for example nDCG@10; RBP has RBPResidual."
        )
        raise MeasureError(message, code="unfit-measure")
    formula = measure.formula(**measure.all_settings)
    if formula.normalized and formula.ideal != "judged":
        raise _make_ideal_error(measure, f"ideal={formula.ideal}", "ideal=judged")
    if formula.normalized and formula.ideal_depth == "retrieved":
        raise _make_ideal_error(measure, "ideal_depth=retrieved", "ideal_depth=cutoff")
    if formula.normalized and formula.ideal_order != "best":
        raise _make_unknown_error(measure, f"ideal_order={formula.ideal_order}", "ideal_order=best")
    if formula.rounding != "none":
        raise _make_unknown_error(measure, f"rounding={formula.rounding}", "rounding=none")
    return formula


def _make_unknown_error(measure: Measure, setting: str, alternative: str) -> MeasureError:
    message = (
        f"{measure}: what unjudged items could change is not known with {setting}. "
        f"Pass {alternative}."
    )
    return MeasureError(message, code="unfit-measure")


def _make_ideal_error(measure: Measure, setting: str, alternative: str) -> MeasureError:
    message = (
        f"{measure}: with {setting} the best ranking depends on the run, and what unjudged items "
        f"could change is not known. Pass {alternative}."
    )
    return MeasureError(message, code="unfit-measure")
