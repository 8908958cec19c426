"""cg(), dcg(), idcg(), ndcg() and their means: plain functions of what you have at hand.

They return numbers and nothing else: what is odd about the input is said by ``evaluate()``.
"""

from collections.abc import Callable, Iterable, Sequence
from threading import Lock, Thread
from typing import Any, TypeGuard, Unpack

import numpy as np

from gainful import measures, ragged
from gainful.at_hand import Part, rankings_at_hand
from gainful.errors import AlignError, MeasureError, SourceError
from gainful.evaluate import checked_values
from gainful.in_dialect import refusing_in
from gainful.measures import Measure
from gainful.options import Options, sorted_out
from gainful.ragged import BoolArray, FloatArray
from gainful.rankings import JudgedRankings, Reach
from gainful.rules import Rules
from gainful.sources import arrays, cores
from gainful.wording import as_written

Cutoffs = int | Iterable[int] | None
Table = tuple[FloatArray, BoolArray]


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

    As another tool defines it, by name; see ``gainful dialects``:

    >>> ndcg([0, 2, 1], [0.9, 0.8, 0.7], dialect="lightgbm")
    0.6590018048024133

    Args:
        ranking: Labels or item ids, best first; with scores, in any order.
        scores: What orders the items, highest first.
        k: Look only at the first k ranks; one cutoff or several.
        **options: See ``Options``: relevant, labels, group_sizes, query_ids, list_size; ties,
            empty, precision, duplicates; gain, discount, ideal, ideal_depth, negatives, rel and
            others; dialect.
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


def mean_cg(
    ranking: Any,
    scores: Any = None,
    *,
    k: Cutoffs = None,
    weights: Any = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Mean cumulative gain over many rankings, as ``mean_ndcg`` is for nDCG.

    >>> mean_cg([[1, 1], [0, 1]])
    1.5
    """
    return _means(measures.CG, ranking, scores, k, weights, options)


def mean_dcg(
    ranking: Any,
    scores: Any = None,
    *,
    k: Cutoffs = None,
    weights: Any = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Mean discounted cumulative gain over many rankings, as ``mean_ndcg`` is for nDCG.

    >>> mean_dcg([[1, 0], [2, 0]], weights=[3, 1])
    1.25
    """
    return _means(measures.DCG, ranking, scores, k, weights, options)


def mean_idcg(
    ranking: Any,
    scores: Any = None,
    *,
    k: Cutoffs = None,
    weights: Any = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Mean best discounted cumulative gain over many rankings, as ``mean_ndcg`` is for nDCG.

    >>> mean_idcg([[0, 1], [0, 2]])
    1.5
    """
    return _means(measures.IDCG, ranking, scores, k, weights, options)


def _values(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, options: Options
) -> float | FloatArray:
    values, _, single, rules = _table(measure, ranking, scores, k, options)
    values = ragged.rounded(values, rules.decimals)
    shaped = values[0] if single else values
    if not _is_several(k):
        shaped = shaped[..., 0]
    return float(shaped) if np.ndim(shaped) == 0 else shaped


def _means(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, weights: Any, options: Options
) -> float | FloatArray:
    values, empty, _, rules = _table(measure, ranking, scores, k, options)
    checked = None if weights is None else _weights(weights, len(values))
    once = [None] * len(values.T) if rules.empty_weight is None else list(empty.T)
    means = ragged.rounded(
        np.array(
            [
                measure.averaged(column, checked, averaging=rules.averaging, once=added_once)
                for column, added_once in zip(values.T, once, strict=True)
            ]
        ),
        rules.decimals,
    )
    return means if _is_several(k) else float(means[0])


def _is_several(k: Any) -> TypeGuard[Iterable[int]]:
    return isinstance(k, Iterable) and not isinstance(k, str) and getattr(k, "ndim", 1) > 0


def _table(
    measure: Measure, ranking: Any, scores: Any, k: Cutoffs, options: Options
) -> tuple[FloatArray, BoolArray, bool, Rules]:
    """The values, a row per ranking and a column per cutoff, and which had nothing relevant.

    Beside them, whether a single ranking was given, and the rules.
    """
    said = sorted_out(measure, dict(options))
    cutoffs: list[Any] = list(k) if _is_several(k) else [getattr(k, "item", lambda: k)()]
    if not cutoffs:
        message = f"k: must be one cutoff or several, got {k!r}."
        raise MeasureError(message, code="bad-argument")
    asked = [said.asked(measure, cutoff) for cutoff in cutoffs]
    settled = [said.settled(one) for one in asked]
    spoken = None if said.dialect is None else said.dialect.rules
    parts, single, rules = rankings_at_hand(
        ranking, scores, said.take, said.rule, spoken=spoken, reach=common_reach(settled)
    )
    with refusing_in(said.dialect):
        values, empty = valued(parts, settled, rules, asked)
    return values, empty, single, rules


def valued(
    parts: list[Part], settled: Sequence[Measure], rules: Rules, asked: Sequence[Measure]
) -> Table:
    """The values of rankings, a column per measure, and which had nothing relevant.

    Errors name the measures as they were asked for.
    """
    both = list(zip(asked, settled, strict=True))

    def table(part: Part) -> Table:
        ranked = part()
        found = [checked_values(its, ranked, rules, one) for one, its in both]
        values = np.stack([one.values for one in found], axis=1)
        empty = np.stack([one.empty for one in found], axis=1)
        if rules.missing != "zero":
            values = _without_missing(values, ranked, rules)
        return values, empty

    values, empty = zip(*_mapped(table, parts), strict=True)
    return np.concatenate(values), np.concatenate(empty)


def _without_missing(values: FloatArray, ranked: JudgedRankings, rules: Rules) -> FloatArray:
    """The values; those of rankings without items are NaN, or an error where the rules say so."""
    missing = ranked.n_retrieved == 0
    if rules.missing == "error" and missing.any():
        query = ranked.queries[int(missing.argmax())]
        message = f"ranking {query}: has no items, got missing=error."
        raise AlignError(message, code="refused-missing")
    values[missing] = np.nan
    return values


def common_reach(several: Sequence[Measure]) -> Reach | None:
    """How far rankings matter to any of the measures, None if they do to the end.

    >>> common_reach([measures.nDCG @ 5, measures.DCG @ 10]).rank
    10
    >>> common_reach([measures.nDCG]) is None
    True
    """
    each = [m.formula(**m.all_settings).reach if m.formula else None for m in several]
    known = [reach for reach in each if reach is not None]
    if len(known) < len(each):
        return None
    return Reach(*(max(asked) for asked in zip(*known, strict=True)))


def _mapped(function: Callable[[Part], Table], parts: list[Part]) -> list[Table]:
    """What the function makes of each part, worked out on all cores where there are several."""
    if len(parts) == 1 or cores() == 1:
        return list(map(function, parts))
    ragged.retain_memory()
    found: dict[int, Table | Exception] = {}
    waiting, turn = iter(range(len(parts))), Lock()

    def taken() -> int | None:
        with turn:  # an iterator is no place for several threads at once
            return next(waiting, None)

    def work() -> None:
        while (number := taken()) is not None:
            try:
                found[number] = function(parts[number])
            except Exception as error:  # raised below, in its turn
                found[number] = error

    # Not by concurrent.futures, which takes a while to load.
    threads = [Thread(target=work, daemon=True) for _ in range(min(cores(), len(parts)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [_value_or_error(found[number]) for number in range(len(parts))]


def _value_or_error(found: Table | Exception) -> Table:
    if isinstance(found, Exception):
        raise found
    return found


def _weights(weights: Any, n_rankings: int) -> FloatArray:
    checked = arrays.numbers(weights, "weights")
    usable = checked.shape == (n_rankings,) and (checked >= 0).all()
    if not usable or not checked.any():
        message = (
            f"weights: must be {n_rankings} numbers >= 0, not all 0, got {as_written(weights)}."
        )
        raise SourceError(message, code="bad-weights")
    return checked
