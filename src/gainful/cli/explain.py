"""gainful explain: see why a query scored what it scored."""

import click

from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    build_rules,
    load_option,
    rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.evaluation import explain
from gainful.report import view_explanation, view_moves


@click.command("explain", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("run")
@click.argument("query")
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG@10",
    help="MEASURE to explain (default nDCG@10).",
)
@input_options
@click.option(
    "--items",
    metavar="FILE",
    help="FILE of what items are called: a table with a header, an item column, and title or url.",
)
@click.option(
    "--against",
    metavar="RUN",
    help="Compare the ranking with that of RUN: what moved, what is new, what was lost.",
)
@output_options()
@threads_option
@load_option
@rule_options
def explain_command(
    qrels: str,
    run: str,
    query: str,
    measure: str,
    inputs: InputOptions,
    items: str | None,
    against: str | None,
    output: Output,
    threads: int | None,
    **rules: object,
) -> None:
    """See why a query scored what it scored.

    Shows, rank by rank, what each item adds, the best possible ranking beside it, the relevant
    items that were missed and what each cost, and the one swap that would help most.

    \b
    Examples:
      gainful explain qrels.txt bm25.run q07
      gainful explain qrels.txt bm25.run q07 -m 'nDCG(gain=exp2)@5' -f json
      gainful explain qrels.txt bm25.run q07 --items corpus.jsonl
      gainful explain qrels.txt dense.run q07 --against bm25.run
    """
    check_stdin_once(qrels, run, items, against)
    resolved_rules = build_rules(rules)
    named_runs = inputs.runs([run] if against is None else [run, against])
    with (
        progress_bar() as progress,
        inputs.collection(
            qrels,
            named_runs,
            items=items,
            rules=resolved_rules,
            threads=threads,
            progress=progress,
        ) as collection,
    ):
        explanation, *others = (
            explain(collection, named_run.name, query, measure) for named_run in collection.runs
        )
    output.show(view_moves(explanation, *others) if others else view_explanation(explanation))
