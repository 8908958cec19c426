"""Arguments of evaluate() and related functions: measures, rules, a dialect."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gainful.alignment import Rules
from gainful.base import format_repr
from gainful.diagnostics import Notice, OutsideDialect
from gainful.errors import AlignError, MeasureError, RuleError
from gainful.measures import Measure, parse_measures
from gainful.sources import has_item_ids

if TYPE_CHECKING:
    from gainful.dialects import Dialect


DEFAULT_MEASURES = ("nDCG@5", "nDCG@10", "nDCG", "DCG@10")

Measures = str | Measure | Iterable[str | Measure]
Weights = str | Mapping[Any, float]


def list_measures(measures: Measures) -> tuple[Measure, ...]:
    """Parse measures, each once, in their order.

    >>> list_measures(["nDCG@5,10", "ndcg_cut_5"])
    (nDCG@5, nDCG@10)
    """
    return tuple(resolve_measures(measures, None))


def resolve_measures(measures: Measures, dialect: "Dialect | None") -> dict[Measure, Measure]:
    """Parse measures, and map each to its definition in the dialect, if there is one.

    >>> resolve_measures(["nDCG@5", "nDCG(gain=linear)@5"], resolve_dialect("burges", None))
    {nDCG@5: nDCG(gain=exp2)@5, nDCG(gain=linear)@5: nDCG@5}
    """
    parsed = _parse_all(measures)
    if dialect is None:
        return {measure: measure for measure in parsed}
    return {dialect.relabel(measure): dialect.resolve(measure) for measure in parsed}


def _parse_all(measures: object) -> list[Measure]:
    if isinstance(measures, str | Measure) or not isinstance(measures, Iterable):
        measures = [measures]
    parsed: list[Measure] = []
    for measure in measures:
        if isinstance(measure, Measure):
            parsed.append(measure)
        elif isinstance(measure, str):
            parsed += parse_measures(measure)
        else:
            message = (
                "measures: must be text such as 'nDCG@10', or measures, got "
                f"{format_repr(measure)}."
            )
            raise MeasureError(message, code="not-a-measure")
    if not parsed:
        message = "no measure was asked for; name one, for example nDCG@10."
        raise MeasureError(message, code="not-a-measure")
    return parsed


def resolve_rules(rules: Rules | None, qrels: object) -> Rules:
    """Return the rules, or the default ones, with what ``ties=auto`` means for the qrels.

    >>> import numpy as np
    >>> resolve_rules(None, {"q1": {"d1": 1}}).ties, resolve_rules(None, np.array([[1, 0]])).ties
    ('item-desc', 'average')
    """
    if rules is not None and not isinstance(rules, Rules):
        message = f"rules: must be Rules(...), got {format_repr(rules)}."
        raise RuleError(message, code="bad-rule")
    return (rules or Rules()).resolve_ties(has_ids=has_item_ids(qrels))


def resolve_dialect(dialect: "str | Dialect | None", rules: Rules | None) -> "Dialect | None":
    """Return the dialect of that name, if one is named; raise where rules are passed with it.

    >>> resolve_dialect("trec_eval@9", None).rules.precision
    'float32'
    """
    if dialect is None:
        return None
    from gainful.dialects import find_dialect  # only who names one pays for them

    resolved = find_dialect(dialect)
    if rules is not None:
        message = (
            f"rules: dialect {resolved} brings its own, got {rules}. "
            f"Pass dialect=find_dialect({resolved.name!r}).with_rules(...)."
        )
        raise RuleError(message, code="conflicting-rules")
    return resolved


def diagnose_dialect(dialect: "Dialect | None", measures: Iterable[Measure]) -> list[Notice]:
    """Return the notice about measures that the dialect does not define, if there are any."""
    if dialect is None:
        return []
    undefined = tuple(str(measure) for measure in measures if not dialect.defines(measure))
    return (
        [OutsideDialect(dialect.name, dialect.tool, dialect.measures, undefined)]
        if undefined
        else []
    )


@contextmanager
def name_dialect_in_errors(dialect: "Dialect | None") -> Iterator[None]:
    """Name the dialect in errors of its rules, which the user has not passed."""
    try:
        yield
    except (AlignError, MeasureError) as error:
        if dialect is None:
            raise
        message = f"dialect {dialect}: {error}"
        raise type(error)(message, code=error.code, query=error.query) from error
