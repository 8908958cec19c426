"""A Comparison as text."""

from gainful import tables
from gainful.comparison import flat, text
from gainful.comparison.result import Comparison
from gainful.comparison.view import how, view
from gainful.notices import lines
from gainful.plain import to_json
from gainful.report.outputs import Outputs

OUTPUTS = Outputs()


@OUTPUTS.declare("table")
def table(comparison: Comparison, all_pairs: bool, _: bool) -> str:
    """The verdict, then aligned columns for people, and what their titles mean."""
    return text.to_text(comparison, all_pairs=all_pairs)


@OUTPUTS.declare("tsv")
def tsv(comparison: Comparison, _all_pairs: bool, _: bool) -> str:
    """Tab-separated, a line for every pair and measure at full precision, for pipes."""
    header, rows = flat.cells(comparison, "pairs", "tsv", empty="nan")
    return tables.to_tsv([header, *rows])


@OUTPUTS.declare("csv")
def csv(comparison: Comparison, _all_pairs: bool, _: bool) -> str:
    """Comma-separated, a line for every pair and measure at full precision."""
    return comparison.to_csv()


@OUTPUTS.declare("systems")
def systems(comparison: Comparison, _all_pairs: bool, _: bool) -> str:
    """Comma-separated, a line for every run and measure at full precision."""
    return comparison.to_csv(of="systems")


@OUTPUTS.declare("markdown", complete=True)
def markdown(comparison: Comparison, all_pairs: bool, _: bool) -> str:
    """The verdict and Markdown tables, to be pasted into an issue or a pull request."""
    return comparison.to_markdown(all_pairs=all_pairs)


@OUTPUTS.declare("latex", complete=True)
def latex(comparison: Comparison, _all_pairs: bool, _: bool) -> str:
    """A LaTeX table for the package booktabs; raised letters say which runs a mean is above."""
    return comparison.to_latex()


@OUTPUTS.declare("json", complete=True)
def as_json(comparison: Comparison, _all_pairs: bool, per_query: bool) -> str:
    """Everything there is at full precision; NaN and infinity are null."""
    held = comparison.to_dict()
    if not per_query:
        del held["per_query"]
    return to_json(held) + "\n"


def verdict_lines(comparison: Comparison) -> list[str]:
    """The verdict, for who prints it beside numbers: a sentence of each pair, or of many a few."""
    return [tables.printable(line) for line in view(comparison).verdict]


def footnotes(comparison: Comparison) -> list[str]:
    """How it was made, the rules, and every notice once, errors first."""
    made = [f"how: {tables.printable(how(comparison))}", f"rules: {comparison.rules}"]
    return [*made, *lines(comparison.notices)]
