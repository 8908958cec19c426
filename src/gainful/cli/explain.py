"""gainful explain: see why a query scored what it scored."""

import sys
from collections.abc import Callable

import click

from gainful.base import ReadOptions
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
    detect_screen,
    output_options,
    progress_bar,
)
from gainful.evaluation import Explanation, explain
from gainful.report import (
    list_explanation_footnotes,
    list_move_footnotes,
    render_explanation,
    render_side_by_side,
    summarize_moves,
    write_moves_json,
    write_moves_markdown,
    write_moves_tsv,
)
from gainful.sources import read_item_data, read_judgments

OUTPUTS: dict[str, Callable[[Explanation], str]] = {
    "table": repr,
    "tsv": Explanation.to_tsv,
    "markdown": Explanation.to_markdown,
    "json": Explanation.to_json,
}
BESIDE: dict[str, Callable[[Explanation, Explanation], str]] = {
    "tsv": write_moves_tsv,
    "markdown": write_moves_markdown,
    "json": write_moves_json,
}


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
    help="Show what RUN has on the same ranks beside it, and what moved since.",
)
@output_options(OUTPUTS)
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
    described = None if items is None else read_item_data(items, {}, roles=("title", "url"))
    with progress_bar() as progress:
        judgments = read_judgments(
            qrels, resolved_rules, ReadOptions(threads, progress), **inputs.qrels_options
        )
        explanation, *others = (
            explain(
                judgments,
                run,
                query,
                measure,
                rules=resolved_rules,
                threads=threads,
                progress=progress,
                items=described,
            )
            for run in named_runs
        )
    if others:
        _print_side_by_side(explanation, others[0], output)
    else:
        _print_explanation(explanation, output)


def _print_explanation(explanation: Explanation, output: Output) -> None:
    form = output.format
    if form == "table" and output.is_terminal:
        output.print("", drawing=render_explanation(explanation, detect_screen()))
        return
    notes = [explanation.reading, *list_explanation_footnotes(explanation)] if form == "tsv" else []
    output.print(OUTPUTS[form](explanation).rstrip("\n") + "\n", notes)


def _print_side_by_side(explanation: Explanation, against: Explanation, output: Output) -> None:
    if output.format == "table":
        # A file is as wide as it takes.
        screen = detect_screen()
        if not output.is_terminal:
            screen = screen._replace(width=sys.maxsize)
        output.print("", drawing=render_side_by_side(explanation, against, screen))
        return
    notes = (
        [*summarize_moves(explanation, against), *list_move_footnotes(explanation, against)]
        if output.format == "tsv"
        else []
    )
    output.print(BESIDE[output.format](explanation, against), notes)
