"""A Comparison as text, Markdown, HTML and LaTeX: how it looks, not what is said."""

import math
from typing import TYPE_CHECKING, Any

from gainful import tables
from gainful.comparison.digits import decimals
from gainful.comparison.sections import Section
from gainful.comparison.standing import above, letters, of_measure, ordered, superscript
from gainful.comparison.view import how, view
from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison

_WIDTH = 100
_LEGEND = "What the titles mean"


def to_text(comparison: "Comparison", *, all_pairs: bool) -> str:
    """For a terminal: runs are called by letters if their names make a table too wide for it."""
    shown = view(comparison, all_pairs=all_pairs)
    widest = max(len(line) for section in shown.sections for line in _table(section).splitlines())
    if widest > _WIDTH:
        shown = view(comparison, all_pairs=all_pairs, lettered=True)
    parts = ["".join(f"{_wrapped(sentence)}\n" for sentence in shown.verdict)]
    parts += [f"{tables.printable(s.title)}\n{_table(s)}" for s in shown.sections]
    return "\n".join([*parts, tables.to_text([], shown.legend, left=(0, 1))])


def _wrapped(sentence: str) -> str:
    import textwrap

    how: Any = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": "  "}
    return "\n".join(textwrap.wrap(tables.printable(sentence), _WIDTH, **how))


def _table(section: Section) -> str:
    return tables.to_text(section.header, section.rows, left=range(section.n_text))


def to_markdown(comparison: "Comparison", *, all_pairs: bool) -> str:
    """The verdict, tables, what their titles mean (folded, on GitHub), how, rules and notices."""
    shown = view(comparison, all_pairs=all_pairs)
    parts = [f"{_one_line(sentence)}\n" for sentence in shown.verdict]
    for section in shown.sections:
        table = tables.to_markdown(section.header, section.rows)
        parts.append(f"**{_one_line(section.title)}**\n\n{table}")
    legend = "".join(f"- {title}: {meaning}\n" for title, meaning in shown.legend)
    parts.append(f"<details><summary>{_LEGEND}</summary>\n\n{legend}\n</details>\n")
    parts.append(f"{_one_line(how(comparison))}. Rules: `{comparison.rules}`\n")
    if comparison.notices:
        notes = (f"- {_one_line(str(n))} `[{n.code}]`\n" for n in comparison.notices)
        parts.append("".join(notes))
    return "\n".join(parts)


def to_html(comparison: "Comparison") -> str:
    """For notebooks: the same, all text escaped; the highest mean of each measure is bold."""
    from gainful import notebook

    shown = view(comparison)
    parts = [f"<p><b>{notebook.escaped(line)}</b></p>" for line in shown.verdict]
    parts += [
        notebook.table(
            s.header, s.rows, caption=s.title, n_text=s.n_text, bold=_best(comparison, s)
        )
        for s in shown.sections
    ]
    parts.append(notebook.notices([notice.line for notice in comparison.notices]))
    legend = notebook.notes(f"{title}: {meaning}" for title, meaning in shown.legend)
    parts.append(notebook.folded(_LEGEND, legend))
    made = notebook.notes([how(comparison), f"rules: {comparison.rules}"])
    return "".join([*parts, notebook.folded("How the numbers were made", made)])


def _best(comparison: "Comparison", section: Section) -> set[tuple[int, int]]:
    """The cells of a section that hold the highest mean of a measure."""
    if "mean" not in section.header:
        return set()
    column, names, bold = section.header.index("mean"), ordered(comparison), set()
    starts = range(0, len(section.rows), len(names))
    for start, measure in zip(starts, comparison.measures, strict=False):
        own = {system.name: system.mean for system in of_measure(comparison, measure)}
        rows = section.rows[start : start + len(names)]
        best = _highest(measure, [own[name] for name in names], rows, column)
        bold |= {(start + row, column) for row in best}
    return bold


def to_latex(comparison: "Comparison") -> str:
    """Runs x measures: the highest mean is bold, raised are the letters of those it is above."""
    from gainful import latex

    names = dict(zip(comparison.runs, letters(len(comparison.runs)), strict=True))
    rows = [[letter, name] for name, letter in names.items()]
    bold: set[tuple[int, int]] = set()
    raised: dict[tuple[int, int], str] = {}
    for column, measure in enumerate(comparison.measures, 2):
        means = {system.name: system.mean for system in of_measure(comparison, measure)}
        for row, name in zip(rows, names, strict=True):
            row.append(decimals(means[name]))
        bold |= {(row, column) for row in _highest(measure, list(means.values()), rows, column)}
        for place, below in enumerate(above(comparison, measure).values()):
            raised[place, column] = superscript(
                [comparison.runs.index(b) for b in below], len(rows)
            )
    header = ["", "run", *map(str, comparison.measures)]
    notes = _latex_notes(comparison)
    return latex.table(header, rows, n_text=2, bold=bold, raised=raised, notes=notes)


def _highest(measure: Measure, means: list[float], rows: list[list[str]], column: int) -> list[int]:
    """The rows of the highest mean; those that look the same are all the highest."""
    known = [(mean, row) for row, mean in enumerate(means) if not math.isnan(mean)]
    looks = [row[column] for row in rows]
    if not measure.higher_is_better or not known or len(set(looks)) == 1:
        return []
    best = looks[max(known)[1]]
    return [row for row, look in enumerate(looks) if look == best]


def _latex_notes(comparison: "Comparison") -> list[str]:
    note = (
        "A superscript names the runs that a mean is significantly above "
        f"(adjusted p < {comparison.alpha:g})."
    )
    if len(comparison.measures) > 1:
        note += f" All measures but {comparison.measures[0]} are exploratory."
    made = f"{how(comparison)}. Rules: {comparison.rules}"
    return [note, made, *(f"{notice} [{notice.code}]" for notice in comparison.notices)]


def _one_line(text: str) -> str:
    return " ".join(text.split())
