"""Sample rows for every chart, the chart of them, and its marks as SVG."""

import xml.etree.ElementTree as ET

import vl_convert

from gainful.report import charts

CURVES = [
    {"run": run, "k": k, "value": base + 0.01 * k, "low": base - 0.02, "high": base + 0.1}
    for run, base in (("keyword", 0.4), ("hybrid", 0.5))
    for k in (1, 2, 3, 4, 5)
]
QUERIES = [
    {"query": "q3", "text": "what is it", "a": 0.9, "b": 0.4, "difference": -0.5, "place": 1},
    {"query": "q1", "text": None, "a": 0.5, "b": 0.5, "difference": 0.0, "place": 2},
    {"query": "q2", "text": "who was it", "a": 0.25, "b": 0.75, "difference": 0.5, "place": 3},
]
BARS = [
    {"run": run, "low": low, "high": low + 0.5, "count": n, "share": n / 4}
    for run, counts in (("keyword", (3, 1)), ("hybrid", (1, 3)))
    for low, n in zip((0.0, 0.5), counts, strict=True)
]
STEPS = [
    {"run": run, "value": value, "share": share}
    for run, shares in (("keyword", (0.5, 1.0)), ("hybrid", (0.25, 1.0)))
    for value, share in zip((0.0, 1.0), shares, strict=True)
]
PAIRS = [
    {"pair": "b - a", "difference": 0.2, "low": 0.1, "high": 0.3, "verdict": "better"},
    {"pair": "c - a", "difference": -0.2, "low": -0.3, "high": -0.1, "verdict": "worse"},
    {"pair": "d - a", "difference": 0.1, "low": -0.1, "high": 0.3, "verdict": "cannot tell"},
    {
        "pair": "e - a",
        "difference": 0.0,
        "low": -0.01,
        "high": 0.01,
        "verdict": "practically equal",
    },
    {"pair": "f - a", "difference": 0.0, "low": None, "high": None, "verdict": "identical"},
]
CELLS = [
    {"run": run, "query": query, "rank": rank, "state": state}
    for run in ("keyword", "hybrid")
    for query in ("q1", "q2")
    for rank, state in enumerate(("relevant", "not relevant", "unjudged", "nothing"), 1)
]
SHARES = [
    {"run": run, "query": queries, "rank": 1, "relevant": 0.5, "judged": 0.75, "unjudged": 0.25}
    for run in ("keyword", "hybrid")
    for queries in ("q1-q9", "q10-q19")
]
POSSIBLE = [
    {"run": "keyword", "value": 0.4, "low": 0.35, "high": 0.6},
    {"run": "hybrid", "value": 0.5, "low": 0.5, "high": 0.5},
]
SLICES = [
    {"run": run, "slice": part, "n": n, "value": 0.5, "low": 0.4, "high": 0.6}
    for part, n in (("en", 7), ("fr", 3))
    for run in ("keyword", "hybrid")
]
GAINS = [
    {"panel": panel, "series": series, "rank": rank, "value": rank * step / discount}
    for series, step in (("keyword", 1.0), ("hybrid", 2.0), ("ideal", 3.0))
    for panel, discount in (("CG", 1), ("DCG", 2))
    for rank in (1, 2, 3)
]
PARTS = [
    {"run": run, "rank": rank, "item": f"d{rank}", "label": 2, "product": 2.0 / rank, "share": 0.5}
    for run in ("hybrid", "ideal")
    for rank in (1, 2)
]
BOTH = {"measure": "nDCG@10", "a": "keyword", "b": "hybrid"}
OF = {"measure": "nDCG@10"}
# Of each chart: what draws it, its rows, and what else it is given.
CHARTS = {
    "curves": (charts.draw_curves, CURVES, {"measure": "nDCG"}),
    "curves-log": (charts.draw_curves, CURVES, {"measure": "nDCG", "log": True}),
    "differences": (charts.draw_differences, QUERIES, BOTH),
    "scatter": (charts.draw_scatter, QUERIES, BOTH),
    "histogram": (charts.draw_histogram, BARS, OF),
    "ecdf": (charts.draw_ecdf, STEPS, OF),
    "forest": (charts.draw_forest, PAIRS, OF),
    "coverage": (charts.draw_coverage, CELLS, {}),
    "coverage-shares": (charts.draw_coverage_shares, SHARES, {}),
    "possible": (charts.draw_possible_values, POSSIBLE, OF),
    "slices": (charts.draw_slices, SLICES, OF | {"column": "language"}),
    "gains": (charts.draw_gains, GAINS, {"cutoff": 3}),
    "contributions": (charts.draw_contributions, PARTS, {}),
}


def repeat_for_names(rows, field, n):
    """The rows of the first name in a field, again for each of ``n`` other names."""
    first = [row for row in rows if row[field] == rows[0][field]]
    return [row | {field: f"name {i:03}"} for i in range(n) for row in first]


# Many runs and many queries are drawn in other ways than few.
MANY = {
    "curves-many": (
        charts.draw_curves,
        repeat_for_names(CURVES, "run", 20),
        {"highlight": ("name 003",)},
    ),
    "differences-many": (
        charts.draw_differences,
        [row | {"place": i + 1} for i, row in enumerate(repeat_for_names(QUERIES, "query", 40))],
        BOTH,
    ),
    "histogram-many": (charts.draw_histogram, repeat_for_names(BARS, "run", 20), OF),
    "ecdf-many": (charts.draw_ecdf, repeat_for_names(STEPS, "run", 20), OF),
    "slices-many": (
        charts.draw_slices,
        repeat_for_names(SLICES, "run", 20),
        OF | {"column": "language"},
    ),
}


def draw_sample(name):
    """The chart of a name."""
    draw, rows, options = (CHARTS | MANY)[name]
    return draw(rows, **options)


def render_svg(chart):
    return vl_convert.vegalite_to_svg(chart)


def mark_labels(text, role):
    marks = ET.fromstring(text).iter()
    return [
        mark.get("aria-label")
        for mark in marks
        if mark.get("aria-roledescription") == role and mark.get("aria-label")
    ]


QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
OLD = {"q1": ["d9", "d2", "d1"], "q2": ["d9", "d1"], "q3": ["d1"]}
NEW = {"q1": ["d1", "d9", "d2"], "q2": ["d1"], "q3": ["d9", "d1"]}
RUN_PAIR = {"old": OLD, "new": NEW}


def rows_of_chart(chart):
    return chart.to_dict()["data"]["values"]
