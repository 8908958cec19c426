"""Draws the charts of docs/concepts with Gainful's own plots: ``make docs``.

A picture is drawn where its rows have changed, or where it is missing: remove it to draw it anew.
With --check nothing is written, and what has changed is named.
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
ACROSS = {"discounts.svg": "rank"}  # another title of the horizontal axis
FOUND = {"finds 10 of 40": 10, "finds 25 of 40": 25, "finds all 40": 40}


def pictures() -> dict[str, Callable[[], Any]]:
    """What draws each picture, by the name of its file."""
    return {f"{name}.svg": draw for name, draw in CHARTS.items()}


def digest(chart: Any) -> str:
    """What tells the rows of a chart: pictures differ with the fonts of a machine, rows do not."""
    rows = json.dumps(chart.to_dict(validate=False)["data"], sort_keys=True)
    return hashlib.sha256(rows.encode()).hexdigest()[:16]


def drawn_from(path: Path) -> str | None:
    """The digest of the rows that a picture was drawn from."""
    found = path.exists() and re.search("<!-- rows: (.+?) -->", path.read_text(encoding="utf-8"))
    return found[1] if found else None


def picture(name: str, chart: Any) -> str:
    """The chart as a file."""
    svg = draw_chart(chart, name.removesuffix(".svg")).svg
    svg = svg.replace("cutoff k", ACROSS.get(name, "cutoff k"))
    return _roomy(f"{_for_light_and_dark(svg)}<!-- rows: {digest(chart)} -->\n")


def _added() -> Any:
    """What every rank adds, beside the ideal."""
    return _explained().plot()


def _growth() -> Any:
    """How CG and DCG grow from rank to rank."""
    return _explained().plot(kind="gains")


def _explained() -> gainful.Explanation:
    labels = dict(zip("abcde", LABELS, strict=True))
    run = gainful.read_run({"q": list(labels)}, name="ranking")
    return gainful.explain({"q": labels}, run, "q", "nDCG")


def _weights() -> Any:
    """What an item of gain 1 adds on each rank, by discount."""
    return _curves(
        {name: {k: _weight(k, name) for k in range(1, 21)} for name in DISCOUNTS},
        "weight of the rank",
    )


def _weight(rank: int, discount: str) -> float:
    return float(np.asarray(gainful.dcg([0] * (rank - 1) + [1], discount=discount)))


def _by_gain() -> Any:
    """nDCG of two runs at every cutoff, by gain."""
    values = {}
    for run in ("keyword", "hybrid"):
        for gain in ("linear", "exp2"):
            measures = [f"nDCG(gain={gain})@{k}" for k in range(1, 11)]
            scores = gainful.evaluate(SHOP / "qrels.txt", SHOP / f"{run}.run", measures)
            values[f"{run}, {gain}"] = dict(enumerate(scores.mean().values(), 1))
    return _curves(values, "nDCG")


def _many() -> Any:
    """nDCG of systems that all fill the first ten ranks, at every cutoff."""
    cutoffs = range(1, 51)
    relevant = {f"good-{n}" for n in range(40)}
    values = {}
    for name, n in FOUND.items():
        ranking = [f"good-{i}" for i in range(n)] + [f"other-{i}" for i in range(50 - n)]
        found = gainful.ndcg(ranking, relevant=relevant, k=list(cutoffs))
        values[name] = dict(zip(cutoffs, np.asarray(found).tolist(), strict=True))
    return _curves(values, "nDCG")


def _possible() -> Any:
    """Where nDCG@10 of the demo's runs lies, whatever the labels of unjudged items."""
    runs = {run: SHOP / f"{run}.run" for run in RUNS}
    bounds = gainful.unjudged(SHOP / "qrels.txt", runs).bounds
    rows = [{"run": run, "value": bounds.value(run), **bounds.mean(run)._asdict()} for run in RUNS]
    return charts.draw_possible_values(rows, measure="nDCG@10")


def _curves(values: Mapping[str, Mapping[int, float]], measure: str) -> Any:
    rows = [
        {"run": name, "k": k, "value": value, "low": value, "high": value}
        for name, line in values.items()
        for k, value in line.items()
    ]
    return charts.draw_curves(rows, measure=measure)


def _roomy(svg: str) -> str:
    """The picture with some room to its right, for fonts that are wider than was thought."""
    width, height = re.findall(r'\b(?:width|height)="(\d+)"', svg)[:2]
    wide = int(width) + 24
    svg = svg.replace(f'width="{width}"', f'width="{wide}"', 1)
    return svg.replace(f'viewBox="0 0 {width} {height}"', f'viewBox="0 0 {wide} {height}"', 1)


def _for_light_and_dark(svg: str) -> str:
    """The picture with colours for dark pages too, where it is shown as it is."""
    rules = "".join(
        f'[{part}="{colour.light}"]{{{part}:{colour.dark}}}'
        for colour in PALETTE.values()
        for part in ("fill", "stroke")
        if f'{part}="{colour.light}"' in svg
    )
    start = svg.index(">") + 1
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return f"{svg[:start]}{style}{svg[start:]}\n"


CHARTS: dict[str, Callable[[], Any]] = {
    "added": _added,
    "growth": _growth,
    "discounts": _weights,
    "gains": _by_gain,
    "many": _many,
    "possible": _possible,
}


def main() -> int:
    """Draw what is not drawn from the rows of now, or with --check name it."""
    stale = []
    for name, draw in pictures().items():
        chart, path = draw(), IMAGES / name
        if drawn_from(path) != digest(chart):
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(picture(name, chart), encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"{', '.join(stale)}: drawn from other rows. Run make docs.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
