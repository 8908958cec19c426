"""gainful holes: what to judge next."""

from typing import Any

import click

from gainful.cli._options import (
    load_option,
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, baseline_among, read_once, source_options
from gainful.cli._unjudged import grades_from, unjudged_options
from gainful.report.holes import OUTPUTS, summary
from gainful.unjudged.finding import holes

_ON_SCREEN = 20


@click.command("holes", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@unjudged_options
@click.option(
    "-n",
    "n_shown",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Print the first N items (default {_ON_SCREEN} in a table, else all).",
)
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def finding(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    grades: str | None,
    baseline: str | None,
    n_shown: int | None,
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """See what to judge next.

    Prints the unjudged items in the first ranks, the one whose label matters most at the top.
    impact is by how much a label could change the value of its query, in any run; mean_impact by
    how much the mean over queries. For several runs verdict_impact is by how much a label could
    change the difference of means: of the two best runs, or of any run and --baseline; the items
    are ordered by it.

    With -o trec the items are a run, whose scores are the impact that orders them: a pool for tools
    that read TREC files.

    \b
    Examples:
      gainful holes qrels.txt bm25.run -n 50
      gainful holes qrels.txt bm25.run dense.run -o csv > to-judge.csv
      gainful holes qrels.txt bm25.run dense.run --baseline bm25 -o trec > pool.run
    """
    read_once(qrels, *runs)
    chosen = rules_from(rules)
    named, tried = said.runs(runs), grades_from(grades)
    baseline = baseline_among(named, baseline)
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        judged = said.qrels(qrels, chosen, threads, progress)
        found = holes(judged, named, measure, baseline=baseline, grades=tried, **how)
    form = output_for(output)
    if n_shown is None and form == "table":
        n_shown = _ON_SCREEN
    shown = found.first(n_shown)
    print_result(OUTPUTS[form](shown), summary(found, len(shown)))
