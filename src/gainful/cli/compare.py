"""gainful compare: say which run is better, and how sure that is."""

from collections.abc import Sequence
from typing import Any

import click

from gainful.alignment import list_rule_arguments
from gainful.cli.input_options import (
    InputOptions,
    check_runs_differ,
    check_stdin_once,
    find_baseline,
    input_options,
)
from gainful.cli.options import (
    build_rules,
    item_options,
    load_option,
    measures_option,
    read_item_options,
    rule_options,
    seed_option,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.report import FORMATS, view_comparison
from gainful.stats import CORRECTIONS, OPTIONAL_TESTS, compare


@click.command("compare", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@measures_option(
    "to compare by", "nDCG@10", addition=" The verdict is on the first, the others are exploratory."
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="Compare all others with this RUN, by its name or path (default all pairs).",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    help="How p-values take into account that there are several pairs (default none for one pair, "
    "holm with --baseline, else tukey).",
)
@click.option(
    "--test",
    "tests",
    type=click.Choice(list(OPTIONAL_TESTS)),
    multiple=True,
    help="Print the p-value of this test as well; may be repeated.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="P",
    default=0.05,
    help="Take a difference for more than chance if its p-value is below P (default 0.05).",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    metavar="DIFFERENCE",
    help="Say whether runs are practically equal: differ by less than DIFFERENCE.",
)
@click.option(
    "--tie",
    type=click.FloatRange(0),
    metavar="DIFFERENCE",
    default=1e-9,
    help="Take values of a query for tied that differ by DIFFERENCE at most (default 1e-9).",
)
@seed_option
@click.option(
    "--resamples",
    type=click.IntRange(1, 100_000_000),
    metavar="N",
    help="Draw N times for every test (default 100,000 sign flips, 10,000 permutations).",
)
@click.option(
    "--bounds",
    is_flag=True,
    help="Bound the differences over all labels of unjudged items (nDCG and related measures).",
)
@item_options
@click.option("--plot", is_flag=True, help="Show how the queries differ below the table.")
@click.option("--all-pairs", is_flag=True, help="Print all pairs, however many there are.")
@click.option("-q", "--per-query", is_flag=True, help="Print the values of every query (-f json).")
@input_options
@output_options([*FORMATS, "systems"])
@threads_option
@load_option
@rule_options
def compare_command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    baseline: str | None,
    items: str | None,
    users: int | None,
    plot: bool,
    all_pairs: bool,
    per_query: bool,
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Say which of several runs is better, and how sure that is.

    The verdict comes first, then what every run scores and how they differ. A run is better if
    its lead is more than chance explains; if that cannot be determined, it says so. The exit code
    is 0 whatever the verdict. QRELS and RUN are files as in gainful eval.

    \b
    Examples:
      gainful compare qrels.txt bm25.run dense.run -m nDCG@10
      gainful compare qrels.txt bm25.run dense.run hybrid.run --baseline bm25
      gainful compare qrels.txt bm25.run dense.run -m nDCG@10 --margin 0.01
      gainful compare qrels.txt bm25.run dense.run --plot
      gainful compare qrels.txt runs/*.run -m nDCG@10 -m AP -f latex > table.tex
      gainful compare qrels.txt runs/*.run -f json | jq -r .verdict
    """
    _check_arguments(qrels, runs, items)
    if plot:  # for people, wherever it goes
        output = output.with_default("table")
    if plot and output.format not in ("table", "markdown", "html"):
        message = f"--plot is drawn below a table, got -f {output.format}. Use -f table."
        raise click.UsageError(message)
    if per_query and output.format != "json":
        message = f"--per-query is for -f json, got -f {output.format}. Use gainful eval -q."
        raise click.UsageError(message)
    rules, named_runs = build_rules(options), inputs.runs(runs)
    with progress_bar() as progress:
        comparison = compare(
            inputs.qrels(qrels, rules, threads, progress),
            named_runs,
            measures=measures or "nDCG@10",
            **{name: options[name] for name in options if name not in list_rule_arguments()},
            baseline=find_baseline(named_runs, baseline),
            items=read_item_options(items, users),
            rules=rules,
            threads=threads,
            progress=progress,
        )
    output.show(view_comparison(comparison, all_pairs=all_pairs, per_query=per_query, plot=plot))


def _check_arguments(qrels: str, runs: Sequence[str], items: str | None) -> None:
    if len(runs) == 1:
        message = f"two runs or more are compared, got {runs[0]!r} only. Use gainful eval for one."
        raise click.UsageError(message)
    check_stdin_once(qrels, *runs, items)
    check_runs_differ(runs)
