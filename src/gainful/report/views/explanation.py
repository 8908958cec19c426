"""Explanations of one query as tables: one run beside the ideal, or two runs side by side."""

from collections import Counter
from typing import Any, NamedTuple

from gainful.base import format_difference, format_number, format_setting, to_json
from gainful.diagnostics import format_notice_lines
from gainful.evaluation import Explanation, Position
from gainful.report import notebook
from gainful.report import text_tables as tables

_MAX_TITLE = 32  # characters of a title in a table


def format_explanation_text(explanation: Explanation) -> str:
    """Return the reading, the ranking beside the ideal, the missed items and the footnotes."""
    parts = [
        tables.make_printable(
            f"{explanation.run}, query {explanation.query}: {explanation.reading}"
        )
        + "\n"
    ]
    if explanation.positions:
        header, rows = _make_ranking_table(explanation)
        bar = header.index("ideal item")
        barred = [[*row[:bar], "|", *row[bar:]] for row in rows]
        short = [name.removeprefix("ideal ") for name in header[bar + 1 :]]
        header = [*header[:bar], "|", "ideal item", *short]
        left = [i for i, name in enumerate(header) if name in ("item", "ideal item", "title")]
        parts.append(tables.to_text(header, barred, left=left))
    if explanation.missed:
        parts.append(
            tables.to_text(
                *_make_missed_table(explanation), left=range(1 + _has_titles(explanation))
            )
        )
    return "\n".join(
        [*parts, "\n".join(map(tables.make_printable, list_explanation_footnotes(explanation)))]
    )


def format_explanation_markdown(explanation: Explanation) -> str:
    """Return the reading, the ranking, the missed items and the footnotes as Markdown."""
    title = f"**{explanation.run}, query {explanation.query}**: {explanation.reading}\n"
    parts = [title, tables.to_markdown(*_make_ranking_table(explanation))]
    if explanation.missed:
        parts.append(tables.to_markdown(*_make_missed_table(explanation)))
    parts.append("".join(f"- {line}\n" for line in list_explanation_footnotes(explanation)))
    return "\n".join(parts)


def format_explanation_html(explanation: Explanation) -> str:
    """Return the explanation as HTML for a notebook."""
    parts = [f"<p><strong>{notebook.escape_html(explanation.reading)}</strong></p>"]
    if explanation.positions or explanation.ideal:
        parts.append(_format_html_ranking(explanation))
    if explanation.missed:
        missed, n_text = _make_missed_table(explanation), 1 + _has_titles(explanation)
        parts.append(notebook.format_html_table(*missed, caption="What was missed", n_text=n_text))
    notices = notebook.format_notices([notice.line for notice in explanation.notices])
    rules = notebook.format_details("Rules", notebook.format_list([str(explanation.rules)]))
    return "".join([*parts, notebook.format_list(_list_hints(explanation)), notices, rules])


def list_explanation_footnotes(explanation: Explanation) -> list[str]:
    """Return the lines below the table: the best swap, the rules and the notices."""
    return [
        *_list_hints(explanation),
        f"rules: {explanation.rules}",
        *(notice.line for notice in explanation.notices),
    ]


def _list_hints(explanation: Explanation) -> list[str]:
    lines = [f"best swap: {explanation.swap}"] if explanation.swap else []
    if any(position.tied_with for position in explanation.positions):
        lines.append("= marks a rank whose item shares its score with others.")
    return lines


def _format_html_ranking(explanation: Explanation) -> str:
    """Return the ranking with a bar for every product, and the sums below it."""
    header, rows = _make_ranking_table(explanation)
    product, best = header.index("gain x discount"), header.index("ideal running")
    products = [position.product for position in explanation.positions]
    longest = max(
        [*map(abs, products), *(ideal.product for ideal in explanation.ideal)], default=0.0
    )
    for row, value in zip(rows, products, strict=False):
        row[product] = notebook.format_number_bar(row[product], value / longest if longest else 0.0)
    sums = ["" for _ in header]
    sums[0], sums[best] = "sum", f"{explanation.best:.4f}"
    sums[product] = notebook.format_number_bar(f"{explanation.total:.4f}", 0.0)
    texts = [i for i, name in enumerate(header) if name.split()[-1] in ("item", "title")]
    caption = (
        f"{explanation.run}, query {explanation.query}: what every rank adds, beside the ideal"
    )
    return notebook.format_html_table(
        header, rows, caption=caption, n_text=texts, ready=[product], foot=[sums]
    )


def _make_ranking_table(explanation: Explanation) -> tuple[list[str], list[list[str]]]:
    title = ["title"] if _has_titles(explanation) else []
    header = ["rank", "item", *title, "label", "gain", "discount", "gain x discount", "running"]
    beside = [f"ideal {name}" for name in ("item", *title, "label", "running")]
    rows = []
    for i in range(max(len(explanation.positions), len(explanation.ideal))):
        row, best = [""] * len(header), [""] * len(beside)
        if i < len(explanation.positions):
            rank, item, *rest = _make_position_row(explanation.positions[i])
            row = [rank, item, *_make_title_cell(explanation, item), *rest]
        if i < len(explanation.ideal):
            ideal = explanation.ideal[i]
            best = [ideal.item, *_make_title_cell(explanation, ideal.item)]
            best += [format_setting(ideal.label), f"{ideal.running:.4f}"]
        rows.append([*row, *best])
    return [*header, *beside], rows


def _make_position_row(position: Position) -> list[str]:
    return [
        f"{position.rank}=" if position.tied_with else f"{position.rank}",
        position.item,
        "-" if position.label is None else format_setting(position.label),
        format_setting(position.gain) if position.gain.is_integer() else f"{position.gain:.4f}",
        f"{position.discount:.4f}",
        f"{position.product:.4f}",
        f"{position.running:.4f}",
    ]


def _make_missed_table(explanation: Explanation) -> tuple[list[str], list[list[str]]]:
    rows = [
        [
            missed.item,
            *_make_title_cell(explanation, missed.item),
            format_setting(missed.label),
            "not retrieved" if missed.found_at is None else f"rank {missed.found_at}",
            str(missed.ideal_rank),
            f"{missed.cost:.4f}",
        ]
        for missed in explanation.missed
    ]
    title = ["title"] if _has_titles(explanation) else []
    return ["missed item", *title, "label", "found", "ideal rank", "cost"], rows


def _has_titles(explanation: Explanation) -> bool:
    return bool(explanation.titles or explanation.urls)


def _make_title_cell(explanation: Explanation, item: str) -> list[str]:
    """Return the cell beside an item, if the table has titles: its title, else its url."""
    if not _has_titles(explanation):
        return []
    text = " ".join((explanation.titles.get(item) or explanation.urls.get(item) or "").split())
    return [text if len(text) <= _MAX_TITLE else text[: _MAX_TITLE - 3].rstrip() + "..."]


_KINDS = ("up", "down", "same", "new", "lost")


class ItemMove(NamedTuple):
    """An item, its rank in both rankings (None where it is not among those that count).

    ``product`` is what it adds to the run, ``before`` what it adds to the other.
    """

    item: str
    label: float | None
    rank: int | None
    rank_before: int | None
    product: float
    before: float

    @property
    def move(self) -> str:
        """Its move: ``up 3``, ``down 2``, ``same``, ``new`` or ``lost``.

        >>> ItemMove("d1", 2.0, 1, 4, 2.0, 0.86).move, ItemMove("d2", None, 3, None, 0.0, 0.0).move
        ('up 3', 'new')
        """
        if self.rank_before is None:
            return "new"
        if self.rank is None:
            return "lost"
        steps = self.rank_before - self.rank
        return "same" if not steps else f"up {steps}" if steps > 0 else f"down {-steps}"


def find_moves(run: Explanation, against: Explanation) -> list[ItemMove]:
    """Find every item that counts in either run: those of the run by rank, then those it lost.

    >>> import gainful
    >>> qrels, rankings = {"q": {"a": 1}}, ({"q": ["x", "a"]}, {"q": ["a", "y"]})
    >>> old, new = (gainful.explain(qrels, ranking, "q") for ranking in rankings)
    >>> [(moved.item, moved.move) for moved in find_moves(new, old)]
    [('a', 'up 1'), ('y', 'new'), ('x', 'lost')]
    """
    ours = {position.item: position for position in run.positions}
    theirs = {position.item: position for position in against.positions}
    moves = []
    for item in dict.fromkeys([*ours, *theirs]):
        position_now, position_before = ours.get(item), theirs.get(item)
        label = (position_now or theirs[item]).label
        ranks = (position_now and position_now.rank, position_before and position_before.rank)
        products = (
            position_now.product if position_now else 0.0,
            position_before.product if position_before else 0.0,
        )
        moves.append(ItemMove(item, label, *ranks, *products))
    return moves


def summarize_moves(run: Explanation, against: Explanation) -> list[str]:
    """Say both values and their difference, then how many items moved which way."""
    kinds = Counter(move.move.split()[0] for move in find_moves(run, against))
    values = (
        f"{format_number(run.value)} by {run.run}, {format_number(against.value)} by {against.run}"
    )
    difference = format_difference(run.value - against.value)
    return [
        f"query {run.query}: {run.measure} is {values}; the difference is {difference}.",
        f"{', '.join(f'{kinds[kind]} {kind}' for kind in _KINDS)}.",
    ]


def list_move_footnotes(run: Explanation, against: Explanation) -> list[str]:
    """Return the rules, and every notice once."""
    return [f"rules: {run.rules}", *format_notice_lines([*run.notices, *against.notices])]


def moves_to_dict(run: Explanation, against: Explanation) -> dict[str, Any]:
    """Return both explanations, and how every item moved, as plain values."""
    values = run.value, against.value
    return {
        "difference": values[0] - values[1]
        if values[0] == values[0] and values[1] == values[1]
        else None,
        "moves": [move._asdict() | {"move": move.move} for move in find_moves(run, against)],
        "run": run.to_dict(),
        "against": against.to_dict(),
    }


def write_moves_json(run: Explanation, against: Explanation) -> str:
    """Write both explanations and all moves as JSON, at full precision."""
    return to_json(moves_to_dict(run, against)) + "\n"


def write_moves_tsv(run: Explanation, against: Explanation) -> str:
    """Write a tab-separated line for every item, floats at full precision."""
    rows = [
        ["" if value is None else str(value) for value in (*move, move.move)]
        for move in find_moves(run, against)
    ]
    return tables.to_tsv([[*ItemMove._fields, "move"], *rows])


def write_moves_markdown(run: Explanation, against: Explanation) -> str:
    """Write the summary and a table of every item as Markdown."""
    header = ["item", "label", run.run, against.run, "move", "gain x discount", "before"]
    rows = [
        [
            move.item,
            "-" if move.label is None else format_setting(move.label),
            *("" if rank is None else str(rank) for rank in (move.rank, move.rank_before)),
            move.move,
            f"{move.product:.4f}",
            f"{move.before:.4f}",
        ]
        for move in find_moves(run, against)
    ]
    summary, *sentences = summarize_moves(run, against)
    notes = "".join(
        f"- {' '.join(line.split())}\n" for line in (*sentences, *list_move_footnotes(run, against))
    )
    return "\n".join([f"{' '.join(summary.split())}\n", tables.to_markdown(header, rows), notes])
