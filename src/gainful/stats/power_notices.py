"""What to know of a plan that rests on a pilot."""

from gainful.notices import Notice
from gainful.wording import count


class ObservedDifference(Notice):
    """A plan is for the difference that the pilot happened to show."""

    code = "observed-difference"
    severity = "warning"
    difference: float

    def __str__(self) -> str:
        return (
            f"the plan is for the difference that the pilot showed, {self.difference:.4f}; such "
            "plans are optimistic, since a difference that caught the eye is often smaller in "
            "truth. Pass --difference with the smallest one that matters."
        )


class UncertainDeviation(Notice):
    """The deviation that a plan rests on comes from few queries."""

    code = "uncertain-deviation"
    severity = "warning"
    n_queries: int
    deviation: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"the deviation, {self.deviation:.4f}, comes from "
            f"{count(self.n_queries, 'query', 'queries')} and may lie anywhere from "
            f"{self.low:.4f} to {self.high:.4f}; at the upper end it takes "
            f"{(self.high / self.deviation) ** 2:.1f} times as many queries."
        )
