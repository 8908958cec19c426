"""gainful agree: say whether measures rank runs alike, and whether runs return the same items."""

from typing import Any

import click

from gainful.cli._options import (
    load_option,
    measures_option,
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, source_options
from gainful.report.agreement import COMPLETE, OUTPUTS, footnotes
from gainful.stats.agreeing import DEFAULT_MEASURES, agreement


@click.command("agree", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measures_option("to rank runs by", *DEFAULT_MEASURES)
@click.option(
    "--p",
    type=float,
    default=0.9,
    show_default=True,
    metavar="P",
    help="P is how likely a reader of two rankings goes on to the next rank.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Compare the first N items of every ranking.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Draw queries anew by random numbers that start from N.",
)
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def agreeing(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    p: float,
    top: int,
    seed: int,
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """Say whether measures rank runs alike, and whether runs return the same items.

    For every pair of measures, Kendall's tau of the means of the runs, the AP correlation, the
    weighted tau, and the runs they disagree on. For every pair of runs, the mean rank-biased
    overlap of their rankings and the share of items that both have. Only queries that have
    judgments are looked at. QRELS may be standard input (-); runs may not, which are read twice.

    \b
    Examples:
      gainful agree qrels.txt bm25.run dense.run hybrid.run -m P@10 -m nDCG@10
      gainful agree qrels.txt runs/*.run --p 0.98 --top 1000 -o markdown
    """
    if "-" in runs:
        message = "a run is read twice, which standard input (-) cannot be. Name a file."
        raise click.UsageError(message)
    chosen = rules_from(rules)
    with progress_bar() as progress:
        how: Any = {"p": p, "top": top, "seed": seed, "rules": chosen, "threads": threads}
        judged = said.qrels(qrels, chosen, threads, progress)
        wanted = measures or DEFAULT_MEASURES
        found = agreement(judged, said.runs(runs), wanted, **how, progress=progress)
    form = output_for(output)
    notes = [] if form in COMPLETE else footnotes(found, said=form == "table")
    print_result(OUTPUTS[form](found), notes)
