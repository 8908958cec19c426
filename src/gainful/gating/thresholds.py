"""Thresholds: what a gate holds a candidate to, declared once for Python, commands and files."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Annotated, Any

from gainful.errors import ComparisonError
from gainful.records import Record
from gainful.settings import Argument, Setting, arguments_of

MaxDrop = Annotated[
    float | None,
    Setting("how much the mean may drop against the baseline", at_least=0),
]
Mode = Annotated[
    str,
    Setting(
        "what fails a candidate",
        choices={
            "point": "the mean drops by more than the largest drop that is allowed",
            "regression": "the mean drops, and by more than chance explains",
            "noninferior": "a drop by more than what is allowed is not ruled out",
        },
    ),
]
Min = Annotated[float | None, Setting("how high the mean of the candidate must be")]
QueryMaxDrop = Annotated[
    float | None,
    Setting(
        "how much the value of any single query, or of any pinned one, may drop",
        at_least=0,
    ),
]
MinJudged = Annotated[
    float | None,
    Setting(
        "how much of what the candidate ranks within the cutoff must be judged, from 0 to 1, "
        "for the gate to tell",
        at_least=0,
        at_most=1,
    ),
]
Alpha = Annotated[
    float,
    Setting(
        "below which one-sided p-value something is more than chance", more_than=0, less_than=0.5
    ),
]
DEFAULT_MAX_DROP = 0.01


@dataclass(eq=False, repr=False, kw_only=True)
class Thresholds(Record):
    """What the candidate is held to by one measure; None where it is not.

    >>> Thresholds(max_drop=0.02).mode
    'point'
    """

    max_drop: MaxDrop = None
    mode: Mode = "point"
    min: Min = None
    query_max_drop: QueryMaxDrop = None
    min_judged: MinJudged = None
    alpha: Alpha = 0.05

    def __post_init__(self) -> None:
        for name, argument in threshold_arguments().items():
            value = argument.check("gate", getattr(self, name), ComparisonError, "bad-threshold")
            object.__setattr__(self, name, value)

    @property
    def allowed(self) -> float:
        """How much the mean may drop, where there is a baseline."""
        return DEFAULT_MAX_DROP if self.max_drop is None else self.max_drop

    def but(self, other: Mapping[str, Any]) -> "Thresholds":
        """The same, with others in place of some.

        >>> Thresholds(min=0.4).but({"max_drop": 0.02}).to_dict()["max_drop"]
        0.02
        """
        unknown = [name for name in other if name not in threshold_arguments()]
        if unknown:
            known = ", ".join(threshold_arguments())
            message = f"gate: {unknown[0]!r} is no threshold; there are {known}."
            raise ComparisonError(message, code="bad-threshold")
        return replace(self, **other)

    def to_dict(self) -> dict[str, Any]:
        """All thresholds by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@cache
def threshold_arguments() -> dict[str, Argument]:
    """The declaration of every threshold, by name.

    >>> list(threshold_arguments())[:3]
    ['max_drop', 'mode', 'min']
    """
    return arguments_of(Thresholds)
