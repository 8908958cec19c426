"""cg(), dcg(), idcg(), ndcg(), mean_ndcg(): plain functions of what you have at hand."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypedDict, Unpack

import numpy as np

from gainful import measures, ragged
from gainful.align import ENDLESS, align, align_arrays
from gainful.errors import MeasureError, RuleError, SourceError
from gainful.evaluate import values_of
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import arrays, read_qrels, read_run

Cutoffs = int | Iterable[int] | None
Relevant = Mapping[Any, Any] | Collection[Any]


class Options(TypedDict, total=False):
    """What the functions take beside the ranking, its scores and ``k``.

    Input:
        relevant: What is relevant, if the ranking is made of item ids: ``{item: label}``, or the
            relevant items alone, which then have label 1. One for each ranking if there are many.
        labels: What words are worth: ``{"click": 1, "basket": 2, "purchase": 3}``.
        group_sizes: How many items each ranking has, if all stand in one list.
        query_ids: Which ranking each item belongs to, if all stand in one list.
        list_size: Take every ranking to have this many items: cut longer ones, and pad shorter
            ones with items of label 0.
    Rules:
        ties, empty, precision, duplicates: As in ``Rules``. Ties are averaged by default where
            scores come without ids.
    Settings:
        gain, discount, ideal, ideal_depth, negatives, rel: As the measure declares them.
    """

    relevant: Relevant
    labels: Mapping[Any, float]
    group_sizes: Sequence[int]
    query_ids: Sequence[Hashable]
    list_size: int
    ties: str
    empty: str
    precision: str
    duplicates: str
    gain: str | Mapping[float, float]
    discount: str
    ideal: str
    ideal_depth: str
    negatives: str
    rel: float


def cg(
    ranking: Any, scores: Any = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Cumulative gain of one ranking, or of each of many.

    >>> cg([3, 2, 3, 0, 1])
    9.0
    """
    return _values(measures.CG, ranking, scores, k, options)


def dcg(
    ranking: Any, scores: Any = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Discounted cumulative gain of one ranking, or of each of many.

    >>> dcg([3, 2, 3, 0, 1])
    6.148712314377457
    """
    return _values(measures.DCG, ranking, scores, k, options)


def idcg(
    ranking: Any, scores: Any = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Discounted cumulative gain of the best order of one ranking, or of each of many.

    >>> idcg([3, 2, 3, 0, 1])
    6.323465818787765
    """
    return _values(measures.IDCG, ranking, scores, k, options)


def ndcg(
    ranking: Any, scores: Any = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Normalised discounted cumulative gain of one ranking, or of each of many.

    Labels in rank order, labels with the scores that rank them, or item ids with what is relevant:

    >>> ndcg([3, 2, 3, 0, 1])
    0.9723642841729143
    >>> ndcg([3, 2, 1, 0, 0], [3, 2, 0, 0, 1])  # two scores are tied: averaged
    0.980840401274087
    >>> ndcg(["A", "B", "C"], relevant={"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}, k=3)
    0.6048882832133625

    Many rankings, as a 2-D array, a list of lists, or one list with sizes or ids, give one value
    each; several cutoffs add a last axis:

    >>> ndcg([[1, 0], [0, 1, 1]]).round(4)
    array([1.    , 0.6934])
    >>> ndcg([0, 1, 1], k=[1, 2]).round(4)
    array([0.    , 0.3869])

    Args:
        ranking: Labels or item ids, best first; with scores, in any order.
        scores: What orders the items, highest first.
        k: Look only at the first k ranks; one cutoff or several.
        **options: See ``Options``: relevant, labels, group_sizes, query_ids, list_size; ties,
            empty, precision, duplicates; gain, discount, ideal, ideal_depth, negatives, rel.
    """
    return _values(measures.nDCG, ranking, scores, k, options)


def mean_ndcg(
    ranking: Any,
    scores: Any = None,
    *,
    k: Cutoffs = None,
    weights: Any = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Mean normalised discounted cumulative gain over many rankings.

    ``weights``, one number >= 0 per ranking, make some of them count more than others: queries
    by their traffic, users by their activity.

    >>> mean_ndcg([[1, 0], [0, 0]], weights=[3, 1])
    0.75
    """
    return _means(measures.nDCG, ranking, scores, k, weights, options)


def _values(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, options: Options
) -> float | FloatArray:
    values, single = _table(measure, ranking, scores, k, options)
    shaped = values[0] if single else values
    if not isinstance(k, Iterable):
        shaped = shaped[..., 0]
    return float(shaped) if np.ndim(shaped) == 0 else shaped


def _means(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, weights: Any, options: Options
) -> float | FloatArray:
    values, _ = _table(measure, ranking, scores, k, options)
    checked = None if weights is None else _weights(weights, len(values))
    means = [ragged.mean(column, checked) for column in values.T]
    return np.array(means) if isinstance(k, Iterable) else means[0]


def _table(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, options: Options
) -> tuple[FloatArray, bool]:
    """One row per ranking and one column per cutoff, and whether a single ranking was given."""
    given: dict[str, Any] = dict(options)
    if "weights" in given:
        name = measure.name.lower()
        message = f"{name}: gives one value per ranking, got weights. Pass them to mean_ndcg."
        raise MeasureError(message)
    known = [*_INPUTS, *_RULES, *(name for name in measure.arguments if name != "cutoff")]
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        name = measure.name.lower()
        message = f"{name} has no argument {unknown!r}; it takes scores, k, {', '.join(known)}."
        raise MeasureError(message)
    take = {name: given.pop(name) for name in _INPUTS if name in given}
    rule = {name: given.pop(name) for name in _RULES if name in given}
    cutoffs = list(k) if isinstance(k, Iterable) else [k]
    if not cutoffs:
        message = f"k: must be one cutoff or several, got {k!r}."
        raise MeasureError(message)
    settled = [measure(**given, **({} if c is None else {"cutoff": c})) for c in cutoffs]
    ranked, single, rules = _ranked(ranking, scores, take, rule)
    return np.stack([values_of(m, ranked, rules) for m in settled], axis=1), single


def _ranked(
    ranking: Any, scores: Any, take: dict[str, Any], rule: dict[str, Any]
) -> tuple[JudgedRankings, bool, Rules]:
    size = take.pop("list_size", None)
    by_ids = "relevant" in take
    ties = "item-desc" if by_ids or scores is None else "average"
    order = "file" if scores is None else "score"
    if size is not None and (not isinstance(size, int | np.integer) or size < 1):
        message = f"list_size: must be an integer >= 1, got {size!r}."
        raise SourceError(message)
    rules = Rules(**{"ties": ties, "order": order, "depth": size, **rule})
    if not by_ids and rules.ties.startswith("item") and scores is not None:
        message = (
            f"ties: must not order by item ids where there are none, got {rules.ties!r}. "
            "Pass average, input, best or worst."
        )
        raise RuleError(message)
    if rules.empty == "skip":  # one value for every ranking, so that places stay
        rules = replace(rules, empty="nan")
    given = arrays.flatten(ranking)
    if scores is not None:
        scores = _scores(scores, given)
    flat, regrouped = arrays.regroup(given, take.get("group_sizes"), take.get("query_ids"))
    if by_ids:
        ranked = _ranked_ids(flat, regrouped, scores, take, rules)
    else:
        ranked = _ranked_labels(flat, regrouped, scores, take.get("labels"), rules)
    if size is not None:
        ranked = replace(ranked, n_retrieved=np.full(ranked.n_queries, min(size, ENDLESS)))
    return ranked, flat.single, rules


def _ranked_labels(
    flat: arrays.Flat, regrouped: Any, scores: Any, words: Any, rules: Rules
) -> JudgedRankings:
    labels = arrays.numbers(
        flat.values if words is None else arrays.worded(flat.values, words), "labels"
    )
    if regrouped is not None:
        labels = labels[regrouped]
        scores = None if scores is None else scores[regrouped]
    return align_arrays(labels, scores, flat.offsets, rules)


def _ranked_ids(
    flat: arrays.Flat, regrouped: Any, scores: Any, take: dict[str, Any], rules: Rules
) -> JudgedRankings:
    ids = list(flat.values)
    ranks_by = None if scores is None else scores.tolist()
    if regrouped is not None:
        ids = [ids[i] for i in regrouped]
        ranks_by = None if ranks_by is None else [ranks_by[i] for i in regrouped]
    n_rankings = len(flat.offsets) - 1
    bounds = list(pairwise(flat.offsets.tolist()))
    if ranks_by is None:
        run: dict[int, Any] = {q: ids[a:b] for q, (a, b) in enumerate(bounds)}
    else:
        run = {q: _paired(ids[a:b], ranks_by[a:b]) for q, (a, b) in enumerate(bounds)}
    qrels = dict(
        enumerate(_relevant(take["relevant"], take.get("labels"), flat.single, n_rankings))
    )
    judgments = read_qrels(qrels, duplicates=rules.duplicates)
    return align(judgments, read_run(run, name="ranking"), rules)[0]


def _relevant(
    relevant: Relevant, words: Mapping[Any, float] | None, single: bool, n_rankings: int
) -> list[dict[Any, float]]:
    if single or isinstance(relevant, Mapping | Set):
        each: list[Any] = [relevant] * n_rankings
    else:
        each = list(relevant)
    if len(each) != n_rankings:
        message = f"relevant: must be one for each of {n_rankings} rankings, got {len(each)}."
        raise SourceError(message)
    return [_labelled(one, words) for one in each]


def _labelled(relevant: Relevant, words: Mapping[Any, float] | None) -> dict[Any, float]:
    if isinstance(relevant, str | bytes) or not isinstance(relevant, Collection):
        message = f"relevant: must hold ids, as in {{'d1': 2}} or {{'d1'}}, got {relevant!r:.60}."
        raise SourceError(message)
    if not isinstance(relevant, Mapping):
        unhashable = next((item for item in relevant if not isinstance(item, Hashable)), None)
        if unhashable is not None:
            message = f"relevant: must hold ids, got {unhashable!r:.60} among them."
            raise SourceError(message)
        return dict.fromkeys(relevant, 1.0)
    values = relevant.values() if words is None else arrays.worded(list(relevant.values()), words)
    return dict(zip(relevant, values, strict=True))


def _paired(ids: list[Any], scores: list[float]) -> dict[Any, float]:
    pairs = dict(zip(ids, scores, strict=True))
    if len(pairs) != len(ids):
        twice = next(item for i, item in enumerate(ids) if item in ids[:i])
        message = f"ranking: must hold each item once, got {twice!r} twice."
        raise SourceError(message)
    return pairs


def _scores(scores: Any, flat: arrays.Flat) -> FloatArray:
    given = arrays.flatten(scores, "scores")
    if given.single != flat.single or not np.array_equal(given.offsets, flat.offsets):
        message = (
            f"scores: must have the shape of the ranking, {np.diff(flat.offsets).tolist()!s:.40}, "
            f"got {np.diff(given.offsets).tolist()!s:.40}."
        )
        raise SourceError(message)
    return arrays.numbers(given.values, "scores")


def _weights(weights: Any, n_rankings: int) -> FloatArray:
    checked = arrays.numbers(weights, "weights")
    usable = checked.shape == (n_rankings,) and (checked >= 0).all()
    if not usable or not 0 < checked.sum() < np.inf:
        message = f"weights: must be {n_rankings} numbers >= 0, not all 0, got {weights!r:.60}."
        raise SourceError(message)
    return checked


_INPUTS = ("relevant", "labels", "group_sizes", "query_ids", "list_size")
_RULES = ("ties", "empty", "precision", "duplicates")
