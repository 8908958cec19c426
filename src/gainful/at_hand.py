"""JudgedRankings from what is at hand: labels in order, labels with scores, ids."""

from collections.abc import Callable, Collection, Hashable, Mapping, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from gainful import _native
from gainful.align import align, align_arrays
from gainful.errors import RuleError, SourceError
from gainful.ragged import ENDLESS, FloatArray, owners
from gainful.rankings import JudgedRankings, Reach
from gainful.rules import Rules
from gainful.sources import Columns, arrays, read_qrels, read_run
from gainful.wording import as_written, count

Relevant = Mapping[Any, Any] | Collection[Any]

INPUTS = ("relevant", "labels", "group_sizes", "query_ids", "list_size")
RULES = ("ties", "empty", "precision", "duplicates")
Part = Callable[[], JudgedRankings]

_WITHOUT_IDS = ("input", "input-reversed", "average", "best", "worst", "middle")
_PART = 1 << 18  # items
_SHALLOW_PART = 1 << 20  # items of which only the first ranks are kept


def rankings_at_hand(
    ranking: Any,
    scores: Any,
    take: Mapping[str, Any],
    rule: Mapping[str, Any],
    *,
    spoken: Rules | None = None,
    reach: Reach | None = None,
) -> tuple[list[Part], bool, Rules]:
    """The rankings in parts, whether a single one was given, and the rules that hold.

    A part is a function that ranks it when it is called: parts of a million items may be ranked
    one by one, which takes less memory, or on several threads.

    Args:
        ranking: Labels or item ids, one list or many.
        scores: What orders them; None if they are in order.
        take: The ``INPUTS`` that were given.
        rule: The ``RULES`` that were given.
        spoken: The rules of the dialect, if one was named; those that were given win.
        reach: How far rankings matter, None if they do to the end.
    """
    rules, refused = _rules(scores is not None, take, rule, spoken)
    given = arrays.flatten(ranking)
    if scores is not None:
        scores = _scores(scores, given)
    flat, regrouped = arrays.regroup(given, take.get("group_sizes"), take.get("query_ids"))
    if "relevant" in take:
        # Who has no items keeps its place among the rankings.
        kept = replace(rules, missing="zero")
        parts: list[Part] = [partial(_ranked_ids, flat, regrouped, scores, take, kept)]
    else:
        parts = _labels_in_parts(flat, regrouped, scores, take.get("labels"), rules, reach)
    if refused is not None:
        parts = [partial(_untied, part, refused) for part in parts]
    return [partial(_padded, part, rules) for part in parts], flat.single, rules


def _untied(part: Part, ties: str) -> JudgedRankings:
    """Refuse ties that only item ids could order."""
    ranked = part()
    if ranked.has_ties:
        message = (
            f"ties: the dialect has {ties}, and there are no item ids to order equal scores by. "
            "Pass relevant=... and ids for the ranking, or another ties=..., for example average."
        )
        raise RuleError(message, code="ties-need-ids")
    return ranked


def _padded(part: Part, rules: Rules) -> JudgedRankings:
    """Shorter rankings are padded to ``list_size``, by saying that they are longer."""
    ranked = part()
    if rules.depth is None:
        return ranked
    return replace(ranked, n_retrieved=np.full(ranked.n_queries, min(rules.depth, ENDLESS)))


def _rules(
    with_scores: bool, take: Mapping[str, Any], rule: Mapping[str, Any], spoken: Rules | None
) -> tuple[Rules, str | None]:
    """The rules that hold, and the ``ties`` of a dialect that cannot, since there are no ids."""
    size, with_ids = take.get("list_size"), "relevant" in take
    if size is not None and (not isinstance(size, int | np.integer) or size < 1):
        message = f"list_size: must be an integer >= 1, got {size!r}."
        raise SourceError(message, code="bad-argument")
    default: dict[str, Any] = {
        "ties": "average" if with_scores and not with_ids else "item-desc",
        "order": "score" if with_scores else "file",
        "depth": size,
    }
    own = {} if spoken is None else spoken.to_dict()
    held = {name: value for name, value in own.items() if name not in ("order", "depth")}
    rules, refused = Rules(**{**default, **held, **rule}), None
    if with_scores and not with_ids and rules.ties not in _WITHOUT_IDS:
        if "ties" in rule:
            raise _needing_ids(rules.ties)
        rules, refused = replace(rules, ties="average"), rules.ties
    # One value for every ranking, so that places stay: what would be skipped is NaN.
    return replace(rules, empty="nan") if rules.empty == "skip" else rules, refused


def _needing_ids(ties: str) -> RuleError:
    known = ", ".join(_WITHOUT_IDS)
    return RuleError(
        f"ties: must be one of {known} where there are no item ids, got {ties!r}.",
        code="ties-need-ids",
    )


def _labels_in_parts(
    flat: arrays.Flat, regrouped: Any, scores: Any, words: Any, rules: Rules, reach: Reach | None
) -> list[Part]:
    labels = arrays.converted(
        flat.values if words is None else arrays.worded(flat.values, words), "labels"
    )
    if reach is not None and reach.listed and rules.depth is not None:
        reach = None  # only the whole list tells what was listed
    if reach is not None and reach.blocks == ENDLESS and rules.ties == "average":
        reach = None
    given = {"labels": labels} if scores is None else {"labels": labels, "scores": scores}
    if regrouped is not None:
        labels = labels[regrouped]
        scores = None if scores is None else scores[regrouped]

    def ranked(begin: int, end: int) -> JudgedRankings:
        offsets = flat.offsets[begin : end + 1]
        part = slice(offsets[0], offsets[-1])
        own = labels[part], None if scores is None else scores[part], offsets - offsets[0]
        try:
            return _as_far_as(reach, own[0], partial(align_arrays, *own, rules, first=begin))
        except _native.BadInput:
            # Looked for only now: to look through all of them takes longer than to rank them.
            for name, array in given.items():
                arrays.checked(array, name)
            raise

    n_rankings = len(flat.offsets) - 1
    size = _PART if reach is None or reach.blocks else _SHALLOW_PART
    cuts = np.searchsorted(flat.offsets, np.arange(0, flat.offsets[-1], size)[1:])
    bounds = np.unique([0, *cuts, n_rankings]).tolist() if n_rankings else [0, 0]
    return [partial(ranked, begin, end) for begin, end in pairwise(bounds)]


def _as_far_as(
    reach: Reach | None, labels: FloatArray, ranked: Callable[..., JudgedRankings]
) -> JudgedRankings:
    """The rankings without what stands below a reach; whole where that would be missed."""
    if reach is None or (reach.unsigned and labels.min(initial=0.0) < 0):
        return ranked()
    found = ranked(reach=reach.rank)
    return found if reach.shown(found) else ranked()


def _ranked_ids(
    flat: arrays.Flat, regrouped: Any, scores: Any, take: Mapping[str, Any], rules: Rules
) -> JudgedRankings:
    ids = list(flat.values)
    if scores is not None:
        arrays.checked(scores, "scores")
    if regrouped is not None:
        ids = [ids[i] for i in regrouped]
        scores = None if scores is None else scores[regrouped]
    n_rankings = len(flat.offsets) - 1
    run: Any = {q: ids[a:b] for q, (a, b) in enumerate(pairwise(flat.offsets.tolist()))}
    if scores is not None and len(ids):
        run = Columns(query=owners(flat.offsets).tolist(), item=ids, score=scores)
    relevant = _relevant(take["relevant"], take.get("labels"), flat.single, n_rankings)
    judgments = read_qrels(dict(enumerate(relevant)), duplicates=rules.duplicates)
    return align(judgments, read_run(run, name="ranking"), rules)[0]


def _relevant(
    relevant: Relevant, words: Mapping[Any, float] | None, single: bool, n_rankings: int
) -> list[dict[Any, float]]:
    if hasattr(relevant, "keys") and hasattr(relevant, "items"):  # a pandas Series is a mapping
        relevant = dict(relevant.items())
    if single or isinstance(relevant, Mapping | Set):
        each: list[Any] = [relevant] * n_rankings
    else:
        each = list(relevant)
    if len(each) != n_rankings:
        message = f"relevant: must be one for each of {n_rankings} rankings, got {len(each)}."
        raise SourceError(message, code="unequal-lengths")
    return [_labelled(one, words) for one in each]


def _labelled(relevant: Relevant, words: Mapping[Any, float] | None) -> dict[Any, float]:
    if isinstance(relevant, str | bytes) or not isinstance(relevant, Collection):
        message = (
            f"relevant: must hold ids, as in {{'d1': 2}} or {{'d1'}}, got {as_written(relevant)}."
        )
        raise SourceError(message, code="wrong-type")
    if not isinstance(relevant, Mapping) and words is not None:
        message = (
            f"labels: must map the labels of relevant items, got no labels: {as_written(relevant)}."
        )
        raise SourceError(message, code="bad-labels")
    if not isinstance(relevant, Mapping):
        unhashable = next((item for item in relevant if not isinstance(item, Hashable)), None)
        if unhashable is not None:
            message = f"relevant: must hold ids, got {as_written(unhashable)} among them."
            raise SourceError(message, code="bad-id")
        return dict.fromkeys(relevant, 1.0)
    values = relevant.values() if words is None else arrays.worded(list(relevant.values()), words)
    return dict(zip(relevant, values, strict=True))


def _scores(scores: Any, flat: arrays.Flat) -> FloatArray:
    given = arrays.flatten(scores, "scores")
    if given.single != flat.single or not np.array_equal(given.offsets, flat.offsets):
        message = (
            f"scores: must have the shape of the ranking, {_shape(flat)}, got {_shape(given)}."
        )
        raise SourceError(message, code="unequal-lengths")
    return arrays.converted(given.values, "scores")


def _shape(flat: arrays.Flat) -> str:
    sizes = np.diff(flat.offsets).tolist()
    if flat.single:
        return f"one list of {sizes[0]}"
    if len(set(sizes)) == 1:
        return f"{count(len(sizes), 'list', 'lists')} of {sizes[0]}"
    return f"lists of {', '.join(map(str, sizes[:8]))}{', ...' if len(sizes) > 8 else ''}"
