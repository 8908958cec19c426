"""The table of queries."""

from gainful.comparison.digits import decimals, percent, signed
from gainful.experiment.result import Experiment
from gainful.ragged import FloatArray
from gainful.report.page.bulk import Bulk
from gainful.report.page.parts import ID, TEXT, Cell, Column, Section, Table, table
from gainful.report.page.runs import compared, differing_most, judged_of, values_of

N_ROWS = 200


def section(experiment: Experiment, large: Bulk) -> Section:
    """The queries that changed most; of one run those that score least."""
    values = {"table": queries(experiment), "held": held(experiment, large)}
    return Section("queries", "Queries", values)


def held(experiment: Experiment, large: Bulk) -> str:
    """How much of the rankings is in the page."""
    n, some = len(experiment.queries), large.n_detailed
    which = "all queries" if some == n else f"the {some:,} of {n:,} queries that differ most"
    deepest = max((max(one.n_retrieved) for one in experiment.details.of.values()), default=0)
    ranks = f"the first {large.depth} ranks" if deepest > large.depth else "all ranks"
    text = f"The page holds {ranks} of {which}"
    if experiment.details.titles and large.n_titled < some:
        text += f", with the titles of {large.n_titled:,} of them"
    return f"{text}."


def queries(experiment: Experiment) -> Table:
    """The first queries by the size of the difference, or by value."""
    runs = compared(experiment)
    values = [values_of(experiment, run) for run in runs]
    judged = [judged_of(experiment, run) for run in runs]
    rows = [
        [
            experiment.queries[i],
            experiment.texts.get(experiment.queries[i], ""),
            *_values(experiment, values, i),
        ]
        + [percent(float(share[i])) if share is not None else "-" for share in judged]
        for i in differing_most(experiment)[:N_ROWS]
    ]
    difference = ["difference"] if len(runs) == 2 else []
    titles = [*runs, *difference, *(f"judged {run}" for run in runs)]
    columns = [Column("query", ID), Column("text", TEXT), *map(Column, titles)]
    n = len(experiment.queries)
    caption = f"{experiment.measures[0]} of every query"
    by = "the largest differences first" if len(runs) == 2 else "the lowest values first"
    note = "" if n <= N_ROWS else f"The first {N_ROWS} of {n:,} queries, {by}."
    return table("queries-table", caption, columns, rows, note)


def _values(experiment: Experiment, values: list[FloatArray], i: int) -> list[str | Cell]:
    shown: list[str | Cell] = [decimals(float(column[i])) for column in values]
    if experiment.comparison is not None:
        difference = float(values[1][i] - values[0][i])
        shown.append(Cell(signed(difference), _mark(difference, experiment.comparison.tie)))
    return shown


def _mark(difference: float, tie: float) -> str:
    if not abs(difference) > tie:
        return ""
    return "better" if difference > 0 else "worse"
