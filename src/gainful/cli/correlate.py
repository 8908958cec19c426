"""gainful correlate: whether measures rank runs alike, and whether runs return the same items."""

from typing import Any

import click

from gainful.base import collect_arguments
from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    argument_options,
    build_rules,
    load_option,
    measures_option,
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
from gainful.report import view_correlation
from gainful.stats import DEFAULT_MEASURES, CorrelationSettings, correlate


@click.command("correlate", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measures_option("to rank runs by", *DEFAULT_MEASURES)
@argument_options(collect_arguments(CorrelationSettings))
@input_options
@output_options()
@threads_option
@load_option
@rule_options
def correlate_command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Say whether measures rank runs alike, and whether runs return the same items.

    For every pair of measures, Kendall's tau of the means of the runs, the AP correlation, the
    weighted tau, and the runs they disagree on. For every pair of runs, the mean rank-biased
    overlap of their rankings and the share of items that both have. Only queries that have
    judgments are looked at.

    \b
    Examples:
      gainful correlate qrels.txt bm25.run dense.run hybrid.run -m P@10 -m nDCG@10
      gainful correlate qrels.txt runs/*.run --p 0.98 --top 1000 -f markdown
    """
    check_stdin_once(qrels, *runs)
    rules = build_rules(options)
    settings = pick_options(collect_arguments(CorrelationSettings), options)
    with progress_bar() as progress:
        correlation = correlate(
            inputs.qrels(qrels, rules, threads, progress),
            inputs.runs(runs),
            measures or DEFAULT_MEASURES,
            **settings,
            rules=rules,
            threads=threads,
            progress=progress,
        )
    output.show(view_correlation(correlation))
