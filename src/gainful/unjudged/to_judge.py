"""Items to judge: the unjudged items, those whose label could change most first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gainful.base import FloatArray, IntArray, encode_ids, format_count, ragged
from gainful.errors import ComparisonError, OutputError
from gainful.evaluation import EMPTY_VALUES
from gainful.measures import Measure
from gainful.unjudged.bounds import Bounds
from gainful.unjudged.extremes import PooledUnjudgedItems, collect_unjudged

if TYPE_CHECKING:
    import polars


class ItemToJudge(NamedTuple):
    """One unjudged item.

    Attributes:
        query: The query it was returned for.
        item: Its id.
        rank: Its best rank.
        runs: Its rank in every run that has it in its first ranks.
        impact: Largest change of the value of its query by its label, in any run.
        mean_impact: Largest change of the mean of any run.
        verdict_impact: Largest change of the difference of the runs that are compared; None if
            there is one run.
    """

    query: str
    item: str
    rank: int
    runs: dict[str, int]
    impact: float
    mean_impact: float
    verdict_impact: float | None


@dataclass(frozen=True, eq=False)
class ItemsToJudge:
    """Unjudged items, the most influential first; every attribute has one element per item.

    Attributes:
        measure: The measure.
        runs: The names of the runs.
        compared: The runs, system and baseline, whose difference ``verdict_impact`` is about.
        query: The query of each.
        item: Its id.
        ranks: Its rank in every run, a row for each run; 0 where it is not in the first ranks.
        impact: Largest change of the value of its query by its label, in any run.
        mean_impact: Largest change of the mean of any run.
        verdict_impact: Largest change of a difference of means; None for one run.
        bounds: Bounds of the values and of the differences.
    """

    measure: Measure
    runs: tuple[str, ...]
    compared: tuple[tuple[str, str], ...]
    query: tuple[str, ...]
    item: tuple[str, ...]
    ranks: IntArray
    impact: FloatArray
    mean_impact: FloatArray
    verdict_impact: FloatArray | None
    bounds: Bounds

    def __len__(self) -> int:
        return len(self.item)

    @property
    def rows(self) -> list[ItemToJudge]:
        """The items one by one."""
        verdict = (
            [None] * len(self) if self.verdict_impact is None else self.verdict_impact.tolist()
        )
        columns = zip(
            self.query,
            self.item,
            find_best_ranks(self.ranks).tolist(),
            map(self._map_ranks, self.ranks.T.tolist()),
            self.impact.tolist(),
            self.mean_impact.tolist(),
            verdict,
            strict=True,
        )
        return [ItemToJudge(*row) for row in columns]

    def first(self, n: int | None) -> "ItemsToJudge":
        """Return the first ``n`` items; all if None."""
        verdict = self.verdict_impact
        return replace(
            self,
            query=self.query[:n],
            item=self.item[:n],
            ranks=self.ranks[:, :n],
            impact=self.impact[:n],
            mean_impact=self.mean_impact[:n],
            verdict_impact=None if verdict is None else verdict[:n],
        )

    def to_polars(self) -> "polars.DataFrame":
        """Return a polars frame with one row per item; ``runs`` is a text of runs and ranks.

        >>> import gainful
        >>> items = gainful.unjudged({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}}).items
        >>> items.to_polars().columns[:5]
        ['query', 'item', 'rank', 'n_runs', 'runs']
        """
        import polars as pl

        named_ranks = zip(encode_ids(self.runs), self.ranks, strict=True)
        texts = [
            pl.when(ranks > 0).then(pl.format("{}:{}", pl.lit(name), pl.lit(ranks)))
            for name, ranks in ((name, pl.Series(ranks)) for name, ranks in named_ranks)
        ]
        return self._make_columns().with_columns(
            pl.concat_str(texts, separator=" ", ignore_nulls=True).alias("runs")
        )

    def to_csv(self) -> str:
        """Return comma-separated values, a header first; floats at full precision.

        >>> import gainful
        >>> items = gainful.unjudged({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}}).items
        >>> print(items.to_csv(), end="")
        query,item,rank,n_runs,runs,impact,mean_impact,verdict_impact
        q1,b,1,1,mine:1,0.36907024642854247,0.36907024642854247,
        """
        text: str = self.to_polars().write_csv()
        return text

    def to_jsonl(self) -> str:
        """Return JSON lines, one object per item; ``runs`` is an object of runs and ranks."""
        import polars as pl

        named_ranks = zip(encode_ids(self.runs), self.ranks, strict=True)
        ranks = pl.DataFrame({name: pl.Series(r).replace(0, None) for name, r in named_ranks})
        text: str = self._make_columns().with_columns(ranks.to_struct("runs")).write_ndjson()
        return text

    def to_trec(self) -> str:
        """Return the lines of a run whose scores are the impacts that order the items.

        Ranks start from 1 in each query.
        """
        import polars as pl

        score = self.impact if self.verdict_impact is None else self.verdict_impact
        columns = self._make_columns()
        for name in ("query", "item"):
            unfit = columns[name].filter(columns[name].str.contains(r"^$|\s"))
            if len(unfit):
                message = (
                    f"trec: {name} {unfit[0]!r} is empty or has white space in it, which TREC "
                    "files cannot hold. Pass -f csv, or jsonl."
                )
                raise OutputError(message, code="lossy")
        frame = columns.select(
            "query",
            pl.lit("Q0").alias("Q0"),
            "item",
            pl.int_range(1, pl.len() + 1).over("query").alias("rank"),
            pl.Series("score", score),
            pl.lit("gainful").alias("tag"),
        )
        text: str = frame.write_csv(include_header=False, separator=" ", quote_style="never")
        return text

    @property
    def summary(self) -> str:
        """The possible effect of judging all of them, one sentence per run or pair."""
        bounds, lines = self.bounds, []
        if not self.compared:
            (run,) = self.runs
            lines.append(
                f"Judging them all could move {self.measure} of {run} from {bounds.value(run):.4f} "
                f"to a value in {bounds.mean(run)}."
            )
        lines += [bounds.sentence(*pair) for pair in self.compared]
        return "\n".join(lines)

    def __repr__(self) -> str:
        n_items = format_count(len(self), "unjudged item", "unjudged items")
        return f"<ItemsToJudge by {self.measure} in {', '.join(map(repr, self.runs))}: {n_items}>"

    def _make_columns(self) -> "polars.DataFrame":
        import polars as pl

        verdict = self.verdict_impact
        return pl.DataFrame(
            {
                "query": pl.Series(encode_ids(self.query), dtype=pl.String),
                "item": pl.Series(encode_ids(self.item), dtype=pl.String),
                "rank": find_best_ranks(self.ranks),
                "n_runs": (self.ranks > 0).sum(axis=0),
                "runs": pl.Series([None] * len(self), dtype=pl.String),
                "impact": self.impact,
                "mean_impact": self.mean_impact,
                "verdict_impact": pl.Series(verdict, dtype=pl.Float64)
                if verdict is not None
                else pl.Series([None] * len(self), dtype=pl.Float64),
            }
        )

    def _map_ranks(self, ranks: list[int]) -> dict[str, int]:
        return {run: rank for run, rank in zip(self.runs, ranks, strict=True) if rank}


def find_best_ranks(ranks: IntArray) -> IntArray:
    """Return the best rank of each item in several rankings; 0 means not ranked.

    >>> find_best_ranks(np.array([[3, 0], [2, 7]])).tolist()
    [2, 7]
    """
    below = np.iinfo(np.int64).max
    best: IntArray = np.where(ranks > 0, ranks, below).min(axis=0, initial=below)
    return best


def rank_items(bounds: Bounds, baseline: str | None = None) -> ItemsToJudge:
    """Return the unjudged items by the largest possible effect of their label. See ``unjudged``."""
    if baseline is not None and baseline not in bounds.runs:
        message = f"baseline: must be one of {', '.join(bounds.runs)}, got {baseline!r}."
        raise ComparisonError(message, code="unknown-run")
    pairs = _select_pairs(bounds, baseline)
    items = collect_unjudged(bounds.run_items)
    impact, mean_impact, verdict_impact = _compute_impacts(bounds, items, pairs)
    places = [run_items.places for run_items in bounds.run_items]
    ranks = _spread_by_run(items, [run_places.rank for run_places in places]).astype(np.int64)
    # Equals keep their order, which is that of the qrels and the runs.
    order = np.lexsort((find_best_ranks(ranks), -impact, -verdict_impact))
    valued = np.logical_not(np.isnan(bounds.values).all(axis=0, keepdims=True))[0]
    order = order[valued[items.query[order]]]
    ids = np.array(places[0].ids, dtype=object)
    return ItemsToJudge(
        measure=bounds.measure,
        runs=bounds.runs,
        compared=pairs,
        query=tuple(np.array(bounds.queries, dtype=object)[items.query[order]].tolist()),
        item=tuple(ids[items.item[order]].tolist()),
        ranks=ranks[:, order],
        impact=impact[order],
        mean_impact=mean_impact[order],
        verdict_impact=verdict_impact[order] if pairs else None,
        bounds=bounds,
    )


def _select_pairs(bounds: Bounds, baseline: str | None) -> tuple[tuple[str, str], ...]:
    """Return the runs whose difference is the verdict, by name: system and baseline."""
    if baseline is not None:
        return tuple(bounds.pairs(baseline))
    if len(bounds.runs) < 2:
        return ()
    means = [-ragged.mean(values) for values in bounds.values]
    first, second = np.argsort(means, kind="stable")[:2].tolist()
    return ((bounds.runs[first], bounds.runs[second]),)


def _spread_by_run(
    items: PooledUnjudgedItems, columns: Sequence[IntArray] | Sequence[FloatArray]
) -> FloatArray:
    """Return a row for every run with a number for each item; 0 where the run lacks the item."""
    table = np.zeros((len(items.numbers), len(items.query)))
    for row, numbers, column in zip(table, items.numbers, columns, strict=True):
        row[numbers] = column
    return table


def _compute_impacts(
    bounds: Bounds, items: PooledUnjudgedItems, pairs: tuple[tuple[str, str], ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the largest changes of a value, of a mean, and of a difference of means."""
    weight = _spread_by_run(items, [run_items.places.weight for run_items in bounds.run_items])
    defined = ~np.isnan(bounds.values)
    share = 1.0 / np.maximum(defined.sum(axis=1), 1)[:, np.newaxis]
    impact, mean_impact, verdict_impact = np.zeros((3, len(items.query)))
    numbers = [tuple(map(bounds.runs.index, pair)) for pair in pairs]
    for change in _compute_changes(bounds, items, weight):
        moved = np.abs(change)
        np.maximum(impact, moved.max(axis=0), out=impact)
        np.maximum(mean_impact, (moved * share).max(axis=0), out=mean_impact)
        for system, baseline in numbers:
            n_both = max(int((defined[system] & defined[baseline]).sum()), 1)
            difference = np.abs(change[system] - change[baseline]) / n_both
            np.maximum(verdict_impact, difference, out=verdict_impact)
    return impact, mean_impact, verdict_impact


def _compute_changes(
    bounds: Bounds, items: PooledUnjudgedItems, weight: FloatArray
) -> Iterator[FloatArray]:
    """Yield, for each label, the change of the value of the query in each run if an item has it.

    The best ranking may change in runs, too, that have not returned the item.
    """
    problem, query = bounds.problem, items.query
    ideal = _compute_ideal_gains(bounds)
    current = bounds.values[:, query]
    sums = np.stack([problem.formula.dcg(run_items.ranked) for run_items in bounds.run_items])[
        :, query
    ]
    undefined = EMPTY_VALUES[problem.rules.empty]
    for number, gain in enumerate(problem.choices.gain):
        best = ideal[query, number]
        value = sums + gain * weight
        value = np.divide(value, best, out=np.full(value.shape, undefined), where=best != 0)
        if problem.formula.normalized:
            value = np.minimum(value, 1.0)
        yield np.nan_to_num(value - current)


def _compute_ideal_gains(bounds: Bounds) -> FloatArray:
    """Return the gain of the best ranking of each query with one more item, by its gain."""
    problem, ranked = bounds.problem, bounds.run_items[0].ranked
    n_queries, n_choices = ranked.n_queries, len(problem.choices.gain)
    best = problem.build_ideal_steps(ranked, np.ones(n_queries, dtype=np.int64))
    if best is None:
        return np.ones((n_queries, n_choices))
    totals = best.sum_steps(np.arange(n_queries), 1)
    added = np.cumsum(totals[..., 1] - totals[..., 0], axis=1)[:, :n_choices]
    ideals: FloatArray = totals[..., 0].sum(axis=1, keepdims=True) + added
    return ideals
