"""Scores: the values of every measure for every query, and what they hold under."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.alignment import Rules
from gainful.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    cached_property,
    check_choice,
    import_package,
    load_report,
    ragged,
    to_jsonable,
)
from gainful.diagnostics import Notice
from gainful.errors import MeasureError, OutputError, SourceError
from gainful.measures import Measure, parse_measure
from gainful.sources import read_queries

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from altair.typing import ChartType

    from gainful.dialects import Dialect
    from gainful.evaluation.slices import Slices
    from gainful.sources import QueryData


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result):
    """Queries x measures, with the rules and notices they come with.

    It is an Arrow table to whoever takes one: ``polars.DataFrame(scores)``,
    ``pyarrow.table(scores)``, ``duckdb.sql("from scores")``. As a table it is ``"tidy"``, with a
    row for every query and measure (``system``, ``query``, ``measure``, ``value``), or ``"wide"``,
    with a row for every query and a column for every measure: the argument ``shape`` of the
    methods says which. Tidy tables of several runs can be put below each other.

    Where there is no value, a table has null, and CSV an empty cell: averages leave it out as
    ``mean()`` does. A measure of the whole run has no value for any query; its number is in a row
    of its own, whose query is null.

    Attributes:
        run: The name of the run.
        queries: The id of each query, in the order of the qrels.
        measures: The measures, in the order they were asked for.
        values: One row per query, one column per measure; not rounded, whatever
            ``Rules.decimals`` says: what is shown of them is.
        rules: The rules under which the values hold.
        notices: What a reader of the values should know.
        overall: The numbers of measures of whole runs; their columns are NaN.
        weights: How much each query counts in the means; None if all count alike.
        query_data: The query attributes, if any were given.
        judged: For each measure of items that are judged one by one, the share of the items it
            looks at that have a judgment, one per query: Judged@k, for the same cutoff. NaN for a
            query without results.
        dialect: Whose definition of the measures holds; None for our own.
        empty: For each measure, which queries had nothing relevant, where ``Rules.empty_weight``
            makes a difference of it.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}}
    >>> scores = gainful.evaluate(qrels, {"q1": {"d2": 9, "d1": 8}, "q2": {"d3": 5}}, "nDCG@10")
    >>> scores["nDCG@10"]
    0.9298593499260985
    >>> scores.worst(1)
    {'q1': 0.8597186998521972}
    """

    run: str
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: FloatArray
    rules: Rules
    notices: tuple[Notice, ...]
    overall: Mapping[Measure, float] = field(default_factory=dict)
    weights: FloatArray | None = None
    query_data: "QueryData | None" = None
    judged: Mapping[Measure, FloatArray] = field(default_factory=dict)
    dialect: "Dialect | None" = None
    empty: Mapping[Measure, BoolArray] = field(default_factory=dict)

    _view = "view_scores"

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.queries)

    def __getitem__(self, measure: str | Measure) -> float:
        """Return the average of one measure over the queries, or its number for the whole run."""
        resolved = self._resolve_measure(measure)
        if resolved.whole:
            return self.overall[resolved]
        values = self.values[:, self.measures.index(resolved)]
        unweighted = self.empty.get(resolved)
        mean = resolved.average_values(values, self.weights, unweighted=unweighted)
        return mean if self.rules.decimals is None else round(mean, self.rules.decimals)

    __iter__ = None  # its items are measures by name, not by number

    def column(self, measure: str | Measure) -> FloatArray:
        """Return the values of one measure, one per query."""
        return self.rounded_values[:, self.measures.index(self._resolve_measure(measure))]

    @cached_property
    def rounded_values(self) -> FloatArray:
        """The values, rounded if ``Rules.decimals`` says so."""
        return ragged.round_to_decimals(self.values, self.rules.decimals)

    def mean(self) -> dict[str, float]:
        """Return the average of every measure, NaN values left out.

        Counts are added up, geometric means are geometric; all else is the arithmetic mean. Means
        are weighted where there are ``weights``, counts are not.
        """
        return {str(measure): self[measure] for measure in self.measures}

    def judged_share(self, measure: str | Measure) -> float:
        """Return the mean of Judged@k, k being the cutoff of a measure; NaN if there is none.

        >>> import gainful
        >>> scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1", "d2"]}, "nDCG@1,2")
        >>> scores.judged_share("nDCG@1"), scores.judged_share("nDCG@2")
        (1.0, 0.5)
        """
        resolved = self._resolve_measure(measure)
        if resolved not in self.judged:
            return math.nan
        return ragged.mean(np.nan_to_num(self.judged[resolved]), self.weights)

    def judged_of_returned(self, measure: str | Measure) -> float:
        """Return the mean of Judged@k over the queries with results; NaN if there is none.

        Queries without results are left out: they do not lack judgments. All others count alike,
        whatever the ``weights``: the share is printed beside means that do not have any.

        >>> import gainful
        >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
        >>> scores = gainful.evaluate(qrels, {"q1": ["d1", "d2"]}, "nDCG@2")
        >>> scores.judged_share("nDCG@2"), scores.judged_of_returned("nDCG@2")
        (0.25, 0.5)
        """
        resolved = self._resolve_measure(measure)
        return ragged.mean(self.judged[resolved]) if resolved in self.judged else math.nan

    def by(self, column: str, *, queries: object = None) -> "Slices":
        """Return the Scores of each slice: of the queries that share a value.

        Args:
            column: What makes the slices: a column of the data about queries.
            queries: These data, if ``evaluate`` was not given them: what ``read_queries`` takes.

        >>> import gainful
        >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
        >>> scores = gainful.evaluate(qrels, {"q1": ["d1"], "q2": ["d2", "d1"]}, "P@1")
        >>> slices = scores.by("lang", queries={"q1": {"lang": "en"}, "q2": {"lang": "fr"}})
        >>> slices["en"]["P@1"], slices["fr"]["P@1"]
        (1.0, 0.0)
        """
        from gainful.evaluation.slices import (
            Slices,
            diagnose_slices,
            diagnose_unknown_queries,
            split_by,
        )

        data = self.query_data if queries is None else read_queries(queries)
        if data is None:
            message = (
                f"by({column!r}) needs to know of queries. Pass queries=... to it, "
                "or to evaluate()."
            )
            raise SourceError(message, code="missing-query-data")
        slices = split_by(self.queries, data.texts(column))
        new_notices = (
            () if queries is None else diagnose_unknown_queries(data.queries, self, data.name)
        )
        notices = *self.notices, *new_notices, *diagnose_slices(self, column, data.name, slices)
        parts = {value: self._slice(column, value, keep) for value, keep in slices.items()}
        return Slices(column, self, parts, notices)

    def _slice(self, column: str, value: str | None, keep: IntArray) -> "Scores":
        from gainful.diagnostics import OneSlice

        notice = OneSlice(column, value, len(keep), len(self.queries))
        return replace(
            self,
            queries=tuple(self.queries[i] for i in keep),
            values=self.values[keep],
            notices=(notice, *self.notices),
            overall=dict.fromkeys(self.overall, math.nan),
            weights=None if self.weights is None else self.weights[keep],
            judged={measure: share[keep] for measure, share in self.judged.items()},
            empty={measure: empty[keep] for measure, empty in self.empty.items()},
        )

    def per_query(self) -> dict[str, dict[str, float]]:
        """Every value, by query and measure."""
        names = [str(measure) for measure in self.measures]
        rows = self.rounded_values.tolist()
        return {
            q: dict(zip(names, row, strict=True)) for q, row in zip(self.queries, rows, strict=True)
        }

    def worst(self, n: int = 5, measure: str | Measure | None = None) -> dict[str, float]:
        """Return the ``n`` queries with the lowest values, lowest first (of the first measure).

        Queries that have no value come last.
        """
        values = self.column(self.measures[0] if measure is None else measure)
        order = np.argsort(values, kind="stable")[: max(n, 0)]
        return {self.queries[i]: float(values[i]) for i in order}

    def plot(self, measure: str | Measure | None = None, *, kind: str = "histogram") -> "ChartType":
        """An Altair chart of how the values of queries are distributed (of the first measure).

        The kind is ``"histogram"`` or ``"ecdf"``, the share of queries up to each value. It takes
        ``gainful[report]``.

        >>> import gainful
        >>> scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "P@1")
        >>> scores.plot(kind="ecdf").to_dict()["data"]["values"]
        [{'run': 'run', 'value': 1.0, 'share': 1.0}]
        """
        check_choice("plot: kind", kind, ("histogram", "ecdf"), OutputError)
        import_package("altair", "Scores.plot", install="'gainful[report]'")
        report = load_report()
        resolved = self._resolve_measure(self.measures[0] if measure is None else measure)
        if resolved.whole:
            message = (
                f"plot: {resolved} has no values of queries, it is one number for the whole run."
            )
            raise MeasureError(message, code="unfit-measure")
        # What cannot be printed ends the process that draws it.
        values = {report.make_printable(self.run): self.column(resolved)}
        return report.plot_distribution(values, measure=str(resolved), kind=kind)

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; NaN is None."""
        return {
            "run": self.run,
            "n_queries": self.n_queries,
            "mean": to_jsonable(self.mean()),
            "judged": {str(m): to_jsonable(self.judged_share(m)) for m in self.judged},
            "per_query": to_jsonable(self.per_query()),
            **self._weights_to_dict(),
            **({} if self.dialect is None else {"dialect": self.dialect.to_dict(self.measures)}),
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_polars(self, *, shape: str = "tidy") -> "polars.DataFrame":
        """A polars frame, tidy (the default) or wide.

        A byte of an id that is not UTF-8 becomes text, such as ``\\udcff``; here, in pandas and
        in Arrow.

        >>> import gainful
        >>> scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "nDCG@5,10")
        >>> scores.to_polars().rows()
        [('run', 'q1', 'nDCG@5', 1.0), ('run', 'q1', 'nDCG@10', 1.0)]
        >>> scores.to_polars(shape="wide").rows(named=True)
        [{'query': 'q1', 'nDCG@5': 1.0, 'nDCG@10': 1.0}]
        """
        return self._make_frame("to_polars", shape)

    def to_pandas(self, *, shape: str = "tidy") -> "pandas.DataFrame":
        """A pandas frame, tidy (the default) or wide; null is NaN, as pandas has it."""
        return self._make_pandas("to_pandas", shape)

    def to_arrow(self, *, shape: str = "tidy") -> "pyarrow.Table":
        """A pyarrow table, tidy (the default) or wide."""
        return self._make_arrow("to_arrow", shape)

    def to_csv(self, *, shape: str = "wide") -> str:
        """Comma-separated values, wide (the default) or tidy; floats at full precision.

        >>> import gainful
        >>> scores = gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "nDCG@5,10")
        >>> print(scores.to_csv(), end="")
        query,nDCG@5,nDCG@10
        q1,1.0,1.0
        >>> print(scores.to_csv(shape="tidy"), end="")
        system,query,measure,value
        run,q1,nDCG@5,1.0
        run,q1,nDCG@10,1.0
        """
        return self._render("csv", "to_csv", shape)

    def to_tsv(self, *, shape: str = "wide") -> str:
        """Tab-separated values, wide (the default) or tidy; floats at full precision."""
        return self._render("tsv", "to_tsv", shape)

    def to_markdown(self, *, shape: str = "means") -> str:
        """Return the means (the default) as a Markdown table, followed by rules and notices.

        If it is tidy or wide, it has every query, then the means as ``all``.
        """
        return self._render("markdown", "to_markdown", shape)

    def to_latex(self, *, shape: str = "means") -> str:
        """Return the means (the default) as a LaTeX table; rules and notices are comments.

        If it is tidy or wide, it has every query, then the means as ``all``. It takes the package
        booktabs, and LuaLaTeX for letters that pdfLaTeX does not know.
        """
        return self._render("latex", "to_latex", shape)

    def _resolve_measure(self, measure: str | Measure) -> Measure:
        resolved = parse_measure(measure) if isinstance(measure, str) else measure
        if self.dialect is not None:
            resolved = self.dialect.relabel(resolved)
        if resolved not in self.measures:
            evaluated = ", ".join(map(str, self.measures))
            message = f"{resolved} was not evaluated; there are {evaluated}."
            raise MeasureError(message, code="not-in-result")
        return resolved

    def _weights_to_dict(self) -> dict[str, dict[str, float]]:
        if self.weights is None:
            return {}
        return {"weights": dict(zip(self.queries, self.weights.tolist(), strict=True))}

    def whole_run_values(self) -> dict[Measure, float]:
        """Return the number of every measure of the whole run."""
        return {measure: self.overall[measure] for measure in self.measures if measure.whole}
