"""explain(): why a ranking scored what it scored, position by position."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import (
    Joined,
    JudgedRankings,
    RankedItem,
    Rules,
    check_query,
    convert_judgments,
    list_ranked_items,
)
from gainful.base import (
    FloatArray,
    IntArray,
    Progress,
    Result,
    check_choice,
    format_count,
    format_setting,
    import_package,
    load_report,
)
from gainful.diagnostics import Notice, diagnose_query
from gainful.errors import MeasureError, OutputError
from gainful.evaluation.arguments import name_dialect_in_errors
from gainful.evaluation.collection import Collection, Qrels, open_collection
from gainful.evaluation.partition import score_queries
from gainful.measures import Formula, Measure
from gainful.sources import (
    ItemData,
    Run,
    Source,
)

if TYPE_CHECKING:
    from altair.typing import ChartType


class Position(NamedTuple):
    """One rank of the ranking: the item on it and what it adds.

    ``discount`` is the weight of the rank: 1 / log2(rank + 1) by default, 0 below the cutoff, and
    the mean weight of the block where ties are averaged. ``label`` is None for an unjudged item.
    """

    rank: int
    item: str
    score: float
    label: float | None
    gain: float
    discount: float
    product: float
    running: float
    tied_with: int


class Ideal(NamedTuple):
    """One rank of the best possible ranking, and where the run has that item (None: nowhere)."""

    rank: int
    item: str
    label: float
    gain: float
    product: float
    running: float
    found_at: int | None


class Missed(NamedTuple):
    """A relevant item that the counted ranks lack, and what that cost.

    ``cost`` is what the item adds to the best possible ranking, in units of the measure;
    ``found_at`` is its rank below the cutoff, None if it was not retrieved at all.
    """

    item: str
    label: float
    ideal_rank: int
    found_at: int | None
    cost: float


class Swap(NamedTuple):
    """The exchange of two retrieved items that helps most."""

    item: str
    other: str
    from_rank: int
    to_rank: int
    gains: float

    def __str__(self) -> str:
        return (
            f"moving {self.item} from rank {self.from_rank} to rank {self.to_rank}, "
            f"in exchange for {self.other}, gains +{self.gains:.4f}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """One value and the parts it is made of.

    Attributes:
        run: The name of the run.
        query: The id of the query.
        measure: The measure that is explained.
        value: Its value for this query.
        total: The sum of the products: the DCG, for nDCG.
        best: The same sum for the best possible ranking: the IDCG, for nDCG.
        positions: The ranking, down to the cutoff.
        ideal: The best possible ranking beside it, as far as it gains anything.
        missed: Relevant items that the counted ranks lack, the dearest first.
        swap: The best single exchange, or None where none helps.
        reading: The explanation in one plain sentence.
        rules: The rules under which it holds.
        notices: What a reader should know.
        titles: What the items that are shown are called, by id, where that is known.
        urls: Where they are found, by id, where that is known.
    """

    run: str
    query: str
    measure: Measure
    value: float
    total: float
    best: float
    positions: tuple[Position, ...]
    ideal: tuple[Ideal, ...]
    missed: tuple[Missed, ...]
    swap: Swap | None
    reading: str
    rules: Rules
    notices: tuple[Notice, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    urls: Mapping[str, str] = field(default_factory=dict)

    _view = "view_explanation"

    @property
    def items(self) -> tuple[str, ...]:
        """The items that are shown, each once: ranked, in the ideal, or missed."""
        ranked, ideal, missed = (
            [place.item for place in places] for places in (self.positions, self.ideal, self.missed)
        )
        return tuple(dict.fromkeys([*ranked, *ideal, *missed]))

    def _describe_item(self, item: str) -> dict[str, str | None]:
        """Return the title and url of an item; nothing if no item has either."""
        if not (self.titles or self.urls):
            return {}
        return {"title": self.titles.get(item), "url": self.urls.get(item)}

    def plot(self, *, kind: str = "contributions") -> "ChartType":
        """Draw what every rank adds, beside the best possible ranking, as an Altair chart.

        The kind is ``"contributions"``, a bar made of ranks, or ``"gains"``, lines of what was
        gained up to each rank. It takes ``gainful[report]``.

        >>> import gainful
        >>> why = gainful.explain({"q1": {"d1": 1}}, {"q1": ["d1"]}, "q1")
        >>> [row["run"] for row in why.plot().to_dict()["data"]["values"]]
        ['run', 'ideal']
        """
        check_choice("plot: kind", kind, ("contributions", "gains"), OutputError)
        import_package("altair", "Explanation.plot", install="'gainful[report]'")
        report = load_report()
        draw = report.plot_gains if kind == "gains" else report.plot_contributions
        # What cannot be printed ends the process that draws it.
        return draw(report.make_printable(self.run), self.positions, self.ideal)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole explanation as plain values."""
        return {
            "run": self.run,
            "query": self.query,
            "measure": str(self.measure),
            "value": self.value if self.value == self.value else None,
            "total": self.total,
            "best": self.best,
            "reading": self.reading,
            "positions": [
                p._asdict()
                | {"score": p.score if math.isfinite(p.score) else None}
                | self._describe_item(p.item)
                for p in self.positions
            ],
            "ideal": [ideal._asdict() | self._describe_item(ideal.item) for ideal in self.ideal],
            "missed": [
                missed._asdict() | self._describe_item(missed.item) for missed in self.missed
            ],
            "swap": self.swap._asdict() if self.swap else None,
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }


def explain(
    qrels: Qrels | Collection,
    run: Source | Run | None,
    query: str,
    measure: str | Measure = "nDCG@10",
    *,
    items: object = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Explain why a run scored what it scored on one query.

    Args:
        qrels: As for ``evaluate``.
        run: As for ``evaluate``; None for the only run of a collection.
        query: The id of the query.
        measure: A measure of the cumulative-gain family that has a formula to show.
        items: What items are called and where they are found: a table with an item column and a
            title or a url, as ``read_items`` takes.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The ranking and the ideal ranking position by position, the missed items, the best swap,
        and a sentence.

    Raises:
        MeasureError: There is not exactly one measure, or it has no formula to show.
        AlignError: The query is not judged, or qrels and run share no query.
        SourceError: The qrels, the run or the items cannot be read.

    >>> why = explain({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, "q1")
    >>> why.reading
    'nDCG@10 is 0.8597: 2 of 2 relevant items are among the first 10; the largest loss is d1 \
(label 2), at rank 2 where the ideal has it at 1.'
    >>> print(why.swap)
    moving d1 from rank 2 to rank 1, in exchange for d2, gains +0.1403.
    """
    with open_collection(
        qrels,
        None if run is None else [run],
        items=items,
        rules=rules,
        threads=threads,
        progress=progress,
    ) as collection:
        label, resolved = _resolve_measure(collection, measure)
        texts = None if collection.items is None else collection.read_items(("title", "url"))
        judgments = collection.read_judgments(measure=str(label))
        check_query(str(query), judgments, collection.rules)
        joined = collection.join(collection.require_one_run("explain"), query=str(query))
        with name_dialect_in_errors(collection.dialect):
            explanation = _explain_query(label, resolved, joined, str(query))
    return explanation if texts is None else _add_titles(explanation, texts)


def _resolve_measure(collection: Collection, measure: str | Measure) -> tuple[Measure, Measure]:
    """Return the one measure that is named, and its definition, which has terms to show."""
    (label, resolved), *more = collection.resolve(measure).items()
    if more:
        message = f"explain takes one measure, got {measure!r}."
        raise MeasureError(message, code="one-measure")
    if resolved.formula is None:
        message = f"{label.name}: has no terms to show, got {label}. Explain nDCG or DCG instead."
        raise MeasureError(message, code="unfit-measure")
    if resolved.formula(**resolved.all_settings).rounding != "none":
        message = (
            f"{resolved}: has rounded terms, which do not add up. Explain rounding=none instead."
        )
        raise MeasureError(message, code="unfit-measure")
    return label, resolved


def _explain_query(label: Measure, resolved: Measure, joined: Joined, query: str) -> Explanation:
    assert resolved.formula is not None
    formula = resolved.formula(**resolved.all_settings)
    judgments, rules = joined.judgments, joined.rules
    ranked = joined.ranked.select(np.array([judgments.queries.index(query)]))
    notices, places = diagnose_query(joined, ranked), list_ranked_items(joined)
    positions = _build_positions(formula, ranked, places)
    scored_positions = tuple(position for position in positions if position.discount > 0)
    labels = convert_judgments(judgments.labels(query), rules)
    relevant = [
        i for i, g in zip(labels, formula.gains(np.array([*labels.values()])), strict=True) if g > 0
    ]
    ideal = _build_ideal(formula, ranked, places, labels)
    gainful_ideal = [place for place in ideal if place.gain > 0]
    value, best = (
        float(score_queries(resolved, ranked, rules)[0]),
        float(formula.ideal_dcg(ranked)[0]),
    )
    unit = best if formula.normalized and best else 1.0
    return Explanation(
        run=joined.run.name,
        query=query,
        measure=label,
        value=value,
        total=float(formula.dcg(ranked)[0]),
        best=best,
        positions=scored_positions,
        ideal=_cut_ideal(formula, ranked, ideal),
        missed=_find_missed(scored_positions, gainful_ideal, unit),
        swap=_find_best_swap(formula, ranked, positions, best),
        reading=_write_reading(label, value, scored_positions, gainful_ideal, relevant),
        rules=rules,
        notices=tuple(notices),
    )


def _add_titles(explanation: Explanation, data: ItemData) -> Explanation:
    """Return the explanation with the titles and urls of the items that it shows."""
    from gainful.diagnostics import UntitledItems

    titles, urls = (
        {item: texts[item] for item in explanation.items if item in texts}
        for texts in (data.titles or {}, data.urls or {})
    )
    untitled = tuple(item for item in explanation.items if item not in titles and item not in urls)
    notices = (UntitledItems(data.name, untitled, len(explanation.items)),) if untitled else ()
    return replace(explanation, titles=titles, urls=urls, notices=(*explanation.notices, *notices))


def _build_positions(
    formula: Formula, ranked: JudgedRankings, items: list[RankedItem]
) -> tuple[Position, ...]:
    rank = np.arange(1, len(items) + 1)
    judged = np.array([item.label is not None for item in items], dtype=np.bool_)
    gain, product = np.zeros(len(rank)), np.zeros(len(rank))
    gain[judged] = formula.gains(np.array([p.label for p in items if p.label is not None]))
    product[ranked.hit_rank - 1] = formula.terms(ranked)
    weight, running = _compute_weights(formula, ranked, items), np.cumsum(product)
    return tuple(
        Position(
            rank=i + 1,
            item=item.item,
            score=item.score,
            label=item.label,
            gain=float(gain[i]),
            discount=float(weight[i]),
            product=float(product[i]),
            running=float(running[i]),
            tied_with=item.tie_size - 1,
        )
        for i, item in enumerate(items)
    )


def _compute_weights(
    formula: Formula, ranked: JudgedRankings, items: list[RankedItem]
) -> FloatArray:
    bottom, rank = int(formula.bottom(ranked)[0]), np.arange(1, len(items) + 1)
    weight = (rank <= bottom) / formula.discount.divisors(len(rank))[rank]
    if ranked.average_ties and len(rank):
        first, size = (np.array(column) for column in list(zip(*items, strict=True))[3:])
        block = formula.discount.weights(first, np.minimum(first + size - 1, bottom)) / size
        weight = np.where(size > 1, block, weight)
    return weight


def _build_ideal(
    formula: Formula,
    ranked: JudgedRankings,
    ranked_items: list[RankedItem],
    labels: dict[str, float],
) -> list[Ideal]:
    """Return the items of the perfect ranking in order; equals keep the order of the run."""
    rank_of = {ranked_item.item: i + 1 for i, ranked_item in enumerate(ranked_items)}
    members = _list_ideal_items(formula, ranked, ranked_items, labels)
    if formula.ideal_order != "given":
        by_label = formula.ideal_order == "label"

        def order(member: tuple[str, float, float]) -> tuple[float, bool, float, str]:
            item, label, gain = member
            high = label if by_label else gain
            return -high, item not in labels, rank_of.get(item, np.inf), item

        members.sort(key=order)
    depth, running, ideal = int(formula.ideal_bottom(ranked)[0]), 0.0, []
    divisor = formula.discount.divisors(len(members))
    for rank, (item, label, gain) in enumerate(members, start=1):
        product = gain / float(divisor[rank]) if rank <= depth else 0.0
        running += product
        ideal.append(Ideal(rank, item, label, gain, product, running, rank_of.get(item)))
    return ideal


def _list_ideal_items(
    formula: Formula,
    ranked: JudgedRankings,
    ranked_items: list[RankedItem],
    labels: dict[str, float],
) -> list[tuple[str, float, float]]:
    """Return the items of the perfect ranking, each with its label and its gain.

    In the best order they are those that gain anything; in another, unjudged ones too.
    """
    listed = [ranked_item.item for ranked_item in ranked_items[: int(ranked.n_retrieved[0])]]
    items = {"ones": [], "list": listed}.get(formula.ideal, list(labels))
    judged = [item for item in items if item in labels]
    gains = formula.gains(np.array([labels[item] for item in judged]))
    gain_of = dict(zip(judged, gains.tolist(), strict=True))
    members = [(item, labels.get(item, 0.0), gain_of.get(item, 0.0)) for item in items]
    return members if formula.ideal_order != "best" else [m for m in members if m[2] > 0]


def _cut_ideal(formula: Formula, ranked: JudgedRankings, ideal: list[Ideal]) -> tuple[Ideal, ...]:
    """Return the ranks of the ideal that count; in the best order, those that gain anything."""
    if formula.ideal_order == "best":
        return tuple(place for place in ideal if place.product > 0)
    return tuple(ideal[: int(formula.ideal_bottom(ranked)[0])])


def _find_missed(
    positions: tuple[Position, ...], ideal: list[Ideal], unit: float
) -> tuple[Missed, ...]:
    retrieved = {position.item for position in positions}
    return tuple(
        Missed(
            ideal_item.item,
            ideal_item.label,
            ideal_item.rank,
            ideal_item.found_at,
            ideal_item.product / unit,
        )
        for ideal_item in ideal
        if ideal_item.item not in retrieved
    )


def _find_best_swap(
    formula: Formula, ranked: JudgedRankings, positions: tuple[Position, ...], best_total: float
) -> Swap | None:
    retrieved = int(ranked.n_retrieved[0])
    positions = tuple(p for p in positions if p.rank <= retrieved or p.discount > 0)
    if not positions or (formula.normalized and not best_total):
        return None
    unit = best_total if formula.normalized else 1.0
    gain = np.array([position.gain for position in positions])
    weight = np.array([position.discount for position in positions])
    # Within a gain, the lowest item moves best, and the highest position is the best goal.
    movers, goals = _find_first_per_gain(gain, weight), _find_first_per_gain(gain, -weight)
    best, swap = 0.0, None
    for mover in movers:
        # Seen from the side of the better item, which is the one that moves up.
        better = np.maximum(gain[mover] - gain[goals], 0.0)
        helps = better * (weight[goals] - weight[mover])
        goal = goals[np.argmax(helps)]
        if helps.max() / unit > best:
            best = float(helps.max() / unit)
            up, down = positions[mover], positions[goal]
            swap = Swap(up.item, down.item, up.rank, down.rank, best)
    return swap


def _find_first_per_gain(gain: FloatArray, key: FloatArray) -> IntArray:
    """Return, for each distinct gain, the index of the item with the lowest key."""
    order = np.lexsort((key, gain))
    _, first = np.unique(gain[order], return_index=True)
    return order[first]


def _write_reading(
    measure: Measure,
    value: float,
    positions: tuple[Position, ...],
    ideal: list[Ideal],
    relevant: list[str],
) -> str:
    cutoff = dict(measure.settings).get("cutoff")
    scope = "retrieved" if cutoff is None else f"among the first {cutoff}"
    start = f"{measure} is {value:.4f}"
    if not relevant:
        return f"{start}: nothing is relevant for this query, so there is nothing to gain."
    if not positions:
        relevant_items = format_count(len(relevant), "item is", "items are")
        return f"{start}: the ranking is empty, and {relevant_items} relevant."
    products = {position.item: position.product for position in positions}
    n_found = sum(item in products for item in relevant)
    relevant_items = format_count(len(relevant), "relevant item is", "relevant items are")
    sentence = f"{start}: {n_found} of {relevant_items}"
    return f"{sentence} {scope}{_describe_largest_loss(positions, ideal, products)}"


def _describe_largest_loss(
    positions: tuple[Position, ...], ideal: list[Ideal], products: dict[str, float]
) -> str:
    harmful = min(positions, key=lambda position: position.product)
    losses = [place.product - products.get(place.item, 0.0) for place in ideal]
    loss = max(losses, default=0.0)
    if -harmful.product > loss:
        label = format_setting(harmful.label)
        return (
            f"; the largest loss is {harmful.item} (label {label}), which does harm "
            f"at rank {harmful.rank}."
        )
    if not ideal:
        return "."
    if sum(losses) <= 1e-12 * sum(place.product for place in ideal):
        return ", in the best possible order."
    dearest = ideal[losses.index(loss)]
    place = "not retrieved" if dearest.found_at is None else f"at rank {dearest.found_at}"
    return (
        f"; the largest loss is {dearest.item} (label {format_setting(dearest.label)}), {place} "
        f"where the ideal has it at {dearest.rank}."
    )
