"""page(): an Experiment as the text of one HTML file."""

import json
from typing import Any

from gainful._version import __version__
from gainful.experiment.result import Experiment
from gainful.packages import package
from gainful.plain import to_json
from gainful.report.page import runtime
from gainful.report.page.bulk import Bulk, bulk
from gainful.report.page.data import page_data
from gainful.report.page.drawn import Drawn, drawn
from gainful.report.page.packed import packed
from gainful.report.page.parts import Section
from gainful.report.page.sections import (
    coverage,
    curves,
    differences,
    distribution,
    examples,
    glossary,
    holes,
    notices,
    quality,
    queries,
    rosetta,
    setup,
    significance,
    slices,
    summary,
    verdict,
)
from gainful.report.page.words import listed, minus, named
from gainful.report.shown import escaped, shown


def page(experiment: Experiment, *, date: str | None = None) -> str:
    """The report as HTML: one file, which loads nothing.

    Args:
        experiment: What there is to say.
        date: When it was made, if the page is to say so.
    """
    large = bulk(experiment)
    found = sections(experiment, large, date)
    drawings = {c.name: drawn(c.drawing, c.name) for one in found for c in one.charts}
    specs = {name: one.spec for name, one in drawings.items()}
    text: str = (
        _templates()
        .get_template("page.html")
        .render(
            title=title(experiment),
            version=__version__,
            sections=found,
            drawings=drawings,
            **_embedded(experiment, specs, large),
        )
    )
    return text


def sections(experiment: Experiment, large: Bulk, date: str | None = None) -> list[Section]:
    """The sections, in order; of one run there are none that compare."""
    found = [
        verdict.section(experiment),
        summary.section(experiment),
        setup.section(experiment, date),
        notices.section(experiment),
        curves.section(experiment),
        *differences.sections(experiment),
        distribution.section(experiment),
        significance.section(experiment),
        coverage.section(experiment),
        slices.section(experiment),
        queries.section(experiment, large),
        Section("query", "One query", nav=False),
        examples.section(experiment),
        holes.section(experiment),
        rosetta.section(experiment),
        quality.section(experiment),
        glossary.section(experiment),
    ]
    return [section for section in found if section is not None]


def title(experiment: Experiment) -> str:
    """What the page is called."""
    measure, runs = experiment.measures[0], [named(run) for run in experiment.runs]
    whom = listed(runs) if len(runs) <= 3 else f"{len(runs):,} runs"
    return f"{whom} by {measure}"


def _embedded(experiment: Experiment, specs: dict[str, Any], large: Bulk) -> dict[str, Any]:
    """Scripts, styles and data: what goes into the page as it is."""
    markup = package("markupsafe", "report", install="'gainful[report]'").Markup
    script = runtime.own()
    held = {
        "script": script,
        "style": runtime.styles(),
        "page_json": escaped(to_json(page_data(experiment, specs), indent=None)),
        "bulk_json": json.dumps(large.text),
        "vega_notices": runtime.vega_notices(),
        "vega_json": json.dumps(packed(runtime.vega())),
    }
    return {
        "policy": runtime.policy(script, runtime.vega()),
        **{name: markup(text) for name, text in held.items()},
    }


def _templates() -> Any:
    jinja2 = package("jinja2", "report", install="'gainful[report]'")
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("gainful.report.page", "template"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["minus"] = minus
    return found


def _finalized(value: Any) -> Any:
    """Text as it can be shown; what is HTML already stays as it is."""
    if isinstance(value, Drawn):
        return package("markupsafe", "report").Markup(value.svg)
    return shown(value) if type(value) is str else value
