"""Scores: the values of every measure for every query, and what they hold under."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gainful import tables
from gainful.errors import MeasureError
from gainful.measures import Measure, parse
from gainful.notices import Notice
from gainful.ragged import FloatArray
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.wording import count


@dataclass(eq=False, repr=False)
class Scores(Frozen):
    """Queries x measures, with the rules and notices they come with.

    Attributes:
        run: The name of the run.
        queries: The id of each query, in the order of the qrels.
        measures: The measures, in the order they were asked for.
        values: One row per query, one column per measure.
        rules: The rules under which the values hold.
        notices: What a reader of the values should know.
        overall: The numbers of measures of whole runs; their columns are NaN.

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

    def __getitem__(self, measure: str | Measure) -> float:
        """The average of one measure over the queries, or its number for the whole run."""
        wanted = self._known(measure)
        return self.overall[wanted] if wanted.whole else wanted.averaged(self.column(wanted))

    __iter__ = None  # its items are measures by name, not by number

    def column(self, measure: str | Measure) -> FloatArray:
        """The values of one measure, one per query."""
        return self.values[:, self.measures.index(self._known(measure))]

    def mean(self) -> dict[str, float]:
        """The average of every measure, NaN values left out.

        Counts are added up, geometric means are geometric; all else is the arithmetic mean.
        """
        return {str(measure): self[measure] for measure in self.measures}

    def per_query(self) -> dict[str, dict[str, float]]:
        """Every value, by query and measure."""
        names = [str(measure) for measure in self.measures]
        rows = self.values.tolist()
        return {
            q: dict(zip(names, row, strict=True)) for q, row in zip(self.queries, rows, strict=True)
        }

    def worst(self, n: int = 5, measure: str | Measure | None = None) -> dict[str, float]:
        """The ``n`` queries with the lowest values, lowest first (of the first measure).

        Queries that have no value come last.
        """
        values = self.column(self.measures[0] if measure is None else measure)
        order = np.argsort(values, kind="stable")[: max(n, 0)]
        return {self.queries[i]: float(values[i]) for i in order}

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; NaN is None."""
        per_query = {
            q: {m: _plain(v) for m, v in row.items()} for q, row in self.per_query().items()
        }
        return {
            "run": self.run,
            "n_queries": len(self.queries),
            "mean": {m: _plain(v) for m, v in self.mean().items()},
            "per_query": per_query,
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision."""
        import json  # only who asks for it pays for loading it

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """One line per query, one column per measure, floats at full precision."""
        rows = [
            [query, *map(repr, row)]
            for query, row in zip(self.queries, self.values.tolist(), strict=True)
        ]
        return tables.to_csv(["query", *map(str, self.measures)], rows)

    def to_markdown(self) -> str:
        """The means as a Markdown table, followed by rules and notices."""
        table = tables.to_markdown(["measure", self.run], self._mean_rows())
        notes = "".join(f"- {notice} `[{notice.code}]`\n" for notice in self.notices)
        return f"{table}\n{self._n_queries()}. Rules: `{self.rules}`\n" + (notes and "\n" + notes)

    def __repr__(self) -> str:
        width = max(len(str(measure)) for measure in self.measures)
        lines = [f"<Scores of {self.run!r} on {self._n_queries()}>"]
        lines += [f"{name:{width}}  {value}" for name, value in self._mean_rows()]
        lines += [f"rules: {self.rules}"]
        return "\n".join([*lines, *(n.line for n in self.notices)])

    def _repr_html_(self) -> str:
        import html

        table = tables.to_html(["measure", self.run], self._mean_rows())
        notes = "".join(f"<li>{html.escape(f'{n} [{n.code}]')}</li>" for n in self.notices)
        rules = html.escape(str(self.rules))
        return f"{table}<p>{self._n_queries()}. Rules: {rules}</p><ul>{notes}</ul>"

    def _known(self, measure: str | Measure) -> Measure:
        wanted = parse(measure) if isinstance(measure, str) else measure
        if wanted not in self.measures:
            known = ", ".join(map(str, self.measures))
            message = f"{wanted} was not evaluated; there are {known}."
            raise MeasureError(message)
        return wanted

    def _n_queries(self) -> str:
        return count(len(self.queries), "query", "queries")

    def _mean_rows(self) -> list[list[str]]:
        means = zip(self.measures, self.mean().values(), strict=True)
        return [[str(measure), four_decimals(measure, value)] for measure, value in means]


def four_decimals(measure: Measure, value: float) -> str:
    """A value for people: a count as it is, and a dash where a measure has none for a query."""
    if measure.whole and math.isnan(value):
        return "-"
    return f"{value:.0f}" if measure.average == "sum" and value % 1 == 0 else f"{value:.4f}"


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
