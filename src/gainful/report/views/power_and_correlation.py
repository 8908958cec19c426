"""A Power analysis as text: sentences, tables and a curve."""

from collections.abc import Callable, Sequence

from gainful.base import format_count
from gainful.diagnostics import format_notice_lines
from gainful.report import text_tables as tables
from gainful.stats import Correlation, Point, Power, format_decimals, format_rounded_percent

_WIDTH = 40
_BLOCKS = " ▏▎▍▌▋▊▉"
_HEADER = ["part", "difference", "effect", "queries", "power"]


def list_power_footnotes(plan: Power) -> list[str]:
    """Return the rules of the pilot, and every notice, errors first."""
    notes = format_notice_lines(plan.notices)
    if plan.pilot is None:
        return notes
    n_queries = format_count(plan.pilot.n_queries, "query", "queries")
    return [f"rules: {plan.rules} ({n_queries})", *notes]


def _write_table(plan: Power) -> str:
    summary = "\n".join([*plan.sentences, plan.basis])
    parts = [tables.to_text(*cells, left=()) for cells in _make_tables(plan).values()]
    titled = [f"{title}\n{text}" for title, text in zip(_make_tables(plan), parts, strict=True)]
    return "\n".join([f"{summary}\n", *titled, _draw_curve(plan)])


def _write_tsv(plan: Power) -> str:
    return tables.to_tsv([_HEADER, *_make_cells(plan)])


def _write_csv(plan: Power) -> str:
    return tables.to_csv(_HEADER, _make_cells(plan))


def _write_markdown(plan: Power) -> str:
    parts = ["".join(f"- {sentence}\n" for sentence in [*plan.sentences, f"{plan.basis}."])]
    parts += [
        f"{title}:\n\n{tables.to_markdown(*cells)}" for title, cells in _make_tables(plan).items()
    ]
    parts += [f"```\n{_draw_curve(plan)}```\n"]
    return "\n".join([*parts, *(f"{note}\n" for note in list_power_footnotes(plan))])


POWER_OUTPUTS: dict[str, Callable[[Power], str]] = {
    "table": _write_table,
    "tsv": _write_tsv,
    "csv": _write_csv,
    "markdown": _write_markdown,
    "json": lambda plan: plan.to_json() + "\n",
}
COMPLETE_POWER_OUTPUTS = ("markdown", "json")  # rules and notices are part of them


def draw_bar(share: float, width: int = _WIDTH) -> str:
    """Draw a bar of blocks, to an eighth of a block.

    >>> draw_bar(0.5, 4), draw_bar(0.28125, 4)
    ('██', '█▏')
    """
    whole, part = divmod(round(share * width * 8), 8)
    return ("█" * whole + _BLOCKS[part]).rstrip()


def _draw_curve(plan: Power) -> str:
    """Draw the power curve, with a bar for every number of queries."""
    title = (
        f"power to show a difference of {format_decimals(plan.difference)}, by number of queries\n"
    )
    points = plan.curve()
    rows = [[f"{p.queries:,}", f"{p.power:.1%}", draw_bar(p.power)] for p in points]
    return title + tables.to_text([], rows, left=(2,))


def _make_tables(plan: Power) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Map titles to header and rows: differences, and numbers of queries if they are known."""
    powers = [format_rounded_percent(chance) for chance in plan.powers]
    needed, detectable = (
        _group_points(p, len(powers)) for p in (plan.table(), plan.detectable_table())
    )
    rows = [
        [
            format_decimals(row[0].difference),
            format_decimals(row[0].effect),
            *(f"{p.queries:,}" for p in row),
        ]
        for row in needed
    ]
    tables = {"queries needed, by power": (["difference", "d_z", *powers], rows)}
    if detectable:
        rows = [
            [f"{row[0].queries:,}", *(format_decimals(p.difference) for p in row)]
            for row in detectable
        ]
        tables["differences shown, by power"] = ["queries", *powers], rows
    return tables


def _group_points(points: Sequence[Point], n: int) -> list[Sequence[Point]]:
    return [points[i : i + n] for i in range(0, len(points), n)]


def _make_cells(plan: Power) -> list[list[str]]:
    """Make a row of every point, at full precision."""
    parts = {"needed": plan.table(), "detectable": plan.detectable_table(), "curve": plan.curve()}
    return [
        [part, *(repr(number) for number in point)]
        for part, points in parts.items()
        for point in points
    ]


CORRELATION_OUTPUTS: dict[str, Callable[[Correlation], str]] = {
    "table": Correlation.to_text,
    "tsv": Correlation.to_tsv,
    "csv": Correlation.to_csv,
    "markdown": Correlation.to_markdown,
    "json": lambda correlation: correlation.to_json() + "\n",
}
COMPLETE_CORRELATION_OUTPUTS = (
    "markdown",
    "json",
)  # the others leave the rules and notices to standard error


def list_correlation_footnotes(correlation: Correlation, *, sentences_shown: bool) -> list[str]:
    """Return the rules and notices, and the sentences unless they are shown already."""
    rules = f"rules: {correlation.rules} ({correlation.settings})"
    return [
        *([] if sentences_shown else correlation.sentences),
        rules,
        *format_notice_lines(correlation.notices),
    ]
