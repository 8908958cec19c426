"""Terms: which measure is explained, and how its values are added up."""

from collections.abc import Sequence

from gainful.experiment.result import Detail, Terms
from gainful.measures import Formula, Measure, nDCG
from gainful.ragged import ENDLESS, FloatArray
from gainful.rankings import JudgedRankings

_CUTOFF = 10  # of the measure that stands in for one without terms and without a cutoff


def explained_by(measures: Sequence[Measure]) -> Measure:
    """The first measure whose terms a page can add up, else nDCG at the cutoff of the first.

    >>> from gainful.asked import as_measures
    >>> explained_by(as_measures(["AP", "DCG@5"])), explained_by(as_measures("P@20"))
    (DCG@5, nDCG@20)
    """
    with_terms = next((measure for measure in measures if _added_up_plainly(measure)), None)
    cutoff = measures[0].all_settings.get("cutoff")
    return with_terms or nDCG(cutoff=cutoff if isinstance(cutoff, int) else _CUTOFF)


def _added_up_plainly(measure: Measure) -> bool:
    if measure.formula is None:
        return False
    formula = formula_of(measure)
    return formula.ideal_order == "best" and not formula.arithmetic.words


def formula_of(measure: Measure) -> Formula:
    """What the explained measure is made of."""
    assert measure.formula is not None
    return measure.formula(**measure.all_settings)


def terms(
    measure: Measure, each: Sequence[JudgedRankings], labels: FloatArray, depth: int
) -> Terms:
    """What the measure adds up for rankings that are held down to a depth.

    Args:
        measure: The explained measure.
        each: The rankings of every run.
        labels: All labels that are held, each once.
        depth: The last rank that is held.
    """
    formula = formula_of(measure)
    deepest = max(int(formula.bottom(ranked).max(initial=0)) for ranked in each)
    tied = any(ranked.average_ties and ranked.has_ties for ranked in each)
    gains = formula.gains(labels)
    return Terms(
        measure=measure,
        cutoff=formula.cutoff,
        normalised=formula.normalised,
        capped=formula.normalised and formula.clips,
        ideal=formula.ideal,
        ideal_cutoff=None if formula.ideal_depth == "all" else formula.cutoff,
        divisors=tuple(formula.discount.divisors(depth)[1 : depth + 1].tolist()),
        gains=dict(zip(labels.tolist(), gains.tolist(), strict=True)),
        complete=deepest <= depth and not tied,
    )


def added_up(terms: Terms, detail: Detail, run: int, *, depth: int | None = None) -> float:
    """The sum of a run on one query, from what is held of it: ``Detail.totals``, if that is all.

    It is the very arithmetic of a page: products in rank order, added one by one.

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


def value_of(terms: Terms, total: float, best: float, otherwise: float) -> float:
    """The value of a sum; ``otherwise`` is the value where the best ranking gains nothing."""
    if not terms.normalised:
        return total
    if not best:
        return otherwise
    return min(total / best, 1.0) if terms.capped else total / best
