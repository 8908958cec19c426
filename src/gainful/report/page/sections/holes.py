"""Unjudged items that are worth a judgment."""

from gainful.comparison.digits import decimals
from gainful.experiment.result import Experiment
from gainful.report.page.parts import ID, TEXT, Column, Section, Table, table
from gainful.report.page.words import named
from gainful.wording import count

N_ROWS = 50
N_HELD = 1000  # of them, for who downloads them


def section(experiment: Experiment) -> Section:
    """What to judge first, and what judging could change."""
    found = experiment.holes
    values = {
        "table": _table(experiment) if found is not None and len(found) else None,
        "n_holes": count(len(found), "unjudged item", "unjudged items") if found else "",
        "why_not": experiment.no_holes,
        "download": _download(0 if found is None else len(found)),
    }
    return Section("holes", "Holes to judge", values)


def held(experiment: Experiment) -> str | None:
    """The first holes, as many as the page has room for, as comma-separated values."""
    found = experiment.holes
    return None if found is None or not len(found) else found.first(N_HELD).to_csv()


def _download(n_holes: int) -> str:
    if n_holes <= N_HELD:
        return "Download all as CSV"
    return f"Download the first {N_HELD:,} of {n_holes:,} as CSV"


def _table(experiment: Experiment) -> Table:
    found = experiment.holes
    assert found is not None
    titles = experiment.details.titles
    has_verdict = found.verdict_impact is not None
    rows = [
        [
            hole.query,
            hole.item,
            *([titles.get(hole.item, "")] if titles else []),
            ", ".join(f"{named(run)}: {rank}" for run, rank in hole.runs.items()),
            decimals(hole.impact),
            decimals(hole.mean_impact),
            *([decimals(hole.verdict_impact or 0.0)] if has_verdict else []),
        ]
        for hole in found.first(N_ROWS).rows
    ]
    title = [Column("title", TEXT)] if titles else []
    columns = [Column("query", ID), Column("item", ID), *title, Column("ranks", TEXT)]
    columns += [Column("of the query"), Column("of a mean")]
    columns += [Column("of the difference")] if has_verdict else []
    note = "" if len(found) <= N_ROWS else f"The first {N_ROWS} of {len(found):,}."
    caption = f"By how much one label could change {found.measure}"
    return table("holes-table", caption, columns, rows, note)
