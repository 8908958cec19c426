"""write_report(): runs and judgments in, one HTML file out."""

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from gainful._version import __version__
from gainful.alignment import Rules
from gainful.base import (
    Progress,
    check_not_input,
    check_writable,
    import_package,
    open_atomic,
    to_json,
)
from gainful.diagnostics import Notice
from gainful.errors import OutputError
from gainful.evaluation import Collection, Measures, Qrels, Runs, Weights, open_collection
from gainful.gate import Gate
from gainful.report.charts.style import PALETTE, Color
from gainful.report.html.embedded_data import (
    EmbeddedData,
    make_embedded_data,
    make_page_data,
    unpack,
)
from gainful.report.html.escaping import escape_json, sanitize_text
from gainful.report.html.model import Experiment, list_paths
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.parts import (
    Drawing,
    PageSection,
    draw_chart,
    isolate_name,
    join_texts,
    use_minus_signs,
)
from gainful.report.html.sections.coverage import build_coverage_section, build_to_judge_section
from gainful.report.html.sections.query_table import build_examples_section, build_queries_section
from gainful.report.html.sections.setup import (
    build_glossary_section,
    build_notices_section,
    build_quality_section,
    build_reconcile_section,
    build_setup_section,
)
from gainful.report.html.sections.significance import (
    build_curves_section,
    build_difference_sections,
    build_distribution_section,
    build_significance_section,
)
from gainful.report.html.sections.summary import build_slices_section, build_summary_section
from gainful.report.html.sections.verdict import build_verdict_section, make_verdict

# The files of the page's script and style, in the order in which they are joined.
SCRIPTS = ("page", "values", "charts", "queries", "rankings", "whatif", "query", "start")
STYLES = ("page", "sections", "screens", "live")


def read_vega_notices() -> str:
    """Read Vega's copyright and license, which every copy must include."""
    return (files("gainful.report.html") / "vega_notices.txt").read_text(encoding="utf-8")


def read_script() -> str:
    """Read our own script."""
    folder = files("gainful.report.html") / "script"
    return _escape_script(
        "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    )


def read_styles() -> str:
    """Read our own styles, after the colors that they name."""
    folder = files("gainful.report.html") / "style"
    parts = ((folder / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)
    return _make_color_rules() + "\n".join(parts)


def make_security_policy(*scripts: str) -> str:
    """Return a policy that lets the page draw its content and run these scripts only."""
    hashes = " ".join(f"'sha256-{_hash_script(text)}'" for text in scripts)
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src {hashes}; base-uri 'none'; form-action 'none'"
    )


def _escape_script(text: str) -> str:
    """Escape a script so that no text in it ends the script element."""
    return re.sub(r"</(?=script)", r"<\\/", text, flags=re.IGNORECASE).replace("<!--", "<\\!--")


def _hash_script(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _make_color_rules() -> str:
    light, dark = (
        "".join(f"--{name}:{getattr(color, side)};" for name, color in PALETTE.items())
        for side in ("light", "dark")
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f"{''.join(_make_chart_color_rules(name, color) for name, color in PALETTE.items())}"
    )


def _make_chart_color_rules(name: str, color: Color) -> str:
    """Make the rules by which the colors of charts follow the page."""
    return "".join(
        f'.view [{paint}="{color.light}"]{{{paint}:var(--{name})}}\n'
        for paint in ("fill", "stroke")
    )


def make_page(experiment: Experiment, *, date: str | None = None) -> str:
    """Make the report as HTML: one file, which loads nothing.

    Args:
        experiment: What there is to say.
        date: When it was made, if the page is to say so.
    """
    large = make_embedded_data(experiment)
    sections = make_sections(experiment, large, date)
    drawings = {
        c.name: draw_chart(c.drawing, c.name) for drawing in sections for c in drawing.charts
    }
    specs = {name: drawing.spec for name, drawing in drawings.items()}
    text: str = (
        _load_templates()
        .get_template("page.html")
        .render(
            title=make_title(experiment),
            version=__version__,
            sections=sections,
            drawings=drawings,
            **_make_embedded_texts(experiment, specs, large),
        )
    )
    return text


def make_sections(
    experiment: Experiment, large: EmbeddedData, date: str | None = None
) -> list[PageSection]:
    """Make the sections, in order; with one run there are none that compare."""
    sections = [
        build_verdict_section(experiment),
        build_summary_section(experiment),
        build_notices_section(experiment),
        build_curves_section(experiment),
        *build_difference_sections(experiment),
        build_distribution_section(experiment),
        build_significance_section(experiment),
        build_coverage_section(experiment),
        build_slices_section(experiment),
        build_queries_section(experiment, large),
        PageSection("query", "One query", nav=False),
        build_examples_section(experiment),
        build_to_judge_section(experiment),
        build_reconcile_section(experiment),
        build_quality_section(experiment),
        build_setup_section(experiment, date),
        build_glossary_section(experiment),
    ]
    return [section for section in sections if section is not None]


def make_title(experiment: Experiment) -> str:
    """Return the title of the page."""
    measure, runs = experiment.measures[0], [isolate_name(run) for run in experiment.runs]
    subject = join_texts(runs) if len(runs) <= 3 else f"{len(runs):,} runs"
    return f"{subject} by {measure}"


def _make_embedded_texts(
    experiment: Experiment, specs: dict[str, Any], large: EmbeddedData
) -> dict[str, Any]:
    """Make the scripts, styles and data that go into the page unescaped."""
    markup = import_package("markupsafe", "report", install="'gainful[report]'").Markup
    script = read_script()
    vega = (files("gainful.report.html") / "vega.json").read_text(encoding="ascii").strip()
    texts = {
        "script": script,
        "style": read_styles(),
        "page_json": escape_json(to_json(make_page_data(experiment, specs), indent=None)),
        "bulk_json": json.dumps(large.text),
        "vega_notices": read_vega_notices(),
        "vega_json": vega,
    }
    return {
        "policy": make_security_policy(script, unpack(json.loads(vega))),
        **{name: markup(text) for name, text in texts.items()},
    }


def _load_templates() -> Any:
    jinja2 = import_package("jinja2", "report", install="'gainful[report]'")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainful.report.html", "template"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["minus"] = use_minus_signs
    return environment


def _finalize_value(value: object) -> object:
    """Replace characters that cannot be shown; what is already HTML stays as it is."""
    if isinstance(value, Drawing):
        return import_package("markupsafe", "report").Markup(value.svg)
    return sanitize_text(value) if type(value) is str else value


_PACKAGES = ("jinja2", "vl_convert", "latex2mathml")


@dataclass(frozen=True, eq=False)
class Report:
    """A report that was written.

    Attributes:
        path: Where it is; ``-`` is standard output.
        n_bytes: How large it is.
        verdict: What it says first.
        notices: What a reader of the numbers should know.
        experiment: All that it says, as values.
    """

    path: str
    n_bytes: int
    verdict: str
    notices: tuple[Notice, ...]
    experiment: Experiment

    def __repr__(self) -> str:
        return f"<Report {self.path!r}, {self.n_bytes:,} bytes>\n{self.verdict}"


def write_report(
    qrels: Qrels | Collection,
    runs: Runs | None,
    path: str | os.PathLike[str],
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    by: Iterable[str] = (),
    gate: Gate | None = None,
    reconcile: bool = False,
    command: str | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Write a report: one HTML file that opens from disk and loads nothing.

    The same input gives the same bytes. If the variable ``SOURCE_DATE_EPOCH`` is set, the page says
    that date. The file appears when all of it is written; no folder is made for it, and nothing
    that is read is written over.

    Args:
        qrels: The judgments, as ``evaluate`` takes them.
        runs: The runs, as ``compare`` takes them; one is enough. None for all runs of a collection.
        path: The file to write; ``-`` is standard output.
        measures: The measures; the report is about the first.
        baseline: The run that the others are compared with; all pairs are if there is none.
        items: What items are called, as ``explain`` takes it.
        queries: Query attributes, such as their text, as ``evaluate`` takes them.
        weights: What each query weighs in the means, as ``evaluate`` takes it.
        by: Columns of it that make slices.
        gate: What a gate said, to be shown.
        reconcile: Whether to show what other tools would say, and why, as ``reconcile`` does.
        command: The command line, to be shown.
        seed: What the random numbers start from.
        rules: How qrels and run are joined, ranked and averaged.
        threads: How many threads read; as many as there are cores if None.
        progress: What is told how much is read.

    Returns:
        The path of the report, its size, its verdict and its notices.

    Raises:
        OutputError: A setting is not one that a report can follow.
        PackageError: The packages of ``gainful[report]`` are not installed.
        SourceError: The qrels, a run or a table cannot be read, or the file cannot be written.
        GainfulError: As for ``evaluate`` and ``compare``.

    >>> import gainful
    >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1", "d2"]}}
    >>> gainful.write_report({"q1": {"d1": 1}}, runs, "/dev/null").path
    '/dev/null'
    """
    check_report_packages()
    target, date = os.fspath(path), _format_date(os.environ.get("SOURCE_DATE_EPOCH"))
    check_writable(target)
    with open_collection(
        qrels,
        runs,
        items=items,
        queries=queries,
        rules=rules,
        threads=threads,
        progress=progress,
    ) as collection:
        check_not_input(target, *list_paths(collection))
        experiment = gather_experiment(
            collection,
            None,
            measures,
            baseline=baseline,
            weights=weights,
            by=by,
            gate=gate,
            reconcile=reconcile,
            command=command,
            seed=seed,
        )
    data = make_page(experiment, date=date).encode()
    with open_atomic(target) as file:
        file.write(data)
    result = make_verdict(experiment)
    text = f"{result.headline} {result.detail}"
    return Report(target, len(data), text, experiment.notices, experiment)


def check_report_packages() -> None:
    """Raise an error, before anything is read, if a package that a page needs is missing."""
    for name in _PACKAGES:
        import_package(name, "report", install="'gainful[report]'")


def _format_date(epoch: str | None) -> str | None:
    """Format a number of seconds as a date, if there is one.

    >>> _format_date("86400")
    '1970-01-02'
    """
    if not epoch:
        return None
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        message = f"SOURCE_DATE_EPOCH: must be a number of seconds, got {epoch!r}."
        raise OutputError(message, code="bad-argument") from None
