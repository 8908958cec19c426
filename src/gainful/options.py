"""What cg(), dcg(), idcg() and ndcg() take beside the ranking, sorted out."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from gainful.asked import as_dialect
from gainful.at_hand import INPUTS, RULES, Relevant
from gainful.errors import MeasureError
from gainful.measures import Measure
from gainful.records import Record

if TYPE_CHECKING:
    from gainful.dialects import Dialect


class Options(TypedDict, total=False):
    """What the functions take beside the ranking, its scores and ``k``.

    Input:
        relevant: What is relevant, if the ranking is made of item ids: ``{item: label}``, or the
            relevant items alone, which then have label 1. One for each ranking if there are many.
        labels: What words are worth: ``{"click": 1, "basket": 2, "purchase": 3}``.
        group_sizes: How many items each ranking has, if all stand in one list.
        query_ids: Which ranking each item belongs to, if all stand in one list.
        list_size: Take every ranking to have this many items: cut longer ones, and pad shorter
            ones with items of label 0.
    Rules:
        ties, empty, precision, duplicates: As in ``Rules``. Ties are averaged by default where
            scores come without ids.
    Settings:
        gain, discount, ideal, ideal_depth, ideal_order, negatives, rel, above_one, arithmetic: As
            the measure declares them.
    Dialect:
        dialect: Whose definition holds: ``"sklearn"``, ``"lightgbm"``, or what ``find_dialect``
            returned. Rules and settings that are given beside it win.
    """

    relevant: Relevant
    labels: Mapping[Any, float]
    group_sizes: Sequence[int]
    query_ids: Sequence[Hashable]
    list_size: int
    ties: str
    empty: str
    precision: str
    duplicates: str
    gain: str | Mapping[float, float]
    discount: str
    ideal: str
    ideal_depth: str
    ideal_order: str
    negatives: str
    rel: float
    above_one: str
    arithmetic: str
    dialect: "str | Dialect"


@dataclass(eq=False, repr=False)
class Sorted(Record):
    """Options by what they are for."""

    take: Mapping[str, Any] = field(default_factory=dict)
    rule: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    dialect: "Dialect | None" = None

    def asked(self, measure: Measure, cutoff: Any) -> Measure:
        """The measure with the settings that were given."""
        at = {} if cutoff is None else {"cutoff": cutoff}
        return measure(**self.settings, **at)

    def settled(self, asked: Measure) -> Measure:
        """The same with those of the dialect where none is given."""
        return asked if self.dialect is None else self.dialect.settled(asked)


def sorted_out(measure: Measure, options: Mapping[str, Any]) -> Sorted:
    """The options that say what the input is, the rules, the settings, and the dialect."""
    name = measure.name.lower()
    if "weights" in options:
        message = f"{name}: gives one value per ranking, got weights. Pass them to mean_{name}."
        raise MeasureError(message, code="unknown-argument")
    settings = [setting for setting in measure.arguments if setting != "cutoff"]
    known = [*INPUTS, *RULES, *settings, "dialect"]
    unknown = next((option for option in options if option not in known), None)
    if unknown is not None:
        message = f"{name} has no argument {unknown!r}; it takes scores, k, {', '.join(known)}."
        raise MeasureError(message, code="unknown-argument")
    kinds = (INPUTS, RULES, settings)
    take, rule, rest = ({n: v for n, v in options.items() if n in kind} for kind in kinds)
    return Sorted(take, rule, rest, as_dialect(options.get("dialect"), None))
