"""The values of trec_eval's measures, by Gainful's measures and where trec_eval differs."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cmp_to_key, lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments
from gainful.adapters.trec_eval.evaluated_rankings import EvaluatedRankings
from gainful.adapters.trec_eval.measure_list import Entry, Parameters, atol
from gainful.alignment import GroupedRankings, JudgedRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.measures import REGISTRY, Measure

_DECIMAL = {"cutoffs": "{}_{:d}", "points": "{}_{:3.2f}"}


class Failure(Exception):  # noqa: N818
    """The message of a measure that cannot be calculated."""


@dataclass(eq=False)
class Column:
    """The values of one measure at one cutoff, one for each query; texts for relstring."""

    entry: Entry
    name: str
    values: Any

    def reorder(self, order: IntArray) -> None:
        """Put the values in another order."""
        values = self.values
        self.values = [values[i] for i in order] if isinstance(values, list) else values[order]


class Job(NamedTuple):
    """What the values of a measure are computed of: rankings, parameters and arguments."""

    ranked: Any
    parameters: Parameters
    evaluated: EvaluatedRankings
    arguments: Arguments

    @property
    def is_missing(self) -> Any:
        """The queries that the run lacks; trec_eval 10 finds them only without parameters."""
        finds_missing = self.parameters.text is None or self.arguments.compat is None
        return self.evaluated.is_missing if finds_missing else False

    def compute(self, name: str, cutoff: float | None = None) -> FloatArray:
        """Return the values of Gainful's measure of a name, at a cutoff or point."""
        return _compute_values(_configure_measure(name, self.arguments, cutoff), self.ranked)


def compute_columns(
    entry: Entry, parameters: Parameters, evaluated: EvaluatedRankings, arguments: Arguments
) -> list[Column]:
    """Return all columns of a measure, in the order of its cutoffs."""
    ranked = evaluated.ranked if _has_gains(entry) else _relabel(evaluated, arguments)
    job = Job(ranked, parameters, evaluated, arguments)
    if entry.name in _SPECIAL:
        name = entry.name if parameters.text is None else f"{entry.name}_{parameters.text}"
        return [Column(entry, name, _SPECIAL[entry.name](job))]
    if entry.parameter_kind in _DECIMAL:
        name = _DECIMAL[entry.parameter_kind]
        return [
            Column(entry, name.format(entry.name, cutoff), _compute_at(entry.name, cutoff, job))
            for cutoff in parameters.values
        ]
    return [Column(entry, entry.name, job.compute(entry.name))]


def load_measures(arguments: Arguments) -> None:
    """Import the measures that will be needed, and read their settings."""
    measures = _index_measures()
    for name in sorted(arguments.measures & measures.keys()):
        _ = measures[name][0].arguments


def find_measure(name: str) -> Measure | None:
    """Return Gainful's measure for a name of trec_eval, if there is one."""
    measure, _ = _index_measures().get(name, (None, ""))
    return measure


def _compute_at(name: str, cutoff: float, job: Job) -> FloatArray:
    if name == "iprec_at_recall":
        return _compute_precision_at_recall(job, cutoff)
    if cutoff == 0:  # the precision above the first rank, which RprecMult has no setting for
        return np.zeros(job.ranked.n_queries)
    values = job.compute(name, cutoff)
    return np.where(job.evaluated.is_missing, 0.0, values) if name == "unj" else values


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


def _compute_logarithm(job: Job, name: str) -> FloatArray:
    """Return the logarithms of the values of a measure, for a geometric mean."""
    values = job.compute(name).tolist()
    return np.array([math.log(max(value, ragged.GEOMETRIC_FLOOR)) for value in values])


def _compute_relstring(job: Job) -> list[str]:
    """Return the labels of the first ranks as characters: - for unjudged, . for negative."""
    ranked: JudgedRankings = job.evaluated.ranked
    max_length = min(max(np.nan_to_num(job.parameters.values[0]), 0.0), 1e9)
    lengths = np.maximum(np.minimum(int(max_length), ranked.n_retrieved), 0)
    lengths = np.where(job.is_missing, 0, lengths)
    hits = np.flatnonzero(ranked.hit_rank <= lengths[ranked.hit_query])
    level = ranked.hit_label[hits]
    signs = np.where(level < 0, ord("."), np.where(level > 9, ord(">"), ord("0") + level))
    offsets = ragged.offsets_from_sizes(lengths)
    text = np.full(int(offsets[-1]), ord("-"), dtype=np.uint8)
    text[offsets[ranked.hit_query[hits]] + ranked.hit_rank[hits] - 1] = signs
    characters = text.tobytes().decode("ascii")
    return [characters[begin:end] for begin, end in pairwise(offsets.tolist())]


def _compute_utility(job: Job) -> FloatArray:
    if len(job.parameters.values) != 4:
        message = "trec_eval.calc_utility: improper number of coefficients\n"
        raise Failure(message)
    weights = dict(zip("abcd", job.parameters.values, strict=True))
    measure = _configure_measure("utility", job.arguments)
    values = measure(**weights, collection=max(job.arguments.collection, 0)).score(job.ranked)
    return np.where(job.is_missing, 0.0, values)


def _compute_eleven_points(job: Job) -> FloatArray:
    total = np.zeros(job.ranked.n_queries)
    for point in sorted(job.parameters.values, reverse=True):
        total += _compute_precision_at_recall(job, point)
    return total / len(job.parameters.values)


def _compute_precision_at_recall(job: Job, point: float) -> FloatArray:
    # Beyond its last relevant item a ranking has no precision; before the first it is the highest.
    values = job.compute("iprec_at_recall", min(max(point, 0.0), 1.0)) * (point <= 1)
    if job.arguments.compat:
        # trec_eval divides zero by zero where -J leaves no items.
        ranked = job.ranked
        relevant = ranked.pool_total(ranked.pool_label >= _get_lowest_level(job.arguments))
        is_undefined = point * relevant < (0.5 if job.arguments.is_newer else 0.1)
        values[(ranked.n_retrieved == 0) & is_undefined] = -np.nan
    return values


def _compute_set_F(job: Job) -> FloatArray:
    # trec_eval uses its parameter as the square of beta.
    beta = job.parameters.values[0]
    weight = beta if job.arguments.compat else beta * beta
    precision, recall = job.compute("set_P"), job.compute("set_recall")
    share = (weight + 1.0) * precision * recall
    return ragged.divide(share, weight * precision + recall, empty=0.0)


def _compute_with_gains(job: Job, name: str) -> FloatArray:
    """Return the values of a measure of gain, with the gains of the parameters."""
    level_gains = _parse_level_gains(job.parameters)
    measure, _ = _index_measures()[name]
    if not level_gains:
        return _compute_values(measure, job.ranked)
    gains = _make_gain_table(job.ranked, level_gains)
    if job.arguments.compat and name in ("ndcg", "ideal_dcg") and _has_close_gains(gains):
        ideal = _compute_misordered_ideal(job.ranked, level_gains)
        dcg = _compute_values(_index_measures()["dcg"][0](gain=gains), job.ranked)
        return ideal if name == "ideal_dcg" else ragged.divide(dcg, ideal, empty=0.0)
    return _compute_values(measure(gain=gains), job.ranked)


def _compute_Rndcg(job: Job) -> FloatArray:
    """Return Rndcg, the only measure of gain that follows -l: 0 where nothing is relevant."""
    ranked = job.ranked
    has_relevant = ranked.pool_total(ranked.pool_label >= job.arguments.level) > 0
    return np.where(has_relevant, _compute_with_gains(job, "Rndcg"), 0.0)


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


def _compute_rbp(job: Job) -> FloatArray:
    """Return RBP with gains scaled per query between its lowest and its highest gain."""
    ranked, p = job.ranked, _get_persistence(job.parameters)
    level_gains = _parse_level_gains(job.parameters)
    if not level_gains:
        return REGISTRY["RBP"](p=p, gain="linear", scale="query").score(ranked)
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
    terms = (gain - base[query]) / width[query] * p ** (ranked.hit_rank[hits] - 1.0)
    return (1.0 - p) * ragged.sum_by_query(terms, query, ranked.n_queries)


def _find_highest_labels(ranked: JudgedRankings) -> FloatArray:
    """Return the highest label of each query, -1 for a query without labels."""
    highest = np.full(ranked.n_queries, -1.0)
    np.maximum.at(highest, ranked.pool_query, ranked.pool_label)
    return highest


def _compute_rbp_resid(job: Job) -> FloatArray:
    """Return what unjudged items could add; 0 where there are none, unlike RBPResidual."""
    ranked, p = job.ranked, _get_persistence(job.parameters)
    values = REGISTRY["RBPResidual"](p=p).score(ranked)
    n_judged = ranked.total((ranked.hit_label >= 0).astype(np.float64))
    return np.where((ranked.n_retrieved > n_judged) & ~np.bool_(job.is_missing), values, 0.0)


def _get_persistence(parameters: Parameters) -> float:
    return dict(parameters.pairs).get("p", 0.9)


def _has_close_gains(gains: dict[float, float]) -> bool:
    """Return whether two gains are too close for trec_eval, which compares them as integers."""
    return any(above - below < 1 for below, above in pairwise(sorted({*gains.values()})))


def _compare_gains(level_gains: dict[int, float], first: int, second: int) -> int:
    return int(level_gains.get(first, first) - level_gains.get(second, second))


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
        order = sorted(levels, key=cmp_to_key(partial(_compare_gains, level_gains)))
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


_MOST_LEVELS = 1 << 16
_LEVEL = re.compile(r"[+-]?\d+", re.ASCII)
_SPECIAL: dict[str, Callable[[Job], Any]] = {
    "num_q": lambda job: np.ones(job.ranked.n_queries),
    "num_ret": lambda job: np.where(job.evaluated.is_missing, 0.0, job.ranked.n_retrieved),
    "gm_map": partial(_compute_logarithm, name="map"),
    "gm_bpref": partial(_compute_logarithm, name="bpref"),
    "relstring": _compute_relstring,
    "utility": _compute_utility,
    "11pt_avg": _compute_eleven_points,
    "set_F": _compute_set_F,
    "rbp": _compute_rbp,
    "rbp_resid": _compute_rbp_resid,
    "Rndcg": _compute_Rndcg,
    **{
        name: partial(_compute_with_gains, name=name)
        for name in ("G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel")
    },
}
