"""Bounds as text."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gainful import ragged, tables
from gainful.digits import every_digit, every_field, four_decimals
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.notices import lines
from gainful.plain import to_json
from gainful.unjudged.bounds import Bounds
from gainful.wording import count

COLUMNS = ("run", "baseline", "query", "value", "low", "high", "judged")
Text = Callable[[Measure, float], str]


class Row(NamedTuple):
    """A value, or a difference of two runs, and where it could lie; judged is None for the latter.

    Its query is ``all`` if it is a mean.
    """

    run: str
    baseline: str
    query: str
    value: float
    possible: Interval
    judged: float | None

    def cells(self, measure: Measure, text: Text) -> list[str]:
        """The numbers as text."""
        numbers = [text(measure, number) for number in (self.value, *self.possible)]
        return [*numbers, "" if self.judged is None else text(measure, self.judged)]


def table(bounds: Bounds, per_query: bool, baseline: str | None) -> str:
    """Aligned columns for people, and whether judging could turn the order of runs over."""
    own = [row for row in _runs(bounds, per_query)]
    text = _aligned(bounds, own, ["run"], [[row.run] for row in own], per_query)
    pairs = list(bounds.pairs(baseline))
    if not pairs:
        return text
    apart = list(_pairs(bounds, per_query, baseline))
    names = [[f"{row.run} - {row.baseline}"] for row in apart]
    text += "\n" + _aligned(bounds, apart, ["difference"], names, per_query, judged=False)
    return text + "\n" + "".join(f"{bounds.sentence(*pair)}\n" for pair in pairs)


def tsv(bounds: Bounds, per_query: bool, baseline: str | None) -> str:
    """Tab-separated values at full precision, for pipes."""
    rows = _cells(bounds, per_query, baseline, every_field)
    return tables.to_tsv([[cell or "-" for cell in row] for row in rows])


def csv(bounds: Bounds, per_query: bool, baseline: str | None) -> str:
    """Comma-separated values at full precision."""
    header, *rows = _cells(bounds, per_query, baseline, every_digit)
    return tables.to_csv(header, rows)


def as_json(bounds: Bounds, per_query: bool, baseline: str | None) -> str:
    """Everything there is, at full precision."""
    held = bounds.to_dict(baseline=baseline)
    for run in () if per_query else held["runs"]:
        del run["per_query"]
    return to_json(held) + "\n"


OUTPUTS: dict[str, Callable[[Bounds, bool, str | None], str]] = {
    "table": table,
    "tsv": tsv,
    "csv": csv,
    "json": as_json,
}


def footnotes(bounds: Bounds) -> list[str]:
    """What was tried, the rules, and every notice once."""
    grades = ", ".join(f"{grade:g}" for grade in bounds.grades)
    n_queries = count(len(bounds.queries), "query", "queries")
    return [
        f"{bounds.measure}: every unjudged item may get any of the grades {grades}.",
        f"rules: {bounds.rules} ({n_queries})",
        *lines(bounds.notices),
    ]


def _aligned(
    bounds: Bounds,
    rows: list[Row],
    header: list[str],
    names: list[list[str]],
    per_query: bool,
    *,
    judged: bool = True,
) -> str:
    query = ["query"] if per_query else []
    end = None if judged else -1
    cells = [
        [
            *name,
            *([row.query] if per_query else []),
            *row.cells(bounds.measure, four_decimals)[:end],
        ]
        for name, row in zip(names, rows, strict=True)
    ]
    left = tuple(range(len(header) + len(query)))
    return tables.to_text([*header, *query, *COLUMNS[3:][:end]], cells, left=left)


def _cells(bounds: Bounds, per_query: bool, baseline: str | None, text: Text) -> list[list[str]]:
    rows = [*_runs(bounds, per_query), *_pairs(bounds, per_query, baseline)]
    cells = [[*row[:3], *row.cells(bounds.measure, text)] for row in rows]
    return [list(COLUMNS), *cells]


def _runs(bounds: Bounds, per_query: bool) -> Iterator[Row]:
    for number, run in enumerate(bounds.runs):
        held = (bounds.values, bounds.low, bounds.high, bounds.judged)
        columns = [column[number].tolist() for column in held]
        for query, *numbers in zip(bounds.queries, *columns, strict=True) if per_query else ():
            value, low, high, judged = numbers
            yield Row(run, "", query, value, Interval(low, high), judged)
        judged = ragged.mean(bounds.judged[number])
        yield Row(run, "", "all", bounds.value(run), bounds.mean(run), judged)


def _pairs(bounds: Bounds, per_query: bool, baseline: str | None) -> Iterator[Row]:
    for system, other in bounds.pairs(baseline):
        if per_query:
            ours, theirs = (bounds.values[bounds.runs.index(run)] for run in (system, other))
            now = (ours - theirs).tolist()
            each = zip(bounds.queries, now, bounds.differences(system, other), strict=True)
            yield from (Row(system, other, *found, None) for found in each)
        mean = bounds.value_difference(system, other), bounds.difference(system, other)
        yield Row(system, other, "all", *mean, None)
