"""Two rankings of one query side by side on a terminal, with what moved between them."""

from collections.abc import Sequence

from gainful.explanation import Explanation, Position
from gainful.report.side_by_side import Moved, closing, moves, summary
from gainful.report.terminal.cells import filled, shortened, width_of
from gainful.report.terminal.explanation import (
    SHORTEST,
    label_style,
    label_text,
    left_out,
    scale_of,
    summed,
    titles,
)
from gainful.report.terminal.fitting import Bar, Column, Words, fitted
from gainful.report.terminal.screen import Line, Screen, on_screen
from gainful.report.terminal.sentences import said
from gainful.tables import printable

_WIDEST_NAME, _SHORTEST_BAR = 24, 3
_LEGEND = (
    "items add gain x discount, and move from left to right; those that are new or lost are not "
    "among the ranks that count on the other side."
)


def side_by_side(run: Explanation, against: Explanation, screen: Screen) -> str:
    """What differs, the other ranking and that of the run beside it, both sums, rules, notices.

    The other stands on the left; what the run moved, found anew and lost is marked.
    """
    table = fitted(_columns(run, against), screen)
    first, *more = summary(run, against)
    blocks = [said(first, screen, "title")]
    if run.positions or against.positions:
        sums = [line for why in (against, run) for line in _sum(why, (run, against), screen)]
        blocks.append([*table.lines, *sums])
    told = [*more, _LEGEND, *left_out([table], screen), *closing(run, against)]
    blocks.append([line for text in told for line in said(text, screen)])
    return "\n".join(on_screen(block, screen) for block in blocks)


def _columns(run: Explanation, against: Explanation) -> list[Column]:
    n = max(len(run.positions), len(against.positions))
    move = {moved.item: Words(moved.move, _style(moved)) for moved in moves(run, against)}
    lost = {item: word for item, word in move.items() if word.text == "lost"}
    scale = max(scale_of(run), scale_of(against))
    ranks = [Words(str(rank), "muted") for rank in range(1, n + 1)]
    return [
        Column("rank", ranks, 90, right=True, group="against"),
        *_side(against, n, lost, scale, group="against"),
        *_side(run, n, move, scale, group="run"),
    ]


def _side(
    why: Explanation, n: int, move: dict[str, Words], scale: float, group: str
) -> list[Column]:
    places: Sequence[Position | None] = [*why.positions, *[None] * (n - len(why.positions))]
    largest = max([0.0, *(p.gain for p in why.positions), *(p.gain for p in why.ideal)])
    styles = [label_style(p.label, p.gain, largest) if p else "" for p in places]
    nothing = Words("")
    words = [move.get(place.item, nothing) if place else nothing for place in places]
    labels = [Words(label_text(p), style) for p, style in zip(places, styles, strict=True)]
    bars = [
        Bar(f"{p.product:.4f}" if p else "", p.product if p else 0.0, scale, style=style)
        for p, style in zip(places, styles, strict=True)
    ]
    items = [place.item if place else "" for place in places]
    of = f"of {why.run}"
    columns = [
        Column(why.run, [Words(item) for item in items], 100, SHORTEST),
        *(column._replace(name=f"title {of}") for column in titles(items, why, 30)),
        Column("move", words, 95),
        Column("label", labels, 80, right=True, name=f"label {of}"),
        Column("adds", bars, 60, _SHORTEST_BAR, name=f"adds {of}"),
    ]
    return [column._replace(group=group) for column in columns]


def _style(moved: Moved) -> str:
    """How a move looks: by what it gains or costs, not by its direction."""
    if moved.product == moved.before:
        return "muted"
    return "better" if moved.product > moved.before else "worse"


def _sum(why: Explanation, both: Sequence[Explanation], screen: Screen) -> list[Line]:
    names = [shortened(printable(one.run), _WIDEST_NAME, screen.ellipsis) for one in both]
    name = shortened(printable(why.run), _WIDEST_NAME, screen.ellipsis)
    before = f"{filled(name, max(map(width_of, names)))}  "
    return summed(why, screen, before=before, scale=max(one.best for one in both))
