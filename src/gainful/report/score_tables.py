"""The values of a run as a table, tidy or wide: as cells of text, or as a polars frame.

Tidy has a row for every query and measure, wide a row for every query and a column for every
measure. A measure of the whole run has a value for no query. It gets one row that names none.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import FloatArray, import_package
from gainful.errors import OutputError
from gainful.measures import Measure

if TYPE_CHECKING:
    import pandas
    import polars

SHAPES = ("tidy", "wide")
TIDY_COLUMNS = ("system", "query", "measure", "value")
Cells = tuple[list[str], list[list[str]]]


def check_choice(
    shapes: Sequence[str], shape: str, wanted_by: str, *, argument: str = "shape"
) -> str:
    """The shape that was asked for, if there is such a one.

    >>> check_choice(SHAPES, "wide", "to_csv")
    'wide'
    """
    if shape not in shapes:
        message = f"{wanted_by}: {argument} must be one of {', '.join(shapes)}, got {shape!r:.60}."
        raise OutputError(message, code="bad-argument")
    return shape


def make_tidy_cells(
    run: str,
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    text: Callable[[Measure, float], str],
    *,
    last: tuple[str, Mapping[Measure, float]],
) -> Cells:
    """Header and rows, a row for every query and measure; ``last`` are rows of no query."""
    own = [i for i, measure in enumerate(measures) if not measure.whole]
    of_query = [(i, measures[i], str(measures[i])) for i in own]
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
    """Header and rows, a row for every query; ``last`` is a row of no query."""
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
    """A polars frame of system, query, measure and value; what has no value is null."""
    import polars as pl

    own = [i for i, measure in enumerate(measures) if not measure.whole]
    names = pl.Series(encode_ids([str(measures[i]) for i in own] + [str(m) for m in overall]))
    n, n_own, n_whole = len(queries), len(own), len(overall)
    ids = pl.Series([*encode_ids(queries), None], dtype=pl.String)
    which_query = np.append(np.repeat(np.arange(n), n_own), np.full(n_whole, n))
    which_name = np.append(np.tile(np.arange(n_own), n), n_own + np.arange(n_whole))
    every = np.append(values[:, own].ravel(), list(overall.values()))
    columns: list[Any] = [
        pl.Series(encode_ids([run])).gather(np.zeros(len(every), np.int64)),
        ids.gather(which_query),
        names.cast(pl.String).gather(which_name),
        _make_column(every),
    ]
    return pl.DataFrame([c.alias(name) for name, c in zip(TIDY_COLUMNS, columns, strict=True)])


def make_wide_frame(
    queries: Sequence[str],
    measures: Sequence[Measure],
    values: FloatArray,
    overall: Mapping[Measure, float],
) -> "polars.DataFrame":
    """A polars frame of query and a column for every measure; what has no value is null."""
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
    """A polars frame as one of pandas; null is NaN, as pandas has it."""
    pandas = import_package("pandas", wanted_by)
    # Not frame.to_pandas(): that takes pyarrow as well.
    return pandas.DataFrame(
        {c.name: c.to_numpy() if c.dtype.is_float() else c.to_list() for c in frame}
    )


def encode_ids(ids: Sequence[str]) -> Sequence[str]:
    """The ids as Arrow takes them: a byte of a file that is not UTF-8 is written as text.

    >>> encode_ids(["q1", "q\\udcff"])
    ['q1', 'q\\\\udcff']
    """
    try:
        "".join(ids).encode()
    except UnicodeEncodeError:
        return [encode_text(name) for name in ids]
    return ids


def encode_text(text: str) -> str:
    """Text that can be encoded: a byte that is not UTF-8 is written as its number.

    >>> encode_text("q\\udcff") == "q\\\\udcff"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode()
