"""Draw the charts of docs/concepts with Gainful's own plots: ``make docs``.

A picture is drawn if its rows have changed or it is missing; remove it to draw it again. With
--check, nothing is written, and the stale pictures are named.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

import gainful
from gainful.report import charts
from gainful.report.charts.style import PALETTE
from gainful.report.html.parts import draw_chart

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
SHOP = Path(str(files("gainful") / "demo"))
RUNS = ("keyword", "semantic", "hybrid")
LABELS = (3, 2, 3, 0, 1)  # of the ranking that the tutorial begins with
DISCOUNTS = ("log2", "jk(2)", "jk(10)", "reciprocal", "none")
HORIZONTAL_TITLES = {"discounts.svg": "rank"}  # another title of the horizontal axis
N_HITS = {"finds 10 of 40": 10, "finds 25 of 40": 25, "finds all 40": 40}


def list_pictures() -> dict[str, Callable[[], Any]]:
    """Return the function that draws each picture, by the name of its file."""
    return {f"{name}.svg": draw for name, draw in CHARTS.items()}


def hash_rows(chart: Any) -> str:
    """Return a hash of a chart's rows: pictures differ with a machine's fonts, rows do not."""
    rows = json.dumps(chart["data"], sort_keys=True)
    return hashlib.sha256(rows.encode()).hexdigest()[:16]


def read_row_hash(path: Path) -> str | None:
    """Return the hash of the rows that a picture was drawn from."""
    match = path.exists() and re.search("<!-- rows: (.+?) -->", path.read_text(encoding="utf-8"))
    return match[1] if match else None


def draw_picture(name: str, chart: Any) -> str:
    """Return the chart as the text of a file."""
    svg = draw_chart(chart, name.removesuffix(".svg")).svg
    svg = svg.replace("cutoff k", HORIZONTAL_TITLES.get(name, "cutoff k"))
    return _add_room(f"{_add_dark_style(svg)}<!-- rows: {hash_rows(chart)} -->\n")


def _draw_contributions() -> Any:
    """Draw the gain that every rank adds, beside the ideal."""
    return _explain_ranking().plot().to_dict()


def _draw_growth() -> Any:
    """Draw how CG and DCG grow from rank to rank."""
    return _explain_ranking().plot(kind="gains").to_dict()


def _explain_ranking() -> gainful.Explanation:
    labels = dict(zip("abcde", LABELS, strict=True))
    run = gainful.read_run({"q": list(labels)}, name="ranking")
    return gainful.explain({"q": labels}, run, "q", "nDCG")


def _draw_weights() -> Any:
    """Draw the weight of every rank, by discount."""
    return _draw_curves(
        {name: {k: _compute_weight(k, name) for k in range(1, 21)} for name in DISCOUNTS},
        "weight of the rank",
    )


def _compute_weight(rank: int, discount: str) -> float:
    return float(np.asarray(gainful.dcg([0] * (rank - 1) + [1], discount=discount)))


def _draw_gains() -> Any:
    """Draw nDCG of two runs at every cutoff, by gain."""
    values = {}
    for run in ("keyword", "hybrid"):
        for gain in ("linear", "exp2"):
            measures = [f"nDCG(gain={gain})@{k}" for k in range(1, 11)]
            scores = gainful.evaluate(SHOP / "qrels.txt", SHOP / f"{run}.run", measures)
            values[f"{run}, {gain}"] = dict(enumerate(scores.mean().values(), 1))
    return _draw_curves(values, "nDCG")


def _draw_many_relevant() -> Any:
    """Draw nDCG of systems that all fill the first ten ranks, at every cutoff."""
    cutoffs = range(1, 51)
    relevant = {f"good-{n}" for n in range(40)}
    values = {}
    for name, n in N_HITS.items():
        ranking = [f"good-{i}" for i in range(n)] + [f"other-{i}" for i in range(50 - n)]
        curve = gainful.ndcg(ranking, relevant=relevant, k=list(cutoffs))
        values[name] = dict(zip(cutoffs, np.asarray(curve).tolist(), strict=True))
    return _draw_curves(values, "nDCG")


def _draw_bounds() -> Any:
    """Draw the bounds of nDCG@10 of the demo's runs, for any labels of unjudged items."""
    runs = {run: SHOP / f"{run}.run" for run in RUNS}
    bounds = gainful.unjudged(SHOP / "qrels.txt", runs).bounds
    rows = [{"run": run, "value": bounds.value(run), **bounds.mean(run)._asdict()} for run in RUNS]
    return charts.draw_possible_values(rows, measure="nDCG@10")


def _draw_curves(values: Mapping[str, Mapping[int, float]], measure: str) -> Any:
    rows = [
        {"run": name, "k": k, "value": value, "low": value, "high": value}
        for name, line in values.items()
        for k, value in line.items()
    ]
    return charts.draw_curves(rows, measure=measure)


def _add_room(svg: str) -> str:
    """Return the picture with room on its right for wide fonts."""
    width, height = re.findall(r'\b(?:width|height)="(\d+)"', svg)[:2]
    padded = int(width) + 24
    svg = svg.replace(f'width="{width}"', f'width="{padded}"', 1)
    return svg.replace(f'viewBox="0 0 {width} {height}"', f'viewBox="0 0 {padded} {height}"', 1)


def _add_dark_style(svg: str) -> str:
    """Return the picture with colors for dark pages, for viewers of the file itself."""
    rules = "".join(
        f'[{part}="{color.light}"]{{{part}:{color.dark}}}'
        for color in PALETTE.values()
        for part in ("fill", "stroke")
        if f'{part}="{color.light}"' in svg
    )
    start = svg.index(">") + 1
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return f"{svg[:start]}{style}{svg[start:]}\n"


CHARTS: dict[str, Callable[[], Any]] = {
    "added": _draw_contributions,
    "growth": _draw_growth,
    "discounts": _draw_weights,
    "gains": _draw_gains,
    "many": _draw_many_relevant,
    "possible": _draw_bounds,
}


def main() -> int:
    """Draw the pictures whose rows have changed, or with --check name them."""
    stale = []
    for name, draw in list_pictures().items():
        chart, path = draw(), IMAGES / name
        if read_row_hash(path) != hash_rows(chart):
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(draw_picture(name, chart), encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"{', '.join(stale)}: drawn from other rows. Run make docs.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
