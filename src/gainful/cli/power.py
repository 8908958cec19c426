"""gainful power: say how many queries are needed to show a difference."""

from typing import Any

import click

from gainful.cli._options import (
    declared_options,
    given,
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
from gainful.cli._sources import Said, read_once, source_options
from gainful.report.power import COMPLETE, OUTPUTS, footnotes
from gainful.settings import arguments_of
from gainful.stats.planning import DEFAULT_MEASURE, Question, power_analysis


@click.command("power", cls=Sectioned)
@click.argument("qrels", required=False)
@click.argument("runs", nargs=-1, metavar="[BASELINE RUN]")
@click.option(
    "-m",
    "--measure",
    default=DEFAULT_MEASURE,
    metavar="MEASURE",
    help=f"MEASURE that the runs are compared by (default {DEFAULT_MEASURE}).",
)
@declared_options(arguments_of(Question))
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def planning(
    qrels: str | None,
    runs: tuple[str, ...],
    measure: str,
    said: Said,
    output: str | None,
    threads: int | None,
    **options: Any,
) -> None:
    """Say how many queries are needed to show a difference.

    And which difference the queries there are can show. From a pilot, QRELS and two runs, or from
    the deviation or variance of the differences of queries. Of the paired t-test, two-sided.

    \b
    Examples:
      gainful power qrels.txt bm25.run dense.run -m nDCG@10
      gainful power qrels.txt bm25.run dense.run --difference 0.02 --power 0.9
      gainful power --difference 0.05 --variance 0.0251
      gainful power --queries 50 --deviation 0.16
    """
    read_once(qrels, *runs)
    chosen, asked = rules_from(options), given(arguments_of(Question), options)
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        judged = None if qrels is None else said.qrels(qrels, chosen, threads, progress)
        plan = power_analysis(judged, [said.run(run) for run in runs], measure, **asked, **how)
    form = output_for(output)
    print_result(OUTPUTS[form](plan), [] if form in COMPLETE else footnotes(plan))
