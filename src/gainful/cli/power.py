"""gainful power: say how many queries are needed to show a difference."""

from typing import Any

import click

from gainful.base import collect_arguments
from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    argument_options,
    build_rules,
    load_option,
    pick_options,
    rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.report import view_power
from gainful.stats import DEFAULT_MEASURE, PowerSettings, power


@click.command("power", cls=SectionedCommand)
@click.argument("qrels", required=False)
@click.argument("runs", nargs=-1, metavar="[BASELINE RUN]")
@click.option(
    "-m",
    "--measure",
    default=DEFAULT_MEASURE,
    metavar="MEASURE",
    help=f"MEASURE that the runs are compared by (default {DEFAULT_MEASURE}).",
)
@argument_options(collect_arguments(PowerSettings))
@input_options
@output_options()
@threads_option
@load_option
@rule_options
def power_command(
    qrels: str | None,
    runs: tuple[str, ...],
    measure: str,
    inputs: InputOptions,
    output: Output,
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
    check_stdin_once(qrels, *runs)
    rules, settings = build_rules(options), pick_options(collect_arguments(PowerSettings), options)
    with progress_bar() as progress:
        judgments = None if qrels is None else inputs.qrels(qrels, rules, threads, progress)
        plan = power(
            judgments,
            [inputs.run(run) for run in runs],
            measure,
            **settings,
            rules=rules,
            threads=threads,
            progress=progress,
        )
    output.show(view_power(plan))
