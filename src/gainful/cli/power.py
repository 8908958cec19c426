"""gainful power: say how many queries are needed to show a difference."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from gainful.cli._options import (
    load_option,
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._progress import progress_bar
from gainful.cli._sources import Said, source_options
from gainful.report.power import COMPLETE, OUTPUTS, footnotes
from gainful.settings import arguments_of, text_of
from gainful.stats.planning import DEFAULT_MEASURE, Question, power_analysis

Command = TypeVar("Command", bound=Callable[..., Any])


def question_options(command: Command) -> Command:
    """One option for everything that can be asked, as ``Question`` declares it."""
    for name, argument in reversed(arguments_of(Question).items()):
        default = "" if argument.default is None else f" (default {text_of(argument.default)})"
        command = click.option(
            f"--{name}",
            type=argument.type,
            metavar="N" if argument.type is int else "X",
            help=f"{argument.setting.help[0].upper()}{argument.setting.help[1:]}{default}.",
        )(command)
    return command


@click.command("power")
@click.argument("qrels", required=False)
@click.argument("runs", nargs=-1, metavar="[BASELINE RUN]")
@click.option(
    "-m",
    "--measure",
    default=DEFAULT_MEASURE,
    metavar="MEASURE",
    help=f"MEASURE that the runs are compared by (default {DEFAULT_MEASURE}).",
)
@question_options
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def planning(
    qrels: str | None,
    runs: tuple[str, ...],
    measure: str,
    difference: float | None,
    deviation: float | None,
    variance: float | None,
    queries: int | None,
    power: float | None,
    alpha: float | None,
    qrels_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    labels: tuple[str, ...],
    output: str | None,
    threads: int | None,
    **rules: Any,
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
    if [qrels, *runs].count("-") > 1:
        message = "standard input (-) can be read only once."
        raise click.UsageError(message)
    chosen, said = rules_from(rules), Said.of(qrels_format, run_format, columns, labels)
    asked: Any = {"difference": difference, "deviation": deviation, "variance": variance}
    asked |= {"queries": queries, "power": power, "alpha": alpha}
    asked = {name: value for name, value in asked.items() if value is not None}
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        judged = None if qrels is None else said.qrels(qrels, chosen, threads, progress)
        plan = power_analysis(judged, [said.run(run) for run in runs], measure, **asked, **how)
    form = output_for(output)
    print(OUTPUTS[form](plan), end="")
    if form not in COMPLETE:
        sys.stdout.flush()
        for line in footnotes(plan):
            print(line, file=sys.stderr)
