"""The values of a run as a table, tidy or wide: as cells of text, or as a polars frame.

Tidy has a row for every query and measure, wide a row for every query and a column for every
measure. A measure of the whole run has a value for no query. It gets one row that names none.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import FloatArray, encode_ids, import_package
from gainful.errors import OutputError
from gainful.measures import Measure

if TYPE_CHECKING:
    import pandas
    import polars

SHAPES = ("tidy", "wide")
TIDY_COLUMNS = ("system", "query", "measure", "value")
Cells = tuple[list[str], list[list[str]]]


def make_tidy_cells(
    run: str,
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    text: Callable[[Measure, float], str],
    *,
    last: tuple[str, Mapping[Measure, float]],
) -> Cells:
    """Make header and rows, one per query and measure; ``last`` are rows without a query."""
    columns = [i for i, measure in enumerate(measures) if not measure.whole]
    of_query = [(i, measures[i], str(measures[i])) for i in columns]
    rows = [
        [run, query, name, text(measure, row[i])]
        for query, row in zip(queries, values.tolist(), strict=True)
        for i, measure, name in of_query
    ]
    title, numbers = last
    rows += [[run, title, str(measure), text(measure, v)] for measure, v in numbers.items()]
    return list(TIDY_COLUMNS), rows


def make_wide_cells(
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    text: Callable[[Measure, float], str],
    *,
    last: tuple[str, Mapping[Measure, float]],
) -> Cells:
    """Make header and rows, one per query; ``last`` is a row without a query."""
    rows = [
        [query, *map(text, measures, row)]
        for query, row in zip(queries, values.tolist(), strict=True)
    ]
    title, numbers = last
    if numbers:
        rows.append([title, *(text(m, numbers.get(m, math.nan)) for m in measures)])
    return ["query", *map(str, measures)], rows


def make_tidy_frame(
    run: str,
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    overall: Mapping[Measure, float],
) -> "polars.DataFrame":
    """Make a polars frame of system, query, measure and value; missing values are null."""
    import polars as pl

    query_columns = [i for i, measure in enumerate(measures) if not measure.whole]
    names = pl.Series(
        encode_ids([str(measures[i]) for i in query_columns] + [str(m) for m in overall])
    )
    n, n_own, n_whole = len(queries), len(query_columns), len(overall)
    ids = pl.Series([*encode_ids(queries), None], dtype=pl.String)
    query_numbers = np.append(np.repeat(np.arange(n), n_own), np.full(n_whole, n))
    name_numbers = np.append(np.tile(np.arange(n_own), n), n_own + np.arange(n_whole))
    all_values = np.append(values[:, query_columns].ravel(), list(overall.values()))
    columns: list[Any] = [
        pl.Series(encode_ids([run])).gather(np.zeros(len(all_values), np.int64)),
        ids.gather(query_numbers),
        names.cast(pl.String).gather(name_numbers),
        _make_column(all_values),
    ]
    return pl.DataFrame([c.alias(name) for name, c in zip(TIDY_COLUMNS, columns, strict=True)])


def make_wide_frame(
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    overall: Mapping[Measure, float],
) -> "polars.DataFrame":
    """Make a polars frame of query and a column for every measure; missing values are null."""
    import polars as pl

    names = [str(measure) for measure in measures]
    if "query" in names:
        message = "wide: a measure has the name of the column 'query'. Pass shape='tidy'."
        raise OutputError(message, code="bad-name")
    ids: list[str | None] = [*encode_ids(queries)]
    if overall:
        ids.append(None)
        row = [overall.get(measure, math.nan) for measure in measures]
        values = np.concatenate([values, [row]])
    columns = [pl.Series("query", ids, dtype=pl.String)]
    columns += [_make_column(v).alias(name) for name, v in zip(names, values.T, strict=True)]
    return pl.DataFrame(columns)


def _make_column(values: FloatArray) -> Any:
    import polars as pl

    return pl.Series(np.ascontiguousarray(values)).fill_nan(None)


def convert_to_pandas(frame: "polars.DataFrame", wanted_by: str) -> "pandas.DataFrame":
    """Convert a polars frame to pandas; null becomes NaN, as usual in pandas."""
    pandas = import_package("pandas", wanted_by)
    # Not frame.to_pandas(): that takes pyarrow as well.
    return pandas.DataFrame(
        {c.name: c.to_numpy() if c.dtype.is_float() else c.to_list() for c in frame}
    )
