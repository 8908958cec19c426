"""What the rules about labels, padding and unjudged items make of rankings that are aligned."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from gainful.alignment.rankings import JudgedRankings
from gainful.alignment.rules import Rules
from gainful.base import BoolArray, FloatArray, IntArray, count, ragged
from gainful.errors import AlignError


def apply_label_rules(ranked: JudgedRankings, rules: Rules) -> JudgedRankings:
    """The rankings under the rules about labels and padding; an error where they refuse a label.

    Labels are refused as they were given, padding is told by its own labels, and what is too low
    to count becomes 0 last.
    """
    if not rules.reads_labels:
        return ranked
    _check_labels(ranked, rules)
    if rules.padding is not None:
        ranked = _drop_padding(ranked, rules)
    pool = ragged.descending(convert_labels(ranked.pool_label, rules), ranked.pool_query)
    return replace(
        ranked,
        hit_label=convert_labels(ranked.hit_label, rules),
        pool_label=pool,
        given=None if ranked.given is None else partial(_convert_given, ranked, rules),
    )


def convert_labels(label: FloatArray, rules: Rules) -> FloatArray:
    """The labels in the precision, and above the least, that the rules say.

    >>> convert_labels(np.array([2.7, 0.5]), Rules(label_type="truncated")).tolist()
    [2.0, 0.0]
    >>> convert_labels(np.array([2.0, 1.0]), Rules(min_label=2)).tolist()
    [2.0, 0.0]
    """
    if rules.label_type == "truncated":
        label = np.trunc(label) + 0.0
    if rules.label_type == "float32":
        label = ragged.single(label)
    return label if rules.min_label is None else np.where(label < rules.min_label, 0.0, label)


def convert_judgments(labels: Mapping[str, float], rules: Rules) -> dict[str, float]:
    """The labels of the items of a query, as ``ruled_labels`` has them.

    >>> convert_judgments({"a": 2.7}, Rules(label_type="truncated"))
    {'a': 2.0}
    """
    held = convert_labels(np.array([*labels.values()], dtype=np.float64), rules)
    return dict(zip(labels, held.tolist(), strict=True))


def is_padding(label: FloatArray, rules: Rules) -> BoolArray:
    """Which labels, as they were given, are those of padding.

    >>> is_padding(np.array([-2.0, -1.0, 0.0]), Rules(padding="minus-one")).tolist()
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
        items = count(int(ranked.n_retrieved[number]), "item", "items")
        query = ranked.queries[number]
        message = (
            f"query {query!r} has a ranking of {items}, which min_items={rules.min_items} refuses."
        )
        raise AlignError(message, query=query, code="refused-size")


def label_unjudged(ranked: JudgedRankings, rules: Rules) -> JudgedRankings:
    """The rankings as measures see them: with a label for unjudged items, if the rules have one.

    Ranks without a hit become hits of that label. What was there to be found stays as it is.
    """
    if rules.unjudged_label is None:
        return ranked
    known: JudgedRankings | None = ranked.memo.get("labelled")
    if known is None:
        known = ranked.memo["labelled"] = _filled(ranked, rules.unjudged_label)
    return known


def has_unjudged_above(ranked: JudgedRankings, cutoff: int | None) -> BoolArray:
    """Whether a query has an unjudged item among the ranks down to the cutoff."""
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
    """The rankings without the judged items that are padding: what stands below them moves up."""
    out, gone = is_padding(ranked.hit_label, rules), is_padding(ranked.pool_label, rules)
    stay, left = np.flatnonzero(~out), np.flatnonzero(~gone)
    start, block = ragged.blocks(ranked.hit_query, ranked.hit_tie_first)
    of_block = np.bincount(block, weights=out, minlength=len(start)).astype(np.int64)
    # How many were taken out from the first hit of the query to each hit, and above its block.
    so_far = ragged.counts(out, ranked.hit_offsets)
    above = (so_far - out)[start][block]
    first, size = ranked.hit_tie_first - above, ranked.hit_tie_size - of_block[block]
    rank = first + (size - 1) // 2 if ranked.shared_ranks else ranked.hit_rank - so_far
    return replace(
        ranked,
        n_retrieved=ranked.n_retrieved - ranked.total(out).astype(np.int64),
        hit_offsets=_offsets(ranked.hit_query[stay], ranked.n_queries),
        hit_rank=rank[stay],
        hit_label=ranked.hit_label[stay],
        hit_tie_first=first[stay],
        hit_tie_size=size[stay],
        pool_offsets=_offsets(ranked.pool_query[left], ranked.n_queries),
        pool_label=ranked.pool_label[left],
        given=None if ranked.given is None else partial(_unpadded, ranked.given, rules),
    )


def _unpadded(given: Callable[[], FloatArray], rules: Rules) -> FloatArray:
    label = given()
    return label[~is_padding(label, rules)]


def _convert_given(ranked: JudgedRankings, rules: Rules) -> FloatArray:
    return convert_labels(ranked.pool_given, rules)


def _offsets(owner: IntArray, n_queries: int) -> IntArray:
    return np.searchsorted(owner, np.arange(n_queries + 1))


def _filled(ranked: JudgedRankings, label: float) -> JudgedRankings:
    """The rankings with a hit of that label on every rank that has none."""
    last = ranked.hit_tie_first + ranked.hit_tie_size - 1
    depth = ranked.n_retrieved.copy()
    if ranked.average_ties:  # a tie that the depth cuts is averaged as a whole
        np.maximum.at(depth, ranked.hit_query, last)
    rank, offsets = ragged.spans(np.ones_like(depth), depth)
    labels = np.full(len(rank), float(label))
    labels[offsets[ranked.hit_query] + ranked.hit_rank - 1] = ranked.hit_label
    first, size = _tie_blocks(ranked, rank, offsets)
    return replace(
        ranked,
        hit_offsets=offsets,
        hit_rank=rank,
        hit_label=labels,
        hit_tie_first=first,
        hit_tie_size=size,
        one_each=False,
    )


def _tie_blocks(
    ranked: JudgedRankings, rank: IntArray, offsets: IntArray
) -> tuple[IntArray, IntArray]:
    """The block that each rank stands in, whether it is judged or not: its first, and its size."""
    first, size = rank.copy(), np.ones_like(rank)
    start, _ = ragged.blocks(ranked.hit_query, ranked.hit_tie_first)
    query, tie_first, sizes = (
        each[start] for each in (ranked.hit_query, ranked.hit_tie_first, ranked.hit_tie_size)
    )
    begin = offsets[query] + tie_first - 1
    reached = np.minimum(sizes, offsets[query + 1] - begin)
    tied, _ = ragged.spans(begin, reached)
    first[tied], size[tied] = np.repeat(tie_first, reached), np.repeat(sizes, reached)
    return first, size
