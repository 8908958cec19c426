"""JudgedRankings from arrays and lists: labels in order, labels with scores, ids."""

from collections.abc import Callable, Collection, Hashable, Mapping, Set
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from gainful.alignment.join import align, make_native_options
from gainful.alignment.label_rules import apply_label_rules, check_sizes
from gainful.alignment.rankings import JudgedRankings, Reach
from gainful.alignment.rules import Rules, choose_default_ties
from gainful.base import (
    ENDLESS,
    FloatArray,
    IntArray,
    _native,
    find_owners,
    format_count,
    format_repr,
)
from gainful.errors import RuleError, SourceError
from gainful.sources import Columns, arrays, read_qrels, read_run

Relevant = Mapping[Any, Any] | Collection[Any]

INPUTS = ("relevant", "labels", "group_sizes", "query_ids", "list_size")
RULES = ("ties", "empty", "precision", "duplicates")
RankPart = Callable[[], JudgedRankings]

_WITHOUT_IDS = ("input", "input-reversed", "average", "best", "worst", "middle")
_PART = 1 << 18  # items
_SHALLOW_PART = 1 << 20  # items of which only the first ranks are kept


def rankings_from_arrays(
    ranking: object,
    scores: object,
    inputs: Mapping[str, Any],
    rule_options: Mapping[str, Any],
    *,
    dialect_rules: Rules | None = None,
    reach: Reach | None = None,
) -> tuple[list[RankPart], bool, Rules]:
    """Return functions that rank the parts of the input, one part each.

    Parts of a million items may be ranked one by one, which takes less memory, or on several
    threads.

    Args:
        ranking: Labels or item ids, one list or many.
        scores: What orders them; None if they are in order.
        inputs: The ``INPUTS`` that were passed.
        rule_options: The ``RULES`` that were passed.
        dialect_rules: The rules of the dialect, if one was named; ``rule_options`` override them.
        reach: How far rankings matter; None if they matter to the end.

    Returns:
        The functions, whether a single ranking was given, and the rules that apply.
    """
    rule_inputs = scores is not None, "relevant" in inputs, inputs.get("list_size"), dialect_rules
    try:
        rules, refused, options = _resolve_rules(*rule_inputs, **rule_options)
    except TypeError:  # an unhashable value, which the rules refuse
        rules, refused, options = _resolve_rules.__wrapped__(*rule_inputs, **rule_options)
    flat, order = arrays.flatten(ranking), None
    if scores is not None:
        scores = _flatten_scores(scores, flat)
    if "group_sizes" in inputs or "query_ids" in inputs:
        flat, order = arrays.regroup(flat, inputs.get("group_sizes"), inputs.get("query_ids"))
    if "relevant" in inputs:
        # A query without items keeps its place among the rankings.
        id_rules = replace(rules, missing="zero")
        parts: list[RankPart] = [partial(_rank_ids, flat, order, scores, inputs, id_rules)]
    else:
        words = inputs.get("labels")
        parts = _make_label_parts(flat, order, scores, words, rules, options, reach)
    if refused is not None or rules.depth is not None:
        parts = [partial(_rank_and_pad, part, rules, refused) for part in parts]
    return parts, flat.single, rules


def _rank_and_pad(rank_part: RankPart, rules: Rules, refused: str | None) -> JudgedRankings:
    """Refuse ties that only item ids could order, and pad shorter rankings to ``list_size``."""
    ranked = rank_part()
    if refused is not None and ranked.has_ties:
        message = (
            f"ties: the dialect has {refused}, and there are no item ids to order equal scores by. "
            "Pass relevant=... and ids for the ranking, or another ties=..., for example average."
        )
        raise RuleError(message, code="ties-need-ids")
    if rules.depth is None:
        return ranked
    return replace(ranked, n_retrieved=np.full(ranked.n_queries, min(rules.depth, ENDLESS)))


@lru_cache(maxsize=256, typed=True)
def _resolve_rules(
    has_scores: bool,
    has_ids: bool,
    list_size: object,
    dialect_rules: Rules | None,
    **rule_options: Any,
) -> tuple[Rules, str | None, _native.Options]:
    """Return the rules that apply, the ``ties`` that cannot, and the options of the native core.

    The ``ties`` of a dialect cannot apply where there are no ids to order equal scores by.
    """
    if list_size is not None and (not isinstance(list_size, int | np.integer) or list_size < 1):
        message = f"list_size: must be an integer >= 1, got {list_size!r}."
        raise SourceError(message, code="bad-argument")
    chosen: dict[str, Any] = {} if dialect_rules is None else dialect_rules.to_dict()
    if rule_options.get("ties", "auto") == "auto":
        rule_options.pop("ties", None)
        chosen = {"ties": choose_default_ties(has_ids=has_ids or not has_scores)} | chosen
    chosen |= {"order": "score" if has_scores else "file", "depth": list_size}
    rules_type = Rules if dialect_rules is None else type(dialect_rules)
    rules, refused = rules_type(**chosen | rule_options), None
    if has_scores and not has_ids and rules.ties not in _WITHOUT_IDS:
        if "ties" in rule_options:
            message = (
                f"ties: must be one of {', '.join(_WITHOUT_IDS)} where there are no item ids, "
                f"got {rules.ties!r}."
            )
            raise RuleError(message, code="ties-need-ids")
        rules, refused = replace(rules, ties="average"), rules.ties
    # One value for every ranking, so that positions stay: NaN for one that would be skipped.
    if rules.empty == "skip":
        rules = replace(rules, empty="nan")
    return rules, refused, make_native_options(rules)


def _make_label_parts(
    flat: arrays.Flat,
    order: IntArray | None,
    scores: FloatArray | None,
    words: Any,
    rules: Rules,
    options: _native.Options,
    reach: Reach | None,
) -> list[RankPart]:
    """Return functions that rank labels, by their scores if there are any."""
    labels = arrays.to_float64(
        flat.values if words is None else arrays.labels_from_words(flat.values, words), "labels"
    )
    if reach is not None and reach.is_pool_retrieved and rules.depth is not None:
        reach = None  # the list below the cutoff matters too
    arrays_by_name = {"labels": labels} if scores is None else {"labels": labels, "scores": scores}
    if order is not None:
        labels = labels[order]
        scores = None if scores is None else scores[order]

    def rank(begin: int, end: int) -> JudgedRankings:
        offsets = flat.offsets[begin : end + 1]
        part = slice(offsets[0], offsets[-1])
        part_labels, part_scores = labels[part], None if scores is None else scores[part]
        part_reach = reach
        if part_reach is not None and part_reach.unsigned and part_labels.min(initial=0.0) < 0:
            part_reach = None
        arguments = part_labels, part_scores, offsets - offsets[0], rules, options
        try:
            last_rank = None if part_reach is None else part_reach.rank
            return align_arrays(*arguments, reach=last_rank, first=begin)
        except _native.BadInput:
            # Only now: checking all of them takes longer than ranking them.
            for name, array in arrays_by_name.items():
                arrays.check_finite(array, name)
            raise

    n_rankings, n_items = len(flat.offsets) - 1, flat.offsets[-1]
    size = _PART if reach is None else _SHALLOW_PART
    if n_items <= size:
        return [partial(rank, 0, n_rankings)]
    cuts = np.searchsorted(flat.offsets, np.arange(0, n_items, size)[1:])
    bounds = np.unique([0, *cuts, n_rankings]).tolist()
    return [partial(rank, begin, end) for begin, end in pairwise(bounds)]


def align_arrays(
    labels: FloatArray,
    scores: FloatArray | None,
    offsets: IntArray,
    rules: Rules,
    options: _native.Options,
    *,
    reach: int | None = None,
    first: int = 0,
) -> JudgedRankings:
    """Rank items without ids: every item is judged, and no other items exist.

    Args:
        labels: Of all items, one ranking after the other.
        scores: What orders the items of a ranking; None if they are in order.
        offsets: Where each ranking begins.
        rules: How to rank.
        options: The same rules, as ``make_native_options`` returns them.
        reach: The last rank that matters; items below may be left out of the rankings and of
            the judged items.
        first: The number of the first ranking, which is its id.
    """
    all_count = rules.reads_labels or rules.empty_test == "zero-sum"
    deep = 0 if reach is None or all_count else min(reach, ENDLESS)
    arrays_aligned = _native.align_arrays(labels, scores, offsets, options, deep)
    aligned, pool_label = arrays_aligned.aligned, arrays_aligned.pool_label
    ranked = JudgedRankings(
        queries=tuple(map(str, range(first, first + len(offsets) - 1))),
        n_retrieved=aligned.n_retrieved,
        hit_offsets=aligned.hit_offsets,
        hit_rank=aligned.hit_rank,
        hit_label=aligned.hit_label,
        hit_tie_first=aligned.hit_tie_first,
        hit_tie_size=aligned.hit_tie_size,
        pool_offsets=arrays_aligned.pool_offsets,
        pool_label=pool_label,
        average_ties=rules.ties == "average",
        shared_ranks=rules.ties == "middle",
        has_distinct_hits=rules.duplicates != "count",
        is_pool_retrieved=rules.depth is None,
        read_given_labels=partial(np.add, labels, 0.0) if len(pool_label) == len(labels) else None,
    )
    if rules.reads_labels:
        ranked = apply_label_rules(ranked, rules)
    if rules.min_items is not None:
        check_sizes(ranked, rules)
    return ranked


def _rank_ids(
    flat: arrays.Flat,
    order: IntArray | None,
    scores: Any,
    inputs: Mapping[str, Any],
    rules: Rules,
) -> JudgedRankings:
    ids = list(flat.values)
    if scores is not None:
        arrays.check_finite(scores, "scores")
    if order is not None:
        ids = [ids[i] for i in order]
        scores = None if scores is None else scores[order]
    n_rankings = len(flat.offsets) - 1
    run: Any = {q: ids[a:b] for q, (a, b) in enumerate(pairwise(flat.offsets.tolist()))}
    if scores is not None and len(ids):
        run = Columns(query=find_owners(flat.offsets).tolist(), item=ids, score=scores)
    relevant = _split_relevant(inputs["relevant"], inputs.get("labels"), flat.single, n_rankings)
    judgments = read_qrels(dict(enumerate(relevant)), duplicates=rules.duplicates)
    return align(judgments, read_run(run, name="ranking"), rules)[0]


def _split_relevant(
    relevant: Relevant, words: Mapping[Any, float] | None, is_single: bool, n_rankings: int
) -> list[dict[Any, float]]:
    if hasattr(relevant, "keys") and hasattr(relevant, "items"):  # a pandas Series is a mapping
        relevant = dict(relevant.items())
    if is_single or isinstance(relevant, Mapping | Set):
        relevant_lists: list[Any] = [relevant] * n_rankings
    else:
        relevant_lists = list(relevant)
    if len(relevant_lists) != n_rankings:
        message = (
            f"relevant: must be one for each of {n_rankings} rankings, got {len(relevant_lists)}."
        )
        raise SourceError(message, code="unequal-lengths")
    return [_label_relevant(relevant_items, words) for relevant_items in relevant_lists]


def _label_relevant(relevant: Relevant, words: Mapping[Any, float] | None) -> dict[Any, float]:
    if isinstance(relevant, str | bytes) or not isinstance(relevant, Collection):
        message = (
            f"relevant: must hold ids, as in {{'d1': 2}} or {{'d1'}}, got {format_repr(relevant)}."
        )
        raise SourceError(message, code="wrong-type")
    if not isinstance(relevant, Mapping) and words is not None:
        message = (
            "labels: must map the labels of relevant items, got no labels: "
            f"{format_repr(relevant)}."
        )
        raise SourceError(message, code="bad-labels")
    if not isinstance(relevant, Mapping):
        unhashable = next((item for item in relevant if not isinstance(item, Hashable)), None)
        if unhashable is not None:
            message = f"relevant: must hold ids, got {format_repr(unhashable)} among them."
            raise SourceError(message, code="bad-id")
        return dict.fromkeys(relevant, 1.0)
    values = (
        relevant.values()
        if words is None
        else arrays.labels_from_words(list(relevant.values()), words)
    )
    return dict(zip(relevant, values, strict=True))


def _flatten_scores(scores: object, flat: arrays.Flat) -> FloatArray:
    flat_scores = arrays.flatten(scores, "scores")
    if flat_scores.single != flat.single or not np.array_equal(flat_scores.offsets, flat.offsets):
        message = (
            f"scores: must have the shape of the ranking, {_describe_shape(flat)}, "
            f"got {_describe_shape(flat_scores)}."
        )
        raise SourceError(message, code="unequal-lengths")
    return arrays.to_float64(flat_scores.values, "scores")


def _describe_shape(flat: arrays.Flat) -> str:
    sizes = np.diff(flat.offsets).tolist()
    if flat.single:
        return f"one list of {sizes[0]}"
    if len(set(sizes)) == 1:
        return f"{format_count(len(sizes), 'list', 'lists')} of {sizes[0]}"
    return f"lists of {', '.join(map(str, sizes[:8]))}{', ...' if len(sizes) > 8 else ''}"
