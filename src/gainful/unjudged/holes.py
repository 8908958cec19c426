"""Holes: unjudged items, and how much the label of each could change."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gainful.errors import OutputError
from gainful.measures import Measure
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen
from gainful.shapes import valid
from gainful.unjudged.bounds import Bounds
from gainful.wording import count

if TYPE_CHECKING:
    import polars


class Hole(NamedTuple):
    """One unjudged item.

    Attributes:
        query: The query it was returned for.
        item: Its id.
        rank: Its best rank.
        runs: Its rank in every run that has it in its first ranks.
        impact: By how much its label could change the value of its query, in any run.
        mean_impact: By how much it could change the mean of any run.
        verdict_impact: By how much it could change the difference of the runs that are compared;
            None if there is one run.
    """

    query: str
    item: str
    rank: int
    runs: dict[str, int]
    impact: float
    mean_impact: float
    verdict_impact: float | None


@dataclass(eq=False, repr=False)
class Holes(Frozen):
    """Unjudged items, the one to judge first at the top; an element for each.

    Attributes:
        measure: The measure.
        runs: The names of the runs.
        compared: The runs, system and baseline, whose difference ``verdict_impact`` is about.
        query: The query of each.
        item: Its id.
        ranks: Its rank in every run, a row for each run; 0 where it is not in the first ranks.
        impact: By how much its label could change the value of its query, in any run.
        mean_impact: By how much it could change the mean of any run.
        verdict_impact: By how much it could change a difference of means; None for one run.
        bounds: What judging all of them could do.
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
    def rows(self) -> list[Hole]:
        """One by one."""
        verdict = (
            [None] * len(self) if self.verdict_impact is None else self.verdict_impact.tolist()
        )
        each = zip(
            self.query,
            self.item,
            best_ranks(self.ranks).tolist(),
            map(self._named, self.ranks.T.tolist()),
            self.impact.tolist(),
            self.mean_impact.tolist(),
            verdict,
            strict=True,
        )
        return [Hole(*columns) for columns in each]

    def first(self, n: int | None) -> "Holes":
        """The first ``n``; all if None."""
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
        """A polars frame with a row for each; ``runs`` is a text of runs and ranks.

        >>> import gainful
        >>> found = gainful.holes({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}})
        >>> found.to_polars().columns[:5]
        ['query', 'item', 'rank', 'n_runs', 'runs']
        """
        import polars as pl

        named = zip(valid(self.runs), self.ranks, strict=True)
        each = [
            pl.when(ranks > 0).then(pl.format("{}:{}", pl.lit(name), pl.lit(ranks)))
            for name, ranks in ((name, pl.Series(ranks)) for name, ranks in named)
        ]
        return self._columns().with_columns(
            pl.concat_str(each, separator=" ", ignore_nulls=True).alias("runs")
        )

    def to_csv(self) -> str:
        """Comma-separated values, a header first; floats at full precision.

        >>> import gainful
        >>> found = gainful.holes({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}})
        >>> print(found.to_csv(), end="")
        query,item,rank,n_runs,runs,impact,mean_impact,verdict_impact
        q1,b,1,1,mine:1,0.36907024642854247,0.36907024642854247,
        """
        text: str = self.to_polars().write_csv()
        return text

    def to_jsonl(self) -> str:
        """JSON lines, an object for each; ``runs`` is an object of runs and ranks."""
        import polars as pl

        named = zip(valid(self.runs), self.ranks, strict=True)
        ranks = pl.DataFrame({name: pl.Series(r).replace(0, None) for name, r in named})
        text: str = self._columns().with_columns(ranks.to_struct("runs")).write_ndjson()
        return text

    def to_trec(self) -> str:
        """The lines of a run whose scores are what the items are ordered by.

        Ranks are counted anew in each query.
        """
        import polars as pl

        decides = self.impact if self.verdict_impact is None else self.verdict_impact
        columns = self._columns()
        for name in ("query", "item"):
            odd = columns[name].filter(columns[name].str.contains(r"^$|\s"))
            if len(odd):
                message = (
                    f"trec: {name} {odd[0]!r} is empty or has white space in it, which TREC files "
                    "cannot hold. Pass -o csv, or jsonl."
                )
                raise OutputError(message, code="lossy")
        frame = columns.select(
            "query",
            pl.lit("Q0").alias("Q0"),
            "item",
            pl.int_range(1, pl.len() + 1).over("query").alias("rank"),
            pl.Series("score", decides),
            pl.lit("gainful").alias("tag"),
        )
        text: str = frame.write_csv(include_header=False, separator=" ", quote_style="never")
        return text

    @property
    def summary(self) -> str:
        """What judging all of them could do, in a sentence for every run or pair."""
        found, lines = self.bounds, []
        if not self.compared:
            (run,) = self.runs
            lines.append(
                f"Judging them all could move {self.measure} of {run} from {found.value(run):.4f} "
                f"to a value in {found.mean(run)}."
            )
        lines += [found.sentence(*pair) for pair in self.compared]
        return "\n".join(lines)

    def __repr__(self) -> str:
        n_holes = count(len(self), "unjudged item", "unjudged items")
        return f"<Holes of {self.measure} in {', '.join(map(repr, self.runs))}: {n_holes}>"

    def _columns(self) -> "polars.DataFrame":
        import polars as pl

        verdict = self.verdict_impact
        return pl.DataFrame(
            {
                "query": pl.Series(valid(self.query), dtype=pl.String),
                "item": pl.Series(valid(self.item), dtype=pl.String),
                "rank": best_ranks(self.ranks),
                "n_runs": (self.ranks > 0).sum(axis=0),
                "runs": pl.Series([None] * len(self), dtype=pl.String),
                "impact": self.impact,
                "mean_impact": self.mean_impact,
                "verdict_impact": pl.Series(verdict, dtype=pl.Float64)
                if verdict is not None
                else pl.Series([None] * len(self), dtype=pl.Float64),
            }
        )

    def _named(self, ranks: list[int]) -> dict[str, int]:
        return {run: rank for run, rank in zip(self.runs, ranks, strict=True) if rank}


def best_ranks(ranks: IntArray) -> IntArray:
    """The best rank of each item of several rankings, 0 standing for none.

    >>> best_ranks(np.array([[3, 0], [2, 7]])).tolist()
    [2, 7]
    """
    below = np.iinfo(np.int64).max
    best: IntArray = np.where(ranks > 0, ranks, below).min(axis=0, initial=below)
    return best
