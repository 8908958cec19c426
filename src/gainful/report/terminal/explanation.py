"""An Explanation on a terminal: what every rank adds, as bars beside those of the ideal."""

from collections.abc import Sequence

from gainful.base import text_of
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
    explanation_footnotes,
    find_moves,
    move_footnotes,
    summarize_moves,
)

SHORTEST = 8  # of an id or a title that is shortened
_WIDEST_SUM = 80
_NOTHING = TextCell("")


def render_explanation(why: Explanation, screen: Screen) -> str:
    """The reading, the ranking with a bar for every rank, what was missed, swap, rules, notices.

    Columns that do not fit are left out, the least important first, and this is said.

    >>> import gainful
    >>> why = gainful.explain({"q": {"a": 2, "b": 1}}, {"q": ["b", "x", "a"]}, "q", "nDCG@2")
    >>> print("\\n".join(render_explanation(why, Screen(width=72, blocks=False)).splitlines()[4:7]))
    rank  item  label  gain  discount  gain x discount       running   ideal
       1  b         1     1    1.0000  1.0000 ######.......   1.0000  2.0000
       2  x         -     0    0.6309  0.0000 ....            1.0000  2.6309
    """
    tables = [fit_columns(columns, screen) for columns in _make_tables(why)]
    blocks = [wrap_sentence(f"{why.run}, query {why.query}: {why.reading}", screen, "title")]
    blocks += [table.lines for table in tables]
    if tables:
        blocks[1] = [*blocks[1], *draw_sum(why, screen)]
    closing = [
        *_make_legend(why, screen),
        *describe_omissions(tables, screen),
        *explanation_footnotes(why),
    ]
    blocks.append([line for text in closing for line in wrap_sentence(text, screen)])
    return "\n".join(render_lines(block, screen) for block in blocks)


def describe_omissions(tables: Sequence[FittedTable], screen: Screen) -> list[str]:
    """Say what did not fit on the screen, and where to get it."""
    names = dict.fromkeys(name for table in tables for name in table.left_out)
    parts = [f"without {', '.join(names)}"] if names else []
    if any(table.cut for table in tables):
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


def _make_tables(why: Explanation) -> list[list[TerminalColumn]]:
    if not why.positions and not why.ideal:
        return []
    return [_make_ranking_columns(why), *([_make_missed_columns(why)] if why.missed else [])]


def _make_ranking_columns(why: Explanation) -> list[TerminalColumn]:
    n = max(len(why.positions), len(why.ideal))
    positions = [*why.positions, *[None] * (n - len(why.positions))]
    ideal = [*why.ideal, *[None] * (n - len(why.ideal))]
    largest = max([p.gain for p in why.positions] + [p.gain for p in why.ideal])
    return [
        *_make_run_columns(why, positions, ideal, largest),
        *(_make_ideal_columns(why, ideal, largest) if why.ideal else []),
    ]


def _make_run_columns(
    why: Explanation,
    positions: Sequence[Position | None],
    ideal: Sequence[Ideal | None],
    largest: float,
) -> list[TerminalColumn]:
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in positions]
    scale = find_scale(why)
    rows = list(zip(positions, ideal, styles, strict=True))
    return [
        TerminalColumn("rank", [_make_rank_cell(p) for p in positions], 90, right=True),
        TerminalColumn("item", [TextCell(p.item if p else "") for p in positions], 100, SHORTEST),
        *make_title_columns([p.item if p else "" for p in positions], why, 50),
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
            [TerminalColumn("ideal", _make_ideal_sums(why, len(rows)), 60, right=True)]
            if why.ideal
            else []
        ),
    ]


def _make_ideal_columns(
    why: Explanation, ideal: Sequence[Ideal | None], largest: float
) -> list[TerminalColumn]:
    counted = {position.item for position in why.positions}
    items = [place.item if place else "" for place in ideal]
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in ideal]
    labels = [
        TextCell(text_of(p.label) if p else "", s) for p, s in zip(ideal, styles, strict=True)
    ]
    found = [TextCell(item, "" if item in counted else "worse") for item in items]
    group = "ideal"
    return [
        TerminalColumn("ideal item", found, 30, SHORTEST, group=group),
        *(
            column._replace(group=group, name="ideal title")
            for column in make_title_columns(items, why, 10)
        ),
        TerminalColumn("label", labels, 20, right=True, group=group, name="ideal label"),
    ]


def _make_missed_columns(why: Explanation) -> list[TerminalColumn]:
    missed, dearest = why.missed, max(m.cost for m in why.missed)
    places = ["not retrieved" if m.found_at is None else f"rank {m.found_at}" for m in missed]
    costs = [BarCell(f"{m.cost:.4f}", m.cost, dearest, style="worse") for m in missed]
    return [
        TerminalColumn("missed item", [TextCell(m.item) for m in missed], 100, SHORTEST),
        *make_title_columns([m.item for m in missed], why, 50),
        TerminalColumn("label", [TextCell(text_of(m.label)) for m in missed], 80, right=True),
        TerminalColumn("found", [TextCell(place) for place in places], 60, right=True),
        TerminalColumn("ideal rank", [TextCell(str(m.ideal_rank)) for m in missed], 40, right=True),
        TerminalColumn("cost", costs, 95),
    ]


def make_title_columns(items: Sequence[str], why: Explanation, worth: int) -> list[TerminalColumn]:
    """Return a column of item titles, if any item has one."""
    if not why.titles and not why.urls:
        return []
    texts = [why.titles.get(item) or why.urls.get(item) or "" for item in items]
    cells = [TextCell(" ".join(text.split())) for text in texts]
    return [TerminalColumn("title", cells, worth, 2 * SHORTEST)]


def find_scale(why: Explanation) -> float:
    """The longest bar: what the ideal gains most on one rank, unless the run gains more."""
    own, ideal = ([abs(p.product) for p in places] for places in (why.positions, why.ideal))
    return max([*own, *ideal], default=0.0)


def _make_rank_cell(position: Position | None) -> TextCell:
    if position is None:
        return _NOTHING
    return TextCell(f"{position.rank}=" if position.tied_with else f"{position.rank}", "muted")


def format_label(position: Position | None) -> str:
    if position is None:
        return ""
    return "-" if position.label is None else text_of(position.label)


def _make_gain_cell(gain: float | None) -> TextCell:
    whole = gain is not None and gain.is_integer()
    return TextCell(text_of(gain)) if whole else _make_decimal_cell(gain)


def _make_decimal_cell(value: float | None) -> TextCell:
    return _NOTHING if value is None else TextCell(f"{value:.4f}")


def _make_product_cell(
    position: Position | None, ideal: Ideal | None, style: str, scale: float
) -> BarCell:
    value = position.product if position else 0.0
    text = f"{value:.4f}" if position else ""
    return BarCell(text, value, scale, ideal.product if ideal else 0.0, style)


def _make_ideal_sums(why: Explanation, n: int) -> list[TextCell]:
    """Return the running sum of the ideal ranking at every rank."""
    running = [place.running for place in why.ideal]
    running += [running[-1]] * (n - len(running))
    return [TextCell(f"{value:.4f}", "muted") for value in running]


def draw_sum(
    why: Explanation, screen: Screen, *, before: str = "", scale: float | None = None
) -> list[Line]:
    """The sum of the products beside that of the ideal.

    Args:
        why: What is summed.
        screen: Where it is shown.
        before: What stands before it.
        scale: What the longest bar stands for; the sum of the ideal if None.
    """
    text = f"{before}sum {why.total:.4f}, at best {why.best:.4f} "
    scale = why.best if scale is None else scale
    length = min(screen.width, _WIDEST_SUM) - measure_width(text)
    if length < SHORTEST:
        return wrap_sentence(text, screen, "title")
    drawn = draw_bar(why.total, scale, length, blocks=screen.blocks)
    rest = draw_track(why.best, scale, length, blocks=screen.blocks)[measure_width(drawn) :]
    return [[Span(text, "title"), Span(drawn, "better"), Span(rest, "muted")]]


def _make_legend(why: Explanation, screen: Screen) -> list[str]:
    if not why.positions and not why.ideal:
        return []
    full, hatched, light = "█▒░" if screen.blocks else "#-."
    parts = [f"{full} is what an item adds"]
    if any(position.product < 0 for position in why.positions):
        parts.append(f"{hatched} what it takes away")
    if why.ideal:
        parts.append(f"{light} what the ideal has more on that rank")
    unjudged = any(position.label is None for position in why.positions)
    return [", ".join(parts) + ("; label - is not judged." if unjudged else ".")]


_WIDEST_NAME, _SHORTEST_BAR = 24, 3
_LEGEND = (
    "items add gain x discount, and move from left to right; those that are new or lost are not "
    "among the ranks that count on the other side."
)


def render_side_by_side(run: Explanation, against: Explanation, screen: Screen) -> str:
    """Render two rankings beside each other, with sums, rules and notices.

    The other stands on the left; what the run moved, found anew and lost is marked.
    """
    table = fit_columns(_make_columns(run, against), screen)
    first, *more = summarize_moves(run, against)
    blocks = [wrap_sentence(first, screen, "title")]
    if run.positions or against.positions:
        sums = [
            line for why in (against, run) for line in _draw_run_sum(why, (run, against), screen)
        ]
        blocks.append([*table.lines, *sums])
    told = [*more, _LEGEND, *describe_omissions([table], screen), *move_footnotes(run, against)]
    blocks.append([line for text in told for line in wrap_sentence(text, screen)])
    return "\n".join(render_lines(block, screen) for block in blocks)


def _make_columns(run: Explanation, against: Explanation) -> list[TerminalColumn]:
    n = max(len(run.positions), len(against.positions))
    move = {
        moved.item: TextCell(moved.move, _choose_move_style(moved))
        for moved in find_moves(run, against)
    }
    lost = {item: word for item, word in move.items() if word.text == "lost"}
    scale = max(find_scale(run), find_scale(against))
    ranks = [TextCell(str(rank), "muted") for rank in range(1, n + 1)]
    return [
        TerminalColumn("rank", ranks, 90, right=True, group="against"),
        *_make_side_columns(against, n, lost, scale, group="against"),
        *_make_side_columns(run, n, move, scale, group="run"),
    ]


def _make_side_columns(
    why: Explanation, n: int, move: dict[str, TextCell], scale: float, group: str
) -> list[TerminalColumn]:
    places: Sequence[Position | None] = [*why.positions, *[None] * (n - len(why.positions))]
    largest = max([0.0, *(p.gain for p in why.positions), *(p.gain for p in why.ideal)])
    styles = [choose_label_style(p.label, p.gain, largest) if p else "" for p in places]
    nothing = TextCell("")
    words = [move.get(place.item, nothing) if place else nothing for place in places]
    labels = [TextCell(format_label(p), style) for p, style in zip(places, styles, strict=True)]
    bars = [
        BarCell(f"{p.product:.4f}" if p else "", p.product if p else 0.0, scale, style=style)
        for p, style in zip(places, styles, strict=True)
    ]
    items = [place.item if place else "" for place in places]
    of = f"of {why.run}"
    columns = [
        TerminalColumn(why.run, [TextCell(item) for item in items], 100, SHORTEST),
        *(column._replace(name=f"title {of}") for column in make_title_columns(items, why, 30)),
        TerminalColumn("move", words, 95),
        TerminalColumn("label", labels, 80, right=True, name=f"label {of}"),
        TerminalColumn("adds", bars, 60, _SHORTEST_BAR, name=f"adds {of}"),
    ]
    return [column._replace(group=group) for column in columns]


def _choose_move_style(moved: ItemMove) -> str:
    """Return the style of a move, by what it gains or costs."""
    if moved.product == moved.before:
        return "muted"
    return "better" if moved.product > moved.before else "worse"


def _draw_run_sum(why: Explanation, both: Sequence[Explanation], screen: Screen) -> list[Line]:
    names = [shorten_text(make_printable(one.run), _WIDEST_NAME, screen.ellipsis) for one in both]
    name = shorten_text(make_printable(why.run), _WIDEST_NAME, screen.ellipsis)
    before = f"{pad_text(name, max(map(measure_width, names)))}  "
    return draw_sum(why, screen, before=before, scale=max(one.best for one in both))
