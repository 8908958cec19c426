"""The values of trec_eval's measures, by Gainful's measures and where trec_eval differs."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments
from gainful.adapters.trec_eval.evaluated_rankings import EvaluatedRankings
from gainful.adapters.trec_eval.measure_list import Entry, Parameters, atol
from gainful.adapters.trec_eval.reading import merge_sort
from gainful.alignment import GroupedRankings, JudgedRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.measures import REGISTRY, Measure

SpecialMeasure = Callable[[Any, Parameters, EvaluatedRankings, Arguments], Any]
_DECIMAL = {"cutoffs": "{}_{:d}", "points": "{}_{:3.2f}"}


class Failure(Exception):  # noqa: N818
    """The message of a measure that cannot be calculated."""


@dataclass(eq=False, repr=False)
class Column:
    """The values of one measure at one cutoff, one for each query; texts for relstring."""

    entry: Entry
    name: str
    values: Any

    def reorder(self, order: IntArray) -> None:
        """Put the values in another order."""
        values = self.values
        self.values = [values[i] for i in order] if isinstance(values, list) else values[order]


def compute_columns(
    entry: Entry, parameters: Parameters, evaluated: EvaluatedRankings, arguments: Arguments
) -> list[Column]:
    """Return all columns of a measure, in the order of its cutoffs."""
    names = [entry.name if parameters.text is None else f"{entry.name}_{parameters.text}"]
    ranked = evaluated.ranked if _has_gains(entry) else _relabel(evaluated, arguments)
    if entry.name in _SPECIAL:
        values = [_SPECIAL[entry.name](ranked, parameters, evaluated, arguments)]
    elif entry.parameter_kind in _DECIMAL:
        names = [
            _DECIMAL[entry.parameter_kind].format(entry.name, cutoff)
            for cutoff in parameters.values
        ]
        values = [
            _compute_at(entry.name, cutoff, ranked, evaluated, arguments)
            for cutoff in parameters.values
        ]
    else:
        names = [entry.name]
        values = [_compute_values(_configure_measure(entry.name, arguments), ranked)]
    return [Column(entry, n, v) for n, v in zip(names, values, strict=True)]


def load_measures(arguments: Arguments) -> None:
    """Import the measures that will be needed, and read their settings."""
    measures = _index_measures()
    for name in sorted(arguments.measures & measures.keys()):
        _ = measures[name][0].arguments


def find_measure(name: str) -> Measure | None:
    """Return Gainful's measure for a name of trec_eval, if there is one."""
    measure, _ = _index_measures().get(name, (None, ""))
    return measure


def _compute_at(
    name: str,
    cutoff: float,
    ranked: JudgedRankings,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    if name == "iprec_at_recall":
        return _compute_precision_at_recall(ranked, cutoff, arguments)
    if cutoff == 0:  # the precision above the first rank, which RprecMult has no setting for
        return np.zeros(ranked.n_queries)
    values = _compute_values(_configure_measure(name, arguments, cutoff), ranked)
    return np.where(evaluated.is_missing, 0.0, values) if name == "unj" else values


@cache
def _index_measures() -> dict[str, tuple[Measure, str]]:
    """Return the measure and its parameter's setting, by trec_eval's name without parameters."""
    index = {}
    for measure in REGISTRY.values():
        for name in measure.trec_eval:
            stem, _, setting = name.removesuffix("}").partition("_{")
            index[stem] = (measure, setting)
    return index


def _configure_measure(name: str, arguments: Arguments, cutoff: float | None = None) -> Measure:
    """Return the measure of a name with the settings of the arguments, at a cutoff or point."""
    return _configure_once(name, cutoff, _get_lowest_level(arguments), arguments.is_newer)


@lru_cache(maxsize=4096)  # to check the settings takes longer than to score a few queries
def _configure_once(name: str, cutoff: float | None, rel: int, newer: bool) -> Measure:
    measure, setting = _index_measures()[name]
    settings: dict[str, Any] = {} if cutoff is None else {setting: cutoff}
    if "rel" in measure.arguments:
        settings["rel"] = rel
    if "count" in measure.arguments:
        settings["count"] = "nearest" if newer else "up"
    return measure(**settings)


def _get_lowest_level(arguments: Arguments) -> int:
    return max(arguments.level, 1)


def _compute_values(measure: Measure, ranked: JudgedRankings) -> FloatArray:
    """Return the values, 0 where undefined; cache them for measures derived from them."""
    cached: dict[Measure, FloatArray] = ranked.memo.setdefault("scores", {})
    if measure not in cached:
        values = measure.score(ranked)
        cached[measure] = np.where(np.isnan(values), 0.0, values)
    return cached[measure]


def _has_gains(entry: Entry) -> bool:
    """Return whether it is a measure of gain, which ignores -l."""
    measure = find_measure(entry.name)
    return entry.parameter_kind == "pairs" or (measure is not None and "gain" in measure.arguments)


def _relabel(evaluated: EvaluatedRankings, arguments: Arguments) -> Any:
    """Return the rankings; with -l0, with every label raised by one, so that all are relevant."""
    ranked = evaluated.ranked
    if arguments.level > 0:
        return ranked
    if isinstance(ranked, GroupedRankings):
        return replace(ranked, groups=_raise_labels(ranked.groups))
    return _raise_labels(ranked) if isinstance(ranked, JudgedRankings) else ranked


def _raise_labels(ranked: JudgedRankings) -> JudgedRankings:
    return replace(
        ranked,
        hit_label=np.where(ranked.hit_label >= 0, ranked.hit_label + 1, ranked.hit_label),
        pool_label=np.where(ranked.pool_label >= 0, ranked.pool_label + 1, ranked.pool_label),
    )


def _compute_num_q(
    ranked: JudgedRankings, _p: Parameters, _e: EvaluatedRankings, _a: Arguments
) -> FloatArray:
    return np.ones(ranked.n_queries)


def _compute_num_ret(
    ranked: JudgedRankings, _p: Parameters, evaluated: EvaluatedRankings, _a: Arguments
) -> FloatArray:
    return np.where(evaluated.is_missing, 0.0, ranked.n_retrieved)


def _make_log_measure(name: str) -> SpecialMeasure:
    """Return a function that computes the logarithms of a geometric mean."""

    def compute(
        ranked: JudgedRankings, _p: Parameters, _e: EvaluatedRankings, arguments: Arguments
    ) -> FloatArray:
        scores = _compute_values(_configure_measure(name, arguments), ranked)
        return np.array([math.log(max(value, ragged.GEOMETRIC_FLOOR)) for value in scores.tolist()])

    return compute


def _compute_relstring(
    _ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> list[str]:
    """Return the labels of the first ranks as characters: - for unjudged, . for negative."""
    ranked: JudgedRankings = evaluated.ranked
    max_length = min(max(np.nan_to_num(parameters.values[0]), 0.0), 1e9)
    lengths = np.maximum(np.minimum(int(max_length), ranked.n_retrieved), 0)
    lengths[_find_missing_queries(parameters, evaluated, arguments)] = 0
    hits = np.flatnonzero(ranked.hit_rank <= lengths[ranked.hit_query])
    level = ranked.hit_label[hits]
    signs = np.where(level < 0, ord("."), np.where(level > 9, ord(">"), ord("0") + level))
    offsets = ragged.offsets_from_sizes(lengths)
    text = np.full(int(offsets[-1]), ord("-"), dtype=np.uint8)
    text[offsets[ranked.hit_query[hits]] + ranked.hit_rank[hits] - 1] = signs
    characters = text.tobytes().decode("ascii")
    ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return [characters[begin:end] for begin, end in ends]


def _compute_utility(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    if len(parameters.values) != 4:
        message = "trec_eval.calc_utility: improper number of coefficients\n"
        raise Failure(message)
    weights = dict(zip("abcd", parameters.values, strict=True))
    # Not a setting of the measure, whose collection has at least 0 items.
    shortfall = weights["d"] * min(arguments.collection, 0)
    measure = _configure_measure("utility", arguments)(
        **weights, collection=max(arguments.collection, 0)
    )
    values = measure.score(ranked) + shortfall
    values[_find_missing_queries(parameters, evaluated, arguments)] = 0.0
    return values


def _find_missing_queries(
    parameters: Parameters, evaluated: EvaluatedRankings, arguments: Arguments
) -> Any:
    """Return the queries that the run lacks; trec_eval 10 finds them only without parameters."""
    finds_missing = parameters.text is None or arguments.compat is None
    return evaluated.is_missing if finds_missing else np.zeros_like(evaluated.is_missing)


def _compute_eleven_points(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    total = np.zeros(ranked.n_queries)
    for point in sorted(parameters.values, reverse=True):
        total += _compute_precision_at_recall(ranked, point, arguments)
    return total / len(parameters.values)


def _compute_precision_at_recall(
    ranked: JudgedRankings, point: float, arguments: Arguments
) -> FloatArray:
    # Beyond its last relevant item a ranking has no precision; before the first it is the highest.
    within = min(max(point, 0.0), 1.0)
    values = _compute_values(_configure_measure("iprec_at_recall", arguments, within), ranked) * (
        point <= 1
    )
    if arguments.compat:
        # trec_eval divides zero by zero where -J leaves no items.
        relevant = ranked.pool_total(ranked.pool_label >= _get_lowest_level(arguments))
        is_undefined = point * relevant < (0.5 if arguments.is_newer else 0.1)
        values[(ranked.n_retrieved == 0) & is_undefined] = -np.nan
    return values


def _compute_set_F(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    # trec_eval uses its parameter as the square of beta.
    beta = parameters.values[0]
    weight = beta if arguments.compat else beta * beta
    sets = [_configure_measure(name, arguments) for name in ("set_P", "set_recall")]
    precision, recall = (_compute_values(measure, ranked) for measure in sets)
    share = (weight + 1.0) * precision * recall
    return ragged.divide(share, weight * precision + recall, empty=0.0)


def _make_gain_measure(name: str) -> SpecialMeasure:
    def compute(
        ranked: JudgedRankings,
        parameters: Parameters,
        evaluated: EvaluatedRankings,
        arguments: Arguments,
    ) -> FloatArray:
        level_gains = _parse_level_gains(parameters)
        measure, _ = _index_measures()[name]
        scores = _compute_values(
            measure(gain=_make_gain_table(ranked, level_gains)) if level_gains else measure, ranked
        )
        if name in _WITH_IDEAL and arguments.compat and _has_close_gains(level_gains, ranked):
            return _WITH_IDEAL[name](scores, ranked, level_gains)
        return scores

    return compute


def _compute_Rndcg(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    """Return Rndcg, the only measure of gain that follows -l: 0 where nothing is relevant."""
    has_relevant = ranked.pool_total(ranked.pool_label >= arguments.level) > 0
    return np.where(
        has_relevant, _make_gain_measure("Rndcg")(ranked, parameters, evaluated, arguments), 0.0
    )


def _parse_level_gains(parameters: Parameters) -> dict[int, float]:
    """Return the gains of levels, the first of each; other parameters are ignored."""
    pairs = [(atol(name), gain) for name, gain in parameters.pairs if _LEVEL.fullmatch(name)]
    return dict(reversed(pairs))


def _make_gain_table(ranked: JudgedRankings, level_gains: dict[int, float]) -> dict[float, float]:
    """Return the gain of every label: from the parameters, or else the label itself."""
    labels = set(ranked.pool_label[ranked.pool_label >= 0].tolist())
    return {level: level for level in labels} | {
        level: gain for level, gain in level_gains.items() if level >= 0
    }


def _compute_rbp(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    _arguments: Arguments,
) -> FloatArray:
    """Return RBP with gains scaled per query between its lowest and its highest gain."""
    level_gains, p = _parse_level_gains(parameters), _get_persistence(parameters)
    if not level_gains:
        return _compute_plain_rbp(ranked, p)
    table = _make_gain_table(ranked, level_gains)
    levels, gains = np.array(sorted(table)), np.array([table[level] for level in sorted(table)])
    n_levels = _find_highest_labels(ranked) + 1
    # A level with a gain in the parameters counts, whether or not the query has it.
    counts = (levels < n_levels[:, np.newaxis]) | np.isin(levels, list(level_gains))
    high = np.where(counts, gains, 0.0).max(axis=1, initial=0.0)
    low = np.where(counts, gains, 0.0).min(axis=1, initial=0.0)
    outside = (low < 0) | (high > 1)
    base, width = np.where(outside, low, 0.0), np.where(outside, high - low, 1.0)
    hits = np.flatnonzero(ranked.hit_label >= 0)
    query = ranked.hit_query[hits]
    gain = gains[np.searchsorted(levels, ranked.hit_label[hits])]
    terms = (
        (gain - base[query]) / width[query] * _compute_powers(ranked, p)[ranked.hit_rank[hits] - 1]
    )
    return (1.0 - p) * ragged.sum_by_query(terms, query, ranked.n_queries)


def _compute_plain_rbp(ranked: JudgedRankings, p: float) -> FloatArray:
    """Return RBP where labels are their own gains."""
    hits = np.flatnonzero(ranked.hit_label > 0)
    query = ranked.hit_query[hits]
    gain = ranked.hit_label[hits] / np.maximum(_find_highest_labels(ranked), 1.0)[query]
    terms = gain * _compute_powers(ranked, p)[ranked.hit_rank[hits] - 1]
    return (1.0 - p) * ragged.sum_by_query(terms, query, ranked.n_queries)


def _find_highest_labels(ranked: JudgedRankings) -> FloatArray:
    """Return the highest label of each query, -1 for a query without labels."""
    highest = np.full(ranked.n_queries, -1.0)
    has_pool = np.diff(ranked.pool_offsets) > 0
    highest[has_pool] = ranked.pool_label[ranked.pool_offsets[:-1][has_pool]]  # they descend
    clipped: FloatArray = np.maximum(highest, -1.0)
    return clipped


def _compute_rbp_resid(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    """Return what unjudged items could add; 0 where there are none, unlike RBPResidual."""
    p = _get_persistence(parameters)
    powers, n = _compute_powers(ranked, p), np.maximum(ranked.n_retrieved, 0)
    judged = np.flatnonzero(ranked.hit_label >= 0)
    query = ranked.hit_query[judged]
    judged_weight = ragged.sum_by_query(
        powers[ranked.hit_rank[judged] - 1], query, ranked.n_queries
    )
    above = np.concatenate([[0.0], np.cumsum(powers)])[n]
    values = powers[n] + (1.0 - p) * (above - judged_weight)
    has_unjudged = n > np.bincount(query, minlength=ranked.n_queries)
    return np.where(
        has_unjudged & ~_find_missing_queries(parameters, evaluated, arguments), values, 0.0
    )


def _get_persistence(parameters: Parameters) -> float:
    return dict(parameters.pairs).get("p", 0.9)


def _compute_powers(ranked: JudgedRankings, p: float) -> FloatArray:
    """Return the powers of p up to the length of the longest ranking, by repeated products."""
    factors = np.full(int(ranked.n_retrieved.max(initial=0)) + 1, p)
    factors[0] = 1.0
    return np.cumprod(factors)


def _has_close_gains(level_gains: dict[int, float], ranked: JudgedRankings) -> bool:
    """Return whether two gains are too close for trec_eval, which compares them as integers."""
    gains = sorted(set(_make_gain_table(ranked, level_gains).values()))
    return any(above - below < 1 for below, above in pairwise(gains))


def _compute_misordered_ideal(ranked: JudgedRankings, level_gains: dict[int, float]) -> FloatArray:
    """Return the ideal DCG of gains in the order that trec_eval's comparison gives."""
    ideal = np.zeros(ranked.n_queries)
    for query in range(ranked.n_queries):
        pool = ranked.pool_label[ranked.pool_offsets[query] : ranked.pool_offsets[query + 1]]
        counts = Counter(pool[pool >= 0].astype(np.int64).tolist())
        highest = max(counts, default=-1)
        # trec_eval has every level up to the highest; above the limit, only those that occur.
        all_levels = range(highest + 1) if highest < _MOST_LEVELS else sorted(counts)
        levels = [*level_gains, *(level for level in all_levels if level not in level_gains)]
        order = merge_sort(levels, lambda a, b: int(level_gains.get(a, a) - level_gains.get(b, b)))
        rank, gain = 1, level_gains.get(order[-1], float(order[-1])) if order else 0.0
        for level in reversed(order):
            gain = level_gains.get(level, float(level)) if level != order[-1] else gain
            count = counts[level]
            if gain <= 0 and (count or level == order[-1]):
                break
            for _ in range(count):
                rank += 1
                ideal[query] += gain / math.log2(rank)
    return ideal


def _compute_misordered_ndcg(
    scores: FloatArray, ranked: JudgedRankings, level_gains: dict[int, float]
) -> FloatArray:
    dcg = _compute_values(
        _index_measures()["dcg"][0](gain=_make_gain_table(ranked, level_gains)), ranked
    )
    return ragged.divide(dcg, _compute_misordered_ideal(ranked, level_gains), empty=0.0)


_MOST_LEVELS = 1 << 16
_LEVEL = re.compile(r"[+-]?\d+", re.ASCII)
_WITH_IDEAL: dict[str, Callable[[FloatArray, Any, dict[int, float]], FloatArray]] = {
    "ndcg": _compute_misordered_ndcg,
    "ideal_dcg": lambda _, ranked, level_gains: _compute_misordered_ideal(ranked, level_gains),
}
_SPECIAL: dict[str, SpecialMeasure] = {
    "num_q": _compute_num_q,
    "num_ret": _compute_num_ret,
    "gm_map": _make_log_measure("map"),
    "gm_bpref": _make_log_measure("bpref"),
    "relstring": _compute_relstring,
    "utility": _compute_utility,
    "11pt_avg": _compute_eleven_points,
    "set_F": _compute_set_F,
    "rbp": _compute_rbp,
    "rbp_resid": _compute_rbp_resid,
    "Rndcg": _compute_Rndcg,
    **{name: _make_gain_measure(name) for name in ("G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel")},
}
