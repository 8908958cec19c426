"""What is judged: the items of every query by rank."""

import json
from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import names_of, scale
from gainful.charts.scales import whole_ticks
from gainful.charts.style import (
    LABELLED,
    WIDTH,
    Rows,
    altair,
    chart,
    finished,
    held,
    legend,
    number,
    panel_labels,
    short_labels,
    shortened,
    text,
    told,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

_STATES = {
    "relevant": ("relevant", "square", 90),
    "not relevant": ("nonrelevant", "circle", 30),
    "unjudged": ("unjudged", "cross", 64),
}
_STEP = 15


def coverage(rows: Rows, *, width: float = WIDTH) -> "ChartType":
    """A map for every run, a line for every query, a place for every rank: what is there.

    A relevant item is a square, one that is not relevant a dot, an unjudged one a cross; where
    the run returned nothing there is nothing.

    Args:
        rows: One for every run, query and rank: run, query, rank, state. The state is relevant,
            not relevant, unjudged or nothing.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "query": "q1", "rank": 1, "state": "relevant"}]
    >>> coverage(rows).to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    names, states = names_of(values), list(_STATES)
    _, shapes, sizes = zip(*_STATES.values(), strict=True)
    few = len(values) <= LABELLED
    # A scale of sizes would spread them evenly: they are as they are.
    size = f"{json.dumps(dict(zip(states, sizes, strict=True)))}[datum.state]"
    marks = alt.Chart().transform_filter("datum.state != 'nothing'")
    marks = marks.mark_point(filled=True, opacity=1, size=alt.expr(size), aria=few)
    shown = legend(states)
    queries = alt.Axis(title=None, **short_labels(names_of(values, "query"), 18))
    marks = marks.encode(
        x=alt.X("rank:O", axis=_rank_axis(values)),
        y=alt.Y("query:N", sort=names_of(values, "query"), axis=queries),
        color=alt.Color("state:N", scale=_state_colours(), legend=shown),
        shape=alt.Shape("state:N", scale=scale(states, shapes), legend=shown),
    )
    titles = {field: text(field) for field in ("run", "query", "rank", "state")}
    said = "datum.run + ', query ' + datum.query + ', rank ' + datum.rank + ': ' + datum.state"
    marks = told(marks, titles, said if few else None)
    step = {"step": _step(values, len(names), width)}
    sized = marks.properties(width=step, height={"step": _STEP})
    described = f"What is judged, by query and rank, for each of {len(names)} runs."
    return finished(_by_run(sized, values, names), described, fitted=False)


def coverage_shares(rows: Rows, *, width: float = WIDTH) -> "ChartType":
    """The same for many queries: a line for a range of them, at every rank the shares.

    Relevant items are at the bottom, unjudged ones on top, those that are not relevant between.

    Args:
        rows: One for every run, range of queries and rank: run, query, rank, relevant, judged,
            unjudged. The shares are of the queries of the range; judged counts relevant too.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "query": "q1-q9", "rank": 1}
    >>> shares = {"relevant": 0.5, "judged": 0.75, "unjudged": 0.25}
    >>> coverage_shares([row | shares]).to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    names, ranges = names_of(values), names_of(values, "query")
    line = f"indexof({json.dumps(ranges)}, datum.query)"
    shares = {"relevant": "datum.relevant", "not relevant": "datum.judged - datum.relevant"}
    shares["unjudged"] = "datum.unjudged"
    starts = {"relevant": "0", "not relevant": "datum.relevant", "unjudged": "datum.judged"}
    layers = [
        _share_bars(state, line, starts[state], shares[state], values, ranges) for state in shares
    ]
    step = {"step": _step(values, len(names), width)}
    sized = alt.layer(*layers).properties(width=step, height=32 * max(len(ranges), 1))
    described = f"Shares of judged items, by queries and rank, for each of {len(names)} runs."
    return finished(_by_run(sized, values, names), described, fitted=False)


def _share_bars(
    state: str,
    line: str,
    start: str,
    share: str,
    values: list[dict[str, Any]],
    ranges: list[str],
) -> Any:
    alt = altair()
    bars = alt.Chart().transform_calculate(
        state=f"'{state}'",
        bottom=f"{line} + 1 - 0.86 * ({start})",
        top=f"{line} + 1 - 0.86 * ({start} + {share})",
    )
    short = list(shortened(ranges, 20).values())
    axis = alt.Axis(
        title=None,
        values=[i + 0.57 for i in range(len(ranges))],
        labelExpr=f"({json.dumps(short)})[floor(datum.value)]",
        grid=False,
    )
    upwards = alt.Scale(domain=[0, max(len(ranges), 1)], reverse=True, nice=False)
    marks = bars.mark_bar(width={"band": 0.86}, aria=False).encode(
        x=alt.X("rank:O", axis=_rank_axis(values)),
        y=alt.Y("bottom:Q", scale=upwards, axis=axis),
        y2="top:Q",
        color=alt.Color("state:N", scale=_state_colours(), legend=legend(list(_STATES))),
    )
    titles = {"run": text("run"), "queries": text("query"), "rank": text("rank")}
    shares = {name: number(name, ".1%") for name in ("relevant", "judged", "unjudged")}
    return told(marks, titles | shares, None)


def _state_colours() -> Any:
    return scale(list(_STATES), [light(name) for name, *_ in _STATES.values()])


def _rank_axis(values: list[dict[str, Any]]) -> Any:
    deepest = max((row["rank"] for row in values), default=1)
    ticks = whole_ticks(1, deepest)[:: 2 if deepest > 10 else 1]
    return altair().Axis(title="rank", values=ticks, labelAngle=0)


def _step(values: list[dict[str, Any]], n_runs: int, width: float) -> float:
    deepest = max((row["rank"] for row in values), default=1)
    room = width - 140 if n_runs == 1 else (width - 160) / 2
    return round(min(max(room / deepest, 9), 20), 2)


def _by_run(drawn: Any, values: list[dict[str, Any]], names: list[str]) -> Any:
    alt = altair()
    short = panel_labels(names, 40 if len(names) == 1 else 26)
    header = alt.Header(
        title=None, labelAnchor="start", labelFontWeight=600, labelPadding=6, **short
    )
    facet = alt.Facet("run:N", sort=names, header=header)
    columns = 1 if len(names) == 1 else 2
    drawn = drawn.facet(facet=facet, columns=columns, data=chart(values).data)
    return drawn.properties(spacing=18).resolve_axis(x="independent")
