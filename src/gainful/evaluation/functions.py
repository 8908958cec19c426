"""cg(), dcg(), idcg(), ndcg() and their means: plain functions of arrays, lists and ids.

They return numbers and nothing else: notices about the input come from ``evaluate()``.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

import numpy as np

from gainful.alignment import (
    INPUTS,
    RULES,
    JudgedRankings,
    RankPart,
    Reach,
    Relevant,
    Rules,
    rankings_from_arrays,
)
from gainful.base import BoolArray, FloatArray, count_cores, format_repr, ragged
from gainful.errors import AlignError, MeasureError, SourceError
from gainful.evaluation.arguments import name_dialect_in_errors, resolve_dialect
from gainful.evaluation.partition import apply_empty_rule, check_undefined, find_undefined
from gainful.measures import CG, DCG, IDCG, Measure, nDCG
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect

Cutoffs = int | Iterable[int] | None
ValuesAndEmpty = tuple[FloatArray, BoolArray]


class Options(TypedDict, total=False):
    """Options of the functions, other than the ranking, its scores and ``k``.

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
        gain, discount, ideal, ideal_depth, ideal_order, negatives, rel, above_one, rounding: As
            the measure declares them.
    Dialect:
        dialect: Whose definition holds: ``"sklearn"``, ``"lightgbm"``, or what ``find_dialect``
            returned. Rules and settings that are given beside it win.
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
    ideal_order: str
    negatives: str
    rel: float
    above_one: str
    rounding: str
    dialect: "str | Dialect"


def cg(
    ranking: object, scores: object = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Return the cumulative gain of one ranking, or of each of many.

    Arguments, result and errors are those of ``ndcg``.

    >>> cg([3, 2, 3, 0, 1])
    9.0
    """
    return _compute_values(CG, ranking, scores, k, options)


def dcg(
    ranking: object, scores: object = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Return the discounted cumulative gain of one ranking, or of each of many.

    Arguments, result and errors are those of ``ndcg``.

    >>> dcg([3, 2, 3, 0, 1])
    6.148712314377457
    """
    return _compute_values(DCG, ranking, scores, k, options)


def idcg(
    ranking: object, scores: object = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Return the discounted cumulative gain of the best order of one ranking, or of each of many.

    Arguments, result and errors are those of ``ndcg``.

    >>> idcg([3, 2, 3, 0, 1])
    6.323465818787765
    """
    return _compute_values(IDCG, ranking, scores, k, options)


def ndcg(
    ranking: object, scores: object = None, *, k: Cutoffs = None, **options: Unpack[Options]
) -> float | FloatArray:
    """Return the normalized discounted cumulative gain of one ranking, or of each of many.

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

    Returns:
        One number for one ranking, one for each of many; several cutoffs add a last axis.

    Raises:
        SourceError: The rankings, scores or labels cannot be read, or do not have the same length.
        MeasureError: ``k`` or a setting is out of range.
        RuleError: A rule or the dialect is unknown.
        AlignError: ``empty="error"``, and nothing is relevant in a ranking.
    """
    return _compute_values(nDCG, ranking, scores, k, options)


def mean_ndcg(
    ranking: object,
    scores: object = None,
    *,
    k: Cutoffs = None,
    weights: object = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Return the mean normalized discounted cumulative gain over many rankings.

    ``weights``, one number >= 0 per ranking, make some of them count more than others: queries
    by their traffic, users by their activity.

    Args:
        ranking: As for ``ndcg``.
        scores: As for ``ndcg``.
        k: As for ``ndcg``.
        weights: One number >= 0 per ranking; all rankings count the same if not given.
        **options: As for ``ndcg``.

    Returns:
        One number, or one for each cutoff.

    Raises:
        SourceError: The weights are not one number >= 0 per ranking, or all 0.
        GainfulError: As for ``ndcg``.

    >>> mean_ndcg([[1, 0], [0, 0]], weights=[3, 1])
    0.75
    """
    return _compute_means(nDCG, ranking, scores, k, weights, options)


def mean_cg(
    ranking: object,
    scores: object = None,
    *,
    k: Cutoffs = None,
    weights: object = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Return the mean cumulative gain over many rankings.

    Arguments, result and errors are those of ``mean_ndcg``.

    >>> mean_cg([[1, 1], [0, 1]])
    1.5
    """
    return _compute_means(CG, ranking, scores, k, weights, options)


def mean_dcg(
    ranking: object,
    scores: object = None,
    *,
    k: Cutoffs = None,
    weights: object = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Return the mean discounted cumulative gain over many rankings.

    Arguments, result and errors are those of ``mean_ndcg``.

    >>> mean_dcg([[1, 0], [2, 0]], weights=[3, 1])
    1.25
    """
    return _compute_means(DCG, ranking, scores, k, weights, options)


def mean_idcg(
    ranking: object,
    scores: object = None,
    *,
    k: Cutoffs = None,
    weights: object = None,
    **options: Unpack[Options],
) -> float | FloatArray:
    """Return the mean ideal discounted cumulative gain over many rankings.

    Arguments, result and errors are those of ``mean_ndcg``.

    >>> mean_idcg([[0, 1], [0, 2]])
    1.5
    """
    return _compute_means(IDCG, ranking, scores, k, weights, options)


def _compute_values(
    measure: Measure, ranking: object, scores: object, k: Cutoffs, options: Options
) -> float | FloatArray:
    table = _compute_table(measure, ranking, scores, k, options)
    values = table.values
    if table.rules.decimals is not None:
        values = ragged.round_to_decimals(values, table.rules.decimals)
    if table.is_single:
        values = values[0]
    if table.is_one_cutoff:
        values = values[..., 0]
    return values if values.ndim else float(values)


def _compute_means(
    measure: Measure, ranking: object, scores: object, k: Cutoffs, weights: object, options: Options
) -> float | FloatArray:
    values, empty, _, is_one_cutoff, rules = _compute_table(measure, ranking, scores, k, options)
    checked_weights = None if weights is None else _check_weights(weights, len(values))
    empty_columns = [None] * len(values.T) if rules.empty_weight is None else list(empty.T)
    means = ragged.round_to_decimals(
        np.array(
            [
                measure.average_values(column, checked_weights, unweighted=empty_column)
                for column, empty_column in zip(values.T, empty_columns, strict=True)
            ]
        ),
        rules.decimals,
    )
    return float(means[0]) if is_one_cutoff else means


class CutoffValues(NamedTuple):
    """Values of rankings.

    Attributes:
        values: One row per ranking, one column per cutoff.
        empty: Which rankings had nothing relevant, of the same shape.
        is_single: Whether one ranking was given, not a list of rankings.
        is_one_cutoff: Whether one cutoff was given, or none, not a list of cutoffs.
        rules: How they were ranked and are averaged.
    """

    values: FloatArray
    empty: BoolArray
    is_single: bool
    is_one_cutoff: bool
    rules: Rules


def _compute_table(
    measure: Measure, ranking: object, scores: object, k: Cutoffs, options: Options
) -> CutoffValues:
    """Compute the values of a measure at every cutoff."""
    inputs: dict[str, Any] = {}
    rule_options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for name, value in options.items():
        if name in INPUTS:
            inputs[name] = value
        elif name in RULES:
            rule_options[name] = value
        elif name in measure.arguments and name != "cutoff":
            settings[name] = value
        elif name != "dialect":
            raise _make_unknown_option_error(measure, name, options)
    dialect = resolve_dialect(options["dialect"], None) if "dialect" in options else None
    cutoffs: list[Any]
    if isinstance(k, Iterable) and not isinstance(k, str) and getattr(k, "ndim", 1) > 0:
        is_one_cutoff, cutoffs = False, list(k)
    else:
        is_one_cutoff, cutoffs = True, [k if k is None else getattr(k, "item", lambda: k)()]
    if not cutoffs:
        message = f"k: must be one cutoff or several, got {k!r}."
        raise MeasureError(message, code="bad-argument")
    measures = []
    for cutoff in cutoffs:
        cutoff_settings = settings if cutoff is None else settings | {"cutoff": cutoff}
        measures.append(measure(**cutoff_settings) if cutoff_settings else measure)
    resolved = (
        measures if dialect is None else [dialect.resolve(requested) for requested in measures]
    )
    parts, is_single, rules = rankings_from_arrays(
        ranking,
        scores,
        inputs,
        rule_options,
        dialect_rules=None if dialect is None else dialect.rules,
        reach=find_common_reach(resolved),
    )
    with nullcontext() if dialect is None else name_dialect_in_errors(dialect):
        values, empty = compute_values_from_arrays(parts, resolved, rules, measures)
    return CutoffValues(values, empty, is_single, is_one_cutoff, rules)


def _make_unknown_option_error(
    measure: Measure, option: str, options: Mapping[str, Any]
) -> MeasureError:
    name = measure.name.lower()
    if "weights" in options:
        message = f"{name}: gives one value per ranking, got weights. Pass them to mean_{name}."
    else:
        settings = [setting for setting in measure.arguments if setting != "cutoff"]
        accepted = ", ".join([*INPUTS, *RULES, *settings, "dialect"])
        message = f"{name} has no argument {option!r}; it takes scores, k, {accepted}."
    return MeasureError(message, code="unknown-argument")


def find_common_reach(measures: Sequence[Measure]) -> Reach | None:
    """Return how far rankings matter to any of the measures, None if they do to the end.

    >>> find_common_reach([nDCG @ 5, DCG @ 10]).rank
    10
    >>> find_common_reach([nDCG]) is None
    True
    """
    reaches: list[Reach] = []
    for measure in measures:
        formula = measure.resolved_formula
        if formula is None or formula.reach is None:
            return None
        reaches.append(formula.reach)
    return Reach(*map(max, zip(*reaches, strict=True)))


def compute_values_from_arrays(
    parts: list[RankPart], resolved: Sequence[Measure], rules: Rules, measures: Sequence[Measure]
) -> ValuesAndEmpty:
    """Compute the values of rankings, one column per measure, and which had nothing relevant.

    Several parts are ranked and scored on all cores.

    Args:
        parts: Functions that rank a part of the rankings each.
        resolved: The measures as the dialect defines them.
        rules: How to rank, and what a ranking with nothing relevant scores.
        measures: The measures as they were asked for, which is how errors name them.
    """
    if len(parts) > 1:

        def compute(part: RankPart) -> ValuesAndEmpty:
            return compute_values_from_arrays([part], resolved, rules, measures)

        from concurrent.futures import ThreadPoolExecutor  # takes a while to load

        ragged.retain_memory()
        with ThreadPoolExecutor(min(count_cores(), len(parts))) as pool:
            each_values, each_empty = zip(*pool.map(compute, parts), strict=True)
        return np.concatenate(each_values), np.concatenate(each_empty)
    ranked = parts[0]()
    shape = len(ranked.queries), len(measures)
    values, empty = np.empty(shape), np.empty(shape, dtype=np.bool_)
    for column, measure in enumerate(resolved):
        query_values = apply_empty_rule(measure, ranked, rules)
        if rules.empty == "error":
            check_undefined({measures[column]: find_undefined(query_values, ranked)}, rules)
        values[:, column], empty[:, column] = query_values.values, query_values.empty
    if rules.missing != "zero":
        values = _apply_missing_rule(values, ranked, rules)
    return values, empty


def _apply_missing_rule(values: FloatArray, ranked: JudgedRankings, rules: Rules) -> FloatArray:
    """Set the values of rankings without items to NaN; raise where the rules refuse them."""
    missing = ranked.n_retrieved == 0
    if rules.missing == "error" and missing.any():
        query = ranked.queries[int(missing.argmax())]
        message = f"ranking {query}: has no items, got missing=error."
        raise AlignError(message, code="refused-missing")
    values[missing] = np.nan
    return values


def _check_weights(weights: object, n_rankings: int) -> FloatArray:
    checked = arrays.to_numbers(weights, "weights")
    usable = checked.shape == (n_rankings,) and (checked >= 0).all()
    if not usable or not checked.any():
        message = (
            f"weights: must be {n_rankings} numbers >= 0, not all 0, got {format_repr(weights)}."
        )
        raise SourceError(message, code="bad-weights")
    return checked
