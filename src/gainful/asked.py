"""What was asked for: measures, rules, a dialect."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gainful.errors import MeasureError, RuleError
from gainful.measures import Measure, parse_all
from gainful.rules import Rules
from gainful.wording import as_written

if TYPE_CHECKING:
    from gainful.dialects import Dialect

DEFAULT_MEASURES = ("nDCG@5", "nDCG@10", "nDCG", "DCG@10")

Measures = str | Measure | Iterable[str | Measure]


def as_measures(measures: Measures) -> tuple[Measure, ...]:
    """The measures that were asked for, each once, in their order.

    >>> as_measures(["nDCG@5,10", "ndcg_cut_5"])
    (nDCG@5, nDCG@10)
    """
    return tuple(settled_measures(measures, None))


def settled_measures(measures: Measures, dialect: "Dialect | None") -> dict[Measure, Measure]:
    """The same, each with what it means in the dialect, if there is one.

    >>> settled_measures(["nDCG@5", "nDCG(gain=linear)@5"], as_dialect("burges", None))
    {nDCG@5: nDCG(gain=exp2)@5, nDCG(gain=linear)@5: nDCG@5}
    """
    asked = _listed(measures)
    if dialect is None:
        return {one: one for one in asked}
    return {dialect.named(one): dialect.settled(one) for one in asked}


def _listed(measures: Measures) -> list[Measure]:
    several: Any = measures
    if isinstance(measures, str | Measure) or not isinstance(measures, Iterable):
        several = [measures]
    found: list[Measure] = []
    for one in several:
        if not isinstance(one, str | Measure):
            message = (
                f"measures: must be text such as 'nDCG@10', or measures, got {as_written(one)}."
            )
            raise MeasureError(message, code="not-a-measure")
        found += parse_all(one) if isinstance(one, str) else [one]
    if not found:
        message = "no measure was asked for; name one, for example nDCG@10."
        raise MeasureError(message, code="not-a-measure")
    return found


def as_rules(rules: Rules | None) -> Rules:
    """The rules that were given, or the default ones.

    >>> as_rules(None) == Rules()
    True
    """
    if rules is not None and not isinstance(rules, Rules):
        message = f"rules: must be Rules(...), got {as_written(rules)}."
        raise RuleError(message, code="bad-rule")
    return rules or Rules()


def as_dialect(dialect: "str | Dialect | None", rules: Rules | None) -> "Dialect | None":
    """The dialect of that name, if one is named; an error where rules are given beside it.

    >>> as_dialect("trec_eval@9", None).rules.precision
    'float32'
    """
    if dialect is None:
        return None
    from gainful.dialects import find_dialect  # only who names one pays for them

    found = find_dialect(dialect)
    if rules is not None:
        message = (
            f"rules: dialect {found} brings its own, got {rules}. "
            f"Pass dialect=find_dialect({found.name!r}).with_rules(...)."
        )
        raise RuleError(message, code="conflicting-rules")
    return found
