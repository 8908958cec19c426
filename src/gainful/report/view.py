"""View: what is shown of a result; and the formats that show it.

A view function per result, in ``views/``, says which sentences and tables there are. What a format
looks like is decided here, for all results alike.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.base import import_package, to_json
from gainful.report import tables
from gainful.report.tables import Table, escape_html, escape_markdown, make_printable

if TYPE_CHECKING:
    import pandas
    import polars
    from rich.console import Console

Legend = Sequence[tuple[str, str]]


class View(NamedTuple):
    """What is shown of a result.

    Tables and data are functions, so that a format makes only what it shows.

    Attributes:
        title: What it is, in a line, for ``repr`` and notebooks.
        headline: The sentences that come first.
        tables: Returns the tables for people.
        data: Returns the table for programs; None if the result has none.
        content: Returns everything, as JSON has it.
        closing: The sentences below the tables.
        legend: The titles of columns and their meanings.
        settings: The rules and other settings, a line each.
        beside_data: What tables for people show and data do not, a line each.
        notices: The notices, a line each.
        lines: Returns the table of TSV, if it is not ``data``.
        latex: Returns the tables of LaTeX, if they are not ``tables``.
        latex_notes: What explains the tables of LaTeX, a line each.
        frame: Returns a polars frame, if it is not made of ``data``.
        special: Formats that only this result has, by name.
    """

    title: str = ""
    headline: Sequence[str] = ()
    tables: Callable[[], Sequence[Table]] = tuple
    data: Callable[[], Table] | None = None
    content: Callable[[], Mapping[str, Any]] = dict
    closing: Sequence[str] = ()
    legend: Callable[[], Legend] = tuple
    settings: Sequence[str] = ()
    beside_data: Sequence[str] = ()
    notices: Sequence[str] = ()
    lines: Callable[[], Table] | None = None
    latex: Callable[[], Sequence[Table]] | None = None
    latex_notes: Sequence[str] = ()
    frame: "Callable[[], polars.DataFrame] | None" = None
    special: Mapping[str, Callable[[], str]] = {}

    @property
    def notes(self) -> list[str]:
        """The settings and the notices."""
        return [*self.settings, *self.notices]

    def list_notes(self, format: str) -> list[str]:
        """Return the lines that a format leaves out, which go to standard error."""
        if format == "table":
            return self.notes
        is_complete = format not in self.special and FORMATS[format].is_complete
        return [] if is_complete else self.list_sentences()

    def list_sentences(self) -> list[str]:
        """Return all that is said beside data."""
        return [*self.headline, *self.closing, *self.settings, *self.beside_data, *self.notices]


class Format(NamedTuple):
    """A format of results.

    Attributes:
        summary: What it is for.
        is_complete: Whether sentences, rules and notices are part of it.
        write: Returns a view as text.
    """

    summary: str
    is_complete: bool
    write: Callable[[View], str]


def render(view: View, format: str) -> str:
    """Return a view as text in a format."""
    write = view.special.get(format)
    return FORMATS[format].write(view) if write is None else write()


def to_frame(view: View) -> "polars.DataFrame":
    """Return the table for programs as a polars frame; what has no value is null."""
    if view.frame is not None:
        return view.frame()
    return tables.to_polars(_get_data(view))


def convert_to_pandas(frame: "polars.DataFrame") -> "pandas.DataFrame":
    """Convert a polars frame to pandas; null becomes NaN, as usual in pandas."""
    pandas = import_package("pandas", "to_pandas")
    # Not frame.to_pandas(): that takes pyarrow as well.
    return pandas.DataFrame(
        {c.name: c.to_numpy() if c.dtype.is_float() else c.to_list() for c in frame}
    )


def _get_data(view: View) -> Table:
    if view.data is None:
        message = "this result has no table for programs. Take to_json()."
        raise TypeError(message)
    return view.data()


_WIDTH = 100  # columns of sentences where there is no terminal


def render_text(view: View) -> str:
    """Return sentences and aligned columns as plain text."""
    titles = [f"{make_printable(table.title)}\n" if table.title else "" for table in view.tables()]
    shown = [title + tables.to_text(t) for title, t in zip(titles, view.tables(), strict=True)]
    legend = Table([tables.Column("")] * 2, view.legend(), has_header=False)
    parts = [
        "".join(_wrap_line(line, _WIDTH) for line in view.headline),
        *shown,
        "".join(_wrap_line(line, _WIDTH) for line in view.closing),
        tables.to_text(legend) if legend.rows else "",
    ]
    return "\n".join(part for part in parts if part)


def _wrap_line(line: str, width: int) -> str:
    import textwrap

    lines = textwrap.wrap(
        make_printable(line),
        width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join([*lines, ""])


def render_with_notes(view: View) -> str:
    """Return plain text below its title, with the notes below it."""
    title = f"<{make_printable(view.title)}>\n" if view.title else ""
    text = render_text(view)
    gap = "\n" if "\n\n" in text else ""  # below one block of lines there is none
    return (title + text + gap + "\n".join(map(make_printable, view.notes))).rstrip("\n")


def _render_markdown(view: View) -> str:
    parts = [f"{escape_markdown(line)}\n" for line in view.headline]
    for table in view.tables():
        title = f"**{escape_markdown(table.title)}**\n\n" if table.title else ""
        parts.append(title + tables.to_markdown(table))
    if view.closing:
        parts.append("".join(f"{escape_markdown(line)}\n" for line in view.closing))
    if legend := _format_legend(view):
        lines = "".join(f"- {escape_markdown(line)}\n" for line in legend)
        parts.append(f"<details><summary>{_LEGEND}</summary>\n\n{lines}\n</details>\n")
    if view.notes:
        parts.append("".join(f"- {escape_markdown(line)}\n" for line in view.notes))
    return "\n".join(parts)


def _render_latex(view: View) -> str:
    comments = map(make_printable, [*view.latex_notes, *view.list_sentences()])
    parts = []
    for table in (view.latex or view.tables)():
        title = f"% {make_printable(table.title)}\n" if table.title else ""
        parts.append(title + tables.to_latex(table))
    parts.append("".join(f"% {line}\n" for line in comments))
    return "% \\usepackage{booktabs}\n" + "\n".join(parts)


_LEGEND = "What the titles mean"
_FEW = 4  # notes


def render_html(view: View) -> str:
    """Return a view as HTML for notebooks, without a style sheet."""
    heading = view.headline or ([view.title] if view.title else [])
    parts = [f"<p><strong>{escape_html(line)}</strong></p>" for line in heading]
    parts += map(tables.to_html, view.tables())
    parts += [f"<p>{escape_html(line)}</p>" for line in view.closing]
    if legend := tables.format_html_list(_format_legend(view)):
        parts.append(f"<details><summary>{_LEGEND}</summary>{legend}</details>")
    notes = tables.format_html_list(view.notes)
    if len(view.notes) > _FEW:
        summary = f"{len(view.notes)} notes"
        notes = f"<details open><summary>{summary}</summary>{notes}</details>"
    return "".join([*parts, notes])


def _format_legend(view: View) -> list[str]:
    return [f"{title}: {meaning}" for title, meaning in view.legend()]


def _render_tsv(view: View) -> str:
    return tables.to_tsv(_get_data(view) if view.lines is None else view.lines())


FORMATS = {
    "table": Format("Aligned columns for people.", False, render_text),
    "tsv": Format("Tab-separated values at full precision, for pipes.", False, _render_tsv),
    "csv": Format(
        "Comma-separated values at full precision.",
        False,
        lambda view: tables.to_csv(_get_data(view)),
    ),
    "jsonl": Format(
        "A JSON object per row at full precision.",
        False,
        lambda view: tables.to_jsonl(_get_data(view)),
    ),
    "markdown": Format("Markdown tables, with rules and notices below.", True, _render_markdown),
    "latex": Format(
        "LaTeX tables for the package booktabs; rules and notices are comments.",
        True,
        _render_latex,
    ),
    "html": Format("HTML tables without a style sheet.", True, lambda v: render_html(v) + "\n"),
    "json": Format(
        "Everything there is, at full precision; NaN and infinity are null.",
        True,
        lambda view: to_json(view.content()) + "\n",
    ),
}

STYLES = {"best": "bold", "muted": "dim", "better": "cyan", "worse": "yellow"}
_GAP = 2  # cells between columns
_NARROW = 24  # cells that a column of text gets at least, if it has as many


def print_view(view: View, console: "Console") -> None:
    """Print a view on a terminal: wrapped to its width, with colors if it has them."""
    show = partial(console.print, markup=False, highlight=False, emoji=False)
    for line in view.headline:
        show(_wrap_line(line, console.width), style="bold", end="")
    omitted: list[str] = []
    for i, table in enumerate(view.tables()):
        if i or view.headline:
            show()
        if table.title:
            show(make_printable(table.title), style="bold")
        for n, part in enumerate(_fit_table(table, console.width, omitted)):
            if n:
                show()
            show(_make_rich_table(part))
    if view.closing or view.legend():
        show()
    for line in view.closing:
        show(_wrap_line(line, console.width), end="")
    if view.legend():
        columns = [tables.Column("")] * 2
        show(_make_rich_table(Table(columns, view.legend(), has_header=False)))
    if omitted:
        names = make_printable(", ".join(dict.fromkeys(omitted)))
        show(f"Left out for lack of room: {names}. -f json has everything.", style="dim")


def _fit_table(table: Table, width: int, omitted: list[str]) -> list[Table]:
    """Split a table into parts that fit, each with the columns that name its rows.

    Optional columns are left out first, and their names are appended to ``omitted``.
    """
    cells = [table.header, *table.format_rows()] if table.has_header else table.format_rows()
    widths = [
        max(tables.count_cells(make_printable(cell)) for cell in column)
        for column in zip(*cells, strict=True)
    ]
    needed = [
        (min(w, _NARROW) if column.kind is str and not column.optional else w) + _GAP
        for w, column in zip(widths, table.columns, strict=True)
    ]
    keep = list(range(len(needed)))
    optional = [i for i in keep if table.columns[i].optional]
    while optional and sum(needed[i] for i in keep) - _GAP > width:
        keep.remove(optional[-1])
        omitted.append(table.columns[optional.pop()].name)
    n_names = next((n for n, i in enumerate(keep) if table.columns[i].kind is not str), len(keep))
    names, parts = keep[:n_names], [keep[:n_names]]
    for i in keep[n_names:]:
        if parts[-1] != names and sum(needed[j] for j in [*parts[-1], i]) - _GAP > width:
            parts.append(list(names))
        parts[-1].append(i)
    return [table.select(part) for part in parts]


def _make_rich_table(table: Table) -> Any:
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    shown.show_header = table.has_header
    for column in table.columns:
        name = Text(make_printable(column.name))
        if column.kind is str and not column.optional:
            shown.add_column(name, overflow="fold")
        else:
            justify: Any = "left" if column.is_text else "right"
            shown.add_column(name, justify=justify, no_wrap=True)
    for r, row in enumerate(table.format_rows()):
        styles = [STYLES.get(table.styles.get((r, c), ""), "") for c in range(len(row))]
        texts = zip(row, styles, strict=True)
        shown.add_row(*(Text(make_printable(text), style=style) for text, style in texts))
    return shown
