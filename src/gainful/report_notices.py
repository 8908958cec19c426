"""What is worth saying about reports, beside what is said about their numbers."""

from gainful.notices import Notice
from gainful.wording import examples


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
            f"{self.source}: {examples(self.columns)} {makes} no slices: one value for all "
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
