"""The values of trec_eval's measures, by Gainful's; what trec_eval does otherwise is here."""

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
from gainful.adapters.trec_eval.measure_list import Entry, Parameters, atol
from gainful.adapters.trec_eval.rankings import EvaluatedRankings
from gainful.adapters.trec_eval.reading import merge_sort
from gainful.alignment import GroupedRankings, JudgedRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.measures import REGISTRY, Measure

Special = Callable[[Any, Parameters, EvaluatedRankings, Arguments], Any]
_DECIMAL = {"cutoffs": "{}_{:d}", "points": "{}_{:3.2f}"}


class Failure(Exception):  # noqa: N818
    """What a measure says when it cannot be calculated."""


@dataclass(eq=False, repr=False)
class Column:
    """The values of one measure at one cutoff, one for each query; texts for relstring."""

    entry: Entry
    name: str
    values: Any

    def take(self, order: IntArray) -> None:
        """Put the values in another order."""
        held = self.values
        self.values = [held[i] for i in order] if isinstance(held, list) else held[order]


def compute_columns(
    entry: Entry, parameters: Parameters, evaluated: EvaluatedRankings, arguments: Arguments
) -> list[Column]:
    """All columns of a measure, in the order of its cutoffs."""
    names = [entry.name if parameters.given is None else f"{entry.name}_{parameters.given}"]
    ranked = evaluated.ranked if _has_gains(entry) else _relabel(evaluated, arguments)
    if entry.name in _SPECIAL:
        values = [_SPECIAL[entry.name](ranked, parameters, evaluated, arguments)]
    elif entry.takes in _DECIMAL:
        names = [_DECIMAL[entry.takes].format(entry.name, at) for at in parameters.values]
        values = [
            _compute_at(entry.name, at, ranked, evaluated, arguments) for at in parameters.values
        ]
    else:
        names = [entry.name]
        values = [_compute_values(_configure_measure(entry.name, arguments), ranked)]
    return [Column(entry, n, v) for n, v in zip(names, values, strict=True)]


def load_measures(arguments: Arguments) -> None:
    """Import the measures that will be needed, and read their settings."""
    declared = _list_declared()
    for name in sorted(arguments.measures & declared.keys()):
        _ = declared[name][0].arguments


def find_measure(name: str) -> Measure | None:
    """The measure of Gainful behind a name of trec_eval, if there is one."""
    declared, _ = _list_declared().get(name, (None, ""))
    return declared


def _compute_at(
    name: str, at: float, ranked: JudgedRankings, evaluated: EvaluatedRankings, arguments: Arguments
) -> FloatArray:
    if name == "iprec_at_recall":
        return _at_recall(ranked, at, arguments)
    if at == 0:  # the precision above the first rank, which RprecMult has no setting for
        return np.zeros(ranked.n_queries)
    values = _compute_values(_configure_measure(name, arguments, at), ranked)
    return np.where(evaluated.bogus, 0.0, values) if name == "unj" else values


@cache
def _list_declared() -> dict[str, tuple[Measure, str]]:
    """trec_eval's names without their parameters: the measure, and the setting that they set."""
    known = {}
    for measure in REGISTRY.values():
        for name in measure.trec_eval:
            stem, _, setting = name.removesuffix("}").partition("_{")
            known[stem] = (measure, setting)
    return known


def _configure_measure(name: str, arguments: Arguments, at: float | None = None) -> Measure:
    """The measure of a name as the arguments have it, at a cutoff or point if it has some."""
    return _configure_once(name, at, _get_lowest_level(arguments), arguments.newer)


@lru_cache(maxsize=4096)  # to check the settings takes longer than to score a few queries
def _configure_once(name: str, at: float | None, rel: int, newer: bool) -> Measure:
    measure, setting = _list_declared()[name]
    settings: dict[str, Any] = {} if at is None else {setting: at}
    if "rel" in measure.arguments:
        settings["rel"] = rel
    if "count" in measure.arguments:
        settings["count"] = "nearest" if newer else "up"
    return measure(**settings)


def _get_lowest_level(arguments: Arguments) -> int:
    return max(arguments.level, 1)


def _compute_values(measure: Measure, ranked: JudgedRankings) -> FloatArray:
    """Its values, 0 where it has none, kept for those that are made of them."""
    known: dict[Measure, FloatArray] = ranked.memo.setdefault("scores", {})
    if measure not in known:
        values = measure.score(ranked)
        known[measure] = np.where(np.isnan(values), 0.0, values)
    return known[measure]


def _has_gains(entry: Entry) -> bool:
    """Whether it is a measure of gain, which -l does not concern."""
    measure = find_measure(entry.name)
    return entry.takes == "pairs" or (measure is not None and "gain" in measure.arguments)


def _relabel(evaluated: EvaluatedRankings, arguments: Arguments) -> Any:
    """With -l0 whatever is judged is relevant: as if every label were one higher."""
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


def _num_q(
    ranked: JudgedRankings, _p: Parameters, _e: EvaluatedRankings, _a: Arguments
) -> FloatArray:
    return np.ones(ranked.n_queries)


def _num_ret(
    ranked: JudgedRankings, _p: Parameters, evaluated: EvaluatedRankings, _a: Arguments
) -> FloatArray:
    return np.where(evaluated.bogus, 0.0, ranked.n_retrieved)


def _make_logarithms(name: str) -> Special:
    """The logarithms that a geometric mean is made of."""

    def values(
        ranked: JudgedRankings, _p: Parameters, _e: EvaluatedRankings, arguments: Arguments
    ) -> FloatArray:
        scores = _compute_values(_configure_measure(name, arguments), ranked)
        return np.array([math.log(max(value, ragged.LEAST)) for value in scores.tolist()])

    return values


def _relstring(
    _ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> list[str]:
    """The labels of the first ranks as characters: - for an unjudged item, . for a negative."""
    ranked: JudgedRankings = evaluated.ranked
    shown_most = min(max(np.nan_to_num(parameters.values[0]), 0.0), 1e9)
    lengths = np.maximum(np.minimum(int(shown_most), ranked.n_retrieved), 0)
    lengths[_find_missing_queries(parameters, evaluated, arguments)] = 0
    shown = np.flatnonzero(ranked.hit_rank <= lengths[ranked.hit_query])
    level = ranked.hit_label[shown]
    signs = np.where(level < 0, ord("."), np.where(level > 9, ord(">"), ord("0") + level))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    text = np.full(int(offsets[-1]), ord("-"), dtype=np.uint8)
    text[offsets[ranked.hit_query[shown]] + ranked.hit_rank[shown] - 1] = signs
    whole = text.tobytes().decode("ascii")
    ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return [whole[begin:end] for begin, end in ends]


def _utility(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    if len(parameters.values) != 4:
        message = "trec_eval.calc_utility: improper number of coefficients\n"
        raise Failure(message)
    weights = dict(zip("abcd", parameters.values, strict=True))
    # Not a setting of the measure, where a collection has no fewer than 0 items.
    lacking = weights["d"] * min(arguments.collection, 0)
    chosen = _configure_measure("utility", arguments)(
        **weights, collection=max(arguments.collection, 0)
    )
    values = chosen.score(ranked) + lacking
    values[_find_missing_queries(parameters, evaluated, arguments)] = 0.0
    return values


def _find_missing_queries(
    parameters: Parameters, evaluated: EvaluatedRankings, arguments: Arguments
) -> Any:
    """The queries that the run does not have; trec_eval 10 knows them only by the plain name."""
    known = parameters.given is None or arguments.compat is None
    return evaluated.bogus if known else np.zeros_like(evaluated.bogus)


def _eleven_points(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    total = np.zeros(ranked.n_queries)
    for point in sorted(parameters.values, reverse=True):
        total += _at_recall(ranked, point, arguments)
    return total / len(parameters.values)


def _at_recall(ranked: JudgedRankings, point: float, arguments: Arguments) -> FloatArray:
    # Beyond its last relevant item a ranking has no precision; before the first it is the highest.
    within = min(max(point, 0.0), 1.0)
    values = _compute_values(_configure_measure("iprec_at_recall", arguments, within), ranked) * (
        point <= 1
    )
    if arguments.compat:
        # trec_eval divides nothing by nothing where -J leaves nothing.
        relevant = ranked.pool_total(ranked.pool_label >= _get_lowest_level(arguments))
        none = point * relevant < (0.5 if arguments.newer else 0.1)
        values[(ranked.n_retrieved == 0) & none] = -np.nan
    return values


def _set_F(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    # What trec_eval is given it takes for the square of beta.
    given = parameters.values[0]
    weight = given if arguments.compat else given * given
    sets = [_configure_measure(name, arguments) for name in ("set_P", "set_recall")]
    precision, recall = (_compute_values(measure, ranked) for measure in sets)
    share = (weight + 1.0) * precision * recall
    return ragged.divide(share, weight * precision + recall, empty=0.0)


def _by_gains(name: str) -> Special:
    def values(
        ranked: JudgedRankings,
        parameters: Parameters,
        evaluated: EvaluatedRankings,
        arguments: Arguments,
    ) -> FloatArray:
        given = _levels(parameters)
        declared, _ = _list_declared()[name]
        scores = _compute_values(
            declared(gain=_gains(ranked, given)) if given else declared, ranked
        )
        if name in _WITH_IDEAL and arguments.compat and _misordered(given, ranked):
            return _WITH_IDEAL[name](scores, ranked, given)
        return scores

    return values


def _Rndcg(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    """Alone among the measures of gains it heeds -l: 0 where nothing is relevant."""
    some = ranked.pool_total(ranked.pool_label >= arguments.level) > 0
    return np.where(some, _by_gains("Rndcg")(ranked, parameters, evaluated, arguments), 0.0)


def _levels(parameters: Parameters) -> dict[int, float]:
    """The gains that levels were given, the first of each; other parameters are none."""
    whole = [(atol(name), gain) for name, gain in parameters.named if _LEVEL.fullmatch(name)]
    return dict(reversed(whole))


def _gains(ranked: JudgedRankings, given: dict[int, float]) -> dict[float, float]:
    """What every label is worth: what it was given, or else the label itself."""
    found = set(ranked.pool_label[ranked.pool_label >= 0].tolist())
    return {level: level for level in found} | {k: g for k, g in given.items() if k >= 0}


def _rbp(
    ranked: JudgedRankings,
    parameters: Parameters,
    _evaluated: EvaluatedRankings,
    _arguments: Arguments,
) -> FloatArray:
    """RBP with gains between the lowest and the highest, for each query, of all that have one."""
    given, p = _levels(parameters), _persistence(parameters)
    if not given:
        return _plain_rbp(ranked, p)
    table = _gains(ranked, given)
    levels, gains = np.array(sorted(table)), np.array([table[level] for level in sorted(table)])
    n_levels = _highest(ranked) + 1
    # A level that was given a gain counts, whether or not the query has it.
    counts = (levels < n_levels[:, np.newaxis]) | np.isin(levels, list(given))
    high = np.where(counts, gains, 0.0).max(axis=1, initial=0.0)
    low = np.where(counts, gains, 0.0).min(axis=1, initial=0.0)
    outside = (low < 0) | (high > 1)
    base, width = np.where(outside, low, 0.0), np.where(outside, high - low, 1.0)
    hits = np.flatnonzero(ranked.hit_label >= 0)
    query = ranked.hit_query[hits]
    gain = gains[np.searchsorted(levels, ranked.hit_label[hits])]
    terms = (gain - base[query]) / width[query] * _powers(ranked, p)[ranked.hit_rank[hits] - 1]
    return (1.0 - p) * ragged.sums(terms, query, ranked.n_queries)


def _plain_rbp(ranked: JudgedRankings, p: float) -> FloatArray:
    """The same where labels are their own gains."""
    hits = np.flatnonzero(ranked.hit_label > 0)
    query = ranked.hit_query[hits]
    gain = ranked.hit_label[hits] / np.maximum(_highest(ranked), 1.0)[query]
    terms = gain * _powers(ranked, p)[ranked.hit_rank[hits] - 1]
    return (1.0 - p) * ragged.sums(terms, query, ranked.n_queries)


def _highest(ranked: JudgedRankings) -> FloatArray:
    """The highest label of each query, -1 where it has none."""
    highest = np.full(ranked.n_queries, -1.0)
    some = np.diff(ranked.pool_offsets) > 0
    highest[some] = ranked.pool_label[ranked.pool_offsets[:-1][some]]  # they descend
    clipped: FloatArray = np.maximum(highest, -1.0)
    return clipped


def _rbp_resid(
    ranked: JudgedRankings,
    parameters: Parameters,
    evaluated: EvaluatedRankings,
    arguments: Arguments,
) -> FloatArray:
    """What unjudged items could add; 0 where there are none, unlike RBPResidual."""
    p = _persistence(parameters)
    powers, n = _powers(ranked, p), np.maximum(ranked.n_retrieved, 0)
    judged = np.flatnonzero(ranked.hit_label >= 0)
    query = ranked.hit_query[judged]
    known = ragged.sums(powers[ranked.hit_rank[judged] - 1], query, ranked.n_queries)
    above = np.concatenate([[0.0], np.cumsum(powers)])[n]
    values = powers[n] + (1.0 - p) * (above - known)
    some = n > np.bincount(query, minlength=ranked.n_queries)
    return np.where(some & ~_find_missing_queries(parameters, evaluated, arguments), values, 0.0)


def _persistence(parameters: Parameters) -> float:
    return dict(parameters.named).get("p", 0.9)


def _powers(ranked: JudgedRankings, p: float) -> FloatArray:
    """The powers of p from 0 to as many as a ranking is long, each from the one before."""
    factors = np.full(int(ranked.n_retrieved.max(initial=0)) + 1, p)
    factors[0] = 1.0
    return np.cumprod(factors)


def _misordered(given: dict[int, float], ranked: JudgedRankings) -> bool:
    """Whether two gains are so close that trec_eval, which compares them as integers, errs."""
    gains = sorted(set(_gains(ranked, given).values()))
    return any(above - below < 1 for below, above in pairwise(gains))


def _ideal_as_is(ranked: JudgedRankings, given: dict[int, float]) -> FloatArray:
    """The ideal DCG of gains in the order that trec_eval's comparison leaves them in."""
    ideal = np.zeros(ranked.n_queries)
    for query in range(ranked.n_queries):
        pool = ranked.pool_label[ranked.pool_offsets[query] : ranked.pool_offsets[query + 1]]
        counts = Counter(pool[pool >= 0].astype(np.int64).tolist())
        deepest = max(counts, default=-1)
        # trec_eval has every level up to the highest; beyond reason, those that there are.
        every = range(deepest + 1) if deepest < _MOST_LEVELS else sorted(counts)
        levels = [*given, *(level for level in every if level not in given)]
        order = merge_sort(levels, lambda a, b: int(given.get(a, a) - given.get(b, b)))
        rank, gain = 1, given.get(order[-1], float(order[-1])) if order else 0.0
        for level in reversed(order):
            gain = given.get(level, float(level)) if level != order[-1] else gain
            count = counts[level]
            if gain <= 0 and (count or level == order[-1]):
                break
            for _ in range(count):
                rank += 1
                ideal[query] += gain / math.log2(rank)
    return ideal


def _ndcg_as_is(scores: FloatArray, ranked: JudgedRankings, given: dict[int, float]) -> FloatArray:
    dcg = _compute_values(_list_declared()["dcg"][0](gain=_gains(ranked, given)), ranked)
    return ragged.divide(dcg, _ideal_as_is(ranked, given), empty=0.0)


_MOST_LEVELS = 1 << 16
_LEVEL = re.compile(r"[+-]?\d+", re.ASCII)
_WITH_IDEAL: dict[str, Callable[[FloatArray, Any, dict[int, float]], FloatArray]] = {
    "ndcg": _ndcg_as_is,
    "ideal_dcg": lambda _, ranked, given: _ideal_as_is(ranked, given),
}
_SPECIAL: dict[str, Special] = {
    "num_q": _num_q,
    "num_ret": _num_ret,
    "gm_map": _make_logarithms("map"),
    "gm_bpref": _make_logarithms("bpref"),
    "relstring": _relstring,
    "utility": _utility,
    "11pt_avg": _eleven_points,
    "set_F": _set_F,
    "rbp": _rbp,
    "rbp_resid": _rbp_resid,
    "Rndcg": _Rndcg,
    **{name: _by_gains(name) for name in ("G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel")},
}
