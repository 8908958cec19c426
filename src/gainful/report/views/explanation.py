"""Explanations of one query: one run beside the ideal, or two runs side by side."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from gainful.base import format_difference, format_number, format_setting
from gainful.diagnostics import format_notice_lines
from gainful.evaluation import Explanation, Ideal, Position
from gainful.report.tables import Bar, Column, Table
from gainful.report.view import View

_MAX_TITLE = 32  # characters of a title in a table


def view_explanation(explanation: Explanation) -> View:
    """Show the reading, the ranking beside the ideal, and the missed items."""
    n_missed = len(explanation.missed)
    return View(
        headline=[f"{explanation.run}, query {explanation.query}: {explanation.reading}"],
        tables=lambda: [
            *([_make_ranking_table(explanation)] if _has_ranking(explanation) else []),
            *([_make_missed_table(explanation)] if n_missed else []),
        ],
        data=lambda: _make_data(explanation),
        content=explanation.to_dict,
        closing=_list_hints(explanation),
        settings=[f"rules: {explanation.rules}"],
        notices=[notice.line for notice in explanation.notices],
    )


def _has_ranking(explanation: Explanation) -> bool:
    return bool(explanation.positions or explanation.ideal)


def _list_hints(explanation: Explanation) -> list[str]:
    lines = []
    if _has_ranking(explanation):
        total, best = format_number(explanation.total), format_number(explanation.best)
        lines.append(f"The products add up to {total}, at best to {best}.")
    if explanation.swap:
        lines.append(f"Best swap: {explanation.swap}")
    if any(position.tied_with for position in explanation.positions):
        lines.append("= marks a rank whose item shares its score with others.")
    if any(position.label is None for position in explanation.positions):
        lines.append("Label - is not judged.")
    return lines


def _make_ranking_table(explanation: Explanation) -> Table:
    """Make a row per rank: what the run has there and what it adds, then the ideal."""
    titles, places = _make_title_column(explanation), explanation.positions
    largest = _find_largest_product(explanation)
    columns = [
        Column("rank", int, str),
        Column("item"),
        *titles,
        Column("label", float, format_setting),
        Column("gain", float, _format_gain, optional=True),
        Column("discount", float, _format_decimals, optional=True),
        Column("gain x discount", float, _format_decimals),
        Column("█ run ░ ideal" if explanation.ideal else "", Bar),
        Column("running", float, _format_decimals, optional=True),
        Column("ideal item", str, optional=True),
        *(column._replace(name="ideal title") for column in titles),
        Column("ideal label", float, format_setting, optional=True),
        Column("ideal running", float, _format_decimals, optional=True),
    ]
    rows, styles = [], {}
    bar = next(i for i, column in enumerate(columns) if column.kind is Bar)
    n = max(len(places), len(explanation.ideal))
    for i in range(n):
        position = places[i] if i < len(places) else None
        ideal = explanation.ideal[i] if i < len(explanation.ideal) else None
        rows.append(
            [
                *_make_position_cells(explanation, position, ideal, largest),
                *_make_ideal_cells(explanation, ideal),
            ]
        )
        if position is not None:
            styles[i, 0] = "muted"
            styles[i, bar] = styles[i, 2 + len(titles)] = _choose_label_style(position)
    return Table(columns, rows, styles=styles)


def _make_position_cells(
    explanation: Explanation, position: Position | None, ideal: Ideal | None, largest: float
) -> list[Any]:
    n_titles = len(_make_title_column(explanation))
    bar = Bar(
        position.product / largest if position and largest else 0.0,
        ideal.product / largest if ideal and largest else 0.0,
    )
    if position is None:
        return [*[None] * (6 + n_titles), bar, None]
    return [
        f"{position.rank}=" if position.tied_with else f"{position.rank}",
        position.item,
        *_make_title_cell(explanation, position.item),
        "-" if position.label is None else position.label,
        position.gain,
        position.discount,
        position.product,
        bar,
        position.running,
    ]


def _make_ideal_cells(explanation: Explanation, ideal: Ideal | None) -> list[Any]:
    if ideal is None:
        return [None] * (3 + len(_make_title_column(explanation)))
    title = _make_title_cell(explanation, ideal.item)
    return [ideal.item, *title, ideal.label, ideal.running]


def _make_missed_table(explanation: Explanation) -> Table:
    dearest = max(missed.cost for missed in explanation.missed) or 1.0
    rows = [
        [
            missed.item,
            *_make_title_cell(explanation, missed.item),
            missed.label,
            "not retrieved" if missed.found_at is None else f"rank {missed.found_at}",
            missed.ideal_rank,
            missed.cost,
            Bar(missed.cost / dearest),
        ]
        for missed in explanation.missed
    ]
    columns = [
        Column("missed item"),
        *_make_title_column(explanation),
        Column("label", float, format_setting),
        Column("found"),
        Column("ideal rank", int, optional=True),
        Column("cost", float, _format_decimals),
        Column("", Bar),
    ]
    bar = len(columns) - 1
    return Table(columns, rows, styles={(i, bar): "worse" for i in range(len(rows))})


def _choose_label_style(position: Position) -> str:
    """Return how a label looks: better if it gains, worse if it is unjudged or does harm."""
    if position.label is None or position.gain < 0:
        return "worse"
    return "better" if position.gain > 0 else "muted"


def _find_largest_product(*explanations: Explanation) -> float:
    places: list[Position | Ideal] = []
    for explanation in explanations:
        places += [*explanation.positions, *explanation.ideal]
    return max((abs(place.product) for place in places), default=0.0)


def _format_decimals(value: float) -> str:
    return f"{value:.4f}"


def _format_gain(gain: float) -> str:
    return format_setting(gain) if gain.is_integer() else f"{gain:.4f}"


def _make_title_column(*explanations: Explanation) -> list[Column]:
    has_titles = any(explanation.titles or explanation.urls for explanation in explanations)
    return [Column("title", str, optional=True)] if has_titles else []


def _make_title_cell(explanation: Explanation, item: str) -> list[str]:
    """Return the cell beside an item, if the table has titles: its title, else its url."""
    if not _make_title_column(explanation):
        return []
    text = " ".join((explanation.titles.get(item) or explanation.urls.get(item) or "").split())
    return [text if len(text) <= _MAX_TITLE else text[: _MAX_TITLE - 3].rstrip() + "..."]


_KINDS = {"rank": int, "item": str, "tied_with": int}


def _make_data(explanation: Explanation) -> Table:
    """Make a row per rank, with everything that is known of it."""
    titles = ("title", "url") if _make_title_column(explanation) else ()
    columns = [Column(name, _KINDS.get(name, float)) for name in Position._fields]
    texts = (explanation.titles, explanation.urls)[: len(titles)]
    rows = [[*p, *(known.get(p.item) for known in texts)] for p in explanation.positions]
    return Table([*columns, *map(Column, titles)], rows)


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
        now, before = ours.get(item), theirs.get(item)
        ranks = now and now.rank, before and before.rank
        products = now.product if now else 0.0, before.product if before else 0.0
        moves.append(ItemMove(item, (now or theirs[item]).label, *ranks, *products))
    return moves


def view_moves(run: Explanation, against: Explanation) -> View:
    """Show the rankings of two runs for a query: where every item is and what it adds."""
    moves = find_moves(run, against)
    kinds = Counter(move.move.split()[0] for move in moves)
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ("up", "down", "same", "new", "lost"))
    values = f"{format_number(run.value)} by {run.run}, {format_number(against.value)} by "
    difference = format_difference(run.value - against.value)
    return View(
        headline=[
            f"query {run.query}: {run.measure} is {values}{against.run}; the difference is "
            f"{difference}."
        ],
        tables=lambda: [_make_move_table(run, against, moves)] if moves else [],
        data=lambda: _make_move_data(moves),
        content=lambda: _moves_to_dict(run, against, moves),
        closing=[
            f"{counts}.",
            "Items that are new or lost are not among the ranks that count on the other side.",
        ],
        settings=[f"rules: {run.rules}"],
        notices=format_notice_lines([*run.notices, *against.notices]),
    )


def _make_move_table(run: Explanation, against: Explanation, moves: Sequence[ItemMove]) -> Table:
    titles, largest = _make_title_column(run, against), _find_largest_product(run, against)
    titled = run if run.titles or run.urls else against
    columns = [
        Column("item"),
        *titles,
        Column("label", float, format_setting),
        Column(against.run, int),
        Column(run.run, int),
        Column("move"),
        Column("added before", float, _format_decimals),
        Column("adds", float, _format_decimals),
        Column("", Bar),
    ]
    rows, styles = [], {}
    for i, move in enumerate(moves):
        bar = Bar(move.product / largest if largest else 0.0)
        label = "-" if move.label is None else move.label
        ranks = move.rank_before, move.rank
        title = _make_title_cell(titled, move.item)
        rows.append([move.item, *title, label, *ranks, move.move, move.before, move.product, bar])
        change = move.product - move.before
        styles[i, 4 + len(titles)] = "muted" if not change else "better" if change > 0 else "worse"
        styles[i, 7 + len(titles)] = "better"
    return Table(columns, rows, styles=styles)


def _make_move_data(moves: Sequence[ItemMove]) -> Table:
    kinds = {"item": str, "rank": int, "rank_before": int}
    columns = [Column(name, kinds.get(name, float)) for name in ItemMove._fields]
    return Table([*columns, Column("move")], [[*move, move.move] for move in moves])


def _moves_to_dict(
    run: Explanation, against: Explanation, moves: Sequence[ItemMove]
) -> dict[str, Any]:
    """Return both explanations, and how every item moved, as plain values."""
    return {
        "difference": run.value - against.value,
        "moves": [move._asdict() | {"move": move.move} for move in moves],
        "run": run.to_dict(),
        "against": against.to_dict(),
    }
