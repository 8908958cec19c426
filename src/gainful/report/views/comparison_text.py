"""A Comparison as text, Markdown, HTML and LaTeX."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from gainful.base import (
    Interval,
    check_choice,
    encode_ids,
    format_examples,
    format_number,
    import_package,
    to_json,
    to_jsonable,
)
from gainful.diagnostics import format_notice_lines
from gainful.errors import ComparisonError, OutputError
from gainful.measures import Measure
from gainful.report import text_tables as tables
from gainful.report.outputs import OutputFormats
from gainful.report.tables import make_printable
from gainful.report.views.comparison import (
    ComparisonSection,
    describe_settings,
    find_runs_below,
    format_superscript,
    make_letters,
    make_view,
    order_runs,
    select_systems,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars
    from altair.typing import ChartType

    from gainful.stats import Comparison, Pair, System


_WIDTH = 100
_LEGEND = "What the titles mean"


def format_comparison_text(comparison: "Comparison", *, all_pairs: bool) -> str:
    """Format a comparison for a terminal, with letters for runs if names make a table too wide."""
    view = make_view(comparison, all_pairs=all_pairs)
    widest = max(
        len(line) for section in view.sections for line in _format_section(section).splitlines()
    )
    if widest > _WIDTH:
        view = make_view(comparison, all_pairs=all_pairs, lettered=True)
    parts = ["".join(f"{_wrap_sentence(sentence)}\n" for sentence in view.verdict)]
    parts += [f"{tables.make_printable(s.title)}\n{_format_section(s)}" for s in view.sections]
    return "\n".join([*parts, tables.to_text([], view.legend, left=(0, 1))])


def _wrap_sentence(sentence: str) -> str:
    import textwrap

    lines = textwrap.wrap(
        tables.make_printable(sentence),
        _WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
        subsequent_indent="  ",
    )
    return "\n".join(lines)


def _format_section(section: ComparisonSection) -> str:
    return tables.to_text(section.header, section.rows, left=range(section.n_text))


def format_comparison_markdown(comparison: "Comparison", *, all_pairs: bool) -> str:
    """Format a comparison as Markdown: verdict, tables, folded legend, settings, notices."""
    view = make_view(comparison, all_pairs=all_pairs)
    parts = [f"{_join_lines(sentence)}\n" for sentence in view.verdict]
    for section in view.sections:
        table = tables.to_markdown(section.header, section.rows)
        parts.append(f"**{_join_lines(section.title)}**\n\n{table}")
    legend = "".join(f"- {title}: {meaning}\n" for title, meaning in view.legend)
    parts.append(f"<details><summary>{_LEGEND}</summary>\n\n{legend}\n</details>\n")
    parts.append(f"{_join_lines(describe_settings(comparison))}. Rules: `{comparison.rules}`\n")
    if comparison.notices:
        notes = (f"- {_join_lines(str(n))} `[{n.code}]`\n" for n in comparison.notices)
        parts.append("".join(notes))
    return "\n".join(parts)


def format_comparison_html(comparison: "Comparison") -> str:
    """Format a comparison for notebooks; the highest mean of each measure is bold."""
    from gainful.report import notebook

    view = make_view(comparison)
    parts = [f"<p><b>{notebook.escape_html(line)}</b></p>" for line in view.verdict]
    parts += [
        notebook.format_html_table(
            s.header, s.rows, caption=s.title, n_text=s.n_text, bold=_find_best_cells(comparison, s)
        )
        for s in view.sections
    ]
    parts.append(notebook.format_notices([notice.line for notice in comparison.notices]))
    legend = notebook.format_list(f"{title}: {meaning}" for title, meaning in view.legend)
    parts.append(notebook.format_details(_LEGEND, legend))
    settings = notebook.format_list([describe_settings(comparison), f"rules: {comparison.rules}"])
    return "".join([*parts, notebook.format_details("How the numbers were made", settings)])


def _find_best_cells(comparison: "Comparison", section: ComparisonSection) -> set[tuple[int, int]]:
    """Find the cells of a section with the highest mean of a measure."""
    if "mean" not in section.header:
        return set()
    column, names, bold = section.header.index("mean"), order_runs(comparison), set()
    starts = range(0, len(section.rows), len(names))
    for start, measure in zip(starts, comparison.measures, strict=False):
        mean_of_run = {system.name: system.mean for system in select_systems(comparison, measure)}
        rows = section.rows[start : start + len(names)]
        best = _find_highest_rows(measure, [mean_of_run[name] for name in names], rows, column)
        bold |= {(start + row, column) for row in best}
    return bold


def format_comparison_latex(comparison: "Comparison") -> str:
    """Format runs by measures as LaTeX.

    The highest mean is bold; superscripts are the letters of the runs it is above.
    """

    names = dict(zip(comparison.runs, make_letters(len(comparison.runs)), strict=True))
    rows = [[letter, name] for name, letter in names.items()]
    bold: set[tuple[int, int]] = set()
    superscripts: dict[tuple[int, int], str] = {}
    for column, measure in enumerate(comparison.measures, 2):
        means = {system.name: system.mean for system in select_systems(comparison, measure)}
        for row, name in zip(rows, names, strict=True):
            row.append(format_number(means[name]))
        bold |= {
            (row, column) for row in _find_highest_rows(measure, list(means.values()), rows, column)
        }
        for place, below in enumerate(find_runs_below(comparison, measure).values()):
            superscripts[place, column] = format_superscript(
                [comparison.runs.index(b) for b in below], len(rows)
            )
    header = ["", "run", *map(str, comparison.measures)]
    notes = _list_latex_notes(comparison)
    return tables.format_latex_table(
        header, rows, n_text=2, bold=bold, superscripts=superscripts, notes=notes
    )


def _find_highest_rows(
    measure: Measure, means: list[float], rows: list[list[str]], column: int
) -> list[int]:
    """Find the rows of the highest mean; rows that look the same are all the highest."""
    with_mean = [(mean, row) for row, mean in enumerate(means) if not math.isnan(mean)]
    looks = [row[column] for row in rows]
    if not measure.higher_is_better or not with_mean or len(set(looks)) == 1:
        return []
    best = looks[max(with_mean)[1]]
    return [row for row, look in enumerate(looks) if look == best]


def _list_latex_notes(comparison: "Comparison") -> list[str]:
    note = (
        "A superscript names the runs that a mean is significantly above "
        f"(adjusted p < {comparison.alpha:g})."
    )
    if len(comparison.measures) > 1:
        note += f" All measures but {comparison.measures[0]} are exploratory."
    settings = f"{describe_settings(comparison)}. Rules: {comparison.rules}"
    return [note, settings, *(f"{notice} [{notice.code}]" for notice in comparison.notices)]


def _join_lines(text: str) -> str:
    return " ".join(text.split())


RECORDS = ("pairs", "systems")


def make_comparison_rows(comparison: "Comparison", of: str, wanted_by: str) -> list[dict[str, Any]]:
    """Make a row for every pair and measure, or for every run and measure.

    An interval takes two columns. The p-value of an optional test is in a column named after it,
    such as ``p_wilcoxon``.
    """
    check_choice(f"{wanted_by}: of", of, RECORDS, OutputError)
    primary = comparison.measures[0]
    records = comparison.pairs if of == "pairs" else comparison.systems
    return [_flatten_record(record, exploratory=record.measure != primary) for record in records]


def _flatten_record(record: "Pair | System", *, exploratory: bool) -> dict[str, Any]:
    values = {"measure": str(record.measure), "exploratory": exploratory}
    for name, value in _list_record_fields(record).items():
        if isinstance(value, Interval) or name == "possible":
            low, high = value or (None, None)
            values |= {f"{name}_low": low, f"{name}_high": high}
        elif isinstance(value, Mapping):
            values |= {f"p_{test.replace('-', '_')}": p for test, p in value.items()}
        else:
            values[name] = value
    return values


def _list_record_fields(record: "Pair | System") -> dict[str, Any]:
    """Return the fields of a System or Pair, without the measure."""
    names = [field.name for field in fields(record) if field.name != "measure"]
    return {"system" if name == "name" else name: getattr(record, name) for name in names}


def make_comparison_frame(comparison: "Comparison", of: str, wanted_by: str) -> "polars.DataFrame":
    """Make a polars frame of the rows; missing values are null."""
    import polars as pl

    rows = make_comparison_rows(comparison, of, wanted_by)
    dtypes: dict[str, Any] = {
        **dict.fromkeys(("measure", "system", "baseline", "verdict", "sentence"), pl.String),
        **dict.fromkeys(("wins", "ties", "losses", "n_queries"), pl.Int64),
        "exploratory": pl.Boolean,
    }
    columns = []
    for name in dict.fromkeys(name for row in rows for name in row):
        values: list[Any] = [row.get(name) for row in rows]
        dtype = dtypes.get(name, pl.Float64)
        values = list(encode_ids(values)) if dtype == pl.String else values
        column = pl.Series(name, values, dtype=dtype, strict=False)
        columns.append(column.fill_nan(None) if dtype == pl.Float64 else column)
    return pl.DataFrame(columns)


def make_comparison_cells(
    comparison: "Comparison", of: str, wanted_by: str, *, empty: str
) -> tuple[list[str], list[list[str]]]:
    """Make header and rows of text at full precision; ``empty`` replaces missing values."""
    rows = make_comparison_rows(comparison, of, wanted_by)
    header = list(dict.fromkeys(name for row in rows for name in row))
    return header, [[_format_value(row.get(name), empty) for name in header] for row in rows]


def _format_value(value: object, empty: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return empty
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float) else str(value)


def comparison_to_dict(comparison: "Comparison") -> dict[str, Any]:
    """Return all fields as JSON values; None replaces NaN and infinity."""
    primary = comparison.measures[0]

    def convert_records(records: Sequence[Any]) -> list[dict[str, Any]]:
        return [
            {"measure": str(record.measure), "exploratory": record.measure != primary}
            | to_jsonable(_list_record_fields(record))
            for record in records
        ]

    return {
        "verdict": comparison.verdict,
        "runs": list(comparison.runs),
        "n_queries": len(comparison.queries),
        "measures": [str(measure) for measure in comparison.measures],
        "baseline": comparison.baseline,
        "systems": convert_records(comparison.systems),
        "pairs": convert_records(comparison.pairs),
        "correction": comparison.correction,
        "alpha": comparison.alpha,
        "margin": comparison.margin,
        "tie": comparison.tie,
        "seed": comparison.seed,
        "resamples": dict(comparison.resamples),
        "rules": comparison.rules.to_dict(),
        "notices": [to_jsonable(notice.to_dict()) for notice in comparison.notices],
        "per_query": _list_query_values(comparison),
    }


def _list_query_values(comparison: "Comparison") -> list[dict[str, Any]]:
    """List the values of every query: a list, as two runs may have the same name."""
    return [
        {
            "measure": str(measure),
            "run": run,
            "values": dict(zip(comparison.queries, to_jsonable(values), strict=True)),
        }
        for measure, of_runs in zip(comparison.measures, comparison.values.tolist(), strict=True)
        for run, values in zip(comparison.runs, of_runs, strict=True)
    ]


def plot_comparison(
    comparison: "Comparison",
    system: str | None,
    baseline: str | None,
    measure: "str | Measure | None",
    of: str,
) -> "ChartType":
    """Plot the differences of every query for one pair, or of all pairs."""
    check_choice("plot: of", of, ("queries", "pairs"), OutputError)
    import_package("altair", "Comparison.plot", install="'gainful[report]'")
    if of == "pairs":
        return _plot_pairs(comparison, measure)
    if system is None:
        system, baseline, measure = _find_only_pair(comparison, measure)
    return _plot_queries(comparison, comparison.pair(system, baseline, measure))


def _plot_pairs(comparison: "Comparison", measure: "str | Measure | None") -> "ChartType":
    from gainful.report import charts

    pairs = comparison.pairs_of(measure)
    chart = charts.draw_forest(make_forest_rows(pairs), measure=str(pairs[0].measure))
    return charts.make_altair_chart(chart)


def make_forest_rows(pairs: "Iterable[Pair]") -> list[dict[str, Any]]:
    """Make the rows of ``charts.draw_forest``, one for each pair."""
    return [
        {
            "pair": make_printable(f"{pair.system} - {pair.baseline}"),
            "difference": pair.difference,
            **pair.t_interval._asdict(),
            "verdict": pair.verdict,
        }
        for pair in pairs
    ]


def _plot_queries(comparison: "Comparison", pair: "Pair") -> "ChartType":
    from gainful.report import charts

    ours, theirs = (comparison.runs.index(name) for name in (pair.system, pair.baseline))
    values = comparison.values_of(pair.measure)
    # The renderer aborts on characters that cannot be printed.
    queries = list(map(make_printable, comparison.queries))
    rows = charts.make_difference_rows(queries, values[theirs], values[ours])
    a, b = make_printable(pair.baseline), make_printable(pair.system)
    chart = charts.draw_differences(rows, measure=str(pair.measure), a=a, b=b, tie=comparison.tie)
    return charts.make_altair_chart(chart)


def _find_only_pair(
    comparison: "Comparison", measure: "str | Measure | None"
) -> "tuple[str, str, Measure]":
    pairs = comparison.pairs_of(measure)
    if len(pairs) > 1:
        choices = format_examples([f"{pair.system} - {pair.baseline}" for pair in pairs])
        message = (
            f"plot: must name one of {choices}, got no system. Pass of='pairs' to plot them all."
        )
        raise ComparisonError(message, code="not-in-result")
    return pairs[0].system, pairs[0].baseline, pairs[0].measure


COMPARISON_OUTPUTS = OutputFormats()


@COMPARISON_OUTPUTS.declare("table")
def write_table(comparison: "Comparison", all_pairs: bool, _: bool) -> str:
    """The verdict, then aligned columns for people, and what their titles mean."""
    return format_comparison_text(comparison, all_pairs=all_pairs)


@COMPARISON_OUTPUTS.declare("tsv")
def write_tsv(comparison: "Comparison", _all_pairs: bool, _: bool) -> str:
    """Tab-separated, a line for every pair and measure at full precision, for pipes."""
    header, rows = make_comparison_cells(comparison, "pairs", "tsv", empty="nan")
    return tables.to_tsv([header, *rows])


@COMPARISON_OUTPUTS.declare("csv")
def write_csv(comparison: "Comparison", _all_pairs: bool, _: bool) -> str:
    """Comma-separated, a line for every pair and measure at full precision."""
    return comparison.to_csv()


@COMPARISON_OUTPUTS.declare("systems")
def write_systems(comparison: "Comparison", _all_pairs: bool, _: bool) -> str:
    """Comma-separated, a line for every run and measure at full precision."""
    return comparison.to_csv(of="systems")


@COMPARISON_OUTPUTS.declare("markdown", complete=True)
def write_markdown(comparison: "Comparison", all_pairs: bool, _: bool) -> str:
    """The verdict and Markdown tables, to be pasted into an issue or a pull request."""
    return comparison.to_markdown(all_pairs=all_pairs)


@COMPARISON_OUTPUTS.declare("latex", complete=True)
def write_latex(comparison: "Comparison", _all_pairs: bool, _: bool) -> str:
    """A LaTeX table for the package booktabs; raised letters say which runs a mean is above."""
    return comparison.to_latex()


@COMPARISON_OUTPUTS.declare("json", complete=True)
def write_json(comparison: "Comparison", _all_pairs: bool, per_query: bool) -> str:
    """Everything there is at full precision; NaN and infinity are null."""
    rows = comparison.to_dict()
    if not per_query:
        del rows["per_query"]
    return to_json(rows) + "\n"


def list_verdict_lines(comparison: "Comparison") -> list[str]:
    """List the sentences of the verdict: one for each pair, or a few for many pairs."""
    return [tables.make_printable(line) for line in make_view(comparison).verdict]


def list_comparison_footnotes(comparison: "Comparison") -> list[str]:
    """Return the settings, the rules, and every notice once, errors first."""
    settings = [
        f"how: {tables.make_printable(describe_settings(comparison))}",
        f"rules: {comparison.rules}",
    ]
    return [*settings, *format_notice_lines(comparison.notices)]
