"""gainful unjudged: what unjudged items could change, and which of them to judge next."""

from typing import Any

import click

from gainful.cli.input_options import InputOptions, check_stdin_once, find_baseline, input_options
from gainful.cli.options import (
    build_rules,
    load_option,
    parse_possible_labels,
    rule_options,
    threads_option,
    unjudged_options,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.report import FORMATS, UNJUDGED_PARTS, view_unjudged
from gainful.unjudged import unjudged

_ON_SCREEN = 20


@click.command("unjudged", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@unjudged_options
@click.option(
    "--part",
    type=click.Choice(UNJUDGED_PARTS),
    help="Print one part only: bounds, what could change, or items, what to judge next.",
)
@click.option(
    "-q",
    "--per-query",
    is_flag=True,
    help="Print the bounds of every query, then of the mean as 'all'.",
)
@click.option(
    "-n",
    "n_shown",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Print the first N items (default {_ON_SCREEN} in a table, else all).",
)
@input_options
@output_options([*FORMATS, "trec"])
@threads_option
@load_option
@rule_options
def unjudged_command(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    possible_labels: str | None,
    baseline: str | None,
    part: str | None,
    per_query: bool,
    n_shown: int | None,
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """See what unjudged items could change, and which to judge next.

    First come the bounds: how low and how high nDCG could be if every unjudged item in the first
    ranks got any of the possible labels and all judgments stayed as they are. They are exact, not
    estimates.
    A label raises the best possible ranking too, so "not relevant" is not the worst an item can be.
    For several runs the bounds of their differences follow, of all pairs or of each run and
    --baseline, and whether judging could reverse the order of two runs. An item has the same label
    in all runs.

    Then come the unjudged items, the most influential first. impact is by how much a label could
    change the value of its query, in any run; mean_impact by how much the mean over queries. For
    several runs verdict_impact is by how much a label could change the difference of means: of the
    two best runs, or of any run and --baseline. The items are ordered by it.

    The formats tsv and csv separate the two parts by an empty line; --part prints one of them.
    jsonl and trec hold the items only. With -f trec the items are a run whose scores are the impact
    that orders them: a pool for tools that read TREC files.

    RBP needs no such search: its residual is the measure RBPResidual. To take unjudged items out of
    the rankings instead, which overestimates, pass --unjudged condense.

    \b
    Examples:
      gainful unjudged qrels.txt bm25.run
      gainful unjudged qrels.txt bm25.run dense.run --possible-labels 0,1,2,3 -n 50
      gainful unjudged qrels.txt bm25.run dense.run --part items -f csv > to-judge.csv
      gainful unjudged qrels.txt bm25.run dense.run --baseline bm25 -f trec > pool.run
    """
    form = output.format
    if part == "bounds" and form in ("jsonl", "trec"):
        message = f"-f {form} holds the items only. Pass another format for --part bounds."
        raise click.UsageError(message)
    check_stdin_once(qrels, *runs)
    rules = build_rules(options)
    named_runs, labels = inputs.runs(runs), parse_possible_labels(possible_labels)
    baseline = find_baseline(named_runs, baseline)
    with progress_bar() as progress:
        result = unjudged(
            inputs.qrels(qrels, rules, threads, progress),
            named_runs,
            measure,
            baseline=baseline,
            possible_labels=labels,
            rules=rules,
            threads=threads,
            progress=progress,
        )
    if n_shown is None and form == "table":
        n_shown = _ON_SCREEN
    view = view_unjudged(result, part=part, per_query=per_query, baseline=baseline, n_items=n_shown)
    output.show(view)
