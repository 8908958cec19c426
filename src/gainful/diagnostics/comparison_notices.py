"""Notices about comparisons of runs, plans for them, and reports."""

import math

from gainful.base import format_count, format_examples
from gainful.diagnostics.notices import Notice


class FewQueries(Notice):
    """There are so few queries that little can be told from them."""

    code = "few-queries"
    severity = "warning"
    n_queries: int
    enough: int

    def __str__(self) -> str:
        return (
            f"{format_count(self.n_queries, 'query is', 'queries are')} compared, fewer than "
            f"{self.enough}: only large differences show, and p-values and intervals are rough."
        )


class ManyQueries(Notice):
    """There are so many queries that p-values say little."""

    code = "many-queries"
    severity = "info"
    n_queries: int

    def __str__(self) -> str:
        return (
            f"{self.n_queries:,} queries are compared: with so many almost every difference is "
            "significant. Ask how large it is: look at the difference and at d_z."
        )


class ManyTies(Notice):
    """Two runs have the same value on many queries."""

    code = "many-ties"
    severity = "info"
    measure: str
    pairs: tuple[str, ...]
    share: float

    def __str__(self) -> str:
        return (
            f"{self.measure}: on up to {100 * self.share:.0f}% of the queries both runs have the "
            f"same value ({format_examples(self.pairs)}); the difference rests on the others. "
            "A deeper or finer measure tells more of them apart."
        )


class UnevenJudging(Notice):
    """The results of one run are judged less than those of another."""

    code = "uneven-judging"
    severity = "warning"
    measure: str
    least_run: str
    least: float
    most_run: str
    most: float

    def __str__(self) -> str:
        return (
            f"{self.measure}: {100 * self.least:.0f}% of what {self.least_run!r} returns is judged "
            f"but {100 * self.most:.0f}% of what {self.most_run!r} returns; unjudged items count "
            "as not relevant, so the first may be better than it looks. "
            "gainful unjudged lists what to judge, and how far nDCG could move."
        )


class ManyUndefinedQueries(Notice):
    """The measure that decides has no value of its own on many queries."""

    code = "undefined-queries"
    severity = "warning"
    measure: str
    n_undefined: int
    n_queries: int

    def __str__(self) -> str:
        return (
            f"{self.measure} is undefined for {self.n_undefined:,} of {self.n_queries:,} queries: "
            "nothing is relevant there. They tell nothing, yet count among the queries; "
            "empty=skip leaves them out."
        )


class UncommonQueries(Notice):
    """Some queries were scored for some of the runs only."""

    code = "uncommon-queries"
    severity = "warning"
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{format_count(len(self.queries), 'query', 'queries')} "
            f"({format_examples(self.queries)}) not all runs have a value for; left out of the "
            "comparison."
        )


class DoubtfulTest(Notice):
    """A test was asked for that is known to mislead."""

    code = "doubtful-test"
    severity = "warning"
    test: str
    warning: str

    def __str__(self) -> str:
        return f"{self.warning[0].upper()}{self.warning[1:]}"


class Exploratory(Notice):
    """Several measures were compared; one decides."""

    code = "exploratory"
    severity = "info"
    first: str
    others: tuple[str, ...]

    def __str__(self) -> str:
        are = "is" if len(self.others) == 1 else "are"
        return (
            f"{self.first} decides; {', '.join(self.others)} {are} exploratory: p-values are "
            "adjusted for the pairs of one measure, not for the number of measures."
        )


class InDialect(Notice):
    """The values that are compared are as another tool defines them."""

    code = "in-dialect"
    severity = "info"
    dialect: str

    def __str__(self) -> str:
        return f"values are as the dialect {self.dialect} defines them; see gainful dialects."


class FewSystems(Notice):
    """Orders of few systems agree by chance."""

    code = "few-systems"
    severity = "warning"
    n_systems: int

    def __str__(self) -> str:
        return (
            f"{self.n_systems} systems are few: two orders of them that have nothing to do with "
            f"each other agree 1 time in {math.factorial(self.n_systems)}, with tau 1."
        )


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
            f"{format_count(self.n_queries, 'query', 'queries')} and may lie anywhere from "
            f"{self.low:.4f} to {self.high:.4f}; at the upper end it takes "
            f"{(self.high / self.deviation) ** 2:.1f} times as many queries."
        )


class ExplainedInstead(Notice):
    """Rankings are explained by another measure than the one that the report is about."""

    code = "explained-instead"
    severity = "info"
    measure: str
    explained: str

    def __str__(self) -> str:
        return (
            f"{self.measure} has no terms to show for every rank; rankings are explained by "
            f"{self.explained} in its place."
        )


class UnweightedReport(Notice):
    """Weights were given, and intervals and differences do without them."""

    code = "unweighted-report"
    severity = "warning"
    measure: str
    means: tuple[str, ...]

    def __str__(self) -> str:
        return (
            "intervals and differences count every query alike, and so do the means beside them; "
            f"weighted means of {self.measure} are {', '.join(self.means)}."
        )


class UnslicedColumns(Notice):
    """Columns of the data about queries make no slices."""

    code = "unsliced-columns"
    severity = "info"
    source: str
    columns: tuple[str, ...]
    most: int

    def __str__(self) -> str:
        makes = "makes" if len(self.columns) == 1 else "make"
        return (
            f"{self.source}: {format_examples(self.columns)} {makes} no slices: one value for all "
            f"queries, or more than {self.most} that are no numbers."
        )


class RareValues(Notice):
    """Values of a column are put together in one slice, there being too many."""

    code = "rare-values"
    severity = "info"
    column: str
    n_values: int
    n_apart: int

    def __str__(self) -> str:
        return (
            f"{self.column!r} has {self.n_values:,} values; the {self.n_apart} that most queries "
            "have are slices, and all others are one."
        )
