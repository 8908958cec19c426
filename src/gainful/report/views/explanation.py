"""Explanations of one query as tables: one run beside the ideal, or two runs side by side."""

from collections import Counter
from typing import Any, NamedTuple

from gainful.base import format_difference, format_number, text_of, to_json
from gainful.diagnostics import format_notice_lines
from gainful.evaluation import Explanation, Position
from gainful.report import notebook, tables

_MAX_TITLE = 32  # characters of a title in a table


def format_explanation_text(why: Explanation) -> str:
    """Return the reading, the ranking beside the ideal, the missed items and the footnotes."""
    parts = [tables.make_printable(f"{why.run}, query {why.query}: {why.reading}") + "\n"]
    if why.positions:
        header, rows = _make_ranking_table(why)
        bar = header.index("ideal item")
        barred = [[*row[:bar], "|", *row[bar:]] for row in rows]
        short = [name.removeprefix("ideal ") for name in header[bar + 1 :]]
        header = [*header[:bar], "|", "ideal item", *short]
        left = [i for i, name in enumerate(header) if name in ("item", "ideal item", "title")]
        parts.append(tables.to_text(header, barred, left=left))
    if why.missed:
        parts.append(tables.to_text(*_make_missed_table(why), left=range(1 + _has_titles(why))))
    return "\n".join([*parts, "\n".join(map(tables.make_printable, explanation_footnotes(why)))])


def format_explanation_markdown(why: Explanation) -> str:
    """Return the reading, the ranking, the missed items and the footnotes as Markdown."""
    title = f"**{why.run}, query {why.query}**: {why.reading}\n"
    parts = [title, tables.to_markdown(*_make_ranking_table(why))]
    if why.missed:
        parts.append(tables.to_markdown(*_make_missed_table(why)))
    parts.append("".join(f"- {line}\n" for line in explanation_footnotes(why)))
    return "\n".join(parts)


def format_explanation_html(why: Explanation) -> str:
    """Return the explanation as HTML for a notebook."""
    parts = [f"<p><strong>{notebook.escape_html(why.reading)}</strong></p>"]
    if why.positions or why.ideal:
        parts.append(_format_html_ranking(why))
    if why.missed:
        missed, n_text = _make_missed_table(why), 1 + _has_titles(why)
        parts.append(notebook.format_html_table(*missed, caption="What was missed", n_text=n_text))
    notices = notebook.format_notices([notice.line for notice in why.notices])
    rules = notebook.format_details("Rules", notebook.format_list([str(why.rules)]))
    return "".join([*parts, notebook.format_list(_list_hints(why)), notices, rules])


def explanation_footnotes(why: Explanation) -> list[str]:
    """Return the lines below the table: the best swap, the rules and the notices."""
    return [*_list_hints(why), f"rules: {why.rules}", *(notice.line for notice in why.notices)]


def _list_hints(why: Explanation) -> list[str]:
    lines = [f"best swap: {why.swap}"] if why.swap else []
    if any(position.tied_with for position in why.positions):
        lines.append("= marks a rank whose item shares its score with others.")
    return lines


def _format_html_ranking(why: Explanation) -> str:
    """Return the ranking with a bar for every product, and the sums below it."""
    header, rows = _make_ranking_table(why)
    product, best = header.index("gain x discount"), header.index("ideal running")
    products = [position.product for position in why.positions]
    longest = max([*map(abs, products), *(ideal.product for ideal in why.ideal)], default=0.0)
    for row, value in zip(rows, products, strict=False):
        row[product] = notebook.format_number_bar(row[product], value / longest if longest else 0.0)
    sums = ["" for _ in header]
    sums[0], sums[best] = "sum", f"{why.best:.4f}"
    sums[product] = notebook.format_number_bar(f"{why.total:.4f}", 0.0)
    texts = [i for i, name in enumerate(header) if name.split()[-1] in ("item", "title")]
    caption = f"{why.run}, query {why.query}: what every rank adds, beside the ideal"
    return notebook.format_html_table(
        header, rows, caption=caption, n_text=texts, ready=[product], foot=[sums]
    )


def _make_ranking_table(why: Explanation) -> tuple[list[str], list[list[str]]]:
    title = ["title"] if _has_titles(why) else []
    header = ["rank", "item", *title, "label", "gain", "discount", "gain x discount", "running"]
    beside = [f"ideal {name}" for name in ("item", *title, "label", "running")]
    rows = []
    for i in range(max(len(why.positions), len(why.ideal))):
        row, best = [""] * len(header), [""] * len(beside)
        if i < len(why.positions):
            rank, item, *rest = _make_position_row(why.positions[i])
            row = [rank, item, *_make_title_cell(why, item), *rest]
        if i < len(why.ideal):
            ideal = why.ideal[i]
            best = [ideal.item, *_make_title_cell(why, ideal.item)]
            best += [text_of(ideal.label), f"{ideal.running:.4f}"]
        rows.append([*row, *best])
    return [*header, *beside], rows


def _make_position_row(position: Position) -> list[str]:
    return [
        f"{position.rank}=" if position.tied_with else f"{position.rank}",
        position.item,
        "-" if position.label is None else text_of(position.label),
        text_of(position.gain) if position.gain.is_integer() else f"{position.gain:.4f}",
        f"{position.discount:.4f}",
        f"{position.product:.4f}",
        f"{position.running:.4f}",
    ]


def _make_missed_table(why: Explanation) -> tuple[list[str], list[list[str]]]:
    rows = [
        [
            missed.item,
            *_make_title_cell(why, missed.item),
            text_of(missed.label),
            "not retrieved" if missed.found_at is None else f"rank {missed.found_at}",
            str(missed.ideal_rank),
            f"{missed.cost:.4f}",
        ]
        for missed in why.missed
    ]
    title = ["title"] if _has_titles(why) else []
    return ["missed item", *title, "label", "found", "ideal rank", "cost"], rows


def _has_titles(why: Explanation) -> bool:
    return bool(why.titles or why.urls)


def _make_title_cell(why: Explanation, item: str) -> list[str]:
    """Return the cell beside an item, if the table has titles: its title, else its url."""
    if not _has_titles(why):
        return []
    text = " ".join((why.titles.get(item) or why.urls.get(item) or "").split())
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
        """How it moved: ``up 3``, ``down 2``, ``same``, ``new`` or ``lost``.

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
    """Every item that counts in either: those of the run by rank, then those that it lost.

    >>> import gainful
    >>> qrels, rankings = {"q": {"a": 1}}, ({"q": ["x", "a"]}, {"q": ["a", "y"]})
    >>> old, new = (gainful.explain(qrels, ranking, "q") for ranking in rankings)
    >>> [(moved.item, moved.move) for moved in find_moves(new, old)]
    [('a', 'up 1'), ('y', 'new'), ('x', 'lost')]
    """
    ours = {position.item: position for position in run.positions}
    theirs = {position.item: position for position in against.positions}
    found = []
    for item in dict.fromkeys([*ours, *theirs]):
        own, other = ours.get(item), theirs.get(item)
        label = (own or theirs[item]).label
        ranks = (own and own.rank, other and other.rank)
        products = (own.product if own else 0.0, other.product if other else 0.0)
        found.append(ItemMove(item, label, *ranks, *products))
    return found


def summarize_moves(run: Explanation, against: Explanation) -> list[str]:
    """Both values and by how much they differ, then how many items moved which way."""
    kinds = Counter(moved.move.split()[0] for moved in find_moves(run, against))
    values = (
        f"{format_number(run.value)} by {run.run}, {format_number(against.value)} by {against.run}"
    )
    difference = format_difference(run.value - against.value)
    return [
        f"query {run.query}: {run.measure} is {values}; the difference is {difference}.",
        f"{', '.join(f'{kinds[kind]} {kind}' for kind in _KINDS)}.",
    ]


def move_footnotes(run: Explanation, against: Explanation) -> list[str]:
    """Return the rules, and every notice once."""
    return [f"rules: {run.rules}", *format_notice_lines([*run.notices, *against.notices])]


def moves_to_dict(run: Explanation, against: Explanation) -> dict[str, Any]:
    """Everything there is, as plain values: both explanations, and how every item moved."""
    both = run.value, against.value
    return {
        "difference": both[0] - both[1] if both[0] == both[0] and both[1] == both[1] else None,
        "moves": [moved._asdict() | {"move": moved.move} for moved in find_moves(run, against)],
        "run": run.to_dict(),
        "against": against.to_dict(),
    }


def write_moves_json(run: Explanation, against: Explanation) -> str:
    """Write both explanations and all moves as JSON, at full precision."""
    return to_json(moves_to_dict(run, against)) + "\n"


def write_moves_tsv(run: Explanation, against: Explanation) -> str:
    """A tab-separated line for every item, floats at full precision."""
    rows = [
        ["" if value is None else str(value) for value in (*moved, moved.move)]
        for moved in find_moves(run, against)
    ]
    return tables.to_tsv([[*ItemMove._fields, "move"], *rows])


def write_moves_markdown(run: Explanation, against: Explanation) -> str:
    """Write the summary and a table of every item as Markdown."""
    header = ["item", "label", run.run, against.run, "move", "gain x discount", "before"]
    rows = [
        [
            moved.item,
            "-" if moved.label is None else text_of(moved.label),
            *("" if rank is None else str(rank) for rank in (moved.rank, moved.rank_before)),
            moved.move,
            f"{moved.product:.4f}",
            f"{moved.before:.4f}",
        ]
        for moved in find_moves(run, against)
    ]
    said, *more = summarize_moves(run, against)
    notes = "".join(
        f"- {' '.join(line.split())}\n" for line in (*more, *move_footnotes(run, against))
    )
    return "\n".join([f"{' '.join(said.split())}\n", tables.to_markdown(header, rows), notes])
