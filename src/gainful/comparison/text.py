"""A Comparison as text, Markdown, HTML and LaTeX: how it looks, not what is said."""

import math
from typing import TYPE_CHECKING, Any

from gainful import tables
from gainful.comparison.digits import decimals
from gainful.comparison.sections import Section
from gainful.comparison.standing import above, letters, of_measure, superscript
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
    """For notebooks: the same, all text escaped."""
    import html

    shown = view(comparison)
    parts = [f"<p><b>{html.escape(sentence)}</b></p>" for sentence in shown.verdict]
    for section in shown.sections:
        parts.append(f"<p>{html.escape(section.title)}</p>")
        parts.append(tables.to_html(section.header, section.rows))
    said = [f"{how(comparison)}. Rules: {comparison.rules}"]
    said += [f"{title}: {meaning}" for title, meaning in shown.legend]
    said += [f"{notice} [{notice.code}]" for notice in comparison.notices]
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in said)
    return f"{''.join(parts)}<ul>{notes}</ul>"


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
