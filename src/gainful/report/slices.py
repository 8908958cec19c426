"""The Slices of one run or several, as text."""

from collections.abc import Callable, Sequence
from typing import Any

from gainful import tables
from gainful.digits import every_digit, every_field, four_decimals
from gainful.notices import lines
from gainful.plain import to_json
from gainful.report.evaluation import rules_line
from gainful.results import Scores
from gainful.slices import Cell, Slices

Several = Sequence[Slices[Scores]]


def footnotes(several: Several) -> list[str]:
    """The rules, and every notice once."""
    notes = lines(notice for slices in several for notice in slices.notices)
    return [rules_line([slices.whole for slices in several]), *notes]


def _table(several: Several) -> str:
    header, rows = _cells(several, four_decimals)
    return tables.to_text(header, rows, left=range(_n_named(header)))


def _tsv(several: Several) -> str:
    header, rows = _cells(several, every_field)
    return tables.to_tsv([header, *rows])


def _csv(several: Several) -> str:
    return tables.to_csv(*_cells(several, every_digit, with_run=True))


def _tidy(several: Several) -> str:
    """A line for every run, slice and measure."""
    header, rows = _cells(several, every_digit, with_run=True)
    n_named = _n_named(header) + 1
    lines = [
        [*row[:n_named], measure, value]
        for row in rows
        for measure, value in zip(header[n_named:], row[n_named:], strict=True)
    ]
    return tables.to_csv(["system", *header[1:n_named], "measure", "value"], lines)


def _latex(several: Several) -> str:
    from gainful import latex

    header, rows = _cells(several, four_decimals)
    return latex.table(header, rows, n_text=_n_named(header), notes=footnotes(several))


def _markdown(several: Several) -> str:
    text = tables.to_markdown(*_cells(several, four_decimals))
    return text + "".join(f"\n{line}\n" for line in footnotes(several))


def _json(several: Several) -> str:
    runs: list[dict[str, Any]] = [slices.to_dict() for slices in several]
    return to_json({"runs": runs}) + "\n"


# By the names of the outputs of `gainful eval`.
WRITERS: dict[str, Callable[[Several], str]] = {
    "table": _table,
    "tsv": _tsv,
    "csv": _csv,
    "tidy": _tidy,
    "markdown": _markdown,
    "latex": _latex,
    "json": _json,
}


def _n_named(header: list[str]) -> int:
    """How many columns stand before the number of queries; slices may be called so as well."""
    return len(header) - 1 - header[::-1].index("queries")


def _cells(
    several: Several, text: Cell, *, with_run: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one per slice, then all queries, run by run."""
    header: list[str] = []
    rows: list[list[str]] = []
    for slices in several:
        names, own = slices.table(text)
        run = [slices.whole.run] if with_run or len(several) > 1 else []
        header = [*(["run"] if run else []), *names]
        rows += [[*run, *row] for row in own]
    return header, rows
