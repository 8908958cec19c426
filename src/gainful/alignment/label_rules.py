"""Apply the rules about labels, padding and unjudged items to aligned rankings."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from gainful.alignment.rankings import JudgedRankings
from gainful.alignment.rules import Rules
from gainful.base import BoolArray, FloatArray, IntArray, format_count, ragged
from gainful.errors import AlignError


def apply_label_rules(ranked: JudgedRankings, rules: Rules) -> JudgedRankings:
    """Apply the rules about labels and padding; raise an error for a label that they refuse.

    Refused labels and padding are identified by the original labels; labels that are too low
    become 0 last.
    """
    if not rules.reads_labels:
        return ranked
    _check_labels(ranked, rules)
    if rules.padding is not None:
        ranked = _drop_padding(ranked, rules)
    pool = ragged.sort_descending(convert_labels(ranked.pool_label, rules), ranked.pool_query)
    return replace(
        ranked,
        hit_label=convert_labels(ranked.hit_label, rules),
        pool_label=pool,
        read_given_labels=None
        if ranked.read_given_labels is None
        else partial(_convert_given, ranked, rules),
    )


def convert_labels(label: FloatArray, rules: Rules) -> FloatArray:
    """Return the labels in the precision of the rules, those below ``min_label`` as 0.

    >>> from gainful.dialects import DialectRules
    >>> convert_labels(np.array([2.7, 0.5]), DialectRules(label_type="truncated")).tolist()
    [2.0, 0.0]
    >>> convert_labels(np.array([2.0, 1.0]), DialectRules(min_label=2)).tolist()
    [2.0, 0.0]
    """
    if rules.label_type == "truncated":
        label = np.trunc(label) + 0.0
    if rules.label_type == "float32":
        label = ragged.round_to_float32(label)
    return label if rules.min_label is None else np.where(label < rules.min_label, 0.0, label)


def convert_judgments(labels: Mapping[str, float], rules: Rules) -> dict[str, float]:
    """Return the labels of the items of a query, as ``convert_labels`` does.

    >>> from gainful.dialects import DialectRules
    >>> convert_judgments({"a": 2.7}, DialectRules(label_type="truncated"))
    {'a': 2.0}
    """
    converted = convert_labels(np.array([*labels.values()], dtype=np.float64), rules)
    return dict(zip(labels, converted.tolist(), strict=True))


def is_padding(label: FloatArray, rules: Rules) -> BoolArray:
    """Return which of the original labels mark padding.

    >>> from gainful.dialects import DialectRules
    >>> is_padding(np.array([-2.0, -1.0, 0.0]), DialectRules(padding="minus-one")).tolist()
    [False, True, False]
    """
    if rules.padding is None:
        return np.zeros(label.shape, dtype=np.bool_)
    return label < 0 if rules.padding == "negative" else label == -1


def check_sizes(ranked: JudgedRankings, rules: Rules) -> None:
    """Refuse rankings of too few items."""
    short = ranked.n_retrieved < (rules.min_items or 0)
    if short.any():
        number = int(short.argmax())
        items = format_count(int(ranked.n_retrieved[number]), "item", "items")
        query = ranked.queries[number]
        message = (
            f"query {query!r} has a ranking of {items}, which min_items={rules.min_items} refuses."
        )
        raise AlignError(message, query=query, code="refused-size")


def label_unjudged(ranked: JudgedRankings, rules: Rules) -> JudgedRankings:
    """Return the rankings with a label for unjudged items, if the rules have one.

    Ranks without a hit become hits with that label. The judged items stay the same.
    """
    if rules.unjudged_label is None:
        return ranked
    labeled: JudgedRankings | None = ranked.memo.get("labeled")
    if labeled is None:
        labeled = ranked.memo["labeled"] = _fill_unjudged(ranked, rules.unjudged_label)
    return labeled


def has_unjudged_above(ranked: JudgedRankings, cutoff: int | None) -> BoolArray:
    """Return whether each query has an unjudged item at or above the cutoff."""
    bottom = ranked.n_retrieved if cutoff is None else np.minimum(ranked.n_retrieved, cutoff)
    judged = ranked.total(ranked.hit_rank <= bottom[ranked.hit_query])
    return np.less(judged, bottom)


def _check_labels(ranked: JudgedRankings, rules: Rules) -> None:
    label = ranked.pool_label
    if rules.label_type == "whole":
        _refuse(ranked, np.trunc(label) != label, "label_type=whole")
    if rules.label_type == "float32":
        _refuse(ranked, np.abs(label) > np.finfo(np.float32).max, "label_type=float32")
    if rules.max_label is not None:
        _refuse(ranked, label > rules.max_label, f"max_label={rules.max_label:g}")


def _refuse(ranked: JudgedRankings, wrong: BoolArray, rule: str) -> None:
    if wrong.any():
        place = int(wrong.argmax())
        query = ranked.queries[ranked.pool_query[place]]
        message = (
            f"query {query!r} has the label {ranked.pool_label[place]:g}, which {rule} refuses."
        )
        raise AlignError(message, query=query, code="refused-label")


def _drop_padding(ranked: JudgedRankings, rules: Rules) -> JudgedRankings:
    """Remove judged items that are padding; items below them move up."""
    is_out, is_dropped = is_padding(ranked.hit_label, rules), is_padding(ranked.pool_label, rules)
    kept_hits, kept_pool = np.flatnonzero(~is_out), np.flatnonzero(~is_dropped)
    start, block = ragged.group_equal(ranked.hit_query, ranked.hit_tie_first)
    n_dropped = np.bincount(block, weights=is_out, minlength=len(start)).astype(np.int64)
    # How many are removed from the first hit of the query to each hit, and above its block.
    n_out = ragged.accumulate_counts(is_out, ranked.hit_offsets)
    n_above = (n_out - is_out)[start][block]
    first, size = ranked.hit_tie_first - n_above, ranked.hit_tie_size - n_dropped[block]
    rank = first + (size - 1) // 2 if ranked.shared_ranks else ranked.hit_rank - n_out
    return replace(
        ranked,
        n_retrieved=ranked.n_retrieved - ranked.total(is_out).astype(np.int64),
        hit_offsets=ragged.offsets_from_owners(ranked.hit_query[kept_hits], ranked.n_queries),
        hit_rank=rank[kept_hits],
        hit_label=ranked.hit_label[kept_hits],
        hit_tie_first=first[kept_hits],
        hit_tie_size=size[kept_hits],
        pool_offsets=ragged.offsets_from_owners(ranked.pool_query[kept_pool], ranked.n_queries),
        pool_label=ranked.pool_label[kept_pool],
        read_given_labels=None
        if ranked.read_given_labels is None
        else partial(_drop_padding_labels, ranked.read_given_labels, rules),
    )


def _drop_padding_labels(read_labels: Callable[[], FloatArray], rules: Rules) -> FloatArray:
    label = read_labels()
    return label[~is_padding(label, rules)]


def _convert_given(ranked: JudgedRankings, rules: Rules) -> FloatArray:
    return convert_labels(ranked.pool_given, rules)


def _fill_unjudged(ranked: JudgedRankings, label: float) -> JudgedRankings:
    """Return the rankings with a hit of that label on every rank without a hit."""
    last = ranked.hit_tie_first + ranked.hit_tie_size - 1
    depth = ranked.n_retrieved.copy()
    if ranked.average_ties:  # a tie that the depth cuts is averaged as a whole
        np.maximum.at(depth, ranked.hit_query, last)
    rank, offsets = ragged.expand_spans(np.ones_like(depth), depth)
    labels = np.full(len(rank), float(label))
    labels[offsets[ranked.hit_query] + ranked.hit_rank - 1] = ranked.hit_label
    first, size = _find_tie_blocks(ranked, rank, offsets)
    return replace(
        ranked,
        hit_offsets=offsets,
        hit_rank=rank,
        hit_label=labels,
        hit_tie_first=first,
        hit_tie_size=size,
        has_distinct_hits=False,
    )


def _find_tie_blocks(
    ranked: JudgedRankings, rank: IntArray, offsets: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the first rank and the size of the tie block of each rank, judged or not."""
    first, size = rank.copy(), np.ones_like(rank)
    start, _ = ragged.group_equal(ranked.hit_query, ranked.hit_tie_first)
    query, tie_first, sizes = (
        values[start] for values in (ranked.hit_query, ranked.hit_tie_first, ranked.hit_tie_size)
    )
    begin = offsets[query] + tie_first - 1
    reached = np.minimum(sizes, offsets[query + 1] - begin)
    tied, _ = ragged.expand_spans(begin, reached)
    first[tied], size[tied] = np.repeat(tie_first, reached), np.repeat(sizes, reached)
    return first, size
