"""An Explanation on a terminal: what every rank adds, as bars beside those of the ideal."""

from collections.abc import Sequence

from gainful.explanation import Explanation, Ideal, Position
from gainful.report.terminal.bars import bar, track
from gainful.report.terminal.cells import width_of
from gainful.report.terminal.fitting import Bar, Column, Fitted, Words, fitted
from gainful.report.terminal.screen import Line, Screen, Span, on_screen
from gainful.report.terminal.sentences import said
from gainful.settings import text_of

SHORTEST = 8  # of an id or a title that is shortened
_WIDEST_SUM = 80
_NOTHING = Words("")


def explained(why: Explanation, screen: Screen) -> str:
    """The reading, the ranking with a bar for every rank, what was missed, swap, rules, notices.

    Columns that do not fit are left out, the least important first, and this is said.

    >>> import gainful
    >>> why = gainful.explain({"q": {"a": 2, "b": 1}}, {"q": ["b", "x", "a"]}, "q", "nDCG@2")
    >>> print("\\n".join(explained(why, Screen(width=72, blocks=False)).splitlines()[4:7]))
    rank  item  label  gain  discount  gain x discount       running   ideal
       1  b         1     1    1.0000  1.0000 ######.......   1.0000  2.0000
       2  x         -     0    0.6309  0.0000 ....            1.0000  2.6309
    """
    tables = [fitted(columns, screen) for columns in _tables(why)]
    blocks = [said(f"{why.run}, query {why.query}: {why.reading}", screen, "title")]
    blocks += [table.lines for table in tables]
    if tables:
        blocks[1] = [*blocks[1], *summed(why, screen)]
    closing = [*_legend(why, screen), *left_out(tables, screen), *why.closing()]
    blocks.append([line for text in closing for line in said(text, screen)])
    return "\n".join(on_screen(block, screen) for block in blocks)


def left_out(tables: Sequence[Fitted], screen: Screen) -> list[str]:
    """What the screen is too narrow for, in a sentence, and where it is to be had."""
    names = dict.fromkeys(name for table in tables for name in table.left_out)
    parts = [f"without {', '.join(names)}"] if names else []
    if any(table.cut for table in tables):
        parts.append(f"shortened where {screen.ellipsis} stands")
    if not parts:
        return []
    return [f"fitted to {screen.width} columns: {', '.join(parts)}; -o json has everything."]


def label_style(label: float | None, gain: float, largest: float) -> str:
    """How a label looks: the more an item gains, the brighter."""
    if label is None:
        return "unjudged"
    if not gain > 0:
        return "worse" if gain < 0 else "nonrelevant"
    return f"relevant{1 + sum(3 * gain > step * largest for step in (1, 2))}"


def _tables(why: Explanation) -> list[list[Column]]:
    if not why.positions and not why.ideal:
        return []
    return [_ranking(why), *([_missed(why)] if why.missed else [])]


def _ranking(why: Explanation) -> list[Column]:
    n = max(len(why.positions), len(why.ideal))
    positions = [*why.positions, *[None] * (n - len(why.positions))]
    ideal = [*why.ideal, *[None] * (n - len(why.ideal))]
    largest = max([p.gain for p in why.positions] + [p.gain for p in why.ideal])
    return [
        *_run_columns(why, positions, ideal, largest),
        *(_ideal_columns(why, ideal, largest) if why.ideal else []),
    ]


def _run_columns(
    why: Explanation,
    positions: Sequence[Position | None],
    ideal: Sequence[Ideal | None],
    largest: float,
) -> list[Column]:
    styles = [label_style(p.label, p.gain, largest) if p else "" for p in positions]
    scale = scale_of(why)
    rows = list(zip(positions, ideal, styles, strict=True))
    return [
        Column("rank", [_rank(p) for p in positions], 90, right=True),
        Column("item", [Words(p.item if p else "") for p in positions], 100, SHORTEST),
        *titles([p.item if p else "" for p in positions], why, 50),
        Column("label", [Words(label_text(p), style) for p, _, style in rows], 80, right=True),
        Column("gain", [_gain(p and p.gain) for p in positions], 40, right=True),
        Column("discount", [_decimals(p and p.discount) for p in positions], 41, right=True),
        Column("gain x discount", [_product(*row, scale) for row in rows], 95),
        Column("running", [_decimals(p and p.running) for p in positions], 70, right=True),
        *([Column("ideal", _reached(why, len(rows)), 60, right=True)] if why.ideal else []),
    ]


def _ideal_columns(why: Explanation, ideal: Sequence[Ideal | None], largest: float) -> list[Column]:
    counted = {position.item for position in why.positions}
    items = [place.item if place else "" for place in ideal]
    styles = [label_style(p.label, p.gain, largest) if p else "" for p in ideal]
    labels = [Words(text_of(p.label) if p else "", s) for p, s in zip(ideal, styles, strict=True)]
    found = [Words(item, "" if item in counted else "worse") for item in items]
    group = "ideal"
    return [
        Column("ideal item", found, 30, SHORTEST, group=group),
        *(column._replace(group=group, name="ideal title") for column in titles(items, why, 10)),
        Column("label", labels, 20, right=True, group=group, name="ideal label"),
    ]


def _missed(why: Explanation) -> list[Column]:
    missed, dearest = why.missed, max(m.cost for m in why.missed)
    places = ["not retrieved" if m.found_at is None else f"rank {m.found_at}" for m in missed]
    costs = [Bar(f"{m.cost:.4f}", m.cost, dearest, style="worse") for m in missed]
    return [
        Column("missed item", [Words(m.item) for m in missed], 100, SHORTEST),
        *titles([m.item for m in missed], why, 50),
        Column("label", [Words(text_of(m.label)) for m in missed], 80, right=True),
        Column("found", [Words(place) for place in places], 60, right=True),
        Column("ideal rank", [Words(str(m.ideal_rank)) for m in missed], 40, right=True),
        Column("cost", costs, 95),
    ]


def titles(items: Sequence[str], why: Explanation, worth: int) -> list[Column]:
    """What the items are called, if that is known of any."""
    if not why.titles and not why.urls:
        return []
    texts = [why.titles.get(item) or why.urls.get(item) or "" for item in items]
    cells = [Words(" ".join(text.split())) for text in texts]
    return [Column("title", cells, worth, 2 * SHORTEST)]


def scale_of(why: Explanation) -> float:
    """The longest bar: what the ideal gains most on one rank, unless the run gains more."""
    own, ideal = ([abs(p.product) for p in places] for places in (why.positions, why.ideal))
    return max([*own, *ideal], default=0.0)


def _rank(position: Position | None) -> Words:
    if position is None:
        return _NOTHING
    return Words(f"{position.rank}=" if position.tied_with else f"{position.rank}", "muted")


def label_text(position: Position | None) -> str:
    if position is None:
        return ""
    return "-" if position.label is None else text_of(position.label)


def _gain(gain: float | None) -> Words:
    whole = gain is not None and gain.is_integer()
    return Words(text_of(gain)) if whole else _decimals(gain)


def _decimals(value: float | None) -> Words:
    return _NOTHING if value is None else Words(f"{value:.4f}")


def _product(position: Position | None, ideal: Ideal | None, style: str, scale: float) -> Bar:
    value = position.product if position else 0.0
    text = f"{value:.4f}" if position else ""
    return Bar(text, value, scale, ideal.product if ideal else 0.0, style)


def _reached(why: Explanation, n: int) -> list[Words]:
    """What the ideal has gained down to each rank; below its end that is all it gains."""
    running = [place.running for place in why.ideal]
    running += [running[-1]] * (n - len(running))
    return [Words(f"{value:.4f}", "muted") for value in running]


def summed(
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
    length = min(screen.width, _WIDEST_SUM) - width_of(text)
    if length < SHORTEST:
        return said(text, screen, "title")
    drawn = bar(why.total, scale, length, blocks=screen.blocks)
    rest = track(why.best, scale, length, blocks=screen.blocks)[width_of(drawn) :]
    return [[Span(text, "title"), Span(drawn, "better"), Span(rest, "muted")]]


def _legend(why: Explanation, screen: Screen) -> list[str]:
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
