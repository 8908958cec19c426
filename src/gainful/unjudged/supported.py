"""The measures whose values over all labels of unjudged items are found exactly."""

from gainful.asked import as_measures
from gainful.errors import MeasureError
from gainful.measures import REGISTRY, Formula, Measure


def one_measure(measure: str | Measure) -> Measure:
    """The measure that was asked for, if it is one whose unjudged items can be looked into.

    >>> one_measure("ndcg_cut_10")
    nDCG@10
    """
    chosen, *more = as_measures(measure)
    if more:
        message = f"unjudged items are looked into for one measure at a time, got {measure!r}."
        raise MeasureError(message, code="one-measure")
    formula_of(chosen)
    return chosen


def is_supported(measure: Measure) -> bool:
    """Whether a measure is one of those.

    >>> [is_supported(one) for one in as_measures(["nDCG@10", "nDCG(ideal=list)", "P@10"])]
    [True, False, False]
    """
    try:
        formula_of(measure)
    except MeasureError:
        return False
    return True


def formula_of(measure: Measure) -> Formula:
    """What a measure is made of; an error where that does not tell what unjudged items change."""
    if measure.formula is None:
        known = ", ".join(name for name in REGISTRY if REGISTRY[name].formula)
        message = (
            f"{measure}: what unjudged items could change is known for {known} alone. "
            "Pass one of them, for example nDCG@10; RBP has RBPResidual."
        )
        raise MeasureError(message, code="unfit-measure")
    formula = measure.formula(**measure.all_settings)
    if formula.normalised and formula.ideal != "judged":
        raise _own_ideal(measure, f"ideal={formula.ideal}", "ideal=judged")
    if formula.normalised and formula.ideal_depth == "retrieved":
        raise _own_ideal(measure, "ideal_depth=retrieved", "ideal_depth=cutoff")
    if formula.normalised and formula.ideal_order != "best":
        raise _unknown(measure, f"ideal_order={formula.ideal_order}", "ideal_order=best")
    if formula.arithmetic.words:
        raise _unknown(measure, f"arithmetic={formula.arithmetic}", "arithmetic=plain")
    return formula


def _unknown(measure: Measure, got: str, way_out: str) -> MeasureError:
    message = (
        f"{measure}: what unjudged items could change is not known with {got}. Pass {way_out}."
    )
    return MeasureError(message, code="unfit-measure")


def _own_ideal(measure: Measure, got: str, way_out: str) -> MeasureError:
    message = (
        f"{measure}: with {got} the best ranking depends on the run, and what unjudged items "
        f"could change is not known. Pass {way_out}."
    )
    return MeasureError(message, code="unfit-measure")
