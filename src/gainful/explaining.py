"""explain(): why a ranking scored what it scored, position by position."""

from dataclasses import replace
from typing import Any

import numpy as np

from gainful.align import Place, align_query
from gainful.asked import as_measures, as_rules
from gainful.errors import MeasureError
from gainful.evaluate import values_of
from gainful.explanation import Explanation, Ideal, Missed, Position, Swap
from gainful.measures import Formula, Measure
from gainful.notices import Notice
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.ruled_notices import RoundedOtherwise
from gainful.ruled_rankings import ruled_judgments
from gainful.rules import Rules
from gainful.settings import text_of
from gainful.sources import (
    ItemData,
    Judgments,
    Progress,
    Reading,
    Run,
    Source,
    read_item_data,
    read_judgments,
    read_run,
)
from gainful.wording import count


def explain(
    qrels: Source | Judgments,
    run: Source | Run,
    query: str,
    measure: str | Measure = "nDCG@10",
    *,
    items: Any = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Why a run scored what it scored on one query.

    Args:
        qrels: As for ``evaluate``.
        run: As for ``evaluate``.
        query: The id of the query.
        measure: A measure of the cumulative-gain family that has a formula to show.
        items: What items are called and where they are found: a table with an item column and a
            title or a url, as ``read_items`` takes.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> why = explain({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, "q1")
    >>> why.reading
    'nDCG@10 is 0.8597: 2 of 2 relevant items are among the first 10; the largest loss is d1 \
(label 2), at rank 2 where the ideal has it at 1.'
    >>> print(why.swap)
    moving d1 from rank 2 to rank 1, in exchange for d2, gains +0.1403.
    """
    rules, (chosen, *more) = as_rules(rules), as_measures(measure)
    if more:
        message = f"explain takes one measure, got {measure!r}."
        raise MeasureError(message, code="one-measure")
    if chosen.formula is None:
        message = f"{chosen.name}: has no terms to show, got {chosen}. Explain nDCG or DCG instead."
        raise MeasureError(message, code="unfit-measure")
    described = None if items is None else read_item_data(items, {}, roles=("title", "url"))
    formula = chosen.formula(**chosen.all_settings)
    reading = Reading(threads, progress)
    judgments = read_judgments(qrels, rules, reading)
    source = read_run(run)
    ranked, notices, places = align_query(judgments, source, str(query), rules, reading)
    positions = _positions(formula, ranked, places)
    counted = tuple(position for position in positions if position.discount > 0)
    labels = ruled_judgments(judgments.labels(str(query)), rules)
    relevant = [
        i for i, g in zip(labels, formula.gains(np.array([*labels.values()])), strict=True) if g > 0
    ]
    ideal = _ideal(formula, ranked, places, labels)
    gainful = [place for place in ideal if place.gain > 0]
    value, best = float(values_of(chosen, ranked, rules)[0]), float(formula.best(ranked)[0])
    unit = best if formula.normalised and best else 1.0
    bare = Explanation(
        run=source.name,
        query=str(query),
        measure=chosen,
        value=value,
        total=float(formula.total(ranked)[0]),
        best=best,
        positions=counted,
        ideal=_shown(formula, ranked, ideal),
        missed=_missed(counted, gainful, unit),
        swap=_best_swap(formula, ranked, positions, best),
        reading=_reading(chosen, value, counted, gainful, relevant),
        rules=rules,
        notices=(*notices, *_about_rounding(chosen, formula)),
    )
    return bare if described is None else _with_titles(bare, described)


def _with_titles(why: Explanation, data: ItemData) -> Explanation:
    """The explanation, and what the items that it shows are called."""
    from gainful.metadata_notices import UntitledItems  # only who has titles pays for it

    titles, urls = (
        {item: texts[item] for item in why.items if item in texts}
        for texts in (data.titles or {}, data.urls or {})
    )
    bare = tuple(item for item in why.items if item not in titles and item not in urls)
    said = (UntitledItems(data.name, bare, len(why.items)),) if bare else ()
    return replace(why, titles=titles, urls=urls, notices=(*why.notices, *said))


def _positions(
    formula: Formula, ranked: JudgedRankings, places: list[Place]
) -> tuple[Position, ...]:
    rank = np.arange(1, len(places) + 1)
    judged = np.array([place.label is not None for place in places], dtype=np.bool_)
    gain, product = np.zeros(len(rank)), np.zeros(len(rank))
    gain[judged] = formula.gains(np.array([p.label for p in places if p.label is not None]))
    product[ranked.hit_rank - 1] = formula.terms(ranked)
    weight, running = _weights(formula, ranked, places), np.cumsum(product)
    return tuple(
        Position(
            rank=i + 1,
            item=place.item,
            score=place.score,
            label=place.label,
            gain=float(gain[i]),
            discount=float(weight[i]),
            product=float(product[i]),
            running=float(running[i]),
            tied_with=place.tie_size - 1,
        )
        for i, place in enumerate(places)
    )


def _weights(formula: Formula, ranked: JudgedRankings, places: list[Place]) -> FloatArray:
    bottom, rank = int(formula.bottom(ranked)[0]), np.arange(1, len(places) + 1)
    weight = (rank <= bottom) / formula.discount.divisors(len(rank))[rank]
    if ranked.average_ties and len(rank):
        first, size = (np.array(column) for column in list(zip(*places, strict=True))[3:])
        block = formula.discount.weights(first, np.minimum(first + size - 1, bottom)) / size
        weight = np.where(size > 1, block, weight)
    return weight


def _ideal(
    formula: Formula, ranked: JudgedRankings, places: list[Place], labels: dict[str, float]
) -> list[Ideal]:
    """The items of the perfect ranking, in its order; equals keep the order of the run."""
    found = {place.item: i + 1 for i, place in enumerate(places)}
    members = _members(formula, ranked, places, labels)
    if formula.ideal_order != "given":
        by_label = formula.ideal_order == "label"

        def order(member: tuple[str, float, float]) -> tuple[float, bool, float, str]:
            item, label, gain = member
            high = label if by_label else gain
            return -high, item not in labels, found.get(item, np.inf), item

        members.sort(key=order)
    depth, running, out = int(formula.ideal_bottom(ranked)[0]), 0.0, []
    divisor = formula.discount.divisors(len(members))
    for rank, (item, label, gain) in enumerate(members, start=1):
        product = gain / float(divisor[rank]) if rank <= depth else 0.0
        running += product
        out.append(Ideal(rank, item, label, gain, product, running, found.get(item)))
    return out


def _members(
    formula: Formula, ranked: JudgedRankings, places: list[Place], labels: dict[str, float]
) -> list[tuple[str, float, float]]:
    """The items that the perfect ranking is made of, each with its label and its gain.

    In the best order they are those that gain anything; in another, unjudged ones too.
    """
    listed = [place.item for place in places[: int(ranked.n_retrieved[0])]]
    items = {"ones": [], "list": listed}.get(formula.ideal, list(labels))
    judged = [item for item in items if item in labels]
    gains = formula.gains(np.array([labels[item] for item in judged]))
    gain_of = dict(zip(judged, gains.tolist(), strict=True))
    members = [(item, labels.get(item, 0.0), gain_of.get(item, 0.0)) for item in items]
    return members if formula.ideal_order != "best" else [m for m in members if m[2] > 0]


def _shown(formula: Formula, ranked: JudgedRankings, ideal: list[Ideal]) -> tuple[Ideal, ...]:
    """The perfect ranking as deep as it counts; in the best order, where it gains anything."""
    if formula.ideal_order == "best":
        return tuple(place for place in ideal if place.product > 0)
    return tuple(ideal[: int(formula.ideal_bottom(ranked)[0])])


def _about_rounding(measure: Measure, formula: Formula) -> tuple[Notice, ...]:
    """What is to be said where the terms shown do not add up to the value."""
    if formula.arithmetic.close:
        return ()
    return (RoundedOtherwise(measure.name, str(formula.arithmetic)),)


def _missed(counted: tuple[Position, ...], ideal: list[Ideal], unit: float) -> tuple[Missed, ...]:
    seen = {position.item for position in counted}
    return tuple(
        Missed(place.item, place.label, place.rank, place.found_at, place.product / unit)
        for place in ideal
        if place.item not in seen
    )


def _best_swap(
    formula: Formula, ranked: JudgedRankings, positions: tuple[Position, ...], best_total: float
) -> Swap | None:
    retrieved = int(ranked.n_retrieved[0])
    positions = tuple(p for p in positions if p.rank <= retrieved or p.discount > 0)
    if not positions or (formula.normalised and not best_total):
        return None
    unit = best_total if formula.normalised else 1.0
    gain = np.array([position.gain for position in positions])
    weight = np.array([position.discount for position in positions])
    # Within a gain, the item that stands lowest moves best, and the highest place is the best goal.
    movers, goals = _first_of_each(gain, weight), _first_of_each(gain, -weight)
    best, swap = 0.0, None
    for mover in movers:
        # Told from the side of the better item: it is the one that moves up.
        better = np.maximum(gain[mover] - gain[goals], 0.0)
        helps = better * (weight[goals] - weight[mover])
        goal = goals[np.argmax(helps)]
        if helps.max() / unit > best:
            best = float(helps.max() / unit)
            up, down = positions[mover], positions[goal]
            swap = Swap(up.item, down.item, up.rank, down.rank, best)
    return swap


def _first_of_each(gain: FloatArray, key: FloatArray) -> IntArray:
    """For each distinct gain, the place with the lowest key."""
    order = np.lexsort((key, gain))
    _, first = np.unique(gain[order], return_index=True)
    return order[first]


def _reading(
    measure: Measure,
    value: float,
    counted: tuple[Position, ...],
    ideal: list[Ideal],
    relevant: list[str],
) -> str:
    cutoff = dict(measure.settings).get("cutoff")
    scope = "retrieved" if cutoff is None else f"among the first {cutoff}"
    start = f"{measure} is {value:.4f}"
    if not relevant:
        return f"{start}: nothing is relevant for this query, so there is nothing to gain."
    if not counted:
        are = count(len(relevant), "item is", "items are")
        return f"{start}: the ranking is empty, and {are} relevant."
    products = {position.item: position.product for position in counted}
    n_found = sum(item in products for item in relevant)
    found = (
        f"{start}: {n_found} of {count(len(relevant), 'relevant item is', 'relevant items are')}"
    )
    return f"{found} {scope}{_largest_loss(counted, ideal, products)}"


def _largest_loss(
    counted: tuple[Position, ...], ideal: list[Ideal], products: dict[str, float]
) -> str:
    harmful = min(counted, key=lambda position: position.product)
    losses = [place.product - products.get(place.item, 0.0) for place in ideal]
    loss = max(losses, default=0.0)
    if -harmful.product > loss:
        label = text_of(harmful.label)
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
        f"; the largest loss is {dearest.item} (label {text_of(dearest.label)}), {place} "
        f"where the ideal has it at {dearest.rank}."
    )
