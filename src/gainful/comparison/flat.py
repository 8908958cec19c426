"""A Comparison as plain values: as rows of columns that tables hold, and as what JSON holds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from gainful import shapes
from gainful.interval import Interval
from gainful.plain import plain

if TYPE_CHECKING:
    import polars

    from gainful.comparison.result import Comparison

OF = ("pairs", "systems")


def rows(comparison: "Comparison", of: str, wanted_by: str) -> list[dict[str, Any]]:
    """A row for every pair and measure, or for every run and measure; an interval is two columns.

    The p-value of a test that was asked for is a column called after it, such as ``p_wilcoxon``.
    """
    shapes.one_of(OF, of, wanted_by, argument="of")
    primary = comparison.measures[0]
    records = comparison.pairs if of == "pairs" else comparison.systems
    return [_flat(record, exploratory=record.measure != primary) for record in records]


def _flat(record: Any, *, exploratory: bool) -> dict[str, Any]:
    found = {"measure": str(record.measure), "exploratory": exploratory}
    for name, value in _named(record).items():
        if isinstance(value, Interval) or name == "possible":
            low, high = value or (None, None)
            found |= {f"{name}_low": low, f"{name}_high": high}
        elif isinstance(value, Mapping):
            found |= {f"p_{test.replace('-', '_')}": p for test, p in value.items()}
        else:
            found[name] = value
    return found


def _named(record: Any) -> dict[str, Any]:
    """What a System or Pair holds but the measure; a run is called the same in all tables."""
    names = [field.name for field in fields(record) if field.name != "measure"]
    return {"system" if name == "name" else name: getattr(record, name) for name in names}


def frame(comparison: "Comparison", of: str, wanted_by: str) -> "polars.DataFrame":
    """The rows as a polars frame; what has no value is null."""
    import polars as pl

    held = rows(comparison, of, wanted_by)
    dtypes: dict[str, Any] = {
        **dict.fromkeys(("measure", "system", "baseline", "verdict", "sentence"), pl.String),
        **dict.fromkeys(("wins", "ties", "losses", "n_queries"), pl.Int64),
        "exploratory": pl.Boolean,
    }
    columns = []
    for name in dict.fromkeys(name for row in held for name in row):
        values: list[Any] = [row.get(name) for row in held]
        dtype = dtypes.get(name, pl.Float64)
        values = list(shapes.valid(values)) if dtype == pl.String else values
        column = pl.Series(name, values, dtype=dtype, strict=False)
        columns.append(column.fill_nan(None) if dtype == pl.Float64 else column)
    return pl.DataFrame(columns)


def cells(comparison: "Comparison", of: str, wanted_by: str, *, empty: str) -> shapes.Cells:
    """Header and rows of text, at full precision; ``empty`` is what stands for no value."""
    held = rows(comparison, of, wanted_by)
    header = list(dict.fromkeys(name for row in held for name in row))
    return header, [[_text(row.get(name), empty) for name in header] for row in held]


def _text(value: Any, empty: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return empty
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float) else str(value)


def held(comparison: "Comparison") -> dict[str, Any]:
    """Everything there is, as JSON holds it; None stands for NaN and for infinity."""
    primary = comparison.measures[0]

    def listed(records: Sequence[Any]) -> list[dict[str, Any]]:
        return [
            {"measure": str(one.measure), "exploratory": one.measure != primary}
            | plain(_named(one))
            for one in records
        ]

    return {
        "verdict": comparison.verdict,
        "runs": list(comparison.runs),
        "n_queries": len(comparison.queries),
        "measures": [str(measure) for measure in comparison.measures],
        "baseline": comparison.baseline,
        "systems": listed(comparison.systems),
        "pairs": listed(comparison.pairs),
        "correction": comparison.correction,
        "alpha": comparison.alpha,
        "margin": comparison.margin,
        "tie": comparison.tie,
        "seed": comparison.seed,
        "resamples": dict(comparison.resamples),
        "rules": comparison.rules.to_dict(),
        "notices": [plain(notice.to_dict()) for notice in comparison.notices],
        "per_query": _per_query(comparison),
    }


def _per_query(comparison: "Comparison") -> list[dict[str, Any]]:
    """A list, not a dict by name: nothing is lost if two runs have the same."""
    return [
        {
            "measure": str(measure),
            "run": run,
            "values": dict(zip(comparison.queries, plain(values), strict=True)),
        }
        for measure, of_runs in zip(comparison.measures, comparison.values.tolist(), strict=True)
        for run, values in zip(comparison.runs, of_runs, strict=True)
    ]
