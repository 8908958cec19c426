"""What the rules make of the values of a measure: of queries with nothing relevant, of unjudged."""

import math
from typing import NamedTuple

import numpy as np

from gainful.measures import Measure
from gainful.ragged import BoolArray, FloatArray
from gainful.rankings import JudgedRankings, Rankings
from gainful.ruled_rankings import labelled, unjudged_above
from gainful.rules import Rules

UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan, "error": math.nan}


class Ruled(NamedTuple):
    """One value per query, and whether there was nothing relevant for the measure to divide by."""

    values: FloatArray
    empty: BoolArray
    unjudged: BoolArray | None = None  # queries without a value for want of a judgment


def ruled_values(measure: Measure, ranked: Rankings, rules: Rules) -> Ruled:
    """The values of a measure; where a query has none, what the rules say."""
    if not isinstance(ranked, JudgedRankings):
        values = measure.score(ranked)
        return _filled(values, np.isnan(values) & (not measure.whole), ranked, rules)
    seen = labelled(ranked, rules)
    values = measure.score(seen)
    if measure.whole:
        return Ruled(values, np.zeros(len(values), dtype=np.bool_))
    found = _filled(values, _empty(measure, seen, values, rules), ranked, rules)
    if rules.unjudged != "undefined":
        return found
    unjudged = unjudged_above(ranked, measure.all_settings.get("cutoff"))
    return Ruled(np.where(unjudged, np.nan, found.values), found.empty & ~unjudged, unjudged)


def _filled(values: FloatArray, empty: BoolArray, ranked: Rankings, rules: Rules) -> Ruled:
    if rules.empty == "one-if-missing":
        filled = np.where(empty, ranked.n_retrieved == 0, values)
    else:
        filled = np.where(empty, UNDEFINED[rules.empty], values)
    # Who tells empty queries by their labels divides others by nothing, which is nothing.
    return Ruled(
        np.where(np.isnan(values) & ~empty, 0.0, filled) if _summed(rules) else filled, empty
    )


def _summed(rules: Rules) -> bool:
    return rules.empty_test == "zero-sum"


def _empty(measure: Measure, ranked: JudgedRankings, values: FloatArray, rules: Rules) -> BoolArray:
    """Which queries have nothing relevant, by the test of the rules."""
    undefined = np.isnan(values)
    formula = None if measure.formula is None else measure.formula(**measure.all_settings)
    if rules.empty_test == "no-label":
        return undefined | ranked.nothing_relevant
    if rules.empty_test is None or formula is None or not formula.normalised:
        return undefined
    # Who returns nothing where there was something to gain has earned 0.
    returned = ranked.n_retrieved > 0
    if rules.empty_test == "no-gain":
        return undefined | (returned & (formula.best(ranked) <= 0))
    listed = formula.ideal == "list"
    labels = ranked.total(ranked.hit_label) if listed else ranked.pool_total(ranked.pool_label)
    return np.where(returned, labels == 0, undefined)
