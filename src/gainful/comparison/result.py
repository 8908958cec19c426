"""Comparison: what several runs score, how they differ, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful import shapes, tables
from gainful.comparison import flat, plotting, text
from gainful.comparison.view import how
from gainful.errors import ComparisonError
from gainful.interval import Interval
from gainful.measures import Measure, parse
from gainful.notices import Notice
from gainful.packages import package
from gainful.plain import to_json
from gainful.ragged import FloatArray
from gainful.records import Frozen, Record
from gainful.rules import Rules
from gainful.wording import count, examples

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from altair.typing import ChartType

VERDICTS = {
    "better": "the difference is above 0, and more than chance explains",
    "worse": "the difference is below 0, and more than chance explains",
    "cannot tell": "chance alone may explain the difference; a real one may be hidden in it",
    "practically equal": "the difference is shown to be smaller than the margin that was given",
    "identical": "every query has the same value",
}


@dataclass(eq=False, repr=False)
class System(Record):
    """What one run scores by one measure.

    Attributes:
        name: The name of the run.
        measure: The measure.
        mean: Its mean over the queries.
        interval: Where the mean lies, were the queries drawn anew: bootstrap, BCa.
        judged: The mean of Judged@k over the queries with results, k being the cutoff of the
            measure; NaN where items are not judged one by one.
        n_queries: How many queries have a value.
    """

    name: str
    measure: Measure
    mean: float
    interval: Interval
    judged: float
    n_queries: int


@dataclass(eq=False, repr=False)
class Pair(Record):
    """How two runs differ by one measure: the system, less the baseline.

    Attributes:
        measure: The measure.
        system: The name of one run.
        baseline: The name of the other, which the system is compared with.
        difference: The mean of the system less the mean of the baseline.
        interval: Where the difference lies: bootstrap, BCa.
        t_interval: The same, by Student's t: it holds 0 where ``p_t`` is not below alpha. Shown
            to people, so that interval and verdict go together.
        relative: The difference as a share of the mean of the baseline; NaN if that is 0.
        relative_interval: Where that share lies: bootstrap, BCa.
        deviation: The standard deviation of the differences of queries.
        effect: The difference in standard deviations, d_z; 0 for runs that are identical.
        effect_interval: Where it lies: noncentral t.
        pooled_effect: The difference over the residual standard deviation of all runs, E2.
        t: Student's t of the differences.
        p_t: The p-value of the paired t-test, two-sided.
        p_randomised: The p-value of the sign-flip randomisation test, two-sided.
        p_adjusted: The p-value that the verdict is based on, see ``Comparison.correction``.
        wins: How many queries the system does better on.
        ties: How many it does the same on, within ``Comparison.tie``.
        losses: How many it does worse on.
        superiority: The share of queries that it does better on, ties counted half.
        p_better: The probability that it is better in the long run, before which nothing was
            known: Student's t as posterior.
        p_equal: The probability that they differ by less than ``Comparison.margin``, or None.
        p_equivalent: The p-value of two one-sided t-tests that they do, or None.
        detectable: The smallest difference that so many queries show four times out of five.
        more: The p-values of tests that were asked for beside these, by name.
        possible: Where the difference may lie whatever the labels of unjudged items, if that was
            asked for.
        verdict: One of ``VERDICTS``, said of the system.
        sentence: The verdict in plain words.
        n_queries: How many queries were compared.
    """

    measure: Measure
    system: str
    baseline: str
    difference: float
    interval: Interval
    t_interval: Interval
    relative: float
    relative_interval: Interval
    deviation: float
    effect: float
    effect_interval: Interval
    pooled_effect: float
    t: float
    p_t: float
    p_randomised: float
    p_adjusted: float
    wins: int
    ties: int
    losses: int
    superiority: float
    p_better: float
    p_equal: float | None
    p_equivalent: float | None
    detectable: float
    more: Mapping[str, float]
    possible: Interval | None
    verdict: str
    sentence: str
    n_queries: int


@dataclass(eq=False, repr=False)
class Comparison(Frozen):
    """Runs x measures, and every pair of runs, or every run with the baseline.

    It is an Arrow table to whoever takes one: ``polars.DataFrame(comparison)`` has a row for every
    pair and measure.

    Attributes:
        runs: The names of the runs, in the order they were given.
        queries: The id of each query that was compared.
        measures: The measures; the verdict is on the first, the others are exploratory.
        values: A value for every measure, run and query, in this order of axes.
        baseline: The run that the others are compared with; None if all pairs are.
        systems: What every run scores by every measure, measure by measure.
        pairs: How they differ, measure by measure.
        correction: How ``Pair.p_adjusted`` takes into account that there are several pairs.
        alpha: Below which p-value a difference is more than chance.
        margin: The difference that does not matter, if one was given.
        tie: The difference up to which two values of a query are the same.
        seed: What the random numbers started from.
        resamples: How many random draws were made, by what they were made for.
        rules: The rules under which the values hold.
        notices: What a reader of the numbers should know.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: FloatArray
    baseline: str | None
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    correction: str
    alpha: float
    margin: float | None
    tie: float
    seed: int
    resamples: Mapping[str, int]
    rules: Rules
    notices: tuple[Notice, ...] = field(default=())

    @property
    def verdict(self) -> str:
        """The verdict on the first measure, a sentence for every pair."""
        return "\n".join(pair.sentence for pair in self.pairs if pair.measure == self.measures[0])

    def of(self, measure: str | Measure | None = None) -> FloatArray:
        """The values of one measure, the first if not given: a row per run, a column per query."""
        values: FloatArray = self.values[self.measures.index(self._known(measure))]
        return values

    def pair(
        self, system: str, baseline: str | None = None, measure: str | Measure | None = None
    ) -> Pair:
        """How a run differs from the baseline, by the first measure if no other is given.

        The baseline may be left out if the run was compared with one other alone.
        """
        of_measure = self.pairs_of(measure)
        found = [
            pair
            for pair in of_measure
            if pair.system == system and baseline in (None, pair.baseline)
        ]
        if len(found) == 1:
            return found[0]
        known = examples([f"{pair.system} - {pair.baseline}" for pair in found or of_measure])
        asked = repr(system) if baseline is None else f"{system!r} with {baseline!r}"
        message = f"pair: must name one of {known}, got {asked}."
        raise ComparisonError(message, code="not-in-result")

    def pairs_of(self, measure: str | Measure | None = None) -> list[Pair]:
        """How the runs differ by one measure, the first if not given: every pair there is.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> [pair.difference for pair in gainful.compare({"q1": {"d1": 1}}, runs, "RR").pairs_of()]
        [0.5]
        """
        wanted = self._known(measure)
        return [pair for pair in self.pairs if pair.measure == wanted]

    def differences(
        self, system: str, baseline: str | None = None, measure: str | Measure | None = None
    ) -> dict[str, float]:
        """How the value of every query differs, the largest loss first."""
        pair = self.pair(system, baseline, measure)
        ours, theirs = (self.runs.index(name) for name in (pair.system, pair.baseline))
        values = self.of(pair.measure)
        lost = values[ours] - values[theirs]
        order: Sequence[int] = np.argsort(lost, kind="stable").tolist()
        return {self.queries[i]: float(lost[i]) for i in order}

    def plot(
        self,
        system: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        *,
        of: str = "queries",
    ) -> "ChartType":
        """An Altair chart: how the value of every query differs, or with ``of="pairs"`` all pairs.

        The runs may be left out if there is one pair. It takes ``gainful[report]``.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> comparison.plot().to_dict()["description"]
        'Difference of RR for every query, new less old.'
        """
        return plotting.plot(self, system, baseline, measure, of)

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; None stands for NaN and for infinity.

        An interval is a list of two numbers. ``exploratory`` is True for all measures but the
        first, ``per_query`` has the values of every query, by run and measure.
        """
        return flat.held(self)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision, NaN and infinity null."""
        return to_json(self.to_dict(), indent=indent)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of pairs, for every library that speaks the Arrow PyCapsule interface."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def to_polars(self, *, of: str = "pairs") -> "polars.DataFrame":
        """A polars frame with a row for every pair and measure, or of ``"systems"``.

        An interval is two columns, such as ``interval_low`` and ``interval_high``; a test that was
        asked for is a column, such as ``p_wilcoxon``. Where there is no number it has null.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> comparison.to_polars().select("system", "baseline", "difference", "wins").rows()
        [('new', 'old', 0.5, 1)]
        """
        return flat.frame(self, of, "to_polars")

    def to_pandas(self, *, of: str = "pairs") -> "pandas.DataFrame":
        """A pandas frame of the same; null is NaN, as pandas has it."""
        package("pandas", "to_pandas")
        return shapes.as_pandas(flat.frame(self, of, "to_pandas"), "to_pandas")

    def to_arrow(self, *, of: str = "pairs") -> "pyarrow.Table":
        """A pyarrow table of the same."""
        package("pyarrow", "to_arrow")
        return flat.frame(self, of, "to_arrow").to_arrow()

    def to_csv(self, *, of: str = "pairs") -> str:
        """Comma-separated values of the same, at full precision; no number is an empty cell.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> print(comparison.to_csv(of="systems"), end="")
        measure,exploratory,system,mean,interval_low,interval_high,judged,n_queries
        RR,false,old,0.5,,,0.5,1
        RR,false,new,1.0,,,1.0,1
        """
        return tables.to_csv(*flat.cells(self, of, "to_csv", empty=""))

    def to_markdown(self, *, all_pairs: bool = False) -> str:
        """The verdict, then tables in Markdown, how they were made, rules and notices.

        Of more than ten pairs only those with the baseline, or with the run that has the highest
        mean, are shown; ``all_pairs`` shows all.
        """
        return text.to_markdown(self, all_pairs=all_pairs)

    def to_latex(self) -> str:
        """The means as a LaTeX table, runs x measures; the highest of each measure is bold.

        Every run has a letter; raised behind a mean are the letters of the runs that it is
        significantly above, by the adjusted p-value. Below it stands how it was made. It takes the
        package booktabs, and LuaLaTeX for letters that pdfLaTeX does not know.
        """
        return text.to_latex(self)

    def __repr__(self) -> str:
        runs = count(len(self.runs), "run", "runs")
        queries = count(len(self.queries), "query", "queries")
        head = f"<Comparison of {runs} on {queries}>\n"
        lines = [f"how: {how(self)}", f"rules: {self.rules}", *(n.line for n in self.notices)]
        return "\n".join([head + text.to_text(self, all_pairs=False), *lines])

    def _repr_html_(self) -> str:
        return text.to_html(self)

    def _known(self, measure: str | Measure | None) -> Measure:
        if measure is None:
            return self.measures[0]
        wanted = parse(measure) if isinstance(measure, str) else measure
        if wanted not in self.measures:
            known = ", ".join(map(str, self.measures))
            message = f"{wanted} was not compared; there are {known}."
            raise ComparisonError(message, code="not-in-result")
        return wanted
