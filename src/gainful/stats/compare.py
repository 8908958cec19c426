"""compare(): differences of several runs, with tests, intervals and verdicts."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.alignment import Rules
from gainful.base import (
    FloatArray,
    Progress,
    Result,
    format_examples,
    load_report,
    to_jsonable,
)
from gainful.diagnostics import Notice
from gainful.errors import ComparisonError
from gainful.evaluation import (
    Collection,
    Measures,
    Qrels,
    Runs,
    Scores,
    evaluate_runs,
    list_measures,
    open_collection,
)
from gainful.measures import Measure, parse_measure
from gainful.sources import (
    ItemData,
    Source,
    find_run_name,
)
from gainful.stats.caveats import diagnose_comparison
from gainful.stats.comparison_settings import (
    ComparisonSettings,
    Margin,
    Resamples,
    Seed,
    Tie,
    check_scores,
    require_two_runs,
    stack_common_values,
)
from gainful.stats.differences import Pair, System, compare_measure, list_record_fields
from gainful.stats.sample_size import Alpha
from gainful.unjudged import compute_bounds, find_bounds_depth, has_bounds, require_formula

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from altair.typing import ChartType


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Runs x measures, and every pair of runs, or every run with the baseline.

    It is an Arrow table to whoever takes one: ``polars.DataFrame(comparison)`` has a row for every
    pair and measure.

    Attributes:
        runs: The names of the runs, in the order they were given.
        queries: The id of each query that was compared.
        measures: The measures; the verdict is on the first, the others are exploratory.
        values: A value for every measure, run and query, in this order of axes.
        baseline: The run that the others are compared with; None if all pairs are.
        systems: Mean of every run by every measure, measure by measure.
        pairs: Differences of the runs, measure by measure.
        correction: Correction for several pairs, which gives ``Pair.p_adjusted``.
        alpha: Significance level.
        margin: Largest difference that does not matter, if one was given.
        tie: Largest difference between tied values of a query.
        seed: Seed of the random numbers.
        resamples: Number of random draws, by purpose.
        rules: The rules under which the values hold.
        notices: Notices about the numbers.
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

    _view = "view_comparison"

    @property
    def verdict(self) -> str:
        """The verdict on the first measure, a sentence for every pair."""
        return "\n".join(pair.sentence for pair in self.pairs if pair.measure == self.measures[0])

    def values_of(self, measure: str | Measure | None = None) -> FloatArray:
        """Return the values of a measure, by default the first: runs x queries."""
        values: FloatArray = self.values[self.measures.index(self._resolve_measure(measure))]
        return values

    def pair(
        self, system: str, baseline: str | None = None, measure: str | Measure | None = None
    ) -> Pair:
        """Return the difference of a run from the baseline, by default by the first measure.

        Args:
            system: Name of the run.
            baseline: Name of the run it was compared with; may be left out if there is only one.
            measure: One of the measures; the first if not given.

        Returns:
            The pair, with difference, intervals, p-values and verdict.

        Raises:
            ComparisonError: No pair of this comparison, or more than one, has these names.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> gainful.compare({"q1": {"d1": 1}}, runs, "RR").pair("new", "old").difference
        0.5
        """
        measure_pairs = self.pairs_of(measure)
        matches = [
            pair
            for pair in measure_pairs
            if pair.system == system and baseline in (None, pair.baseline)
        ]
        if len(matches) == 1:
            return matches[0]
        names = format_examples(
            [f"{pair.system} - {pair.baseline}" for pair in matches or measure_pairs]
        )
        requested = repr(system) if baseline is None else f"{system!r} with {baseline!r}"
        message = f"pair: must name one of {names}, got {requested}."
        raise ComparisonError(message, code="not-in-result")

    def pairs_of(self, measure: str | Measure | None = None) -> list[Pair]:
        """Return the pairs of runs by a measure, by default the first.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> [pair.difference for pair in gainful.compare({"q1": {"d1": 1}}, runs, "RR").pairs_of()]
        [0.5]
        """
        resolved = self._resolve_measure(measure)
        return [pair for pair in self.pairs if pair.measure == resolved]

    def differences(
        self, system: str, baseline: str | None = None, measure: str | Measure | None = None
    ) -> dict[str, float]:
        """Return the difference of every query, the largest loss first.

        Args:
            system: Name of the run.
            baseline: Name of the run it was compared with; may be left out if there is only one.
            measure: One of the measures; the first if not given.

        Returns:
            The value of the system less that of the baseline, by query.

        Raises:
            ComparisonError: No pair of this comparison, or more than one, has these names.

        >>> import gainful
        >>> qrels = {"q1": {"d1": 1}, "q2": {"d3": 1}}
        >>> runs = {"old": {"q1": ["d2", "d1"], "q2": ["d3"]}, "new": {"q1": ["d1"], "q2": []}}
        >>> gainful.compare(qrels, runs, "RR").differences("new", "old")
        {'q2': -1.0, 'q1': 0.5}
        """
        pair = self.pair(system, baseline, measure)
        system_row, baseline_row = (self.runs.index(name) for name in (pair.system, pair.baseline))
        values = self.values_of(pair.measure)
        differences = values[system_row] - values[baseline_row]
        order: Sequence[int] = np.argsort(differences, kind="stable").tolist()
        return {self.queries[i]: float(differences[i]) for i in order}

    def plot(
        self,
        system: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        *,
        of: str = "queries",
    ) -> "ChartType":
        """Return an Altair chart of the differences of queries, or of all pairs (``of="pairs"``).

        It needs ``gainful[report]``.

        Args:
            system: Name of the run; may be left out if there is only one pair.
            baseline: Name of the run it was compared with; may be left out if there is only one.
            measure: One of the measures; the first if not given.
            of: ``"queries"`` for the differences of all queries, ``"pairs"`` for those of all
                pairs.

        Returns:
            An Altair chart.

        Raises:
            ComparisonError: No pair of this comparison, or more than one, has these names.
            OutputError: ``of`` has another value.
            PackageError: Altair is not installed.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> comparison.plot().to_dict()["description"]
        'Difference of RR for every query, new less old.'
        """
        return load_report().plot_comparison(self, system, baseline, measure, of)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; None stands for NaN and for infinity.

        An interval is a list of two numbers. ``exploratory`` is True for all measures but the
        first, ``per_query`` has the values of every query, by run and measure.
        """
        primary = self.measures[0]

        def convert_records(records: Sequence[Any]) -> list[dict[str, Any]]:
            return [
                {"measure": str(record.measure), "exploratory": record.measure != primary}
                | to_jsonable(list_record_fields(record))
                for record in records
            ]

        return {
            "verdict": self.verdict,
            "runs": list(self.runs),
            "n_queries": len(self.queries),
            "measures": [str(measure) for measure in self.measures],
            "baseline": self.baseline,
            "systems": convert_records(self.systems),
            "pairs": convert_records(self.pairs),
            "correction": self.correction,
            "alpha": self.alpha,
            "margin": self.margin,
            "tie": self.tie,
            "seed": self.seed,
            "resamples": dict(self.resamples),
            "rules": self.rules.to_dict(),
            "notices": [to_jsonable(notice.to_dict()) for notice in self.notices],
            "per_query": self._list_query_values(),
        }

    def to_polars(self, *, of: str = "pairs") -> "polars.DataFrame":
        """Return a polars frame with a row for every pair and measure, or of ``"systems"``.

        An interval is two columns, such as ``interval_low`` and ``interval_high``; a test that was
        asked for is a column, such as ``p_wilcoxon``. Where there is no number it has null.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> comparison.to_polars().select("system", "baseline", "difference", "wins").rows()
        [('new', 'old', 0.5, 1)]
        """
        return self._make_frame(of=of, method="to_polars")

    def to_pandas(self, *, of: str = "pairs") -> "pandas.DataFrame":
        """Return the rows of ``to_polars`` as a pandas frame; null is NaN."""
        return self._make_pandas(of=of, method="to_pandas")

    def to_arrow(self, *, of: str = "pairs") -> "pyarrow.Table":
        """Return the rows of ``to_polars`` as a pyarrow table."""
        return self._make_arrow(of=of, method="to_arrow")

    def to_csv(self, *, of: str = "pairs") -> str:
        """Return comma-separated values, at full precision; no number is an empty cell.

        >>> import gainful
        >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1"]}}
        >>> comparison = gainful.compare({"q1": {"d1": 1}}, runs, "RR")
        >>> print(comparison.to_csv(of="systems"), end="")
        measure,exploratory,system,mean,interval_low,interval_high,judged,n_queries
        RR,false,old,0.5,,,0.5,1
        RR,false,new,1.0,,,1.0,1
        """
        return self._render("csv", of=of, method="to_csv")

    def to_tsv(self, *, of: str = "pairs") -> str:
        """Return tab-separated values, at full precision; no number is ``nan``."""
        return self._render("tsv", of=of, method="to_tsv")

    def to_markdown(self, *, all_pairs: bool = False) -> str:
        """Return the verdict, then tables in Markdown, how they were made, rules and notices.

        Of more than ten pairs only those with the baseline, or with the run that has the highest
        mean, are shown; ``all_pairs`` shows all.
        """
        return self._render("markdown", all_pairs=all_pairs)

    def to_latex(self) -> str:
        """Return the means as a LaTeX table, runs x measures; the highest of each measure is bold.

        Every run has a letter; raised behind a mean are the letters of the runs that it is
        significantly above, by the adjusted p-value. Below it are comments on how it was made. It
        takes the package booktabs, and LuaLaTeX for letters that pdfLaTeX does not know.
        """
        return self._render("latex")

    def _list_query_values(self) -> list[dict[str, Any]]:
        """List the values of every query: a list, as two runs may have the same name."""
        return [
            {
                "measure": str(measure),
                "run": run,
                "values": dict(zip(self.queries, to_jsonable(values), strict=True)),
            }
            for measure, of_runs in zip(self.measures, self.values.tolist(), strict=True)
            for run, values in zip(self.runs, of_runs, strict=True)
        ]

    def _resolve_measure(self, measure: str | Measure | None) -> Measure:
        if measure is None:
            return self.measures[0]
        resolved = parse_measure(measure) if isinstance(measure, str) else measure
        if resolved not in self.measures:
            compared = ", ".join(map(str, self.measures))
            message = f"{resolved} was not compared; there are {compared}."
            raise ComparisonError(message, code="not-in-result")
        return resolved


def add_bounds(comparison: Comparison, collection: Collection) -> Comparison:
    """Return the comparison with the bounds of every difference; see ``unjudged``.

    An error if the first measure has no bounds. The others, which are exploratory, go without.
    """
    resolved = {measure: collection.resolve(measure)[measure] for measure in comparison.measures}
    require_formula(resolved[comparison.measures[0]])
    measures = [measure for measure in comparison.measures if has_bounds(resolved[measure])]
    bounds = {measure: compute_bounds(collection, None, measure) for measure in measures}
    compared = {measure: _list_compared_queries(comparison, measure) for measure in measures}
    pairs = tuple(
        replace(
            pair,
            possible=bounds[pair.measure].difference(
                pair.system, pair.baseline, queries=compared[pair.measure]
            ),
        )
        if pair.measure in bounds
        else pair
        for pair in comparison.pairs
    )
    return replace(comparison, pairs=pairs)


def _list_compared_queries(comparison: Comparison, measure: Measure) -> list[str]:
    """Return the queries that have a value by every run, which alone are compared."""
    valued = ~np.isnan(comparison.values_of(measure)).any(axis=0)
    return [comparison.queries[i] for i in np.flatnonzero(valued).tolist()]


def compare(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    correction: str | None = None,
    tests: str | Iterable[str] = (),
    alpha: Alpha = 0.05,
    margin: Margin = None,
    tie: Tie = 1e-9,
    seed: Seed = 0,
    resamples: Resamples = None,
    bounds: bool = False,
    items: ItemData | Source | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare runs: their means, differences, tests and intervals, and a verdict on each pair.

    Args:
        qrels: As for ``evaluate``.
        runs: Two or more, as for ``evaluate``: in a list, or ``{name: run}``. Of a collection, the
            names of runs; all of them if not given.
        measures: As for ``evaluate``. The first decides, the others are exploratory.
        baseline: The run that the others are compared with, by its name or path; all pairs if not
            given.
        correction: Correction of p-values for several pairs: ``"tukey"``
            (randomized Tukey HSD; the default for all pairs), ``"holm"`` (the default against a
            baseline), ``"max-t"``, ``"bh"`` or ``"none"`` (the default for one pair).
        tests: Further tests: ``"wilcoxon"``, ``"sign"``, ``"bootstrap-shift"``.
        alpha: Significance level; intervals have the confidence level ``1 - alpha``.
        margin: Largest difference that does not matter; smaller ones are "practically equal".
        tie: Largest difference between tied values of a query.
        seed: Seed of the random numbers. The same seed gives the same numbers.
        resamples: Number of random draws of each test; if not given, 100,000 sign flips and 10,000
            permutations.
        bounds: Whether to compute the interval of each difference over all labels of unjudged
            items, for nDCG and its family. See ``gainful.unjudged``.
        items: As for ``evaluate``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The means of all runs, the differences of all pairs, and the verdicts.

    Raises:
        ComparisonError: There are fewer than two runs, no run has the name of the baseline, the
            runs have no query in common, or a setting is out of range.
        MeasureError: A measure is unknown, or has no bounds and ``bounds`` is set.

    >>> qrels = {f"q{i}": {"d1": 2, "d2": 1} for i in range(30)}
    >>> plain = {query: ["d3", "d1"] for query in qrels}
    >>> better = {query: ["d1", "d3", "d2"][i % 3 == 0:] for i, query in enumerate(qrels)}
    >>> print(compare(qrels, {"plain": plain, "better": better}).verdict)
    better beats plain on nDCG@10: +0.2338 [0.1066, 0.3610], p = 0.0008 (paired t, 30 queries).
    """
    with open_collection(
        qrels,
        runs,
        items=items,
        rules=rules,
        threads=threads,
        progress=progress,
        keep_joins=bounds,
    ) as collection:
        settings = ComparisonSettings(
            baseline=find_run_name(baseline, collection.runs),
            correction=correction,
            tests=tests,
            alpha=alpha,
            margin=margin,
            tie=tie,
            seed=seed,
            resamples=resamples,
        )
        # Refused now, not after a long reading.
        settings.list_pairs(require_two_runs([run.name for run in collection.runs]))
        parsed = list_measures(measures)
        if bounds:
            collection.keep_top(find_bounds_depth(collection.resolve(parsed).values()))
        comparison = _compare_scores(evaluate_runs(collection, None, parsed), settings)
        return add_bounds(comparison, collection) if bounds else comparison


def compare_scores(
    scores: Iterable[Scores],
    *,
    baseline: str | None = None,
    correction: str | None = None,
    tests: str | Iterable[str] = (),
    alpha: Alpha = 0.05,
    margin: Margin = None,
    tie: Tie = 1e-9,
    seed: Seed = 0,
    resamples: Resamples = None,
) -> Comparison:
    """Compare runs by scores that ``evaluate`` has returned. See ``compare``.

    Args:
        scores: Two or more, with the same measures, rules and dialect.
        baseline: As for ``compare``, by its name.
        correction: As for ``compare``.
        tests: As for ``compare``.
        alpha: As for ``compare``.
        margin: As for ``compare``.
        tie: As for ``compare``.
        seed: As for ``compare``.
        resamples: As for ``compare``.

    Returns:
        The means of all runs, the differences of all pairs, and the verdicts.

    Raises:
        ComparisonError: There are fewer than two scores, they differ in measures, rules or dialect,
            or a setting is out of range.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> each = [gainful.evaluate(qrels, {"q1": ["d1"], "q2": ["d1"]}, "P@1") for _ in range(2)]
    >>> print(compare_scores(each).verdict)
    run-2 and run-1 are identical on P@1: same value on all 2 queries.
    """
    settings = ComparisonSettings(
        baseline=baseline,
        correction=correction,
        tests=tests,
        alpha=alpha,
        margin=margin,
        tie=tie,
        seed=seed,
        resamples=resamples,
    )
    return _compare_scores(check_scores(scores), settings)


def _compare_scores(scores: list[Scores], settings: ComparisonSettings) -> Comparison:
    runs, measures = tuple(run_scores.run for run_scores in scores), scores[0].measures
    pairs = settings.list_pairs(runs)
    queries, values = stack_common_values(scores)
    judged = {m: [run_scores.judged_of_returned(m) for run_scores in scores] for m in measures}
    results = [
        compare_measure(measure, runs, values[i], judged[measure], settings)
        for i, measure in enumerate(measures)
    ]
    comparison = Comparison(
        runs=runs,
        queries=queries,
        measures=measures,
        values=values,
        baseline=settings.baseline,
        systems=tuple(system for systems, _ in results for system in systems),
        pairs=tuple(pair for _, differences in results for pair in differences),
        correction=settings.resolve_correction(len(pairs)),
        alpha=settings.alpha,
        margin=settings.margin,
        tie=settings.tie,
        seed=settings.seed,
        resamples=settings.draws,
        rules=scores[0].rules,
    )
    notices = diagnose_comparison(
        comparison.systems, comparison.pairs, queries, scores, settings.tests
    )
    return replace(comparison, notices=notices)
