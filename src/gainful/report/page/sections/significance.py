"""Which differences are more than chance."""

import math
from typing import Any

from gainful.charts.intervals import forest
from gainful.comparison.digits import decimals, effect, ends, p_value, signed
from gainful.comparison.plotting import forest_rows
from gainful.comparison.result import VERDICTS, Comparison, Pair
from gainful.comparison.sections import deciding, level
from gainful.comparison.standing import Beside, beside, first_pairs, ordered
from gainful.experiment.result import Experiment
from gainful.report.page.parts import TEXT, Chart, Column, Section, Table, table

_MOST = 24  # pairs that the forest shows
_COMPACT = 8  # runs, beyond which cells show one number at first
Matrix = dict[str, Any]


def section(experiment: Experiment) -> Section | None:
    """Matrix and forest; None for one run."""
    comparison = experiment.comparison
    if comparison is None:
        return None
    pairs, some = _shown(comparison)
    highest = sorted(pairs, key=lambda pair: (math.isnan(pair.difference), -pair.difference))
    measure = str(comparison.measures[0])
    chart = Chart(
        "forest",
        f"Differences of {measure}, with their {level(comparison)} intervals",
        forest(forest_rows(highest), measure=measure),
        "Each line is a pair of runs: the mark is the difference, the line its "
        f"{level(comparison)} interval, of that pair alone. The word at its end is the verdict, "
        f"which takes into account how many pairs there are.{some}",
        _table(comparison, pairs),
    )
    values = {
        "matrix": matrix(comparison),
        "compact": comparison.baseline is None and len(comparison.runs) > _COMPACT,
        "measure": measure,
        "p_title": deciding(comparison),
        "verdicts": VERDICTS,
        "alpha": f"{comparison.alpha:g}",
        "correction": comparison.correction,
    }
    return Section("significance", "Significance", values, (chart,))


def matrix(comparison: Comparison) -> Matrix:
    """Rows less columns: difference, p-value and effect of every pair, whichever way round."""
    rows = ordered(comparison)
    columns = rows if comparison.baseline is None else [comparison.baseline]
    each = [beside(first_pairs(comparison), other) for other in columns]
    return {
        "columns": columns,
        "rows": [
            {"run": run, "cells": [_cell(of.get(run), comparison.alpha) for of in each]}
            for run in rows
        ],
    }


def _cell(found: Beside | None, alpha: float) -> dict[str, str] | None:
    return found and {
        "difference": signed(found.difference),
        "p": p_value(found.p_adjusted, alpha),
        "effect": effect(found.effect),
        "verdict": found.verdict,
    }


def _shown(comparison: Comparison) -> tuple[list[Pair], str]:
    """The pairs of the forest; of many those with the run that has the highest mean."""
    pairs = first_pairs(comparison)
    if len(pairs) > _MOST and comparison.baseline is None:
        best = ordered(comparison)[0]
        kept = [pair for pair in pairs if best in (pair.system, pair.baseline)]
        return kept, f" Shown are the {len(kept):,} of {len(pairs):,} pairs with the best run."
    return pairs, ""


def _table(comparison: Comparison, pairs: list[Pair]) -> Table:
    rows = [
        [
            f"{pair.system} - {pair.baseline}",
            signed(pair.difference),
            ends(pair.t_interval),
            p_value(pair.p_t, comparison.alpha),
            p_value(pair.p_randomised, comparison.alpha),
            p_value(pair.p_adjusted, comparison.alpha),
            decimals(pair.detectable),
            pair.verdict,
        ]
        for pair in pairs
    ]
    titles = ("difference", f"{level(comparison)} interval", "p (t-test)", "p (randomised)")
    columns = [Column("pair", TEXT), *map(Column, (*titles, "p decides", "detectable"))]
    columns.append(Column("verdict", TEXT))
    return table("forest-table", f"Pairs by {comparison.measures[0]}", columns, rows)
