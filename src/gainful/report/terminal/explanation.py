"""An Explanation on a terminal: what every rank adds, as bars beside those of the ideal."""

from collections.abc import Sequence

from gainful.base import format_setting
from gainful.evaluation import Explanation, Ideal, Position
from gainful.report.tables import make_printable
from gainful.report.terminal.layout import (
    BarCell,
    FittedTable,
    Line,
    Screen,
    Span,
    TerminalColumn,
    TextCell,
    draw_bar,
    draw_track,
    fit_columns,
    measure_width,
    pad_text,
    render_lines,
    shorten_text,
    wrap_sentence,
)
from gainful.report.views.explanation import (
    ItemMove,
    find_moves,
    list_explanation_footnotes,
    list_move_footnotes,
    summarize_moves,
)

SHORTEST = 8  # of an id or a title that is shortened
_WIDEST_SUM = 80
_NOTHING = TextCell("")


def render_explanation(explanation: Explanation, screen: Screen) -> str:
    """Render the ranking with a bar for every rank, the missed items and the footnotes.

    Columns that do not fit are left out, the least important first, and a footnote names them.

    >>> import gainful
    >>> qrels, run = {"q": {"a": 2, "b": 1}}, {"q": ["b", "x", "a"]}
    >>> explanation = gainful.explain(qrels, run, "q", "nDCG@2")
    >>> text = render_explanation(explanation, Screen(width=72, blocks=False))
    >>> print("\\n".join(text.splitlines()[4:7]))
    rank  item  label  gain  discount  gain x discount       running   ideal
       1  b         1     1    1.0000  1.0000 ######.......   1.0000  2.0000
       2  x         -     0    0.6309  0.0000 ....            1.0000  2.6309
    """
    tables = [fit_columns(columns, screen) for columns in _make_tables(explanation)]
    blocks = [
        wrap_sentence(
            f"{explanation.run}, query {explanation.query}: {explanation.reading}", screen, "title"
        )
    ]
    blocks += [table.lines for table in tables]
    if tables:
        blocks[1] = [*blocks[1], *draw_sum(explanation, screen)]
    closing = [
        *_make_legend(explanation, screen),
        *describe_omissions(tables, screen),
        *list_explanation_footnotes(explanation),
    ]
    blocks.append([line for text in closing for line in wrap_sentence(text, screen)])
    return "\n".join(render_lines(block, screen) for block in blocks)


def describe_omissions(tables: Sequence[FittedTable], screen: Screen) -> list[str]:
    """Say what did not fit on the screen, and where to get it."""
    names = dict.fromkeys(name for table in tables for name in table.left_out)
    parts = [f"without {', '.join(names)}"] if names else []
    if any(table.is_cut for table in tables):
        parts.append(f"shortened where {screen.ellipsis} stands")
    if not parts:
        return []
    return [f"fitted to {screen.width} columns: {', '.join(parts)}; -f json has everything."]


def choose_label_style(label: float | None, gain: float, largest: float) -> str:
    """Return the style of a label: the more an item gains, the brighter."""
    if label is None:
        return "unjudged"
    if not gain > 0:
        return "worse" if gain < 0 else "nonrelevant"
    return f"relevant{1 + sum(3 * gain > step * largest for step in (1, 2))}"


def _make_tables(explanation: Explanation) -> list[list[TerminalColumn]]:
    if not explanation.positions and not explanation.ideal:
        return []
    return [
        _make_ranking_columns(explanation),
        *([_make_missed_columns(explanation)] if explanation.missed else []),
    ]


def _make_ranking_columns(explanation: Explanation) -> list[TerminalColumn]:
    n = max(len(explanation.positions), len(explanation.ideal))
    positions = [*explanation.positions, *[None] * (n - len(explanation.positions))]
    ideal = [*explanation.ideal, *[None] * (n - len(explanation.ideal))]
    largest = max([p.gain for p in explanation.positions] + [p.gain for p in explanation.ideal])
    return [
        *_make_run_columns(explanation, positions, ideal, largest),
        *(_make_ideal_columns(explanation, ideal, largest) if explanation.ideal else []),
    ]


def _make_run_columns(
    explanation: Explanation,
    positions: Sequence[Position | None],
    ideal: Sequence[Ideal | None],
    largest: float,
) -> list[TerminalColumn]:
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in positions]
    scale = find_scale(explanation)
    rows = list(zip(positions, ideal, styles, strict=True))
    return [
        TerminalColumn("rank", [_make_rank_cell(p) for p in positions], 90, right=True),
        TerminalColumn("item", [TextCell(p.item if p else "") for p in positions], 100, SHORTEST),
        *make_title_columns([p.item if p else "" for p in positions], explanation, 50),
        TerminalColumn(
            "label", [TextCell(format_label(p), style) for p, _, style in rows], 80, right=True
        ),
        TerminalColumn("gain", [_make_gain_cell(p and p.gain) for p in positions], 40, right=True),
        TerminalColumn(
            "discount", [_make_decimal_cell(p and p.discount) for p in positions], 41, right=True
        ),
        TerminalColumn("gain x discount", [_make_product_cell(*row, scale) for row in rows], 95),
        TerminalColumn(
            "running", [_make_decimal_cell(p and p.running) for p in positions], 70, right=True
        ),
        *(
            [TerminalColumn("ideal", _make_ideal_sums(explanation, len(rows)), 60, right=True)]
            if explanation.ideal
            else []
        ),
    ]


def _make_ideal_columns(
    explanation: Explanation, ideal: Sequence[Ideal | None], largest: float
) -> list[TerminalColumn]:
    ranked_items = {position.item for position in explanation.positions}
    items = [place.item if place else "" for place in ideal]
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in ideal]
    labels = [
        TextCell(format_setting(p.label) if p else "", s)
        for p, s in zip(ideal, styles, strict=True)
    ]
    item_cells = [TextCell(item, "" if item in ranked_items else "worse") for item in items]
    group = "ideal"
    return [
        TerminalColumn("ideal item", item_cells, 30, SHORTEST, group=group),
        *(
            column._replace(group=group, name="ideal title")
            for column in make_title_columns(items, explanation, 10)
        ),
        TerminalColumn("label", labels, 20, right=True, group=group, name="ideal label"),
    ]


def _make_missed_columns(explanation: Explanation) -> list[TerminalColumn]:
    missed, dearest = explanation.missed, max(m.cost for m in explanation.missed)
    places = ["not retrieved" if m.found_at is None else f"rank {m.found_at}" for m in missed]
    costs = [BarCell(f"{m.cost:.4f}", m.cost, dearest, style="worse") for m in missed]
    return [
        TerminalColumn("missed item", [TextCell(m.item) for m in missed], 100, SHORTEST),
        *make_title_columns([m.item for m in missed], explanation, 50),
        TerminalColumn(
            "label", [TextCell(format_setting(m.label)) for m in missed], 80, right=True
        ),
        TerminalColumn("found", [TextCell(place) for place in places], 60, right=True),
        TerminalColumn("ideal rank", [TextCell(str(m.ideal_rank)) for m in missed], 40, right=True),
        TerminalColumn("cost", costs, 95),
    ]


def make_title_columns(
    items: Sequence[str], explanation: Explanation, worth: int
) -> list[TerminalColumn]:
    """Return a column of item titles, if any item has one."""
    if not explanation.titles and not explanation.urls:
        return []
    texts = [explanation.titles.get(item) or explanation.urls.get(item) or "" for item in items]
    cells = [TextCell(" ".join(text.split())) for text in texts]
    return [TerminalColumn("title", cells, worth, 2 * SHORTEST)]


def find_scale(explanation: Explanation) -> float:
    """Return the length of the longest bar: the largest product of the run or the ideal."""
    products, ideal_products = (
        [abs(p.product) for p in places] for places in (explanation.positions, explanation.ideal)
    )
    return max([*products, *ideal_products], default=0.0)


def _make_rank_cell(position: Position | None) -> TextCell:
    if position is None:
        return _NOTHING
    return TextCell(f"{position.rank}=" if position.tied_with else f"{position.rank}", "muted")


def format_label(position: Position | None) -> str:
    if position is None:
        return ""
    return "-" if position.label is None else format_setting(position.label)


def _make_gain_cell(gain: float | None) -> TextCell:
    whole = gain is not None and gain.is_integer()
    return TextCell(format_setting(gain)) if whole else _make_decimal_cell(gain)


def _make_decimal_cell(value: float | None) -> TextCell:
    return _NOTHING if value is None else TextCell(f"{value:.4f}")


def _make_product_cell(
    position: Position | None, ideal: Ideal | None, style: str, scale: float
) -> BarCell:
    value = position.product if position else 0.0
    text = f"{value:.4f}" if position else ""
    return BarCell(text, value, scale, ideal.product if ideal else 0.0, style)


def _make_ideal_sums(explanation: Explanation, n: int) -> list[TextCell]:
    """Return the running sum of the ideal ranking at every rank."""
    running = [place.running for place in explanation.ideal]
    running += [running[-1]] * (n - len(running))
    return [TextCell(f"{value:.4f}", "muted") for value in running]


def draw_sum(
    explanation: Explanation, screen: Screen, *, before: str = "", scale: float | None = None
) -> list[Line]:
    """Draw the sum of the products beside that of the ideal.

    Args:
        explanation: What is summed.
        screen: Where it is shown.
        before: The text before it.
        scale: The value of the longest bar; the sum of the ideal if None.
    """
    text = f"{before}sum {explanation.total:.4f}, at best {explanation.best:.4f} "
    scale = explanation.best if scale is None else scale
    length = min(screen.width, _WIDEST_SUM) - measure_width(text)
    if length < SHORTEST:
        return wrap_sentence(text, screen, "title")
    bar = draw_bar(explanation.total, scale, length, blocks=screen.blocks)
    rest = draw_track(explanation.best, scale, length, blocks=screen.blocks)[measure_width(bar) :]
    return [[Span(text, "title"), Span(bar, "better"), Span(rest, "muted")]]


def _make_legend(explanation: Explanation, screen: Screen) -> list[str]:
    if not explanation.positions and not explanation.ideal:
        return []
    full, hatched, light = "█▒░" if screen.blocks else "#-."
    parts = [f"{full} is what an item adds"]
    if any(position.product < 0 for position in explanation.positions):
        parts.append(f"{hatched} what it takes away")
    if explanation.ideal:
        parts.append(f"{light} what the ideal has more on that rank")
    unjudged = any(position.label is None for position in explanation.positions)
    return [", ".join(parts) + ("; label - is not judged." if unjudged else ".")]


_WIDEST_NAME, _SHORTEST_BAR = 24, 3
_LEGEND = (
    "items add gain x discount, and move from left to right; those that are new or lost are not "
    "among the ranks that count on the other side."
)


def render_side_by_side(run: Explanation, against: Explanation, screen: Screen) -> str:
    """Render two rankings beside each other, with sums, rules and notices.

    The other run is on the left; items that moved, are new or were lost are marked.
    """
    table = fit_columns(_make_columns(run, against), screen)
    first, *more = summarize_moves(run, against)
    blocks = [wrap_sentence(first, screen, "title")]
    if run.positions or against.positions:
        sums = [
            line
            for explanation in (against, run)
            for line in _draw_run_sum(explanation, (run, against), screen)
        ]
        blocks.append([*table.lines, *sums])
    closing = [
        *more,
        _LEGEND,
        *describe_omissions([table], screen),
        *list_move_footnotes(run, against),
    ]
    blocks.append([line for text in closing for line in wrap_sentence(text, screen)])
    return "\n".join(render_lines(block, screen) for block in blocks)


def _make_columns(run: Explanation, against: Explanation) -> list[TerminalColumn]:
    n = max(len(run.positions), len(against.positions))
    move_of_item = {
        item_move.item: TextCell(item_move.move, _choose_move_style(item_move))
        for item_move in find_moves(run, against)
    }
    lost_items = {item: word for item, word in move_of_item.items() if word.text == "lost"}
    scale = max(find_scale(run), find_scale(against))
    ranks = [TextCell(str(rank), "muted") for rank in range(1, n + 1)]
    return [
        TerminalColumn("rank", ranks, 90, right=True, group="against"),
        *_make_side_columns(against, n, lost_items, scale, group="against"),
        *_make_side_columns(run, n, move_of_item, scale, group="run"),
    ]


def _make_side_columns(
    explanation: Explanation, n: int, move: dict[str, TextCell], scale: float, group: str
) -> list[TerminalColumn]:
    places: Sequence[Position | None] = [
        *explanation.positions,
        *[None] * (n - len(explanation.positions)),
    ]
    largest = max(
        [0.0, *(p.gain for p in explanation.positions), *(p.gain for p in explanation.ideal)]
    )
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in places]
    nothing = TextCell("")
    words = [move.get(place.item, nothing) if place else nothing for place in places]
    labels = [TextCell(format_label(p), style) for p, style in zip(places, styles, strict=True)]
    bars = [
        BarCell(f"{p.product:.4f}" if p else "", p.product if p else 0.0, scale, style=style)
        for p, style in zip(places, styles, strict=True)
    ]
    items = [place.item if place else "" for place in places]
    suffix = f"of {explanation.run}"
    columns = [
        TerminalColumn(explanation.run, [TextCell(item) for item in items], 100, SHORTEST),
        *(
            column._replace(name=f"title {suffix}")
            for column in make_title_columns(items, explanation, 30)
        ),
        TerminalColumn("move", words, 95),
        TerminalColumn("label", labels, 80, right=True, name=f"label {suffix}"),
        TerminalColumn("adds", bars, 60, _SHORTEST_BAR, name=f"adds {suffix}"),
    ]
    return [column._replace(group=group) for column in columns]


def _choose_move_style(move: ItemMove) -> str:
    """Return the style of a move, by what it gains or costs."""
    if move.product == move.before:
        return "muted"
    return "better" if move.product > move.before else "worse"


def _draw_run_sum(
    explanation: Explanation, explanations: Sequence[Explanation], screen: Screen
) -> list[Line]:
    names = [
        shorten_text(make_printable(side.run), _WIDEST_NAME, screen.ellipsis)
        for side in explanations
    ]
    name = shorten_text(make_printable(explanation.run), _WIDEST_NAME, screen.ellipsis)
    before = f"{pad_text(name, max(map(measure_width, names)))}  "
    return draw_sum(
        explanation, screen, before=before, scale=max(side.best for side in explanations)
    )
