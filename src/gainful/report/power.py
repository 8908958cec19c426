"""A Power analysis as text: sentences, tables and a curve."""

from collections.abc import Callable, Sequence

from gainful import tables
from gainful.notices import lines
from gainful.stats.plan import Point, Power, decimals, percent
from gainful.wording import count

_WIDTH = 40
_BLOCKS = " ▏▎▍▌▋▊▉"
_HEADER = ["part", "difference", "effect", "queries", "power"]


def footnotes(plan: Power) -> list[str]:
    """The rules of the pilot, and every notice, what is wrong first."""
    notes = lines(plan.notices)
    if plan.pilot is None:
        return notes
    n_queries = count(plan.pilot.n_queries, "query", "queries")
    return [f"rules: {plan.rules} ({n_queries})", *notes]


def _table(plan: Power) -> str:
    said = "\n".join([*plan.sentences, plan.basis])
    parts = [tables.to_text(*cells, left=()) for cells in _tables(plan).values()]
    titled = [f"{title}\n{text}" for title, text in zip(_tables(plan), parts, strict=True)]
    return "\n".join([f"{said}\n", *titled, _plot(plan)])


def _tsv(plan: Power) -> str:
    return tables.to_tsv([_HEADER, *_cells(plan)])


def _csv(plan: Power) -> str:
    return tables.to_csv(_HEADER, _cells(plan))


def _markdown(plan: Power) -> str:
    parts = ["".join(f"- {sentence}\n" for sentence in [*plan.sentences, f"{plan.basis}."])]
    parts += [f"{title}:\n\n{tables.to_markdown(*cells)}" for title, cells in _tables(plan).items()]
    parts += [f"```\n{_plot(plan)}```\n"]
    return "\n".join([*parts, *(f"{note}\n" for note in footnotes(plan))])


OUTPUTS: dict[str, Callable[[Power], str]] = {
    "table": _table,
    "tsv": _tsv,
    "csv": _csv,
    "markdown": _markdown,
    "json": lambda plan: plan.to_json() + "\n",
}
COMPLETE = ("markdown", "json")  # rules and notices are part of them


def bar(share: float, width: int = _WIDTH) -> str:
    """A bar of blocks, to the eighth of one.

    >>> bar(0.5, 4), bar(0.28125, 4)
    ('██', '█▏')
    """
    whole, part = divmod(round(share * width * 8), 8)
    return ("█" * whole + _BLOCKS[part]).rstrip()


def _plot(plan: Power) -> str:
    """The curve, a bar for every number of queries."""
    title = f"power to show a difference of {decimals(plan.difference)}, by number of queries\n"
    points = plan.curve()
    rows = [[f"{p.queries:,}", f"{p.power:.1%}", bar(p.power)] for p in points]
    return title + tables.to_text([], rows, left=(2,))


def _tables(plan: Power) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Title to header and rows: of differences, and of numbers of queries if that is known."""
    powers = [percent(chance) for chance in plan.powers]
    needed, shown = (_grouped(p, len(powers)) for p in (plan.table(), plan.detectable_table()))
    rows = [
        [decimals(row[0].difference), decimals(row[0].effect), *(f"{p.queries:,}" for p in row)]
        for row in needed
    ]
    found = {"queries needed, by power": (["difference", "d_z", *powers], rows)}
    if shown:
        rows = [[f"{row[0].queries:,}", *(decimals(p.difference) for p in row)] for row in shown]
        found["differences shown, by power"] = ["queries", *powers], rows
    return found


def _grouped(points: Sequence[Point], n: int) -> list[Sequence[Point]]:
    return [points[i : i + n] for i in range(0, len(points), n)]


def _cells(plan: Power) -> list[list[str]]:
    """Every point there is, at full precision."""
    parts = {"needed": plan.table(), "detectable": plan.detectable_table(), "curve": plan.curve()}
    return [
        [part, *(repr(number) for number in point)]
        for part, several in parts.items()
        for point in several
    ]
