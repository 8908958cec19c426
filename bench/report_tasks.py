"""Tasks about reports: their charts, and pages in Chromium, timed inside the browser."""

import json
import math
import os
from pathlib import Path

from bench.tasks import Timing, measure_time, task

_EMPTY = (
    '<!doctype html><html lang="en"><title>Empty</title>'
    '<script>performance.mark("gainful-ready")</script>'
)
_READY = 'performance.getEntriesByName("gainful-ready")[0]'


@task("saving the charts of a report", package="gainful")
def save_charts(path: str, *files: str) -> Timing:
    """Save the Vega-Lite specifications of a report's charts, for ``draw_charts``."""
    from gainful.report.html.embedded_data import make_embedded_data
    from gainful.report.html.page_data import gather_experiment
    from gainful.report.html.write import make_sections

    experiment = gather_experiment(files[0], files[1:])
    sections = make_sections(experiment, make_embedded_data(experiment))
    charts = [chart.drawing for section in sections for chart in section.charts]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(charts), encoding="utf-8")
    return 0.0, math.nan


@task("drawing the charts of a report", package="altair")
def draw_charts(path: str) -> Timing:
    """Import the packages that draw, and draw each chart once."""
    import altair  # noqa: F401
    import jinja2  # noqa: F401
    import vl_convert

    charts = json.loads(Path(path).read_text(encoding="utf-8"))
    seconds, _ = measure_time(lambda: [vl_convert.vegalite_to_svg(chart) for chart in charts])
    return seconds, math.nan


@task("opening a report", package="playwright")
def open_report(path: str) -> Timing:
    """Time a page from the start of navigation to the mark that it is ready.

    The browser has started, and has opened no page before.
    """
    from chromium import launch

    with launch() as browser:
        # The policy of the page forbids wait_for_function to evaluate text.
        page = browser.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True)
        page.goto(Path(path).resolve().as_uri(), wait_until="commit")
        page.wait_for_function(_READY, timeout=60_000)
        milliseconds = page.evaluate(f"{_READY}.startTime")
    return milliseconds / 1e3, math.nan, os.path.getsize(path) / 1e6


@task("opening an empty page", package="playwright")
def open_empty_page(path: str) -> Timing:
    """Time a page that has nothing except the mark that it is ready."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(_EMPTY, encoding="utf-8")
    return open_report(path)
