"""The rankings of every query, which explain its values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from gainful.alignment import (
    RANK_SHIFTING_RULES,
    Joined,
    JudgedRankings,
    Rules,
    convert_judgments,
    refuse_rules,
)
from gainful.base import (
    ENDLESS,
    BoolArray,
    FloatArray,
    IntArray,
    cached_property,
    ragged,
)
from gainful.diagnostics import Notice, UntitledItems
from gainful.evaluation import score_queries
from gainful.measures import Formula, Measure, nDCG
from gainful.report.html.model import Detail, Details, Terms
from gainful.sources import ItemData, Judgments

_MOST_PLACES = 2_000_000  # places of all runs and queries
_LEAST = 50
_ENDLESS = 100  # ranks that are held where all of them count


@dataclass(frozen=True, eq=False)
class RankingHeads:
    """The first items of every query of one run.

    Attributes:
        ranked: The ranks of the judged items.
        offsets: The first item of each query; one more than there are queries.
        item: The number of each item in ``ids``, in rank order.
        ids: The ids of items.
    """

    ranked: JudgedRankings
    offsets: IntArray
    item: IntArray
    ids: Sequence[str]

    @cached_property
    def rankings(self) -> list[list[str]]:
        """The ids of every query, in rank order."""
        names = np.array(self.ids, dtype=object)[self.item].tolist()
        starts = self.offsets.tolist()
        return [names[a:b] for a, b in pairwise(starts)]

    @cached_property
    def has_averaged_ties(self) -> BoolArray:
        """True for each query with averaged ties that include a judged item."""
        ranked = self.ranked
        blocks = ranked.hit_query[ranked.hit_tie_size > 1] if ranked.average_ties else ()
        has_ties = np.zeros(ranked.n_queries, dtype=np.bool_)
        has_ties[np.asarray(blocks, dtype=np.int64)] = True
        return has_ties

    def compute_weights(self, formula: Formula) -> list[list[float]]:
        """Return the weight of every place where ties are averaged.

        Ties of unjudged items alone are ignored: they add nothing.
        """
        rank, bottom = ragged.find_positions(self.offsets), formula.bottom(self.ranked)
        counts_rank = rank <= bottom[ragged.find_owners(self.offsets)]
        weight = counts_rank / formula.discount.divisors(int(rank.max(initial=1)))[rank]
        place, of_block = self._weigh_ties(formula, bottom)
        weight[place] = of_block
        starts, weights = self.offsets.tolist(), weight.tolist()
        return [weights[a:b] for a, b in pairwise(starts)]

    def _weigh_ties(self, formula: Formula, bottom: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the held places of every tie with a judged item, and the weight of each place."""
        ranked = self.ranked
        tied_hits = np.flatnonzero(ranked.hit_tie_size > 1)
        query, first = ranked.hit_query[tied_hits], ranked.hit_tie_first[tied_hits]
        size = ranked.hit_tie_size[tied_hits]
        mean = formula.discount.weights(first, np.minimum(first + size - 1, bottom[query])) / size
        n_held = np.clip(np.diff(self.offsets)[query] - first + 1, 0, size)
        begin = self.offsets[query] + first - 1
        blocks = ragged.offsets_from_sizes(n_held)
        return np.repeat(begin, n_held) + ragged.find_positions(blocks) - 1, np.repeat(mean, n_held)


def choose_depth(cutoff: int | None, n_runs: int, n_queries: int) -> int:
    """Return how many ranks the page keeps.

    >>> choose_depth(10, 2, 300), choose_depth(1000, 2, 300), choose_depth(1000, 2, 5000)
    (50, 1000, 200)
    """
    depth = _ENDLESS if cutoff is None else max(cutoff, _LEAST)
    return max(min(depth, _MOST_PLACES // (n_runs * n_queries)), 1)


def select_heads(joined: Joined, keep: IntArray, depth: int) -> RankingHeads:
    """Return the first items of a run for some queries, given by their number in the qrels."""
    refuse_rules(
        joined.rules,
        RANK_SHIFTING_RULES,
        "has no place in a report, which shows items rank by rank",
    )
    heads = joined.list_heads(depth)
    places, offsets = ragged.take(heads.offsets, keep)
    return RankingHeads(joined.ranked.select(keep), offsets, heads.item[places], heads.ids)


_CUTOFF = 10  # of the measure that stands in for one without terms and without a cutoff


def choose_explained_measure(measures: Sequence[Measure]) -> Measure:
    """Return the first measure whose terms a page can add up, else nDCG with the first's cutoff.

    >>> from gainful.evaluation.arguments import list_measures
    >>> choose_explained_measure(list_measures(["AP", "DCG@5"]))
    DCG@5
    >>> choose_explained_measure(list_measures("P@20"))
    nDCG@20
    """
    measure_with_terms = next((measure for measure in measures if _has_plain_terms(measure)), None)
    cutoff = measures[0].all_settings.get("cutoff")
    return measure_with_terms or nDCG(cutoff=cutoff if isinstance(cutoff, int) else _CUTOFF)


def _has_plain_terms(measure: Measure) -> bool:
    if measure.formula is None:
        return False
    formula = make_formula(measure)
    return formula.ideal_order == "best" and formula.rounding == "none"


def make_formula(measure: Measure) -> Formula:
    """Return the formula of the explained measure."""
    assert measure.formula is not None
    return measure.formula(**measure.all_settings)


def make_terms(
    measure: Measure, rankings: Sequence[JudgedRankings], labels: FloatArray, depth: int
) -> Terms:
    """Return the terms of a measure for rankings that are kept down to a depth.

    Args:
        measure: The explained measure.
        rankings: The rankings of every run.
        labels: All labels that are held, each once.
        depth: The last rank that is held.
    """
    formula = make_formula(measure)
    deepest = max(int(formula.bottom(ranked).max(initial=0)) for ranked in rankings)
    has_averaged_ties = any(ranked.average_ties and ranked.has_ties for ranked in rankings)
    gains = formula.gains(labels)
    return Terms(
        measure=measure,
        cutoff=formula.cutoff,
        normalized=formula.normalized,
        capped=formula.normalized and formula.clips,
        ideal=formula.ideal,
        ideal_cutoff=None if formula.ideal_depth == "all" else formula.cutoff,
        divisors=tuple(formula.discount.divisors(depth)[1 : depth + 1].tolist()),
        gains=dict(zip(labels.tolist(), gains.tolist(), strict=True)),
        complete=deepest <= depth and not has_averaged_ties,
    )


def add_up_run(terms: Terms, detail: Detail, run: int, *, depth: int | None = None) -> float:
    """Add up a run on one query from the ranks that are held.

    It is ``Detail.totals`` if all ranks are held. The page does the same arithmetic: products in
    rank order, added one by one.

    Args:
        terms: What is added up.
        detail: The query.
        run: The number of the run.
        depth: How many ranks are looked at; all that are held if None.
    """
    ranking, gains = detail.rankings[run][:depth], terms.gains
    total = 0.0
    if detail.weights is not None:
        for number, weight in zip(ranking, detail.weights[run], strict=False):
            label = detail.labels[number]
            total += 0.0 if label is None else gains[label] * weight
        return total
    last = min(ENDLESS if terms.cutoff is None else terms.cutoff, detail.n_retrieved[run])
    for number, divisor in zip(ranking[:last], terms.divisors, strict=False):
        label = detail.labels[number]
        total += 0.0 if label is None else gains[label] / divisor
    return total


Labels = dict[str, float]


class _RunNumbers(NamedTuple):
    """The numbers of one run for every query."""

    rankings: list[list[str]]
    n_retrieved: list[int]
    totals: list[float]
    best: list[float]
    weights: list[list[float]]


def collect_details(
    judgments: Judgments,
    keep: IntArray,
    heads: Sequence[RankingHeads],
    measure: Measure,
    rules: Rules,
    depth: int,
    data: ItemData | None,
) -> Details:
    """Collect the first items of every run and query with labels, and the ideal rankings.

    Args:
        judgments: The judgments.
        keep: The queries, by their number in the qrels.
        heads: The first items of every run, on these queries.
        measure: The measure that is explained.
        rules: The rules.
        depth: How many items of each ranking are held.
        data: What items are called and where they are found.
    """
    rankings = [head.ranked for head in heads]
    labels = np.unique(np.append(rankings[0].pool_label, 0.0))
    terms = make_terms(measure, rankings, labels, depth)
    formula = make_formula(measure)
    has_averaged_ties = np.any([head.has_averaged_ties for head in heads], axis=0)
    numbers = [
        _collect_run_numbers(head, formula, with_weights=bool(has_averaged_ties.any()))
        for head in heads
    ]
    gains = terms.gains if formula.ideal == "judged" else {}
    judged: Iterator[dict[str, float]] = map(dict, map(judgments.index.judgments, keep.tolist()))
    if rules.reads_labels:
        judged = (convert_judgments(query_labels, rules) for query_labels in judged)
    details = _iterate_details(numbers, judged, gains, has_averaged_ties.tolist(), depth)
    by_query = dict(zip(rankings[0].queries, details, strict=True))
    item_ids = set(chain.from_iterable(detail.items for detail in by_query.values()))
    return Details(
        terms=terms,
        values=np.stack([score_queries(measure, ranked, rules) for ranked in rankings]),
        depth=depth,
        by_query=by_query,
        titles=_select_texts(item_ids, data.titles if data else None),
        urls=_select_texts(item_ids, data.urls if data else None),
    )


def find_untitled_items(details: Details, data: ItemData | None) -> Iterator[Notice]:
    """Yield a notice if items without title and URL are shown although items were given."""
    item_ids = dict.fromkeys(
        chain.from_iterable(detail.items for detail in details.by_query.values())
    )
    untitled = tuple(
        item for item in item_ids if item not in details.titles and item not in details.urls
    )
    if data is not None and untitled:
        yield UntitledItems(data.name, untitled, len(item_ids))


def _collect_run_numbers(
    heads: RankingHeads, formula: Formula, *, with_weights: bool
) -> _RunNumbers:
    ranked = heads.ranked
    return _RunNumbers(
        heads.rankings,
        ranked.n_retrieved.tolist(),
        formula.dcg(ranked).tolist(),
        formula.ideal_dcg(ranked).tolist(),
        heads.compute_weights(formula) if with_weights else [],
    )


def _iterate_details(
    runs: list[_RunNumbers],
    judged: Iterator[Labels],
    gains: Mapping[float, float],
    has_averaged_ties: list[bool],
    depth: int,
) -> Iterator[Detail]:
    for query, labels in enumerate(judged):
        rankings = [run.rankings[query] for run in runs]
        ideal = _make_ideal_ranking(labels, gains, rankings[0], depth)
        items = tuple(dict.fromkeys(chain(*rankings, ideal)))
        number = dict(zip(items, range(len(items)), strict=True)).__getitem__
        yield Detail(
            items=items,
            labels=tuple(map(labels.get, items)),
            rankings=tuple(tuple(map(number, ranking)) for ranking in rankings),
            n_retrieved=tuple(run.n_retrieved[query] for run in runs),
            totals=tuple(run.totals[query] for run in runs),
            weights=tuple(tuple(run.weights[query]) for run in runs)
            if has_averaged_ties[query]
            else None,
            ideal=tuple(map(number, ideal)),
            best=tuple(run.best[query] for run in runs),
        )


def _make_ideal_ranking(
    labels: Labels, gains: Mapping[float, float], ranking: list[str], depth: int
) -> list[str]:
    """Return the items with a gain in the ideal order; equal ones are in the order of a ranking."""
    gainful = [item for item, label in labels.items() if gains.get(label, 0.0) > 0]
    place = dict(zip(ranking, range(len(ranking)), strict=True))
    gainful.sort(key=lambda item: (-gains[labels[item]], place.get(item, depth), item))
    return gainful[:depth]


def _select_texts(item_ids: set[str], texts: Mapping[str, str] | None) -> dict[str, str]:
    return {item: text for item, text in (texts or {}).items() if item in item_ids}
